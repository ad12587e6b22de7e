//! Promises about any bytes: clean failure of every prefix, equal answers at every address, no
//! allocation, constant stack, no memory for lies about counts.

use core::fmt;

use allocation_counter::measure;
use gdvar::{
    Dialect, Document, ErrorKind, Objects, ReadOptions,
    fields::WirePart,
    frames::{PrefixOrder, frames},
    walk::Event,
};
use gdvar_conformance::{
    derived,
    touch::touch,
    vectors::{ENGINES, plain_saves, vectors},
};

/// Takes text and keeps none of it.
struct Nowhere;

impl fmt::Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

/// Every vector of every dialect, with the options it is read with.
fn corpus() -> Vec<(String, Vec<u8>, ReadOptions)> {
    let mut corpus = Vec::new();
    let options = |dialect| ReadOptions::new(dialect).with_objects(Objects::Inert);
    for engine in ENGINES {
        for vector in vectors(engine) {
            let id = format!("{} {}", engine.name, vector.id);
            corpus.push((id, vector.bytes, options(engine.dialect)));
        }
    }
    for vector in derived::derived_vectors() {
        let dialect: Dialect = vector.dialect.parse().expect("a dialect");
        let id = format!("{} {}", vector.dialect, vector.id);
        corpus.push((id, vector.bytes, options(dialect)));
    }
    assert!(corpus.len() > 2500, "vectors are missing");
    corpus
}

