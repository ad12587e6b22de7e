//! [`Text`]: what a String of any engine can hold.

use std::{borrow::Cow, fmt};

use gdvar_view::{StrRef, WideCode, wide_bytes, wide_code};
use smol_str::SmolStr;

/// An owned text as the engines hold it, almost always UTF-8. Godot 3 and Godot 2 also accept
/// surrogates and numbers that are not characters. These are kept, so that the engine gets back the
/// same text. [`Text::as_str`] is then `None` ([`docs/FORMAT.md` §6], row 13).
///
/// A `Text` takes 24 bytes, which hold up to 23 bytes of text. Clones share longer texts. A `Text`
/// cannot be changed; create another one.
///
/// ```
/// use gdvar::tree::Text;
///
/// let name = Text::from("Ann");
/// assert_eq!(name.as_str(), Some("Ann"));
/// assert_eq!(name.to_string(), "Ann");
/// ```
///
/// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text(TextRepr);

impl Clone for Text {
    /// Copies short texts in whole words. A derived `Clone` copies them in parts for which the
    /// processor has to wait, and is half as fast.
    #[inline]
    fn clone(&self) -> Text {
        #[cold]
        #[inline(never)]
        fn wide(bytes: &[u8]) -> Text {
            Text(TextRepr::Wide(bytes.into()))
        }
        match &self.0 {
            TextRepr::Utf8(text) => Text(TextRepr::Utf8(text.clone())),
            TextRepr::Wide(bytes) => wide(bytes),
        }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum TextRepr {
    Utf8(SmolStr),
    Wide(Box<[u8]>),
}

const _: () = assert!(size_of::<Text>() <= 24);

impl Default for TextRepr {
    fn default() -> TextRepr {
        TextRepr::Utf8(SmolStr::default())
    }
}

impl Text {
    /// Returns the text, or `None` if it is not UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            TextRepr::Utf8(text) => Some(text),
            TextRepr::Wide(_) => None,
        }
    }

    /// Returns the bytes of the text: UTF-8, with the surrogates and other numbers of Godot 3 and
    /// 2.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            TextRepr::Utf8(text) => text.as_bytes(),
            TextRepr::Wide(bytes) => bytes,
        }
    }

    /// Creates a text from bytes as an engine holds them.
    #[cfg(feature = "serde")]
    pub(crate) fn from_bytes(bytes: &[u8]) -> Text {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => Text(TextRepr::Wide(bytes.into())),
        }
    }

    /// Returns the text as UTF-8. A number that is not a character becomes U+FFFD.
    #[must_use]
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        match &self.0 {
            TextRepr::Utf8(text) => text.as_str().into(),
            TextRepr::Wide(bytes) => {
                let mut rest = &bytes[..];
                let mut out = String::new();
                while let WideCode::Code { code, len } = wide_code(rest) {
                    out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    rest = &rest[len..];
                }
                out.into()
            }
        }
    }
}

macro_rules! from {
    ($($text:ty),*) => {$(
        impl From<$text> for Text {
            #[inline]
            fn from(text: $text) -> Text {
                Text(TextRepr::Utf8(text.into()))
            }
        }
    )*};
}
from!(&str, &String, String, Box<str>, Cow<'_, str>);

impl From<char> for Text {
    fn from(char: char) -> Text {
        (&*char.encode_utf8(&mut [0; 4])).into()
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.to_str_lossy().into_owned()
    }
}

impl From<StrRef<'_>> for Text {
    /// Copies the text as the engine reads it: up to a NUL, and each character in its shortest
    /// form. A leading byte order mark is kept: the engine drops the mark when it reads, but writes
    /// one that it is given.
    fn from(text: StrRef<'_>) -> Text {
        let text = text.with_mark();
        if let Ok(text) = text.to_str() {
            return text.into();
        }
        let chars: Option<String> = text.codes().map(char::from_u32).collect();
        chars.map(Text::from).unwrap_or_else(|| {
            let mut bytes = Vec::new();
            for (code, len) in text.codes().map(wide_bytes) {
                bytes.extend_from_slice(&code[..len]);
            }
            Text(TextRepr::Wide(bytes.into()))
        })
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        *self == **other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str_lossy())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            TextRepr::Utf8(text) => fmt::Debug::fmt(text, f),
            TextRepr::Wide(bytes) => write!(f, "b\"{}\"", bytes.escape_ascii()),
        }
    }
}
