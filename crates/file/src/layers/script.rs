//! Compiled scripts, `.gdc`, as an Array of their constants.

use gdvar_io::script::Script;
use gdvar_view::Kind;

use super::{FoundLayer, LayerKind, PeelError};
use crate::Hints;

pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Result<FoundLayer, PeelError> {
    let script = Script::open(bytes, hints.limits(bytes.len()))?;
    let id = script.dialect().type_id(Kind::Array).map_or(0, |id| id.0);
    let count = script.constants().left();
    let mut array = [u32::from(id), count].map(u32::to_le_bytes).concat();
    for (number, constant) in script.constants().enumerate() {
        let constant = constant.map_err(|error| PeelError::Constant(number, error))?;
        array.extend_from_slice(constant.bytes);
        // A packed array may lack its padding at the end of a buffer, but not in an Array.
        array.resize(array.len().next_multiple_of(4), 0);
    }
    let kind = LayerKind::Script {
        version: script.version(),
        dialect: script.dialect(),
        constants: count,
        names: script.identifiers(),
        is_compressed: script.is_compressed(),
    };
    Ok((kind, array))
}
