//! What the documents state.

mod dependencies;
mod documents;
mod format;
mod format_words;
mod formats;
mod links;
