//! [`SimpleKey`]: a Dictionary key in a path that is neither a text nor an int.

use core::fmt;

use gdvar_wire::{Kind, fits_f32, narrow};

use super::{
    components::{Math, Numbers},
    digits,
};
use crate::value::variant::VariantRef;

/// A key of a Dictionary in a [`Step::Key`](crate::Step::Key): `null`, `true`, `1.5`,
/// `Vector2i(5, 9)`. Texts and ints have other steps. A key has at most four numbers, which
/// covers vectors, Rect2, Rect2i, Plane, Quaternion and Color.
///
/// Two keys are equal if kind and numbers are equal, the numbers bit for bit. [`SimpleKey::is`] compares
/// a key with a value, less strictly.
#[derive(Clone, Copy, Debug)]
pub struct SimpleKey {
    kind: Kind,
    numbers: [f64; 4],
}

impl PartialEq for SimpleKey {
    fn eq(&self, other: &SimpleKey) -> bool {
        self.kind == other.kind && self.numbers.map(f64::to_bits) == other.numbers.map(f64::to_bits)
    }
}

impl Eq for SimpleKey {}

/// The number of components of the kinds that have two to four; `None` for other kinds.
fn count(kind: Kind) -> Option<usize> {
    Some(kind.component_count()).filter(|count| (2..=4).contains(count))
}

impl SimpleKey {
    /// Parses the text between the brackets of a step.
    pub(super) fn parse(text: &str) -> Option<SimpleKey> {
        let key = |kind, number| SimpleKey {
            kind,
            numbers: [number, 0.0, 0.0, 0.0],
        };
        match text {
            "null" => return Some(key(Kind::Nil, 0.0)),
            "true" => return Some(key(Kind::Bool, 1.0)),
            "false" => return Some(key(Kind::Bool, 0.0)),
            _ => {}
        }
        let Some((name, rest)) = text.split_once('(') else {
            // Digits alone would be an int that does not fit into 64 bits: refused.
            let is_int = text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-');
            return real(text)
                .filter(|_| !is_int)
                .map(|number| key(Kind::Float, number));
        };
        let kind = match name {
            "Quat" => Kind::Quaternion,
            name => Kind::from_name(name)?,
        };
        let mut numbers = [0.0; 4];
        let slots = numbers.get_mut(..count(kind)?)?;
        let mut texts = rest.strip_suffix(')')?.split(',').map(str::trim);
        for slot in slots {
            let text = texts.next()?;
            *slot = if kind.has_ints() {
                f64::from(text.parse::<i32>().ok()?)
            } else {
                real(text)?
            };
        }
        texts
            .next()
            .is_none()
            .then_some(SimpleKey { kind, numbers })
    }

    /// The key that names `value` in a path. `None` for texts and ints, which have other steps, and
    /// for kinds that no path can name: those with more than four numbers, containers, packed arrays.
    ///
    /// The components of a vector of 32-bit reals become the shortest digits that give them: 0.1, not
    /// 0.10000000149.
    #[must_use]
    pub fn of(value: VariantRef<'_>) -> Option<SimpleKey> {
        let kind = value.kind();
        let mut numbers = [0.0; 4];
        match kind {
            Kind::Nil => {}
            Kind::Bool => numbers = [f64::from(u8::from(value.as_bool()?)), 0.0, 0.0, 0.0],
            // A float key keeps all digits: floats in scripts have 64 bits, so 0.1 and the `f32` nearest to it
            // are two keys.
            Kind::Float => numbers[0] = value.as_f64()?,
            kind => {
                let math = Math::of(value).filter(|_| count(kind).is_some())?;
                let single = matches!(math.numbers(), Numbers::Singles(_));
                for (slot, number) in numbers.iter_mut().zip(math.iter()) {
                    let single = single || number.is_nan();
                    *slot = if single {
                        digits::as_typed(narrow(number))
                    } else {
                        number
                    };
                }
            }
        }
        Some(SimpleKey { kind, numbers })
    }

