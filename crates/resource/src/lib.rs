#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
mod byte_writer;
mod create;
mod encode;
mod error;
mod header;
mod null_scripts;
mod package;
mod parts;
mod payload;
mod plan;
mod reader;
mod resource;
mod rewrite;
mod tag;
mod uid;

pub use gdvar_io::{Limits, compressed::Mode};
pub use gdvar_wire::{Dialect, Kind};

pub use body::{Body, Event, Numbers, Texts, Value};
pub use create::Created;
pub use error::{Error, ErrorKind};
pub use header::Header;
pub use package::{Entry, Package, is_package};
pub use parts::{ExternalPart, Part, Parts, Property, Typed};
pub use resource::{External, Internal, Resource, is_resource};
pub use uid::{uid_cache, uid_of, uid_text};
