//! What the documents state is true.

mod dependencies;
mod documents;
mod format;
mod format_words;
mod formats;
mod links;
