//! The state of the explorer, and the effect of keys on it. It knows no terminal and writes no file.

use gdvar_view::Kind;
use regex::bytes::Regex;

use crate::{
    commands::explore::{
        children::{Children, Mark, Work},
        goto::Goto,
        line::Line,
        nodes::{Next, Node, Trail},
        search::{self, Direction, Search, Step},
        source::Source,
        text::{self, Form},
        walk::{Child, Thing},
    },
    show::{notation, value},
    terminal::words,
};

/// How much is walked over at most for one key.
const STEP: usize = 4 << 20;

/// A value of more characters than this is for an editor.
const EDITABLE: usize = 4096;

/// Work that is to be done outside.
#[derive(Debug)]
pub(crate) enum Ask {
    /// Nothing.
    Nothing,
    /// The end.
    Quit,
    /// Put a text on the clipboard.
    Copy(String),
    /// Find out what a new value would change.
    Try(Change),
    /// Write it.
    Write(Change),
    /// Read the file again.
    Reload,
}

/// A new value.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// Which record.
    pub(crate) record: u64,
    /// The path, without doubt.
    pub(crate) place: String,
    /// The path, for people.
    pub(crate) path: String,
    /// The value in Godot's notation.
    pub(crate) text: String,
}

/// The purpose of a line that is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Search,
    Path,
    Value,
}

/// The purpose of keys.
pub(crate) enum Mode {
    Browse,
    Help,
    Typing(Purpose, Line),
    /// The changes that would be made, and the question whether to write them.
    Confirm(Change, Vec<String>),
}

/// Work that takes longer than a moment.
pub(crate) enum Task<'a> {
    Search(Box<Search<'a>>),
    Goto(Box<Goto<'a>>),
    /// To the last row; the way so far.
    End(Trail),
}

/// The tree, the selection, and what goes on.
pub(crate) struct State<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) root: Node<'a>,
    /// The first row on the screen.
    pub(crate) top: Trail,
    /// The selection.
    pub(crate) cursor: Trail,
    pub(crate) mode: Mode,
    pub(crate) task: Option<Task<'a>>,
    /// A message, and whether it is bad news.
    pub(crate) message: Option<(String, bool)>,
    pub(crate) with_hex: bool,
    /// Rows that fit on the screen.
    pub(crate) height: usize,
    /// `true` if a row below those on the screen is still to be read.
    pub(crate) reading: bool,
    /// `true` if the file has only one record.
    pub(crate) single: bool,
    pattern: Option<Regex>,
}

/// The part of the state that outlives a new reading of the file.
#[derive(Debug)]
pub(crate) struct Kept {
    opened: Vec<Trail>,
    top: Trail,
    cursor: Trail,
    with_hex: bool,
    message: Option<(String, bool)>,
    pattern: Option<Regex>,
}

