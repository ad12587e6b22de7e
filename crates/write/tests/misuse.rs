//! Mistakes of callers: each has its own error, and each leaves the writer usable unless the error
//! says otherwise.
#![cfg(feature = "std")]

use std::{
    error::Error as _,
    io::{self, Write},
};

use gdvar_write::{
    ElementType, Error, IoSink, NodePathParts, Precision, Target, WriteErrorKind, Writer,
    wire::{
        Dialect, F32, F64, I32, Kind, Limits,
        math::{Color, Projection, Vector2, Vector4},
    },
};

type Never = core::convert::Infallible;

fn godot4() -> Writer<Vec<u8>> {
    Writer::new(Vec::new(), Target::GODOT_4)
}

#[track_caller]
fn kind<T>(result: Result<T, Error<Never>>) -> WriteErrorKind<Never> {
    let Err(error) = result else {
        panic!("no error")
    };
    assert!(!error.to_string().is_empty());
    error.into_kind()
}

#[test]
fn counts_are_held_to() {
    let mut w = godot4();
    assert_eq!(kind(w.end()), WriteErrorKind::NothingOpen);
    w.begin_array(1).unwrap();
    assert_eq!(kind(w.end()), WriteErrorKind::TooFew { missing: 1 });
    w.nil().unwrap();
    assert_eq!(kind(w.nil()), WriteErrorKind::TooMany);
    w.end().unwrap();
    assert_eq!(kind(w.nil()), WriteErrorKind::Complete);
    assert_eq!(w.finish().unwrap().len(), 12);

    let mut w = godot4();
    w.begin_dict(2).unwrap();
    w.int(1).unwrap();
    assert_eq!(kind(w.end()), WriteErrorKind::TooFew { missing: 2 });
    w.int(2).unwrap();
    assert_eq!(kind(w.end()), WriteErrorKind::TooFew { missing: 1 });
    assert_eq!(kind(w.finish()), WriteErrorKind::Unfinished { open: 1 });
    assert_eq!(kind(godot4().finish()), WriteErrorKind::Empty);
}

#[test]
fn objects_want_names_between_values() {
    let mut w = godot4();
    assert_eq!(kind(w.property("a")), WriteErrorKind::NotAnObject);
    for nothing in ["", "\u{feff}"] {
        let error = kind(w.begin_object(nothing, 1));
        assert_eq!(error, WriteErrorKind::EmptyClassName);
    }
    w.begin_object("Node", 1).unwrap();
    assert_eq!(kind(w.nil()), WriteErrorKind::ExpectedProperty);
    w.property("a").unwrap();
    assert_eq!(kind(w.property("b")), WriteErrorKind::ExpectedValue);
    assert_eq!(kind(w.end()), WriteErrorKind::TooFew { missing: 1 });
    w.nil().unwrap();
    assert_eq!(kind(w.property("b")), WriteErrorKind::TooMany);
    assert_eq!(kind(w.nil()), WriteErrorKind::TooMany);
    w.end().unwrap();
    w.finish().unwrap();
}

#[test]
fn a_mistake_writes_nothing() {
    let mut w = godot4();
    assert_eq!(kind(w.string("a\0b")), WriteErrorKind::EmbeddedNul);
    assert_eq!(kind(w.signal("\0", 1)), WriteErrorKind::EmbeddedNul);
    let names = ["ok", "\0"];
    let path = NodePathParts {
        names: &names,
        ..NodePathParts::default()
    };
    assert_eq!(kind(w.node_path(&path)), WriteErrorKind::EmbeddedNul);
    assert_eq!(kind(w.raw_bytes(&[])), WriteErrorKind::NotAValue { len: 0 });
    assert_eq!(
        kind(w.raw_bytes(&[0; 5])),
        WriteErrorKind::NotAValue { len: 5 }
    );
    assert!(matches!(
        kind(w.string_bytes(b"\xed\xa0\x80")),
        WriteErrorKind::InvalidText { .. }
    ));
    let script = ElementType::Script("user://a.gd");
    assert_eq!(
        kind(w.begin_typed_array(script, 0)),
        WriteErrorKind::ScriptPath
    );
    assert_eq!(
        kind(w.begin_array(1 << 31)),
        WriteErrorKind::TooLarge { size: 1 << 31 }
    );
    assert_eq!(w.position(), 0);
    w.bool(true).unwrap();
    assert_eq!(w.finish().unwrap(), [1, 0, 0, 0, 1, 0, 0, 0]);
}

#[test]
fn an_object_of_id_zero_is_null() {
    let mut w = godot4();
    w.object_id(0).unwrap();
    assert_eq!(w.finish().unwrap(), [0; 4]);
}

#[test]
fn a_bad_string_among_many_cuts_the_output() {
    let mut w = godot4();
    assert_eq!(
        kind(w.packed_strings(["a", "\0"])),
        WriteErrorKind::EmbeddedNul
    );
    assert_eq!(kind(w.nil()), WriteErrorKind::Broken);
    assert_eq!(kind(w.end()), WriteErrorKind::Broken);
    assert_eq!(kind(w.next_value()), WriteErrorKind::Broken);
    assert_eq!(kind(w.finish()), WriteErrorKind::Broken);
}

