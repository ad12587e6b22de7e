//! What strict mode asks of plain values beyond the engine: canonical forms, the types that containers name, and no key
//! twice. The loop over plain values (`walk/validate.rs`) asks; a value that is refused here is looked at again
//! by the careful step (`walk/steps.rs`), which says what is wrong with it, or that nothing is.

use gdvar_wire::{Dialect, ElementTyping, HeaderWord, Kind, NODE_PATH_ABSOLUTE, TypeId};

use crate::{
    bytes::{
        head::{self, Padding},
        plain::{self, Plain, Rest},
        text,
    },
    options::ReadOptions,
    walk::{
        stack::{Frame, type_code},
        validate::Checks,
    },
};

/// Validation in strict mode.
pub(crate) struct Strict<'k> {
    pub(crate) keys: &'k mut KeyLog,
}

#[cfg(feature = "alloc")]
pub(crate) use crate::walk::key_log::KeyLog;

/// Without a heap nothing is remembered, and repeated keys are not found.
#[cfg(not(feature = "alloc"))]
#[derive(Clone, Default)]
pub(crate) struct KeyLog;

#[cfg(not(feature = "alloc"))]
impl KeyLog {
    fn add_plain(&mut self, _: &[u8], _: &[u8], _: u16, _: ReadOptions) {}

    fn open(&mut self, _: usize) {}

    fn close_distinct(&mut self) -> bool {
        true
    }
}

impl Checks for Strict<'_> {
    const TEXT: bool = true;
    const STRICT: bool = true;

    #[inline(always)]
    fn text<'a>(&self, value: &'a [u8], len: u32) -> Option<&'a [u8]> {
        let end = plain::text_end(value, 8, len)?;
        text::canonical(value.get(4..)?, len as usize, end - 8)
    }

    #[inline(always)]
    fn admits_fixed(&self, rest: &[u8], (word, second): (u32, u32), options: ReadOptions) -> bool {
        let is_canonical = |kind, wide| head::check_scalar(rest, 4, kind, wide, options).is_ok();
        match word {
            plain::BOOL => second <= 1,
            // Every float but NaN and infinity, without a look at the dialect.
            plain::FLOAT => second >> 23 & 0xff != 0xff || is_canonical(Kind::Float, false),
            plain::WIDE_INT => is_canonical(Kind::Int, true),
            plain::WIDE_FLOAT => is_canonical(Kind::Float, true),
            _ => true,
        }
    }

    #[inline(never)]
    fn rare<'a>(&self, rest: &'a [u8], plain: Plain, options: ReadOptions) -> Option<&'a [u8]> {
        let behind = rest.get(plain.size..)?;
        match (plain.rest, plain.kind) {
            (Rest::Fields(count), Kind::NodePath) => {
                let flags = u32::from_le_bytes(*rest.get(12..)?.first_chunk()?);
                if flags & !NODE_PATH_ABSOLUTE != 0 {
                    return None;
                }
                fields(
                    behind,
                    count,
                    0,
                    head::ignores_padding(options, Padding::Name),
                )
            }
            // The length of an element counts the NUL that ends it.
            (Rest::Fields(count), _) => fields(behind, count, 1, false),
            (_, Kind::PackedByteArray) => {
                let (_, len) = plain::pair(rest, 0)?;
                let padding = rest.get(8 + len as usize..plain.size)?;
                padding.iter().all(|&byte| byte == 0).then_some(behind)
            }
            // An element type between header and count, of a container that is empty.
            (Rest::Children(_), _) => None,
            _ => Some(behind),
        }
    }

    #[inline(always)]
    fn types(&self, inner: &mut Frame, rest: &[u8], size: usize, options: ReadOptions) -> bool {
        // Types are words between header and count.
        size == 8 || types(inner, rest, size, options.dialect()).is_some()
    }

    #[inline(always)]
    fn key(&mut self, bytes: &[u8], rest: &[u8], depth: u16, options: ReadOptions) {
        self.keys.add_plain(bytes, rest, depth, options);
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

/// The bytes after `count` string fields that `rest` begins with, if they are canonical. The last `nul` bytes of each
/// are no text. `None` says nothing.
fn fields(rest: &[u8], count: u32, nul: usize, ignores_padding: bool) -> Option<&[u8]> {
    let mut rest = rest;
    for _ in 0..count {
        let len = u32::from_le_bytes(*rest.first_chunk()?);
        let end = plain::text_end(rest, 4, len)?;
        let len = (len as usize).checked_sub(nul)?;
        let size = if ignores_padding { len } else { end - 4 };
        text::canonical(rest, len, size)?;
        rest = rest.get(end..)?;
    }
    Some(rest)
}

/// Notes the builtin types that the container with which `rest` begins names for its children. `None` for the number of
/// null, which is no type.
#[inline]
fn types(inner: &mut Frame, rest: &[u8], size: usize, dialect: Dialect) -> Option<()> {
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

/// The number of null, which as an element type says that there is none.
const NO_TYPE: TypeId = TypeId(0);