impl<'a> State<'a> {
    /// With the first record open.
    pub(crate) fn new(source: &'a Source<'a>) -> State<'a> {
        let single = source.is_single();
        let mut state = State {
            source,
            root: Node::new(Children::of_file(source)),
            top: vec![0],
            cursor: vec![0],
            mode: Mode::Browse,
            task: None,
            message: None,
            with_hex: true,
            height: 20,
            reading: false,
            single,
            pattern: None,
        };
        if single {
            state.root.open(&[0]);
        }
        if source.plan.damaged {
            state.complain("damaged: what stands in front of the damage is shown");
        }
        state
    }

    /// The part that is to be seen again after the file was read anew.
    pub(crate) fn keep(self) -> Kept {
        Kept {
            opened: self.root.opened(),
            top: self.top,
            cursor: self.cursor,
            with_hex: self.with_hex,
            message: self.message,
            pattern: self.pattern,
        }
    }

    /// Opens what was open.
    pub(crate) fn restore(&mut self, kept: Kept) {
        let mut opened = kept.opened;
        opened.sort_by_key(Vec::len);
        for trail in opened {
            self.root.open(&trail);
        }
        let there = |root: &mut Node<'_>, trail: Trail| match root.get(&trail) {
            Some(_) => trail,
            None => vec![0],
        };
        self.top = there(&mut self.root, kept.top);
        self.cursor = there(&mut self.root, kept.cursor);
        self.with_hex = kept.with_hex;
        self.message = kept.message;
        self.pattern = kept.pattern;
    }

    /// Says something in the last line.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), false));
    }

    /// Says what went wrong.
    pub(crate) fn complain(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), true));
    }

    /// The value that is selected.
    pub(crate) fn selected(&mut self) -> Option<Child<'a>> {
        let cursor = self.cursor.clone();
        self.root.get(&cursor)
    }

    /// The path of the selection, for people.
    pub(crate) fn path(&mut self) -> String {
        let path = text::path(&mut self.root, &self.cursor, Form::Names);
        match self.cursor.first() {
            Some(record) if !self.single => format!("#{record} {path}"),
            _ => path,
        }
    }

    /// Moves by so many rows.
    pub(crate) fn step(&mut self, rows: isize) {
        let mut work = Work(STEP);
        for _ in 0..rows.unsigned_abs() {
            let next = match rows > 0 {
                true => self.root.next(&self.cursor, &mut work),
                false => { self.root.previous(&self.cursor) }.map_or(Next::End, Next::Row),
            };
            match next {
                Next::Row(next) => self.cursor = next,
                Next::End => return,
                Next::Pending => return self.say("the next row is not read yet"),
            }
        }
    }

    /// Moves the screen and the selection by so many rows.
    pub(crate) fn scroll(&mut self, rows: isize) {
        let top = std::mem::replace(&mut self.cursor, self.top.clone());
        self.step(rows);
        self.top = std::mem::replace(&mut self.cursor, top);
        self.step(rows);
    }

    /// Moves to the next or the last child of the same container.
    pub(crate) fn sibling(&mut self, forward: bool) {
        let mut there = self.cursor.clone();
        let Some(index) = there.pop() else { return };
        let next = match forward {
            true => index.checked_add(1),
            false => index.checked_sub(1),
        };
        there.extend(next);
        if there.len() == self.cursor.len() && self.root.get(&there).is_some() {
            self.cursor = there;
        }
    }

    /// From where a container cannot be read on, into what is in front of it, down to the damage itself.
    fn enter_damage(&mut self) {
        loop {
            let mut before = self.cursor.clone();
            let Some(index) = before.pop().filter(|&index| index > 0) else {
                return;
            };
            before.push(index - 1);
            let was_open = self.root.is_open(&before);
            if !self.root.open(&before) {
                return;
            }
            let node = self.root.at(&before);
            let last = node.and_then(|node| node.children.last(&mut Work(Work::ALL)));
            let mut inside = before.clone();
            inside.extend(last);
            match self.root.get(&inside).map(|child| child.thing) {
                Some(Thing::Broken(_)) => self.cursor = inside,
                // The values in front of the damage are whole.
                _ if !was_open => return self.root.close(&before),
                _ => return,
            }
        }
    }

    /// Opens the selection, or goes into it.
    pub(crate) fn enter(&mut self) {
        let cursor = self.cursor.clone();
        if let Some(Thing::Broken(_)) = self.selected().map(|child| child.thing) {
            self.enter_damage();
        } else if self.root.is_open(&cursor) {
            let mut first = cursor;
            first.push(0);
            if self.root.get(&first).is_some() {
                self.cursor = first;
            }
        } else if !self.root.open(&cursor) {
            self.say("there is nothing in it");
        }
    }

    /// Closes the selection, or goes to what it is in.
    pub(crate) fn leave(&mut self) {
        let cursor = self.cursor.clone();
        if self.root.is_open(&cursor) {
            self.root.close(&cursor);
        } else if cursor.len() > 1 {
            self.cursor.pop();
        }
    }

    /// Opens or closes; a value without children is edited.
    pub(crate) fn toggle(&mut self) -> Ask {
        let cursor = self.cursor.clone();
        if let Some(Thing::Broken(_)) = self.selected().map(|child| child.thing) {
            self.enter_damage();
        } else if self.root.is_open(&cursor) {
            self.root.close(&cursor);
        } else if !self.root.open(&cursor) {
            return self.edit();
        }
        Ask::Nothing
    }

    /// Begins to edit the selection.
    pub(crate) fn edit(&mut self) -> Ask {
        let Some(child) = self.selected() else {
            return Ask::Nothing;
        };
        let text = match child.thing {
            Thing::Value(value) if value.has_children() => None,
            Thing::Value(value) if value.kind() == Kind::Object => None,
            Thing::Value(value) => notation::exact(value).ok(),
            Thing::Part(part, _) => value::notation(gdvar_view::Found::Part(part)).ok(),
            Thing::Broken(_) => None,
        };
        let text = text.filter(|text| text.len() <= EDITABLE);
        match text.and_then(|text| String::from_utf8(text).ok()) {
            Some(text) => self.mode = Mode::Typing(Purpose::Value, Line::new(&text)),
            None => {
                let path = text::path(&mut self.root, &self.cursor, Form::Names);
                self.say(format!(
                    "this is no single value: gdvar edit FILE '{path}' opens an editor"
                ));
            }
        }
        Ask::Nothing
    }

    /// Begins to type.
    pub(crate) fn prompt(&mut self, purpose: Purpose) {
        self.mode = Mode::Typing(purpose, Line::default());
    }

    /// Does what a line was typed for.
    pub(crate) fn typed(&mut self, purpose: Purpose, text: &str) -> Ask {
        self.mode = Mode::Browse;
        match purpose {
            Purpose::Search => {
                if !text.is_empty() {
                    self.pattern = search::pattern(text);
                }
                self.search(Direction::Forward);
            }
            Purpose::Path if text.trim().is_empty() => {}
            Purpose::Path => {
                let record = self.cursor.first().copied().unwrap_or(0);
                match Goto::new(self.source, text, record) {
                    Ok(goto) => self.task = Some(Task::Goto(Box::new(goto))),
                    Err(why) => self.complain(why),
                }
            }
            Purpose::Value => {
                // With a mistake it goes on.
                self.mode = Mode::Typing(purpose, Line::new(text));
                return Ask::Try(self.change(text));
            }
        }
        Ask::Nothing
    }

    fn change(&mut self, text: &str) -> Change {
        Change {
            record: self.cursor.first().copied().unwrap_or(0),
            place: text::path(&mut self.root, &self.cursor, Form::Numbers),
            path: text::path(&mut self.root, &self.cursor, Form::Names),
            text: text.to_owned(),
        }
    }

    /// Asks whether that is to be written.
    pub(crate) fn ask(&mut self, change: Change, lines: Vec<String>) {
        self.mode = Mode::Confirm(change, lines);
    }

    /// Looks for the pattern once more.
    pub(crate) fn search(&mut self, direction: Direction) {
        let Some(pattern) = self.pattern.clone() else {
            self.say("/ looks for a text in keys and values");
            return;
        };
        let search = Search::new(
            self.source,
            &mut self.root,
            &self.cursor,
            pattern,
            direction,
        );
        self.task = Some(Task::Search(Box::new(search)));
    }

    /// Goes to the last row.
    pub(crate) fn end(&mut self) {
        self.task = Some(Task::End(Vec::new()));
    }

    /// Goes on with what takes longer.
    pub(crate) fn work(&mut self, work: usize) {
        let mut work = Work(work);
        let step = match &mut self.task {
            None => return,
            Some(Task::Search(search)) => search.step(&mut work),
            Some(Task::Goto(goto)) => goto.step(&mut work),
            Some(Task::End(trail)) => match self.root.towards_end(trail, &mut work) {
                true => Step::Found(std::mem::take(trail), Vec::new()),
                false => Step::Pending,
            },
        };
        match step {
            Step::Pending => return,
            Step::Found(trail, marks) => self.arrive(&trail, marks),
            Step::Missing(why) => self.complain(why),
        }
        self.task = None;
    }

    fn arrive(&mut self, trail: &[u64], marks: Vec<Vec<Mark<'a>>>) {
        self.root.reveal(trail, marks);
        if self.root.get(trail).is_some() {
            self.cursor = trail.to_vec();
        }
    }

    /// How far the work is, for the last line.
    pub(crate) fn progress(&mut self) -> Option<String> {
        let (what, reached) = match self.task.as_ref()? {
            Task::Search(search) => ("looking", search.reached()),
            Task::Goto(goto) => ("looking", goto.reached()),
            Task::End(trail) => {
                let trail = trail.clone();
                let node = self.root.at(&trail);
                ("reading", node.map_or(0, |node| node.children.reached()))
            }
        };
        let percent = reached as u64 * 100 / (self.source.input.len() as u64).max(1);
        Some(format!("{what} … {percent} %   Esc stops"))
    }

    /// The text of the selection for the clipboard.
    pub(crate) fn value_text(&mut self) -> Option<String> {
        let child = self.selected()?;
        let found = match child.thing {
            Thing::Value(value) => gdvar_view::Found::Value(value),
            Thing::Part(part, _) => gdvar_view::Found::Part(part),
            Thing::Broken(_) => return None,
        };
        // A terminal takes no more than that.
        const MOST: usize = 100_000;
        let span = child.value().and_then(|value| value.raw().ok());
        if span.is_some_and(|bytes| bytes.len() > MOST) {
            self.complain(format!(
                "{} are too much for the clipboard of a terminal",
                words::plural(span.map_or(0, <[u8]>::len) as u64, "byte")
            ));
            return None;
        }
        let text = value::text(found).ok()?;
        String::from_utf8(text).ok()
    }
}
