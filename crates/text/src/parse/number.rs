//! Converts digits to numbers.

/// Returns the value of digits with an optional minus. The engines stop at the greatest 64-bit
/// number but do not check the last digit, so the result can overflow and change its sign.
pub(crate) fn int_of(text: &[u8]) -> i64 {
    let (negative, digits) = match text.split_first() {
        Some((b'-', digits)) => (true, digits),
        _ => (false, text),
    };
    let mut int: i64 = 0;
    for digit in digits {
        if int > i64::MAX / 10 {
            return if negative { i64::MIN } else { i64::MAX };
        }
        int = int.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
    }
    if negative { int.wrapping_neg() } else { int }
}

/// Returns the double nearest to digits with a point or an exponent. `None` if it would be
/// infinite, or zero although the text has other digits.
pub(crate) fn float_of(text: &str) -> Option<f64> {
    // The texts of infinity: Godot 3 needs the first two, and Godot 4's JSON prints the others.
    if let "1e999" | "-1e999" | "1e99999" | "-1e99999" = text {
        return text.parse().ok();
    }
    let float = match text.parse() {
        Ok(float) => float,
        // The engines accept one form that Rust refuses: an exponent without digits.
        Err(_) if is_number(text.as_bytes()) => engine_float(text.as_bytes()),
        Err(_) => return None,
    };
    let mut mantissa = text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E'));
    let vanished = float == 0.0 && !mantissa.all(|byte| matches!(byte, b'0' | b'-' | b'.'));
    (float.is_finite() && !vanished).then_some(float)
}

/// Returns `true` if a text has the form of a number: an optional minus, digits with at most one
/// point, and an optional exponent, which may lack its digits.
fn is_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let is_exponent = |byte: &u8| matches!(byte, b'e' | b'E');
    let mut parts = text.splitn(2, is_exponent);
    let mantissa = parts.next().unwrap_or_default();
    let exponent = parts.next().unwrap_or_default();
    let exponent = exponent
        .strip_prefix(b"+")
        .or(exponent.strip_prefix(b"-"))
        .unwrap_or(exponent);
    let points = mantissa.iter().filter(|byte| **byte == b'.').count();
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    points <= 1
        && mantissa.iter().all(|byte| is_digit(byte) || *byte == b'.')
        && exponent.iter().all(is_digit)
}

/// Converts digits with the engines' algorithm: takes the first 18 digits as a double, and
/// multiplies or divides it by a power of ten that is a product of doubles.
pub(crate) fn engine_float(text: &[u8]) -> f64 {
    const POWERS: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];
    let (negative, text) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, text),
    };
    let split = text
        .iter()
        .position(|byte| matches!(byte, b'e' | b'E'))
        .unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at(split);
    let point = mantissa.iter().position(|byte| *byte == b'.');
    let digits = mantissa.len() - usize::from(point.is_some());
    let before_point = point.unwrap_or(mantissa.len());
    let kept = digits.min(18);
    let mut halves = [0u32; 2];
    let kept_digits = mantissa.iter().filter(|byte| **byte != b'.').take(kept);
    for (n, digit) in kept_digits.enumerate() {
        // The last nine digits form one number, and the digits before them another.
        let half = &mut halves[usize::from(n + 9 >= kept)];
        *half = half.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
    }
    let mut fraction = 1.0e9 * f64::from(halves[0]) + f64::from(halves[1]);
    // If an exponent has no digits, the engines ignore the point.
    let exponent = exponent_of(exponent);
    if let (Some(exponent), true) = (exponent, kept > 0) {
        let power = exponent.wrapping_add(before_point as i32 - kept as i32);
        let divide = power < 0;
        // `unsigned_abs` because the least `i32` has no positive counterpart. The engines also
        // limit the power to 511.
        let power = power.unsigned_abs().min(511);
        let mut scale = 1.0;
        for (n, of_ten) in POWERS.iter().enumerate() {
            if power >> n & 1 != 0 {
                scale *= of_ten;
            }
        }
        if divide {
            fraction /= scale;
        } else {
            fraction *= scale;
        }
    }
    if negative { -fraction } else { fraction }
}

/// Returns the exponent after an `e`, which wraps as in the engines. 0 if there is no exponent,
/// `None` if it has no digits.
fn exponent_of(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [] => return Some(0),
        [_, b'-', digits @ ..] => (true, digits),
        [_, b'+', digits @ ..] | [_, digits @ ..] => (false, digits),
    };
    let exponent = digits.iter().fold(0i32, |exponent, digit| {
        exponent
            .wrapping_mul(10)
            .wrapping_add(i32::from(digit - b'0'))
    });
    let exponent = if negative {
        exponent.wrapping_neg()
    } else {
        exponent
    };
    (!digits.is_empty()).then_some(exponent)
}
