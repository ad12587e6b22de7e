//! The state of the explorer, and how keys change it. The state does not use the terminal and writes no file.

use gdvar_view::{Found, Kind};
use ratatui::layout::Rect;
use regex::bytes::Regex;

use crate::{
    commands::explore::{
        child::{Child, Thing},
        children::{Children, Mark},
        input_line::InputLine,
        path_search::PathSearch,
        record_source::RecordSource,
        search::{self, Direction, Progress, Search},
        text::{self, PathForm},
        tree::{Next, RowPath, Tree},
        work::Work,
    },
    show::value,
    terminal::words,
};

/// The largest number of bytes that is walked over for one key.
const STEP: usize = 4 << 20;

/// The largest number of bytes of a value that can be edited here. `gdvar edit` edits longer ones.
const EDITABLE: usize = 4096;

/// The largest number of bytes of a value that can be copied. Terminals refuse more.
const COPIED: usize = 100_000;

/// What the caller has to do after a key, because the state cannot do it.
#[derive(Debug)]
pub(crate) enum Ask {
    Nothing,
    Quit,
    /// Put a text on the clipboard.
    Copy(String),
    /// Find out what a new value would change.
    Try(NewValue),
    /// Write the new value into the file.
    Write(NewValue),
    /// Read the file again.
    Reload,
}

/// A new value for the selection.
#[derive(Clone, Debug)]
pub(crate) struct NewValue {
    /// The number of the record with the value.
    pub(crate) record: u64,
    /// The path with numbers of pairs instead of keys, which is unique even if keys are repeated.
    pub(crate) exact_path: String,
    /// The path with keys, to show it.
    pub(crate) path: String,
    /// The value in Godot's notation.
    pub(crate) text: String,
}

/// The purpose of the line that the user is typing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Search,
    Path,
    Value,
}

/// Decides what keys do.
pub(crate) enum Mode {
    Browse,
    Help,
    Typing(Purpose, InputLine),
    /// A question to the user: write this value? The lines say what would change.
    Confirm(NewValue, Vec<String>),
}

/// Work that takes too long for one key.
pub(crate) enum Task<'a> {
    Search(Box<Search<'a>>),
    Path(Box<PathSearch<'a>>),
    /// Goes to the last row. The path is the container that was reached so far.
    End(RowPath),
}

pub(crate) struct State<'a> {
    pub(crate) source: &'a RecordSource<'a>,
    pub(crate) tree: Tree<'a>,
    /// The first row on the screen.
    pub(crate) top: RowPath,
    /// The selected row.
    pub(crate) cursor: RowPath,
    pub(crate) mode: Mode,
    pub(crate) task: Option<Task<'a>>,
    /// The message of the last line, and whether it is an error.
    pub(crate) message: Option<(String, bool)>,
    pub(crate) with_hex: bool,
    /// The area of the tree on the screen.
    pub(crate) tree_area: Rect,
    /// `true` if the last screen lacks rows that are not read yet.
    pub(crate) reading: bool,
    /// `true` if the file has only one record.
    pub(crate) single: bool,
    pattern: Option<Regex>,
}

/// The part of the state that is kept when the file is read again.
#[derive(Debug)]
pub(crate) struct Kept {
    opened: Vec<RowPath>,
    top: RowPath,
    cursor: RowPath,
    with_hex: bool,
    message: Option<(String, bool)>,
    pattern: Option<Regex>,
}

