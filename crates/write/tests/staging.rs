//! How bytes are collected on their way to a writer of the standard library.
#![cfg(feature = "std")]

use std::io::{self, Cursor, Seek, SeekFrom, Write};

use gdvar_write::{IoSink, Patch, SeekSink, Sink, Target, Writer};

/// The calls that an inner writer got, and how often it was flushed.
#[derive(Default)]
struct Calls {
    sizes: Vec<usize>,
    flushes: usize,
}

impl Write for Calls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sizes.push(bytes.len());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        Ok(())
    }
}

fn sizes(write: impl FnOnce(&mut IoSink<Calls>) -> io::Result<()>) -> Vec<usize> {
    let mut sink = IoSink::new(Calls::default());
    write(&mut sink).unwrap();
    let taken = sink.taken().unwrap();
    let calls = sink.into_inner().unwrap();
    assert_eq!(calls.sizes.iter().sum::<usize>() as u64, taken);
    calls.sizes
}

/// "Short writes are collected in 8 KiB. Longer ones go to the inner writer without a copy."
#[test]
fn pieces_are_collected_in_eight_kibibytes() {
    let collected = sizes(|sink| (0..1024).try_for_each(|_| sink.put(&[1; 8])));
    assert_eq!(collected, [8192]);
    let collected = sizes(|sink| (0..1025).try_for_each(|_| sink.put(&[1; 8])));
    assert_eq!(collected, [8192, 8]);
    let collected = sizes(|sink| {
        sink.put(&[1; 8191])?;
        sink.put(&[1])?;
        sink.put(&[1; 2])
    });
    assert_eq!(collected, [8192, 2]);
    // A value that does not fit waits until what is collected has gone out.
    let collected = sizes(|sink| {
        sink.put(&[1; 8190])?;
        sink.put(&[1; 3])
    });
    assert_eq!(collected, [8190, 3]);
    let large = sizes(|sink| {
        sink.put(&[1; 5])?;
        sink.put(&[1; 8192])?;
        sink.put(&[1; 7])?;
        sink.put(&[1; 9000])
    });
    assert_eq!(large, [5, 8192, 7, 9000]);
    assert_eq!(sizes(|_| Ok(())), [0; 0]);
    assert_eq!(sizes(Sink::flush), [0; 0]);
}

#[test]
fn short_texts_are_kept_to_their_length() {
    let words = [1, 2, 3, 4].map(|n: u64| n * 0x0101_0101_0101_0101);
    let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for len in 0..=32 {
        for before in [0, 3, 8160, 8161, 8175, 8176, 8177, 8190, 8192] {
            let mut sink = IoSink::new(Vec::new());
            let mut seek = SeekSink::new(Cursor::new(Vec::new())).unwrap();
            let mut vec = Vec::new();
            sink.put(&vec![9; before]).unwrap();
            seek.put(&vec![9; before]).unwrap();
            vec.put(&vec![9; before]).unwrap();
            sink.put_short(words, len).unwrap();
            seek.put_short(words, len).unwrap();
            vec.put_short(words, len).unwrap();
            assert_eq!(sink.taken(), Some((before + len) as u64));
            assert_eq!(seek.taken(), Some((before + len) as u64));
            assert_eq!(vec.taken(), Some((before + len) as u64));
            sink.put(&[7]).unwrap();
            seek.put_run(&[7], &[], 0).unwrap();
            vec.put_run(&[], &[7], 0).unwrap();
            let bytes = sink.into_inner().unwrap();
            assert_eq!(bytes[before..before + len], all[..len]);
            assert_eq!(bytes.len(), before + len + 1);
            assert_eq!(bytes, seek.into_inner().unwrap().into_inner());
            assert_eq!(bytes, vec);
        }
    }
}

#[test]
fn flushing_reaches_the_inner_writer() {
    let mut sink = IoSink::new(Calls::default());
    let mut w = Writer::new(&mut sink, Target::GODOT_4);
    w.bool(true).unwrap();
    w.finish().unwrap();
    assert_eq!(
        (&sink.get_ref().sizes[..], sink.get_ref().flushes),
        (&[8][..], 1)
    );
    // Nothing is left to be written.
    let calls = sink.into_inner().unwrap();
    assert_eq!((&calls.sizes[..], calls.flushes), (&[8][..], 1));
}

#[test]
fn counts_are_patched_among_what_is_collected_and_behind_it() {
    let mut file = Cursor::new(vec![9; 3]);
    file.seek(SeekFrom::End(0)).unwrap();
    let mut sink = SeekSink::new(file).unwrap();
    assert_eq!(sink.position(), 3);
    sink.put(&[1; 100]).unwrap();
    assert_eq!(sink.position(), 103);
    // The first and the last four of the collected bytes.
    sink.patch(3, &[2; 4]).unwrap();
    sink.patch(99, &[3; 4]).unwrap();
    sink.put(&[4; 8192]).unwrap();
    sink.put(&[5; 10]).unwrap();
    assert_eq!(sink.position(), 103 + 8192 + 10);
    // In the file, and across its end.
    sink.patch(50, &[6; 4]).unwrap();
    assert_eq!(sink.position(), 103 + 8192 + 10);
    sink.put(&[7; 2]).unwrap();
    sink.patch(103 + 8192 + 8, &[8; 4]).unwrap();
    assert_eq!((sink.position(), sink.taken()), (8307, Some(8304)));
    sink.put(&[1]).unwrap();
    sink.flush().unwrap();
    let file = sink.into_inner().unwrap();
    assert_eq!(file.position(), 8308);
    let mut expected = vec![9; 3];
    expected.extend([2; 4]);
    expected.extend([1; 43]);
    expected.extend([6; 4]);
    expected.extend([1; 45]);
    expected.extend([3; 4]);
    expected.extend([4; 8192]);
    expected.extend([5; 8]);
    expected.extend([8; 4]);
    expected.push(1);
    assert_eq!(file.into_inner(), expected);
}

/// A file that counts how often it was seeked.
struct Seeks {
    file: Cursor<Vec<u8>>,
    count: usize,
}

impl Write for Seeks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Seeks {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.count += usize::from(to != SeekFrom::Current(0));
        self.file.seek(to)
    }
}

/// "A count that is still among the collected 8 KiB is patched there. For any other the sink writes
/// out what it has and seeks back and forth."
#[test]
fn a_count_among_what_is_collected_needs_no_seek() {
    for (len, seeks) in [(0, 0), (2045, 0), (2046, 0), (2047, 2), (5000, 2)] {
        let file = Seeks {
            file: Cursor::new(Vec::new()),
            count: 0,
        };
        let mut w = Writer::new(SeekSink::new(file).unwrap(), Target::GODOT_4);
        let growing = w.begin_growing_array().unwrap();
        for _ in 0..len {
            w.nil().unwrap();
        }
        assert_eq!(w.end_growing(growing).unwrap(), len);
        let file = w.finish().unwrap().into_inner().unwrap();
        assert_eq!(file.count, seeks, "{len}");
        let bytes = file.file.into_inner();
        assert_eq!(bytes.len(), 8 + 4 * len as usize);
        assert_eq!(bytes[4..8], len.to_le_bytes());
    }
}

/// "`Writer::finish` passes on what is collected", into a file that can seek as well.
#[test]
fn finishing_hands_on_what_is_collected() {
    let mut file = Cursor::new(Vec::new());
    let mut w = Writer::new(SeekSink::new(&mut file).unwrap(), Target::GODOT_4);
    w.bool(true).unwrap();
    drop(w.finish().unwrap());
    assert_eq!(file.into_inner(), [1, 0, 0, 0, 1, 0, 0, 0]);
}
