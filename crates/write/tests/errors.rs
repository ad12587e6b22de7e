//! Each error's message, which people read, and its kind and position, which programs use.
#![cfg(feature = "std")]

use std::{error::Error as _, io};

use gdvar_write::{
    BufferFull, Error, IoSink, Measure, Patch, Sink, SliceSink, Target, WriteErrorKind, Writer,
    wire::{Dialect, Kind},
};

type Never = core::convert::Infallible;

/// Every kind except the sink's own errors, with its message.
fn texts() -> Vec<(WriteErrorKind<Never>, &'static str)> {
    vec![
        (
            WriteErrorKind::Broken,
            "an earlier error cut the output in the middle of a value; discard it and start with a new writer",
        ),
        (
            WriteErrorKind::Complete,
            "the value is already complete; put several into an Array, or call next_value() between them",
        ),
        (
            WriteErrorKind::Empty,
            "no value was written; write nil() for none",
        ),
        (
            WriteErrorKind::TooMany,
            "more children than announced; announce the right number when the container begins, or use a growing or spooled container",
        ),
        (
            WriteErrorKind::TooFew { missing: 3 },
            "3 fewer children than announced; write them, or announce the right number when the container begins",
        ),
        (
            WriteErrorKind::Unfinished { open: 2 },
            "finished with 2 containers still open; end() each of them",
        ),
        (
            WriteErrorKind::ChildOpen {
                open: 5,
                expected: 4,
            },
            "this slot belongs to a container at level 4, but 5 are open; end() the inner container first",
        ),
        (
            WriteErrorKind::NothingOpen,
            "end() without an open container",
        ),
        (
            WriteErrorKind::WrongEnd,
            "a container of unknown length ends with end_growing(), any other with end()",
        ),
        (
            WriteErrorKind::ExpectedProperty,
            "an object expects the name of a property first; call property()",
        ),
        (
            WriteErrorKind::ExpectedValue,
            "the key or property before this one has no value yet; write it first",
        ),
        (
            WriteErrorKind::NotAnObject,
            "property() outside an object; in a Dictionary a key is a value",
        ),
        (
            WriteErrorKind::TooLarge { size: 1 << 31 },
            // docs/FORMAT.md §3.5: signed numbers of 32 bits.
            "2147483648 is too large: the engines hold sizes and counts up to 2147483647; split the value",
        ),
        (
            WriteErrorKind::DepthExceeded { limit: 1024 },
            "nested deeper than 1024, which the engine would refuse; flatten the value",
        ),
        (
            WriteErrorKind::Unrepresentable {
                kind: Kind::Rid,
                dialect: Dialect::GODOT_3,
            },
            "Godot 3 has no RID that could be written here; choose another type or target",
        ),
        (
            WriteErrorKind::TypedUnsupported {
                kind: Kind::Dictionary,
                dialect: Dialect::PANDEMONIUM_5,
            },
            "this version of Pandemonium 5 has no typed Dictionary; write it untyped or raise the target's minor version",
        ),
        (
            WriteErrorKind::IntTooWide { value: 2147483648 },
            "2147483648 does not fit the target's 32-bit Int; write a Float or a String instead",
        ),
        (
            WriteErrorKind::EmbeddedNul,
            "a text holds a NUL, where the engine would cut it; remove it or write the text as packed bytes",
        ),
        (
            WriteErrorKind::InvalidText {
                dialect: Dialect::GODOT_2,
            },
            "Godot 2 cannot decode these bytes as text; write them as packed bytes",
        ),
        (
            WriteErrorKind::EmptyClassName,
            "a class name is empty, which reads as null; write null_object()",
        ),
        (
            WriteErrorKind::ScriptPath,
            "a script as element type must be a path that begins with res://",
        ),
        (
            WriteErrorKind::WrongElement {
                kind: Kind::PackedColorArray,
            },
            "a PackedColorArray of this target has other elements; check their type and precision",
        ),
        (
            WriteErrorKind::NotAValue { len: 5 },
            "5 raw bytes cannot be one whole value",
        ),
    ]
}

#[test]
fn every_error_says_what_is_wrong_and_what_to_try() {
    for (kind, text) in texts() {
        assert_eq!(kind.to_string(), text);
        // Without the sink's type it is the same mistake.
        assert_eq!(kind.without_sink(), Ok(kind));
    }
    let full = BufferFull { needed: 16 };
    let kind = WriteErrorKind::Sink(full);
    assert_eq!(kind.to_string(), "the output could not be written");
    assert_eq!(kind.without_sink(), Err(full));
    assert_eq!(
        full.to_string(),
        "the buffer is full: at least 16 bytes are needed; write the value to a Measure first to learn its size"
    );
}

