//! The contents of the screen, as data: the state has no say in how it is drawn.

use crate::commands::explore::hex::HexLine;

/// How something is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    Plain,
    Text,
    Dim,
    Error,
    Good,
}

/// A row of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// How deep it is.
    pub(crate) depth: usize,
    /// `+` can be opened, `-` is open.
    pub(crate) sign: char,
    /// Its name.
    pub(crate) label: String,
    /// Its type and value.
    pub(crate) text: String,
    /// How that is meant.
    pub(crate) tone: Tone,
    /// `true` if it is selected.
    pub(crate) selected: bool,
}

/// The last line.
#[derive(Clone, Debug)]
pub(crate) enum Bottom {
    /// A message, or which keys there are.
    Message(Tone, String),
    /// A line that is being typed: what it is for, its text and where the cursor is in it.
    Prompt(String, String, usize),
}

/// A box in front of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) title: String,
    pub(crate) lines: Vec<(Tone, String)>,
}

/// All of it.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The file.
    pub(crate) title: String,
    /// How far in it the selection is.
    pub(crate) percent: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) hex: Vec<HexLine>,
    /// The path of the selection, and what it is.
    pub(crate) path: String,
    pub(crate) detail: String,
    /// The mistake in the text that is being typed, in the place of both.
    pub(crate) mistake: Option<String>,
    pub(crate) bottom: Bottom,
    pub(crate) overlay: Option<Overlay>,
}
