//! Compiled scripts, as the Array of their constants that it would be in a save.

use gdvar_io::{Limits, script::Script};
use gdvar_view::Kind;

use crate::envelope::Trouble;

/// Reads a file: the bytes of an Array, and the script.
///
/// # Errors
/// If the script cannot be opened, or one of its constants not be read: the engine does not load it then.
pub(crate) fn read(file: &[u8], limits: Limits) -> Result<(Vec<u8>, Script<'_>), Trouble> {
    let script = Script::open(file, limits).map_err(Trouble::Bytes)?;
    let id = script.dialect().type_id(Kind::Array).map_or(0, |id| id.0);
    let count = script.constants().left();
    let mut array = [u32::from(id), count].map(u32::to_le_bytes).concat();
    for (number, constant) in script.constants().enumerate() {
        let constant = constant.map_err(|error| Trouble::Constant(number, error))?;
        array.extend_from_slice(constant.bytes);
        // The padding of a packed array may be missing at the end of a buffer, but not in an Array.
        array.resize(array.len().next_multiple_of(4), 0);
    }
    Ok((array, script))
}