#[test]
fn a_mistake_names_the_byte_and_is_not_fatal() {
    let mut w = Writer::new(Vec::new(), Target::GODOT_4);
    w.begin_array(2).unwrap();
    w.int(1).unwrap();
    let error = w.end().unwrap_err();
    // A header and a count, a header and a number.
    assert_eq!(error.position(), 16);
    assert_eq!(error.kind(), &WriteErrorKind::TooFew { missing: 1 });
    assert!(!error.is_fatal());
    assert!(error.source().is_none());
    assert_eq!(
        error.to_string(),
        "1 fewer children than announced; write them, or announce the right number when the container begins, after 16 bytes"
    );
    assert_eq!(error.into_kind(), WriteErrorKind::TooFew { missing: 1 });
    // As an `io::Error` it is a mistake of the caller.
    let error = io::Error::from(error);
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert!(error.to_string().ends_with(", after 16 bytes"), "{error}");
}

#[test]
fn errors_that_cut_the_output_are_fatal() {
    let mut w = Writer::new(Vec::new(), Target::GODOT_4);
    let error = w.packed_strings(["abc", "\0"]).unwrap_err();
    // The mistake itself is not fatal, but its consequence is. 8 bytes of head, 8 of "abc" and its
    // NUL.
    assert_eq!(
        (error.kind(), error.position()),
        (&WriteErrorKind::EmbeddedNul, 16)
    );
    let error = w.nil().unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (&WriteErrorKind::Broken, 16)
    );
    assert!(error.is_fatal());
    for error in [
        w.begin_array(0).unwrap_err(),
        w.begin_dict(1).unwrap_err(),
        w.begin_object("A", 0).unwrap_err(),
        w.property("a").unwrap_err(),
        w.string("a").unwrap_err(),
        w.packed_bytes(&[]).unwrap_err(),
        w.raw_bytes(&[0; 4]).unwrap_err(),
        w.begin_growing_array().unwrap_err(),
    ] {
        assert_eq!(error.kind(), &WriteErrorKind::Broken);
    }

    let mut memory = [0; 12];
    let mut w = Writer::new(SliceSink::new(&mut memory), Target::GODOT_4);
    w.begin_array(2).unwrap();
    w.nil().unwrap();
    let error = w.nil().unwrap_err();
    let full = BufferFull { needed: 16 };
    assert!(error.is_fatal());
    assert_eq!(
        (error.kind(), error.position()),
        (&WriteErrorKind::Sink(full), 12)
    );
    assert_eq!(error.source().unwrap().to_string(), full.to_string());
    assert_eq!(
        error.to_string(),
        "the output could not be written, after 12 bytes"
    );
    assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
    assert_eq!(w.finish().unwrap_err().kind(), &WriteErrorKind::Broken);
}

/// Refuses to be flushed or patched.
struct Stubborn;

#[derive(Debug, PartialEq)]
struct No;

impl Sink for Stubborn {
    type Error = No;
    fn put(&mut self, _: &[u8]) -> Result<(), No> {
        Ok(())
    }
    fn flush(&mut self) -> Result<(), No> {
        Err(No)
    }
}

impl Patch for Stubborn {
    fn position(&self) -> u64 {
        0
    }
    fn patch(&mut self, _: u64, _: &[u8]) -> Result<(), No> {
        Err(No)
    }
}

#[test]
fn what_the_sink_refuses_is_passed_on() {
    let mut w = Writer::new(Stubborn, Target::GODOT_4);
    w.int(5).unwrap();
    let error = w.finish().map(drop).unwrap_err();
    assert_eq!(error.kind(), &WriteErrorKind::Sink(No));
    assert!(error.is_fatal());

    let mut w = Writer::new(Stubborn, Target::GODOT_4);
    let growing = w.begin_growing_array().unwrap();
    let error = w.end_growing(growing).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (&WriteErrorKind::Sink(No), 8)
    );
    assert_eq!(
        w.end_growing(growing).unwrap_err().kind(),
        &WriteErrorKind::Broken
    );
    assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
}

