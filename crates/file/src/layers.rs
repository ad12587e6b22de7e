//! What surrounds the contents of a file, taken off and put back.
//!
//! ```text
//! peel: as long as the bytes are a layer    take it off; a header of the game's own in front of it is kept with it
//! then                                      a header in front of the values is found, and is kept
//! wrap: from the inside out                 each layer is put around the changed contents again
//! ```
//!
//! One file a layer. A layer with a magic is known by it; one without is taken off only if all of it unpacks and what
//! is in it is evidence of values.

mod compressed;
#[cfg(feature = "encrypted")]
mod encrypted;
mod packed;
mod project;
mod script;
mod text;

#[cfg(feature = "encrypted")]
use gdvar_io::encrypted::Key;
use gdvar_io::{Envelope, Error, compressed::Mode, sniff};
use gdvar_view::{Dialect, Objects};

pub use project::WrapProjectError;

use crate::{
    Encoding, Framing, Hints, TextLayout,
    header::{self, Header},
};

/// The most layers that are taken off. More are no file of a game.
pub const MOST_LAYERS: usize = 8;

/// A layer that was taken off.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Layer {
    /// What it is.
    pub kind: LayerKind,
    /// The bytes of the game's own in front of the layer. They are kept when contents are put back.
    pub header: Vec<u8>,
    /// The length of the layer in bytes, as it was found, without the header.
    pub len: usize,
}

/// The kinds of layers, with what is needed to put contents back.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LayerKind {
    /// The bytes were written as text.
    Text {
        /// How.
        encoding: Encoding,
        /// The contents are lines of hex, a value each, out of lines of a log.
        is_lines: bool,
        /// The layout in which other contents are written; `None` if the text can only be read.
        layout: Option<TextLayout>,
    },
    /// A file of `open_compressed` (`docs/FORMAT.md` §7.3).
    Compressed {
        /// How blocks are compressed.
        mode: Mode,
        /// The bytes of a block.
        block_size: u32,
    },
    /// Compressed as a whole, by `PackedByteArray.compress` or a program.
    Packed {
        /// How.
        mode: Mode,
        /// The bytes of the size in front, which is kept up to date: 0, 4 or 8.
        size_len: usize,
    },
    /// A file of `open_encrypted` or `open_encrypted_with_pass` (`docs/FORMAT.md` §7.4).
    #[cfg(feature = "encrypted")]
    Encrypted {
        /// The form of Godot 4 (with an initialisation vector), or of Godot 3.
        is_godot4: bool,
        /// The key.
        key: SecretKey,
    },
    /// `project.binary`, as the Dictionary of its settings (`docs/FORMAT.md` §7.2).
    Project(project::Project),
    /// A compiled script, as the Array of its constants (`docs/FORMAT.md` §7.7).
    Script {
        /// The version of the format.
        version: u32,
        /// The dialect of the constants.
        dialect: Dialect,
        /// The number of constants.
        constants: u32,
        /// The number of names.
        names: u32,
        /// `true` if the file is compressed.
        is_compressed: bool,
    },
}

/// A key that is never printed.
#[cfg(feature = "encrypted")]
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey(pub gdvar_io::encrypted::Key);

#[cfg(feature = "encrypted")]
impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKey")
    }
}

impl Layer {
    /// A file of `open_compressed` around other contents.
    #[must_use]
    pub fn compressed(mode: Mode, block_size: u32) -> Layer {
        Layer::found(LayerKind::Compressed { mode, block_size }, Vec::new(), 0)
    }

    /// A file of `open_encrypted` around other contents, in the form of that engine.
    #[cfg(feature = "encrypted")]
    #[must_use]
    pub fn encrypted(key: Key, engine: Dialect) -> Layer {
        let kind = LayerKind::Encrypted {
            is_godot4: engine.encrypts_with_vector(),
            key: SecretKey(key),
        };
        Layer::found(kind, Vec::new(), 0)
    }

    /// The layer with the game's own bytes in front of it.
    #[must_use]
    pub fn with_header(self, header: Vec<u8>) -> Layer {
        Layer { header, ..self }
    }

