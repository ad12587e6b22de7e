//! Formats numbers for people.

/// Formats a number with a space between thousands: `120 000`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n) % 3 == 0 && digits.len() > 4 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// Formats a number of things: `1 record`, `3 records`.
pub(crate) fn plural(number: u64, one: &str) -> String {
    let number_text = count(number);
    if number == 1 {
        format!("{number_text} {one}")
    } else if let Some(stem) = one.strip_suffix("ry") {
        format!("{number_text} {stem}ries")
    } else {
        format!("{number_text} {one}s")
    }
}

/// Returns the start of a line about a record: `record 3: `. Empty if `are_several` is `false`.
pub(crate) fn record_label(number: u64, are_several: bool) -> String {
    match are_several {
        true => format!("record {number}: "),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(4096), "4096");
        assert_eq!(count(120_000), "120 000");
        assert_eq!(plural(2, "entry"), "2 entries");
    }
}
