//! Formats numbers as the engines do.

use core::fmt::{self, Write};

use gdvar_wire::Notation;

use crate::grisu::{Decimal, digits_f32, digits_f64};

/// The text of one number, kept on the stack.
#[derive(Clone, Copy)]
pub struct NumberText {
    bytes: [u8; 32],
    len: usize,
}

impl NumberText {
    const EMPTY: Self = Self {
        bytes: [0; 32],
        len: 0,
    };

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Only whole ASCII strings are ever appended, so this cannot fail.
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }

    /// Returns the text as bytes, all of them ASCII.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the whole buffer, and the length of the text in it.
    #[inline]
    pub(crate) const fn parts(&self) -> (&[u8; 32], usize) {
        (&self.bytes, self.len)
    }
}

impl Write for NumberText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        push(self, text.as_bytes());
        Ok(())
    }
}

impl fmt::Display for NumberText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for NumberText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns the text of a single `float`. The text always shows that it is a float: `1.0`, `1e+20`
/// or `inf`.
///
/// ```
/// use gdvar_text::{Notation, float_text};
/// assert_eq!(float_text(0.1, Notation::Godot4).as_str(), "0.1");
/// assert_eq!(float_text(f64::from(0.1f32), Notation::Godot4).as_str(), "0.1");
/// assert_eq!(float_text(-0.0, Notation::Godot4).as_str(), "0.0");
/// assert_eq!(float_text(f64::NEG_INFINITY, Notation::Godot4).as_str(), "inf_neg");
/// assert_eq!(float_text(765014.5, Notation::Godot3_6).as_str(), "765014.0");
/// assert_eq!(float_text(f64::NEG_INFINITY, Notation::Godot3_6).as_str(), "inf_neg");
/// assert_eq!(float_text(f64::NEG_INFINITY, Notation::Godot3_2).as_str(), "-inf.0");
/// ```
#[must_use]
pub fn float_text(value: f64, notation: Notation) -> NumberText {
    let mut text = real_text(value, notation);
    let shown = &text.bytes[..text.len];
    // An engine appends `.0` if its text contains neither a point nor an `e`. This is why Godot 3.2
    // prints `-inf.0`. The others do not print `inf_neg.0`, because `inf_neg` contains an `e`.
    if !(shown == b"inf" || shown == b"nan" || shows_float(shown)) {
        push(&mut text, b".0");
    }
    text
}

/// Returns the text of a component or an element of a packed array: whole numbers have no `.0`.
///
/// ```
/// use gdvar_text::{Notation, real_text};
/// assert_eq!(real_text(2.0, Notation::Godot4).as_str(), "2");
/// assert_eq!(real_text(0.000_01, Notation::Godot4).as_str(), "1e-05");
/// assert_eq!(real_text(1_000_000.0, Notation::Godot3_6).as_str(), "1e+06");
/// ```
#[must_use]
pub fn real_text(value: f64, notation: Notation) -> NumberText {
    match notation {
        Notation::Godot4 => real4(value),
        Notation::Godot3_6 | Notation::Godot3_2 => real3(value, notation),
    }
}

/// Returns digits that read back to the same double, with a point or an exponent, or `inf`, `-inf`
/// or `nan`. Unlike [`float_text`], keeps the sign of a zero, and does not shorten the digits if
/// the double is also an `f32`.
///
/// ```
/// use gdvar_text::double_text;
/// assert_eq!(double_text(1.0).as_str(), "1.0");
/// assert_eq!(double_text(-0.0).as_str(), "-0.0");
/// assert_eq!(double_text(f64::from(0.1f32)).as_str(), "0.10000000149011612");
/// ```
#[must_use]
pub fn double_text(value: f64) -> NumberText {
    // The shortest digits of a small whole number are its decimal digits. -0.0 has a sign.
    let whole = value as i64;
    if whole as f64 == value && whole.unsigned_abs() < SMALL_WHOLE && whole != 0 {
        let mut text = int_text(whole);
        push(&mut text, b".0");
        return text;
    }
    let mut text = NumberText::EMPTY;
    if value.is_sign_negative() && !value.is_nan() {
        push(&mut text, b"-");
    }
    let size = value.abs();
    if size == 0.0 {
        push(&mut text, b"0");
    } else if size.is_nan() {
        push(&mut text, b"nan");
    } else if size.is_infinite() {
        push(&mut text, b"inf");
    } else {
        let decimal = digits_f64(size);
        place_point(&mut text, decimal.digits(), point_of(&decimal), 15);
    }
    if size.is_finite() && !shows_float(&text.bytes[..text.len]) {
        push(&mut text, b".0");
    }
    text
}

