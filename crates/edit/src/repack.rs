//! [`repack`]: converts an Array to a packed array.

use gdvar_view::{
    ElementType, Error as ReadError, Kind, VariantRef,
    layout::{HEADER, Number, numbers},
};
use gdvar_write::{Target, Writer};

use crate::number::numbers_as;

/// The reason why an Array does not become a packed array.
pub(crate) enum RepackError<'a> {
    Read(ReadError),
    /// The packed array cannot hold this element.
    Element {
        element: VariantRef<'a>,
        /// Ints are wanted, and several whole numbers round to this float.
        may_be_rounded: bool,
    },
}

/// Converts `array` to a packed array of the kind `packed`, and returns its bytes. `like` is the packed array that it
/// replaces, whose width it takes. `None` if `array` is not an Array without an element type, or `packed` is not the
/// kind of a packed array.
///
/// An element becomes one of the packed array as in an edit of that element: a whole float becomes an int, an int a
/// float that equals it, a StringName a String.
pub(crate) fn repack<'a>(
    array: VariantRef<'a>,
    packed: Kind,
    like: Option<VariantRef<'_>>,
) -> Option<Result<Vec<u8>, RepackError<'a>>> {
    let items = array.as_array()?;
    let is_untyped = array.kind() == Kind::Array && items.element_type() == ElementType::Untyped;
    let element_kind = packed.element_kind().filter(|_| is_untyped)?;
    let like = like.filter(|like| like.kind() == packed);
    let wide = like.is_some_and(VariantRef::is_wide);
    let header = match like.and_then(|like| like.raw().ok()?.first_chunk::<HEADER>().copied()) {
        Some(header) => header,
        None => u32::from(array.dialect().type_id(packed)?.0).to_le_bytes(),
    };
    let refuse = |element, may_be_rounded| RepackError::Element {
        element,
        may_be_rounded,
    };
    let mut bytes = Vec::from(header);
    bytes.extend((items.len() as u32).to_le_bytes());
    let mut texts = Vec::new();
    let mut items = items.iter();
    loop {
        let item = match items.try_next() {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(error) => return Some(Err(RepackError::Read(error))),
        };
        let Some((number, _)) = numbers(packed) else {
            match (item.kind(), item.as_text()) {
                (Kind::String | Kind::StringName, Some(text)) => texts.push(text.as_bytes()),
                _ => return Some(Err(refuse(item, false))),
            }
            continue;
        };
        let Some(values) = numbers_as(element_kind, item) else {
            return Some(Err(refuse(item, false)));
        };
        for value in values {
            if value.put(number, wide, &mut bytes).is_none() {
                let may_be_rounded = number == Number::I64 && value.may_be_rounded();
                return Some(Err(refuse(item, may_be_rounded)));
            }
        }
    }
    if element_kind == Kind::String {
        let mut writer = Writer::new(Vec::new(), Target::from(array.dialect()));
        writer.packed_strings_bytes(texts).ok()?;
        return writer.finish().ok().map(Ok);
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    Some(Ok(bytes))
}
