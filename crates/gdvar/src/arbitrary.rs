//! Values for fuzzing and property tests (feature `arbitrary`).

use arbitrary::{Arbitrary, Result, Unstructured};
use gdvar_view::{
    Kind,
    math::{
        Aabb, Basis, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D, Vector2,
        Vector3, Vector4,
    },
};

use crate::{
    Array, Dictionary, Variant,
    convert::PackedElement,
    text::Text,
    variant::{FullObject, NodePath, Object, OwnedElementType, Signal},
};

/// The greatest depth of containers. It is small, because the tested code may recurse.
const DEEPEST: u32 = 8;

impl<'a> Arbitrary<'a> for Variant {
    /// Generates any value that Godot 4.6 can hold, of either precision. Written with
    /// [`Precision::AsGiven`](crate::write::Precision::AsGiven), the value reads back equal.
    /// Containers are at most 8 deep, and the value is no larger than a fixed factor of the data.
    /// Kinds that only other engines have are not generated.
    fn arbitrary(data: &mut Unstructured<'a>) -> Result<Variant> {
        value(data, 0)
    }
}

impl<'a> Arbitrary<'a> for Text {
    /// Generates text that every engine can hold: UTF-8 without a NUL or a leading byte order
    /// mark.
    fn arbitrary(data: &mut Unstructured<'a>) -> Result<Text> {
        let text: &str = data.arbitrary()?;
        let text = text.split('\0').next().unwrap_or_default();
        Ok(text.trim_start_matches('\u{feff}').into())
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        <&str>::size_hint(depth)
    }
}

/// Generates reals of either width.
fn real<'a, S, D>(data: &mut Unstructured<'a>) -> Result<Variant>
where
    S: Arbitrary<'a> + Into<Variant>,
    D: Arbitrary<'a> + Into<Variant>,
{
    Ok(if data.arbitrary()? {
        data.arbitrary::<D>()?.into()
    } else {
        data.arbitrary::<S>()?.into()
    })
}

/// Generates a packed array of either width.
fn packed<'a, S, D>(data: &mut Unstructured<'a>) -> Result<Variant>
where
    S: Arbitrary<'a> + PackedElement,
    D: Arbitrary<'a> + PackedElement,
{
    Ok(if data.arbitrary()? {
        Variant::packed::<D>(data.arbitrary::<Vec<D>>()?)
    } else {
        Variant::packed::<S>(data.arbitrary::<Vec<S>>()?)
    })
}

