//! The layers around the contents of a file: how they are removed and put back.
//!
//! ```text
//! peel: while the bytes are a layer   remove it, and remember the game's own header before it
//!       then                         find and remember a header before the values
//! wrap: from the inside out          put each layer around the changed contents again
//! ```
//!
//! Each submodule but `peeled` is one layer. A layer with a magic is recognized by it. Text, zlib, FastLZ, documents
//! and JSON have no magic. Their submodules decide by the contents; zlib, for example, must unpack completely with the
//! right checksum.

mod compressed;
mod damaged;
mod document;
#[cfg(feature = "encrypted")]
mod encrypted;
mod found;
mod json;
mod packed;
mod peeled;
mod project;
#[cfg(feature = "resources")]
mod resource;
mod script;
mod text;

use gdvar_document::{DocumentError, ReplaceError};
#[cfg(feature = "encrypted")]
use gdvar_io::encrypted::Key;
use gdvar_io::{Envelope, Error, compressed::Mode, sniff};
use gdvar_view::{Dialect, Objects};

use self::found::{Found, FoundLayer};
pub use document::{ConvertTextError, ConvertedText, Form, TextChange, TextChangeKind, TextFile};
pub use json::JsonFile;
pub use peeled::Peeled;
pub use project::{Project, WrapProjectError};
#[cfg(feature = "resources")]
pub use resource::Resource;

use crate::{Certainty, Encoding, Framing, Hints, TextLayout, header, trailer::find_trailer_len};

/// The maximum number of layers. No game nests more.
pub const MOST_LAYERS: usize = 8;

/// A layer that was removed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Layer {
    /// The kind of the layer, with everything that is needed to put contents back.
    pub kind: LayerKind,
    /// The game's own bytes before the layer. They are kept when contents are put back.
    pub header: Vec<u8>,
    /// The original length of the layer in bytes, without the header, but with the trailer.
    pub len: usize,
    /// The original length of the contents in bytes; 0 if it is not known. The header may contain this
    /// length.
    pub contents_len: usize,
    /// The game's own bytes after a compressed or encrypted file, such as a checksum. No engine reads them.
    /// They are kept when contents are put back.
    pub trailer: Vec<u8>,
    /// What is wrong with the layer; `None` if it is whole. Only [`Hints::damaged`] admits damaged layers.
    pub damage: Option<Box<PeelError>>,
}

/// The kinds of layers, with everything that is needed to put contents back.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LayerKind {
    /// The bytes were written as text.
    Text {
        /// The way in which bytes are written as text.
        encoding: Encoding,
        /// `true` if the contents are lines of hex, one value each, extracted from the lines of a log.
        is_lines: bool,
        /// The layout in which changed contents are written; `None` if the text can only be read.
        layout: Option<TextLayout>,
    },
    /// A file of `open_compressed` ([`docs/FORMAT.md` §7.3]).
    ///
    /// [`docs/FORMAT.md` §7.3]:
    /// https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#73-compressed-file-gcpf
    Compressed {
        /// The compression of the blocks.
        mode: Mode,
        /// The size of a block in bytes.
        block_size: u32,
    },
    /// Compressed as a whole, by `PackedByteArray.compress` or by a tool such as gzip or zstd.
    Packed {
        /// The compression of the whole contents.
        mode: Mode,
        /// The width in bytes of the size before the compressed data: 0 (there is no size), 4 or 8. The size is updated
        /// when contents are put back.
        size_len: usize,
    },
    /// A file of `open_encrypted` or `open_encrypted_with_pass` ([`docs/FORMAT.md` §7.4]).
    ///
    /// [`docs/FORMAT.md` §7.4]:
    /// https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#74-encrypted-file-gdec
    #[cfg(feature = "encrypted")]
    Encrypted {
        /// `true` for Godot 4's form, with an initialisation vector; `false` for Godot 3's.
        is_godot4: bool,
        /// The key that opened the file. Changed contents are encrypted with it again.
        key: SecretKey,
    },
    /// `project.binary`, as the Dictionary of its settings ([`docs/FORMAT.md` §7.2]).
    ///
    /// [`docs/FORMAT.md` §7.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#72-projectbinary
    Project(project::Project),
    /// The text of a ConfigFile, resource, scene or value, as the value that it expresses
    /// ([`TextDocument::encode`](gdvar_document::TextDocument::encode)).
    Document(TextFile),
    /// The engine's JSON of one value, `JSON.from_native`. It can only be read.
    Json(JsonFile),
    /// A compiled script, as the Array of its constants ([`docs/FORMAT.md` §7.7]).
    ///
    /// [`docs/FORMAT.md` §7.7]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#77-compiled-gdscript
    Script {
        /// The version of the format: 13, 100 or 101.
        version: u32,
        /// The dialect of the constants.
        dialect: Dialect,
        /// The number of constants.
        constants: u32,
        /// The number of names in the script.
        names: u32,
        /// `true` if the file is compressed.
        is_compressed: bool,
    },
    /// A binary resource or scene, as an Object ([`docs/RESOURCES.md`]).
    ///
    /// [`docs/RESOURCES.md`]: https://github.com/gdvar/gdvar/blob/main/docs/RESOURCES.md
    #[cfg(feature = "resources")]
    Resource(Box<Resource>),
}

