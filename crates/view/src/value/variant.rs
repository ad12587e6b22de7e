//! [`VariantRef`]: a value in the bytes.

use core::fmt;

use gdvar_wire::{
    Dialect, Element, F32, F64, HeaderWord, I32, Kind,
    math::{
        Aabb, Basis, Color, Components, Plane, Projection, Quaternion, Rect2, Transform2D,
        Transform3D, Vector2, Vector3, Vector4,
    },
    widen,
};

use crate::{
    bytes::{
        common::{self, Common},
        head::{self, BodyForm, Head},
    },
    error::Error,
    options::ReadOptions,
    value::real::Real,
};

/// A value in the bytes: a `Copy` handle of 32 bytes that borrows the buffer.
///
/// [`Document::root`](crate::Document::root) makes the first one; iterators, look-ups and paths return the
/// values inside it. A handle has [`VariantRef::kind`], and an `as_*` method for each kind, which returns
/// `None` if the value is of another kind. [`VariantRef::read`] turns the value into a Rust type.
///
/// Everything that costs O(1) was checked when the handle was made: the header, the fixed payload, and
/// that the bytes are long enough for the count. So the `as_*` methods cannot fail. Text
/// ([`StrRef::to_str`](crate::StrRef::to_str)) and children (iterators, `get`) are read when they are
/// asked for, and return a `Result`.
///
/// ```
/// use gdvar_view::{Dialect, Document, Kind};
///
/// // 7
/// let value = Document::new(&[2, 0, 0, 0, 7, 0, 0, 0], Dialect::GODOT_4).root()?;
/// assert_eq!(value.kind(), Kind::Int);
/// assert_eq!(value.as_i64(), Some(7));
/// assert_eq!(value.as_f64(), None);
/// assert_eq!(value.as_number(), Some(7.0));
/// # Ok::<(), gdvar_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct VariantRef<'a> {
    bytes: &'a [u8],
    offset: usize,
    /// Options, depth, kind and width in one number.
    ///
    /// ```text
    /// bit 56                                   55 … 48   47 … 32    31 … 0
    ///     64 bits wide, or an object by its id  the kind  the depth  the options
    /// ```
    // Separate fields would be stored one by one and loaded together, and that load has to wait for all
    // its stores: lazy loops with `pass` took 1.3 to 1.6 times as long, `write_godot` 1.4 times
    // (`gdvar-benches --only saves`).
    bits: u64,
}

const _: () = assert!(size_of::<VariantRef<'_>>() <= 32);

const DEPTH: u32 = 32;
const KIND: u32 = 48;
const WIDE: u64 = 1 << 56;

/// The kinds by their numbers, so that a look-up needs no branch.
static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Nil; 256];
    let mut n = 0;
    while n < Kind::ALL.len() {
        kinds[Kind::ALL[n] as usize] = Kind::ALL[n];
        n += 1;
    }
    kinds
};

