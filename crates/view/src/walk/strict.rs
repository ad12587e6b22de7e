//! What strict mode checks in common values beyond the engine: canonical forms, the types that containers
//! name, and that no key occurs twice.
//!
//! The fast loop (`walk/fast_loop.rs`) calls these checks. A refusal here is not an error yet: a checked step
//! (`walk/steps.rs`) reads the value again, and reports the error or accepts the value.

use gdvar_wire::{Dialect, ElementTyping, HeaderWord, Kind, NODE_PATH_ABSOLUTE, TypeId};

#[cfg(not(feature = "alloc"))]
use crate::value::variant::VariantRef;
use crate::{
    bytes::{
        common::{self, Common, Rest},
        field::{Padding, ignores_padding},
        head, text,
    },
    options::ReadOptions,
    walk::{
        checks::Checks,
        stack::{OpenContainer, type_code},
    },
};

/// The checks of strict mode.
pub(crate) struct Strict<'k> {
    pub(crate) keys: &'k mut KeyLog,
}

#[cfg(feature = "alloc")]
pub(crate) use crate::walk::keys::log::KeyLog;

/// Without a heap no key is remembered, so repeated keys are not found.
#[cfg(not(feature = "alloc"))]
#[derive(Clone, Default)]
pub(crate) struct KeyLog;

#[cfg(not(feature = "alloc"))]
impl KeyLog {
    pub(crate) fn open(&mut self, _: usize) {}

    pub(crate) fn add(&mut self, _: VariantRef<'_>) {}

    fn add_common(&mut self, _: &[u8], _: &[u8], _: u16, _: ReadOptions) {}

    fn close_distinct(&mut self) -> bool {
        true
    }
}

impl Checks for Strict<'_> {
    const TEXT: bool = true;
    const STRICT: bool = true;

    #[inline(always)]
    fn text<'a>(&self, value: &'a [u8], len: u32) -> Option<&'a [u8]> {
        let end = common::text_end(value, 8, len)?;
        text::canonical(value.get(4..)?, len as usize, end - 8)
    }

    #[inline(always)]
    fn admits_fixed(&self, rest: &[u8], (word, second): (u32, u32), options: ReadOptions) -> bool {
        let is_canonical = |kind, wide| head::check_scalar(rest, 4, kind, wide, options).is_ok();
        match word {
            common::BOOL => second <= 1,
            // Accepts every float except NaN and infinity without asking the dialect.
            common::FLOAT => second >> 23 & 0xff != 0xff || is_canonical(Kind::Float, false),
            common::WIDE_INT => is_canonical(Kind::Int, true),
            common::WIDE_FLOAT => is_canonical(Kind::Float, true),
            _ => true,
        }
    }

    #[inline(never)]
    fn rare<'a>(&self, rest: &'a [u8], value: Common, options: ReadOptions) -> Option<&'a [u8]> {
        let after = rest.get(value.size..)?;
        match (value.rest, value.kind) {
            (Rest::Fields(count), Kind::NodePath) => {
                let flags = u32::from_le_bytes(*rest.get(12..)?.first_chunk()?);
                if flags & !NODE_PATH_ABSOLUTE != 0 {
                    return None;
                }
                fields(after, count, 0, ignores_padding(options, Padding::Name))
            }
            // The length of an element counts the NUL that ends it.
            (Rest::Fields(count), _) => fields(after, count, 1, false),
            (_, Kind::PackedByteArray) => {
                let (_, len) = common::pair(rest, 0)?;
                let padding = rest.get(8 + len as usize..value.size)?;
                padding.iter().all(|&byte| byte == 0).then_some(after)
            }
            // An empty container with an element type. A checked step decides.
            (Rest::Children(_), _) => None,
            _ => Some(after),
        }
    }

    #[inline(always)]
    fn types(
        &self,
        inner: &mut OpenContainer,
        rest: &[u8],
        size: usize,
        options: ReadOptions,
    ) -> bool {
        // Without type words between header and count, the first child is at 8.
        size == 8 || types(inner, rest, size, options.dialect()).is_some()
    }

    #[inline(always)]
    fn key(&mut self, bytes: &[u8], rest: &[u8], depth: u16, options: ReadOptions) {
        self.keys.add_common(bytes, rest, depth, options);
    }

    #[inline(always)]
    fn begin(&mut self, at: usize) {
        self.keys.open(at);
    }

    #[inline(always)]
    fn end(&mut self) -> bool {
        self.keys.close_distinct()
    }
}

/// Returns the bytes after `count` canonical string fields at the start of `rest`. The last `nul` bytes of
/// each are not text. `None` if a checked step has to decide.
fn fields(rest: &[u8], count: u32, nul: usize, ignores_padding: bool) -> Option<&[u8]> {
    let mut rest = rest;
    for _ in 0..count {
        let len = u32::from_le_bytes(*rest.first_chunk()?);
        let end = common::text_end(rest, 4, len)?;
        let len = (len as usize).checked_sub(nul)?;
        let size = if ignores_padding { len } else { end - 4 };
        text::canonical(rest, len, size)?;
        rest = rest.get(end..)?;
    }
    Some(rest)
}

/// Stores the builtin types that the container at the start of `rest` names for its children. `None` if a
/// type is null, which names no type.
#[inline]
fn types(inner: &mut OpenContainer, rest: &[u8], size: usize, dialect: Dialect) -> Option<()> {
    let (words, _) = rest.split_first_chunk::<12>()?;
    let word = |at: usize| -> u32 {
        let raw = words.get(at..).and_then(<[u8]>::first_chunk);
        raw.map_or(0, |raw| u32::from_le_bytes(*raw))
    };
    let is_first_typed = HeaderWord(word(0)).flags().element_typing() != ElementTyping::None;
    let id = |at: usize| TypeId(word(at) as u8);
    let (first, second) = match (is_first_typed, size > 12) {
        (true, true) => (id(4), id(8)),
        (true, false) => (id(4), NO_TYPE),
        (false, _) => (NO_TYPE, id(4)),
    };
    let is_named = word(4) != 0 && (size == 12 || word(8) != 0);
    inner.expect(type_code(first, dialect), type_code(second, dialect));
    is_named.then_some(())
}

/// The type number of null. As an element type it means any type.
const NO_TYPE: TypeId = TypeId(0);
