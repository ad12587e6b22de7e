//! [`Visitor`]: all values pushed to the caller, for the time it takes to look at them.

use gdvar_wire::{Kind, pad4, widen};

use crate::{
    error::Error,
    events::Role,
    fast::{self, Pending},
    open::Frame,
    options::ReadOptions,
    plain::{self, Plain},
    text::StrRef,
    variant::VariantRef,
    walk::{Step, Walk},
};

use records::Known;

/// What is to be done with each value of a walk: [`Document::visit`](crate::Document::visit)
/// calls it for all of them in order.
///
/// It is the fastest way to look at everything, as most values reach the visitor as numbers in
/// registers. What a visitor does not implement is passed over. To stop early, or to pull from
/// several sources, take [`Events`](crate::Events); both give the same values.
///
/// ```
/// use gdvar_view::{Dialect, Document, Role, Visitor};
///
/// #[derive(Default)]
/// struct Sum(i64);
///
/// impl Visitor<'_> for Sum {
///     fn int(&mut self, _: Role, value: i64) {
///         self.0 += value;
///     }
/// }
///
/// // [1, [2]]
/// let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0";
/// let mut sum = Sum::default();
/// Document::new(bytes, Dialect::GODOT_4).visit(&mut sum)?;
/// assert_eq!(sum.0, 3);
/// # Ok::<(), gdvar_view::Error>(())
/// ```
#[expect(unused_variables, reason = "what is not implemented is passed over")]
pub trait Visitor<'a> {
    /// A null.
    #[inline]
    fn nil(&mut self, role: Role) {}

    /// A `bool`.
    #[inline]
    fn bool(&mut self, role: Role, value: bool) {}

    /// An `int`, of either width.
    #[inline]
    fn int(&mut self, role: Role, value: i64) {}

    /// A `float`, of either width.
    #[inline]
    fn float(&mut self, role: Role, value: f64) {}

    /// A String or StringName. Its text was validated.
    #[inline]
    fn text(&mut self, role: Role, text: StrRef<'a>) {}

    /// Any other value without children: vectors, packed arrays, ids, null objects.
    #[inline]
    fn value(&mut self, role: Role, value: VariantRef<'a>) {}

    /// An Array, Dictionary, typed array or whole object. Its children follow, then
    /// [`Visitor::end`]. The children of a Dictionary are keys and values in turn.
    #[inline]
    fn begin(&mut self, role: Role, value: VariantRef<'a>) {}

    /// The name of a property; its value follows.
    #[inline]
    fn property(&mut self, name: StrRef<'a>) {}

    /// The end of the container begun last.
    #[inline]
    fn end(&mut self) {}
}

/// Hands a value without children to the method that is for it.
#[inline(never)]
fn deliver<'a>(visitor: &mut impl Visitor<'a>, role: Role, value: VariantRef<'a>) {
    match value.kind() {
        Kind::Nil => visitor.nil(role),
        Kind::Bool => visitor.bool(role, value.as_bool().unwrap_or_default()),
        Kind::Int => visitor.int(role, value.as_i64().unwrap_or_default()),
        Kind::Float => visitor.float(role, value.as_f64().unwrap_or_default()),
        Kind::String | Kind::StringName => match value.as_text() {
            Some(text) => visitor.text(role, text),
            None => visitor.value(role, value),
        },
        _ => visitor.value(role, value),
    }
}

/// The text of the String that `rest`, the end of `bytes`, begins with, and what is behind the
/// value, if it is one and in order.
#[inline(always)]
fn plain_text<'a, const WORDS: usize>(
    bytes: &'a [u8],
    rest: &'a [u8],
) -> Option<(&'a [u8], &'a [u8])> {
    let both = u64::from_le_bytes(*rest.first_chunk()?);
    if both as u32 != plain::STRING {
        return None;
    }
    let len = (both >> 32) as usize;
    match fast::short_ascii::<WORDS>(rest, len) {
        // One step less than from the text's end: the next value waits for it.
        Some(text) => Some((text, rest.get(pad4(8 + len)..)?)),
        None => long_text(bytes, rest, len as u32),
    }
}

/// The same for a text of so many bytes that is long, or not ASCII.
#[inline(never)]
fn long_text<'a>(bytes: &'a [u8], rest: &'a [u8], len: u32) -> Option<(&'a [u8], &'a [u8])> {
    let end = plain::text_end(rest, 8, len)?;
    let text = rest.get(8..8 + len as usize)?;
    let is_text = fast::is_text(bytes, bytes.len() - rest.len() + 8, text.len());
    Some((text, rest.get(end..)?)).filter(|_| is_text)
}

