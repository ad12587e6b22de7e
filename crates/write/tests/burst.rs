//! Bursts give the same bytes and the same errors as single calls, into any sink.
#![cfg(feature = "std")]

use std::{fmt::Debug, io};

use gdvar_write::{
    BufferFull, Burst, Error, IoSink, Measure, Precision, Sink, SliceSink, Target, WriteErrorKind,
    Writer,
    wire::{
        Limits,
        math::{Color, Quaternion, Vector2, Vector3, Vector4},
    },
};

/// The result of each call.
type Log = Vec<String>;

fn note<E: Debug>(log: &mut Log, result: Result<(), Error<E>>) {
    log.push(format!("{result:?}"));
}

/// Calls every method once with values at every limit. For some targets some are errors. They are
/// the children of an array that is larger than all of them.
macro_rules! everything {
    ($w:ident, $log:ident, $text:ident) => {
        note($log, $w.nil());
        for value in [false, true] {
            note($log, $w.bool(value));
        }
        for value in [
            0,
            -1,
            7,
            i64::from(i32::MAX),
            i64::from(i32::MIN) - 1,
            i64::MAX,
        ] {
            note($log, $w.int(value));
        }
        for value in [0.5, -0.0, 0.1, f64::INFINITY, f64::NAN, 1e300] {
            note($log, $w.float(value));
        }
        note($log, $w.string($text));
        note($log, $w.string_name($text));
        note($log, $w.string("id"));
        note($log, $w.string("a\0b"));
        note($log, $w.string("a\0long text with a NUL in it, somewhere"));
        note($log, $w.vector2(Vector2 { x: 1.5f32, y: 0.1 }));
        note($log, $w.vector2(Vector2 { x: 1.5f64, y: 0.1 }));
        let (x, y, z, w) = (1.0f32, -2.0, 3.5, 0.1);
        note($log, $w.vector3(Vector3 { x, y, z }));
        note($log, $w.vector4(Vector4 { x, y, z, w }));
        note($log, $w.quaternion(Quaternion { x, y, z, w }));
        note(
            $log,
            $w.vector3(Vector3 {
                x: 0.1,
                y: 0.2,
                z: 0.3f64,
            }),
        );
        note($log, $w.vector2i(Vector2 { x: 1, y: -2 }));
        note($log, $w.vector3i(Vector3 { x: 1, y: -2, z: 3 }));
        note(
            $log,
            $w.vector4i(Vector4 {
                x: 1,
                y: -2,
                z: 3,
                w: i32::MIN,
            }),
        );
        note(
            $log,
            $w.color(Color {
                r: 0.1,
                g: 0.2,
                b: 0.3,
                a: 1.0,
            }),
        );
        note($log, $w.end());
        note($log, $w.begin_array(usize::MAX));
        note($log, $w.begin_dict(0));
        note($log, $w.nil());
        note($log, $w.end());
        note($log, $w.begin_dict(2));
        note($log, $w.string($text));
        note($log, $w.begin_array(1));
        note($log, $w.end());
        note($log, $w.int(1));
        note($log, $w.int(2));
        note($log, $w.end());
        note($log, $w.end());
        note($log, $w.string($text));
        note($log, $w.string($text));
        note($log, $w.end());
        for _ in 0..20 {
            note($log, $w.begin_array(1));
        }
        note($log, $w.begin_array(0));
        for _ in 0..21 {
            note($log, $w.end());
        }
    };
}

/// Returns texts of 0 to 69 bytes, twice: enough to fill a burst's stage, at every alignment.
fn texts() -> Vec<String> {
    let text = |len: usize| {
        (0..len)
            .map(|n| char::from(b'a' + (n % 26) as u8))
            .collect()
    };
    (0..140).map(|n| text(n % 70)).collect()
}

fn call_by_call<S: Sink<Error: Debug>>(sink: S, target: Target) -> (S, Log) {
    let mut writer = Writer::with_limits(sink, target, Limits::ENGINE.with_max_depth(20));
    let mut log = Log::new();
    writer.begin_array(1_000_000).unwrap();
    for text in &texts() {
        let (w, log) = (&mut writer, &mut log);
        everything!(w, log, text);
    }
    (writer.into_sink(), log)
}

