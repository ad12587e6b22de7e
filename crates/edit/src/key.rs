//! Keys: how they are looked up, and the bytes of new ones.

use std::borrow::Cow;

use gdvar_view::{Dialect, Document, Kind, ReadOptions, VariantRef};

use crate::container::{Child, Name};

/// What a child is looked up by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum KeyQuery<'k> {
    Text(Cow<'k, [u8]>),
    Int(i64),
    /// A key of a type whose values are equal if their bytes are, such as Vector2i.
    Exact(Kind, Cow<'k, [u8]>),
    /// The index among the children.
    Nth(usize),
    /// The offset of the child's value.
    At(usize),
}

impl<'k> KeyQuery<'k> {
    /// Returns the key as the engine compares it, or `None` if only the engine can compare it.
    pub(crate) fn of_key(key: VariantRef<'k>) -> Option<KeyQuery<'k>> {
        let is_text = match key.kind() {
            Kind::String => true,
            Kind::StringName => key.dialect().string_names_equal_strings(),
            Kind::Int => return key.as_i64().map(KeyQuery::Int),
            kind
            @ (Kind::Nil | Kind::Vector2i | Kind::Vector3i | Kind::Vector4i | Kind::Rect2i) => {
                let payload = key.raw().ok()?.get(4..)?;
                return Some(KeyQuery::Exact(kind, payload.into()));
            }
            _ => false,
        };
        let text = key.as_text().filter(|_| is_text)?;
        Some(KeyQuery::Text(text.as_bytes().into()))
    }

    /// Returns the key of `child` as the engine compares it.
    pub(crate) fn of_child(child: Child<'k>) -> Option<KeyQuery<'k>> {
        match child.name {
            Name::Place => None,
            Name::Key(key) => KeyQuery::of_key(key),
            Name::Property(name) => Some(KeyQuery::Text(name.as_bytes().into())),
        }
    }
}

/// Returns the text of a name in a path: resolves its escapes.
pub(crate) fn unescaped(name: &str) -> Cow<'_, [u8]> {
    if !name.contains('\\') {
        return name.as_bytes().into();
    }
    let mut text = String::new();
    let mut rest = name;
    while let Some((before, behind)) = rest.split_once('\\') {
        text += before;
        let mut chars = behind.chars();
        let code = behind
            .strip_prefix("u{")
            .and_then(|code| code.split_once('}'));
        let code = code.and_then(|(code, rest)| {
            let char = u32::from_str_radix(code, 16)
                .ok()
                .and_then(char::from_u32)?;
            Some((char, rest))
        });
        (text, rest) = match (code, chars.next()) {
            (Some((char, rest)), _) => (text + char.encode_utf8(&mut [0; 4]), rest),
            (None, Some(char)) => {
                let char = match char {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                };
                (text + char.encode_utf8(&mut [0; 4]), chars.as_str())
            }
            (None, None) => (text, ""),
        };
    }
    (text + rest).into_bytes().into()
}

/// Returns the bytes of a string field: length, text and padding ([`docs/FORMAT.md` §3.2]).
///
/// [`docs/FORMAT.md` §3.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#32-string-field
pub(crate) fn field(text: &[u8]) -> Vec<u8> {
    // Overlong texts were refused with the value that they come from.
    let mut out = (text.len() as u32).to_le_bytes().to_vec();
    out.extend_from_slice(text);
    out.resize(out.len().next_multiple_of(4), 0);
    out
}

/// Returns a new text key: a StringName if `like` says so, otherwise a String.
pub(crate) fn text_key(dialect: Dialect, text: &[u8], like: Option<Kind>) -> Vec<u8> {
    let id = like
        .filter(|kind| *kind == Kind::StringName)
        .and_then(|kind| dialect.type_id(kind));
    // The type number of String in every dialect.
    let id = id.map_or(4, |id| u32::from(id.0));
    let mut out = id.to_le_bytes().to_vec();
    out.extend_from_slice(&field(text));
    out
}

/// Returns a new int key as the engine writes it. Godot 2 only has 32 bits and refuses a wider one.
pub(crate) fn int_key(int: i64) -> Vec<u8> {
    const INT: u32 = 2;
    const WIDE: u32 = 1 << 16;
    match i32::try_from(int) {
        Ok(int) => [INT.to_le_bytes(), int.to_le_bytes()].concat(),
        Err(_) => [&(INT | WIDE).to_le_bytes()[..], &int.to_le_bytes()].concat(),
    }
}

/// Keys that will be added to one Dictionary, to find out which of them it already has.
#[derive(Default)]
pub(crate) struct NewKeys {
    known: std::collections::HashMap<KeyQuery<'static>, usize>,
    /// Keys that only the engine can compare, as consecutive pairs of key and null.
    others: Vec<u8>,
    owners: Vec<usize>,
}

impl NewKeys {
    /// Adds the key of an edit. Returns `false` if it was added before.
    pub(crate) fn add(&mut self, key: VariantRef<'_>, raw: &[u8], edit: usize) -> bool {
        if let Some(query) = KeyQuery::of_key(key) {
            return self.add_query(&query, edit);
        }
        if self.find_other(key).is_some() {
            return false;
        }
        self.others.extend_from_slice(raw);
        self.others.extend_from_slice(&[0; 4]);
        self.owners.push(edit);
        true
    }

    /// Adds a key by its query. Returns `false` if it was added before.
    pub(crate) fn add_query(&mut self, query: &KeyQuery<'_>, edit: usize) -> bool {
        let query = match query {
            KeyQuery::Text(text) => KeyQuery::Text(Cow::Owned(text.to_vec())),
            KeyQuery::Int(int) => KeyQuery::Int(*int),
            KeyQuery::Exact(kind, payload) => KeyQuery::Exact(*kind, Cow::Owned(payload.to_vec())),
            KeyQuery::Nth(_) | KeyQuery::At(_) => return true,
        };
        self.known.insert(query, edit).is_none()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.owners.is_empty()
    }

    /// Returns the edit that adds the key of `child`, if there is one.
    pub(crate) fn find(&self, child: Child<'_>) -> Option<usize> {
        match (KeyQuery::of_child(child), child.name) {
            (Some(query), _) => self.known.get(&query).copied(),
            (None, Name::Key(key)) if !self.owners.is_empty() => self.find_other(key),
            _ => None,
        }
    }

    fn find_other(&self, key: VariantRef<'_>) -> Option<usize> {
        // Looks the key up in a dictionary made of the new keys, which compares as the engine does.
        let mut dict = Vec::new();
        let id = key.dialect().type_id(Kind::Dictionary)?;
        dict.extend_from_slice(&u32::from(id.0).to_le_bytes());
        dict.extend_from_slice(&(self.owners.len() as u32).to_le_bytes());
        dict.extend_from_slice(&self.others);
        let options = ReadOptions::new(key.dialect()).with_objects(gdvar_view::Objects::Inert);
        let dict = Document::with_options(&dict, options)
            .root()
            .ok()?
            .as_dict()?;
        let value = dict.get_value(key).ok()??;
        let place = dict
            .iter()
            .position(|pair| pair.is_ok_and(|(_, one)| one.offset() == value.offset()));
        self.owners.get(place?).copied()
    }
}
