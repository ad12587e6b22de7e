//! The explorer: a tree whose nodes are read when they are seen, and the bytes beside it.

pub(crate) mod children;
pub(crate) mod edits;
pub(crate) mod goto;
pub(crate) mod hex;
pub(crate) mod keys;
pub(crate) mod layout;
pub(crate) mod line;
pub(crate) mod nodes;
pub(crate) mod passing;
pub(crate) mod screen;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod source;
pub(crate) mod state;
pub(crate) mod terminal;
pub(crate) mod text;
pub(crate) mod view;
pub(crate) mod walk;

#[cfg(test)]
mod tests;
