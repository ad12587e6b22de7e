//! Containers of unknown length: which end belongs to which, and what is refused between.
#![cfg(feature = "std")]

use gdvar_write::{
    ElementType, IoSink, Measure, Patch, Sink, SliceSink, Target, WriteErrorKind, Writer,
    wire::{Kind, Limits},
};

type Never = core::convert::Infallible;

fn godot4() -> Writer<Vec<u8>> {
    Writer::new(Vec::new(), Target::GODOT_4)
}

#[test]
fn each_sort_has_its_own_end() {
    let mut w = godot4();
    let growing = w.begin_growing_array().unwrap();
    assert_eq!(w.end().unwrap_err().kind(), &WriteErrorKind::WrongEnd);
    assert_eq!(w.end_growing(growing).unwrap(), 0);
    // The container that the token names has ended; a counted one is in its place.
    w.next_value().unwrap();
    w.begin_array(0).unwrap();
    let error = w.end_growing(growing).unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (&WriteErrorKind::WrongEnd, 8)
    );
    w.end().unwrap();
    let none = WriteErrorKind::ChildOpen {
        open: 0,
        expected: 1,
    };
    assert_eq!(w.end_growing(growing).unwrap_err().kind(), &none);

    let mut w = godot4();
    let growing = w.begin_growing_dict().unwrap();
    assert_eq!(w.end().unwrap_err().kind(), &WriteErrorKind::WrongEnd);
    w.string("a").unwrap();
    assert_eq!(
        w.end_growing(growing).unwrap_err().kind(),
        &WriteErrorKind::ExpectedValue
    );
    assert_eq!(w.end().unwrap_err().kind(), &WriteErrorKind::WrongEnd);
    w.nil().unwrap();
    w.begin_array(0).unwrap();
    let open = WriteErrorKind::ChildOpen {
        open: 2,
        expected: 1,
    };
    assert_eq!(w.end_growing(growing).unwrap_err().kind(), &open);
    w.end().unwrap();
    // The array was a key.
    assert_eq!(
        w.end_growing(growing).unwrap_err().kind(),
        &WriteErrorKind::ExpectedValue
    );
    w.nil().unwrap();
    assert_eq!(w.depth(), 1);
    assert_eq!(w.end_growing(growing).unwrap(), 2);
    assert_eq!(w.depth(), 0);
    let bytes = w.finish().unwrap();
    // Header and count, "a", null, an empty array, null.
    assert_eq!(bytes[..8], [0x1b, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(bytes.len(), 8 + 12 + 4 + 8 + 4);
}

/// docs/FORMAT.md §4.6: nothing is deeper than the limit, whichever way a container was begun.
#[test]
fn nothing_stands_below_the_limit() {
    let limits = Limits::ENGINE.with_max_depth(1);
    let deep = WriteErrorKind::DepthExceeded { limit: 1 };
    let mut w = Writer::with_limits(Vec::new(), Target::GODOT_4, limits);
    let outer = w.begin_growing_array().unwrap();
    w.nil().unwrap();
    let inner = w.begin_growing_dict().unwrap();
    let error = w.nil().unwrap_err();
    assert_eq!((error.kind(), error.position()), (&deep, 20));
    assert_eq!(w.begin_array(0).unwrap_err().kind(), &deep);
    assert_eq!(w.end_growing(inner).unwrap(), 0);
    assert_eq!(w.end_growing(outer).unwrap(), 2);
    w.finish().unwrap();

    // Spooled: its elements are one level deeper than the container.
    let mut scratch = vec![9; 3];
    let mut w = Writer::with_limits(Vec::new(), Target::GODOT_4, limits);
    let mut outer = w.root().array(3).unwrap();
    let count = outer.push().spooled_array(&mut scratch, |_| Ok(()));
    assert_eq!(count.unwrap(), 0);
    let refused = outer
        .push()
        .spooled_array(&mut scratch, |items| items.push().nil());
    let error = refused.unwrap_err();
    // At the depth of the outer writer, where the spool would have begun.
    assert_eq!((error.kind(), error.position()), (&deep, 16));
    outer.push().nil().unwrap();
    outer.push().nil().unwrap();
    outer.end().unwrap();
    assert_eq!(w.finish().unwrap().len(), 24);

    let limits = Limits::ENGINE.with_max_depth(2);
    let mut w = Writer::with_limits(Vec::new(), Target::GODOT_4, limits);
    let mut outer = w.root().array(1).unwrap();
    let error = outer
        .push()
        .spooled_array(&mut scratch, |items| {
            items.push().nil()?;
            // An empty container may be at the greatest depth, one with children may not.
            items.push().array(0)?.end()?;
            items.push().array(1).map(drop)
        })
        .unwrap_err();
    // Spools count from their own depth.
    assert_eq!(error.kind(), &WriteErrorKind::DepthExceeded { limit: 0 });
    assert_eq!(error.position(), 8 + 8 + 4 + 8);
}

#[test]
fn spools_give_the_number_of_children() {
    let mut scratch = Vec::new();
    let mut w = Writer::new(IoSink::new(Vec::new()), Target::GODOT_3);
    let count = w.root().spooled_dict(&mut scratch, |pairs| {
        pairs.key("a")?.int(1)?;
        pairs.key("b")?.nil()
    });
    assert_eq!(count.unwrap(), 2);
    assert_eq!(scratch.len(), 12 + 8 + 12 + 4);
    let bytes = w.finish().unwrap().into_inner().unwrap();
    // In Godot 3 a Dictionary is number 18.
    assert_eq!(bytes[..8], [18, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(bytes[8..], scratch);
    // An error that the caller ignored is found anyway.
    let mut w = godot4();
    let cut = w.root().spooled_array(&mut scratch, |items| {
        let done = items.push().packed_strings(["\0"]);
        assert_eq!(done.unwrap_err().kind(), &WriteErrorKind::EmbeddedNul);
        Ok(())
    });
    let error = cut.unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (&WriteErrorKind::Broken, 16)
    );
    // This broke the spool, not the writer.
    w.nil().unwrap();
    assert_eq!(w.finish().unwrap(), [0; 4]);

    let mut w = godot4();
    w.nil().unwrap();
    let complete = w.root().spooled_array(&mut scratch, |_| Ok(()));
    let error = complete.unwrap_err();
    assert_eq!(
        (error.kind(), error.position()),
        (&WriteErrorKind::Complete, 4)
    );
}

/// Can be lent like any other sink.
#[test]
fn sinks_can_be_lent() {
    let mut measure = Measure::new();
    assert!(measure.is_empty());
    assert_eq!(measure.len(), 0);
    let mut w = Writer::new(&mut measure, Target::GODOT_4);
    let growing = w.begin_growing_array().unwrap();
    w.int(1).unwrap();
    assert_eq!(w.end_growing(growing).unwrap(), 1);
    w.finish().unwrap();
    assert!(!measure.is_empty());
    assert_eq!(measure.len(), 16);
    assert_eq!(Patch::position(&measure), 16);

    let mut bytes = vec![1, 2, 3];
    let mut w = Writer::new(&mut bytes, Target::GODOT_4);
    let growing = w.begin_growing_array().unwrap();
    w.int(1).unwrap();
    assert_eq!(w.end_growing(growing).unwrap(), 1);
    assert_eq!(w.sink().len(), 3 + 16);
    w.finish().unwrap();
    assert_eq!(bytes[3..11], [0x1c, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(Patch::position(&(&mut bytes)), 19);

    let mut memory = [0; 16];
    let mut slice = SliceSink::new(&mut memory);
    let mut w = Writer::new(&mut slice, Target::GODOT_4);
    let growing = w.begin_growing_array().unwrap();
    w.int(1).unwrap();
    assert_eq!(w.end_growing(growing).unwrap(), 1);
    w.finish().unwrap();
    assert_eq!(slice.written()[4], 1);

    let mut sink = IoSink::new(Vec::new());
    let mut w = Writer::new(&mut sink, Target::GODOT_4);
    w.int(5).unwrap();
    // Collected, not handed on.
    assert!(w.sink().get_ref().is_empty());
    assert_eq!(w.position(), 8);
    w.finish().unwrap();
    assert_eq!(sink.get_ref(), &[2, 0, 0, 0, 5, 0, 0, 0]);
    assert_eq!(sink.taken(), Some(8));
}

/// A position that [`Patch::position`] never returned changes nothing.
#[test]
fn patching_stays_within_what_was_written() {
    let mut bytes = vec![1, 2, 3, 4, 5];
    bytes.patch(1, &[9, 9]).unwrap();
    assert_eq!(bytes, [1, 9, 9, 4, 5]);
    bytes.patch(4, &[7, 7]).unwrap();
    bytes.patch(6, &[7]).unwrap();
    bytes.patch(u64::MAX, &[7]).unwrap();
    assert_eq!(bytes, [1, 9, 9, 4, 5]);
    bytes.patch(3, &[7, 7]).unwrap();
    assert_eq!(bytes, [1, 9, 9, 7, 7]);
    // Memory after the written bytes is not touched.
    let mut memory = [0; 8];
    let mut slice = SliceSink::new(&mut memory);
    slice.put(&[1, 2, 3, 4]).unwrap();
    slice.patch(2, &[9, 9, 9, 9]).unwrap();
    assert_eq!(slice.into_written(), [1, 2, 3, 4]);
    assert_eq!(memory, [1, 2, 3, 4, 0, 0, 0, 0]);
}

/// docs/FORMAT.md §3.5: a value is at most as long as a signed 32-bit number can say.
#[test]
fn values_are_as_long_as_the_engines_can_hold() {
    const MOST: u64 = 2_147_483_647;
    // Measure reads lengths only, so these pages are never touched.
    let part = vec![0; 1 << 26];
    let mut w = Writer::new(Measure::new(), Target::GODOT_4);
    w.begin_array(40).unwrap();
    for _ in 0..31 {
        w.packed_bytes(&part).unwrap();
    }
    let at = 8 + 31 * (8 + (1 << 26));
    assert_eq!(w.position(), at);
    let room = (MOST - at) as usize;
    let size = MOST + 1;
    let error = w.packed_bytes(&part[..=room]).unwrap_err();
    assert_eq!(error.kind(), &WriteErrorKind::TooLarge { size });
    for error in [
        w.raw_bytes(&part).unwrap_err(),
        w.packed_i32(&vec![0; 1 << 24]).unwrap_err(),
        w.packed_strings(std::iter::repeat_n("", 1 << 23))
            .unwrap_err(),
    ] {
        let size = at + (1 << 26);
        assert_eq!(error.kind(), &WriteErrorKind::<Never>::TooLarge { size });
        assert_eq!(error.position(), at);
    }
    // The payload alone is accepted; the header before it makes the value too large, which is found
    // at the end.
    w.packed_bytes(&part[..room]).unwrap();
    let size = at + 8 + room.next_multiple_of(4) as u64;
    assert_eq!(w.position(), size);
    for _ in 0..8 {
        w.nil().unwrap();
    }
    w.end().unwrap();
    let size = size + 32;
    let error = w.next_value().unwrap_err();
    assert_eq!(error.kind(), &WriteErrorKind::TooLarge { size });

    // The longest value that is accepted: 2^31 - 4, because all sizes are multiples of four.
    let mut w = Writer::new(Measure::new(), Target::GODOT_4);
    w.begin_array(33).unwrap();
    for _ in 0..31 {
        w.packed_bytes(&part).unwrap();
    }
    let room = (MOST - 3 - w.position() - 8 - 4) as usize;
    w.packed_bytes(&part[..room]).unwrap();
    w.nil().unwrap();
    w.end().unwrap();
    assert_eq!(w.next_value().unwrap(), MOST - 3);
    assert_eq!(w.position(), 0);

    // Only in Godot 2 may values have odd sizes (§4.5), and one of them is the longest of all.
    let mut w = Writer::new(Measure::new(), Target::GODOT_2);
    w.begin_array(32).unwrap();
    for _ in 0..31 {
        w.packed_bytes(&part).unwrap();
    }
    let odd = (MOST - w.position()) as usize;
    w.raw_bytes(&part[..odd]).unwrap();
    w.end().unwrap();
    assert_eq!(w.next_value().unwrap(), MOST);
}

#[test]
fn targets_tell_what_they_are() {
    use gdvar_write::{IntRule, Precision, wire::Dialect};
    let target = Target::default();
    assert_eq!(target, Target::GODOT_4);
    // docs/FORMAT.md §1.2: 4.6 is the newest release.
    assert_eq!(target.minor(), 6);
    assert_eq!(target.with_minor(2).minor(), 2);
    // Nothing is rounded unless the caller asks for it.
    assert_eq!(target.precision(), Precision::AsGiven);
    assert_eq!(target.int_rule(), IntRule::Shortest);
    assert_eq!(Target::GODOT_3_0.int_rule(), IntRule::Always64);
    let rounding = target.with_int_rule(IntRule::Always32);
    assert_eq!(rounding.int_rule(), IntRule::Always32);
    assert_eq!(rounding.dialect(), Dialect::GODOT_4);
    for dialect in Dialect::ALL {
        let target = Target::from(dialect);
        assert_eq!(target.dialect(), dialect);
        // §1.5: Int is always i32 in Godot 2.
        let narrow = target.int_rule() == IntRule::Always32;
        assert_eq!(narrow, dialect == Dialect::GODOT_2);
        // §1.2: typed arrays from 4.3, typed dictionaries from 4.4, in Godot 4 alone.
        let is_godot_4 = dialect == Dialect::GODOT_4;
        for (minor, arrays, dicts) in [(2, false, false), (3, true, false), (4, true, true)] {
            let target = target.with_minor(minor);
            assert_eq!(target.has_typed_arrays(), arrays && is_godot_4);
            assert_eq!(target.has_typed_dicts(), dicts && is_godot_4);
        }
    }
    // §1.2: type 38 from 4.3; 64-bit Vector4 and Projection from 4.2, other 64-bit types in every
    // double build.
    let double = target.with_precision(Precision::Double);
    for (minor, packed, wide) in [(1, false, false), (2, false, true), (3, true, true)] {
        let (target, double) = (target.with_minor(minor), double.with_minor(minor));
        assert_eq!(target.can_write(Kind::PackedVector4Array), packed);
        assert_eq!(double.can_write(Kind::PackedVector4Array), packed);
        assert!(target.can_write(Kind::Vector4) && target.can_write(Kind::Projection));
        assert_eq!(double.can_write(Kind::Vector4), wide);
        assert_eq!(double.can_write(Kind::Projection), wide);
        assert!(double.can_write(Kind::Vector3) && double.can_write(Kind::Vector4i));
    }
    let early_pandemonium = Target::PANDEMONIUM_5.with_minor(0);
    assert!(early_pandemonium.can_write(Kind::PackedVector4Array));
    // §2.3: no other dialect has a form for doubles.
    let double = Target::GODOT_3.with_precision(Precision::Double);
    assert!(!double.can_write(Kind::Vector2) && double.can_write(Kind::Color));
    let given = Target::GODOT_3.with_precision(Precision::AsGiven);
    assert!(given.can_write(Kind::Vector2));
    for kind in Kind::ALL.iter().copied() {
        for dialect in Dialect::ALL {
            let can = Target::from(dialect).can_write(kind);
            assert_eq!(can, dialect.type_id(kind).is_some(), "{dialect} {kind}");
        }
    }
}

/// Does not count what it took, so the writer counts.
#[derive(Default)]
struct Blind(usize);

impl Sink for Blind {
    type Error = Never;
    fn put(&mut self, bytes: &[u8]) -> Result<(), Never> {
        self.0 += bytes.len();
        Ok(())
    }
}

#[test]
fn positions_are_counted_for_sinks_that_do_not_know_theirs() {
    let mut w = Writer::new(Blind::default(), Target::GODOT_4);
    w.begin_array(4).unwrap();
    assert_eq!(w.position(), 8);
    w.string("short").unwrap();
    assert_eq!(w.position(), 24);
    w.string("a text of more than twenty-four bytes").unwrap();
    assert_eq!(w.position(), 24 + 48);
    w.packed_bytes(&[1; 5]).unwrap();
    assert_eq!(w.position(), 72 + 16);
    w.nil().unwrap();
    w.end().unwrap();
    assert_eq!(w.next_value().unwrap(), 92);
    assert_eq!(w.position(), 0);
    w.bool(true).unwrap();
    assert_eq!(w.next_value().unwrap(), 8);
    assert_eq!(w.into_sink().0, 100);
}

/// docs/FORMAT.md §4.6: an empty container may be at the limit itself, also with types and as an
/// object.
#[test]
fn empty_containers_stand_at_the_limit() {
    let ints = ElementType::Builtin(Kind::Int);
    let deep = WriteErrorKind::DepthExceeded { limit: 1 };
    let limits = Limits::ENGINE.with_max_depth(1);
    let mut w = Writer::with_limits(Vec::new(), Target::GODOT_4, limits);
    w.begin_array(5).unwrap();
    for error in [
        w.begin_array(1).unwrap_err(),
        w.begin_dict(1).unwrap_err(),
        w.begin_typed_array(ints, 1).unwrap_err(),
        w.begin_typed_dict(ints, ints, 1).unwrap_err(),
        w.begin_object("A", 1).unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.position()), (&deep, 8));
    }
    w.begin_array(0).unwrap();
    w.end().unwrap();
    w.begin_dict(0).unwrap();
    w.end().unwrap();
    w.begin_typed_array(ints, 0).unwrap();
    w.end().unwrap();
    w.begin_typed_dict(ints, ints, 0).unwrap();
    w.end().unwrap();
    w.begin_object("A", 0).unwrap();
    assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::TooMany);
    w.end().unwrap();
    w.end().unwrap();
    assert_eq!(w.finish().unwrap().len(), 8 + 8 + 8 + 12 + 16 + 16);
}

/// When an inner container ends, the remaining count of the outer one is known again, however deep
/// it is.
#[test]
fn outer_containers_are_taken_up_where_they_were_left() {
    for levels in [1, 15, 16, 17, 40, 1024] {
        let mut w = Writer::new(Vec::new(), Target::GODOT_4);
        for _ in 0..levels {
            w.begin_dict(2).unwrap();
            w.nil().unwrap();
        }
        w.bool(true).unwrap();
        for level in (0..levels).rev() {
            assert_eq!(w.depth(), level + 1);
            let missing = WriteErrorKind::TooFew { missing: 1 };
            assert_eq!(w.end().unwrap_err().kind(), &missing);
            w.nil().unwrap();
            w.nil().unwrap();
            assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::TooMany);
            w.end().unwrap();
        }
        let len = levels as usize * (8 + 3 * 4) + 8;
        assert_eq!(w.finish().unwrap().len(), len);
    }
}
