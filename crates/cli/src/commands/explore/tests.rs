//! The explorer, driven by keys; its screens are compared with those in `tests/`.

use std::path::Path;

use clap::Parser;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use gdvar_io::replace::Snapshot;
use gdvar_view::{Dialect, Document, Event};
use ratatui::{buffer::Buffer, layout::Rect, style::Modifier};

use crate::{
    app::App,
    cli::Cli,
    commands::explore::{
        children::{Children, Got, Work},
        edits,
        layout::layout,
        nodes::{Next, Node, Trail},
        screen::{self, Palette},
        source::Source,
        state::{Ask, State},
    },
    input::{bytes::Input, detect::Plan},
};

fn app() -> App {
    let cli = Cli::try_parse_from(["gdvar", "-q", "a"]).expect("a command line");
    App::new(cli.global)
}

fn save(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/saves");
    std::fs::read(folder.join(name)).expect("a save")
}

/// A file that an app has opened.
struct Opened {
    app: App,
    input: Input,
    plan: Plan,
}

impl Opened {
    fn new(name: &str, bytes: Vec<u8>) -> Opened {
        let mut app = App::held(&app().settings());
        let input = Input::of(name, bytes);
        let plan = app.plan(&input).expect("memory").expect("a plan");
        Opened { app, input, plan }
    }

    fn source(&self) -> Source<'_> {
        Source::new(&self.app, &self.input, &self.plan)
    }
}

/// Types keys: a word in `<>` is a key, anything else is typed. Work is done to its end.
fn press(state: &mut State<'_>, keys: &str) -> Ask {
    let mut rest = keys;
    let mut ask = Ask::Nothing;
    while let Some(first) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let (code, control) = match named {
            Some((name, tail)) => {
                rest = tail;
                match name {
                    "enter" => (KeyCode::Enter, false),
                    "esc" => (KeyCode::Esc, false),
                    "down" => (KeyCode::Down, false),
                    "right" => (KeyCode::Right, false),
                    "left" => (KeyCode::Left, false),
                    "pgdn" => (KeyCode::PageDown, false),
                    "pgup" => (KeyCode::PageUp, false),
                    "c-u" => (KeyCode::Char('u'), true),
                    other => panic!("no key {other}"),
                }
            }
            None => {
                rest = &rest[first.len_utf8()..];
                (KeyCode::Char(first), false)
            }
        };
        let modifiers = match control {
            true => KeyModifiers::CONTROL,
            false => KeyModifiers::NONE,
        };
        ask = state.key(KeyEvent::new(code, modifiers));
        while state.task.is_some() {
            state.work(1 << 16);
        }
    }
    ask
}

/// The text of a screen of that size, and below it which row is selected.
fn screen(state: &mut State<'_>, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    let layout = layout(width, height, state.with_hex);
    let mut view = state.view(&layout);
    while state.reading {
        view = state.view(&layout);
    }
    screen::draw(&view, &layout, Palette { colors: true }, &mut buffer);
    let mut text = String::new();
    for y in 0..height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..width {
            let symbol = buffer[(x, y)].symbol();
            // A wide character takes the cell behind it, too.
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = ratatui::text::Span::raw(symbol).width().saturating_sub(1);
            line.push_str(symbol);
        }
        let left = buffer[(0, y)].modifier.contains(Modifier::REVERSED);
        let line = line.trim_end();
        text += if left && y > 0 { ">" } else { "|" };
        text += line;
        text.push('\n');
    }
    text
}

macro_rules! shows {
    ($state:expr, $width:literal x $height:literal, $file:literal) => {
        snapbox::assert_data_eq!(
            screen(&mut $state, $width, $height),
            snapbox::file![$file].raw()
        )
    };
}

#[test]
fn a_small_save_is_a_tree_with_bytes_beside_it() {
    let opened = Opened::new("rpg4.sav", save("rpg4.sav"));
    let source = opened.source();
    let mut state = State::new(&source);
    press(&mut state, ":party[0]<enter>ljjj");
    shows!(state, 100 x 24, "tests/small.txt");
    // The keys of a wide screen are those of a narrow one.
    shows!(state, 40 x 20, "tests/narrow.txt");
    press(&mut state, "x");
    shows!(state, 40 x 12, "tests/without-bytes.txt");
    press(&mut state, "?");
    shows!(state, 40 x 26, "tests/help.txt");
}