    /// The layer that the same contents need for an engine: encryption has the form of that engine.
    #[must_use]
    pub fn for_engine(self, engine: Dialect) -> Layer {
        #[cfg(feature = "encrypted")]
        if let LayerKind::Encrypted { key, .. } = self.kind {
            return Layer {
                header: self.header,
                len: self.len,
                ..Layer::encrypted(key.0, engine)
            };
        }
        #[cfg(not(feature = "encrypted"))]
        let _ = engine;
        self
    }

    /// Finds out whether other contents of an engine can be put into the layer, before any are made.
    ///
    /// # Errors
    /// [`WrapError::ReadOnly`] for layers that are read and not written, and for the settings of another engine.
    pub fn is_writable(&self, engine: Dialect) -> Result<(), WrapError> {
        Err(WrapError::ReadOnly(match &self.kind {
            LayerKind::Script { .. } => "a compiled script",
            LayerKind::Compressed {
                mode: Mode::Brotli, ..
            }
            | LayerKind::Packed {
                mode: Mode::Brotli, ..
            } => "Brotli",
            LayerKind::Project(project) if project.dialect != engine => {
                "a project.binary of another engine"
            }
            LayerKind::Text {
                encoding,
                layout: None,
                ..
            } => text::read_only(*encoding),
            _ => return Ok(()),
        }))
    }

    /// A short name: `compressed:zstd`, `encrypted:godot4`, `project-settings`, `gzip`, `text:hexdump`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.kind {
            LayerKind::Text { encoding, .. } => format!("text:{}", encoding.name()),
            LayerKind::Compressed { mode, .. } => format!("compressed:{mode}"),
            LayerKind::Packed {
                mode: Mode::Deflate,
                ..
            } => "zlib".to_owned(),
            LayerKind::Packed { mode, .. } => mode.to_string(),
            #[cfg(feature = "encrypted")]
            LayerKind::Encrypted { is_godot4, .. } => match is_godot4 {
                true => "encrypted:godot4".to_owned(),
                false => "encrypted:godot3".to_owned(),
            },
            LayerKind::Project(_) => "project-settings".to_owned(),
            LayerKind::Script { version, .. } => format!("script:{version}"),
        }
    }

    /// The dialect of the contents, if the layer says it.
    #[must_use]
    pub fn dialect(&self) -> Option<Dialect> {
        match &self.kind {
            LayerKind::Script { dialect, .. } => Some(*dialect),
            _ => None,
        }
    }

    /// The framing of the contents, if the layer says it.
    #[must_use]
    pub fn framing(&self) -> Option<Framing> {
        matches!(self.kind, LayerKind::Project(_) | LayerKind::Script { .. })
            .then_some(Framing::Bare)
    }

    /// Returns `true` if the contents are lines of hex, a value each: what `--encoding hex` makes of a log.
    pub(crate) fn is_hex_lines(&self) -> bool {
        matches!(self.kind, LayerKind::Text { is_lines: true, .. })
    }

    /// The objects that the engine lets in, if that is always the same in such a file.
    #[must_use]
    pub fn objects(&self) -> Option<Objects> {
        match self.kind {
            LayerKind::Project(_) => Some(Objects::Inert),
            LayerKind::Script { .. } => Some(Objects::Ids),
            _ => None,
        }
    }

    /// Puts other contents into the layer, with its header in front. `iv` is for the encryption of Godot 4: 16 bytes
    /// that no two files share; without it they come from the system.
    ///
    /// # Errors
    /// [`WrapError`] if the layer cannot be written, or the contents are nothing that it can hold.
    pub fn wrap(&self, contents: &[u8], iv: Option<[u8; 16]>) -> Result<Vec<u8>, WrapError> {
        let mut file = match &self.kind {
            &LayerKind::Text {
                encoding, layout, ..
            } => text::wrap(encoding, layout, contents)?,
            &LayerKind::Compressed { mode, block_size } => {
                compressed::wrap(mode, block_size, contents)?
            }
            &LayerKind::Packed { mode, size_len } => packed::wrap(mode, size_len, contents)?,
            #[cfg(feature = "encrypted")]
            LayerKind::Encrypted { is_godot4, key } => {
                encrypted::wrap(*is_godot4, &key.0, contents, iv)?
            }
            LayerKind::Project(project) => project.wrap(contents)?,
            LayerKind::Script { .. } => return Err(WrapError::ReadOnly("a compiled script")),
        };
        #[cfg(not(feature = "encrypted"))]
        let _ = iv;
        if !self.header.is_empty() {
            let header = header::with_size(&self.header, self.len, file.len());
            file.splice(..0, header);
        }
        Ok(file)
    }

    /// A layer as if it was found after `header`, the game's own bytes, with a length of `len` bytes.
    #[must_use]
    pub fn found(kind: LayerKind, header: Vec<u8>, len: usize) -> Layer {
        Layer { kind, header, len }
    }
}

