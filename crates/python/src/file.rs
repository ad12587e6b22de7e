//! The layers around values in files: records, compression, encryption.

use gdvar_io::{
    Envelope, Limits,
    compressed::{Compressed, compress},
    encrypted::{self, Form, Key},
    project::Project,
    records::Mistake,
    sniff,
};
use gdvar_view::{Document, Error, ErrorKind, PrefixOrder, ReadOptions, frames};
use pyo3::prelude::*;

use crate::error;

/// The contents of a file, as they were found.
pub(crate) struct Contents {
    /// From the outside in: `compressed`, `encrypted`.
    pub(crate) layers: Vec<&'static str>,
    /// `value`, `records`, `project`, `script`.
    pub(crate) form: &'static str,
    /// The contents without their layers, if there were any.
    pub(crate) bytes: Option<Vec<u8>>,
    /// The ranges of the values in the contents.
    pub(crate) values: Vec<(usize, usize)>,
    /// The lengths in front of records are big-endian.
    pub(crate) is_big_endian: bool,
    /// The names of the values, for `project`.
    pub(crate) names: Vec<String>,
    /// The damage behind the last value.
    pub(crate) damage: Option<(&'static str, String)>,
}

/// Why a file could not be opened.
pub(crate) enum Stop {
    Bytes(gdvar_io::Error),
    NoPassword,
}

impl Stop {
    pub(crate) fn message(&self) -> String {
        match self {
            Stop::Bytes(error) => error.to_string(),
            Stop::NoPassword => {
                "the file is encrypted: a password or a key of 32 bytes is needed".to_owned()
            }
        }
    }

    pub(crate) fn into_py(self, py: Python<'_>) -> PyErr {
        match self {
            Stop::Bytes(failed) => error::envelope(py, failed),
            Stop::NoPassword => error::decode_message(py, "NoPassword", self.message()),
        }
    }
}

impl From<gdvar_io::Error> for Stop {
    fn from(error: gdvar_io::Error) -> Stop {
        Stop::Bytes(error)
    }
}

/// A password or a key.
pub(crate) fn key(
    password: Option<&str>,
    key: Option<&[u8]>,
) -> Result<Option<Key>, gdvar_io::Error> {
    match (password, key) {
        (Some(password), _) => Ok(Some(Key::from_password(password))),
        (None, Some(key)) => match <[u8; 32]>::try_from(key) {
            Ok(key) => Ok(Some(Key::from_bytes(key))),
            Err(_) => Key::from_file(key).map(Some),
        },
        (None, None) => Ok(None),
    }
}

/// More layers than that are no file of a game.
const LAYERS: usize = 4;

/// The most bytes that a layer of that file may have in it: what was asked for, or in proportion to the file, which
/// counts for the inner layers, too.
pub(crate) fn limits(file: &[u8], max_unpacked: Option<u32>) -> Limits {
    max_unpacked.map_or(Limits::unpacking(file.len()), Limits::new)
}

/// Takes the layers off, and finds the values.
pub(crate) fn open(
    file: &[u8],
    key: Option<&Key>,
    options: ReadOptions,
    framing: Framing,
    limits: Limits,
) -> Result<Contents, Stop> {
    let mut own: Option<Vec<u8>> = None;
    let mut layers = Vec::new();
    for _ in 0..LAYERS {
        let bytes = own.as_deref().unwrap_or(file);
        match sniff(bytes) {
            Envelope::Compressed { .. } => {
                own = Some(Compressed::open(bytes, limits)?.to_vec()?);
                layers.push("compressed");
            }
            Envelope::Encrypted3 | Envelope::Encrypted4 => {
                let key = key.ok_or(Stop::NoPassword)?;
                own = Some(encrypted::decrypt(bytes, key, limits)?);
                layers.push("encrypted");
            }
            _ => break,
        }
    }
    let bytes = own.as_deref().unwrap_or(file);
    let mut contents = Contents {
        layers,
        form: "value",
        bytes: None,
        values: Vec::new(),
        is_big_endian: false,
        names: Vec::new(),
        damage: None,
    };
    if sniff(bytes) == Envelope::Project {
        contents.form = "project";
        let mut project = Project::open(bytes)?;
        while let Some(entry) = project.try_next()? {
            contents
                .values
                .push((entry.offset, entry.offset + entry.bytes.len()));
            contents.names.push(entry.key.to_owned());
        }
    } else {
        match order(bytes, options, framing) {
            None => contents.values.push((0, bytes.len())),
            Some(order) => {
                contents.form = "records";
                contents.is_big_endian = order == PrefixOrder::Big;
                let mut all = frames(bytes, order);
                loop {
                    match all.try_next() {
                        Ok(Some(frame)) => {
                            let end = frame.offset + frame.bytes.len();
                            contents.values.push((frame.offset, end));
                        }
                        Ok(None) => break,
                        Err(error) => {
                            contents.damage = Some((error.kind().name(), error.to_string()));
                            break;
                        }
                    }
                }
            }
        }
    }
    contents.bytes = own;
    Ok(contents)
}

/// The form that stands around the values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Auto,
    Value,
    Records(PrefixOrder),
}