#[test]
fn a_search_goes_through_keys_and_values_both_ways() {
    let opened = Opened::new("rpg4.sav", save("rpg4.sav"));
    let source = opened.source();
    let mut state = State::new(&source);
    press(&mut state, "/aldis<enter>");
    assert_eq!(state.path(), "party[0].name");
    press(&mut state, "n");
    assert_eq!(state.path(), "party[0].portrait");
    shows!(state, 100 x 24, "tests/search.txt");
    // The places that `gdvar grep Aldis` finds, and from the start again.
    press(&mut state, "n");
    assert_eq!(state.path(), "quests.quest_015.reward.items[0].owner");
    press(&mut state, "n");
    assert_eq!(state.path(), "party[0].name");
    press(&mut state, "N");
    assert_eq!(state.path(), "quests.quest_015.reward.items[0].owner");
    press(&mut state, "N");
    assert_eq!(state.path(), "party[0].portrait");
    press(&mut state, "/no such text<enter>");
    assert_eq!(state.path(), "party[0].portrait");
    assert!(state.message.as_ref().is_some_and(|(_, bad)| *bad));
    // A text of a packed array, and what is no regular expression.
    press(&mut state, ":texts<enter>/gate is shut\\.$<enter>");
    assert_eq!(state.path(), "texts[0]");
    press(&mut state, "/(shut<enter>");
    assert!(state.message.as_ref().is_some_and(|(_, bad)| *bad));
}

#[test]
fn a_path_is_gone_to() {
    let opened = Opened::new("rpg4.sav", save("rpg4.sav"));
    let source = opened.source();
    let mut state = State::new(&source);
    for path in [
        "party[3].portrait",
        "quests.quest_015.reward.items[0].owner",
        "checksum[31]",
        "party[0].position",
    ] {
        press(&mut state, &format!(":{path}<enter>"));
        assert_eq!(state.path(), path);
        // The way of the other commands to the same value.
        let record = source.record(0).expect("a record");
        let document = Document::with_options(&record.bytes, source.options);
        let child = state.selected().expect("a row");
        if let (Some(value), Ok(Some(found))) = (child.value(), document.get(path)) {
            assert_eq!(value.offset(), found.offset());
        }
    }
    press(&mut state, ":party[-1]<enter>");
    assert_eq!(state.path(), "party[3]");
    press(&mut state, ":party[0].naem<enter>");
    assert_eq!(state.path(), "party[3]");
    shows!(state, 80 x 12, "tests/no-such-path.txt");
    press(&mut state, ":party[<enter>");
    assert!(state.message.as_ref().is_some_and(|(_, bad)| *bad));
}

#[test]
fn a_damaged_file_is_shown_up_to_the_damage() {
    let mut bytes = save("rpg4.sav");
    bytes.truncate(60_000);
    let opened = Opened::new("cut.sav", bytes);
    let source = opened.source();
    let mut state = State::new(&source);
    let first = screen(&mut state, 100, 20);
    assert!(first.contains("damaged: what stands in front"), "{first}");
    press(&mut state, "G");
    shows!(state, 100 x 20, "tests/damaged.txt");
    // Into what is broken, down to the value itself: the place that `gdvar check` names.
    press(&mut state, "l");
    shows!(state, 100 x 24, "tests/damage.txt");
}

#[test]
fn records_are_rows() {
    let slot = save("rpg4.sav");
    let mut bytes = slot.repeat(2);
    bytes.extend([8, 0, 0, 0, 2, 0, 0, 0, 80, 0, 0, 0]);
    let opened = Opened::new("three.rec", bytes);
    let source = opened.source();
    let mut state = State::new(&source);
    press(&mut state, "J<enter>");
    shows!(state, 80 x 10, "tests/records.txt");
    press(&mut state, ":#1 party[1].hp<enter>");
    assert_eq!(state.path(), "#1 party[1].hp");
    press(&mut state, ":#2<enter>");
    assert_eq!(state.path(), "#2 $");
    press(&mut state, ":#3<enter>");
    assert_eq!(state.path(), "#2 $");
}

#[test]
fn lines_of_hex_are_records() {
    let text = b"# a comment\n0200000050000000\n0100000001000000\nzz\n".to_vec();
    let opened = Opened::new("packets.txt", text);
    let source = opened.source();
    let mut state = State::new(&source);
    shows!(state, 60 x 10, "tests/lines.txt");
    let change = match press(&mut state, "e<c-u>99<enter>") {
        Ask::Try(change) => change,
        other => panic!("{other:?}"),
    };
    assert!(edits::lines(&opened.app, &source, &change).is_ok());
}

