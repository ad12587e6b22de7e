//! The tokio codec, over the saves of the engines.
#![cfg(feature = "tokio")]

mod common;

use bytes::{Bytes, BytesMut};
use common::Save;
use gdvar_io::{
    FileErrorKind, Limits, StreamError,
    codec::{RecordCodec, Value, ValueWriter},
    records::{PrefixOrder, frames},
};
use gdvar_write::Target;
use tokio_util::codec::{Decoder, Encoder};

fn codec(limits: Limits) -> RecordCodec {
    RecordCodec::new(Target::GODOT_4, PrefixOrder::Little, limits)
}

#[test]
fn frames_come_out_as_they_go_in() {
    let save = Save::get("replay4.rec");
    let mut codec = codec(Limits::STREAM);
    let mut wire = BytesMut::new();
    let mut back = BytesMut::new();
    let mut count = 0;
    // As a socket delivers them.
    for piece in save.bytes.chunks(1000) {
        wire.extend_from_slice(piece);
        while let Some(frame) = codec.decode(&mut wire).expect("frames") {
            count += 1;
            match count % 2 {
                0 => codec.encode(frame, &mut back).expect("a frame"),
                _ => codec.encode(&frame[..], &mut back).expect("a frame"),
            }
        }
    }
    assert!(codec.decode_eof(&mut wire).expect("the end").is_none());
    assert_eq!(count, 703);
    assert!(back == save.bytes);
    let first = frames(&save.bytes, PrefixOrder::Little).next();
    assert!(first.expect("a frame").is_ok());
}

#[test]
fn caps_and_cuts_are_errors() {
    let mut codec = codec(Limits::new(100));
    let mut wire = BytesMut::from(&b"\x65\0\0\0"[..]);
    let kind = |error: StreamError| match error {
        StreamError::Bytes(error) => error.kind(),
        other => panic!("{other}"),
    };
    let long = FileErrorKind::TooLong {
        length: 101,
        limit: 100,
    };
    assert_eq!(kind(codec.decode(&mut wire).expect_err("too long")), long);
    let mut out = BytesMut::new();
    let error = codec
        .encode(Bytes::from(vec![0; 101]), &mut out)
        .expect_err("too long");
    assert_eq!(kind(error), long);
    let mut wire = BytesMut::from(&b"\x08\0\0\0\x02\0"[..]);
    assert!(codec.decode(&mut wire).expect("waiting").is_none());
    let error = codec.decode_eof(&mut wire).expect_err("cut");
    assert_eq!(kind(error), FileErrorKind::Truncated { missing: 6 });
    // A length takes no memory.
    let mut codec = self::codec(Limits::FILE);
    let mut wire = BytesMut::from(&b"\0\0\0\x30"[..]);
    assert!(codec.decode(&mut wire).expect("waiting").is_none());
    assert!(wire.capacity() < 200_000, "{}", wire.capacity());
}

#[test]
fn a_value_that_fails_leaves_the_buffer() {
    let mut codec = codec(Limits::STREAM);
    let mut out = BytesMut::from(&b"before"[..]);
    let half = Value(|value: &mut ValueWriter<'_>| value.begin_array(1));
    assert!(codec.encode(half, &mut out).is_err());
    assert_eq!(out, b"before"[..]);
    let five = Value(|value: &mut ValueWriter<'_>| value.int(5));
    codec.encode(five, &mut out).expect("a value");
    assert_eq!(out, b"before\x08\0\0\0\x02\0\0\0\x05\0\0\0"[..]);
}