/// An iterator that claims to have `claimed` items and yields `real` items.
struct Liar {
    claimed: usize,
    real: usize,
}

impl Iterator for Liar {
    type Item = &'static str;
    fn next(&mut self) -> Option<&'static str> {
        self.real = self.real.checked_sub(1)?;
        Some("x")
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.claimed, Some(self.claimed))
    }
}

impl ExactSizeIterator for Liar {}

#[test]
fn lying_iterators_are_caught() {
    let few = || Liar {
        claimed: 3,
        real: 1,
    };
    let many = || Liar {
        claimed: 1,
        real: 2,
    };
    assert_eq!(
        kind(godot4().packed_strings(few())),
        WriteErrorKind::TooFew { missing: 2 }
    );
    assert_eq!(
        kind(godot4().packed_strings(many())),
        WriteErrorKind::TooMany
    );
    assert_eq!(
        kind(godot4().node_path_from(few(), [""; 0], false)),
        WriteErrorKind::TooFew { missing: 2 }
    );
    let mut w = godot4();
    let done = w.root().array_from(few(), |slot, text| slot.string(text));
    assert_eq!(kind(done), WriteErrorKind::TooFew { missing: 2 });
    let mut w = godot4();
    let done = w.root().array_from(many(), |slot, text| slot.string(text));
    assert_eq!(kind(done), WriteErrorKind::TooMany);
}

#[test]
fn targets_refuse_what_they_cannot_express() {
    fn refuses(
        target: Target,
        write: impl FnOnce(&mut Writer<Vec<u8>>) -> Result<(), Error<Never>>,
    ) {
        let mut w = Writer::new(Vec::new(), target);
        let kind = kind(write(&mut w));
        assert!(
            matches!(
                kind,
                WriteErrorKind::Unrepresentable { .. }
                    | WriteErrorKind::TypedUnsupported { .. }
                    | WriteErrorKind::IntTooWide { .. }
            ),
            "{kind:?}"
        );
        assert_eq!(w.position(), 0);
    }
    let untyped = ElementType::Untyped;
    let ints = ElementType::Builtin(Kind::Int);
    refuses(Target::GODOT_3, |w| w.string_name("a"));
    refuses(Target::GODOT_3, |w| w.rid(1));
    refuses(Target::GODOT_3, |w| w.callable());
    refuses(Target::GODOT_3, |w| w.packed_i64(&[1]));
    refuses(Target::GODOT_3, |w| w.begin_typed_array(ints, 0));
    refuses(Target::GODOT_3, |w| w.begin_array_shared(0));
    refuses(Target::GODOT_2, |w| w.int(1 << 31));
    refuses(Target::GODOT_2, |w| w.int_i64(1));
    refuses(Target::GODOT_2, |w| w.float_f64(0.1));
    refuses(Target::GODOT_2, |w| w.object_id(1));
    refuses(Target::GODOT_2, |w| w.begin_object("Node", 0));
    refuses(Target::GODOT_4, |w| w.input_event(1, 0, &[]));
    refuses(Target::GODOT_4, |w| w.packed_vector2i(&[]));
    refuses(Target::GODOT_4, |w| {
        w.begin_pandemonium_typed_array(Kind::TypedArray, ints, 0)
    });
    refuses(Target::GODOT_4.with_minor(2), |w| {
        w.begin_typed_array(ints, 0)
    });
    refuses(Target::GODOT_4.with_minor(2), |w| {
        w.packed_vector4::<f32>(&[])
    });
    refuses(Target::GODOT_4.with_minor(3), |w| {
        w.begin_typed_dict(ints, untyped, 0)
    });
    let old_double = Target::GODOT_4
        .with_minor(1)
        .with_precision(Precision::Double);
    refuses(old_double, |w| w.vector4(Vector4::<f64>::default()));
    refuses(old_double, |w| w.projection(Projection::<f32>::default()));
    let double3 = Target::GODOT_3.with_precision(Precision::Double);
    refuses(double3, |w| w.vector2(Vector2::<f32>::default()));
    // Values that they can express are written.
    let mut w = Writer::new(Vec::new(), Target::GODOT_4.with_minor(3));
    w.begin_typed_array(ints, 0).unwrap();
    w.end().unwrap();
    w.next_value().unwrap();
    w.begin_typed_dict(untyped, untyped, 0).unwrap();
    w.end().unwrap();
    w.finish().unwrap();
}

