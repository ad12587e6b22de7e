//! Reads any bytes as records: from a buffer, from a reader, and from a stream in pieces of any size. All
//! must return the same records at the same offsets.

use gdvar::frames::frames;
use gdvar_io::{
    Limits,
    records::{PrefixOrder, RecordReader, RecordWriter},
    stream::Decoder,
};

use super::Input;
use crate::vectors::hex;

const LIMITS: Limits = Limits::new(1 << 16);

/// Reads the bytes as records in all ways.
///
/// # Panics
/// If the ways of reading return different records, or records are written back as other bytes.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let file = input.bytes;
    let order = match input.rules.strict {
        true => PrefixOrder::Big,
        false => PrefixOrder::Little,
    };
    let who = || format!("{order:?} {}", hex(file));
    // The walk ends at the first record that is cut, too long or without a valid length.
    let mut whole = Vec::new();
    let mut is_whole = true;
    for frame in frames(file, order) {
        match frame {
            Ok(frame) if !frame.is_cut() && frame.declared <= LIMITS.max_len => {
                whole.push((frame.offset as u64, frame.bytes.to_vec()));
            }
            _ => {
                is_whole = false;
                break;
            }
        }
    }

    let mut reader = RecordReader::new(file, order, LIMITS);
    let mut read = Vec::new();
    let outcome = loop {
        match reader.read() {
            Ok(Some(record)) => read.push((record.offset, record.bytes.to_vec())),
            Ok(None) => break true,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                break false;
            }
        }
    };
    assert_eq!((&read, outcome), (&whole, is_whole), "{}", who());

    let mut decoder = Decoder::new(order, LIMITS);
    let (mut pushed, mut failed) = (Vec::new(), false);
    let mut size = usize::from(input.choice & 63) + 1;
    let mut rest = file;
    while !rest.is_empty() && !failed {
        let (piece, behind) = rest.split_at(size.min(rest.len()));
        decoder.push(piece);
        rest = behind;
        size = size * 7 % 61 + 1;
        loop {
            match decoder.try_next() {
                Ok(Some(record)) => pushed.push((record.offset, record.bytes.to_vec())),
                Ok(None) => break,
                Err(_) => {
                    failed = true;
                    break;
                }
            }
        }
    }
    assert_eq!(pushed, whole, "{}", who());
    assert_eq!(!failed && decoder.finish().is_ok(), is_whole, "{}", who());

    let mut writer = RecordWriter::new(Vec::new(), input.rules.dialect, order);
    for (_, bytes) in &whole {
        writer.write_bytes(bytes).expect("into memory");
    }
    let again = writer.into_inner();
    assert!(file.starts_with(&again), "{}", who());
    assert_eq!(again.len() == file.len(), is_whole, "{}", who());
}
