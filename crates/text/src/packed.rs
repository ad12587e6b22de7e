//! Iterates over the elements of packed arrays.

use gdvar_view::{Error, Kind, Packed, Real, VariantRef, math::Components};
use gdvar_wire::widen;

use crate::leaf::Leaf;

/// An iterator over the elements of a packed array, as leaves.
pub(crate) type Elements<'a> = Box<dyn Iterator<Item = Result<Leaf<'a>, Error>> + 'a>;

fn pad<const N: usize>(components: [f64; N]) -> [f64; 16] {
    let mut out = [0.0; 16];
    for (to, from) in out.iter_mut().zip(components) {
        *to = from;
    }
    out
}

fn ints<const N: usize>(components: [i32; N]) -> [i32; 4] {
    let mut out = [0; 4];
    for (to, from) in out.iter_mut().zip(components) {
        *to = from;
    }
    out
}

/// Returns the elements of a packed array, or `None` for any other value.
pub(crate) fn elements<'a>(value: VariantRef<'a>) -> Option<Elements<'a>> {
    if let Some(strings) = value.as_strings() {
        return Some(Box::new(
            strings
                .iter()
                .map(|text| text.map(|text| Leaf::Text(Kind::String, text))),
        ));
    }
    macro_rules! vectors {
        ($vectors:expr, $kind:ident) => {
            match $vectors {
                Real::Single(vectors) => Box::new(vectors.iter().map(|vector| {
                    Ok(Leaf::Reals(
                        Kind::$kind,
                        pad(vector.components().map(widen)),
                    ))
                })),
                Real::Double(vectors) => Box::new(
                    vectors
                        .iter()
                        .map(|vector| Ok(Leaf::Reals(Kind::$kind, pad(vector.components())))),
                ),
            }
        };
    }
    macro_rules! int_vectors {
        ($vectors:expr, $kind:ident) => {
            Box::new(
                $vectors
                    .iter()
                    .map(|vector| Ok(Leaf::Ints(Kind::$kind, ints(vector.components())))),
            )
        };
    }
    Some(match value.as_packed()? {
        Packed::Bytes(bytes) => Box::new(bytes.iter().map(|byte| Ok(Leaf::Int(i64::from(*byte))))),
        Packed::Int32(list) => Box::new(list.iter().map(|int| Ok(Leaf::Int(i64::from(int))))),
        Packed::Int64(list) => Box::new(list.iter().map(|int| Ok(Leaf::Int(int)))),
        Packed::Float32(list) => Box::new(list.iter().map(|float| Ok(Leaf::Float(widen(float))))),
        Packed::Float64(list) => Box::new(list.iter().map(|float| Ok(Leaf::Float(float)))),
        Packed::Vector2(list) => vectors!(list, Vector2),
        Packed::Vector3(list) => vectors!(list, Vector3),
        Packed::Vector4(list) => vectors!(list, Vector4),
        Packed::Vector2i(list) => int_vectors!(list, Vector2i),
        Packed::Vector3i(list) => int_vectors!(list, Vector3i),
        Packed::Vector4i(list) => int_vectors!(list, Vector4i),
        Packed::Color(list) => Box::new(
            list.iter()
                .map(|color| Ok(Leaf::Reals(Kind::Color, pad(color.components().map(widen))))),
        ),
    })
}
