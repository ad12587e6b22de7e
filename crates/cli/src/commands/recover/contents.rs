//! What can be read of a damaged file: its contents, in pieces, without the layers and the game's own bytes.

use std::io;

use gdvar_file::{Layer, PeelError, records::Framing};
use gdvar_io::{Envelope, compressed::Compressed, encrypted, sniff};
use gdvar_view::frames;

use crate::{
    app::App,
    input::{header, key::key, layers, unopened::Unopened},
};

/// The readable contents of a file, and the layers that were around them.
pub(super) struct Contents {
    /// The pieces that are left, each with its offset from where the values start.
    pub(super) pieces: Vec<(u64, Vec<u8>)>,
    pub(super) layers: Vec<Layer>,
    /// The length that the contents had before the damage, if the container says so, else 0.
    contents_len: usize,
    /// `true` if the contents are complete.
    pub(super) is_whole: bool,
    /// `true` if nothing proves that the key is right.
    pub(super) may_be_noise: bool,
}

impl Contents {
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

fn damaged(error: gdvar_io::Error) -> Unopened {
    Unopened::Layer(PeelError::Bytes(error))
}

/// Opens the readable part of a compressed or encrypted file. The contents of any other file are all its bytes.
pub(super) fn contents(app: &App, file: &[u8]) -> Result<Contents, Unopened> {
    let limits = match app.global.max_unpacked {
        Some(most) => gdvar_io::Limits::new(most),
        None => gdvar_io::Limits::unpacking(file.len()),
    };
    match sniff(file) {
        Envelope::Compressed { .. } => {
            let opened = Compressed::open(file, limits).map_err(damaged)?;
            let pieces = opened.pieces();
            let len: usize = pieces.iter().map(|(_, piece)| piece.len()).sum();
            Ok(Contents {
                contents_len: opened.len() as usize,
                is_whole: len == opened.len() as usize,
                layers: vec![Layer::compressed(opened.mode(), opened.block_size())],
                pieces,
                may_be_noise: false,
            })
        }
        form @ (Envelope::Encrypted3 | Envelope::Encrypted4) => {
            let key = key(&app.global)?.ok_or(Unopened::Layer(PeelError::Locked))?;
            let whole = encrypted::decrypt(file, &key, limits);
            let is_whole = whole.is_ok();
            let plain = match whole {
                Ok(plain) => plain,
                Err(_) => encrypted::decrypt_damaged(file, &key, limits).map_err(damaged)?,
            };
            let to = if form == Envelope::Encrypted3 {
                gdvar_view::Dialect::GODOT_3
            } else {
                gdvar_view::Dialect::GODOT_4
            };
            Ok(Contents {
                contents_len: plain.len(),
                pieces: vec![(0, plain)],
                layers: vec![Layer::encrypted(key, to)],
                is_whole,
                may_be_noise: !is_whole,
            })
        }
        Envelope::Project | Envelope::Script | Envelope::Other => Ok(Contents {
            pieces: vec![(0, file.to_vec())],
            layers: Vec::new(),
            contents_len: file.len(),
            is_whole: true,
            may_be_noise: false,
        }),
    }
}

/// Returns the contents of a file without its layers, and the game's own header in front of the values.
pub(super) fn opened(
    app: &mut App,
    name: &str,
    file: &[u8],
) -> io::Result<Result<(Contents, Vec<u8>), Unopened>> {
    // Layers that are whole are taken off as in every command.
    let peeled = layers::peel(&app.global, file).ok();
    if let Some(peeled) = peeled.filter(|peeled| !peeled.layers.is_empty()) {
        let mut bytes = peeled.unpacked.unwrap_or_default();
        let len = header_len(app, name, &bytes)?.unwrap_or(0);
        let header = bytes.drain(..len).collect();
        let found = Contents {
            contents_len: bytes.len(),
            pieces: vec![(0, bytes)],
            layers: peeled.layers,
            is_whole: true,
            may_be_noise: false,
        };
        return Ok(Ok((found, header)));
    }
    let skip = header_len(app, name, file)?.unwrap_or(app.global.skip.min(file.len()));
    let (in_front, rest) = file.split_at(skip);
    let mut found = match contents(app, rest) {
        Ok(found) => found,
        Err(unopened) => return Ok(Err(unopened)),
    };
    let in_front = in_front.to_vec();
    // The header is in front of the container, or of the values in it.
    let Some(layer) = found.layers.pop() else {
        return Ok(Ok((found, in_front)));
    };
    let len = rest.len();
    let contents_len = found.contents_len;
    found
        .layers
        .push(Layer::found(layer.kind, in_front, len).with_contents_len(contents_len));
    let mut header = Vec::new();
    if let Some(((0, first), others)) = found.pieces.split_first_mut() {
        if let Some(len) = header_len(app, name, first)? {
            header = first.drain(..len).collect();
            for (offset, _) in others {
                *offset -= len as u64;
            }
        }
    }
    Ok(Ok((found, header)))
}

/// Finds the header that the game put in front of the values, prints a note about it, and returns its length. Returns
/// `None` if there is no header, if the header is doubtful, or if the command line says where the values start or how
/// they are framed.
fn header_len(app: &mut App, name: &str, bytes: &[u8]) -> io::Result<Option<usize>> {
    // No search is needed if the command line says where the values start or how they are framed.
    if app.global.skip > 0 || app.global.framing.get().is_some() {
        return Ok(None);
    }
    let found = gdvar_file::header::find(bytes, &app.global.dialect.candidates());
    let found = found.filter(|found| !found.is_doubtful);
    if let Some(found) = found {
        app.note(&format!(
            "{name}: {}",
            header::describe(found.len, found.framing)
        ))?;
    }
    Ok(found.map(|found| found.len))
}