macro_rules! real_getters {
    ($($(#[$doc:meta])* $name:ident, $name_f64:ident, $real:ident: $kind:ident, $n:literal;)*) => {$(
        $(#[$doc])*
        #[doc = concat!(
            "\n\n`None` for other kinds, and for 64-bit components, which a double-precision build writes: use [`Self::",
            stringify!($name_f64), "`] for those; `.map(narrow)` rounds its result to `f32`.",
        )]
        #[inline]
        #[must_use]
        pub fn $name(self) -> Option<$kind<f32>> {
            match self.$real()? {
                Real::Single(value) => Some(value),
                Real::Double(_) => None,
            }
        }

        $(#[$doc])*
        /// The components are `f64`, whatever their width in the bytes. `None` for other kinds.
        #[inline]
        #[must_use]
        pub fn $name_f64(self) -> Option<$kind<f64>> {
            Some(match self.$real()? {
                Real::Single(value) => value.map(widen),
                Real::Double(value) => value,
            })
        }

        $(#[$doc])*
        /// The components have the width that they have in the bytes. `None` for other kinds.
        #[inline]
        #[must_use]
        pub fn $real(self) -> Option<Real<$kind<f32>, $kind<f64>>> {
            Some(if self.has_wide_bit() {
                let raw: [F64; $n] = self.components(Kind::$kind)?;
                Real::Double(<$kind<f64>>::from(raw.map(F64::get)))
            } else {
                let raw: [F32; $n] = self.components(Kind::$kind)?;
                Real::Single(<$kind<f32>>::from(raw.map(F32::get)))
            })
        }
    )*};
}

impl<'a> VariantRef<'a> {
    /// Reads the head at `offset`, in O(1), and returns the value and its head.
    #[inline]
    pub(crate) fn new(
        bytes: &'a [u8],
        offset: usize,
        options: ReadOptions,
        depth: u16,
    ) -> Result<(VariantRef<'a>, Head), Error> {
        let head = head::any_head(bytes, offset, options, depth)?;
        Ok((
            VariantRef::known(bytes, offset, options, depth, (head.kind, head.wide)),
            head,
        ))
    }

    /// The child of this container that starts at `at`.
    #[inline(always)]
    pub(crate) fn child_at(self, at: usize) -> Result<VariantRef<'a>, Error> {
        let (bytes, options, depth) = (self.bytes, self.options(), self.depth().saturating_add(1));
        if options.admits(depth) && !options.forbids_shortcuts() {
            let rest = bytes.get(at..).unwrap_or_default();
            if let Some(common) = common::decode(rest, options.dialect()) {
                return Ok(VariantRef::common(bytes, at, options, depth, common));
            }
        }
        Ok(VariantRef::new(bytes, at, options, depth)?.0)
    }

    /// A placeholder for a handle that will be set later.
    pub(crate) const fn nothing(bytes: &'a [u8], options: ReadOptions) -> VariantRef<'a> {
        VariantRef::known(bytes, bytes.len(), options, 0, (Kind::Nil, false))
    }

    /// The value at `offset`, whose head was decoded as a common one.
    #[inline(always)]
    pub(crate) const fn common(
        bytes: &'a [u8],
        offset: usize,
        options: ReadOptions,
        depth: u16,
        common: Common,
    ) -> VariantRef<'a> {
        VariantRef::known(bytes, offset, options, depth, (common.kind, common.wide))
    }

    /// The value at `offset`, whose kind and width are known.
    #[inline(always)]
    pub(crate) const fn known(
        bytes: &'a [u8],
        offset: usize,
        options: ReadOptions,
        depth: u16,
        (kind, wide): (Kind, bool),
    ) -> VariantRef<'a> {
        let wide = if wide { WIDE } else { 0 };
        VariantRef {
            bytes,
            offset,
            bits: options.bits() as u64 | (depth as u64) << DEPTH | (kind as u64) << KIND | wide,
        }
    }

    /// Decodes the head again. It was valid when the handle was made, so this gives `Some`.
    #[inline]
    pub(crate) fn head(self) -> Option<Head> {
        head::any_head(self.bytes, self.offset, self.options(), self.depth()).ok()
    }

    #[inline]
    pub(crate) fn head_of(self, kind: Kind) -> Option<Head> {
        if self.is(kind) { self.head() } else { None }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The options with which the value is read.
    #[inline]
    #[must_use]
    pub const fn options(self) -> ReadOptions {
        ReadOptions::known(self.bits as u32)
    }

    /// The first byte of the value, counted from the start of the buffer.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The number of containers that this value is nested in. The outermost value has depth 0.
    #[inline]
    #[must_use]
    pub const fn depth(self) -> u16 {
        (self.bits >> DEPTH) as u16
    }

    /// The dialect in which the value is read.
    #[must_use]
    pub const fn dialect(self) -> Dialect {
        self.options().dialect()
    }

    /// The header word: the first four bytes of the value ([`docs/FORMAT.md` §2]).
    ///
    /// [`docs/FORMAT.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#2-header-word
    #[inline]
    #[must_use]
    pub fn header(self) -> HeaderWord {
        HeaderWord(head::word(self.bytes, self.offset).unwrap_or(0))
    }

    /// The kind of the value. Unlike the type number in the header, it means the same in every dialect.
    #[doc(alias = "typeof")]
    #[doc(alias = "get_type")]
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        KINDS[(self.bits >> KIND) as u8 as usize]
    }

    #[inline(always)]
    const fn has_wide_bit(self) -> bool {
        self.bits & WIDE != 0
    }

    #[inline(always)]
    const fn is(self, kind: Kind) -> bool {
        (self.bits >> KIND) as u8 == kind as u8
    }

    /// The `N` numbers of the payload. `None` unless the value is of this kind.
    #[inline]
    fn components<T: Element, const N: usize>(self, kind: Kind) -> Option<[T; N]> {
        if !self.is(kind) {
            return None;
        }
        let payload = self.bytes.get(self.offset..)?.get(4..)?;
        let (numbers, _) = zerocopy::FromBytes::read_from_prefix(payload).ok()?;
        Some(numbers)
    }

    /// Returns `true` if the value is null: Nil, or an object that the engine reads as null
    /// ([`ObjectRef::is_null`](crate::ObjectRef::is_null)).
    #[inline]
    #[must_use]
    pub fn is_nil(self) -> bool {
        match self.kind() {
            Kind::Nil => true,
            Kind::Object => self.as_object().is_some_and(|object| object.is_null()),
            _ => false,
        }
    }

    /// The first `N` bytes of the payload, which was checked when the handle was made.
    #[inline]
    pub(crate) fn payload<const N: usize>(self) -> Option<[u8; N]> {
        let value = self.bytes.get(self.offset..)?;
        value.get(4..)?.first_chunk().copied()
    }

    /// The value of a Bool. Every word other than 0 is `true`, as in the engines. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        if !self.is(Kind::Bool) {
            return None;
        }
        self.payload::<4>().map(|raw| raw != [0; 4])
    }

    /// The value of an Int, of either width. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        if !self.is(Kind::Int) {
            return None;
        }
        if self.has_wide_bit() {
            self.payload().map(i64::from_le_bytes)
        } else {
            self.payload().map(|raw| i64::from(i32::from_le_bytes(raw)))
        }
    }

    /// The value of a Float, of either width. `None` for other kinds; [`VariantRef::as_number`] takes an
    /// Int too.
    #[inline]
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        if !self.is(Kind::Float) {
            return None;
        }
        if self.has_wide_bit() {
            self.payload().map(f64::from_le_bytes)
        } else {
            self.payload().map(|raw| widen(f32::from_le_bytes(raw)))
        }
    }

    /// The value of a Float or an Int, as `f64`. An Int above 2⁵³ is rounded. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_number(self) -> Option<f64> {
        self.as_f64()
            .or_else(|| self.as_i64().map(|int| int as f64))
    }

    /// Returns `true` if the numbers of the payload have 64 bits ([`docs/FORMAT.md` §2]).
    ///
    /// [`docs/FORMAT.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#2-header-word
    #[must_use]
    pub const fn is_wide(self) -> bool {
        self.has_wide_bit() && !self.is(Kind::Object)
    }

    real_getters! {
        /// A `Vector2`.
        as_vector2, as_vector2_f64, as_vector2_real: Vector2, 2;
        /// A `Vector3`.
        as_vector3, as_vector3_f64, as_vector3_real: Vector3, 3;
        /// A `Vector4`.
        as_vector4, as_vector4_f64, as_vector4_real: Vector4, 4;
        /// A `Rect2`.
        as_rect2, as_rect2_f64, as_rect2_real: Rect2, 4;
        /// A `Transform2D`.
        as_transform2d, as_transform2d_f64, as_transform2d_real: Transform2D, 6;
        /// A `Plane`.
        as_plane, as_plane_f64, as_plane_real: Plane, 4;
        /// A `Quaternion`.
        as_quaternion, as_quaternion_f64, as_quaternion_real: Quaternion, 4;
        /// An `AABB`.
        as_aabb, as_aabb_f64, as_aabb_real: Aabb, 6;
        /// A `Basis`.
        as_basis, as_basis_f64, as_basis_real: Basis, 9;
        /// A `Transform3D`.
        as_transform3d, as_transform3d_f64, as_transform3d_real: Transform3D, 12;
        /// A `Projection`.
        as_projection, as_projection_f64, as_projection_real: Projection, 16;
    }

    #[inline]
    fn ints<const N: usize>(self, kind: Kind) -> Option<[i32; N]> {
        let raw: [I32; N] = self.components(kind)?;
        Some(raw.map(I32::get))
    }

    /// A `Vector2i`. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_vector2i(self) -> Option<Vector2<i32>> {
        self.ints(Kind::Vector2i).map(Vector2::from)
    }

    /// A `Vector3i`. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_vector3i(self) -> Option<Vector3<i32>> {
        self.ints(Kind::Vector3i).map(Vector3::from)
    }

    /// A `Vector4i`. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_vector4i(self) -> Option<Vector4<i32>> {
        self.ints(Kind::Vector4i).map(Vector4::from)
    }

    /// A `Rect2i`. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_rect2i(self) -> Option<Rect2<i32>> {
        self.ints(Kind::Rect2i).map(Rect2::from)
    }

    /// A `Color`, which has 32-bit components in every build. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_color(self) -> Option<Color<f32>> {
        let raw: [F32; 4] = self.components(Kind::Color)?;
        Some(Color::from(raw.map(F32::get)))
    }

    /// The number of a `RID`; 0 in dialects that do not write it. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_rid(self) -> Option<u64> {
        let head = self.head_of(Kind::Rid)?;
        Some(
            head::array(self.bytes, head.body)
                .filter(|_| head.next > head.body)
                .map_or(0, u64::from_le_bytes),
        )
    }

    /// An `Image`, which only Godot 2 writes. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_image(self) -> Option<ImageRef<'a>> {
        let head = self.head_of(Kind::Image)?;
        let field = |n: usize| head::word(self.bytes, head.body + 4 * n).ok();
        let start = head.body + 20;
        Some(ImageRef {
            format: field(0)?,
            mipmaps: field(1)?,
            width: field(2)?,
            height: field(3)?,
            data: self.bytes.get(start..start + field(4)? as usize)?,
        })
    }

    /// An `InputEvent`, which only Godot 2 writes. `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_input_event(self) -> Option<InputEventRef<'a>> {
        let head = self.head_of(Kind::InputEvent)?;
        Some(InputEventRef {
            kind: head::word(self.bytes, head.body).ok()?,
            device: head::array(self.bytes, head.body + 4).map(i32::from_le_bytes)?,
            body: self.bytes.get(head.body + 12..head.next)?,
        })
    }

    /// Returns `true` for a container, even an empty one: an Array or Dictionary, typed or not, or a whole
    /// object.
    #[inline]
    #[must_use]
    pub fn has_children(self) -> bool {
        self.head().is_some_and(|head| {
            matches!(
                head.form,
                BodyForm::Items | BodyForm::Pairs | BodyForm::Properties
            )
        })
    }
}

