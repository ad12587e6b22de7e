//! Breaks the text of a value into lines, for editors and patches.

/// Breaks the text of a value, as [`write_exact`](crate::write_exact) prints it, into lines. Lines
/// end only where [`parse_godot`](crate::parse_godot) accepts white space, so the result reads as
/// the same value. A container or list that fits into `width` bytes stays on one line. In a longer
/// container each child has a line of its own; in a longer list of numbers each line holds as many
/// as fit. Texts are not broken.
///
/// ```
/// use gdvar_text::wrapped;
///
/// let text = r#"{"name": "Ann", "items": ["sword", "map"]}"#;
/// assert_eq!(wrapped(text, 60), text);
/// assert_eq!(wrapped(text, 26), "{\n\t\"name\": \"Ann\",\n\t\"items\": [\"sword\", \"map\"]\n}");
/// ```
///
/// Takes linear time, and memory for the positions of the brackets and texts.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    if text.len() <= width {
        return text.to_owned();
    }
    let ends = ends(text);
    let mut page = Wrapped {
        out: String::with_capacity(text.len() + text.len() / 8),
        column: 0,
        open: Vec::new(),
    };
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let whole = ends.binary_search_by_key(&at, |(start, _)| *start);
        let whole = whole.ok().and_then(|n| ends.get(n));
        let whole = whole.and_then(|(start, end)| text.get(*start..=*end));
        // A quoted string is never broken. A bracket is broken only if it does not fit into the
        // line and is longer than `SHORT`.
        let fits = |whole: &&str| whole.len() + page.column <= width || whole.len() <= SHORT;
        if let Some(whole) = whole.filter(|whole| c == '"' || fits(whole)) {
            page.put(whole);
            at += whole.len();
            continue;
        }
        let is_open = whole.is_some();
        let closes = !is_open && matches!(c, ')' | ']' | '}');
        if closes && page.open.pop() == Some(true) {
            page.line();
        }
        page.put(c.encode_utf8(&mut [0; 4]));
        at += c.len_utf8();
        // Round brackets contain a list of numbers, whose lines are filled.
        if is_open {
            page.open.push(c != '(');
        }
        let breaks = match page.open.last() {
            Some(true) => is_open || c == ',',
            Some(false) => c == ',' && page.column >= width,
            None => false,
        };
        if breaks {
            page.line();
            at += usize::from(text.get(at..).is_some_and(|rest| rest.starts_with(' ')));
        }
    }
    page.out
}

/// A bracket of this length or less is never broken: `Array[StringName]`.
const SHORT: usize = 24;

/// Returns the offsets of the first and the last byte of each bracket and each text, sorted by the
/// first.
fn ends(text: &str) -> Vec<(usize, usize)> {
    let mut ends = Vec::new();
    let mut open = Vec::new();
    let mut start_of_text = None;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(start) = start_of_text {
            if byte == b'"' && !escaped {
                ends.push((start, at));
                start_of_text = None;
            }
            escaped = byte == b'\\' && !escaped;
            continue;
        }
        match byte {
            b'"' => (start_of_text, escaped) = (Some(at), false),
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => ends.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    ends.sort_unstable();
    ends
}

/// The lines written so far.
struct Wrapped {
    out: String,
    /// The length of the last line in bytes.
    column: usize,
    /// For each open bracket: `true` if each child has a line of its own.
    open: Vec<bool>,
}

impl Wrapped {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }

    fn line(&mut self) {
        let depth = self.open.iter().filter(|is_broken| **is_broken).count();
        // The indentation has a limit. Beyond it, lines would be mostly white space.
        let depth = depth.min(20);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n('\t', depth));
        self.column = depth;
    }
}
