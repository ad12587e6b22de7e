//! Gives access to values that stay in their bytes: looks them up and lists them one at a time.
//!
//! JavaScript identifies such a value by its document, its offset and its depth.

use gdvar_view::{DictRef, Document, Found, Kind, Path, PathTarget, PayloadWords, VariantRef};
use gdvar_write::{Target, Writer};

use crate::{failure::Failure, state::State};

/// Returns the value at an offset of a document.
#[inline(never)]
pub(crate) fn at(
    document: Document<'_>,
    offset: u32,
    depth: u32,
) -> Result<VariantRef<'_>, Failure> {
    let parts = match document.root() {
        Ok(root) => PayloadWords::of(root),
        Err(error) => return Err(Failure::read(document, error)),
    };
    let reading = parts.reading & 0xffff_ffff | u64::from(depth) << 32;
    let offset = u64::from(offset);
    let value = PayloadWords {
        offset,
        reading,
        ..parts
    }
    .value();
    value.map_err(|error| Failure::read(document, error))
}

/// Writes offset, depth, kind and number of children of a value into the words of the answer.
#[inline(never)]
pub(crate) fn describe(value: VariantRef<'_>, words: &mut [u32]) {
    words[1] = value.offset() as u32;
    words[2] = u32::from(value.depth());
    words[3] = value.kind() as u32;
    words[4] = len(value) as u32;
    words[5] = value.has_children().into();
}

fn len(value: VariantRef<'_>) -> usize {
    let array = value.as_array().map(|array| array.len());
    let dict = || value.as_dict().map(DictRef::len);
    let object = || value.as_object().map(|object| object.len());
    array
        .or_else(dict)
        .or_else(object)
        .or_else(|| value.packed_len())
        .unwrap_or(0)
}

/// Looks up a path. Word 0 is 0 if there is nothing at the path, 1 for a value, and 2 for a part of a value,
/// whose bytes are then in `out`.
pub(crate) fn get(value: VariantRef<'_>, path: &str, state: &mut State) -> Result<(), Failure> {
    let parsed = Path::parse(path).map_err(|error| Failure::new("Path", error))?;
    state.words[0] = 0;
    match value.find_path(&parsed)? {
        None => {}
        Some(Found::Value(value)) => {
            state.words[0] = 1;
            describe(value, &mut state.words);
        }
        Some(Found::Part(part)) => {
            state.words[0] = 2;
            let mut writer = Writer::new(
                std::mem::take(&mut state.out),
                Target::from(value.dialect()),
            );
            match part {
                PathTarget::Int(int) => writer.int(int)?,
                PathTarget::Text(text) => writer.string_bytes(text.as_bytes())?,
                PathTarget::Math(math) => {
                    let mut bytes = Vec::new();
                    let mut components: Vec<f64> = math.iter().collect();
                    let kind = math.kind();
                    match (kind, components.pop()) {
                        (Kind::Float, Some(float)) => writer.float(float)?,
                        (Kind::Int, Some(int)) => writer.int(int as i64)?,
                        (_, last) => {
                            components.extend(last);
                            // Ints in vectors have 32 bits. Reals get a width in which no digit is lost.
                            let ints = kind.has_ints();
                            let wide =
                                !ints && value.dialect().has_wide_math() && kind != Kind::Color;
                            for component in components {
                                match (ints, wide) {
                                    (true, _) => bytes.extend((component as i32).to_le_bytes()),
                                    (_, true) => bytes.extend(component.to_le_bytes()),
                                    _ => bytes.extend((component as f32).to_le_bytes()),
                                }
                            }
                            writer.math_le(kind, wide, &bytes)?;
                        }
                    }
                }
            }
            state.out = writer.finish()?;
        }
    }
    Ok(())
}

/// Lists the offsets of a value's children. For Dictionaries and objects these are keys and values
/// alternately. Word 0 is 1 if there are more children that cannot be read. The time is linear in the size of
/// the value.
pub(crate) fn children(value: VariantRef<'_>, state: &mut State) {
    let out = &mut state.out;
    let mut put = |offset: usize| out.extend_from_slice(&(offset as u32).to_le_bytes());
    let mut damaged = false;
    if let Some(array) = value.as_array() {
        for child in array.iter() {
            match child {
                Ok(child) => put(child.offset()),
                Err(_) => damaged = true,
            }
        }
    } else if let Some(dict) = value.as_dict() {
        for pair in dict.iter() {
            match pair {
                Ok((key, value)) => [key, value].map(|one| put(one.offset())),
                Err(_) => {
                    damaged = true;
                    continue;
                }
            };
        }
    } else if let Some(object) = value.as_object() {
        for property in object.iter() {
            match property {
                Ok((name, value)) => [name.offset(), value.offset()].map(&mut put),
                Err(_) => {
                    damaged = true;
                    continue;
                }
            };
        }
    }
    state.words[0] = damaged.into();
}