impl<'a> State<'a> {
    /// Starts at the first record, which is opened if it is the only one.
    pub(crate) fn new(source: &'a RecordSource<'a>) -> State<'a> {
        let single = source.is_single();
        let mut state = State {
            source,
            tree: Tree::new(Children::of_file(source)),
            top: vec![0],
            cursor: vec![0],
            mode: Mode::Browse,
            task: None,
            message: None,
            with_hex: true,
            tree_area: Rect::new(0, 0, 0, 20),
            reading: false,
            single,
            pattern: None,
        };
        if single {
            state.tree.open(&[0]);
        }
        if source.decision.is_damaged {
            state.complain("damaged: what is before the damage is shown");
        }
        state
    }

    /// Returns the part of the state that is kept when the file is read again.
    pub(crate) fn keep(self) -> Kept {
        Kept {
            opened: self.tree.opened(),
            top: self.top,
            cursor: self.cursor,
            with_hex: self.with_hex,
            message: self.message,
            pattern: self.pattern,
        }
    }

    /// Restores the part of the state that [`State::keep`] returned.
    pub(crate) fn restore(&mut self, kept: Kept) {
        for row in &kept.opened {
            self.tree.open(row);
        }
        self.top = kept.top;
        self.cursor = kept.cursor;
        self.with_hex = kept.with_hex;
        self.message = kept.message;
        self.pattern = kept.pattern;
    }

    /// Shows a message in the last line.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), false));
    }

    /// Shows an error in the last line.
    pub(crate) fn complain(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), true));
    }

    /// Returns the selected child.
    pub(crate) fn selected(&mut self) -> Option<Child<'a>> {
        self.tree.get(&self.cursor)
    }

    /// Returns the path of the selection, for people.
    pub(crate) fn path(&mut self) -> String {
        let path = text::path(&mut self.tree, &self.cursor, PathForm::Names);
        match self.cursor.first() {
            Some(record) if !self.single => format!("#{record} {path}"),
            _ => path,
        }
    }

    /// Moves the selection by `rows` rows, up if it is negative.
    pub(crate) fn step(&mut self, rows: isize) {
        let mut work = Work(STEP);
        for _ in 0..rows.unsigned_abs() {
            let next = match rows > 0 {
                true => self.tree.next(&self.cursor, &mut work),
                false => { self.tree.previous(&self.cursor) }.map_or(Next::End, Next::Row),
            };
            match next {
                Next::Row(next) => self.cursor = next,
                Next::End => return,
                Next::Pending => return self.say("the next row is not read yet"),
            }
        }
    }

    /// Scrolls the screen, and moves the selection along, by `rows` rows.
    pub(crate) fn scroll(&mut self, rows: isize) {
        let top = std::mem::replace(&mut self.cursor, self.top.clone());
        self.step(rows);
        self.top = std::mem::replace(&mut self.cursor, top);
        self.step(rows);
    }

    /// Moves to the next or the previous child of the same container.
    pub(crate) fn sibling(&mut self, forward: bool) {
        let mut there = self.cursor.clone();
        let Some(index) = there.pop() else { return };
        let next = match forward {
            true => index.checked_add(1),
            false => index.checked_sub(1),
        };
        there.extend(next);
        if there.len() == self.cursor.len() && self.tree.get(&there).is_some() {
            self.cursor = there;
        }
    }

    /// Moves from the row "cannot be read" of a container to the damage itself. As long as the damage is inside the
    /// previous child, enters that child.
    fn enter_damage(&mut self) {
        loop {
            let mut before = self.cursor.clone();
            let Some(index) = before.pop().filter(|&index| index > 0) else {
                return;
            };
            before.push(index - 1);
            let was_open = self.tree.is_open(&before);
            if !self.tree.open(&before) {
                return;
            }
            let children = self.tree.children(&before);
            let last = children.and_then(|children| children.last(&mut Work(Work::ALL)));
            let mut inside = before.clone();
            inside.extend(last);
            match self.tree.get(&inside).map(|child| child.thing) {
                Some(Thing::Broken(_)) => self.cursor = inside,
                // The child can be read completely, so the damage begins after it.
                _ if !was_open => return self.tree.close(&before),
                _ => return,
            }
        }
    }

    fn is_damage_selected(&mut self) -> bool {
        let thing = self.selected().map(|child| child.thing);
        matches!(thing, Some(Thing::Broken(_)))
    }

    /// Opens the selection, or goes into it if it is open.
    pub(crate) fn enter(&mut self) {
        if self.is_damage_selected() {
            self.enter_damage();
        } else if self.tree.is_open(&self.cursor) {
            self.cursor.push(0);
            if self.selected().is_none() {
                self.cursor.pop();
            }
        } else if !self.tree.open(&self.cursor) {
            self.say("there is nothing in it");
        }
    }

    /// Closes the selection, or goes to its container if it is closed.
    pub(crate) fn leave(&mut self) {
        if self.tree.is_open(&self.cursor) {
            self.tree.close(&self.cursor);
        } else if self.cursor.len() > 1 {
            self.cursor.pop();
        }
    }

    /// Opens or closes the selection. A value without children is edited.
    pub(crate) fn toggle(&mut self) -> Ask {
        if self.is_damage_selected() {
            self.enter_damage();
        } else if !self.tree.toggle(&self.cursor) {
            return self.edit();
        }
        Ask::Nothing
    }

    /// Starts to edit the selection, or says why it cannot be edited here.
    pub(crate) fn edit(&mut self) -> Ask {
        let Some(child) = self.selected() else {
            return Ask::Nothing;
        };
        let is_single = |found: &Found<'_>| match found {
            Found::Value(value) => !value.has_children() && value.kind() != Kind::Object,
            Found::Part(_) => true,
        };
        let text = { child.found().filter(is_single) }
            .and_then(|found| value::notation(found).ok())
            .filter(|text| text.len() <= EDITABLE);
        match text.and_then(|text| String::from_utf8(text).ok()) {
            Some(text) => self.mode = Mode::Typing(Purpose::Value, InputLine::new(&text)),
            None => {
                let path = text::path(&mut self.tree, &self.cursor, PathForm::Names);
                self.say(format!(
                    "this is not a single value: gdvar edit FILE '{path}' opens an editor"
                ));
            }
        }
        Ask::Nothing
    }

    /// Starts an empty line for the user to type.
    pub(crate) fn prompt(&mut self, purpose: Purpose) {
        self.mode = Mode::Typing(purpose, InputLine::default());
    }

    /// Handles the line that the user has typed.
    pub(crate) fn typed(&mut self, purpose: Purpose, text: &str) -> Ask {
        self.mode = Mode::Browse;
        match purpose {
            Purpose::Search => {
                if !text.is_empty() {
                    self.pattern = search::pattern(text);
                }
                self.search(Direction::Forward);
            }
            Purpose::Path if text.trim_ascii().is_empty() => {}
            Purpose::Path => {
                let record = self.cursor.first().copied().unwrap_or(0);
                match PathSearch::new(self.source, text, record) {
                    Ok(search) => self.task = Some(Task::Path(Box::new(search))),
                    Err(why) => self.complain(why),
                }
            }
            Purpose::Value => {
                // Stays in this mode, so that the user can correct a mistake.
                self.mode = Mode::Typing(purpose, InputLine::new(text));
                return Ask::Try(NewValue {
                    record: self.cursor.first().copied().unwrap_or(0),
                    exact_path: text::path(&mut self.tree, &self.cursor, PathForm::Numbers),
                    path: text::path(&mut self.tree, &self.cursor, PathForm::Names),
                    text: text.to_owned(),
                });
            }
        }
        Ask::Nothing
    }

    /// Asks whether to write a new value. `lines` are the changes it would make.
    pub(crate) fn ask(&mut self, change: NewValue, lines: Vec<String>) {
        self.mode = Mode::Confirm(change, lines);
    }

    /// Starts to search the last pattern.
    pub(crate) fn search(&mut self, direction: Direction) {
        let Some(pattern) = self.pattern.clone() else {
            self.say("/ looks for a text in keys and values");
            return;
        };
        let search = Search::new(
            self.source,
            &mut self.tree,
            &self.cursor,
            pattern,
            direction,
        );
        self.task = Some(Task::Search(Box::new(search)));
    }

    /// Continues the task until the work is used up.
    pub(crate) fn work(&mut self, work: usize) {
        let mut work = Work(work);
        let progress = match &mut self.task {
            None => return,
            Some(Task::Search(search)) => search.go(&mut work),
            Some(Task::Path(search)) => search.go(&mut work),
            Some(Task::End(row)) => match self.tree.towards_end(row, &mut work) {
                true => Progress::Found(std::mem::take(row), Vec::new()),
                false => Progress::Pending,
            },
        };
        match progress {
            Progress::Pending => return,
            Progress::Found(row, marks) => self.arrive(row, marks),
            Progress::Missing(why) => self.complain(why),
        }
        self.task = None;
    }

    fn arrive(&mut self, row: RowPath, marks: Vec<Vec<Mark<'a>>>) {
        self.tree.reveal(&row, marks);
        if self.tree.get(&row).is_some() {
            self.cursor = row;
        }
    }

    /// Returns the progress of the task, for the last line.
    pub(crate) fn progress(&mut self) -> Option<String> {
        let (what, reached) = match self.task.as_ref()? {
            Task::Search(search) => ("looking", search.reached()),
            Task::Path(search) => ("looking", search.reached()),
            Task::End(row) => {
                let children = self.tree.children(row);
                ("reading", children.map_or(0, |children| children.reached()))
            }
        };
        let percent = reached as u64 * 100 / (self.source.input.len() as u64).max(1);
        Some(format!("{what} … {percent} %   Esc stops"))
    }

    /// Returns the text of the selection for the clipboard. `None` if the selection cannot be read, or if it is too
    /// long; in the second case an error is shown.
    pub(crate) fn value_text(&mut self) -> Option<String> {
        let child = self.selected()?;
        let bytes = child.value().and_then(|value| value.raw().ok());
        let len = bytes.map_or(0, <[u8]>::len);
        if len > COPIED {
            self.complain(format!(
                "{} are too much for the clipboard of a terminal",
                words::plural(len as u64, "byte")
            ));
            return None;
        }
        let text = value::text(child.found()?).ok()?;
        String::from_utf8(text).ok()
    }
}
