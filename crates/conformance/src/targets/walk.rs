//! Checks that no bytes make a reader panic, with any calls in any sequence.

use gdvar::{
    Document, Mode, Record, VariantRef,
    detect::{Change, Choice, Detector, detect, verdict},
    frames::{PrefixOrder, frames},
    index::{Index, Indexed},
    path::Path,
    record::{Fields, Key, Mismatch},
    values::{ArrayIter, ArrayRef, Packed},
    walk::repeated_keys,
};

use super::Input;
use crate::{fingerprint, touch::touch};

/// Reads any bytes through every entry point.
///
/// # Panics
/// If an entry point panics, or two of them contradict each other.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let document = Document::with_options(input.bytes, input.rules.options());
    let choice = usize::from(input.choice);
    if let Ok(root) = document.root() {
        read_lazily(root, choice);
    }
    pull_events(document, choice);
    let visited = fingerprint::events(document).0;
    read_indexed(document);
    read_frames(input.bytes);
    check_detection(input.bytes);
    check_verdict(document);
    let error = visited
        .as_ref()
        .map_or_else(|error| error.offset(), |end| *end);
    for offset in [error, choice % (input.bytes.len() + 1), usize::MAX] {
        assert!(document.locate(offset).to_string().starts_with('$'));
    }
    if let Err(error) = visited {
        assert!(error.offset() <= input.bytes.len(), "{error}");
        assert!(error.to_string().contains(error.kind().name()));
    }
    drop(crate::owned(input.bytes, input.rules.options()));
}

/// Compares a verdict with validation in both modes.
fn check_verdict(document: Document<'_>) {
    let verdict = verdict(document);
    let options = document.options().with_mode(Mode::Engine);
    let engine = Document::with_options(document.bytes(), options);
    assert_eq!(verdict.read, engine.validate());
    assert_eq!(verdict.strict, engine.strict().validate().map(drop));
    assert!(verdict.read.is_ok() || verdict.changes().next().is_none());
    let behind = verdict
        .changes()
        .find(|one| one.change == Change::TrailingBytes);
    let left = verdict.read.map_or(0, |end| document.bytes().len() - end);
    assert_eq!(behind.map_or(0, |one| one.count), left as u64);
    let repeats = verdict
        .changes()
        .any(|one| one.change == Change::RepeatedKeys);
    if let (Ok(_), Ok(root)) = (verdict.read, engine.root()) {
        assert_eq!(
            repeats,
            repeated_keys(root).is_ok_and(|all| !all.is_empty())
        );
    }
}

/// Checks, for any bytes, that the detected dialect is consistent with the readings on which it is
/// based.
fn check_detection(bytes: &[u8]) {
    let found = detect(bytes);
    let mut any = Detector::new(&Detector::ANY);
    any.add(bytes);
    any.add_cut(bytes, bytes.len() + 1);
    for found in [found, any.finish()] {
        assert!(found.readings().len() >= 2 && found.possible().next().is_some());
        let reading = |dialect| found.readings().iter().find(|one| one.dialect == dialect);
        match found.choice() {
            Choice::Certain(own) | Choice::Likely(own) | Choice::Same(own) => {
                assert_eq!(reading(own).map(|own| own.failed), Some(0));
            }
            Choice::Furthest(own) => assert!(reading(own).is_some_and(|own| own.failed > 0)),
            Choice::Ambiguous | Choice::None => {}
        }
    }
}

fn read_lazily(root: VariantRef<'_>, choice: usize) {
    let _ = touch(root, 3);
    let end = root.end();
    assert_eq!(root.raw().map(<[u8]>::len), end);
    let shown = format!("{root:?}");
    assert!(!shown.is_empty());
    let _ = repeated_keys(root);
    for path in ["a", "[0]", "[-1].x", "{0}", "{1:key}", "[\"\\\"\"]", "[7]"] {
        let path = Path::parse(path).expect("a path");
        let _ = root.get_path(&path);
    }
    if let Some(dict) = root.as_dict() {
        let _ = (
            dict.get("id"),
            dict.get_int(choice as i64),
            dict.key_type(),
            dict.value_type(),
        );
        let _ = dict.distinct();
        if let Some(Ok((key, _))) = dict.iter().nth(choice % 8) {
            // A readable key must be found, unless an unreadable key precedes it.
            if let Ok(found) = dict.get_value(key) {
                assert!(found.is_some() || !is_itself(key), "{key:?} is not found");
            }
        }
        record(dict.iter());
        let mut later = dict.iter();
        let _ = later.next();
        record(later);
    }
    if let Some(array) = root.as_array() {
        let _ = (
            array.get(choice),
            array.get(usize::MAX),
            array.element_type(),
        );
        let mut items = array.iter();
        while let Ok(Some(item)) = items.try_next() {
            if let Some(dict) = item.as_dict() {
                let mut pairs = dict.iter();
                record(pairs.clone());
                let _ = pairs.try_next();
                let _ = items.pass(&pairs);
            }
        }
        records(array);
    }
    if let Some(object) = root.as_object() {
        let _ = (
            object.id(),
            object.class(),
            object.get("script"),
            object.is_null(),
        );
    }
}

