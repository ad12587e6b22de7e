//! Files that are cut, have flipped bits, or declare false lengths give clear errors, and memory
//! stays below a stated bound.

mod common;

use std::io::Read;

use allocation_counter::measure;
use common::{Save, noise};
use gdvar_io::{
    Error, FileErrorKind, Limits,
    compressed::{BLOCK_SIZE, Compressed, Mode, compress},
    encrypted::{Form, Key, decrypt, encrypt},
    project::Project,
    records::{PrefixOrder, RecordReader},
};

/// The most memory that the states of decompressors take.
const STATES: u64 = 512 * 1024;

/// Opens and unpacks a file, and asserts that memory stays below `bound` bytes at all times.
#[track_caller]
fn unpack(file: &[u8], limits: Limits, bound: u64) -> Result<Vec<u8>, Error> {
    let mut result = None;
    let memory = measure(|| {
        result = Some(Compressed::open(file, limits).and_then(|file| file.to_vec()));
    });
    assert!(
        memory.bytes_max <= bound,
        "{} bytes, {bound} allowed",
        memory.bytes_max
    );
    result.expect("it ran")
}

/// Builds a compressed file from its parts.
fn file(mode: u32, block_size: u32, len: u32, blocks: &[&[u8]]) -> Vec<u8> {
    let mut file = b"GCPF".to_vec();
    for word in [mode, block_size, len] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    for block in blocks {
        file.extend_from_slice(&(block.len() as u32).to_le_bytes());
    }
    for block in blocks {
        file.extend_from_slice(block);
    }
    file.extend_from_slice(b"GCPF");
    file
}

/// Returns offsets in a file: all of a short one; of a long one the first, the last and some
/// hundred between.
fn places(len: usize) -> impl Iterator<Item = usize> {
    let step = (len / 500).max(1);
    (0..len).filter(move |at| len < 20_000 || *at < 100 || len - at < 100 || at % step == 0)
}

#[test]
fn a_cut_compressed_file_says_so_wherever_it_is_cut() {
    for save in Save::all("compressed") {
        let contents = unpack(&save.bytes, Limits::FILE, u64::MAX).expect("whole");
        // The engines ignore the magic at the end too.
        for len in places(save.bytes.len()) {
            let bound = contents.len() as u64 + STATES;
            let result = unpack(&save.bytes[..len], Limits::FILE, bound);
            match result {
                Ok(got) => assert!(len >= save.bytes.len() - 4 && got == contents),
                Err(error) => {
                    let kind = error.kind();
                    let cut = matches!(kind, FileErrorKind::Truncated { missing } if missing > 0);
                    assert!(
                        cut || len < 4 && kind == FileErrorKind::BadMagic { expected: *b"GCPF" }
                    );
                    assert!(error.offset() <= len as u64, "{error:?} of {len}");
                }
            }
        }
    }
}

#[test]
fn flipped_bits_never_panic_and_checksums_find_them() {
    for save in Save::all("compressed") {
        let contents = unpack(&save.bytes, Limits::FILE, u64::MAX).expect("whole");
        let every = save.name.starts_with("exact4");
        let some = places(save.bytes.len()).map(|at| at * 8 + at % 8);
        for bit in (0..save.bytes.len() * 8)
            .filter(|_| every)
            .chain(some.filter(|_| !every))
        {
            let mut bytes = save.bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let result = unpack(&bytes, Limits::FILE, 20 << 20);
            // Adler and CRC notice every change, except in parts of the headers that nobody reads.
            let checked = save.name.contains("deflate") || save.name.contains("gzip");
            if let (Ok(got), true) = (&result, checked) {
                assert!(got == &contents || got.len() != contents.len(), "bit {bit}");
            }
            if let Err(error) = result {
                assert!(error.to_string().len() > 20);
            }
        }
    }
    for save in Save::all("encrypted") {
        let key = save.key();
        let contents = decrypt(&save.bytes, &key, Limits::FILE).expect("whole");
        for at in places(save.bytes.len()) {
            let mut bytes = save.bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            match decrypt(&bytes, &key, Limits::FILE) {
                Ok(got) => assert!(at >= bytes.len() - 16 && got == contents, "byte {at}"),
                Err(error) => assert!(error.to_string().len() > 20),
            }
            let error = decrypt(&save.bytes[..at], &key, Limits::FILE).expect_err("cut");
            assert!(matches!(
                error.kind(),
                FileErrorKind::Truncated { .. } | FileErrorKind::BadMagic { .. }
            ));
        }
    }
    let key = Key::from_password("x");
    for form in [Form::Godot3, Form::Godot4 { iv: [3; 16] }] {
        let whole = encrypt(&noise(100, 1), &key, form);
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            match decrypt(&bytes, &key, Limits::FILE) {
                // Only padding may change unnoticed, as in the engines.
                Ok(_) => assert!(bit / 8 >= whole.len() - 16, "bit {bit}"),
                Err(error) => assert!(error.to_string().len() > 20),
            }
        }
        for len in 0..whole.len() {
            let error = decrypt(&whole[..len], &key, Limits::FILE).expect_err("cut");
            let kind = error.kind();
            assert!(matches!(
                kind,
                FileErrorKind::Truncated { .. } | FileErrorKind::BadMagic { .. }
            ));
        }
    }
}

