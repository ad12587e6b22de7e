//! [`KeyIdentity`]: what two keys are compared by.

use std::borrow::Cow;

use gdvar_view::VariantRef;
use gdvar_write::{Precision, Target, Writer, transcode_value};

use super::whole::Whole;
use crate::{container::Name, key::KeyQuery};

/// What a key is compared by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum KeyIdentity<'a> {
    /// The key as the engine compares it.
    Query(KeyQuery<'a>),
    /// The bytes of a key that only the engine can compare, such as an Array. Of keys with different bytes it
    /// may take two for one.
    Bytes(Cow<'a, [u8]>),
}

impl<'a> KeyIdentity<'a> {
    /// Returns the identity of the key or name of a child. With `by_value`, values of other dialects and widths
    /// have the same bytes: all of them are written as Godot 4 with double precision writes them.
    ///
    /// With `typed`, a String never equals a StringName: they are two keys in one of the dialects.
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

    /// Returns `true` if keys with other identities are certainly other keys.
    pub(super) fn is_certain(&self) -> bool {
        matches!(self, KeyIdentity::Query(_))
    }
}

/// Returns a key as Godot 4 with double precision writes it, if that has all of it. Not inlined: it takes much
/// of the stack, and hardly any key needs it.
#[inline(never)]
fn in_common(key: VariantRef<'_>) -> Option<Vec<u8>> {
    let mut writer = writer();
    let report = transcode_value(key, &mut writer).ok()?;
    report.is_empty().then(|| writer.finish().ok()).flatten()
}

/// Makes a writer on the heap: its open containers take kilobytes.
#[inline(never)]
fn writer() -> Box<Writer<Vec<u8>>> {
    let target = Target::GODOT_4.with_precision(Precision::Double);
    Box::new(Writer::new(Vec::new(), target))
}