/// The name of native JSON in the error that it can only be read.
const NATIVE_JSON: &str = "JSON of JSON.from_native";

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
    /// Returns the layer of `open_compressed`, for new contents.
    #[must_use]
    pub fn compressed(mode: Mode, block_size: u32) -> Layer {
        Layer::found(LayerKind::Compressed { mode, block_size }, Vec::new(), 0)
    }

    /// Returns the layer of `open_encrypted` in the form of `engine`, for new contents.
    #[cfg(feature = "encrypted")]
    #[must_use]
    pub fn encrypted(key: Key, engine: Dialect) -> Layer {
        let kind = LayerKind::Encrypted {
            is_godot4: engine.encrypts_with_vector(),
            key: SecretKey(key),
        };
        Layer::found(kind, Vec::new(), 0)
    }

    /// Sets the game's own bytes before the layer.
    #[must_use]
    pub fn with_header(self, header: Vec<u8>) -> Layer {
        Layer { header, ..self }
    }

    /// Returns the layer for contents of `engine`. An encrypted layer takes the form of that engine, and loses its
    /// trailer. All other layers stay the same.
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

    /// Checks whether contents of `engine` can be put into the layer. Callers can ask this before they make the
    /// contents.
    ///
    /// # Errors
    /// Returns [`WrapError::ReadOnly`] for layers that can only be read, and for settings, resources and text documents
    /// of another engine.
    pub fn is_writable(&self, engine: Dialect) -> Result<(), WrapError> {
        Err(WrapError::ReadOnly(match &self.kind {
            LayerKind::Script { .. } => "a compiled script",
            LayerKind::Json(_) => NATIVE_JSON,
            #[cfg(feature = "resources")]
            LayerKind::Resource(resource) if resource.dialect != engine => {
                "a resource of another engine"
            }
            LayerKind::Compressed {
                mode: Mode::Brotli, ..
            }
            | LayerKind::Packed {
                mode: Mode::Brotli, ..
            } => "Brotli",
            LayerKind::Project(project) if project.dialect != engine => {
                "a project.binary of another engine"
            }
            LayerKind::Document(file) if file.dialect != engine => "a text of another engine",
            LayerKind::Text {
                encoding,
                layout: None,
                ..
            } => text::read_only(*encoding),
            _ => return Ok(()),
        }))
    }

    /// Returns a short name, such as `compressed:zstd`, `encrypted:godot4`, `project-settings`,
    /// `gzip`, `text:hexdump` or `resource:6` (the number is the format version).
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
            LayerKind::Document(file) => file.form.name().to_owned(),
            LayerKind::Json(_) => "json:native".to_owned(),
            LayerKind::Script { version, .. } => format!("script:{version}"),
            #[cfg(feature = "resources")]
            LayerKind::Resource(resource) => format!("resource:{}", resource.header.format),
        }
    }

    /// Returns the dialect of the contents, if the layer determines it.
    #[must_use]
    pub fn dialect(&self) -> Option<Dialect> {
        match &self.kind {
            LayerKind::Script { dialect, .. } => Some(*dialect),
            LayerKind::Document(file) => Some(file.dialect),
            LayerKind::Json(file) => Some(file.dialect),
            #[cfg(feature = "resources")]
            LayerKind::Resource(resource) => Some(resource.dialect),
            _ => None,
        }
    }

    /// Returns how certain the dialect of the contents is, if the layer had to find it out.
    #[must_use]
    pub fn certainty(&self) -> Option<Certainty> {
        match &self.kind {
            LayerKind::Project(project) => Some(project.certainty),
            LayerKind::Document(file) => Some(file.certainty),
            _ => None,
        }
    }

    /// Returns the framing of the contents, if the layer determines it.
    #[must_use]
    pub fn framing(&self) -> Option<Framing> {
        match &self.kind {
            LayerKind::Project(_)
            | LayerKind::Document(_)
            | LayerKind::Json(_)
            | LayerKind::Script { .. } => Some(Framing::Bare),
            #[cfg(feature = "resources")]
            LayerKind::Resource(_) => Some(Framing::Bare),
            // `--encoding hex` makes lines of a log, one value each.
            LayerKind::Text { is_lines: true, .. } => Some(Framing::Hex),
            _ => None,
        }
    }

    /// Returns which objects the engine admits in files with this layer. `None` if the layer does not determine this.
    #[must_use]
    pub fn objects(&self) -> Option<Objects> {
        match self.kind {
            LayerKind::Project(_) | LayerKind::Document(_) | LayerKind::Json(_) => {
                Some(Objects::Inert)
            }
            LayerKind::Script { .. } => Some(Objects::Ids),
            #[cfg(feature = "resources")]
            LayerKind::Resource(_) => Some(Objects::Inert),
            _ => None,
        }
    }

    /// Puts contents into the layer, after its header. `iv` is for the encryption of Godot 4: 16 bytes that no two
    /// files share. If `iv` is `None`, the system supplies these bytes.
    ///
    /// # Errors
    /// Returns [`WrapError`] if the layer cannot be written, or cannot hold these contents.
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
            LayerKind::Document(file) => file.wrap(contents)?,
            LayerKind::Json(_) => return Err(WrapError::ReadOnly(NATIVE_JSON)),
            LayerKind::Script { .. } => return Err(WrapError::ReadOnly("a compiled script")),
            #[cfg(feature = "resources")]
            LayerKind::Resource(resource) => resource.wrap(contents)?,
        };
        #[cfg(not(feature = "encrypted"))]
        let _ = iv;
        file.extend_from_slice(&self.trailer);
        if !self.header.is_empty() {
            let header = header::resized(&self.header, self.len, file.len(), self.trailer.len());
            // Games write the length of the contents into the header, because `decompress()` needs it.
            file.splice(
                ..0,
                header::with_size(&header, self.contents_len, contents.len()),
            );
        }
        Ok(file)
    }

    /// Creates a layer of a file. `header` holds the game's own bytes before the layer, and `len` is the original
    /// length of the layer in bytes, including its trailer.
    #[must_use]
    pub fn found(kind: LayerKind, header: Vec<u8>, len: usize) -> Layer {
        Layer {
            kind,
            header,
            len,
            contents_len: 0,
            trailer: Vec::new(),
            damage: None,
        }
    }

    /// Sets the original length of the contents.
    #[must_use]
    pub fn with_contents_len(self, contents_len: usize) -> Layer {
        Layer {
            contents_len,
            ..self
        }
    }

    /// Sets the game's own bytes after the layer.
    #[must_use]
    pub fn with_trailer(self, trailer: Vec<u8>) -> Layer {
        Layer { trailer, ..self }
    }
}

