//! A float that may have been rounded does not replace an int.

use gdvar_edit::{
    Dialect, Document, Edit,
    fit::{self, FitErrorKind},
};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_write::Target;

type Fit = fn(Document<'_>, &str, &[u8]) -> Result<Vec<u8>, fit::FitError>;

fn bytes(text: &str) -> Vec<u8> {
    let options = ParseOptions::new(Target::GODOT_4).with_whole(true);
    let parsed = parse_godot(text, &options);
    parsed
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .bytes
}

/// Returns the save after the change. If the new value does not fit, returns the offset in it and
/// the reason.
fn change(how: &str, save: &str, path: &str, new: &str) -> Result<Vec<u8>, (usize, FitErrorKind)> {
    let save = bytes(save);
    let document = Document::new(&save, Dialect::GODOT_4);
    let fit: Fit = match how {
        "set" => fit::set,
        "insert" => fit::insert,
        _ => fit::append,
    };
    let value = fit(document, path, &bytes(new)).map_err(|error| (error.offset(), error.kind()))?;
    let mut edit = Edit::new(document);
    match how {
        "set" => edit.set(path, &value),
        "insert" => edit.insert(path, &value),
        _ => edit.append(path, &value),
    };
    Ok(edit.plan().expect("a value that fits").to_vec())
}

/// Returns the value of a decimal text if it is a whole number, computed with 128-bit integers.
fn decimal(text: &str) -> Option<i128> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let part = part.trim_end_matches('0');
    let zeros = exponent.parse::<i32>().expect("an exponent") - part.len() as i32;
    let digits: i128 = format!("{whole}{part}").parse().expect("digits");
    match u32::try_from(zeros) {
        Ok(zeros) => Some(digits * 10_i128.pow(zeros)),
        Err(_) => None,
    }
}

#[test]
fn an_int_becomes_the_number_that_was_written_or_stays() {
    let mut forms = Vec::new();
    // The borders of what a float holds exactly, and of the ints, with their neighbours.
    for border in [
        1_i128 << 31,
        1 << 52,
        1 << 53,
        1 << 54,
        10_i128.pow(18),
        1 << 63,
        1 << 64,
    ] {
        for number in border - 3..=border + 3 {
            for number in [number, -number] {
                let digits = number.to_string();
                let (head, tail) = digits.split_at(2);
                forms.push(format!("{number}.0"));
                forms.push(format!("{number}.000e0"));
                forms.push(format!("{number}e0"));
                forms.push(format!("{head}.{tail}e{}", tail.len()));
            }
        }
    }
    forms.push("123456789012345678.0".to_owned());
    let (mut kept, mut refused) = (0, 0);
    for text in &forms {
        let number = decimal(text).expect("a whole number");
        for (how, save, path, new) in [
            ("set", "7", "$", text.clone()),
            ("set", "[7]", "[0]", text.clone()),
            ("set", r#"{"i": 7}"#, "i", text.clone()),
            ("set", r#"[{"i": 7}]"#, "[0]", format!(r#"{{"i": {text}}}"#)),
            ("set", "Array[int]([7])", "[0]", text.clone()),
            ("set", "Array[int]([7])", "$", format!("[{text}]")),
            ("insert", "Array[int]([7])", "[0]", text.clone()),
            ("append", "Array[int]([7])", "$", text.clone()),
            ("set", r#"Dictionary[String, int]({})"#, "i", text.clone()),
        ] {
            let who = format!("{how} {path}={new} in {save}");
            let Ok(done) = change(how, save, path, &new) else {
                refused += 1;
                continue;
            };
            let document = Document::new(&done, Dialect::GODOT_4);
            let path = match path {
                "$" if how == "append" => "[1]",
                "$" if save.starts_with("Array") => "[0]",
                "[0]" if save.starts_with("[{") => "[0].i",
                path => path,
            };
            let now = document.get(path).expect("it was read").expect("a value");
            match now.as_i64() {
                Some(int) => assert_eq!(i128::from(int), number, "{who}"),
                // The float of a number beyond the ints is a float, where there may be one.
                None => {
                    let is_beyond = (number as f64).abs() >= 2.0_f64.powi(63);
                    assert!(is_beyond && !save.contains("int]"), "{who}");
                }
            }
            kept += 1;
        }
    }
    assert!(
        kept > 500 && refused > 500,
        "{kept} kept, {refused} refused"
    );
    let rounded = |save: &str, path: &str, new: &str| change("set", save, path, new);
    for save in ["[7]", "Array[int]([7])"] {
        let found = rounded(save, "[0]", "9007199254740993.0");
        assert_eq!(found, Err((0, FitErrorKind::MaybeRounded)), "{save}");
    }
}
