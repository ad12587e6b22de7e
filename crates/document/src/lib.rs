//! Reads Godot's text documents as values, and changes them.
//!
//! A [`TextDocument`] is read with a tokenizer that follows the engine's, and not by lines. Each section, name
//! and value has its position in the text. A document does three things:
//!
//! * [`TextDocument::encode`] returns the contents as the bytes of one value, which everything else in gdvar
//!   reads;
//! * [`TextDocument::replace`] puts changed contents back. Comments, order, blank lines, spacing and every
//!   value that did not change keep their bytes;
//! * [`TextDocument::for_engine`] returns the text for the other engine, Godot 3 or 4. Everything that
//!   does not have to change keeps its bytes.
//!
//! [`NewResource::text`] writes a new text for a resource or scene.
//!
//! ```
//! use gdvar_document::TextDocument;
//! use gdvar_view::{Dialect, Document};
//!
//! let text = "; by hand\n[video]\n\nmode   = 1 ; window\n";
//! let settings = TextDocument::config_file(text, None)?;
//! let mut bytes = settings.encode()?;
//! let document = Document::new(&bytes, settings.dialect());
//! let mode = document.get("video.mode")?.expect("a setting");
//! assert_eq!(mode.as_i64(), Some(1));
//!
//! // The payload of an int is after its type.
//! let at = mode.offset() + 4;
//! bytes[at] = 2;
//! assert_eq!(settings.replace(&bytes)?, "; by hand\n[video]\n\nmode   = 2 ; window\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Untrusted input is safe: nothing is loaded or run, nothing panics, and time is linear in the length of the
//! text.
//!
//! # For whom, and what it costs
//!
//! This crate is for editors and tools that change settings, resources or scenes, which people also
//! edit by hand. Memory use is proportional to the length of the text. The crate has no features.

mod added;
mod collapse;
mod config;
mod contents;
mod convert;
mod dialect;
mod error;
mod expand;
mod lines;
mod links;
mod loading;
mod name;
mod new_resource;
mod new_section;
mod node_names;
mod pairs;
mod parts;
mod references;
mod replace;
mod replace_resource;
mod scanner;
mod section;
mod signs;
mod splices;
mod tags;
mod text_document;
mod value_text;

pub use convert::{ConvertTextError, ConvertedText, TextChange, TextChangeKind};
pub use dialect::Evidence;
pub use error::{DocumentError, DocumentErrorKind};
pub use new_resource::{NewContents, NewEntry, NewExternal, NewInternal, NewResource, NewTag};
pub use node_names::node_entry;
pub use replace::ReplaceError;
pub use section::{Entry, Section};
pub use text_document::{Form, TextDocument, comments};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