/// A mistake inside a spool is reported by the outer writer, at the byte where the value would have
/// been.
#[test]
fn mistakes_in_a_spool_stand_where_they_would_in_the_whole() {
    fn error(fill: impl FnOnce(&mut Writer<IoSink<Vec<u8>>>) -> Error<io::Error>) -> (u64, String) {
        let mut w = Writer::new(IoSink::new(Vec::new()), Target::GODOT_4);
        w.begin_array(2).unwrap();
        w.nil().unwrap();
        let error = fill(&mut w);
        assert!(!error.is_fatal());
        // Nothing of the spool reached the sink.
        assert_eq!(w.position(), 12);
        (error.position(), error.kind().to_string())
    }
    let mut scratch = Vec::new();
    // 12 bytes before, 8 for the head of the spooled container, 4 for its first element.
    let found = error(|w| {
        w.slot()
            .spooled_array(&mut scratch, |items| {
                items.push().nil()?;
                items.push().string("\0")
            })
            .unwrap_err()
    });
    assert_eq!(
        found,
        (24, WriteErrorKind::<Never>::EmbeddedNul.to_string())
    );
    let found = error(|w| {
        w.slot()
            .spooled_dict(&mut scratch, |pairs| pairs.key("a").map(drop))
            .unwrap_err()
    });
    // 20 and a String of one letter.
    assert_eq!(
        found,
        (32, WriteErrorKind::<Never>::ExpectedValue.to_string())
    );
    let found = error(|w| {
        w.slot()
            .spooled_array(&mut scratch, |items| items.push().array(0).map(drop))
            .unwrap_err()
    });
    let open = WriteErrorKind::<Never>::ChildOpen {
        open: 1,
        expected: 0,
    };
    assert_eq!(found, (28, open.to_string()));
}

#[test]
fn sizes_and_counts_beyond_the_engines_are_refused() {
    // docs/FORMAT.md §3.5: 2^31 - 1 is the most, of a count and of bytes.
    const MOST: usize = 2_147_483_647;
    let mut w = Writer::new(Measure::new(), Target::GODOT_4);
    let too_large = |size: usize| WriteErrorKind::<Never>::TooLarge { size: size as u64 };
    assert_eq!(
        w.begin_array(MOST + 1).unwrap_err().kind(),
        &too_large(MOST + 1)
    );
    assert_eq!(
        w.begin_dict(MOST + 1).unwrap_err().kind(),
        &too_large(MOST + 1)
    );
    assert_eq!(
        w.begin_object("A", MOST + 1).unwrap_err().kind(),
        &too_large(MOST + 1)
    );
    assert_eq!(w.position(), 0);
    w.begin_array(MOST).unwrap();
    assert_eq!(w.depth(), 1);
    w.begin_dict(MOST).unwrap();
    // Twice as many values are expected.
    let missing = MOST as u32;
    assert_eq!(
        w.end().unwrap_err().kind(),
        &WriteErrorKind::TooFew { missing }
    );
    w.begin_object("A", MOST).unwrap();
    assert_eq!(
        w.end().unwrap_err().kind(),
        &WriteErrorKind::TooFew { missing }
    );
    assert_eq!(w.depth(), 3);
}

/// A default target keeps the given width, or says that it cannot: docs/FORMAT.md §2.3.
#[test]
fn nothing_is_rounded_unless_it_is_asked_for() {
    use gdvar_write::{Precision, wire::math::Vector3};
    let place = Vector3::from([1_234_567.123_456_789, f64::MAX, 0.1]);
    let written = |target: Target| {
        let mut writer = Writer::new(Vec::new(), target);
        writer.vector3(place)?;
        writer.finish()
    };
    let bytes = written(Target::GODOT_4).unwrap();
    assert_eq!(bytes[..4], [9, 0, 1, 0]);
    assert_eq!(bytes[4..12], 1_234_567.123_456_789_f64.to_le_bytes());
    assert_eq!(bytes[12..20], f64::MAX.to_le_bytes());
    for dialect in Dialect::ALL {
        if dialect == Dialect::GODOT_4 {
            continue;
        }
        let error = written(dialect.into()).unwrap_err();
        assert_eq!(error.position(), 0);
        let text = error.to_string();
        let title = dialect.title();
        assert_eq!(
            text,
            format!(
                "{title} has no Vector3 of 64-bit reals that could be written here; give f32, or \
                 ask for Precision::Single, which rounds, after 0 bytes"
            )
        );
        let single = Target::from(dialect).with_precision(Precision::Single);
        assert_eq!(written(single).unwrap().len(), 16);
    }
}
