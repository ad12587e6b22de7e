//! What the caller knows about a file.

use std::fmt;

use gdvar_io::{Limits, compressed::Mode};
use gdvar_view::{Detector, Dialect};

#[cfg(feature = "encrypted")]
use gdvar_io::encrypted::Key;

use crate::{Encoding, Framing};

/// The engines that may have written a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engines {
    /// Godot 4 or Godot 3: what most people have.
    #[default]
    Auto,
    /// Any engine that is known, the rare ones included.
    Any,
    /// This one.
    Given(Dialect),
}

impl Engines {
    /// The dialects to try, the likeliest first.
    #[must_use]
    pub fn candidates(self) -> Vec<Dialect> {
        match self {
            Engines::Auto => Detector::AUTO.to_vec(),
            Engines::Any => Detector::ANY.to_vec(),
            Engines::Given(dialect) => vec![dialect],
        }
    }

    /// The dialect, if the caller knows it.
    #[must_use]
    pub const fn given(self) -> Option<Dialect> {
        match self {
            Engines::Given(dialect) => Some(dialect),
            Engines::Auto | Engines::Any => None,
        }
    }
}

/// What the caller knows about a file. What is not known is found out, or [`open`](crate::open) returns an error that
/// lists what is possible.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Hints<'h> {
    /// The engines that may have written the values.
    pub engines: Engines,
    /// The bytes around the values.
    pub framing: Option<Framing>,
    /// How the bytes of the file are written as text, or [`Encoding::Raw`] for a file that is no text.
    pub encoding: Option<Encoding>,
    /// The mode of a file that is compressed as a whole and has no magic.
    pub packed: Option<Mode>,
    /// The length of the game's own header in bytes. It is in front of the values, or of the first container.
    pub skip: Option<usize>,
    /// The most bytes that a layer may unpack to; by default [`Limits::unpacking`] of its size.
    pub max_unpacked: Option<u32>,
    /// Returns `true` if compressed files may be unpacked by several threads (feature `rayon`). It is asked when there
    /// is one.
    pub parallel: Option<fn() -> bool>,
    /// Returns the key of an encrypted file. It is asked once for each encrypted layer.
    #[cfg(feature = "encrypted")]
    pub key: Option<&'h dyn Fn() -> Option<Key>>,
    /// Is told the bytes that were looked at, for long files.
    pub progress: Option<&'h dyn Fn(usize)>,
}

impl<'h> Hints<'h> {
    /// Nothing is known.
    #[must_use]
    pub fn new() -> Hints<'h> {
        Hints::default()
    }

    /// The caller knows the engine.
    #[must_use]
    pub fn with_dialect(self, dialect: Dialect) -> Hints<'h> {
        self.with_engines(Engines::Given(dialect))
    }

    /// The engines that are possible.
    #[must_use]
    pub fn with_engines(self, engines: Engines) -> Hints<'h> {
        Hints { engines, ..self }
    }

    /// The bytes around the values.
    #[must_use]
    pub fn with_framing(self, framing: Framing) -> Hints<'h> {
        let framing = Some(framing);
        Hints { framing, ..self }
    }

    /// A way to ask for the key of an encrypted file.
    #[cfg(feature = "encrypted")]
    #[must_use]
    pub fn with_key(self, key: &'h dyn Fn() -> Option<Key>) -> Hints<'h> {
        let key = Some(key);
        Hints { key, ..self }
    }

    /// The limits for unpacking a layer of `len` bytes.
    pub(crate) fn limits(&self, len: usize) -> Limits {
        self.max_unpacked
            .map_or_else(|| Limits::unpacking(len), Limits::new)
    }

    pub(crate) fn report(&self, position: usize) {
        if let Some(progress) = self.progress {
            progress(position);
        }
    }
}

/// The callbacks are shown by whether they are there.
impl fmt::Debug for Hints<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hints")
            .field("engines", &self.engines)
            .field("framing", &self.framing)
            .field("encoding", &self.encoding)
            .field("packed", &self.packed)
            .field("skip", &self.skip)
            .field("max_unpacked", &self.max_unpacked)
            .finish_non_exhaustive()
    }
}