/// The reason why contents cannot be put back into a layer.
#[derive(Debug)]
#[non_exhaustive]
pub enum WrapError {
    /// This kind of layer can only be read.
    ReadOnly(&'static str),
    /// The compression or encryption failed.
    Bytes(Error),
    /// The contents are not settings of a `project.binary`.
    Project(WrapProjectError),
    /// The contents do not fit into the binary resource.
    #[cfg(feature = "resources")]
    Resource(gdvar_resource::Error),
    /// The contents do not fit into the text document.
    Document(ReplaceError),
    /// The system supplied no random bytes.
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
            WrapError::Document(error) => error.fmt(f),
            #[cfg(feature = "resources")]
            WrapError::Resource(error) => error.fmt(f),
            WrapError::NoRandom => {
                f.write_str("the system gives no random bytes for the encryption")
            }
        }
    }
}

impl std::error::Error for WrapError {}

/// The reason why a layer cannot be removed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PeelError {
    /// The layer is encrypted, and there is no key.
    Locked,
    /// The layer is damaged, or larger than the limits allow.
    Bytes(Error),
    /// A constant of a compiled script cannot be read: its index, and why. The engine would not load the
    /// script.
    Constant(usize, gdvar_view::Error),
    /// A binary resource is damaged. The engine may crash on it.
    #[cfg(feature = "resources")]
    Resource(gdvar_resource::Error),
    /// A text document of this form has an error. The text before the error shows the form.
    Document(Form, Box<DocumentError>),
    /// The text is not in this encoding. The number is the first line that does not fit, from 1.
    NotEncoded(Encoding, usize),
    /// There are more than [`MOST_LAYERS`] layers.
    TooDeep,
    /// The hints skip more bytes than there are.
    SkipTooLong {
        /// The number of bytes to skip.
        skip: usize,
        /// The number of bytes that exist.
        len: usize,
    },
}

impl From<Error> for PeelError {
    fn from(error: Error) -> PeelError {
        PeelError::Bytes(error)
    }
}

