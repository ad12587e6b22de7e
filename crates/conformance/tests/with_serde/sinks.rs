//! Values written by serde into what other crates write with: records of files, streams of sockets.

use std::{collections::BTreeMap, io};

use bytes::{BufMut, BytesMut};
use gdvar::{
    Dialect, Variant,
    math::Vector2,
    serde as gd, variant,
    write::{ElementType, Target, Writer},
};
use gdvar_io::{
    Limits, StreamError,
    codec::{RecordCodec, Value, ValueWriter},
    records::{PrefixOrder, RecordWriter},
};
use serde::Serialize;
use tokio_util::codec::Encoder;

/// One with a count that is known at its end only, as serde flattens maps.
#[derive(Serialize)]
struct Packet {
    id: i64,
    to: Vector2<f32>,
    #[serde(flatten)]
    rest: BTreeMap<String, u64>,
}

fn packet(score: u64) -> Packet {
    Packet {
        id: 7,
        to: Vector2 { x: 1.0, y: 2.0 },
        rest: BTreeMap::from([("score".into(), score)]),
    }
}

/// The packet as a value, written without serde.
fn bytes() -> Vec<u8> {
    let value = variant!({ "id": 7, "to": Vector2 { x: 1.0_f32, y: 2.0 }, "score": 3 });
    value.to_vec(Dialect::GODOT_4).unwrap()
}

fn record() -> Vec<u8> {
    let mut record = Vec::new();
    record.put_u32_le(bytes().len() as u32);
    record.extend(bytes());
    record
}

#[test]
fn a_record_of_a_file_is_a_value_of_serdes() {
    let mut records = RecordWriter::new(Vec::new(), Target::GODOT_4, PrefixOrder::Little);
    let mut write = |score| records.write_with(|writer| gd::to_sink(&packet(score), writer));
    write(3).unwrap();
    let error = write(u64::MAX).unwrap_err();
    assert!(matches!(error, StreamError::Serde(_)));
    assert!(
        error
            .to_string()
            .contains("$.score: 18446744073709551615 is more"),
        "{error}"
    );
    write(3).unwrap();
    assert_eq!(records.into_inner(), [record(), record()].concat());
}

#[test]
fn a_packet_of_a_socket_is_a_value_of_serdes() {
    let mut codec = RecordCodec::new(Target::GODOT_4, PrefixOrder::Little, Limits::FILE);
    let mut wire = BytesMut::new();
    for (score, expected) in [(3, 1), (u64::MAX, 1), (3, 2)] {
        let item = Value(|writer: &mut ValueWriter<'_>| gd::to_sink(&packet(score), writer));
        let done = codec.encode(item, &mut wire);
        assert_eq!(done.is_ok(), score == 3);
        assert_eq!(wire, record().repeat(expected));
    }
}

#[test]
fn a_value_of_serdes_stands_among_others() {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_typed_array(ElementType::Untyped, 2).unwrap();
    gd::to_sink(&packet(3), &mut writer).unwrap();
    gd::to_sink(&[1, 2], &mut writer).unwrap();
    // There is no room for a third one.
    let error = gd::to_sink("more", &mut writer).unwrap_err();
    assert_eq!(error.path(), Some("$"));
    writer.end().unwrap();
    let bytes = writer.finish().unwrap();
    let expected =
        variant!([{ "id": 7, "to": Vector2 { x: 1.0_f32, y: 2.0 }, "score": 3 }, [1, 2]]);
    assert_eq!(Variant::from_slice(&bytes, Dialect::GODOT_4), Ok(expected));
}

#[test]
fn a_buffer_gets_a_whole_value_or_nothing() {
    let mut buffer = b"head".to_vec();
    let error = gd::to_buffer(&mut buffer, &("many bytes", u64::MAX)).unwrap_err();
    assert_eq!(error.path(), Some("$[1]"));
    assert_eq!(buffer, b"head");
    gd::to_buffer(&mut buffer, &7).unwrap();
    assert_eq!(buffer, b"head\x02\0\0\0\x07\0\0\0");
}

#[test]
fn a_value_is_read_from_a_stream_to_its_end() {
    struct Slow<'a>(&'a [u8]);
    impl io::Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let few = to.len().min(3);
            io::Read::read(&mut self.0, &mut to[..few])
        }
    }
    let save = bytes();
    let read: Variant = gd::from_reader(Slow(&save)).unwrap();
    assert_eq!(read["score"], 3);
    let three = read.to_vec(Dialect::GODOT_3).unwrap();
    let again: Variant = gd::from_reader_with(Slow(&three), Dialect::GODOT_3).unwrap();
    assert_eq!(again, read);
    let error = gd::from_reader::<_, bool>(Slow(&save)).unwrap_err();
    assert_eq!((error.path(), error.offset()), (Some("$"), Some(0)));
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::ConnectionReset, "gone"))
        }
    }
    let error = gd::from_reader::<_, bool>(Broken).unwrap_err();
    assert_eq!(error.category(), gd::Category::Io);
    assert_eq!(
        io::Error::from(error).kind(),
        io::ErrorKind::ConnectionReset
    );
}

/// A report of an error and its sources prints no message twice.
#[test]
fn an_error_of_a_stream_prints_its_source_once() {
    use std::{convert::Infallible, error::Error as _};

    use gdvar::write::TranscodeError;

    let chain = |error: StreamError| {
        let mut chain = vec![error.to_string()];
        let mut source = error.source();
        while let Some(inner) = source {
            chain.push(inner.to_string());
            source = inner.source();
        }
        chain
    };
    assert_eq!(
        chain(io::Error::other("the disk is full").into()),
        ["the disk is full"]
    );
    let read = gdvar::Document::new(&[], Dialect::GODOT_4)
        .root()
        .unwrap_err();
    let transcoded = TranscodeError::<Infallible>::Read(read);
    assert_eq!(chain(transcoded.into()), [read.to_string()]);
    // An error of serde has its writer's error as the source, and does not print it.
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is full"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = gd::to_writer(Full, &7).unwrap_err();
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<io::Error>());
    assert_eq!(
        source.map(io::Error::to_string).as_deref(),
        Some("the disk is full")
    );
    let expected = ["the output could not be written", "the disk is full"];
    let printed = chain(error.into());
    assert!(
        printed[0].ends_with(expected[0]) && printed[1..] == expected[1..],
        "{printed:?}"
    );
}
