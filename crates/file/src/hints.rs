//! [`Hints`]: what the caller knows about a file, such as its engine or its key.

use std::fmt;

use gdvar_io::{Limits, compressed::Mode};
use gdvar_view::{Detector, Dialect};

#[cfg(feature = "encrypted")]
use gdvar_io::encrypted::Key;

use crate::{Encoding, Framing};

/// The engines that may have written a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engines {
    /// Godot 4 or Godot 3, which most people have.
    #[default]
    Auto,
    /// Any known engine, including the rare ones.
    Any,
    /// The dialect is known; nothing is detected.
    Given(Dialect),
}

impl Engines {
    /// Returns the dialects to try, the most likely first.
    #[must_use]
    pub fn candidates(self) -> Vec<Dialect> {
        match self {
            Engines::Auto => Detector::AUTO.to_vec(),
            Engines::Any => Detector::ANY.to_vec(),
            Engines::Given(dialect) => vec![dialect],
        }
    }

    /// Returns the dialect, if the caller knows it.
    #[must_use]
    pub const fn given(self) -> Option<Dialect> {
        match self {
            Engines::Given(dialect) => Some(dialect),
            Engines::Auto | Engines::Any => None,
        }
    }
}

/// What the caller knows about a file. Everything else is determined from the file; if several answers are
/// possible, [`open`](crate::open) returns an error that lists them.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Hints<'h> {
    /// The engines that may have written the values.
    pub engines: Engines,
    /// What surrounds each value: a length, a line, or nothing.
    pub framing: Option<Framing>,
    /// How the file's bytes are written as text, or [`Encoding::Raw`] if the file is not text.
    pub encoding: Option<Encoding>,
    /// The compression of a file that is compressed as a whole and has no magic.
    pub packed: Option<Mode>,
    /// The length of the game's own header in bytes. After the header come the values, or a container such as a
    /// compressed file.
    pub skip: Option<usize>,
    /// The maximum size of an unpacked layer; the default is [`Limits::unpacking`] of the layer's size.
    pub max_unpacked: Option<u32>,
    /// `true` if a damaged layer is removed too, so that [`peel`](crate::peel) returns what is left of the contents.
    pub damaged: bool,
    /// Returns `true` if compressed files may be unpacked on several threads (feature `rayon`). This
    /// callback is called for each compressed file.
    pub parallel: Option<fn() -> bool>,
    /// Returns the key of an encrypted file. This callback is called once for each encrypted layer.
    #[cfg(feature = "encrypted")]
    pub key: Option<&'h dyn Fn() -> Option<Key>>,
    /// Receives the number of bytes examined so far, for long files.
    pub progress: Option<&'h dyn Fn(usize)>,
}

impl<'h> Hints<'h> {
    /// Creates hints that contain nothing.
    #[must_use]
    pub fn new() -> Hints<'h> {
        Hints::default()
    }

    /// Sets the engine.
    #[must_use]
    pub fn with_dialect(self, dialect: Dialect) -> Hints<'h> {
        self.with_engines(Engines::Given(dialect))
    }

    /// Sets the engines that are possible.
    #[must_use]
    pub fn with_engines(self, engines: Engines) -> Hints<'h> {
        Hints { engines, ..self }
    }

    /// Sets the framing of the values.
    #[must_use]
    pub fn with_framing(self, framing: Framing) -> Hints<'h> {
        let framing = Some(framing);
        Hints { framing, ..self }
    }

    /// Sets the callback that returns the key of an encrypted file.
    #[cfg(feature = "encrypted")]
    #[must_use]
    pub fn with_key(self, key: &'h dyn Fn() -> Option<Key>) -> Hints<'h> {
        let key = Some(key);
        Hints { key, ..self }
    }

    /// Returns the limits for unpacking a layer of `len` bytes.
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

/// Omits the callbacks.
impl fmt::Debug for Hints<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hints")
            .field("engines", &self.engines)
            .field("framing", &self.framing)
            .field("encoding", &self.encoding)
            .field("packed", &self.packed)
            .field("skip", &self.skip)
            .field("max_unpacked", &self.max_unpacked)
            .field("damaged", &self.damaged)
            .finish_non_exhaustive()
    }
}