/// Returns `true` if a key equals itself. NaNs in containers do not, nor do objects (docs/FORMAT.md §6), nor
/// does a packed array of reals with a NaN in Godot 3.2, whose rule both Godot 3 get (§4.2).
fn is_itself(key: VariantRef<'_>) -> bool {
    let is_lost = |key: VariantRef<'_>| match key.as_packed() {
        Some(Packed::Float32(reals)) => {
            key.dialect().hashes_bits_of_keys() && reals.iter().any(f32::is_nan)
        }
        _ => false,
    };
    !key.has_children() && key.as_object().is_none() && !is_lost(key)
}

#[derive(Debug, PartialEq)]
struct ReadRecord(Option<i64>, Option<usize>, bool);

impl<'a> Record<'a> for ReadRecord {
    const KEYS: &'static [Key] = &Key::all(["id", "name", "position"]);

    #[inline(always)]
    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        let id = fields.next::<i64>().ok();
        let name = fields.next::<&str>().ok();
        let place = fields.next::<VariantRef<'_>>().ok();
        Ok(ReadRecord(id, name.map(str::len), place.is_some()))
    }
}

fn record(mut pairs: gdvar::values::DictIter<'_>) {
    if pairs.read::<ReadRecord>().is_ok() {
        assert!(matches!(pairs.try_next(), Ok(None)), "pairs are left");
    }
}

/// Checks that an array read as records gives the same results as its elements read one by one.
fn records(array: ArrayRef<'_>) {
    let (mut all, mut items) = (array.iter(), array.iter());
    let mut at_once = array.iter();
    let mut given = Vec::new();
    let mut expected = Vec::new();
    let end = at_once.for_each_record::<ReadRecord>(|record| given.push(record));
    loop {
        let found = all.next_record();
        assert_eq!(found, next_record(&mut items));
        match found {
            Some(Err(wrong)) if wrong.unreadable().is_some() => {
                break assert_eq!(end.map_err(Mismatch::from), Err(wrong));
            }
            Some(record) => expected.push(record),
            None => break assert_eq!(end, Ok(())),
        }
    }
    assert_eq!(given, expected);
}

fn next_record(items: &mut ArrayIter<'_>) -> Option<Result<ReadRecord, Mismatch>> {
    let item = match items.try_next() {
        Ok(item) => item?,
        Err(error) => return Some(Err(error.into())),
    };
    let Some(dict) = item.as_dict() else {
        return Some(item.read());
    };
    let mut pairs = dict.iter();
    let record = pairs.read();
    Some(items.pass(&pairs).map_err(Mismatch::from).and(record))
}

fn pull_events(document: Document<'_>, choice: usize) {
    let mut events = document.events();
    let mut steps = 0;
    while let Ok(Some(_)) = events.try_next() {
        let _ = (events.role(), events.open(), events.position());
        steps += 1;
        if steps % (choice % 16 + 2) == 0 && events.pass_children().is_err() {
            break;
        }
    }
    // A walk that has ended does not continue.
    let position = events.position();
    assert!(!matches!(events.try_next(), Ok(Some(_))));
    assert_eq!(events.position(), position);
}

fn read_indexed(document: Document<'_>) {
    let Ok(mut index) = Index::build(document) else {
        return;
    };
    read_children(index.open(document).expect("the same document"), 3);
    index.sort_keys(document).expect("the same document");
    let root = index.open(document).expect("the same document");
    read_children(root, 1);
    if let Some(dict) = root.as_dict() {
        for key in ["id", "name", ""] {
            let plain = dict.into_inner().get(key).ok().flatten();
            let found = dict.get(key).map(|value| value.offset());
            assert_eq!(found, plain.map(VariantRef::offset), "{key}");
        }
    }
}

/// Reads children in all ways, to a depth of `levels`.
fn read_children(value: Indexed<'_, VariantRef<'_>>, levels: u32) {
    let _ = (value.end(), value.raw());
    if levels == 0 {
        return;
    }
    if let Some(array) = value.as_array() {
        array
            .iter()
            .for_each(|item| read_children(item, levels - 1));
        let _ = array.get(3);
    } else if let Some(dict) = value.as_dict() {
        for (key, value) in dict {
            read_children(key, levels - 1);
            read_children(value, levels - 1);
        }
        let _ = (dict.get("id"), dict.get_int(1), dict.pair(2));
    } else if let Some(object) = value.as_object() {
        object
            .iter()
            .for_each(|(_, value)| read_children(value, levels - 1));
        let _ = (object.get("script"), object.property(1));
    }
}

fn read_frames(bytes: &[u8]) {
    for order in [PrefixOrder::Little, PrefixOrder::Big] {
        let mut frames = frames(bytes, order);
        while let Some(frame) = frames.next() {
            assert!(frames.position() <= bytes.len());
            if let Ok(frame) = frame {
                assert_eq!(&bytes[frame.offset..][..frame.bytes.len()], frame.bytes);
            }
        }
    }
}
