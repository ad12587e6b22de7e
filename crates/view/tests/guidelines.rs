//! The traits that the Rust API guidelines require of public types.

use std::{
    collections::{BTreeSet, HashSet},
    iter::FusedIterator,
};

use gdvar_view::{
    ArrayIter, ArrayRef, Codes, Cursor, Dialect, DictIter, DictRef, Document, Error, Event, Events,
    Frames, Index, Indexed, IndexedArrayIter, IndexedDictIter, IndexedPropertyIter, Mismatch,
    NameIter, NodePathRef, ObjectRef, PackedStringIter, PackedStrings, Path, PropertyIter,
    ReadOptions, StrRef, VariantRef,
};

#[test]
fn public_types_can_be_sent_to_other_threads() {
    fn check<T: Send + Sync>() {}
    check::<Document<'_>>();
    check::<VariantRef<'_>>();
    check::<(ArrayRef<'_>, DictRef<'_>, ObjectRef<'_>)>();
    check::<(ArrayIter<'_>, DictIter<'_>, PropertyIter<'_>)>();
    check::<(StrRef<'_>, NodePathRef<'_>, PackedStrings<'_>)>();
    check::<(Cursor<'_>, Events<'_>, Event<'_>, Frames<'_>)>();
    check::<(Index, Path<'_>, ReadOptions, Error, Mismatch)>();
    check::<Indexed<'_, VariantRef<'_>>>();
}

#[test]
fn iterators_are_fused() {
    fn check<T: FusedIterator>() {}
    check::<ArrayIter<'_>>();
    check::<DictIter<'_>>();
    check::<PropertyIter<'_>>();
    check::<IndexedArrayIter<'_, '_>>();
    check::<IndexedDictIter<'_, '_>>();
    check::<IndexedPropertyIter<'_, '_>>();
    check::<PackedStringIter<'_>>();
    check::<NameIter<'_>>();
    check::<Codes<'_>>();
}

/// [7, {"a": 1, &"b": 2}, "c"] as Godot 4 writes it (`docs/FORMAT.md` §3.2, §4.1, §4.2).
const VALUE: &[u8] =
    b"\x1c\0\0\0\x03\0\0\0\x02\0\0\0\x07\0\0\0\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\
\x02\0\0\0\x01\0\0\0\x15\0\0\0\x01\0\0\0b\0\0\0\x02\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0c\0\0\0";

#[test]
fn iterators_have_size_hints() {
    let document = Document::new(VALUE, Dialect::GODOT_4);
    let array = document.root().unwrap().as_array().unwrap();
    let mut items = array.iter();
    assert_eq!(items.size_hint(), (1, Some(3)));
    let dict = items.nth(1).unwrap().unwrap().as_dict().unwrap();
    assert_eq!(items.size_hint(), (1, Some(1)));
    assert_eq!(dict.iter().size_hint(), (1, Some(2)));
    assert!(items.next().is_some() && items.next().is_none());
    assert_eq!(items.size_hint(), (0, Some(0)));

    let index = Index::build(document).unwrap();
    let mut indexed = index.open(document).unwrap().as_array().unwrap().iter();
    assert_eq!(indexed.len(), 3);
    assert!(indexed.by_ref().count() == 3 && indexed.next().is_none());
    assert_eq!(indexed.size_hint(), (0, Some(0)));

    let array = index.open(document).unwrap().as_array().unwrap();
    let kinds: Vec<_> = array.into_iter().map(|value| value.kind()).collect();
    assert_eq!(kinds.len(), 3);
    let dict = array.get(1).unwrap().as_dict().unwrap();
    assert_eq!(dict.iter().len(), 2);
    for (n, (key, value)) in (1..).zip(dict) {
        assert_eq!(value.as_i64(), Some(n));
        assert!(key.as_text().is_some());
    }
}

/// A cut array gives the elements that can be read, and then the error.
#[test]
fn a_size_hint_is_correct_for_a_cut_array() {
    let cut = &VALUE[..VALUE.len() - 4];
    let array = Document::new(cut, Dialect::GODOT_4).root().unwrap();
    let items = array.as_array().unwrap().iter();
    let (least, most) = items.size_hint();
    let all: Vec<_> = items.collect();
    assert!(least <= all.len() && all.len() <= most.unwrap());
    assert!(all.last().unwrap().is_err());
}

#[test]
fn texts_can_be_kept_in_sets() {
    let document = Document::new(VALUE, Dialect::GODOT_4);
    let mut texts = Vec::new();
    let mut events = document.events();
    while let Some(event) = events.try_next().unwrap() {
        if let Event::Value(value) = event {
            texts.extend(value.as_text());
        }
    }
    let sorted: BTreeSet<StrRef<'_>> = texts.iter().rev().copied().collect();
    assert!(sorted.iter().any(|text| "a" == *text));
    let names: Vec<_> = sorted.iter().map(|text| text.as_ref()).collect();
    assert_eq!(names, [b"a", b"b", b"c"]);
    let twice: HashSet<StrRef<'_>> = texts.iter().chain(&texts).copied().collect();
    assert_eq!(twice.len(), 3);
}
