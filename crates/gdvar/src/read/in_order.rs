//! The fast reader, with a [`Cursor`]: reads each byte once, and writes each child directly into
//! its place. The errors of this reader give no reason; the caller then finds the reason with a
//! walk of events.

use std::{iter, mem};

use gdvar_view::{Cursor, Error, HeaderWord, Kind, Mode, ReadOptions, StrRef, TypeId, VariantRef};
use gdvar_wire::{ElementTyping, Flags};

use super::{Room, Unfinished, built, copy, names::NameCache, scalar};
use crate::{
    Array, Dictionary, Variant,
    text::Text,
    variant::{NodePath, OwnedElementType},
};

/// Returns `true` if this reader supports the options. It does not support strict mode, which
/// checks more, and Godot 2, whose containers may be shared.
pub(super) fn can(options: ReadOptions) -> bool {
    options.mode() != Mode::Strict && !options.dialect().has_shared_containers()
}

/// A container whose children are being read.
struct OpenLevel {
    open: Unfinished,
    /// The number of elements or pairs that are left.
    left: u32,
}

/// Reads the value at the cursor and moves the cursor to its end.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Variant, Error> {
    let mut room = Room(cursor.left() / 4);
    let mut names = NameCache::of(cursor);
    let mut root = Variant::Nil;
    if short(cursor, &mut names, &mut root) {
        return Ok(root);
    }
    let mut outer: Vec<OpenLevel> = Vec::new();
    let Some(mut frame) = next(cursor, &mut room, &mut root)? else {
        return Ok(root);
    };
    loop {
        if let Some(inner) = frame.fill(cursor, &mut room, &mut names)? {
            outer.push(mem::replace(&mut frame, inner));
            continue;
        }
        cursor.leave();
        let done = frame.open.done();
        match outer.pop() {
            Some(around) => frame = around,
            None => return Ok(done),
        }
        frame.open.add(done);
    }
}

impl OpenLevel {
    /// Reads children up to the first that is a container, or to the last. Each child is written
    /// over a null in its place: passing a text by value copies it in parts of different sizes, and
    /// the processor has to wait for each of them.
    fn fill(
        &mut self,
        cursor: &mut Cursor<'_>,
        room: &mut Room,
        names: &mut NameCache,
    ) -> Result<Option<OpenLevel>, Error> {
        match &mut self.open {
            Unfinished::Items(array) => {
                let items: &mut Vec<Variant> = array;
                while self.left > 0 {
                    self.left -= 1;
                    let Some(item) = grown(items, || Variant::Nil) else {
                        break;
                    };
                    if short(cursor, names, item) {
                        continue;
                    }
                    if let Some(frame) = next(cursor, room, item)? {
                        items.pop();
                        return Ok(Some(frame));
                    }
                }
            }
            Unfinished::Pairs(dict, open_key) => {
                let pairs = dict.pairs_mut();
                while self.left > 0 {
                    let nulls = || (Variant::Nil, Variant::Nil);
                    let Some((key, value)) = grown(pairs, nulls) else {
                        break;
                    };
                    if let Some(done) = open_key.take() {
                        // The key is a container, which has just been completed.
                        *key = done;
                    } else if !self::key(cursor, names, key) {
                        if let Some(frame) = next(cursor, room, key)? {
                            pairs.pop();
                            return Ok(Some(frame));
                        }
                    }
                    self.left -= 1;
                    if short(cursor, names, value) {
                        continue;
                    }
                    if let Some(frame) = next(cursor, room, value)? {
                        *open_key = pairs.pop().map(|(key, _)| key);
                        return Ok(Some(frame));
                    }
                }
            }
            // This reader never opens an object.
            Unfinished::Properties(..) => {}
        }
        Ok(None)
    }
}

/// Appends `null` and returns it, so that the element can be written in place.
#[inline(always)]
fn grown<T>(all: &mut Vec<T>, null: impl Fn() -> T) -> Option<&mut T> {
    // Reserves memory before the element exists. `push` would create the element first and move it.
    all.extend(iter::repeat_with(null).take(1));
    all.last_mut()
}

