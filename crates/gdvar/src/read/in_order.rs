//! Reading by a [`Cursor`]: every byte looked at once. It refuses less than the walk of events knows to
//! name, so whoever gets an error asks that walk.

use gdvar_view::{Cursor, ElementType, Error, Kind, Mode, ReadOptions, TypeId, VariantRef};

use super::{Open, Room, built};
use crate::{Text, Variant};

/// Whether values are read so: not in strict mode, which looks at more, and not for Godot 2, whose containers
/// may be shared.
pub(super) fn can(options: ReadOptions) -> bool {
    options.mode() != Mode::Strict && !options.dialect().has_shared_containers()
}

/// A container whose children are being read.
struct Frame {
    open: Open,
    /// How many values are still to come.
    left: u32,
}

enum Next {
    Done(Variant),
    Begun(Frame),
}

/// The value that the cursor stands before.
pub(super) fn read(mut cursor: Cursor<'_>) -> Result<Variant, Error> {
    let mut room = Room(cursor.left() / 4);
    let mut frames: Vec<Frame> = Vec::new();
    loop {
        let mut done = match next(&mut cursor, &mut room)? {
            Next::Done(value) => value,
            Next::Begun(frame) if frame.left > 0 => {
                frames.push(frame);
                continue;
            }
            Next::Begun(frame) => {
                cursor.leave();
                frame.open.done()
            }
        };
        loop {
            let Some(innermost) = frames.last_mut() else {
                return Ok(done);
            };
            innermost.open.add(done);
            innermost.left -= 1;
            if innermost.left > 0 {
                break;
            }
            done = match frames.pop() {
                Some(frame) => frame.open.done(),
                None => return Ok(Variant::Nil),
            };
            cursor.leave();
        }
    }
}

#[inline(always)]
fn next(cursor: &mut Cursor<'_>, room: &mut Room) -> Result<Next, Error> {
    let first = cursor.bytes().get(cursor.offset()).copied();
    let kind = first.and_then(|id| cursor.dialect().kind(TypeId(id)));
    let done = match kind {
        Some(Kind::Int) => cursor.int().map(Variant::Int),
        Some(Kind::Float) => cursor.float().map(Variant::Float),
        Some(Kind::Bool) => cursor.bool().map(Variant::Bool),
        Some(Kind::Nil) => cursor.nil().then_some(Variant::Nil),
        Some(Kind::String) => text(cursor).map(Variant::String),
        Some(Kind::StringName) => text(cursor).map(Variant::StringName),
        Some(Kind::Dictionary) => return dictionary(cursor, room),
        Some(Kind::Array) => return array(cursor, room),
        Some(kind) => math(cursor, kind),
        None => None,
    };
    match done {
        Some(done) => Ok(Next::Done(done)),
        None => other(cursor).map(Next::Done),
    }
}

#[inline(always)]
fn text(cursor: &mut Cursor<'_>) -> Option<Text> {
    Some(cursor.marked_text().ok()??.into())
}

/// The common math types, with reals of 32 bits.
#[inline(always)]
fn math(cursor: &mut Cursor<'_>, kind: Kind) -> Option<Variant> {
    macro_rules! read {
        ($name:ident, $get:ident) => {{
            let (payload, _) = cursor.payload(kind).ok()??;
            gdvar_view::math::$name::from($get(payload)?).into()
        }};
    }
    if !is_narrow(cursor) {
        return None;
    }
    Some(match kind {
        Kind::Vector2 => read!(Vector2, singles),
        Kind::Vector3 => read!(Vector3, singles),
        Kind::Vector4 => read!(Vector4, singles),
        Kind::Rect2 => read!(Rect2, singles),
        Kind::Quaternion => read!(Quaternion, singles),
        Kind::Transform2D => read!(Transform2D, singles),
        Kind::Basis => read!(Basis, singles),
        Kind::Transform3D => read!(Transform3D, singles),
        Kind::Color => read!(Color, singles),
        Kind::Vector2i => read!(Vector2, ints),
        Kind::Vector3i => read!(Vector3, ints),
        Kind::Vector4i => read!(Vector4, ints),
        Kind::Rect2i => read!(Rect2, ints),
        _ => return None,
    })
}

/// Values of all other forms, and containers that are more than plain or typed by a kind, with all below
/// them.
#[inline(never)]
fn other(cursor: &mut Cursor<'_>) -> Result<Variant, Error> {
    let value = cursor.value()?;
    let done = built(value.events(), cursor.left())?;
    cursor.skip()?;
    Ok(done)
}

/// The header word of the next value without its type.
#[inline(always)]
fn flags(cursor: &Cursor<'_>) -> Option<u32> {
    let word = cursor.bytes().get(cursor.offset()..)?.first_chunk()?;
    Some(u32::from_le_bytes(*word) >> 8)
}

#[inline(always)]
fn is_narrow(cursor: &Cursor<'_>) -> bool {
    flags(cursor) == Some(0)
}

#[inline(always)]
fn dictionary(cursor: &mut Cursor<'_>, room: &mut Room) -> Result<Next, Error> {
    if !is_narrow(cursor) {
        let value = cursor.value()?;
        let is_plain = value
            .as_dict()
            .is_some_and(|dict| is_builtin(dict.key_type()) && is_builtin(dict.value_type()));
        if !is_plain {
            return other(cursor).map(Next::Done);
        }
        return begun(value, cursor.enter_dict()?, 2, room);
    }
    let Some(count) = cursor.enter_dict()? else {
        return other(cursor).map(Next::Done);
    };
    let pairs = Vec::with_capacity(room.take(2 * count as usize) / 2);
    Ok(Next::Begun(Frame {
        open: Open::Pairs {
            pairs,
            key: None,
            head: None,
        },
        left: 2 * count,
    }))
}

#[inline(always)]
fn array(cursor: &mut Cursor<'_>, room: &mut Room) -> Result<Next, Error> {
    if !is_narrow(cursor) {
        let value = cursor.value()?;
        let is_plain = value
            .as_array()
            .is_some_and(|array| is_builtin(array.element_type()));
        if !is_plain {
            return other(cursor).map(Next::Done);
        }
        return begun(value, cursor.enter_array()?, 1, room);
    }
    let Some(count) = cursor.enter_array()? else {
        return other(cursor).map(Next::Done);
    };
    Ok(Next::Begun(Frame {
        open: Open::Items(Vec::with_capacity(room.take(count as usize)), None),
        left: count,
    }))
}

/// A typed container that was entered.
fn begun(
    value: VariantRef<'_>,
    count: Option<u32>,
    each: u32,
    room: &mut Room,
) -> Result<Next, Error> {
    Ok(Next::Begun(Frame {
        open: Open::new(value, room),
        left: each * count.unwrap_or(0),
    }))
}

fn is_builtin(element: ElementType<'_>) -> bool {
    matches!(element, ElementType::Untyped | ElementType::Builtin(..))
}

#[inline(always)]
fn singles<const N: usize>(payload: &[u8]) -> Option<[f32; N]> {
    words(payload, f32::from_le_bytes)
}

#[inline(always)]
fn ints<const N: usize>(payload: &[u8]) -> Option<[i32; N]> {
    words(payload, i32::from_le_bytes)
}

#[inline(always)]
fn words<const N: usize, T: Copy + Default>(
    payload: &[u8],
    word: impl Fn([u8; 4]) -> T,
) -> Option<[T; N]> {
    let mut all = [T::default(); N];
    for (place, raw) in all.iter_mut().zip(payload.chunks_exact(4)) {
        *place = word(*raw.first_chunk()?);
    }
    (payload.len() == 4 * N).then_some(all)
}
