//! Converts values without children.

use alloc::vec::Vec;

use gdvar_view::{Real, StrRef, VariantRef};
use gdvar_wire::{
    Kind,
    math::{Components, Rect2, Vector2, Vector3},
    narrow,
};

use super::{
    error::Result,
    number::{float, int, narrows, rounds},
    packed,
    report::{Loss, Report},
    text::{Fitted, fit},
};
use crate::{legacy::ImageParts, sink::Sink, target::IntRule, writer::Writer};

pub(super) fn write<S: Sink>(
    value: VariantRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    let kind = value.kind();
    let offset = value.offset();
    // A handle exists only for a value that was read, so `None` cannot happen; null is written
    // then.
    macro_rules! get {
        ($getter:ident) => {
            match value.$getter() {
                Some(content) => content,
                None => return Ok(to.nil()?),
            }
        };
    }
    macro_rules! reals {
        ($getter:ident, $method:ident) => {
            match get!($getter) {
                Real::Single(single) => to.$method(single)?,
                Real::Double(double) if to.dialect().has_wide_math() => {
                    if narrows(to) && double.components().iter().any(|&c| rounds(c)) {
                        report.note(Loss::Rounded, kind, offset);
                    }
                    to.$method(double)?;
                }
                Real::Double(double) => {
                    if double.components().iter().any(|&c| rounds(c)) {
                        report.note(Loss::Rounded, kind, offset);
                    }
                    to.$method(double.map(narrow))?;
                }
            }
        };
    }
    let can_write = to.target().can_write(kind);
    match kind {
        Kind::Nil => to.nil()?,
        Kind::Bool => to.bool(get!(as_bool))?,
        Kind::Int => int(get!(as_i64), value, to, report)?,
        Kind::Float => {
            let float = get!(as_f64);
            if to.target().int_rule() == IntRule::Always32 && rounds(float) {
                report.note(Loss::Rounded, kind, offset);
            }
            self::float(float, to)?;
        }
        Kind::String => text(get!(as_text), value, to, report)?,
        Kind::StringName if can_write => {
            let name = fit(get!(as_text), to.dialect());
            note_text(&name, value, report);
            to.string_name(&name.to_str())?;
        }
        Kind::StringName => {
            report.note(Loss::Retyped(Kind::String), kind, offset);
            text(get!(as_text), value, to, report)?;
        }
        Kind::Vector2 => reals!(as_vector2_real, vector2),
        Kind::Vector3 => reals!(as_vector3_real, vector3),
        Kind::Rect2 => reals!(as_rect2_real, rect2),
        Kind::Plane => reals!(as_plane_real, plane),
        Kind::Quaternion => reals!(as_quaternion_real, quaternion),
        Kind::Aabb => reals!(as_aabb_real, aabb),
        Kind::Basis => reals!(as_basis_real, basis),
        Kind::Transform2D => reals!(as_transform2d_real, transform2d),
        Kind::Transform3D => reals!(as_transform3d_real, transform3d),
        Kind::Vector4 if can_write => reals!(as_vector4_real, vector4),
        Kind::Projection if can_write => reals!(as_projection_real, projection),
        Kind::Vector4 => floats(value, &get!(as_vector4_f64).components(), to, report)?,
        Kind::Projection => floats(value, &get!(as_projection_f64).components(), to, report)?,
        Kind::Vector2i if can_write => to.vector2i(get!(as_vector2i))?,
        Kind::Vector3i if can_write => to.vector3i(get!(as_vector3i))?,
        Kind::Rect2i if can_write => to.rect2i(get!(as_rect2i))?,
        Kind::Vector4i if can_write => to.vector4i(get!(as_vector4i))?,
        Kind::Vector2i => {
            let ints = get!(as_vector2i);
            as_reals(value, Kind::Vector2, &ints.components(), to, report);
            to.vector2(Vector2::<f32>::from(
                ints.components().map(|int| int as f32),
            ))?;
        }
        Kind::Vector3i => {
            let ints = get!(as_vector3i);
            as_reals(value, Kind::Vector3, &ints.components(), to, report);
            to.vector3(Vector3::<f32>::from(
                ints.components().map(|int| int as f32),
            ))?;
        }
        Kind::Rect2i => {
            let ints = get!(as_rect2i);
            as_reals(value, Kind::Rect2, &ints.components(), to, report);
            to.rect2(Rect2::<f32>::from(ints.components().map(|int| int as f32)))?;
        }
        Kind::Vector4i => {
            report.note(Loss::Retyped(Kind::Array), kind, offset);
            let ints = get!(as_vector4i).components();
            to.begin_array(ints.len())?;
            for int in ints {
                to.int(i64::from(int))?;
            }
            to.end()?;
        }
        Kind::Color => to.color(get!(as_color))?,
        Kind::NodePath => node_path(value, to, report)?,
        Kind::Rid => {
            let id = get!(as_rid);
            if id != 0 && !to.dialect().rid_has_id() {
                report.note(Loss::NumberDropped, kind, offset);
                to.rid(0)?;
            } else {
                to.rid(id)?;
            }
        }
        Kind::Object => {
            let id = get!(as_object).id().unwrap_or(0);
            if id == 0 {
                to.null_object()?;
            } else if to.dialect().has_object_payload() {
                to.object_id(id)?;
            } else {
                report.note(Loss::Dropped, kind, offset);
                to.null_object()?;
            }
        }
        Kind::Callable if can_write => to.callable()?,
        Kind::Signal if can_write => {
            let (name, id) = get!(as_signal);
            to.signal(&fit(name, to.dialect()).to_str(), id)?;
        }
        Kind::Image if can_write => {
            let image = get!(as_image);
            to.image(&ImageParts {
                format: image.format,
                mipmaps: image.mipmaps,
                width: image.width,
                height: image.height,
                data: image.data,
            })?;
        }
        Kind::InputEvent if can_write => {
            let event = get!(as_input_event);
            to.input_event(event.kind, event.device, event.body)?;
        }
        Kind::PackedByteArray
        | Kind::PackedInt32Array
        | Kind::PackedInt64Array
        | Kind::PackedFloat32Array
        | Kind::PackedFloat64Array
        | Kind::PackedStringArray
        | Kind::PackedVector2Array
        | Kind::PackedVector2iArray
        | Kind::PackedVector3Array
        | Kind::PackedVector3iArray
        | Kind::PackedVector4Array
        | Kind::PackedVector4iArray
        | Kind::PackedColorArray => packed::write(value, to, report)?,
        // The target lacks the first four. The others have children and are no leaves.
        Kind::Callable
        | Kind::Signal
        | Kind::Image
        | Kind::InputEvent
        | Kind::Dictionary
        | Kind::Array
        | Kind::TypedArray
        | Kind::PackedTypedArray => {
            report.note(Loss::Dropped, kind, offset);
            to.nil()?;
        }
    }
    Ok(())
}