/// Writes numbers in parentheses.
fn fmt_components(all: &[impl fmt::Debug], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (n, number) in all.iter().enumerate() {
        write!(f, "{}{number:?}", if n > 0 { ", " } else { "(" })?;
    }
    f.write_str(")")
}

impl fmt::Debug for VariantRef<'_> {
    /// Writes kind, contents and offset on one line: `Float(1.5) at 0x8`. For a container and a packed array
    /// it writes only the number of children, so that printing a value never walks over a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)?;
        if let Some(flag) = self.as_bool() {
            write!(f, "({flag})")?;
        } else if let Some(int) = self.as_i64() {
            write!(f, "({int})")?;
        } else if let Some(float) = self.as_f64() {
            write!(f, "({float:?})")?;
        } else if let Some(text) = self.as_text() {
            write!(f, "({text:?})")?;
        } else if let (true, Some(head)) = (
            self.kind().is_container() || self.kind().is_packed(),
            self.head(),
        ) {
            write!(f, "({} children)", head.count)?;
        } else {
            macro_rules! components {
                ($($get:ident)*) => {$(
                    if let Some(math) = self.$get() {
                        fmt_components(&math.components(), f)?;
                    }
                )*};
            }
            components! {
                as_vector2_f64 as_vector3_f64 as_vector4_f64 as_rect2_f64 as_plane_f64 as_quaternion_f64
                as_aabb_f64 as_basis_f64 as_transform2d_f64 as_transform3d_f64 as_projection_f64
                as_vector2i as_vector3i as_vector4i as_rect2i as_color
            }
        }
        write!(f, " at {:#x}", self.offset)
    }
}

/// An `Image` of Godot 2 ([`docs/FORMAT.md` §3.3]): made by [`VariantRef::as_image`]. The pixels are not
/// decoded.
///
/// [`docs/FORMAT.md` §3.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#33-variable-size-scalars
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageRef<'a> {
    /// The number of the pixel format.
    pub format: u32,
    /// The number of mipmaps.
    pub mipmaps: u32,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels, in the pixel format.
    pub data: &'a [u8],
}

/// An `InputEvent` of Godot 2 ([`docs/FORMAT.md` §3.3]): made by [`VariantRef::as_input_event`]. Its fields
/// after the device are not decoded.
///
/// [`docs/FORMAT.md` §3.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#33-variable-size-scalars
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputEventRef<'a> {
    /// The number of the kind of event.
    pub kind: u32,
    /// The number of the device.
    pub device: i32,
    /// The bytes after the device.
    pub body: &'a [u8],
}