/// How many children a container must have left to be looked at for records.
const MANY: u32 = 32;

/// What came of a value that was to be pushed.
enum Pushed<'a> {
    /// It was; what is behind it.
    Behind(&'a [u8]),
    /// It is a container.
    Begin(Plain, Pending),
}

/// Pushes the value that `rest`, the end of `bytes`, begins with, if it has no children. `None` for
/// what is not plain, or not certainly in order.
#[inline(always)]
fn push_leaf<'a>(
    visitor: &mut impl Visitor<'a>,
    role: Role,
    bytes: &'a [u8],
    rest: &'a [u8],
    options: ReadOptions,
    depth: u16,
) -> Option<Pushed<'a>> {
    let both = u64::from_le_bytes(*rest.first_chunk()?);
    let (word, second) = (both as u32, (both >> 32) as u32);
    let behind = match word {
        plain::INT => {
            visitor.int(role, i64::from(second as i32));
            rest.get(8..)?
        }
        plain::FLOAT => {
            visitor.float(role, widen(f32::from_bits(second)));
            rest.get(8..)?
        }
        plain::BOOL => {
            visitor.bool(role, second != 0);
            rest.get(8..)?
        }
        plain::STRING => {
            let (text, behind) = plain_text::<3>(bytes, rest)?;
            let at = bytes.len() - rest.len() + 8;
            visitor.text(role, StrRef::new(text, at, options));
            behind
        }
        plain::NIL => {
            visitor.nil(role);
            rest.get(4..)?
        }
        plain::WIDE_INT => {
            visitor.int(role, i64::from_le_bytes(*rest.get(4..)?.first_chunk()?));
            rest.get(12..)?
        }
        plain::WIDE_FLOAT => {
            visitor.float(role, f64::from_le_bytes(*rest.get(4..)?.first_chunk()?));
            rest.get(12..)?
        }
        _ => {
            let plain = match plain::any(rest, options.get_dialect())? {
                (plain, None) => plain,
                (plain, Some(inside)) => return Some(Pushed::Begin(plain, inside)),
            };
            // With a flag that means nothing.
            if let Kind::Nil | Kind::Bool | Kind::Int | Kind::Float = plain.kind {
                return None;
            }
            let at = bytes.len() - rest.len();
            let value = VariantRef::plain(bytes, at, options, depth, plain);
            visitor.value(role, value);
            rest.get(plain.size..)?
        }
    };
    Some(Pushed::Behind(behind))
}