/// The file that was read is replaced, and no other: a save of the game in the meantime is kept, and so is each copy.
#[test]
fn an_edit_replaces_the_file_that_was_read() {
    #[cfg(unix)]
    let _ = crate::terminal::signals::start();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("slot.sav");
    let old = save("rpg4.sav");
    std::fs::write(&file, &old).expect("space");
    let name = file.to_str().expect("UTF-8");
    let mut opened = Opened::new(name, old.clone());
    let look = |opened: &mut Opened| opened.app.target = Snapshot::of(&file).ok();
    look(&mut opened);
    let change = |opened: &Opened, value: &str| {
        let source = opened.source();
        let mut state = State::new(&source);
        press(&mut state, ":party[0].hp<enter>");
        let Ask::Try(change) = press(&mut state, &format!("e<c-u>{value}<enter>")) else {
            panic!("nothing was typed");
        };
        edits::write(&opened.app, &source, &change, &file, true).expect("it can say so")
    };
    assert_eq!(change(&opened, "1"), Ok(()));
    assert!(std::fs::read(folder.path().join("slot.sav.bak")).expect("a copy") == old);
    // It is not what was read any more.
    let now = std::fs::read(&file).expect("it");
    assert!(now != old);
    let why = change(&opened, "2").expect_err("it was replaced");
    assert!(
        why.contains("in the meantime") && why.contains("R reads it again"),
        "{why}"
    );
    assert!(std::fs::read(&file).expect("it") == now);
    let mut opened = Opened::new(name, now.clone());
    look(&mut opened);
    assert_eq!(change(&opened, "3"), Ok(()));
    assert!(std::fs::read(folder.path().join("slot.sav.bak")).expect("a copy") == old);
    assert!(std::fs::read(folder.path().join("slot.sav.bak2")).expect("a copy") == now);
}

#[test]
fn an_edit_is_shown_before_it_is_made() {
    let opened = Opened::new("rpg4.sav", save("rpg4.sav"));
    let source = opened.source();
    let mut state = State::new(&source);
    press(&mut state, ":party[0].hp<enter>e<c-u>Vec");
    let Ask::Try(change) = press(&mut state, "<enter>") else {
        panic!("nothing was typed");
    };
    let why = edits::lines(&opened.app, &source, &change).expect_err("no value");
    state.complain(why);
    shows!(state, 80 x 10, "tests/mistake.txt");
    let Ask::Try(change) = press(&mut state, "<c-u>\"dead\"<enter>") else {
        panic!("nothing was typed");
    };
    let lines = edits::lines(&opened.app, &source, &change).expect("a value");
    state.ask(change, lines);
    shows!(state, 80 x 16, "tests/edit.txt");
    assert!(matches!(press(&mut state, "n"), Ask::Nothing));
    press(&mut state, "e<c-u>999");
    let Ask::Try(change) = press(&mut state, "<enter>") else {
        panic!("nothing was typed");
    };
    let lines = edits::lines(&opened.app, &source, &change).expect("a value");
    assert_eq!(
        lines.last().map(String::as_str),
        Some("the file keeps its length")
    );
    state.ask(change, lines);
    match press(&mut state, "y") {
        Ask::Write(change) => assert_eq!(change.place, "{7}[0]{3}"),
        other => panic!("{other:?}"),
    }
    // A number of a packed array, too; but no container.
    press(&mut state, ":checksum[1]<enter>e<c-u>7");
    let Ask::Try(change) = press(&mut state, "<enter>") else {
        panic!("nothing was typed");
    };
    assert!(edits::lines(&opened.app, &source, &change).is_ok());
    press(&mut state, "<esc>:party<enter>e");
    assert!(matches!(
        state.mode,
        crate::commands::explore::state::Mode::Browse
    ));
}

#[test]
fn the_mouse_selects_opens_and_scrolls() {
    let opened = Opened::new("rpg4.sav", save("rpg4.sav"));
    let source = opened.source();
    let mut state = State::new(&source);
    let size = (80, 20);
    screen(&mut state, size.0, size.1);
    let at = |state: &mut State<'_>, kind, row| {
        let event = MouseEvent {
            kind,
            column: 4,
            row,
            modifiers: KeyModifiers::NONE,
        };
        state.mouse(event, size);
        screen(state, size.0, size.1);
        state.path()
    };
    let click = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(at(&mut state, click, 9), "party");
    assert_eq!(at(&mut state, click, 9), "party");
    assert_eq!(at(&mut state, click, 10), "party[0]");
    at(&mut state, MouseEventKind::ScrollDown, 5);
    assert_eq!(at(&mut state, click, 1), "saved_at");
}

/// All rows below each other, with everything open.
fn rows(node: &mut Node<'_>, limit: usize) -> Vec<Trail> {
    let mut rows = vec![vec![0]];
    while let Some(last) = rows.last().cloned() {
        node.open(&last);
        let next = loop {
            match node.next(&last, &mut Work(limit)) {
                Next::Row(next) => break Some(next),
                Next::End => break None,
                Next::Pending => {}
            }
        };
        match next {
            Some(next) => rows.push(next),
            None => break,
        }
    }
    rows
}