/// Reports integers that change when they become reals, which hold every integer up to 2²⁴.
fn as_reals<S: Sink>(
    value: VariantRef<'_>,
    kind: Kind,
    ints: &[i32],
    _: &Writer<S>,
    report: &mut Report,
) {
    report.note(Loss::Retyped(kind), value.kind(), value.offset());
    if ints.iter().any(|&int| rounds(f64::from(int))) {
        report.note(Loss::Rounded, value.kind(), value.offset());
    }
}

fn floats<S: Sink>(
    value: VariantRef<'_>,
    floats: &[f64],
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    report.note(Loss::Retyped(Kind::Array), value.kind(), value.offset());
    if to.target().int_rule() == IntRule::Always32 && floats.iter().any(|&one| rounds(one)) {
        report.note(Loss::Rounded, value.kind(), value.offset());
    }
    to.begin_array(floats.len())?;
    for &one in floats {
        float(one, to)?;
    }
    Ok(to.end()?)
}

/// Reports a text that was changed.
fn note_text(text: &Fitted<'_>, source: VariantRef<'_>, report: &mut Report) {
    if let Some(loss) = text.loss {
        report.note(loss, source.kind(), source.offset());
    }
}

fn text<S: Sink>(
    text: StrRef<'_>,
    source: VariantRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    let text = fit(text, to.dialect());
    note_text(&text, source, report);
    Ok(to.string_bytes(&text.bytes)?)
}

fn node_path<S: Sink>(
    value: VariantRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    let Some(path) = value.as_node_path() else {
        return Ok(to.nil()?);
    };
    let mut parts = Vec::new();
    for name in path.parts() {
        let name = fit(name?, to.dialect());
        note_text(&name, value, report);
        parts.push(name.bytes);
    }
    let (names, subnames) = parts.split_at(parts.len().min(path.name_count() as usize));
    Ok(to.node_path_from(names, subnames, path.is_absolute())?)
}