#[test]
fn declared_sizes_buy_no_memory() {
    const SMALL: u64 = 4096;
    let unlimited = Limits::new(u32::MAX);
    for mode in 0..5 {
        // One block of 4 GiB, from nothing and from a few bytes.
        for block in [&b""[..], &[0; 20], &noise(20, 3)] {
            let lie = file(mode, u32::MAX, u32::MAX - 1, &[block]);
            let error = unpack(&lie, unlimited, SMALL + 20 * (1 << 20)).expect_err("a lie");
            assert!(
                matches!(error.kind(), FileErrorKind::Impossible { block: 0, .. }),
                "mode {mode}: {error:?}"
            );
            let error = unpack(&lie, Limits::FILE, SMALL).expect_err("above the limit");
            assert!(matches!(
                error.kind(),
                FileErrorKind::TooLong {
                    limit: 0x4000_0000,
                    ..
                }
            ));
        }
        // Four thousand million blocks.
        let many = file(mode, 1, u32::MAX, &[]);
        let error = unpack(&many, unlimited, SMALL).expect_err("no table");
        assert!(
            matches!(error.kind(), FileErrorKind::Truncated { .. }),
            "{error:?}"
        );
        // A block of gigabytes, according to the table.
        let mut cut = file(mode, 4096, 100, &[b"x"]);
        cut[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = unpack(&cut, unlimited, SMALL).expect_err("no block");
        assert!(
            matches!(error.kind(), FileErrorKind::Truncated { .. }),
            "{error:?}"
        );
    }
    let error = unpack(&file(5, 4096, 0, &[b""]), unlimited, SMALL).expect_err("no mode");
    assert_eq!(error.kind(), FileErrorKind::UnknownMode { mode: 5 });
    let error = unpack(&file(0, 0, 0, &[b""]), unlimited, SMALL).expect_err("no size");
    assert_eq!(error.kind(), FileErrorKind::NoBlockSize);
}

/// Returns frames with a Zstandard block that is a run: 128 KiB from four bytes (RFC 8878,
/// 3.1.1.2).
fn zstd_runs(blocks: usize, window: u8) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, window];
    for n in 0..blocks {
        let header = u32::from(n + 1 == blocks) | 1 << 1 | 1 << 17 << 3;
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(7);
    }
    frame
}

#[test]
fn bombs_stop_at_the_declared_size() {
    // Each unpacks to far more than it declares: 16 MiB instead of 4096 bytes.
    let huge = vec![0; 16 << 20];
    for mode in [Mode::Deflate, Mode::Gzip, Mode::Zstd, Mode::FastLz] {
        let bomb = compress(&huge, mode, 32 << 20).expect("a mode");
        let block = &bomb[20..bomb.len() - 4];
        let lie = file(mode.number(), 8192, 4096, &[block]);
        let error = unpack(&lie, Limits::FILE, 8192 + STATES).expect_err("too much");
        assert_eq!(error.kind(), FileErrorKind::BadBlock { block: 0 }, "{mode}");
        // With the true size it is valid, and takes no more memory than that.
        let got = unpack(&bomb, Limits::FILE, (16 << 20) + STATES).expect("in order");
        assert!(got == huge, "{mode}");
        let limits = Limits::new((16 << 20) - 1);
        let error = unpack(&bomb, limits, 4096).expect_err("above the limit");
        assert!(matches!(error.kind(), FileErrorKind::TooLong { .. }));
    }
    // Runs with the largest window that can be declared, 3.75 TiB.
    let runs = zstd_runs(1000, 0xff);
    let lie = file(2, 8192, 4096, &[&runs]);
    unpack(&lie, Limits::FILE, 8192 + STATES).expect_err("too much");
}