fn in_a_burst<S: Sink<Error: Debug>>(sink: S, target: Target) -> (S, Log) {
    let mut writer = Writer::with_limits(sink, target, Limits::ENGINE.with_max_depth(20));
    let mut log = Log::new();
    writer
        .burst(|burst| {
            burst.begin_array(1_000_000)?;
            for text in &texts() {
                let log = &mut log;
                everything!(burst, log, text);
            }
            Ok(())
        })
        .unwrap();
    (writer.into_sink(), log)
}

fn targets() -> [Target; 8] {
    [
        Target::GODOT_4,
        Target::GODOT_4.with_minor(1),
        Target::GODOT_4.with_precision(Precision::Double),
        Target::GODOT_4.with_precision(Precision::AsGiven),
        Target::GODOT_3,
        Target::GODOT_3_0,
        Target::GODOT_2,
        Target::PANDEMONIUM_5,
    ]
}

#[test]
fn a_burst_writes_and_refuses_what_the_calls_do() {
    for target in targets() {
        let (expected, log) = call_by_call(Vec::new(), target);
        assert!(expected.len() > 40_000, "{target:?}");

        let (bytes, burst) = in_a_burst(b"before".to_vec(), target);
        assert_eq!(burst, log, "{target:?}");
        assert_eq!(bytes[..6], *b"before");
        assert!(bytes[6..] == expected, "{target:?}");

        let mut bytes = Vec::with_capacity(expected.len());
        let before = bytes.capacity();
        let (_, burst) = in_a_burst(&mut bytes, target);
        assert_eq!((burst, bytes.capacity()), (log, before), "{target:?}");
        assert!(bytes == expected, "{target:?}");

        let (sink, _) = in_a_burst(IoSink::new(Vec::new()), target);
        assert!(sink.into_inner().unwrap() == expected, "{target:?}");

        let mut memory = vec![0xee; expected.len() + 1];
        let (sink, _) = in_a_burst(SliceSink::new(&mut memory), target);
        assert!(sink.written() == expected, "{target:?}");
        assert_eq!(memory[expected.len()], 0xee);

        let (sink, _) = in_a_burst(Measure::new(), target);
        assert_eq!(sink.len(), expected.len() as u64, "{target:?}");

        let (sink, _) = in_a_burst(OnlyPut(Vec::new()), target);
        assert!(sink.0 == expected, "{target:?}");
    }
}

/// A sink of another crate, which does not count what it took.
struct OnlyPut(Vec<u8>);

impl Sink for OnlyPut {
    type Error = core::convert::Infallible;

