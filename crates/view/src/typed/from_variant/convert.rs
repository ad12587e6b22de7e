//! How a value becomes a Rust type, from a handle or from plain bytes: what implementations of
//! [`FromVariant`] share.

use gdvar_wire::Limits;

use crate::{
    bytes::common,
    error::{Error, ErrorKind},
    options::{ReadOptions, SHORTCUTS},
    typed::{from_variant::FromVariant, mismatch::Mismatch},
    value::variant::VariantRef,
    walk::{children::Children, skip},
};

/// The number of values that may be entered by recursion: only a type that contains itself goes as deep.
/// A level takes a few kilobytes of stack, and threads have two megabytes.
pub(crate) const LEVELS: u8 = 64;

/// The number of levels that an attempt at the expected form goes down.
const ATTEMPT: u8 = 8;

/// `from_variant` of a type that implements [`FromVariant::convert`].
macro_rules! by_convert {
    () => {
        #[inline]
        fn from_variant(value: VariantRef<'a>) -> Result<Self, Mismatch> {
            value.read()
        }
    };
}
pub(crate) use by_convert;

/// Reads a value by its type's own [`FromVariant::from_variant`], which may enter at most `levels` more
/// levels. The limit is put into the value's options, because nothing else passes through code of users.
pub(super) fn by_user<'a, T: FromVariant<'a>>(
    value: VariantRef<'a>,
    levels: u8,
) -> Result<T, Mismatch> {
    let (options, depth) = (value.options(), value.depth());
    let deepest = options.max_depth().min(depth.saturating_add(levels.into()));
    let options = options.with_limits(Limits::ENGINE.with_max_depth(deepest));
    T::from_variant(VariantRef::new(value.bytes(), value.offset(), options, depth)?.0)
}

/// The offset of the next child and the number of those left, if the expected form may be tried on them.
#[inline(always)]
pub(crate) fn expected(children: &Children<'_>) -> Option<(usize, u64)> {
    if SHORTCUTS {
        children.fast_position()
    } else {
        None
    }
}

/// The end of the next child, and the child, if it has the expected form.
#[inline(always)]
pub(super) fn next_plainly<'a, T: FromVariant<'a>>(
    children: &Children<'a>,
    levels: u8,
) -> Option<(usize, T)> {
    let (at, 1..) = expected(children)? else {
        return None;
    };
    let place = Place::of(children, levels).once();
    let rest = place.bytes.get(at..)?;
    let (header, _) = common::words(rest.first_chunk()?);
    let (child, behind) = T::expect(header, rest, place)?;
    Some((place.offset(behind), child))
}

/// One level less, if there is one left.
pub(crate) fn enter(value: VariantRef<'_>, levels: u8) -> Result<u8, Mismatch> {
    levels.checked_sub(1).ok_or_else(|| {
        let limit = LEVELS.into();
        Mismatch::from(Error::new(
            value.offset(),
            ErrorKind::DepthExceeded { limit },
        ))
    })
}

/// The bytes that values stand in, how they are read, and how deep.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) options: ReadOptions,
    pub(crate) depth: u16,
    /// The number of values that may be entered by recursion.
    pub(crate) levels: u8,
}

impl<'a> Place<'a> {
    /// The place of the children of a container.
    #[inline(always)]
    pub(crate) fn of(children: &Children<'a>, levels: u8) -> Place<'a> {
        Place {
            bytes: children.owner().bytes(),
            options: children.owner().options(),
            depth: children.depth(),
            levels,
        }
    }

    /// The place of the children of a value at this place, if it may have any.
    #[inline(always)]
    pub(crate) fn inside(self) -> Option<Place<'a>> {
        let levels = self.levels.checked_sub(1)?;
        let depth = self.options.inside(self.depth)?;
        Some(Place {
            depth,
            levels,
            ..self
        })
    }

    /// The place of a value, and the value and all behind it; `None` if it is to be read with care.
    #[inline]
    pub(crate) fn before(value: VariantRef<'a>) -> Option<(Place<'a>, &'a [u8])> {
        let options = value.options();
        let place = Place {
            bytes: value.bytes(),
            options,
            depth: value.depth(),
            levels: LEVELS,
        };
        let rest = value.bytes().get(value.offset()..)?;
        place.expects().then_some((place.once(), rest))
    }

    /// True if the expected form may be tried on values here.
    #[inline(always)]
    pub(crate) fn expects(self) -> bool {
        SHORTCUTS && !self.options.forbids_shortcuts()
    }

    /// The offset of the value that `rest`, the end of the bytes, starts with.
    #[inline(always)]
    pub(crate) fn offset(self, rest: &[u8]) -> usize {
        self.bytes.len() - rest.len()
    }

    /// The value that `rest`, the end of the bytes, starts with.
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

    /// The value that `rest` starts with, as a type without values of other types inside, and the bytes
    /// behind it.
    #[inline(never)]
    pub(crate) fn value<T: FromVariant<'a>>(self, rest: &'a [u8]) -> Option<(T, &'a [u8])> {
        let value = self.handle(rest).ok()?;
        let end = skip::value(self.bytes, value.offset(), self.options, self.depth).ok()?;
        let field = T::convert(value, 0).ok()?;
        Some((field, self.bytes.get(end..)?))
    }

    /// This place for an attempt at the expected form, which does not go deep: so a value is part of few
    /// attempts that are in vain.
    #[inline(always)]
    pub(crate) fn once(self) -> Place<'a> {
        let levels = self.levels.min(ATTEMPT);
        Place { levels, ..self }
    }
}
