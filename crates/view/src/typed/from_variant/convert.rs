//! What implementations of [`FromVariant`](super::FromVariant) share: the context of a value, and the
//! limits of recursion.

use crate::{
    bytes::common,
    error::{Error, ErrorKind},
    options::{ReadOptions, SHORTCUTS},
    typed::mismatch::Mismatch,
    value::variant::VariantRef,
    walk::children::Children,
};

/// The deepest recursion into values. Only a type that contains itself recurses this deep. A level takes a few
/// kilobytes of stack, and threads have two megabytes.
pub(crate) const LEVELS: u8 = 64;

/// The deepest recursion of an attempt at the expected form.
const ATTEMPT_LEVELS: u8 = 8;

/// Implements `from_variant` for a type that implements [`FromVariant::convert`](super::FromVariant::convert).
macro_rules! by_convert {
    () => {
        #[inline]
        fn from_variant(value: VariantRef<'a>) -> Result<Self, Mismatch> {
            value.read()
        }
    };
}
pub(crate) use by_convert;

/// Returns the offset of the next child and the number of children left, if the expected form may be tried on
/// them.
#[inline(always)]
pub(crate) fn expected(children: &Children<'_>) -> Option<(usize, u64)> {
    if SHORTCUTS {
        children.fast_position()
    } else {
        None
    }
}

/// Returns one level less than `levels`. Fails at `value` if no level is left.
pub(crate) fn enter(value: VariantRef<'_>, levels: u8) -> Result<u8, Mismatch> {
    levels.checked_sub(1).ok_or_else(|| {
        let limit = LEVELS.into();
        Mismatch::from(Error::new(
            value.offset(),
            ErrorKind::DepthExceeded { limit },
        ))
    })
}

/// The context in which a value is read: the buffer, the options and the depth.
#[derive(Clone, Copy, Debug)]
pub struct ReadContext<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) options: ReadOptions,
    /// How deep the value is nested; the outermost value has depth 0.
    pub(crate) depth: u16,
    /// The number of levels that recursion may still go down.
    pub(crate) levels: u8,
}

impl<'a> ReadContext<'a> {
    /// The context of the children of a container.
    #[inline(always)]
    pub(crate) fn of(children: &Children<'a>, levels: u8) -> ReadContext<'a> {
        ReadContext {
            bytes: children.owner().bytes(),
            options: children.owner().options(),
            depth: children.depth(),
            levels,
        }
    }

    /// The context of the children of a value in this context; `None` at a depth limit.
    #[inline(always)]
    pub(crate) fn inside(self) -> Option<ReadContext<'a>> {
        let levels = self.levels.checked_sub(1)?;
        let depth = self.options.inside(self.depth)?;
        Some(ReadContext {
            depth,
            levels,
            ..self
        })
    }

    /// Returns the context of `value` and the bytes from `value` on, or `None` if its expected form must not be
    /// tried.
    #[inline]
    pub(crate) fn before(value: VariantRef<'a>) -> Option<(ReadContext<'a>, &'a [u8])> {
        let options = value.options();
        let context = ReadContext {
            bytes: value.bytes(),
            options,
            depth: value.depth(),
            levels: LEVELS,
        };
        let rest = value.bytes().get(value.offset()..)?;
        context.expects().then_some((context.for_attempt(), rest))
    }

    /// True if the expected form may be tried.
    #[inline(always)]
    pub(crate) fn expects(self) -> bool {
        SHORTCUTS && !self.options.forbids_shortcuts()
    }

    /// The offset of `rest`, a tail of the buffer.
    #[inline(always)]
    pub(crate) fn offset(self, rest: &[u8]) -> usize {
        self.bytes.len() - rest.len()
    }

    /// A handle of the value at the start of `rest`, a tail of the buffer.
    #[inline]
    pub(crate) fn handle(self, rest: &'a [u8]) -> Result<VariantRef<'a>, Error> {
        let (bytes, options, depth) = (self.bytes, self.options, self.depth);
        let at = self.offset(rest);
        if !options.forbids_shortcuts() {
            if let Some(common) = common::decode(rest, options.dialect()) {
                return Ok(VariantRef::common(bytes, at, options, depth, common));
            }
        }
        Ok(VariantRef::new(bytes, at, options, depth)?.0)
    }

    /// Limits the context to [`ATTEMPT_LEVELS`] levels for one attempt at the expected form. Then only few
    /// failed attempts can contain the same value.
    #[inline(always)]
    pub(crate) fn for_attempt(self) -> ReadContext<'a> {
        let levels = self.levels.min(ATTEMPT_LEVELS);
        ReadContext { levels, ..self }
    }
}