/// Reads a key of a frequent kind over a null. Returns `false` for other kinds.
#[inline(always)]
fn key(cursor: &mut Cursor<'_>, names: &mut NameCache, null: &mut Variant) -> bool {
    if cursor.common_kind() == Some(Kind::String) {
        if let Some(name) = names.take(cursor) {
            set(null, Variant::String(name.clone()));
            return true;
        }
    }
    short(cursor, names, null)
}

/// Replaces a null, which needs no drop, by `value`.
#[inline(always)]
fn set(null: &mut Variant, value: Variant) {
    mem::forget(mem::replace(null, value));
}

/// Reads a value of a frequent short kind over a null. Returns `false` for other kinds.
#[inline(always)]
fn short(cursor: &mut Cursor<'_>, names: &mut NameCache, null: &mut Variant) -> bool {
    macro_rules! put {
        ($taken:expr, $variant:ident) => {
            match $taken {
                Some(value) => {
                    set(null, Variant::$variant(value.into()));
                    true
                }
                None => false,
            }
        };
    }
    match cursor.common_kind() {
        Some(Kind::String) => put!(text(cursor), String),
        Some(Kind::StringName) => match names.take(cursor) {
            Some(name) => {
                set(null, Variant::StringName(name.clone()));
                true
            }
            None => put!(text(cursor), StringName),
        },
        Some(Kind::Int) => put!(cursor.int(), Int),
        Some(Kind::Float) => put!(cursor.float(), Float),
        Some(Kind::Bool) => put!(cursor.bool(), Bool),
        Some(Kind::Nil) => cursor.nil(),
        _ => false,
    }
}

#[inline(always)]
fn text<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    cursor.marked_text().ok()?
}

/// Reads any value over a null. Of a container, reads only the bytes before the first child.
#[inline(never)]
fn next(
    cursor: &mut Cursor<'_>,
    room: &mut Room,
    null: &mut Variant,
) -> Result<Option<OpenLevel>, Error> {
    let kind = cursor.common_kind();
    let begun = match kind {
        Some(Kind::Dictionary) => dictionary(cursor, room)?,
        Some(Kind::Array) => array(cursor, room)?,
        _ => None,
    };
    if begun.is_none() {
        *null = match kind.and_then(|kind| math(cursor, kind)) {
            Some(value) => value,
            None => other(cursor)?,
        };
    }
    Ok(begun)
}

fn dictionary(cursor: &mut Cursor<'_>, room: &mut Room) -> Result<Option<OpenLevel>, Error> {
    let head = Head::of(cursor);
    let Some(left) = cursor.enter_dict()? else {
        return Ok(None);
    };
    let mut dict = Dictionary::with_capacity(room.take(2 * left as usize) / 2);
    if head.flags() != Flags::NONE {
        let (key, value) = head.types(cursor);
        dict = dict.with_types(key, value);
    }
    let open = Unfinished::Pairs(dict, None);
    Ok(Some(OpenLevel { open, left }))
}

fn array(cursor: &mut Cursor<'_>, room: &mut Room) -> Result<Option<OpenLevel>, Error> {
    let head = Head::of(cursor);
    let Some(left) = cursor.enter_array()? else {
        return Ok(None);
    };
    let mut array = Array::with_capacity(room.take(left as usize));
    if head.flags() != Flags::NONE {
        array = array.with_element_type(head.types(cursor).0);
    }
    let open = Unfinished::Items(array);
    Ok(Some(OpenLevel { open, left }))
}

/// The first words of a container. They name no classes or scripts: all element types are builtin.
struct Head<'a>(&'a [u8]);