/// Removes all layers of a file, and finds the header before its values. With [`Hints::damaged`], damaged layers are
/// removed too: [`Layer::damage`] and [`Peeled::lost`] say what is wrong.
///
/// # Errors
/// Returns [`PeelError`] if a layer cannot be removed.
pub fn peel(file: &[u8], hints: &Hints<'_>) -> Result<Peeled, PeelError> {
    let mut peeled = Peeled::default();
    let mut skip = hints.skip;
    // If the caller gives the framing or the header, do not search for them. The framing is the one of the values in the
    // innermost layer: other layers are searched for all the same, and headers before them.
    let searches = hints.framing.is_none() && hints.skip.is_none();
    loop {
        let mut framing = None;
        let contents = peeled.contents(file);
        // What follows a gap belongs to no other layer.
        let known = peeled
            .lost
            .first()
            .map_or(contents.len(), |lost| lost.start);
        let bytes = &contents[..known];
        let is_file = peeled.layers.is_empty();
        let framing_inside = peeled.layers.last().and_then(Layer::framing);
        if framing_inside == Some(Framing::Bare) {
            return Ok(peeled);
        }
        let mut found = Found::None;
        if is_file {
            found = Found::or_damaged(text::peel(bytes, hints), hints, |_| {
                Ok(damaged::text(bytes, hints))
            })?;
        }
        if let (true, true, Some(mode)) = (found.is_none(), is_file, hints.packed) {
            found = Found::Whole(packed::peel_given(bytes, mode, hints)?);
        }
        if found.is_none() {
            found = container(bytes, hints)?;
        }
        if found.is_none() && searches && hints.encoding.is_none() {
            let document = document::peel(bytes, hints);
            found = Found::or_damaged(document, hints, |_| Ok(None))?;
            if found.is_none() {
                found = json::peel(bytes, hints).into();
            }
        }
        let mut len = 0;
        if found.is_none() {
            len = match skip.take() {
                Some(skip) if skip > bytes.len() => {
                    let len = bytes.len();
                    return Err(PeelError::SkipTooLong { skip, len });
                }
                Some(skip) => skip,
                None => match header::find(bytes, &hints.engines.candidates()) {
                    Some(found) if !searches && (found.framing.is_some() || found.is_doubtful) => 0,
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
            };
            if len > 0 {
                found = container(&bytes[len..], hints)?;
            } else if hints.skip.is_none() {
                found = packed::peel_sized(bytes, hints).into();
            }
        }
        let (kind, contents, lost, damage) = match found {
            Found::None => {
                // After a gap there is no trailer to find.
                let trailer_len = match peeled.lost.is_empty() {
                    true => {
                        let dialects = hints.engines.candidates();
                        find_trailer_len(&bytes[len..], hints.framing, &dialects)
                    }
                    false => 0,
                };
                (peeled.header_len, peeled.framing_after_header) = (len, framing);
                peeled.trailer_len = trailer_len;
                return Ok(peeled);
            }
            Found::Whole((kind, contents)) => (kind, contents, Vec::new(), None),
            Found::Damaged(left) => (left.kind, left.contents, left.lost, Some(left.damage)),
        };
        if peeled.layers.len() == MOST_LAYERS {
            return Err(PeelError::TooDeep);
        }
        let (header, rest) = bytes.split_at(len);
        let trailer = match kind {
            LayerKind::Compressed { .. } => compressed::trailer(rest, hints),
            #[cfg(feature = "encrypted")]
            LayerKind::Encrypted { .. } => encrypted::trailer(rest, hints),
            _ => &[],
        };
        let trailer = trailer.to_vec();
        let mut layer = Layer::found(kind, header.to_vec(), rest.len())
            .with_contents_len(contents.len())
            .with_trailer(trailer);
        layer.damage = damage.map(Box::new);
        peeled.layers.push(layer);
        peeled.unpacked = Some(contents);
        peeled.lost = lost;
    }
}

/// Unpacks the container that starts at the first byte, even a damaged one if the hints admit it.
fn container(bytes: &[u8], hints: &Hints<'_>) -> Result<Found, PeelError> {
    Found::or_damaged(whole_container(bytes, hints), hints, |error| match error {
        Some(error) => damaged::container(bytes, error, hints),
        None => Ok(None),
    })
}

/// Unpacks the container that starts at the first byte; `None` if there is none.
fn whole_container(bytes: &[u8], hints: &Hints<'_>) -> Result<Option<FoundLayer>, PeelError> {
    #[cfg(feature = "resources")]
    if gdvar_resource::is_resource(bytes) {
        return resource::peel(bytes, hints).map(Some);
    }
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
        Envelope::Other => return packed::peel(bytes, hints),
    }))
}

/// Returns the text layer of a file, without removing other layers; `None` if the file is not text.
/// [`Layer::wrap`] writes other contents in the same layout.
///
/// # Errors
/// Returns [`PeelError::NotEncoded`] if the text is not in the encoding of the hints.
pub fn peel_text(file: &[u8], hints: &Hints<'_>) -> Result<Option<LayerKind>, PeelError> {
    Ok(text::peel(file, hints)?.map(|(kind, _)| kind))
}
