//! Where a path of a file leads, and the paths in texts from which a node or a shader loads a file.

use std::borrow::Cow;

use gdvar_text::path_text;
use gdvar_view::VariantRef;

/// Where a path leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leads {
    /// To a file of the game, or to no file.
    Inside,
    /// Out of the game's own files: to `user://`, to an absolute path, or up with `..`.
    Outside,
    /// To the file with a uid, which only the game knows.
    ByUid,
}

/// Schemes of addresses that no engine loads a file from.
const ADDRESSES: [&str; 7] = ["http", "https", "ws", "wss", "ftp", "mailto", "local"];

impl Leads {
    /// Judges a path by its text alone. A path without a scheme begins in a folder of the game.
    pub(super) fn of(path: &str) -> Leads {
        let path = path.trim_start();
        let is_word =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let inside = match path.split_once("://") {
            Some((scheme, rest)) if is_word(scheme) => match scheme.to_ascii_lowercase().as_str() {
                "res" => rest,
                "uid" => return Leads::ByUid,
                scheme if ADDRESSES.contains(&scheme) => return Leads::Inside,
                _ => return Leads::Outside,
            },
            _ => path,
        };
        match is_absolute(inside) || goes_up(inside) {
            true => Leads::Outside,
            false => Leads::Inside,
        }
    }
}

/// Returns `true` for `/a`, `\a`, `C:/a` and `C:\a`.
fn is_absolute(path: &str) -> bool {
    let is_slash = |byte: u8| byte == b'/' || byte == b'\\';
    match *path.as_bytes() {
        [first, next, ..] if is_slash(first) => !next.is_ascii_whitespace(),
        [letter, b':', slash, ..] => letter.is_ascii_alphabetic() && is_slash(slash),
        _ => false,
    }
}

/// Returns `true` if the `..` in a path lead out of the folder in which it begins.
fn goes_up(path: &str) -> bool {
    let mut depth = 0_usize;
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

/// Returns the text of a String, a StringName or a NodePath, which the engine takes for each other. `None` for other
/// values.
pub(super) fn text_of(value: VariantRef<'_>) -> Option<Cow<'_, str>> {
    if let Some(text) = value.as_str() {
        return Some(Cow::Borrowed(text));
    }
    path_text(value.as_node_path()?).ok().map(Cow::Owned)
}

/// Calls `judge` with the text of a String, a StringName or a NodePath, or with each text of a list of Strings.
pub(super) fn each_text(value: VariantRef<'_>, mut judge: impl FnMut(&str)) {
    match value.as_strings() {
        Some(texts) => { texts.iter().map_while(Result::ok) }
            .filter_map(|text| text.to_str().ok())
            .for_each(judge),
        None => {
            if let Some(text) = text_of(value) {
                judge(&text);
            }
        }
    }
}

/// Returns where the worst path leads that a node or a shader loads by itself from a text: an image or a font in BBCode,
/// or an `#include` in the code of a shader.
pub(super) fn loaded(text: &str) -> Leads {
    let mut worst = Leads::Inside;
    for path in tagged(text).chain(included(text)) {
        match Leads::of(path) {
            // The path of an include may be relative to a file of the game whose place nobody knows.
            Leads::Outside if path.starts_with("..") => worst = Leads::ByUid,
            Leads::Outside => return Leads::Outside,
            Leads::ByUid => worst = Leads::ByUid,
            Leads::Inside => {}
        }
    }
    worst
}

/// Iterates over the words in tags of BBCode that load a file, and in the text of an image up to the next tag.
fn tagged(text: &str) -> impl Iterator<Item = &str> {
    let tags = text.match_indices('[').filter_map(|(at, _)| {
        let tag = &text[at + 1..];
        let name_len = tag.bytes().take_while(u8::is_ascii_alphabetic).count();
        let end = match &tag[..name_len] {
            "img" => tag.find('[').unwrap_or(tag.len()),
            "font" | "dropcap" => tag.find(']').unwrap_or(tag.len()),
            _ => return None,
        };
        Some(&tag[name_len..end])
    });
    tags.flat_map(|tag| {
        tag.split(|c: char| c.is_whitespace() || "=]\"'".contains(c))
            .filter(|word| !word.is_empty())
    })
}

/// Iterates over the texts in quotes after each word `include`, if there is a `#` in front of it.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let first = text.find('#').unwrap_or(text.len());
    text[first..]
        .match_indices("include")
        .filter_map(move |(at, word)| {
            let mut parts = text[first + at + word.len()..].splitn(3, '"');
            parts.nth(1)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_judged_by_where_they_lead() {
        for path in [
            "user://a.tres",
            "USER://a.tres",
            "file:///a.tres",
            "/a.tres",
            "\\a.tres",
            "C:/a.tres",
            "c:\\a.tres",
            "res://../a.tres",
            "res://b/../../a.tres",
            "res:///tmp/a.tres",
            "res://C:/a.tres",
            "../a.tres",
            "..\\a.tres",
            "./../a.tres",
        ] {
            assert_eq!(Leads::of(path), Leads::Outside, "{path}");
        }
        for path in [
            "",
            "/",
            "res://a.tres",
            "res://a..b/c.tres",
            "res://a/../b.tres",
            "res://main.tscn:en",
            "https://example.org/a",
            "local://1",
            "a: b, c / d",
            "icon.png",
        ] {
            assert_eq!(Leads::of(path), Leads::Inside, "{path}");
        }
        assert_eq!(Leads::of("uid://b1"), Leads::ByUid);
    }

    #[test]
    fn texts_load_files_from_tags_and_includes() {
        for text in [
            "[img]user://a.tres[/img]",
            "[b][img=20x20] user://a.tres[/img]",
            "[img color=red]/tmp/a.tres",
            "[font=user://a.tres]x[/font]",
            "[font name=\"user://a.tres\" size=3]x[/font]",
            "[dropcap font=user://a.tres]",
            "#include \"user://a.tres\"",
            "# \tinclude /* a */ \"/tmp/a\"",
            "a\n#include\\\n\"res://../a\"",
        ] {
            assert_eq!(loaded(text), Leads::Outside, "{text}");
        }
        for text in [
            "[img]res://a.png[/img] saved as user://a.png",
            "[font=res://a.ttf]x[/font] [1] /a",
            "#include \"res://a.gdshaderinc\"",
            "// they include \"user://a\"",
            "[b]user://a[/b]",
        ] {
            assert_eq!(loaded(text), Leads::Inside, "{text}");
        }
        assert_eq!(loaded("#include \"../a.gdshaderinc\""), Leads::ByUid);
    }
}
