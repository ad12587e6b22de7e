//! What can be read of a damaged file: its contents, in pieces, without the layers and the game's own bytes.

use std::io;

use gdvar_file::{Layer, LayerKind, PeelError, records::Framing};
use gdvar_io::FileErrorKind;
use gdvar_view::frames;

use crate::{
    app::App,
    input::{header, layers, unopened::Unopened},
    terminal::words::plural,
};

/// The readable contents of a file, and the layers that were around them.
pub(super) struct Contents {
    /// The pieces that are left, each with its offset from where the values start.
    pub(super) pieces: Vec<(u64, Vec<u8>)>,
    pub(super) layers: Vec<Layer>,
}

impl Contents {
    /// Returns `true` if no layer is damaged.
    pub(super) fn is_whole(&self) -> bool {
        self.layers.iter().all(|layer| layer.damage.is_none())
    }

    /// Returns `true` if nothing proves that the key is right.
    pub(super) fn may_be_noise(&self) -> bool {
        self.layers.iter().any(|layer| {
            matches!(layer.kind, LayerKind::Encrypted { .. }) && layer.damage.is_some()
        })
    }

    /// Returns the lengths that the values may have had before the damage: the end of the last record as its
    /// length prefix declares it, and the present length. Empty if the contents are in several pieces.
    pub(super) fn old_lens(&self, framing: Framing) -> Vec<usize> {
        let [(_, bytes)] = &self.pieces[..] else {
            return Vec::new();
        };
        let order = framing.order();
        let last = order.and_then(|order| frames(bytes, order).map_while(Result::ok).last());
        let declared = last.map(|last| last.offset + last.declared as usize);
        [declared, Some(bytes.len())]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Cuts the game's own trailer off the contents and returns it. `len` finds the length of the trailer. If the
    /// contents are in several pieces, nothing is cut off.
    pub(super) fn take_trailer(&mut self, len: impl Fn(&[u8]) -> usize) -> Vec<u8> {
        let [(_, bytes)] = &mut self.pieces[..] else {
            return Vec::new();
        };
        let len = len(bytes);
        bytes.split_off(bytes.len() - len)
    }
}

/// Returns what is left of the contents of a file without its layers, and the game's own header in front of the values.
/// Prints a note about each damaged layer.
pub(super) fn opened(
    app: &mut App,
    name: &str,
    file: &[u8],
) -> io::Result<Result<(Contents, Vec<u8>), Unopened>> {
    let peeled = match layers::peel_damaged(&app.global, file) {
        Ok(peeled) => peeled,
        Err(unopened) => return Ok(Err(unopened)),
    };
    let contents = peeled.contents(file);
    let pieces = peeled.pieces(contents);
    let left: usize = pieces.iter().map(|(_, piece)| piece.len()).sum();
    let left = plural(left as u64, "byte");
    let damage = peeled
        .layers
        .iter()
        .filter_map(|layer| layer.damage.as_deref());
    for damage in damage {
        let what = describe(damage);
        app.note(&format!(
            "{name}: the container is damaged: {what}; {left} of its contents are left"
        ))?;
    }
    let len = peeled.header_len;
    if len > 0 && app.global.skip == 0 {
        let described = header::describe(len, peeled.framing_after_header);
        app.note(&format!("{name}: {described}"))?;
    }
    let pieces = pieces.into_iter().map(|(offset, piece)| match offset {
        0 => (0, piece[len..].to_vec()),
        offset => ((offset - len) as u64, piece.to_vec()),
    });
    let found = Contents {
        pieces: pieces.collect(),
        layers: peeled.layers.clone(),
    };
    Ok(Ok((found, contents[..len].to_vec())))
}

/// Describes the damage of a layer in few words.
fn describe(damage: &PeelError) -> String {
    let kind = match damage {
        PeelError::Bytes(error) => error.kind(),
        PeelError::NotEncoded(encoding, line) => {
            let encoding = encoding.name();
            return format!("line {line} is not {encoding}, and what is no digit was read as 0");
        }
        _ => return "it cannot be read to its end".to_owned(),
    };
    match kind {
        FileErrorKind::Truncated { .. } => "its end is missing".to_owned(),
        FileErrorKind::WrongChecksum => {
            "its checksum is wrong, so one of the values may be wrong".to_owned()
        }
        FileErrorKind::WrongKey => "its checksum is wrong, or the password or key is".to_owned(),
        _ => "some of its bytes are wrong".to_owned(),
    }
}