impl<'a> Walk<'a, true> {
    /// Pushes what comes next and is certainly in order. What changes with every value is kept in
    /// local variables while it does. Returns whether it stopped because records may come, with at
    /// most `look_at` bytes left.
    #[inline(always)]
    fn push_plain(&mut self, visitor: &mut impl Visitor<'a>, look_at: usize) -> bool {
        let (bytes, options) = (self.bytes, self.options);
        let mut rest = bytes.get(self.at..).unwrap_or_default();
        // The innermost container as it was when `left` of its children were to come.
        let mut place = self.now;
        let mut left = place.plain_left();
        let look = 'containers: loop {
            let (plain, inside) = 'leaves: {
                // Keys have a loop of their own: they are text, whatever the values are. Other
                // keys are left to the other loop.
                if place.is_dict() && left % 2 == 0 {
                    while left > 0 {
                        let Some((text, behind)) = plain_text::<2>(bytes, rest) else {
                            break;
                        };
                        let at = bytes.len() - rest.len() + 8;
                        visitor.text(Role::Key, StrRef::new(text, at, options));
                        rest = behind;
                        left -= 1;
                        match push_leaf(
                            visitor,
                            Role::Value,
                            bytes,
                            rest,
                            options,
                            place.plain_depth(),
                        ) {
                            Some(Pushed::Behind(behind)) => rest = behind,
                            Some(Pushed::Begin(plain, inside)) => break 'leaves (plain, inside),
                            None => break 'containers false,
                        }
                        left -= 1;
                    }
                }
                while left > 0 {
                    let role = place.role_of(left);
                    match push_leaf(visitor, role, bytes, rest, options, place.plain_depth()) {
                        Some(Pushed::Behind(behind)) => rest = behind,
                        Some(Pushed::Begin(plain, inside)) => break 'leaves (plain, inside),
                        None => break 'containers false,
                    }
                    left -= 1;
                }
                // Often several end at once.
                while left == 0 {
                    if !place.ends_plainly() {
                        break 'containers false;
                    }
                    let Some(outer) = self.around.pop() else {
                        break 'containers false;
                    };
                    // With those that were not put aside.
                    for _ in outer.plain_depth()..place.plain_depth() {
                        visitor.end();
                    }
                    (place, left) = (outer, outer.plain_left());
                    if left >= MANY && rest.len() <= look_at {
                        break 'containers true;
                    }
                }
                continue 'containers;
            };
            let (Some(children), depth) = (rest.get(8..), place.plain_depth()) else {
                break false;
            };
            if depth >= options.max_depth() {
                break false;
            }
            let at = bytes.len() - rest.len();
            let value = VariantRef::plain(bytes, at, options, depth, plain);
            visitor.begin(place.role_of(left), value);
            // Nothing of it is to come when its last child is entered.
            if left > 1 || place.is_root() {
                self.around.push(place.with_left(left - 1));
            }
            (place, left) = (Frame::of(inside, depth + 1), inside.left);
            rest = children;
            if left >= MANY && rest.len() <= look_at {
                break true;
            }
        };
        self.at = bytes.len() - rest.len();
        if place.plain_left() > 0 {
            place = place.with_left(left);
        }
        self.now = place;
        look
    }

    /// Pushes all that comes.
    pub(crate) fn push(&mut self, visitor: &mut impl Visitor<'a>) -> Result<(), Error> {
        match self.push_until_records(visitor, self.bytes.len()) {
            Some(result) => result,
            None => self.push_with_records(visitor),
        }
    }

    /// Pushes what comes until it may be records, with at most `look_at` bytes left: then it is
    /// `None`.
    #[inline(always)]
    fn push_until_records(
        &mut self,
        visitor: &mut impl Visitor<'a>,
        look_at: usize,
    ) -> Option<Result<(), Error>> {
        loop {
            if self.push_plain(visitor, look_at) {
                return None;
            }
            let depth = self.depth();
            match self.careful() {
                Step::Value => deliver(visitor, self.role(), self.found),
                Step::Begin => visitor.begin(self.role(), self.found),
                Step::Property => visitor.property(self.name),
                Step::End => (self.depth()..depth).for_each(|_| visitor.end()),
                Step::Finished | Step::Failed => return Some(self.error.map_or(Ok(()), Err)),
            }
        }
    }

    /// Pushes all that comes, which may be records. Out of line: what is learned of records takes
    /// room on the stack, which most packets need not pay for.
    #[inline(never)]
    fn push_with_records(&mut self, visitor: &mut impl Visitor<'a>) -> Result<(), Error> {
        let mut known = Known::default();
        loop {
            let look_at = self.push_records(visitor, &mut known);
            if let Some(result) = self.push_until_records(visitor, look_at) {
                return result;
            }
        }
    }
}

mod records;
#[cfg(all(test, feature = "alloc"))]
mod tests;