#[test]
fn every_prefix_fails_cleanly() {
    for (id, bytes, options) in corpus() {
        // Long vectors by their ends and every 61st byte between.
        let lengths = (0..bytes.len()).filter(|n| *n < 600 || bytes.len() - n < 600 || n % 61 == 0);
        for len in lengths {
            let prefix = &bytes[..len];
            let document = Document::with_options(prefix, options);
            match document.validate() {
                Ok(used) => {
                    // Only padding of bytes at the very end may be missing (docs/FORMAT.md §6, row 19).
                    assert_eq!(used, len, "{id}: {len} bytes of {}", bytes.len());
                    assert!(
                        bytes.len() - len < 4,
                        "{id}: {len} bytes of {}",
                        bytes.len()
                    );
                }
                Err(error) => {
                    let whole = Document::with_options(&bytes, options).validate();
                    assert!(
                        error.is_truncated() || whole == Err(error),
                        "{id}: {len} bytes: {error}"
                    );
                    assert!(error.offset() <= len, "{id}: {len} bytes: {error}");
                    assert!(document.validate().is_err(), "{id}");
                }
            }
            assert!(
                document.strict().validate().is_err(),
                "{id}: {len} bytes pass strictly"
            );
            if let Ok(root) = document.root() {
                touch(root, 2);
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_the_address() {
    for (id, bytes, options) in corpus() {
        let seen = |document: Document<'_>| {
            document.validate()?;
            document.root().map(|root| touch(root, 3))
        };
        let expected = seen(Document::with_options(&bytes, options));
        // Sixteen addresses in a row, whatever the first one is.
        for shift in 0..16 {
            let mut moved = vec![0xa5; shift];
            moved.extend_from_slice(&bytes);
            let document = Document::with_options(&moved[shift..], options);
            assert_eq!(seen(document), expected, "{id} at {shift}");
        }
    }
}

#[test]
fn reading_allocates_nothing() {
    let corpus = corpus();
    let saves = plain_saves();
    let mut seen = 0_u64;
    let allocations = measure(|| {
        for (_, bytes, options) in &corpus {
            let document = Document::with_options(bytes, *options);
            let mut events = document.events();
            while let Ok(Some(event)) = events.try_next() {
                if let Event::Value(value) = event {
                    seen = seen.wrapping_add(touch(value, 0));
                }
            }
            if let (Ok(_), Ok(root)) = (document.validate(), document.root()) {
                seen = seen
                    .wrapping_add(touch(root, 3))
                    .wrapping_add(root.end().unwrap_or(0) as u64);
            }
            let mut fields = document.wire_fields();
            while let Some(field) = fields.next() {
                seen = seen.wrapping_add(field.len() as u64);
                if field.part == WirePart::Header {
                    fmt::write(&mut Nowhere, format_args!("{} {field}", fields.path())).ok();
                }
            }
            if let Err(error) = Document::new(bytes, Dialect::GODOT_2).validate() {
                seen = seen.wrapping_add(error.offset() as u64);
            }
        }
        for save in &saves {
            for frame in frames(&save.bytes, PrefixOrder::Little).flatten() {
                let document =
                    Document::new(frame.bytes, save.dialect).with_objects(Objects::Inert);
                let found = document.get("$.player.inventory[3][\"name\"]{1}.x.y[-1]");
                seen = seen.wrapping_add(u64::from(found.is_ok()));
            }
        }
    });
    assert!(seen > 0);
    assert_eq!(allocations.count_total, 0, "{allocations:?}");
}

#[test]
fn strict_mode_remembers_keys_in_proportion() {
    let saves = plain_saves();
    for save in &saves {
        let allocations = measure(|| {
            for frame in frames(&save.bytes, PrefixOrder::Little).flatten() {
                let document =
                    Document::new(frame.bytes, save.dialect).with_objects(Objects::Inert);
                assert!(document.strict().validate().is_ok(), "{}", save.name);
            }
        });
        let most = 4 * save.bytes.len() as u64 + 1024;
        assert!(
            allocations.bytes_max <= most,
            "{}: {allocations:?}",
            save.name
        );
    }
}

/// Runs in 64 KiB of stack.
fn in_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(test);
    thread.expect("a thread").join().expect("the test passes");
}

#[test]
fn a_million_nested_arrays_are_an_error_in_a_small_stack() {
    for dialect in Dialect::ALL {
        let id = dialect
            .type_id(gdvar::Kind::Array)
            .expect("all have arrays")
            .0;
        let level = [id, 0, 0, 0, 1, 0, 0, 0];
        let mut bytes = level.repeat(1_000_000);
        bytes.extend([0; 4]);
        in_small_stack(move || {
            let document = Document::new(&bytes, dialect);
            let error = document.validate().expect_err("too deep");
            assert_eq!(error.kind(), ErrorKind::DepthExceeded { limit: 1024 });
            assert_eq!(error.offset(), 1025 * 8);
            assert_eq!(document.strict().validate(), Err(error));
            let root = document.root().expect("its own header is in order");
            assert_eq!(root.end(), Err(error));
            let place = document.locate(error.offset()).to_string();
            assert!(
                place.starts_with("$[0][0]") && place.ends_with('…'),
                "{place}"
            );
            let mut value = root;
            for _ in 0..1024 {
                let array = value.as_array().expect("an array");
                value = array.get(0).expect("not too deep").expect("an element");
            }
            assert_eq!(
                value.as_array().expect("the deepest").get(0).map(|_| ()),
                Err(error)
            );
        });
    }
}

#[test]
fn dictionaries_as_keys_of_dictionaries_fit_a_small_stack() {
    // {{{… {} : null …} : null} : null}, 1024 deep, twice the same key at the top.
    let depth = 1023;
    let mut key = [27, 0, 0, 0, 1, 0, 0, 0].repeat(depth - 1);
    key.extend([27, 0, 0, 0, 0, 0, 0, 0]);
    key.extend([0; 4].repeat(depth - 1));
    let mut bytes = vec![27, 0, 0, 0, 2, 0, 0, 0];
    for _ in 0..2 {
        bytes.extend(&key);
        bytes.extend([0; 4]);
    }
    let second = 8 + key.len() + 4;
    in_small_stack(move || {
        let document = Document::new(&bytes, Dialect::GODOT_4);
        assert_eq!(document.validate(), Ok(bytes.len()));
        let error = document.strict().validate().expect_err("a repeated key");
        assert_eq!(error.kind(), ErrorKind::DuplicateKey);
        assert_eq!(error.offset(), second);
        assert_eq!(document.locate(second).to_string(), "${1:key}");
    });
}

#[test]
fn lies_about_counts_get_no_memory() {
    for dialect in Dialect::ALL {
        for id in 0..=dialect.type_count() {
            for count in [u32::MAX, i32::MAX as u32, 1 << 30, 1 << 24, 1000] {
                for flags in [0, 1, 2, 3, 5, 15] {
                    let mut bytes = vec![id, 0, flags, 0];
                    for _ in 0..4 {
                        bytes.extend(count.to_le_bytes());
                    }
                    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
                    let document = Document::with_options(&bytes, options);
                    let allocations = measure(|| {
                        let _ = document.validate();
                        let _ = document.root().map(|root| touch(root, 2));
                        let _ = document.strict().validate();
                    });
                    assert_eq!(allocations.count_total, 0, "{dialect} {id} {count}");
                }
            }
        }
    }
}
