//! [`KeyIdentity`]: a key in the form in which it is compared with other keys.

use std::borrow::Cow;

use gdvar_view::VariantRef;
use gdvar_write::{Precision, Target, Writer, transcode_value};

use super::whole::Whole;
use crate::{container::Name, key::KeyQuery};

/// A key in the form in which it is compared with other keys.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum KeyIdentity<'a> {
    /// The key as the engine compares it.
    Query(KeyQuery<'a>),
    /// The bytes of a key that only the engine can compare, such as an Array. Two keys with different bytes may
    /// be the same key for the engine.
    Bytes(Cow<'a, [u8]>),
}

impl<'a> KeyIdentity<'a> {
    /// Returns the identity of a child's key or name. With `by_value`, keys of different dialects and widths
    /// are comparable: all are converted to Godot 4 with double precision.
    ///
    /// With `typed`, a String never equals a StringName. Use it if one of the dialects has them as two
    /// different keys.
    pub(super) fn of(one: Whole<'a>, by_value: bool, typed: bool) -> KeyIdentity<'a> {
        if let (true, Name::Key(key)) = (typed, one.child.name) {
            if let Some(text) = key.as_text() {
                let query = KeyQuery::TypedText(key.kind(), text.as_bytes().into());
                return KeyIdentity::Query(query);
            }
        }
        if let Some(query) = KeyQuery::of_child(one.child) {
            return KeyIdentity::Query(query);
        }
        let common = match one.child.name {
            Name::Key(key) if by_value => in_common(key),
            _ => None,
        };
        KeyIdentity::Bytes(common.map_or(one.name_raw().into(), Cow::Owned))
    }

    /// Returns `true` if a different identity proves a different key.
    pub(super) fn is_certain(&self) -> bool {
        matches!(self, KeyIdentity::Query(_))
    }
}

/// Returns a key as Godot 4 with double precision writes it. `None` if that would lose something.
/// Not inlined, because the function needs much stack and few keys reach it.
#[inline(never)]
fn in_common(key: VariantRef<'_>) -> Option<Vec<u8>> {
    let mut writer = writer();
    let report = transcode_value(key, &mut writer).ok()?;
    report.is_empty().then(|| writer.finish().ok()).flatten()
}

/// Creates a writer on the heap, because its list of open containers takes kilobytes.
#[inline(never)]
fn writer() -> Box<Writer<Vec<u8>>> {
    let target = Target::GODOT_4.with_precision(Precision::Double);
    Box::new(Writer::new(Vec::new(), target))
}