#[test]
fn a_length_of_a_record_buys_no_memory() {
    for prefix in [u32::MAX, i32::MAX as u32, 1 << 30, 1 << 20] {
        let mut bytes = prefix.to_le_bytes().to_vec();
        bytes.extend_from_slice(&noise(1000, 5));
        let mut kind = None;
        let memory = measure(|| {
            let mut reader = RecordReader::new(&bytes[..], PrefixOrder::Little, Limits::FILE);
            kind = reader.read().err().map(|error| error.to_string());
        });
        assert!(
            memory.bytes_max < 256 * 1024,
            "{prefix}: {}",
            memory.bytes_max
        );
        assert!(kind.expect("an error").len() > 20);
    }
}

#[test]
fn records_take_four_times_the_longest_at_most() {
    let mut file = Vec::new();
    for len in [100_000_u32, 8, 3_000_000, 12, 700_000] {
        file.extend_from_slice(&len.to_le_bytes());
        file.resize(file.len() + len as usize, 1);
    }
    let mut count = 0;
    let memory = measure(|| {
        let mut reader = RecordReader::new(&file[..], PrefixOrder::Little, Limits::FILE);
        while reader.read().expect("records").is_some() {
            count += 1;
        }
    });
    assert_eq!(count, 5);
    assert!(
        memory.bytes_max < 4 * 3_000_000 + 128 * 1024,
        "{}",
        memory.bytes_max
    );
}

#[test]
fn settings_are_read_without_memory() {
    let mut bytes = b"ECFG".to_vec();
    bytes.extend_from_slice(&u32::MAX.to_le_bytes());
    bytes.extend_from_slice(b"\x03\0\0\0a/b\x04\0\0\0\0\0\0\0");
    for len in 0..=bytes.len() {
        let memory = measure(|| {
            let Ok(project) = Project::open(&bytes[..len]) else {
                assert!(len < 8);
                return;
            };
            let all: (usize, usize) = project.fold((0, 0), |(good, bad), entry| match entry {
                Ok(_) => (good + 1, bad),
                Err(_) => (good, bad + 1),
            });
            // The count is a lie, so there is one error, and it ends there.
            assert_eq!(all, (usize::from(len == bytes.len()), 1));
        });
        assert_eq!(memory.bytes_max, 0);
    }
}

#[test]
fn a_damaged_block_leaves_the_others() {
    let contents = noise(3 * 4096 + 5, 9);
    let mut bytes = compress(&contents, Mode::FastLz, BLOCK_SIZE).expect("a mode");
    let second =
        16 + 4 * 4 + u32::from_le_bytes(bytes[16..20].try_into().expect("a word")) as usize;
    bytes[second] = 0xff;
    let file = Compressed::open(&bytes, Limits::FILE).expect("a header");
    let mut reader = file.reader();
    assert_eq!(reader.read_block(0), Ok(&contents[..4096]));
    let error = reader.read_block(1).expect_err("damaged");
    assert_eq!(
        (error.kind(), error.offset()),
        (FileErrorKind::BadBlock { block: 1 }, second as u64)
    );
    assert_eq!(reader.read_block(2), Ok(&contents[8192..12_288]));
    assert_eq!(
        reader
            .read_block(4)
            .map(<[u8]>::len)
            .expect_err("none")
            .kind(),
        FileErrorKind::OutOfRange
    );
    let mut all = Vec::new();
    let error = file.reader().read_to_end(&mut all).expect_err("damaged");
    assert!(error.to_string().contains("block 1"), "{error}");
    assert_eq!(all, contents[..4096]);
}