fn value(data: &mut Unstructured<'_>, depth: u32) -> Result<Variant> {
    // Containers have the last numbers, so that they can be excluded at the greatest depth.
    let choices = if depth < DEEPEST { 38 } else { 35 };
    Ok(match data.int_in_range(0..=choices)? {
        0 => Variant::Nil,
        1 => Variant::Bool(data.arbitrary()?),
        2 => Variant::Int(data.arbitrary()?),
        3 => Variant::Float(data.arbitrary()?),
        4 => Variant::String(data.arbitrary()?),
        5 => real::<Vector2<f32>, Vector2<f64>>(data)?,
        6 => Variant::Vector2i(data.arbitrary()?),
        7 => real::<Rect2<f32>, Rect2<f64>>(data)?,
        8 => Variant::Rect2i(data.arbitrary()?),
        9 => real::<Vector3<f32>, Vector3<f64>>(data)?,
        10 => Variant::Vector3i(data.arbitrary()?),
        11 => real::<Transform2D<f32>, Transform2D<f64>>(data)?,
        12 => real::<Vector4<f32>, Vector4<f64>>(data)?,
        13 => Variant::Vector4i(data.arbitrary()?),
        14 => real::<Plane<f32>, Plane<f64>>(data)?,
        15 => real::<Quaternion<f32>, Quaternion<f64>>(data)?,
        16 => real::<Aabb<f32>, Aabb<f64>>(data)?,
        17 => real::<Basis<f32>, Basis<f64>>(data)?,
        18 => real::<Transform3D<f32>, Transform3D<f64>>(data)?,
        19 => real::<Projection<f32>, Projection<f64>>(data)?,
        20 => Variant::Color(data.arbitrary()?),
        21 => Variant::StringName(data.arbitrary()?),
        22 => Variant::from(NodePath {
            names: data.arbitrary()?,
            subnames: data.arbitrary()?,
            absolute: data.arbitrary()?,
        }),
        23 => Variant::Rid(data.arbitrary()?),
        24 => Variant::Object(Object::Id(data.arbitrary()?)),
        25 => Variant::Callable,
        26 => Variant::from(Signal {
            name: data.arbitrary()?,
            object_id: data.arbitrary()?,
        }),
        27 => Variant::PackedByteArray(data.arbitrary()?),
        28 => Variant::PackedInt32Array(data.arbitrary()?),
        29 => Variant::PackedInt64Array(data.arbitrary()?),
        30 => Variant::PackedFloat32Array(data.arbitrary()?),
        31 => Variant::PackedFloat64Array(data.arbitrary()?),
        32 => Variant::PackedStringArray(data.arbitrary()?),
        33 => packed::<Vector2<f32>, Vector2<f64>>(data)?,
        34 => packed::<Vector3<f32>, Vector3<f64>>(data)?,
        35 => match data.arbitrary()? {
            true => packed::<Vector4<f32>, Vector4<f64>>(data)?,
            false => Variant::PackedColorArray(data.arbitrary()?),
        },
        36 => Variant::Array(array(data, depth)?),
        37 => Variant::Dictionary(dictionary(data, depth)?),
        _ => Variant::Object(object(data, depth)?),
    })
}

/// Decides whether a container gets one more child: seven times out of eight, while there is data.
fn more(data: &mut Unstructured<'_>) -> Result<bool> {
    Ok(!data.is_empty() && data.int_in_range(0..=7_u8)? != 0)
}

/// Sometimes returns the element type that all these values share, otherwise `Untyped`.
fn element<'v>(
    data: &mut Unstructured<'_>,
    mut values: impl Iterator<Item = &'v Variant>,
) -> Result<OwnedElementType> {
    let Some(kind) = values.next().map(Variant::kind) else {
        return Ok(OwnedElementType::Untyped);
    };
    if !values.all(|value| value.kind() == kind) || !data.ratio(1, 4_u8)? {
        return Ok(OwnedElementType::Untyped);
    }
    Ok(match kind {
        Kind::Nil => OwnedElementType::Untyped,
        Kind::Object if data.arbitrary()? => OwnedElementType::Class(Box::new(name(data)?)),
        kind => OwnedElementType::Builtin(kind),
    })
}

fn array(data: &mut Unstructured<'_>, depth: u32) -> Result<Array> {
    let mut items = Vec::new();
    while more(data)? {
        items.push(value(data, depth + 1)?);
    }
    let element = element(data, items.iter())?;
    Ok(Array::from(items).with_element_type(element))
}

fn dictionary(data: &mut Unstructured<'_>, depth: u32) -> Result<Dictionary> {
    let mut pairs = Vec::new();
    while more(data)? {
        pairs.push((value(data, depth + 1)?, value(data, depth + 1)?));
    }
    let key = element(data, pairs.iter().map(|(key, _)| key))?;
    let value = element(data, pairs.iter().map(|(_, value)| value))?;
    Ok(Dictionary::from_pairs(pairs).with_types(key, value))
}

fn object(data: &mut Unstructured<'_>, depth: u32) -> Result<Object> {
    let class = name(data)?;
    let mut properties = Vec::new();
    while more(data)? {
        properties.push((data.arbitrary()?, value(data, depth + 1)?));
    }
    Ok(Object::Full(FullObject { class, properties }.into()))
}

/// Generates the name of a class. It is not empty, because an object with an empty class name is
/// null.
fn name(data: &mut Unstructured<'_>) -> Result<Text> {
    let name: Text = data.arbitrary()?;
    Ok(if name == "" { "Resource".into() } else { name })
}
