//! Keys as they are looked for, and new ones.

use std::borrow::Cow;

use gdvar_view::{Dialect, Document, Kind, ReadOptions, VariantRef};

use crate::container::{Child, Name};

/// The key that a child is looked for by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wanted<'k> {
    Text(Cow<'k, [u8]>),
    Int(i64),
    /// A key of a type whose values are equal if their bytes are: Vector2i and its like.
    Exact(Kind, Cow<'k, [u8]>),
    /// Its number among the children.
    Nth(usize),
    /// The byte at which its value begins.
    At(usize),
}

impl<'k> Wanted<'k> {
    /// The engine's view of a key, if it can be said by looking at the key alone.
    pub(crate) fn of_key(key: VariantRef<'k>) -> Option<Wanted<'k>> {
        let is_text = match key.kind() {
            Kind::String => true,
            Kind::StringName => key.dialect().string_names_equal_strings(),
            Kind::Int => return key.as_i64().map(Wanted::Int),
            kind
            @ (Kind::Nil | Kind::Vector2i | Kind::Vector3i | Kind::Vector4i | Kind::Rect2i) => {
                let payload = key.raw().ok()?.get(4..)?;
                return Some(Wanted::Exact(kind, payload.into()));
            }
            _ => false,
        };
        let text = key.as_text().filter(|_| is_text)?;
        Some(Wanted::Text(text.as_bytes().into()))
    }

    /// The engine's view of the key of a child.
    pub(crate) fn of_child(child: Child<'k>) -> Option<Wanted<'k>> {
        match child.name {
            Name::Place => None,
            Name::Key(key) => Wanted::of_key(key),
            Name::Property(name) => Some(Wanted::Text(name.as_bytes().into())),
        }
    }
}

/// The text that a name in a path stands for.
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

/// A text behind the word with its length: a field (`docs/FORMAT.md` §3.2).
pub(crate) fn field(text: &[u8]) -> Vec<u8> {
    // Longer ones are refused with the value they were taken from.
    let mut out = (text.len() as u32).to_le_bytes().to_vec();
    out.extend_from_slice(text);
    out.resize(out.len().next_multiple_of(4), 0);
    out
}

/// A new key with the type of the Dictionary's other text keys.
pub(crate) fn text_key(dialect: Dialect, text: &[u8], like: Option<Kind>) -> Vec<u8> {
    let id = like
        .filter(|kind| *kind == Kind::StringName)
        .and_then(|kind| dialect.type_id(kind));
    // A String has this number in every dialect.
    let id = id.map_or(4, |id| u32::from(id.0));
    let mut out = id.to_le_bytes().to_vec();
    out.extend_from_slice(&field(text));
    out
}

/// A new int key, as the engine writes it. Godot 2, which has 32 bits only, refuses a wider one.
pub(crate) fn int_key(int: i64) -> Vec<u8> {
    const INT: u32 = 2;
    const WIDE: u32 = 1 << 16;
    match i32::try_from(int) {
        Ok(int) => [INT.to_le_bytes(), int.to_le_bytes()].concat(),
        Err(_) => [&(INT | WIDE).to_le_bytes()[..], &int.to_le_bytes()].concat(),
    }
}

/// Keys that are going to be added to one Dictionary, to find out whether they are there already.
#[derive(Default)]
pub(crate) struct NewKeys {
    known: std::collections::HashMap<Wanted<'static>, usize>,
    /// Keys of other types, behind each other as pairs with null.
    others: Vec<u8>,
    owners: Vec<usize>,
}

impl NewKeys {
    /// Adds a key for an edit; false if it is among them already.
    pub(crate) fn add(&mut self, key: VariantRef<'_>, raw: &[u8], edit: usize) -> bool {
        if let Some(wanted) = Wanted::of_key(key) {
            return self.add_wanted(&wanted, edit);
        }
        if self.find_other(key).is_some() {
            return false;
        }
        self.others.extend_from_slice(raw);
        self.others.extend_from_slice(&[0; 4]);
        self.owners.push(edit);
        true
    }

    /// Adds a key as it is looked for.
    pub(crate) fn add_wanted(&mut self, wanted: &Wanted<'_>, edit: usize) -> bool {
        let wanted = match wanted {
            Wanted::Text(text) => Wanted::Text(Cow::Owned(text.to_vec())),
            Wanted::Int(int) => Wanted::Int(*int),
            Wanted::Exact(kind, payload) => Wanted::Exact(*kind, Cow::Owned(payload.to_vec())),
            Wanted::Nth(_) | Wanted::At(_) => return true,
        };
        self.known.insert(wanted, edit).is_none()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.owners.is_empty()
    }

    /// The edit that adds the key of a child, if one does.
    pub(crate) fn find(&self, child: Child<'_>) -> Option<usize> {
        match (Wanted::of_child(child), child.name) {
            (Some(wanted), _) => self.known.get(&wanted).copied(),
            (None, Name::Key(key)) if !self.owners.is_empty() => self.find_other(key),
            _ => None,
        }
    }

    fn find_other(&self, key: VariantRef<'_>) -> Option<usize> {
        // A dictionary of the new keys, asked as the engine would be.
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