#[test]
fn every_value_is_a_row_and_the_way_back_is_the_way_there() {
    let opened = Opened::new("rpg4.sav", save("rpg4.sav"));
    let source = opened.source();
    let mut node = Node::new(Children::of_file(&source));
    let all = rows(&mut node, Work::ALL);
    // An independent count: all values, but keys, and the elements of packed arrays.
    let record = source.record(0).expect("a record");
    let mut events = Document::with_options(&record.bytes, source.options).events();
    let mut expected = 0;
    while let Ok(Some(event)) = events.try_next() {
        if let Event::Value(value) | Event::Begin(value) = event {
            if events.role() != gdvar_view::Role::Key {
                expected += 1 + value.packed_len().unwrap_or(0);
            }
        }
    }
    assert_eq!(all.len(), expected);
    let mut back = vec![all.last().cloned().expect("rows")];
    while let Some(above) = back.last().and_then(|last| node.previous(last)) {
        back.push(above);
    }
    back.reverse();
    assert_eq!(back, all);
    // With little work at a time it is the same.
    let mut node = Node::new(Children::of_file(&source));
    assert_eq!(rows(&mut node, 64), all);
}

#[test]
fn any_child_is_found_again_by_few_marks() {
    // An Array of a million ints: 8 bytes each.
    const COUNT: u64 = 1_000_000;
    let mut value = [&28_u32.to_le_bytes()[..], &(COUNT as u32).to_le_bytes()].concat();
    for n in 0..COUNT as u32 {
        value.extend([2, 0, 0, 0]);
        value.extend(n.to_le_bytes());
    }
    let bytes = [&(value.len() as u32).to_le_bytes()[..], &value].concat();
    let opened = Opened::new("many.sav", bytes);
    assert_eq!(opened.plan.dialect, Dialect::GODOT_4);
    let source = opened.source();
    let mut state = State::new(&source);
    press(&mut state, "G");
    assert_eq!(state.path(), "[999999]");
    let node = state.root.at(&[0]).expect("the array");
    // A mark for every 64 KiB, or every 1024 children.
    assert!(node.children.marks() as u64 <= COUNT / 1024 + 1);
    let mut n = 7;
    for _ in 0..1000 {
        n = (n * 7919 + 13) % COUNT;
        match node.children.get(n, &mut Work(Work::ALL)) {
            Got::Child(child) => {
                let value = child.value().expect("an int");
                assert_eq!(value.as_i64(), Some(n as i64));
            }
            _ => panic!("{n} is not there"),
        }
    }
}

#[test]
fn nothing_that_is_typed_on_damaged_files_ends_it() {
    const KEYS: [&str; 16] = [
        "j",
        "k",
        "l",
        "h",
        "G",
        "g",
        "n",
        "N",
        "<enter>",
        "<pgdn>",
        "<pgup>",
        "J",
        "K",
        "x",
        ":party[1].inventory[0]<enter>",
        "/a<enter>",
    ];
    let good = save("rpg4.sav");
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..150 {
        let mut bytes = good.clone();
        for _ in 0..4 {
            let at = 8 + random(bytes.len() - 8);
            bytes[at] = random(256) as u8;
        }
        bytes.truncate(4 + random(bytes.len()));
        let cli = ["gdvar", "-q", "-d", "godot4", "-f", "len32", "a"];
        let cli = Cli::try_parse_from(cli).expect("a command line");
        let mut app = App::held(&App::new(cli.global).settings());
        let input = Input::of("bad.sav", bytes);
        let plan = app.plan(&input).expect("memory").expect("a plan");
        let source = Source::new(&app, &input, &plan);
        let mut state = State::new(&source);
        for _ in 0..40 {
            press(&mut state, KEYS[random(KEYS.len())]);
            let (width, height) = (random(130) as u16 + 1, random(40) as u16 + 1);
            let shown = screen(&mut state, width, height);
            // The selection is seen wherever there is room for it.
            let selected = shown.lines().filter(|line| line.starts_with('>'));
            assert!(width < 10 || height < 4 || selected.count() == 1, "{shown}");
        }
    }
}

#[test]
fn the_page_shows_these_screens() {
    let page = include_str!("../../../../../docs/cli/explore.md");
    for screen in [
        include_str!("tests/small.txt"),
        include_str!("tests/narrow.txt"),
        include_str!("tests/search.txt"),
        include_str!("tests/edit.txt"),
        include_str!("tests/damage.txt"),
    ] {
        assert!(page.contains(&format!("```text\n{screen}```")), "{screen}");
    }
}