    fn put(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

#[test]
fn bursts_begin_and_end_anywhere() {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let mut expected = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_array(3).unwrap();
    writer.burst(|burst| burst.begin_dict(1)).unwrap();
    writer.string("key").unwrap();
    let inner = writer.burst(|burst| {
        burst.with(|writer| writer.packed_i32(&[1, 2, 3]))?;
        burst.end()?;
        let growing = burst.with(|writer| writer.begin_growing_array())?;
        for n in 0..1000 {
            burst.int(n)?;
        }
        let count = burst.with(|writer| writer.end_growing(growing))?;
        burst.with(|writer| writer.slot().array(1)?.push().nil())?;
        Ok(count)
    });
    assert_eq!(inner.unwrap(), 1000);
    assert_eq!(writer.depth(), 2);
    writer.end().unwrap();
    writer.end().unwrap();

    expected.begin_array(3).unwrap();
    expected.begin_dict(1).unwrap();
    expected.string("key").unwrap();
    expected.packed_i32(&[1, 2, 3]).unwrap();
    expected.end().unwrap();
    expected.begin_array(1000).unwrap();
    (0..1000).for_each(|n| expected.int(n).unwrap());
    expected.end().unwrap();
    expected.begin_array(1).unwrap();
    expected.nil().unwrap();
    expected.end().unwrap();
    expected.end().unwrap();
    assert_eq!(writer.finish().unwrap(), expected.finish().unwrap());
}

#[test]
fn mistakes_leave_the_writer_behind_the_last_good_value() {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let error = writer.burst(|burst| {
        burst.begin_dict(1)?;
        burst.string("a")?;
        burst.end()
    });
    let error = error.unwrap_err();
    assert_eq!(error.kind(), &WriteErrorKind::TooFew { missing: 1 });
    assert_eq!((error.position(), writer.position()), (20, 20));
    let error = writer.burst(|burst| {
        burst.int(1)?;
        burst.int(2)
    });
    assert_eq!(error.unwrap_err().kind(), &WriteErrorKind::TooMany);
    writer.end().unwrap();
    assert_eq!(
        writer.burst(|burst| burst.end()).unwrap_err().kind(),
        &WriteErrorKind::NothingOpen
    );
    assert_eq!(
        writer.burst(|burst| burst.nil()).unwrap_err().kind(),
        &WriteErrorKind::Complete
    );
    assert_eq!(writer.finish().unwrap().len(), 28);

    // If the caller continues after an error, nothing written before is lost.
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let result = writer.burst(|burst| {
        burst.begin_array(2)?;
        burst.string("b")?;
        assert!(burst.string("\0").is_err());
        burst.string("c")?;
        burst.end()
    });
    result.unwrap();
    assert_eq!(writer.finish().unwrap().len(), 8 + 12 + 12);

    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_object("Node", 1).unwrap();
    let error = writer.burst(|burst| burst.int(1)).unwrap_err();
    assert_eq!(error.kind(), &WriteErrorKind::ExpectedProperty);
}

#[test]
fn what_the_sink_refuses_breaks_the_writer() {
    let mut memory = [0; 10];
    let mut writer = Writer::new(SliceSink::new(&mut memory), Target::GODOT_4);
    let error = writer.burst(|burst| {
        burst.begin_array(1)?;
        burst.int(1)?;
        burst.end()
    });
    let error = error.unwrap_err();
    assert_eq!(
        error.kind(),
        &WriteErrorKind::Sink(BufferFull { needed: 16 })
    );
    assert_eq!(writer.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
    let error = writer.burst(|burst| burst.nil()).unwrap_err();
    assert_eq!(error.kind(), &WriteErrorKind::Broken);

    // In the middle of a burst.
    let mut memory = [0; 5000];
    let mut writer = Writer::new(SliceSink::new(&mut memory), Target::GODOT_4);
    let mut good = 0;
    let error = writer.burst(|burst| {
        burst.begin_array(10_000)?;
        loop {
            burst.int(1)?;
            good += 1;
        }
    });
    let error: Error<BufferFull> = Result::<(), _>::unwrap_err(error);
    assert!(error.is_fatal());
    assert!((512..=1024).contains(&good), "{good}");

    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::new(IoSink::new(Full), Target::GODOT_4);
    let error = writer.burst(|burst| {
        burst.begin_array(10_000)?;
        (0..10_000).try_for_each(|n| burst.int(n))
    });
    let error = io::Error::from(error.unwrap_err());
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

/// One value more than announced, short and long, is the same error as anywhere else.
#[test]
fn a_text_too_many_is_refused() {
    for len in [0, 8, 9, 24, 25, 600, 3600, 5000] {
        let text = "x".repeat(len);
        let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
        let error = writer.burst(|burst| {
            burst.begin_array(1)?;
            burst.string(&text)?;
            let error = burst.string(&text).unwrap_err();
            assert_eq!(error.kind(), &WriteErrorKind::TooMany);
            let size = 8 + 8 + len.next_multiple_of(4) as u64;
            assert_eq!(error.position(), size);
            burst.end()?;
            burst.string(&text)
        });
        assert_eq!(error.unwrap_err().kind(), &WriteErrorKind::Complete);
        let bytes = writer.finish().unwrap();
        assert_eq!(bytes[..8], [0x1c, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(bytes[16..16 + len], *text.as_bytes());
    }
}

/// Before `with` calls its closure, the collected bytes are written out. If that fails, the closure
/// is not called.
#[test]
fn what_is_collected_goes_out_before_the_writer_is_lent() {
    let mut memory = [0; 4];
    let mut writer = Writer::new(SliceSink::new(&mut memory), Target::GODOT_4);
    let error = writer.burst(|burst| {
        burst.int(1)?;
        burst.with(|_| -> Result<(), _> { panic!("the sink is full") })
    });
    let error: Error<BufferFull> = error.unwrap_err();
    assert_eq!(
        error.kind(),
        &WriteErrorKind::Sink(BufferFull { needed: 8 })
    );
    assert_eq!(writer.nil().unwrap_err().kind(), &WriteErrorKind::Broken);

    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let position = writer.burst(|burst| {
        burst.begin_array(2)?;
        burst.nil()?;
        let before = burst.with(|writer| Ok((writer.position(), writer.depth())))?;
        burst.nil()?;
        burst.end()?;
        Ok(before)
    });
    assert_eq!(position.unwrap(), (12, 1));
    assert_eq!((writer.position(), writer.depth()), (16, 0));
    writer.finish().unwrap();
}

/// Containers begin at every place near the end of the buffer, so that the memory for one just fits
/// there, or just does not.
#[test]
fn containers_begin_at_every_place_of_the_stage() {
    for before in 3500..3700 {
        let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
        writer
            .burst(|burst| {
                burst.begin_array(before + 2)?;
                for _ in 0..before / 4 {
                    burst.nil()?;
                }
                let rest = before - before / 4;
                burst.begin_dict(1)?;
                burst.nil()?;
                burst.bool(true)?;
                burst.end()?;
                burst.begin_array(1)?;
                burst.bool(false)?;
                burst.end()?;
                (0..rest).try_for_each(|_| burst.nil())?;
                burst.end()
            })
            .unwrap();
        let at = 8 + before / 4 * 4;
        let bytes = writer.finish().unwrap();
        let dict = [
            0x1b, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
        ];
        assert_eq!(bytes[at..at + 20], dict);
        let array = [0x1c, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(bytes[at + 20..at + 36], array);
        assert_eq!(bytes.len(), 8 + before * 4 + 36);
    }
}

/// Records the length of each piece that it got.
#[derive(Default)]
struct Pieces(Vec<usize>);

impl Sink for Pieces {
    type Error = core::convert::Infallible;

    fn put(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.push(bytes.len());
        Ok(())
    }
}

type Piecewise<'a, 'b> = &'a mut Burst<'b, Pieces>;

/// Returns the pieces that the sink gets from a burst inside an array.
#[track_caller]
fn pieces(
    len: usize,
    act: impl FnOnce(Piecewise<'_, '_>) -> Result<(), Error<core::convert::Infallible>>,
) -> Vec<usize> {
    let mut writer = Writer::new(Pieces::default(), Target::GODOT_4);
    writer
        .burst(|burst| {
            burst.begin_array(len)?;
            act(burst)
        })
        .unwrap();
    writer.into_sink().0
}

/// "Collects 4 KiB at a time": the sink gets the collected bytes in one piece.
#[test]
fn four_kibibytes_are_collected() {
    let ints = |count: i64| pieces(1000, |burst| (0..count).try_for_each(|n| burst.int(n)));
    assert_eq!(ints(0), [8]);
    assert_eq!(ints(1), [16]);
    assert_eq!(ints(510), [4088]);
    assert_eq!(ints(511), [4096]);
    // A text that does not fit goes out by itself, after what is collected.
    assert_eq!(ints(512), [4096, 8]);
    assert_eq!(ints(515), [4096, 8, 24]);
    let nils = |count: usize| pieces(2000, |burst| (0..count).try_for_each(|_| burst.nil()));
    assert_eq!(nils(1022), [4096]);
    assert_eq!(nils(1023), [4096, 4]);

    // Containers too, with the greatest count (docs/FORMAT.md §3.5), and their ends.
    let most = i32::MAX as usize;
    assert_eq!(pieces(most, |burst| burst.nil()), [12]);
    let containers = pieces(3, |burst| {
        burst.begin_dict(1)?;
        burst.string("a")?;
        burst.string("a text of more than eight bytes")?;
        burst.end()?;
        burst.begin_array(0)?;
        burst.end()?;
        burst.string_name("b")?;
        burst.end()
    });
    assert_eq!(containers, [8 + 8 + 12 + 40 + 8 + 12]);
}

/// After a long text, room for a record (512 bytes) must be left.
#[test]
fn long_texts_are_collected_if_there_is_room_behind_them() {
    let text = |len: usize| pieces(2, |burst| burst.string(&"x".repeat(len)));
    for len in [25, 100, 511, 513, 3564, 3565, 3568] {
        assert_eq!(text(len), [16 + len.next_multiple_of(4)], "{len}");
    }
    assert_eq!(text(3569), [8, 8, 3569, 3]);
    assert_eq!(text(3572), [8, 8, 3572]);
    assert_eq!(text(4080), [8, 8, 4080]);
    assert_eq!(text(5000), [8, 8, 5000]);
}
