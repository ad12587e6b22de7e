//! A file, opened: its layers, the engine that wrote it, and the place of each value.

use std::fmt;

use gdvar_view::{Document, Objects, ReadOptions};

use crate::{
    Hints,
    detect::{Certainty, Decision, Undecided, detect},
    header,
    layers::{PeelError, Peeled, WrapError, peel},
    records::{Record, Records, records_after},
};

/// A file whose layers are off, and whose engine is known.
#[derive(Clone, Debug)]
pub struct Opened<'a> {
    file: &'a [u8],
    peeled: Peeled,
    decision: Decision,
}

/// Why a file was not opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotOpened {
    /// A layer cannot be taken off.
    Layer(PeelError),
    /// It is not clear how the contents are read. What was found of the layers comes with it.
    Undecided(Box<Undecided>, Peeled),
}

/// Opens a file: takes off its layers, finds the header of the game's own, and decides which engine wrote its values.
/// A layer is unpacked once, the contents are read about once for each engine that is possible.
///
/// # Errors
/// [`NotOpened`], if a layer is damaged or locked, and where two readings are equally good.
///
/// ```
/// use gdvar_file::{Certainty, Hints, open};
///
/// // A header of four bytes, and store_var({"hp": 80}) of Godot 4.
/// let file = b"\x02\0\0\0\x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let opened = open(file, &Hints::new()).expect("a save");
/// assert_eq!(opened.header(), b"\x02\0\0\0");
/// assert_eq!(opened.decision().dialect.name(), "godot4");
/// assert_eq!(opened.records().count(), 1);
/// ```
pub fn open<'a>(file: &'a [u8], hints: &Hints<'_>) -> Result<Opened<'a>, NotOpened> {
    let peeled = peel(file, hints).map_err(NotOpened::Layer)?;
    match decide(file, &peeled, hints) {
        Ok(decision) => Ok(Opened {
            file,
            peeled,
            decision,
        }),
        Err(undecided) => Err(NotOpened::Undecided(undecided, peeled)),
    }
}

/// Decides how the contents of a peeled file are read, with what its layers say of them.
///
/// # Errors
/// [`Undecided`] with all readings that are left.
pub fn decide(file: &[u8], peeled: &Peeled, hints: &Hints<'_>) -> Result<Decision, Box<Undecided>> {
    if let Some(found) = peeled.doubt {
        return Err(Box::new(Undecided::Header(found)));
    }
    let contents = &peeled.contents(file)[peeled.header_len..];
    detect(contents, &peeled.hints(hints))
}

impl Peeled {
    /// What the caller knows of the contents, or else the innermost layer.
    #[must_use]
    pub fn hints<'h>(&self, hints: &Hints<'h>) -> Hints<'h> {
        let mut own = *hints;
        if let Some(layer) = self.layers.last() {
            own.framing = own.framing.or(layer.framing());
            if let (None, Some(dialect)) = (own.engines.given(), layer.dialect()) {
                own.engines = crate::Engines::Given(dialect);
            }
            if layer.is_hex_lines() {
                own.framing = own.framing.or(Some(crate::Framing::Hex));
            }
        }
        own
    }

    /// Puts changed contents, the header included, back into all layers. `old_len` is the length of the contents
    /// before the change: a size in the header is mended by it.
    ///
    /// # Errors
    /// [`WrapError`] if a layer cannot be written.
    pub fn replace(
        &self,
        old_len: usize,
        mut contents: Vec<u8>,
        iv: Option<[u8; 16]>,
    ) -> Result<Vec<u8>, WrapError> {
        let len = self.header_len;
        if len > 0 && contents.len() >= len && old_len >= len {
            let (old, new) = (old_len - len, contents.len() - len);
            let header = header::with_size(&contents[..len], old, new);
            contents[..len].copy_from_slice(&header);
        }
        self.wrap(contents, iv)
    }
}

impl<'a> Opened<'a> {
    /// The layers that were taken off, and the header.
    #[must_use]
    pub fn peeled(&self) -> &Peeled {
        &self.peeled
    }

    /// How the contents are read.
    #[must_use]
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The contents without layers, the header included.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        self.peeled.contents(self.file)
    }

    /// The file that was opened.
    #[must_use]
    pub fn file(&self) -> &'a [u8] {
        self.file
    }

    /// The game's own bytes in front of the values.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        &self.contents()[..self.peeled.header_len]
    }

    /// The values, one after the other. Offsets count in [`Opened::contents`]. Linear.
    #[must_use]
    pub fn records(&self) -> Records<'_> {
        let start = self.peeled.header_len;
        records_after(&self.contents()[start..], self.decision.framing, start)
    }

    /// How to read the values: as the engine does, and with whole objects as inert data.
    #[must_use]
    pub fn options(&self) -> ReadOptions {
        let layer = self.peeled.layers.last();
        let objects = layer.and_then(|layer| layer.objects());
        ReadOptions::new(self.decision.dialect).with_objects(objects.unwrap_or(Objects::Inert))
    }

    /// Reads a record to its end. Returns the number of bytes of its value.
    ///
    /// # Errors
    /// The damage in it, with the offset in the record. A record that cannot be cut out has an error of its own:
    /// [`Record::problem`].
    pub fn check(&self, record: &Record<'_>) -> Result<usize, gdvar_view::Error> {
        Document::with_options(&record.bytes, self.options()).validate()
    }

    /// Puts changed contents, the header included, back into all layers. A size in the header is mended.
    ///
    /// # Errors
    /// [`WrapError`] if a layer cannot be written.
    pub fn replace(&self, contents: Vec<u8>, iv: Option<[u8; 16]>) -> Result<Vec<u8>, WrapError> {
        self.peeled.replace(self.contents().len(), contents, iv)
    }

    /// The layers and the decision, for a caller that keeps the file itself.
    #[must_use]
    pub fn into_parts(self) -> (Peeled, Decision) {
        (self.peeled, self.decision)
    }

    /// `true` if the engine was found without a doubt, or given.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        matches!(
            self.decision.certainty,
            Certainty::Given | Certainty::Certain | Certainty::Same
        )
    }
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotOpened::Layer(error) => error.fmt(f),
            NotOpened::Undecided(undecided, _) => undecided.fmt(f),
        }
    }
}

impl std::error::Error for NotOpened {}
