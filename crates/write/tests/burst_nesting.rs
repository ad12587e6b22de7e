//! Bursts: the burst and its writer agree on which containers are open.
#![cfg(feature = "std")]

use std::{
    convert::Infallible,
    panic::{AssertUnwindSafe, catch_unwind},
};

use gdvar_write::{Burst, Error, Sink, Target, WriteErrorKind, Writer, wire::Limits};

/// Containers of every kind nested deeper than a burst keeps at hand, begun and ended alternately
/// by the burst and by the writer, each followed by a value and an error.
#[test]
fn containers_of_all_sorts_nest() {
    for depth in [1, 2, 3, 15, 16, 17, 18, 19, 20, 40] {
        let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
        let mut expected = Writer::new(Vec::new(), Target::GODOT_4);
        let mut growing = Vec::new();
        let begun = writer.burst(|burst| {
            for n in 0..depth {
                match n % 5 {
                    0 => burst.begin_array(3)?,
                    1 => burst.begin_dict(2)?,
                    2 => burst.with(|writer| writer.begin_array(3))?,
                    3 => growing.push(burst.with(Writer::begin_growing_array)?),
                    _ => {
                        burst.with(|writer| writer.begin_object("Node", 1))?;
                        let error = burst.int(1).unwrap_err();
                        assert_eq!(error.kind(), &WriteErrorKind::ExpectedProperty);
                        burst.with(|writer| writer.property("x"))?;
                        continue;
                    }
                }
                burst.int(n)?;
            }
            Ok(())
        });
        begun.unwrap();
        assert_eq!(i64::from(writer.depth()), depth);
        let ended = writer.burst(|burst| {
            burst.string("innermost")?;
            for n in (0..depth).rev() {
                match n % 5 {
                    0 | 2 => burst.nil()?,
                    1 => (0..2).try_for_each(|_| burst.nil())?,
                    _ => {}
                }
                match growing.pop_if(|_| n % 5 == 3) {
                    Some(growing) => {
                        assert!(burst.end().is_err());
                        let count = burst.with(|writer| writer.end_growing(growing))?;
                        assert_eq!(count, 2);
                    }
                    None => {
                        let error = burst.nil().unwrap_err();
                        assert!(!error.is_fatal());
                        burst.end()?;
                    }
                }
            }
            Ok(())
        });
        ended.unwrap();

        for n in 0..depth {
            match n % 5 {
                0 | 2 => expected.begin_array(3).unwrap(),
                1 => expected.begin_dict(2).unwrap(),
                3 => expected.begin_array(2).unwrap(),
                _ => {
                    expected.begin_object("Node", 1).unwrap();
                    expected.property("x").unwrap();
                    continue;
                }
            }
            expected.int(n).unwrap();
        }
        expected.string("innermost").unwrap();
        for n in (0..depth).rev() {
            let nils = [1, 2, 1, 0, 0][n as usize % 5];
            (0..nils).for_each(|_| expected.nil().unwrap());
            expected.end().unwrap();
        }
        assert_eq!(writer.finish().unwrap(), expected.finish().unwrap());
    }
}

/// A burst remembers the target and the limits of its writer. If `with` puts a writer with others
/// in its place, every later call is an error.
#[test]
fn another_writer_cannot_take_the_place() {
    let limits = Limits::ENGINE.with_max_depth(8);
    for (target, limits) in [
        (Target::GODOT_3, Limits::ENGINE),
        (Target::GODOT_4, limits),
        (Target::GODOT_4, Limits::ENGINE),
    ] {
        let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
        let mut other = Writer::with_limits(Vec::new(), target, limits);
        let result = writer.burst(|burst| {
            burst.with(|writer| {
                std::mem::swap(writer, &mut other);
                Ok(())
            })?;
            burst.begin_array(0)?;
            burst.end()
        });
        if (target, limits) == (Target::GODOT_4, Limits::ENGINE) {
            result.unwrap();
            assert_eq!(writer.finish().unwrap(), [28, 0, 0, 0, 0, 0, 0, 0]);
        } else {
            assert_eq!(result.unwrap_err().kind(), &WriteErrorKind::Broken);
            assert_eq!(writer.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
        }
    }
}

/// Writes a record in a function that is not inlined.
fn record<S: Sink>(burst: &mut Burst<'_, S>, n: i64) -> Result<(), Error<S::Error>> {
    burst.burst(|burst| {
        burst.begin_dict(2)?;
        burst.string("n")?;
        burst.int(n)?;
        burst.string("list")?;
        burst.begin_array(2)?;
        burst.string("a text of 24 bytes, each")?;
        burst.burst(|burst| burst.nil())?;
        burst.end()?;
        burst.end()
    })
}

#[test]
fn a_burst_in_a_burst_goes_on_with_it() {
    let mut expected = Writer::new(Vec::new(), Target::GODOT_4);
    expected.begin_array(100).unwrap();
    for n in 0..100 {
        expected.begin_dict(2).unwrap();
        expected.string("n").unwrap();
        expected.int(n).unwrap();
        expected.string("list").unwrap();
        expected.begin_array(2).unwrap();
        expected.string("a text of 24 bytes, each").unwrap();
        expected.nil().unwrap();
        expected.end().unwrap();
        expected.end().unwrap();
    }
    expected.end().unwrap();
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let done = writer.burst(|burst| {
        burst.begin_array(100)?;
        (0..100).try_for_each(|n| record(burst, n))?;
        let error = record(burst, 100).unwrap_err();
        assert_eq!(error.kind(), &WriteErrorKind::TooMany);
        burst.end()
    });
    done.unwrap();
    assert_eq!(writer.finish().unwrap(), expected.finish().unwrap());
}

/// A panic between two calls.
fn panics(burst: &mut Burst<'_, Vec<u8>>) -> Result<(), Error<Infallible>> {
    burst.nil()?;
    if burst.nil().is_ok() {
        std::panic::resume_unwind(Box::new(()));
    }
    Ok(())
}

#[test]
fn a_panic_in_a_burst_breaks_the_writer() {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_array(2).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| writer.burst(panics)));
    assert!(panic.is_err());
    assert_eq!(writer.nil().unwrap_err().kind(), &WriteErrorKind::Broken);

    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let result = writer.burst(|burst| {
        burst.begin_array(3)?;
        let panic = catch_unwind(AssertUnwindSafe(|| burst.burst(panics)));
        assert!(panic.is_err());
        burst.nil()
    });
    assert_eq!(result.unwrap_err().kind(), &WriteErrorKind::Broken);
    assert_eq!(writer.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
}