/// Returns an integer in decimal.
#[must_use]
pub fn int_text(value: i64) -> NumberText {
    let mut text = NumberText::EMPTY;
    if let Some(room) = text.bytes.first_chunk_mut() {
        text.len = write_int(value, room);
    }
    text
}

/// The greatest length of an `i64` in decimal.
pub(crate) const INT_LEN: usize = 20;

/// Writes an integer in decimal and returns its length.
#[inline]
pub(crate) fn write_int(value: i64, room: &mut [u8; INT_LEN]) -> usize {
    let mut rest = value.unsigned_abs();
    let digits = rest.checked_ilog10().map_or(1, |log| log as usize + 1);
    let sign = usize::from(value < 0);
    room[0] = b'-';
    let len = sign + digits;
    // Writes two digits at a time, from the last to the first.
    let mut at = len;
    while rest >= 10 {
        let pair = 2 * (rest % 100) as usize;
        rest /= 100;
        at -= 2;
        room[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if at > sign {
        room[sign] = b'0' + rest as u8;
    }
    len
}

/// The numbers 00 to 99, two digits each.
const PAIRS: [u8; 200] = {
    let mut pairs = [0; 200];
    let mut n = 0;
    while n < 100 {
        pairs[2 * n] = b'0' + (n / 10) as u8;
        pairs[2 * n + 1] = b'0' + (n % 10) as u8;
        n += 1;
    }
    pairs
};

/// Returns `true` if a number's text has a point or an exponent.
fn shows_float(text: &[u8]) -> bool {
    text.iter().any(|byte| matches!(byte, b'.' | b'e'))
}

fn push(text: &mut NumberText, part: &[u8]) {
    // The longest text has 24 characters, so it always fits.
    let end = text.len + part.len();
    if let Some(room) = text.bytes.get_mut(text.len..end) {
        room.copy_from_slice(part);
        text.len = end;
    }
}

/// Returns the word for zero, infinity or NaN in Godot 3.6 and later, or `None` for other numbers.
fn word(value: f64) -> Option<&'static str> {
    if value == 0.0 {
        Some("0")
    } else if value.is_nan() {
        Some("nan")
    } else if value.is_infinite() {
        Some(if value > 0.0 { "inf" } else { "inf_neg" })
    } else {
        None
    }
}

/// Below this, neighbouring `f32`s are at most 1 apart.
const SMALL_WHOLE: u64 = 1 << 24;

/// Formats a number for Godot 4: digits that read back to the same double, or to the same `f32` if
/// the double is exactly an `f32`.
fn real4(value: f64) -> NumberText {
    // The shortest digits of a small whole number are its decimal digits.
    let whole = value as i64;
    if whole as f64 == value && whole.unsigned_abs() < SMALL_WHOLE {
        return int_text(whole);
    }
    let mut text = NumberText::EMPTY;
    if let Some(word) = word(value) {
        push(&mut text, word.as_bytes());
    } else {
        if value < 0.0 {
            push(&mut text, b"-");
        }
        let size = value.abs();
        let narrow = size as f32;
        let decimal = if f64::from(narrow) == size {
            digits_f32(narrow)
        } else {
            digits_f64(size)
        };
        place_point(&mut text, decimal.digits(), point_of(&decimal), 15);
    }
    text
}

fn point_of(decimal: &Decimal) -> i32 {
    decimal.digits().len() as i32 + decimal.exponent()
}

/// Formats a number for Godot 3: six significant digits of the value as an `f32`, as C's `%g` does.
fn real3(value: f64, notation: Notation) -> NumberText {
    let mut text = NumberText::EMPTY;
    let value = value as f32;
    match word(f64::from(value)) {
        Some(word) if value == 0.0 || notation == Notation::Godot3_6 => {
            push(&mut text, word.as_bytes());
            return text;
        }
        _ => {}
    }
    // Godot 3.2 leaves the sign of NaN and infinity to the C library.
    if value.is_sign_negative() {
        push(&mut text, b"-");
    }
    if !value.is_finite() {
        push(&mut text, if value.is_nan() { b"nan" } else { b"inf" });
        return text;
    }
    // Gives "d.ddddde-45". Rust rounds the exact value, and so does the C library.
    let mut exact = NumberText::EMPTY;
    let _ = write!(exact, "{:.5e}", value.abs());
    let (mantissa, exponent) = exact.as_str().split_once('e').unwrap_or_default();
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let mut digits = [0; 6];
    for (to, from) in digits
        .iter_mut()
        .zip(mantissa.bytes().filter(u8::is_ascii_digit))
    {
        *to = from;
    }
    let used = digits
        .iter()
        .rposition(|&digit| digit != b'0')
        .map_or(1, |last| last + 1);
    place_point(&mut text, &digits[..used], exponent + 1, 6);
    text
}

/// Writes the number `0.digits * 10^point`. Uses an exponent if `point` is above `widest` or below
/// -3.
fn place_point(text: &mut NumberText, digits: &[u8], point: i32, widest: i32) {
    let count = digits.len() as i32;
    if 0 < point && point <= widest {
        if count <= point {
            push(text, digits);
            for _ in count..point {
                push(text, b"0");
            }
        } else {
            let (whole, part) = digits.split_at(point as usize);
            push(text, whole);
            push(text, b".");
            push(text, part);
        }
    } else if -4 < point && point <= 0 {
        push(text, b"0.");
        for _ in point..0 {
            push(text, b"0");
        }
        push(text, digits);
    } else {
        let (first, rest) = digits.split_at(1);
        push(text, first);
        if !rest.is_empty() {
            push(text, b".");
            push(text, rest);
        }
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        let fits = write!(text, "e{sign}{:02}", exponent.unsigned_abs());
        debug_assert!(fits.is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::{SMALL_WHOLE, int_text, point_of};
    use crate::grisu::{digits_f32, digits_f64};

    /// Whole numbers take the path of ints; this checks that the path of floats gives the same
    /// digits.
    #[test]
    fn whole_numbers_are_their_own_shortest_digits() {
        let last = SMALL_WHOLE as u32 - 1;
        let sample = (1..70_000).chain((70_000..last).step_by(251));
        for whole in sample.chain(last - 2_000..=last) {
            let digits = int_text(whole.into());
            let digits = digits.as_str().as_bytes();
            let shortest = digits_f32(whole as f32);
            assert_eq!(point_of(&shortest) as usize, digits.len(), "{whole}");
            let (shown, zeros) = digits.split_at(shortest.digits().len());
            assert_eq!(shown, shortest.digits(), "{whole}");
            assert!(zeros.iter().all(|&zero| zero == b'0'), "{whole}");
            assert_eq!(shown, digits_f64(whole.into()).digits(), "{whole}");
        }
    }

    #[test]
    fn ints_have_all_their_digits_and_their_sign() {
        let mut ints = vec![0, i64::MIN, i64::MAX];
        let mut power = 1_i64;
        while let Some(next) = power.checked_mul(10) {
            ints.extend([power - 1, power, power + 1, next / 7]);
            power = next;
        }
        for int in ints.into_iter().flat_map(|int| [int, int.wrapping_neg()]) {
            assert_eq!(int_text(int).as_str(), int.to_string());
        }
    }
}
