//! Binary resources and scenes, `.res` and `.scn`, as one Object with their properties.

use gdvar_resource::{Error, ErrorKind, Header, Mode, Resource as File};
use gdvar_view::Dialect;

use super::{FoundLayer, LayerKind, PeelError, WrapError};
use crate::Hints;

/// What the tables of a binary resource say about the resource. The contents of the layer are the values of the
/// resource.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Resource {
    /// The dialect of the values.
    pub dialect: Dialect,
    /// The header of the file.
    pub header: Header,
    /// How the file is compressed, or `None`.
    pub mode: Option<Mode>,
    /// The number of resources in the file.
    pub internals: usize,
    /// The number of resources in other files, which an engine loads with this one.
    pub externals: usize,
    /// The file, which new values are written into.
    file: FileBytes,
}

/// The bytes of a file. The debug output shows the number of bytes, and not the bytes.
#[derive(Clone, PartialEq, Eq)]
struct FileBytes(Vec<u8>);

impl std::fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Resource {
    /// Writes the file again with the values of `contents`.
    pub(super) fn wrap(&self, contents: &[u8]) -> Result<Vec<u8>, WrapError> {
        let limits = gdvar_resource::Limits::FILE;
        let file = File::open(&self.file.0, limits).map_err(WrapError::Resource)?;
        file.rewrite(contents, limits).map_err(WrapError::Resource)
    }
}

pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Result<FoundLayer, PeelError> {
    let limits = hints.limits(bytes.len());
    let file = File::open(bytes, limits).map_err(named)?;
    let contents = file.encode(limits).map_err(named)?;
    let resource = Resource {
        dialect: file.dialect(),
        header: file.header().clone(),
        mode: file.mode(),
        internals: file.internals().len(),
        externals: file.externals().len(),
        file: FileBytes(bytes.to_vec()),
    };
    Ok((LayerKind::Resource(Box::new(resource)), contents))
}

/// Converts an error. Damage in the compression becomes [`PeelError::Bytes`], so that it has the same name as in any
/// compressed file.
fn named(error: Error) -> PeelError {
    match error.kind() {
        ErrorKind::Packed(kind) => PeelError::Bytes(gdvar_io::Error::at(error.offset(), kind)),
        _ => PeelError::Resource(error),
    }
}