impl Framing {
    pub(crate) fn parse(py: Python<'_>, name: &str) -> PyResult<Framing> {
        Ok(match name {
            "auto" => Framing::Auto,
            "value" => Framing::Value,
            "records" => Framing::Records(PrefixOrder::Little),
            "records-be" => Framing::Records(PrefixOrder::Big),
            other => {
                let message = format!(
                    "framing is \"auto\", \"value\", \"records\" or \"records-be\", not {other:?}"
                );
                return Err(error::other(py, "BadOption", message));
            }
        })
    }
}

/// The order of the bytes of the lengths, if these are records. A value that ends with the bytes is one value;
/// records are those whose first is a value, or whose lengths add up, or whose only one is cut.
fn order(bytes: &[u8], options: ReadOptions, framing: Framing) -> Option<PrefixOrder> {
    match framing {
        Framing::Value => return None,
        Framing::Records(order) => return Some(order),
        Framing::Auto => {}
    }
    let options = options.with_mode(gdvar_view::Mode::Engine);
    let bare = Document::with_options(bytes, options).validate();
    if bare == Ok(bytes.len()) {
        return None;
    }
    let mut cut = None;
    // The first record decides, where it is a value to its last byte.
    for order in [PrefixOrder::Little, PrefixOrder::Big] {
        let Ok(Some(first)) = frames(bytes, order).try_next() else {
            continue;
        };
        let record = Document::with_options(first.bytes, options).validate();
        if !first.is_cut() && record == Ok(first.bytes.len()) {
            return Some(order);
        }
        if first.is_cut() && ends_early(record) && reach(record) > reach(bare) {
            cut = cut.or(Some(order));
        }
    }
    match Mistake::of_value(bytes) {
        Some(Mistake::Framed { order, .. }) => Some(order),
        _ => cut,
    }
}

/// True where nothing is wrong with a value but that bytes are missing at its end.
fn ends_early(read: Result<usize, Error>) -> bool {
    read.is_err_and(|error| matches!(error.kind(), ErrorKind::Truncated { .. }))
}

/// The bytes up to which a value could be read.
fn reach(read: Result<usize, Error>) -> usize {
    read.unwrap_or_else(|error| error.offset())
}

/// Other contents in the layers of that file, as many of them as [`open`] took off. `iv` is for Godot 4's encryption: 16
/// bytes that no two files share.
pub(crate) fn repack(
    file: &[u8],
    contents: &[u8],
    layers: usize,
    key: Option<&Key>,
    iv: [u8; 16],
    limits: Limits,
) -> Result<Vec<u8>, Stop> {
    let Some(inner) = layers.checked_sub(1) else {
        return Ok(contents.to_vec());
    };
    let envelope = sniff(file);
    Ok(match envelope {
        Envelope::Compressed { .. } => {
            let old = Compressed::open(file, limits)?;
            let inner = repack(&old.to_vec()?, contents, inner, key, iv, limits)?;
            compress(&inner, old.mode(), old.block_size())?
        }
        Envelope::Encrypted3 | Envelope::Encrypted4 => {
            let own = key.ok_or(Stop::NoPassword)?;
            let old = encrypted::decrypt(file, own, limits)?;
            let form = match envelope {
                Envelope::Encrypted3 => Form::Godot3,
                _ => Form::Godot4 { iv },
            };
            encrypted::encrypt(&repack(&old, contents, inner, key, iv, limits)?, own, form)
        }
        _ => contents.to_vec(),
    })
}
