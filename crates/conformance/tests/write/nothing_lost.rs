//! Bytes that an engine wrote come back byte for byte from an owned tree, through serde, through `transcode` and
//! through an edit, with everything at its default, or are refused: every dialect, both precisions.

use arbitrary::{Arbitrary, Unstructured};
use gdvar::{
    Dialect, Document, Objects, ReadOptions, Variant,
    edit::Edit,
    serde::{self as gd, RawVariant, ReadWith},
    walk::Event,
    write::{Target, Writer, transcode},
};
use gdvar_conformance::{
    alike::Random,
    vectors::{ENGINES, hex, vectors},
    with_big_stack,
};

/// How many ways of writing a value gave the same bytes back, and how many refused it.
#[derive(Default)]
struct Count {
    same: u32,
    refused: u32,
}

impl Count {
    #[track_caller]
    fn add(&mut self, who: &str, bytes: &[u8], written: Option<Vec<u8>>) {
        match written {
            Some(written) => {
                assert_eq!(hex(&written), hex(bytes), "{who}");
                self.same += 1;
            }
            None => self.refused += 1,
        }
    }

    /// All ways of a value that a correct encoder of the dialect wrote; `clean` are its bytes without the memory
    /// that Godot 3 leaks into padding.
    fn all(&mut self, who: &str, bytes: &[u8], clean: &[u8], dialect: Dialect) {
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        let owned = Variant::from_slice_with(bytes, options).expect(who);
        let written = owned.to_vec(dialect).ok();
        self.add(&format!("{who}, owned"), clean, written);
        let deep = ReadWith::deep(options);
        let again: Variant = gd::from_slice_with(bytes, deep).expect(who);
        let written = gd::to_vec_with(&again, dialect).ok();
        self.add(&format!("{who}, serde"), clean, written);
        let raw: RawVariant<'_> = gd::from_slice_with(bytes, deep).expect(who);
        let written = gd::to_vec_with(&raw, dialect).ok();
        self.add(&format!("{who}, raw"), bytes, written);
        let mut writer = Writer::new(Vec::new(), Target::from(dialect));
        let report = transcode(Document::with_options(bytes, options), &mut writer);
        let is_whole = report.is_ok_and(|report| report.is_empty());
        let written = writer.finish().ok().filter(|_| is_whole);
        self.add(&format!("{who}, transcode"), clean, written);
        self.add(&format!("{who}, edit"), bytes, edited(bytes, options));
    }
}

/// Returns the value after an edit that replaces its last part by an equal one.
fn edited(bytes: &[u8], options: ReadOptions) -> Option<Vec<u8>> {
    let document = Document::with_options(bytes, options);
    let mut last = document.root().ok()?;
    let mut events = document.events();
    while let Ok(Some(event)) = events.try_next() {
        if let Event::Value(value) = event {
            last = value;
        }
    }
    let path = document.locate(last.offset()).to_string();
    // A deep place is shown with its middle left out.
    if path.contains('…') {
        return None;
    }
    let mut edit = Edit::new(document);
    edit.set(&path, last.raw().ok()?);
    Some(edit.plan().ok()?.to_vec())
}

#[test]
fn engines_get_their_bytes_back() {
    with_big_stack(|| {
        for engine in ENGINES {
            let mut count = Count::default();
            for vector in vectors(engine) {
                let options = ReadOptions::new(engine.dialect).with_objects(Objects::Inert);
                let document = Document::with_options(&vector.bytes, options).strict();
                if document.validate() != Ok(vector.bytes.len()) {
                    continue;
                }
                let who = format!("{} {}", engine.name, vector.id);
                count.all(&who, &vector.bytes, &vector.clean(), engine.dialect);
            }
            let Count { same, refused } = count;
            assert!(
                same > 300 && refused < same / 10,
                "{}: {same}, {refused}",
                engine.name
            );
        }
    });
}

/// Random values of both precisions: nothing is refused, as Godot 4 can hold all of them.
#[test]
fn values_of_both_precisions_come_back() {
    with_big_stack(|| {
        let mut random = Random(18);
        let mut count = Count::default();
        let mut wide = 0;
        for round in 0..2000 {
            let data: Vec<u8> = (0..round % 1000)
                .map(|_| random.next_number() as u8)
                .collect();
            let value = Variant::arbitrary(&mut Unstructured::new(&data)).expect("it cannot fail");
            let bytes = value.to_vec(Target::GODOT_4).expect("Godot 4 can hold it");
            wide += u32::from(format!("{value:?}").contains("Double"));
            let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
            assert_eq!(
                Variant::from_slice_with(&bytes, options).as_ref(),
                Ok(&value)
            );
            let strict = Document::with_options(&bytes, options).strict().validate();
            if strict.is_ok() {
                count.all(&format!("round {round}"), &bytes, &bytes, Dialect::GODOT_4);
            }
        }
        assert!(wide > 100, "{wide} of 64 bits");
        assert!(
            count.same > 2000 && count.refused == 0,
            "{}, {}",
            count.same,
            count.refused
        );
    });
}
