//! Writes the text of any value. Nothing may panic, its length must be bounded by the number of bytes, and
//! it must equal the text of the owned tree.

use gdvar::{
    Document, Variant,
    write::{Precision, Target},
};
use gdvar_text::{Godot, LineOptions, Notation, TextError, write_godot, write_line};

use super::Input;
use crate::{
    reference::{Rules, decode},
    vectors::hex,
};

/// Writes the text of any bytes.
///
/// # Panics
/// If the text is too long, differs from the text of the owned tree, or is not empty for an
/// invalid value.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let options = input.rules.options();
    let document = Document::with_options(input.bytes, options);
    let Ok(root) = document.root() else {
        return;
    };
    let who = || format!("{:?} {}", input.rules, hex(input.bytes));
    let notation =
        [Notation::Godot4, Notation::Godot3_6, Notation::Godot3_2][usize::from(input.choice % 3)];
    let shown = LineOptions::new().with_notation(notation);
    let [_, few] = input.choice.to_le_bytes().map(usize::from);
    let mut short = String::new();
    let folded = shown.with_max_len(4 * few).with_max_children(few % 7);
    // A folded line requires only the visible part to be readable, so it may succeed.
    let _ = write_line(&mut short, root, folded);

    let mut text = String::new();
    let result = write_godot(&mut text, root, notation);
    let mut line = String::new();
    let lined = write_line(&mut line, root, shown);
    let valid = Document::with_options(input.bytes, options).validate();
    let is_behind = |error: gdvar::Error| error.kind().name() == "TrailingBytes";
    match valid {
        Err(error) if !is_behind(error) => {
            // `lined` is not checked: a line may succeed, because it needs only the values that it shows.
            assert!(matches!(result, Err(TextError::Read(_))), "{}", who());
            assert!(text.is_empty(), "{}", who());
            return;
        }
        _ => assert_eq!((result, lined), (Ok(()), Ok(())), "{}", who()),
    }
    assert_eq!(
        Godot::new(root).with_notation(notation).to_string(),
        text,
        "{}",
        who()
    );
    // A real of four bytes has the longest text: some 25 characters and a comma.
    for text in [&text, &line] {
        assert!(
            text.len() <= 256 + 32 * input.bytes.len(),
            "{} for {}",
            text.len(),
            who()
        );
    }

    let Ok(tree) = Variant::from_ref(root) else {
        return;
    };
    let target = Target::from(input.rules.dialect).with_precision(Precision::AsGiven);
    let Ok(canonical) = tree.to_vec(target) else {
        return;
    };
    let options = Rules {
        strict: false,
        unflagged_vector4_is_f64: false,
        ..input.rules
    }
    .options();
    // Some values cannot be written unchanged, and are read back as others: numbers in Godot 2, null
    // objects.
    if Variant::from_slice_with(&canonical, options) != Ok(tree) {
        return;
    }
    let is_odd = decode(input.bytes, input.rules).map_or(true, |decoded| decoded.odd);
    if !is_odd {
        let root = Document::with_options(&canonical, options).root();
        let mut again = String::new();
        write_godot(&mut again, root.expect("our own bytes"), notation).expect("our own bytes");
        assert_eq!(again, text, "{}", who());
    }
}