/// Why contents cannot be put back into a layer.
#[derive(Debug)]
#[non_exhaustive]
pub enum WrapError {
    /// Layers of this sort can be read and not written.
    ReadOnly(&'static str),
    /// The compression or encryption failed.
    Bytes(Error),
    /// The contents are no settings of a `project.binary`.
    Project(WrapProjectError),
    /// The system gives no random bytes.
    NoRandom,
}

impl From<Error> for WrapError {
    fn from(error: Error) -> WrapError {
        WrapError::Bytes(error)
    }
}

impl std::fmt::Display for WrapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WrapError::ReadOnly(what) => write!(f, "{what} can be read but not written"),
            WrapError::Bytes(error) => error.fmt(f),
            WrapError::Project(error) => error.fmt(f),
            WrapError::NoRandom => {
                f.write_str("the system gives no random bytes for the encryption")
            }
        }
    }
}

impl std::error::Error for WrapError {}

/// What is left of a file when its layers are taken off.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Peeled {
    /// The layers that were taken off, the outermost first.
    pub layers: Vec<Layer>,
    /// The contents of the innermost layer; `None` if there is no layer, and the contents are the file itself.
    pub unpacked: Option<Vec<u8>>,
    /// The length of the game's own header in front of the values. It is part of the contents.
    pub header_len: usize,
    /// The framing of the values after a header that was found; `None` if there is none, or if the caller gave it.
    pub framing_after_header: Option<Framing>,
    /// A header that the contents may have: their first byte could start one value as well.
    pub doubt: Option<Header>,
}

impl Peeled {
    /// The contents with the header; `file` is what was [peeled](peel).
    #[must_use]
    pub fn contents<'a>(&'a self, file: &'a [u8]) -> &'a [u8] {
        self.unpacked.as_deref().unwrap_or(file)
    }

    /// Puts other contents, the header included, back into all layers.
    ///
    /// # Errors
    /// [`WrapError`] of the first layer that cannot be put back.
    pub fn wrap(&self, contents: Vec<u8>, iv: Option<[u8; 16]>) -> Result<Vec<u8>, WrapError> {
        let mut inside_out = self.layers.iter().rev();
        inside_out.try_fold(contents, |contents, layer| layer.wrap(&contents, iv))
    }
}

/// Why a layer cannot be taken off.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PeelError {
    /// It is encrypted, and there is no key.
    Locked,
    /// The layer is damaged, or larger than the limits allow.
    Bytes(Error),
    /// A constant of a compiled script cannot be read: its number, and why. The engine does not load the script.
    Constant(usize, gdvar_view::Error),
    /// The text is not in the encoding: the line, counted from 1.
    NotEncoded(Encoding, usize),
    /// There are more than [`MOST_LAYERS`] layers.
    TooDeep,
    /// The bytes to skip are more than there are.
    SkipTooLong {
        /// The bytes to skip.
        skip: usize,
        /// The bytes that there are.
        len: usize,
    },
}

impl From<Error> for PeelError {
    fn from(error: Error) -> PeelError {
        PeelError::Bytes(error)
    }
}

