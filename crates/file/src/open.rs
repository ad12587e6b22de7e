//! An opened file: its layers, the engine that wrote it, and where each value is.

use std::fmt;

use gdvar_view::{Detector, Document, Objects, ReadOptions};

use crate::{
    Hints,
    detect::{Certainty, Decision, Undecided, detect},
    layers::{Layer, PeelError, Peeled, WrapError, peel},
    records::{Record, Records, records_after},
};

/// A file without its layers, whose engine is known.
#[derive(Clone, Debug)]
pub struct Opened<'a> {
    file: &'a [u8],
    peeled: Peeled,
    decision: Decision,
}

/// The reason why a file was not opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotOpened {
    /// A layer cannot be removed.
    Layer(PeelError),
    /// It is unclear how the contents are read. The layers that were removed are included.
    Undecided(Box<Undecided>, Peeled),
}

/// Opens a file: removes its layers, finds the game's own header, and decides which engine wrote its values.
/// Each layer is unpacked once; the contents are read about once for each possible dialect.
///
/// # Errors
/// Returns [`NotOpened`] if a layer is damaged or locked, or if two ways to read the file are equally good.
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

/// Decides how the contents of a peeled file are read. The decision uses what the layers reveal about the contents.
///
/// # Errors
/// Returns [`Undecided`] with all ways to read the contents that remain possible.
pub fn decide(file: &[u8], peeled: &Peeled, hints: &Hints<'_>) -> Result<Decision, Box<Undecided>> {
    if let Some(found) = peeled.doubt {
        return Err(Box::new(Undecided::Header(found)));
    }
    let decision = detect(peeled.values(file), &peeled.hints(hints))?;
    Ok(match hints.engines.given() {
        Some(_) => decision,
        None => decision.with_layer(peeled.layers.last()),
    })
}

impl Decision {
    /// Takes over the certainty of the dialect from `layer`, the innermost layer of the file, if that layer had to find
    /// the dialect. If this certainty is [`Certainty::Same`] and `same` is empty, also lists the dialects in `same`.
    #[must_use]
    pub fn with_layer(mut self, layer: Option<&Layer>) -> Decision {
        let Some(certainty) = layer.and_then(Layer::certainty) else {
            return self;
        };
        self.certainty = certainty;
        if certainty == Certainty::Same && self.same.is_empty() {
            let others = Detector::AUTO.into_iter();
            self.same = vec![self.dialect];
            self.same
                .extend(others.filter(|other| *other != self.dialect));
        }
        self
    }
}

impl<'a> Opened<'a> {
    /// Returns the layers that were removed, and the length of the game's own header.
    #[must_use]
    pub fn peeled(&self) -> &Peeled {
        &self.peeled
    }

    /// Returns how the contents are read.
    #[must_use]
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Returns the contents without layers, including the header.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        self.peeled.contents(self.file)
    }

    /// Returns the file that was opened.
    #[must_use]
    pub fn file(&self) -> &'a [u8] {
        self.file
    }

    /// Returns the game's own bytes before the values.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        &self.contents()[..self.peeled.header_len]
    }

    /// Returns the game's own bytes after the values.
    #[must_use]
    pub fn trailer(&self) -> &[u8] {
        let contents = self.contents();
        &contents[contents.len() - self.peeled.trailer_len..]
    }

    /// Iterates over the values. Offsets refer to [`Opened::contents`]. Takes linear time.
    #[must_use]
    pub fn records(&self) -> Records<'_> {
        let start = self.peeled.header_len;
        records_after(self.peeled.values(self.file), self.decision.framing, start)
    }

    /// Returns the options for reading the values: engine mode, and the objects that the innermost layer admits
    /// ([`Layer::objects`]). If the layer does not determine this, whole objects are read as inert data.
    #[must_use]
    pub fn options(&self) -> ReadOptions {
        let layer = self.peeled.layers.last();
        let objects = layer.and_then(|layer| layer.objects());
        ReadOptions::new(self.decision.dialect).with_objects(objects.unwrap_or(Objects::Inert))
    }

    /// Reads a record to its end. Returns the length of its value in bytes.
    ///
    /// # Errors
    /// Returns the first error in the record, with its offset from the start of the record. For a record whose bytes
    /// could not be determined, see [`Record::problem`].
    pub fn check(&self, record: &Record<'_>) -> Result<usize, gdvar_view::Error> {
        Document::with_options(&record.bytes, self.options()).validate()
    }

    /// Puts changed contents, including the header and the trailer, back into all layers. A size in the header is
    /// adjusted. For `iv`, see [`Layer::wrap`].
    ///
    /// # Errors
    /// Returns [`WrapError`] if a layer cannot be written.
    pub fn replace(&self, contents: Vec<u8>, iv: Option<[u8; 16]>) -> Result<Vec<u8>, WrapError> {
        self.peeled.replace(self.contents().len(), contents, iv)
    }

    /// Returns the layers and the decision, for a caller that owns the file.
    #[must_use]
    pub fn into_parts(self) -> (Peeled, Decision) {
        (self.peeled, self.decision)
    }

    /// Returns `true` if the engine was given or was found without a doubt, or if all possible engines read the same
    /// values.
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
