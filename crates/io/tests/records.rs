//! Records of files and streams, against the saves of the engines.

mod common;

use std::io::{self, Cursor, Read, Seek, Write};

use common::Save;
use gdvar_io::{
    FileErrorKind, Limits, StreamError,
    records::{Edit, Mistake, PrefixOrder, RecordReader, RecordWriter, frames, rewrite},
    stream::Decoder,
};
use gdvar_write::Target;

/// A reader that gives a few bytes at a time and is interrupted in between.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1 % 3 == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = (self.1 % 7 + 1).min(self.0.len()).min(out.len());
        let (head, tail) = self.0.split_at(len);
        out[..len].copy_from_slice(head);
        self.0 = tail;
        Ok(len)
    }
}

#[test]
fn readers_find_the_records_of_the_engines() {
    for name in [
        "replay4.rec",
        "replay3.rec",
        "camp4.sav",
        "voxel3.chunk",
        "leaderboard4.dat",
    ] {
        let save = Save::get(name);
        let expected: Vec<(&[u8], u64)> = frames(&save.bytes, PrefixOrder::Little)
            .map(|frame| frame.expect("a frame"))
            .map(|frame| (frame.bytes, frame.offset as u64))
            .collect();
        assert_eq!(expected.len() as u64, save.about["records"], "{name}");
        let mut whole = RecordReader::new(&save.bytes[..], PrefixOrder::Little, Limits::FILE);
        let mut slow = RecordReader::new(Slow(&save.bytes, 0), PrefixOrder::Little, Limits::FILE);
        for (n, &(bytes, offset)) in expected.iter().enumerate() {
            for record in [whole.read(), slow.read()] {
                let record = record.expect("readable").expect("a record");
                assert!(record.bytes == bytes);
                assert_eq!((record.offset, record.index), (offset, n as u64));
            }
        }
        assert!(whole.read().expect("the end").is_none());
        assert!(slow.read().expect("the end").is_none());
        assert_eq!(slow.position(), save.bytes.len() as u64);
    }
}

#[test]
fn a_stream_may_be_cut_anywhere() {
    let file = Save::get("replay4.rec").bytes[..600].to_vec();
    let end = frames(&file, PrefixOrder::Little)
        .map_while(|frame| frame.ok().filter(|frame| !frame.is_cut()))
        .map(|frame| frame.offset + frame.bytes.len())
        .last()
        .expect("records");
    let file = &file[..end];
    for cut in 0..=file.len() {
        let mut decoder = Decoder::new(PrefixOrder::Little, Limits::STREAM);
        let mut sizes = Vec::new();
        for piece in [&file[..cut], &file[cut..]] {
            decoder.push(piece);
            while let Some(record) = decoder.try_next().expect("records") {
                sizes.push(record.bytes.len());
            }
        }
        decoder.finish().expect("all of it");
        let expected: Vec<usize> = frames(file, PrefixOrder::Little)
            .map(|frame| frame.expect("a frame").bytes.len())
            .collect();
        assert_eq!(sizes, expected, "cut at {cut}");
    }
}

#[test]
fn the_usual_mistakes_are_recognized() {
    // var_to_bytes({"hp": 80}), read as records.
    let bare = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
    let mut reader = RecordReader::new(&bare[..], PrefixOrder::Little, Limits::FILE);
    let Err(StreamError::Bytes(error)) = reader.read() else {
        panic!("no record");
    };
    assert!(matches!(
        error.kind(),
        FileErrorKind::Mistaken(Mistake::Bare { .. })
    ));
    assert!(
        error.to_string().contains("read it as a bare value"),
        "{error}"
    );
    // Big-endian lengths, read as little-endian ones, and the other way round.
    let big = b"\0\0\0\x08\x02\0\0\0\x05\0\0\0";
    for (bytes, order) in [
        (&big[..], PrefixOrder::Little),
        (b"\x08\0\0\0\x02\0\0\0\x05\0\0\0", PrefixOrder::Big),
    ] {
        let text = RecordReader::new(bytes, order, Limits::FILE)
            .read()
            .expect_err("no record");
        assert!(text.to_string().contains("the other byte order"), "{text}");
    }
    // Records, read as one value.
    let save = Save::get("replay4.rec");
    let framed = Mistake::Framed {
        order: PrefixOrder::Little,
        records: 703,
    };
    assert_eq!(Mistake::of_value(&save.bytes), Some(framed));
    assert_eq!(Mistake::of_value(bare), None);
    assert_eq!(
        Mistake::of_records(b"hello, world", PrefixOrder::Little),
        None
    );
}

#[test]
fn records_are_appended_only_behind_whole_ones() {
    for order in [PrefixOrder::Little, PrefixOrder::Big] {
        let mut file = Cursor::new(Vec::new());
        for n in 0..3 {
            file.rewind().expect("a cursor");
            let mut writer = RecordWriter::append(file, Target::GODOT_4, order).expect("whole");
            writer.write(|value| value.int(n)).expect("a value");
            file = writer.into_inner();
        }
        // store_var of 0, 1 and 2, `docs/FORMAT.md` §7.1.
        let mut expected = Vec::new();
        for n in 0..3 {
            expected.extend_from_slice(match order {
                PrefixOrder::Little => b"\x08\0\0\0",
                PrefixOrder::Big => b"\0\0\0\x08",
            });
            expected.extend_from_slice(&[2, 0, 0, 0, n, 0, 0, 0]);
        }
        assert_eq!(file.get_ref(), &expected);
        file.get_mut().truncate(30);
        let error = RecordWriter::append(file, Target::GODOT_4, order).expect_err("cut");
        let StreamError::Bytes(error) = error else {
            panic!("{error}");
        };
        // The offset is where to cut the file and continue.
        assert_eq!(
            (error.offset(), error.kind()),
            (24, FileErrorKind::Truncated { missing: 6 })
        );
    }
}

#[test]
fn a_value_that_is_not_whole_is_not_written() {
    let mut writer = RecordWriter::new(Vec::new(), Target::GODOT_4, PrefixOrder::Little);
    let half = writer.write(|value| value.begin_array(2));
    assert!(matches!(half, Err(StreamError::Value(_))));
    assert!(writer.get_ref().is_empty());
    writer.flush().expect("a vector");
}

#[test]
fn a_file_is_rewritten_record_by_record() {
    let save = Save::get("replay3.rec");
    let mut reader = RecordReader::new(&save.bytes[..], PrefixOrder::Little, Limits::FILE);
    let mut writer = RecordWriter::new(Vec::new(), Target::GODOT_3, PrefixOrder::Big);
    let done = rewrite(&mut reader, &mut writer, |record, new| {
        match record.index % 3 {
            0 => Ok(Edit::Keep),
            1 => Ok(Edit::Drop),
            _ => {
                new.write_all(b"\x02\0\0\0\x05\0\0\0")?;
                Ok(Edit::Replace)
            }
        }
    })
    .expect("records");
    assert_eq!((done.kept, done.replaced, done.dropped), (235, 234, 234));
    let old: Vec<&[u8]> = frames(&save.bytes, PrefixOrder::Little)
        .map(|frame| frame.expect("a frame").bytes)
        .collect();
    let new = writer.into_inner();
    let new: Vec<&[u8]> = frames(&new, PrefixOrder::Big)
        .map(|frame| frame.expect("a frame").bytes)
        .collect();
    assert_eq!(new.len(), 469);
    for (n, record) in new.iter().enumerate() {
        match n % 2 {
            0 => assert!(*record == old[n / 2 * 3]),
            _ => assert_eq!(*record, b"\x02\0\0\0\x05\0\0\0"),
        }
    }
}
