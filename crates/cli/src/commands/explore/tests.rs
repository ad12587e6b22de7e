//! The explorer, driven by keys; its screens are compared with those in `tests/`.

use std::path::Path;

use clap::Parser;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use gdvar_file::Decision;
use gdvar_io::replace::Snapshot;
use gdvar_view::{Dialect, Document, Event};
use ratatui::{buffer::Buffer, layout::Rect, style::Modifier};

use crate::{
    app::App,
    cli::Cli,
    commands::explore::{
        children::{ChildAnswer, Children},
        edits,
        record_source::RecordSource,
        state::{Ask, Mode, NewValue, State},
        tree::{Next, RowPath, Tree},
        work::Work,
    },
    input::bytes::Input,
};

fn save(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/saves");
    std::fs::read(folder.join(name)).expect("a save")
}

/// A file that an app has opened.
struct Opened {
    app: App,
    input: Input,
    decision: Decision,
}

impl Opened {
    fn new(name: &str, bytes: Vec<u8>) -> Opened {
        Opened::with(&[], name, bytes)
    }

    fn with(args: &[&str], name: &str, bytes: Vec<u8>) -> Opened {
        let args = [&["gdvar", "-q"], args, &["a"]].concat();
        let cli = Cli::try_parse_from(args).expect("a command line");
        let mut app = App::held(&App::new(cli.global).settings());
        let input = Input::of(name, bytes);
        let decision = app.decision(&input).expect("memory").expect("a decision");
        Opened {
            app,
            input,
            decision,
        }
    }

    /// Returns the state at the start. It borrows from memory that is leaked.
    fn state(self) -> State<'static> {
        let opened: &'static Opened = Box::leak(Box::new(self));
        State::new(Box::leak(Box::new(opened.source())))
    }

    fn source(&self) -> RecordSource<'_> {
        RecordSource::new(&self.app, &self.input, &self.decision)
    }
}

/// Opens the explorer on a save.
fn explore(name: &str) -> State<'static> {
    Opened::new(name, save(name)).state()
}

/// Types the keys and Enter. Returns the new value that the explorer would try.
fn try_value(state: &mut State<'_>, keys: &str) -> NewValue {
    match press(state, &format!("{keys}<enter>")) {
        Ask::Try(change) => change,
        other => panic!("{other:?}"),
    }
}

/// Types the keys, and asserts that the row with this path is selected.
fn goes_to(state: &mut State<'_>, keys: &str, path: &str) {
    press(state, keys);
    assert_eq!(state.path(), path);
}

fn complains(state: &State<'_>) -> bool {
    state
        .message
        .as_ref()
        .is_some_and(|(_, is_error)| *is_error)
}

/// Types keys. `<>` encloses the name of a key. Runs tasks to their end.
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