/// A layer that was found, and its contents.
type Found = (LayerKind, Vec<u8>);

/// Takes all layers off a file, and finds the header in front of its values.
///
/// # Errors
/// [`PeelError`] if a layer cannot be taken off.
pub fn peel(file: &[u8], hints: &Hints<'_>) -> Result<Peeled, PeelError> {
    let mut peeled = Peeled::default();
    let mut skip = hints.skip;
    // Whoever names the framing or the header says that nothing is to be searched.
    let searches = hints.framing.is_none() && hints.skip.is_none();
    loop {
        let mut framing = None;
        let bytes = peeled.contents(file);
        let is_file = peeled.layers.is_empty();
        let is_list = peeled
            .layers
            .last()
            .is_some_and(|layer| layer.framing().is_some());
        if is_list {
            return Ok(peeled);
        }
        let mut found = match is_file {
            true => text::peel(bytes, hints)?,
            false => None,
        };
        if found.is_none() && is_file {
            if let Some(mode) = hints.packed {
                found = Some(packed::peel_given(bytes, mode, hints)?);
            }
        }
        if found.is_none() {
            found = container(bytes, hints)?;
        }
        let mut len = 0;
        if found.is_none() {
            len = match skip.take() {
                Some(skip) if skip > bytes.len() => {
                    let len = bytes.len();
                    return Err(PeelError::SkipTooLong { skip, len });
                }
                Some(skip) => skip,
                None if searches => match header::find(bytes, &hints.engines.candidates()) {
                    Some(header) if header.is_doubtful => {
                        peeled.doubt = Some(header);
                        return Ok(peeled);
                    }
                    Some(header) => {
                        framing = header.framing;
                        header.len
                    }
                    None => 0,
                },
                None => 0,
            };
            if len > 0 {
                found = container(&bytes[len..], hints)?;
            } else if searches {
                found = packed::peel_sized(bytes, hints);
            }
        }
        let Some((kind, contents)) = found else {
            (peeled.header_len, peeled.framing_after_header) = (len, framing);
            return Ok(peeled);
        };
        if peeled.layers.len() == MOST_LAYERS {
            return Err(PeelError::TooDeep);
        }
        let header = bytes[..len].to_vec();
        let len = bytes.len() - len;
        peeled.layers.push(Layer { kind, header, len });
        peeled.unpacked = Some(contents);
    }
}

/// The container that starts at the first byte, unpacked; `None` if there is none.
fn container(bytes: &[u8], hints: &Hints<'_>) -> Result<Option<Found>, PeelError> {
    Ok(Some(match sniff(bytes) {
        Envelope::Compressed { .. } => compressed::peel(bytes, hints)?,
        #[cfg(feature = "encrypted")]
        form @ (Envelope::Encrypted3 | Envelope::Encrypted4) => {
            encrypted::peel(bytes, form == Envelope::Encrypted4, hints)?
        }
        #[cfg(not(feature = "encrypted"))]
        Envelope::Encrypted3 | Envelope::Encrypted4 => return Err(PeelError::Locked),
        Envelope::Project => project::peel(bytes, hints)?,
        Envelope::Script => script::peel(bytes, hints)?,
        _ => return packed::peel(bytes, hints),
    }))
}

/// Returns `true` if a container of the engines starts at the first byte, or gzip, Zstandard or zlib data that unpacks
/// whole: other files have such data in them.
pub(crate) fn starts_container(bytes: &[u8]) -> bool {
    let is_file = matches!(
        sniff(bytes),
        Envelope::Compressed { .. } | Envelope::Encrypted3 | Envelope::Encrypted4
    );
    is_file || packed::is_whole(bytes)
}

/// The text that a file is, and no layer in it; `None` if it is none. [`Layer::wrap`] writes other contents so.
///
/// # Errors
/// [`PeelError::NotEncoded`] if the text is not in the encoding of the hints.
pub fn peel_text(file: &[u8], hints: &Hints<'_>) -> Result<Option<LayerKind>, PeelError> {
    Ok(text::peel(file, hints)?.map(|(kind, _)| kind))
}
