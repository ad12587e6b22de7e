//! Files of `open_compressed`: `GCPF`.

use gdvar_io::{
    Error,
    compressed::{Compressed, Mode, compress},
};

use super::{FoundLayer, LayerKind};
use crate::Hints;

pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Result<FoundLayer, Error> {
    let opened = Compressed::open(bytes, hints.limits(bytes.len()))?;
    let (mode, block_size) = (opened.mode(), opened.block_size());
    #[cfg(feature = "rayon")]
    if hints.parallel.is_some_and(|may| may()) {
        let contents = opened.to_vec_parallel()?;
        return Ok((LayerKind::Compressed { mode, block_size }, contents));
    }
    let contents = opened.to_vec()?;
    Ok((LayerKind::Compressed { mode, block_size }, contents))
}

/// Returns the bytes after the compressed file.
pub(super) fn trailer<'a>(bytes: &'a [u8], hints: &Hints<'_>) -> &'a [u8] {
    let opened = Compressed::open(bytes, hints.limits(bytes.len()));
    opened.map_or(&[], |opened| opened.trailer())
}

pub(super) fn wrap(mode: Mode, block_size: u32, contents: &[u8]) -> Result<Vec<u8>, Error> {
    compress(contents, mode, block_size)
}