/// Returns the text of a screen, with a `>` in front of the selected row.
fn screen(state: &mut State<'_>, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    state.draw(&mut buffer);
    while state.reading {
        buffer.reset();
        state.draw(&mut buffer);
    }
    let mut text = String::new();
    for y in 0..height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..width {
            let symbol = buffer[(x, y)].symbol();
            // A wide character also takes the next cell.
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
    let mut state = explore("rpg4.sav");
    press(&mut state, ":party[0]<enter>ljjj");
    shows!(state, 100 x 24, "tests/small.txt");
    // All keys work on a narrow screen too.
    shows!(state, 40 x 20, "tests/narrow.txt");
    press(&mut state, "x");
    shows!(state, 40 x 12, "tests/without-bytes.txt");
    press(&mut state, "?");
    shows!(state, 40 x 26, "tests/help.txt");
}

#[test]
fn a_search_goes_through_keys_and_values_both_ways() {
    let mut state = explore("rpg4.sav");
    goes_to(&mut state, "/aldis<enter>", "party[0].name");
    goes_to(&mut state, "n", "party[0].portrait");
    shows!(state, 100 x 24, "tests/search.txt");
    // `gdvar grep Aldis` finds these rows. After the last one the search continues at the start.
    goes_to(&mut state, "n", "quests.quest_015.reward.items[0].owner");
    goes_to(&mut state, "n", "party[0].name");
    goes_to(&mut state, "N", "quests.quest_015.reward.items[0].owner");
    goes_to(&mut state, "N", "party[0].portrait");
    goes_to(&mut state, "/no such text<enter>", "party[0].portrait");
    assert!(complains(&state));
    // A text in a packed array, then a text that is not a valid regular expression.
    goes_to(
        &mut state,
        ":texts<enter>/gate is shut\\.$<enter>",
        "texts[0]",
    );
    press(&mut state, "/(shut<enter>");
    assert!(complains(&state));
}

#[test]
fn a_typed_path_is_selected() {
    let mut state = explore("rpg4.sav");
    for path in [
        "party[3].portrait",
        "quests.quest_015.reward.items[0].owner",
        "checksum[31]",
        "party[0].position",
    ] {
        goes_to(&mut state, &format!(":{path}<enter>"), path);
        // The other commands find the same value.
        let record = state.source.record(0).expect("a record");
        let document = Document::with_options(&record.bytes, state.source.options);
        let child = state.selected().expect("a row");
        if let (Some(value), Ok(Some(found))) = (child.value(), document.get(path)) {
            assert_eq!(value.offset(), found.offset());
        }
    }
    goes_to(&mut state, ":party[-1]<enter>", "party[3]");
    goes_to(&mut state, ":party[0].naem<enter>", "party[3]");
    shows!(state, 80 x 12, "tests/no-such-path.txt");
    press(&mut state, ":party[<enter>");
    assert!(complains(&state));
}

#[test]
fn a_damaged_file_is_shown_up_to_the_damage() {
    let mut bytes = save("rpg4.sav");
    bytes.truncate(60_000);
    let mut state = Opened::new("cut.sav", bytes).state();
    let first = screen(&mut state, 100, 20);
    assert!(
        first.contains("damaged: what is before the damage"),
        "{first}"
    );
    press(&mut state, "G");
    shows!(state, 100 x 20, "tests/damaged.txt");
    // Enters the damaged containers, down to the value that `gdvar check` names.
    press(&mut state, "l");
    shows!(state, 100 x 24, "tests/damage.txt");
}

#[test]
fn records_are_rows() {
    let slot = save("rpg4.sav");
    let mut bytes = slot.repeat(2);
    bytes.extend([8, 0, 0, 0, 2, 0, 0, 0, 80, 0, 0, 0]);
    let mut state = Opened::new("three.rec", bytes).state();
    press(&mut state, "J<enter>");
    shows!(state, 80 x 10, "tests/records.txt");
    goes_to(&mut state, ":#1 party[1].hp<enter>", "#1 party[1].hp");
    goes_to(&mut state, ":#2<enter>", "#2 $");
    goes_to(&mut state, ":#3<enter>", "#2 $");
}

#[test]
fn lines_of_hex_are_records() {
    let text = b"# a comment\n0200000050000000\n0100000001000000\nzz\n".to_vec();
    let opened = Opened::new("packets.txt", text);
    let source = opened.source();
    let mut state = State::new(&source);
    shows!(state, 60 x 10, "tests/lines.txt");
    let change = try_value(&mut state, "e<c-u>99");
    assert!(edits::lines(&opened.app, &source, &change).is_ok());
}

/// A file that the game has saved in the meantime is not replaced. Every backup is kept.
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
        let change = try_value(&mut state, &format!("e<c-u>{value}"));
        edits::write(&opened.app, &source, &change, &file, true).expect("it can say so")
    };
    assert_eq!(change(&opened, "1"), Ok(()));
    assert!(std::fs::read(folder.path().join("slot.sav.bak")).expect("a copy") == old);
    // The file has changed since it was read.
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
    let change = try_value(&mut state, ":party[0].hp<enter>e<c-u>Vec");
    let why = edits::lines(&opened.app, &source, &change).expect_err("no value");
    state.complain(why);
    shows!(state, 80 x 10, "tests/mistake.txt");
    let change = try_value(&mut state, "<c-u>\"dead\"");
    let lines = edits::lines(&opened.app, &source, &change).expect("a value");
    state.ask(change, lines);
    shows!(state, 80 x 16, "tests/edit.txt");
    assert!(matches!(press(&mut state, "n"), Ask::Nothing));
    let change = try_value(&mut state, "e<c-u>999");
    let lines = edits::lines(&opened.app, &source, &change).expect("a value");
    assert_eq!(
        lines.last().map(String::as_str),
        Some("the file keeps its length")
    );
    state.ask(change, lines);
    match press(&mut state, "y") {
        Ask::Write(change) => assert_eq!(change.exact_path, "{7}[0]{3}"),
        other => panic!("{other:?}"),
    }
    // A number of a packed array can be edited, a container cannot.
    let change = try_value(&mut state, ":checksum[1]<enter>e<c-u>7");
    assert!(edits::lines(&opened.app, &source, &change).is_ok());
    press(&mut state, "<esc>:party<enter>e");
    assert!(matches!(state.mode, Mode::Browse));
}