impl<'a> Head<'a> {
    #[inline]
    fn of(cursor: &Cursor<'a>) -> Head<'a> {
        Head(cursor.bytes().get(cursor.offset()..).unwrap_or_default())
    }

    #[inline]
    fn word(&self, n: usize) -> u32 {
        let raw = self.0.get(4 * n..).and_then(<[u8]>::first_chunk);
        raw.map_or(0, |raw| u32::from_le_bytes(*raw))
    }

    #[inline]
    fn flags(&self) -> Flags {
        HeaderWord(self.word(0)).flags()
    }

    /// Returns the type of the container's elements or keys, and the type of its values
    /// (`docs/FORMAT.md` §4.3). The cursor has checked that the numbers are types.
    #[inline]
    fn types(&self, cursor: &Cursor<'_>) -> (OwnedElementType, OwnedElementType) {
        let named = |n: usize| match cursor.dialect().kind(TypeId(self.word(n) as u8)) {
            Some(Kind::Nil) | None => OwnedElementType::Untyped,
            Some(kind) => OwnedElementType::Builtin(kind),
        };
        let flags = self.flags();
        let has_first = flags.element_typing() == ElementTyping::Builtin;
        let has_second = flags.value_typing() == ElementTyping::Builtin;
        match (has_first, has_second) {
            (false, false) => Default::default(),
            (true, false) => (named(1), OwnedElementType::Untyped),
            (false, true) => (OwnedElementType::Untyped, named(1)),
            (true, true) => (named(1), named(2)),
        }
    }
}

/// Reads the math types with 32-bit reals.
#[inline(always)]
fn math(cursor: &mut Cursor<'_>, kind: Kind) -> Option<Variant> {
    macro_rules! read {
        ($name:ident, $get:ident) => {{
            let (payload, _) = cursor.payload(kind).ok()??;
            gdvar_view::math::$name::from($get(payload)?).into()
        }};
    }
    if Head::of(cursor).flags() != Flags::NONE {
        return None;
    }
    Some(match kind {
        Kind::Vector2 => read!(Vector2, singles),
        Kind::Vector3 => read!(Vector3, singles),
        Kind::Vector4 => {
            // A Vector4 may have 64 bits without a flag
            // (`ReadOptions::with_unflagged_vector4_is_f64`), which this reader does not support.
            // The cursor must not move then.
            let (payload, _) = cursor.clone().payload(kind).ok()??;
            let vector = singles(payload)?;
            cursor.payload(kind).ok()??;
            gdvar_view::math::Vector4::from(vector).into()
        }
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

/// Reads a value that the faster functions above do not read.
#[inline(never)]
fn other(cursor: &mut Cursor<'_>) -> Result<Variant, Error> {
    let value = cursor.value()?;
    let done = match texts(value).or_else(|| numbers(value)) {
        Some(done) => done,
        None => built(&mut value.events(), cursor.left())?,
    };
    cursor.skip()?;
    Ok(done)
}

/// Reads a value that consists of texts. `None` if it is another value or a text is not UTF-8.
fn texts(value: VariantRef<'_>) -> Option<Variant> {
    fn all<'a>(texts: impl Iterator<Item = Result<StrRef<'a>, Error>>) -> Option<Vec<Text>> {
        texts
            .map(|text| Some(text.ok()?.with_mark().to_str().ok()?.into()))
            .collect()
    }
    Some(match value.kind() {
        Kind::NodePath => {
            let path = value.as_node_path()?;
            let (names, subnames) = (all(path.names())?, all(path.subnames())?);
            let absolute = path.is_absolute();
            let path = NodePath {
                names,
                subnames,
                absolute,
            };
            path.into()
        }
        Kind::PackedStringArray => Variant::PackedStringArray(all(value.as_strings()?.iter())?),
        _ => return None,
    })
}

/// Reads a value that consists of numbers.
fn numbers(value: VariantRef<'_>) -> Option<Variant> {
    match value.kind() {
        Kind::Object | Kind::Signal | Kind::String | Kind::StringName => None,
        // A text in it is not UTF-8. The walk of events finds out which.
        Kind::NodePath | Kind::PackedStringArray => None,
        _ if value.has_children() => None,
        _ => match value.as_packed() {
            Some(packed) => Some(copy(packed)),
            None => scalar(value),
        },
    }
}
