//! [`Peeled`]: a file without its layers, and how changed contents are put back into all of them.

use std::ops::Range;

use super::{Layer, WrapError};
use crate::{
    Engines, Framing, Hints,
    header::{self, Header},
};

/// A file without its layers: the compression, encryption and other formats around its values.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Peeled {
    /// The layers that were removed, the outermost first.
    pub layers: Vec<Layer>,
    /// The contents of the innermost layer; `None` if there is no layer, so that the file itself is the
    /// contents.
    pub unpacked: Option<Vec<u8>>,
    /// The ranges of the contents that a damaged layer lost, in ascending order. The contents have zeros there.
    pub lost: Vec<Range<usize>>,
    /// The length of the game's own header before the values. It is a part of the contents.
    pub header_len: usize,
    /// The length of the game's own trailer after the values. It is a part of the contents.
    pub trailer_len: usize,
    /// The framing of the values after a header that was found; `None` if there is no header, or if the caller gave the
    /// framing or the length of the header.
    pub framing_after_header: Option<Framing>,
    /// A header that the contents may have, although one value could start at their first byte as well.
    pub doubt: Option<Header>,
}

impl Peeled {
    /// Returns the contents, including the header. `file` is the file that was [peeled](super::peel).
    #[must_use]
    pub fn contents<'a>(&'a self, file: &'a [u8]) -> &'a [u8] {
        self.unpacked.as_deref().unwrap_or(file)
    }

    /// Returns the values: the contents without the header and the trailer.
    #[must_use]
    pub fn values<'a>(&'a self, file: &'a [u8]) -> &'a [u8] {
        let contents = self.contents(file);
        let end = contents.len().saturating_sub(self.trailer_len);
        contents.get(self.header_len..end).unwrap_or_default()
    }

    /// Returns what is left of the contents, each piece with its offset. All of the contents are one piece, unless a
    /// damaged layer lost some of them. `contents` are the [contents](Peeled::contents).
    #[must_use]
    pub fn pieces<'a>(&self, contents: &'a [u8]) -> Vec<(usize, &'a [u8])> {
        let starts = [0].into_iter().chain(self.lost.iter().map(|lost| lost.end));
        let ends = self
            .lost
            .iter()
            .map(|lost| lost.start)
            .chain([contents.len()]);
        let pieces = starts.zip(ends);
        let pieces =
            pieces.map(|(start, end)| (start, contents.get(start..end).unwrap_or_default()));
        pieces.filter(|(_, piece)| !piece.is_empty()).collect()
    }

    /// Puts other contents, including the header and the trailer, back into all layers.
    ///
    /// # Errors
    /// Returns the [`WrapError`] of the first layer that cannot be put back.
    pub fn wrap(&self, contents: Vec<u8>, iv: Option<[u8; 16]>) -> Result<Vec<u8>, WrapError> {
        let mut inside_out = self.layers.iter().rev();
        inside_out.try_fold(contents, |contents, layer| layer.wrap(&contents, iv))
    }

    /// Returns the hints of the caller, completed by what the innermost layer reveals about its contents.
    #[must_use]
    pub fn hints<'h>(&self, hints: &Hints<'h>) -> Hints<'h> {
        let mut own = *hints;
        if let Some(layer) = self.layers.last() {
            own.framing = own.framing.or(layer.framing());
            if let (None, Some(dialect)) = (own.engines.given(), layer.dialect()) {
                own.engines = Engines::Given(dialect);
            }
        }
        own
    }

    /// Puts changed contents, including the header and the trailer, back into all layers. `old_len` is the length of
    /// the contents before the change. This length is used to find a size in the header, which is then adjusted.
    ///
    /// # Errors
    /// Returns [`WrapError`] if a layer cannot be written.
    pub fn replace(
        &self,
        old_len: usize,
        mut contents: Vec<u8>,
        iv: Option<[u8; 16]>,
    ) -> Result<Vec<u8>, WrapError> {
        let len = self.header_len;
        if len > 0 && contents.len() >= len && old_len >= len {
            let (old, new) = (old_len - len, contents.len() - len);
            let header = header::resized(&contents[..len], old, new, self.trailer_len);
            contents.splice(..len, header);
        }
        self.wrap(contents, iv)
    }
}