#[test]
fn elements_are_those_of_their_array() {
    let narrow = [Vector2 {
        x: F32::new(1.0),
        y: F32::new(2.0),
    }];
    let wide = narrow.map(|v| v.map(|c| F64::new(c.get().into())));
    let single = Target::GODOT_4.with_precision(Precision::Single);
    let mut w = Writer::new(Vec::new(), single);
    w.begin_array(2).unwrap();
    let array = Kind::PackedVector2Array;
    assert_eq!(
        kind(w.packed_le(array, &wide)),
        WriteErrorKind::WrongElement { kind: array }
    );
    assert_eq!(
        kind(w.packed_le(Kind::PackedColorArray, &narrow)),
        WriteErrorKind::WrongElement {
            kind: Kind::PackedColorArray
        }
    );
    assert_eq!(
        kind(w.packed_le(Kind::Vector2, &narrow)),
        WriteErrorKind::WrongElement {
            kind: Kind::Vector2
        }
    );
    w.packed_le(array, &narrow).unwrap();
    w.packed_le(Kind::PackedInt32Array, &[I32::new(-2)])
        .unwrap();
    w.end().unwrap();
    let bytes = w.finish().unwrap();
    let mut again = Writer::new(Vec::new(), single);
    again.begin_array(2).unwrap();
    again
        .packed_vector2(&[Vector2 { x: 1.0, y: 2.0_f64 }])
        .unwrap();
    again.packed_i32(&[-2]).unwrap();
    again.end().unwrap();
    assert_eq!(again.finish().unwrap(), bytes);
}

/// Values may be as deep as the limit and no deeper, whatever opened the containers.
#[test]
fn depth_ends_where_the_engine_ends_it() {
    for limit in [0, 1, 31, 1024] {
        let limits = Limits::ENGINE.with_max_depth(limit);
        let mut w = Writer::with_limits(Vec::new(), Target::GODOT_4, limits);
        for _ in 0..limit {
            w.begin_array(1).unwrap();
        }
        let refused = WriteErrorKind::DepthExceeded { limit };
        assert_eq!(kind(w.begin_array(1)), refused);
        assert_eq!(kind(w.begin_dict(1)), refused);
        assert_eq!(kind(w.begin_object("Node", 1)), refused);
        let growing = w.begin_growing_array().unwrap();
        assert_eq!(kind(w.nil()), refused);
        assert_eq!(w.end_growing(growing).unwrap(), 0);
        for _ in 0..limit {
            w.end().unwrap();
        }
        let mut scratch = Vec::new();
        w.next_value().unwrap();
        for _ in 0..limit {
            w.begin_array(1).unwrap();
        }
        if limit == 0 {
            let done = w
                .root()
                .spooled_array(&mut scratch, |items| items.push().nil());
            assert_eq!(kind(done), refused);
        }
        w.nil().unwrap();
    }
}

#[test]
fn slots_notice_what_was_dropped() {
    let mut w = godot4();
    let mut outer = w.root().array(2).unwrap();
    let _ = outer.push().array(1).unwrap();
    let open = WriteErrorKind::ChildOpen {
        open: 2,
        expected: 1,
    };
    assert_eq!(kind(outer.push().nil()), open);
    assert_eq!(kind(outer.end()), open);
    assert_eq!(kind(w.finish()), WriteErrorKind::Unfinished { open: 2 });

    let mut w = godot4();
    let mut dict = w.root().dict(2).unwrap();
    let _ = dict.key("a").unwrap();
    assert_eq!(kind(dict.key("b")), WriteErrorKind::ExpectedValue);
    assert_eq!(kind(dict.end()), WriteErrorKind::TooFew { missing: 2 });

    let mut w = godot4();
    let mut dict = w.root().dict(1).unwrap();
    assert_eq!(
        kind(dict.entry().with(|_| Ok(()))),
        WriteErrorKind::TooFew { missing: 1 }
    );
    let open = dict.entry().with(|key| key.array(0).map(drop));
    assert_eq!(
        kind(open),
        WriteErrorKind::ChildOpen {
            open: 2,
            expected: 1
        }
    );
}

struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 < bytes.len() {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "disk full"));
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn io_errors_pass_through() {
    // Collected first, so it is noticed at the end.
    let mut w = Writer::new(IoSink::new(Full(4)), Target::GODOT_4);
    w.int(5).unwrap();
    let error = w.finish().map(drop).unwrap_err();
    assert_eq!(error.source().unwrap().to_string(), "disk full");
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::StorageFull);
    // Too large to collect, so it is noticed at once, and the writer is broken.
    let mut w = Writer::new(IoSink::new(Full(10_000)), Target::GODOT_4);
    let error = w.packed_bytes(&[1; 20_000]).unwrap_err();
    assert!(error.is_fatal());
    assert!(matches!(
        w.finish().map(drop).unwrap_err().kind(),
        WriteErrorKind::Broken
    ));
    // A mistake becomes InvalidInput.
    let mut w = Writer::new(IoSink::new(Full(0)), Target::GODOT_4);
    let error = io::Error::from(w.string("\0").unwrap_err());
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn errors_are_small_and_copied() {
    fn copies<T: Copy>() {}
    copies::<Error<Never>>();
    assert!(size_of::<Error<Never>>() <= 32);
    let error = godot4().packed_colors(&[Color::default()]).map(drop);
    assert_eq!(error, Ok(()));
    assert_eq!(Target::from(Dialect::GODOT_2), Target::GODOT_2);
}