    /// The kind of the key.
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// The numbers of the key: none for null, 0 or 1 for a bool, else the float or the components.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        let len = match self.kind {
            Kind::Nil => 0,
            kind => count(kind).unwrap_or(1),
        };
        self.numbers.get(..len).unwrap_or_default()
    }

    /// Returns `true` if `value` is this key. A real of 32 bits in a vector is also compared in 32 bits, so that
    /// `[Vector2(0.1, 0)]` finds it. A float that fits into 32 bits is also found by the shortest digits that give
    /// it there, which are the ones that people see: `[0.1]`. NaN equals NaN, and 0.0 equals -0.0.
    ///
    /// Two keys of one Dictionary may therefore match; the one for which [`SimpleKey::is_exactly`] holds
    /// counts.
    #[must_use]
    pub fn is(self, value: VariantRef<'_>) -> bool {
        self.compare(value, true)
    }

    /// Returns `true` if `value` has exactly the numbers of this key: 0.1, but not the `f32` nearest to
    /// it. NaN equals NaN, and 0.0 equals -0.0.
    #[must_use]
    pub fn is_exactly(self, value: VariantRef<'_>) -> bool {
        self.compare(value, false)
    }

    /// Compares like [`SimpleKey::is`] with `as_singles`, otherwise like [`SimpleKey::is_exactly`].
    fn compare(self, value: VariantRef<'_>, as_singles: bool) -> bool {
        if value.kind() != self.kind {
            return false;
        }
        match self.kind {
            Kind::Nil => true,
            Kind::Bool => value.as_bool() == Some(self.numbers[0] != 0.0),
            Kind::Float => value
                .as_f64()
                .is_some_and(|own| self.has(0, own, as_singles && fits_f32(own))),
            _ => Math::of(value).is_some_and(|math| {
                let single = as_singles && matches!(math.numbers(), Numbers::Singles(_));
                math.iter()
                    .enumerate()
                    .all(|(n, own)| self.has(n, own, single))
            }),
        }
    }

    /// Returns `true` if number `n` of this key equals `own`. With `single` the numbers are also compared as
    /// `f32`; in a float key, that counts only for the shortest digits of the `f32`. Any other digits name another
    /// key, as 1e-60 does, which is not 0.0.
    #[must_use]
    pub fn has(self, n: usize, own: f64, single: bool) -> bool {
        let equal = |wanted: f64| wanted == own || wanted.is_nan() && own.is_nan();
        let Some(&wanted) = self.numbers.get(n) else {
            return false;
        };
        // A number too large for 32 bits narrows to infinity, but does not equal it.
        let narrowed = narrow(wanted);
        let may_be = |narrowed| self.kind != Kind::Float || digits::as_typed(narrowed) == wanted;
        equal(wanted)
            || single && narrowed.is_finite() && equal(narrowed.into()) && may_be(narrowed)
    }
}

/// Parses a float: digits, `inf`, `-inf` or `nan`.
fn real(text: &str) -> Option<f64> {
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let digits = text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(is_number);
    if !digits && !matches!(text, "inf" | "-inf" | "nan") {
        return None;
    }
    digits::parse(text)
}

impl fmt::Display for SimpleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Nil => return f.write_str("null"),
            Kind::Bool => return write!(f, "{}", self.numbers[0] != 0.0),
            Kind::Float => return fmt_real(self.numbers[0], f),
            kind => write!(f, "{kind}(")?,
        }
        for (n, &number) in self.numbers().iter().enumerate() {
            if n > 0 {
                f.write_str(", ")?;
            }
            if self.kind.has_ints() {
                write!(f, "{}", number as i32)?;
            } else {
                fmt_component(number, f)?;
            }
        }
        f.write_str(")")
    }
}

/// Writes a float so that it cannot be taken for an int: `1.0`.
fn fmt_real(number: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match number {
        n if n.is_nan() => f.write_str("nan"),
        n => digits::write(n, f),
    }
}

/// Writes a component, an integral one without a point: `1`.
fn fmt_component(number: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if number == f64::from(number as i32) {
        let sign = if number.is_sign_negative() { "-" } else { "" };
        return write!(f, "{sign}{}", (number as i32).unsigned_abs());
    }
    fmt_real(number, f)
}
