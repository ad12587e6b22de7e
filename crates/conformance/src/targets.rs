//! The bodies of the fuzz targets. Each takes any bytes, and panics if the project does not behave
//! as the target's module describes.
//!
//! `fuzz/fuzz_targets` calls them from a fuzzer, and `tests/corpora.rs` with the stored inputs. The first
//! [`PREFIX`] bytes of an input are the options for reading the rest, so that the fuzzer varies them as
//! well.

pub mod agree;
pub mod base64;
pub mod capture;
pub mod compressed;
pub mod debugger;
pub mod diff;
pub mod document;
pub mod edit;
pub mod encrypted;
pub mod enet;
pub mod engine;
pub mod fast;
pub mod filter;
pub mod json;
pub mod keys;
pub mod multiplayer;
pub mod package;
pub mod packet3;
pub mod packet4;
mod packets;
pub mod parse;
pub mod path;
pub mod project;
pub mod records;
pub mod recover;
pub mod resource;
pub mod rewrite;
pub mod roundtrip;
pub mod seeds;
pub mod serde;
pub mod stream;
pub mod structured;
pub mod text;
pub mod transcode;
pub mod typed;
pub mod walk;

use gdvar::{Dialect, Objects};

use crate::reference::Rules;

/// A function that runs an input.
pub type Run = fn(&[u8]);

/// Every target. Its name is also the name of its file, its binary and its corpus.
pub const TARGETS: [(&str, Run); 34] = [
    ("walk", walk::run),
    ("agree", agree::run),
    ("fast", fast::run),
    ("typed", typed::run),
    ("keys", keys::run),
    ("roundtrip", roundtrip::run),
    ("structured", structured::run),
    ("edit", edit::run),
    ("diff", diff::run),
    ("recover", recover::run),
    ("transcode", transcode::run),
    ("path", path::run),
    ("text", text::run),
    ("parse", parse::run),
    ("json", json::run),
    ("engine", engine::run),
    ("records", records::run),
    ("compressed", compressed::run),
    ("encrypted", encrypted::run),
    ("project", project::run),
    ("base64", base64::run),
    ("resource", resource::run),
    ("package", package::run),
    ("document", document::run),
    ("serde", serde::run),
    ("packet4", packet4::run),
    ("packet3", packet3::run),
    ("enet", enet::run),
    ("stream", stream::run),
    ("debugger", debugger::run),
    ("multiplayer", multiplayer::run),
    ("capture", capture::run),
    ("filter", filter::run),
    ("rewrite", rewrite::run),
];

/// The length of the options before the bytes to read. A multiple of four, so that the bytes are aligned
/// as in real buffers.
pub const PREFIX: usize = 4;

/// The depth limit of inputs whose last flag bit asks for a low limit. Other inputs have the engines'
/// limit, 1024.
const SHALLOW: u16 = 4;

/// The parts of an input.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The rules of reading.
    pub rules: Rules,
    /// A number that each target uses for its own choices, such as a length, an offset or a seed.
    pub choice: u16,
    /// The bytes to read.
    pub bytes: &'a [u8],
}

impl<'a> Input<'a> {
    /// Splits an input into its parts. Returns `None` if it is too short.
    #[must_use]
    pub fn split(data: &'a [u8]) -> Option<Input<'a>> {
        let ([dialect, flags, low, high], bytes) = data.split_first_chunk::<PREFIX>()?;
        let has = |bit: u8| flags >> bit & 1 != 0;
        let rules = Rules {
            dialect: Dialect::ALL[usize::from(*dialect) % Dialect::ALL.len()],
            strict: has(0),
            objects: [Objects::Ids, Objects::Inert, Objects::Deny, Objects::Inert]
                [usize::from(flags >> 1 & 3)],
            early_godot_3: has(3),
            ints_always_64: has(4),
            zero_node_path_padding: has(5),
            unflagged_vector4_is_f64: has(6),
            max_depth: if has(7) { SHALLOW } else { 1024 },
        };
        Some(Input {
            rules,
            choice: u16::from_le_bytes([*low, *high]),
            bytes,
        })
    }

    /// Returns the input in the form that [`Input::split`] reads.
    ///
    /// # Panics
    /// Never, because every dialect has a number.
    #[must_use]
    pub fn join(&self) -> Vec<u8> {
        let rules = &self.rules;
        let dialect = Dialect::ALL
            .iter()
            .position(|known| *known == rules.dialect);
        let objects = match rules.objects {
            Objects::Ids => 0,
            Objects::Inert => 1,
            Objects::Deny => 2,
        };
        let flags = [
            rules.strict,
            false,
            false,
            rules.early_godot_3,
            rules.ints_always_64,
            rules.zero_node_path_padding,
            rules.unflagged_vector4_is_f64,
            rules.max_depth <= SHALLOW,
        ];
        let flags = (0..8).fold(objects << 1, |all, bit| all | u8::from(flags[bit]) << bit);
        let mut data = vec![dialect.expect("a dialect") as u8, flags];
        data.extend(self.choice.to_le_bytes());
        data.extend(self.bytes);
        data
    }
}