#[test]
fn the_mouse_selects_opens_and_scrolls() {
    let mut state = explore("rpg4.sav");
    let size = (80, 20);
    screen(&mut state, size.0, size.1);
    let at = |state: &mut State<'_>, kind, row| {
        let event = MouseEvent {
            kind,
            column: 4,
            row,
            modifiers: KeyModifiers::NONE,
        };
        state.mouse(event);
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

/// Returns all rows in their order, after opening everything.
fn rows(tree: &mut Tree<'_>, limit: usize) -> Vec<RowPath> {
    let mut rows = vec![vec![0]];
    loop {
        let last = &rows[rows.len() - 1];
        tree.open(last);
        match tree.next(last, &mut Work(limit)) {
            Next::Row(next) => rows.push(next),
            Next::End => return rows,
            Next::Pending => {}
        }
    }
}

#[test]
fn every_value_is_a_row_and_the_way_up_is_the_way_down() {
    let opened = Opened::new("rpg4.sav", save("rpg4.sav"));
    let source = opened.source();
    let mut tree = Tree::new(Children::of_file(&source));
    let all = rows(&mut tree, Work::ALL);
    // An independent count: all values except keys, and the elements of packed arrays.
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
    while let Some(above) = back.last().and_then(|last| tree.previous(last)) {
        back.push(above);
    }
    back.reverse();
    assert_eq!(back, all);
    // The rows are the same if little work is done at a time.
    let mut tree = Tree::new(Children::of_file(&source));
    assert_eq!(rows(&mut tree, 64), all);
}

#[test]
fn few_marks_find_any_child_again() {
    // An Array of a million ints: 8 bytes each.
    const COUNT: u64 = 1_000_000;
    let mut value = [&28_u32.to_le_bytes()[..], &(COUNT as u32).to_le_bytes()].concat();
    for n in 0..COUNT as u32 {
        value.extend([2, 0, 0, 0]);
        value.extend(n.to_le_bytes());
    }
    let bytes = [&(value.len() as u32).to_le_bytes()[..], &value].concat();
    let opened = Opened::new("many.sav", bytes);
    assert_eq!(opened.decision.dialect, Dialect::GODOT_4);
    let source = opened.source();
    let mut state = State::new(&source);
    goes_to(&mut state, "G", "[999999]");
    let children = state.tree.children(&[0]).expect("the array");
    // A mark for every 64 KiB, or every 1024 children.
    assert!(children.marks() as u64 <= COUNT / 1024 + 1);
    let mut n = 7;
    for _ in 0..1000 {
        n = (n * 7919 + 13) % COUNT;
        match children.get(n, &mut Work(Work::ALL)) {
            ChildAnswer::Child(child) => {
                let value = child.value().expect("an int");
                assert_eq!(value.as_i64(), Some(n as i64));
            }
            _ => panic!("{n} is not there"),
        }
    }
}

#[test]
fn random_keys_on_damaged_files_never_panic() {
    let keys =
        "j k l h G g n N <enter> <pgdn> <pgup> J K x :party[1].inventory[0]<enter> /a<enter>";
    let keys: Vec<&str> = keys.split(' ').collect();
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
        let opened = Opened::with(&["-d", "godot4", "-f", "len32"], "bad.sav", bytes);
        let source = opened.source();
        let mut state = State::new(&source);
        for _ in 0..40 {
            press(&mut state, keys[random(keys.len())]);
            let (width, height) = (random(130) as u16 + 1, random(40) as u16 + 1);
            let shown = screen(&mut state, width, height);
            // The selection is visible if there is room for it.
            let selected = shown.lines().filter(|line| line.starts_with('>'));
            assert!(width < 10 || height < 4 || selected.count() == 1, "{shown}");
        }
    }
}

#[test]
fn the_documentation_shows_these_screens() {
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
