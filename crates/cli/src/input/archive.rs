//! Zip archives: their directory, and the bytes of each file in them. Nothing is unpacked to the disk.
//!
//! An archive can be made so that different programs read different files from it. An archive that is ambiguous in this
//! way is refused: see [`Archive::open`].

use std::{fmt, io::Read};

use flate2::bufread::DeflateDecoder;
use memchr::memmem;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};

/// The first bytes of an archive: of its first file, or of its end record if it has no files.
const STARTS: [&[u8; 4]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// The largest distance of the end record from the end of the file. The engine looks for the mark [`LARGE`] in these
/// last bytes of the file.
const NEAR_THE_END: usize = 22 + 0xffff;

/// The mark of an archive with more than 4 GB or 65 535 files (zip64). The engine accepts any such mark it finds.
const LARGE: &[u8; 4] = b"PK\x06\x07";

/// A file in an archive.
#[derive(Clone, Debug)]
pub(crate) struct ArchiveEntry {
    /// The path of the file. Bytes that are not UTF-8 are replaced.
    pub(crate) path: String,
    /// The unpacked size in bytes.
    pub(crate) size: u64,
    pub(crate) is_encrypted: bool,
    method: CompressionMethod,
    place: ZipArchiveEntryWayfinder,
}

/// Why an archive, or a file in it, cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ArchiveError {
    /// The archive is damaged. The text is the message of the zip library.
    Damaged(String),
    /// Different programs may read different files from the archive. The text says why.
    Choice(&'static str),
    Encrypted,
    /// The file is compressed with a method that Godot does not read.
    Method(String),
    /// The file unpacks to more than this number of bytes.
    TooLong(u64),
}

impl ArchiveError {
    /// Returns the stable name that programs read, such as `DamagedArchive`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            ArchiveError::Damaged(_) => "DamagedArchive",
            ArchiveError::Choice(_) => "AmbiguousArchive",
            ArchiveError::Encrypted => "Encrypted",
            ArchiveError::Method(_) => "UnknownMode",
            ArchiveError::TooLong(_) => "TooLong",
        }
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::Damaged(why) => write!(f, "the zip archive is damaged: {why}"),
            ArchiveError::Choice(why) => write!(
                f,
                "the zip archive can be read in two ways: {why}; pack it again with another program"
            ),
            ArchiveError::Encrypted => f.write_str(
                "the file in the zip archive is encrypted, and Godot reads no such file; unpack it with its password",
            ),
            ArchiveError::Method(name) => write!(
                f,
                "the file in the zip archive is compressed with {name}, expected DEFLATE or STORE; pack it again"
            ),
            ArchiveError::TooLong(most) => write!(
                f,
                "the file in the zip archive unpacks to more than {most} bytes; unpack it if you trust it"
            ),
        }
    }
}

impl std::error::Error for ArchiveError {}

/// An archive in memory. Its directory has been read.
#[derive(Clone, Debug)]
pub(crate) struct Archive<'a> {
    zip: ZipSliceArchive<&'a [u8]>,
    entries: Vec<ArchiveEntry>,
}

/// Returns `true` if `file` starts like an archive.
pub(crate) fn is_archive(file: &[u8]) -> bool {
    STARTS.iter().any(|start| file.starts_with(*start))
}

impl<'a> Archive<'a> {
    /// Reads the directory. Takes O(n log n) for n files, because it checks that no two of them share bytes.
    ///
    /// # Errors
    ///
    /// Returns [`ArchiveError::Damaged`], or [`ArchiveError::Choice`] if programs may read the archive differently.
    /// Reasons are bytes before the first file or after the end, a directory that does not match the end record, marks
    /// of zip64 that disagree, files that share bytes, and a file whose own header differs from the directory.
    pub(crate) fn open(file: &'a [u8]) -> Result<Archive<'a>, ArchiveError> {
        let zip = ZipArchive::from_slice(file).map_err(damaged)?;
        check_end(file, &zip)?;
        let mut entries = Vec::new();
        let mut places = Vec::new();
        let mut records = zip.entries();
        while let Some(record) = records.next_entry().map_err(damaged)? {
            let place = record.wayfinder();
            let found = zip.get_entry(place).map_err(damaged)?;
            let header = found.local_header();
            let is_same = header.file_path().as_bytes() == record.file_path().as_bytes()
                && header.compression_method() == record.compression_method()
                && header.flags().is_encrypted() == record.flags().is_encrypted();
            if !is_same {
                let why = "a file's own header says something else than the directory";
                return Err(ArchiveError::Choice(why));
            }
            places.push((
                record.local_header_offset(),
                found.compressed_data_range().1,
            ));
            let path = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
            if path.ends_with('/') && record.uncompressed_size_hint() == 0 {
                continue;
            }
            entries.push(ArchiveEntry {
                path,
                size: record.uncompressed_size_hint(),
                is_encrypted: record.flags().is_encrypted() || record.flags().is_masked(),
                method: record.compression_method(),
                place,
            });
        }
        if places.len() as u64 != zip.entries_hint() {
            return Err(ArchiveError::Choice(
                "the directory has another number of files than its end says",
            ));
        }
        places.push((zip.directory_offset(), file.len() as u64));
        places.sort_unstable();
        if places[0].0 != 0 {
            return Err(ArchiveError::Choice(
                "there are bytes before its first file",
            ));
        }
        if places.windows(2).any(|two| two[1].0 < two[0].1) {
            return Err(ArchiveError::Choice("two files share bytes"));
        }
        Ok(Archive { zip, entries })
    }

    /// Returns the files, in the order of the directory. Folders are not included.
    pub(crate) fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// Unpacks a file of at most `most` bytes. The size and the checksum of the unpacked bytes must match the
    /// directory.
    pub(crate) fn read(&self, entry: &ArchiveEntry, most: u64) -> Result<Vec<u8>, ArchiveError> {
        if entry.is_encrypted {
            return Err(ArchiveError::Encrypted);
        }
        if entry.size > most {
            return Err(ArchiveError::TooLong(most));
        }
        let found = self.zip.get_entry(entry.place).map_err(damaged)?;
        let data = found.data();
        let mut bytes = Vec::new();
        let read = match entry.method {
            CompressionMethod::STORE => found.verifying_reader(data).read_to_end(&mut bytes),
            // The reader stops at the first byte beyond the size in the directory.
            CompressionMethod::DEFLATE => found
                .verifying_reader(DeflateDecoder::new(data))
                .read_to_end(&mut bytes),
            method => {
                let number = || format!("method {}", method.as_u16());
                let name = method.name().map_or_else(number, str::to_owned);
                return Err(ArchiveError::Method(name));
            }
        };
        match read {
            Ok(_) => Ok(bytes),
            Err(error) => Err(ArchiveError::Damaged(format!("{}: {error}", entry.path))),
        }
    }
}

/// Refuses an end record that other programs find at another place, or understand differently.
fn check_end(file: &[u8], zip: &ZipSliceArchive<&[u8]>) -> Result<(), ArchiveError> {
    if zip.end_offset() != file.len() as u64 {
        return Err(ArchiveError::Choice("there are bytes after its end"));
    }
    let near = &file[file.len().saturating_sub(NEAR_THE_END)..];
    let mut marks = memmem::find_iter(near, LARGE);
    if let Some(mark) = marks.next() {
        let at = file.len() - near.len() + mark;
        return match marks.next() {
            None if is_large_end(file, at, zip) => Ok(()),
            _ => Err(ArchiveError::Choice(
                "it has marks of a large archive (zip64) near its end that do not fit",
            )),
        };
    }
    let word = |at: u64| {
        let at = usize::try_from(at).ok()?;
        let bytes = file.get(at..)?.first_chunk()?;
        Some(u64::from(u32::from_le_bytes(*bytes)))
    };
    let end = zip.eocd_offset();
    let (size, offset) = (word(end + 12), word(end + 16));
    match (size, offset) {
        (Some(size), Some(offset)) if size + offset == end && offset == zip.directory_offset() => {
            Ok(())
        }
        _ => Err(ArchiveError::Choice(
            "its directory is not where its end says",
        )),
    }
}

/// Returns `true` if the mark at `at` belongs to the end of a large archive that all readers understand alike. The
/// directory, the 64-bit end record, the mark that leads to it, and the usual end record must follow each other without
/// a gap. Each number in the usual end record must equal the number in the 64-bit end record, or have all bits set.
fn is_large_end(file: &[u8], at: usize, zip: &ZipSliceArchive<&[u8]>) -> bool {
    let number = |at: usize, width: usize| {
        let mut eight = [0; 8];
        eight[..width].copy_from_slice(file.get(at..at + width)?);
        Some(u64::from_le_bytes(eight))
    };
    // The end in 64 bits has 56 bytes, the mark 20.
    let Some(large) = at.checked_sub(56) else {
        return false;
    };
    let agrees = |short: usize, width: usize, long: usize| {
        let (short, long) = (number(short, width), number(long, 8));
        short.is_some() && (short == long || short == Some((1 << (8 * width)) - 1))
    };
    let end = at + 20;
    let size_and_offset = number(large + 40, 8).zip(number(large + 48, 8));
    zip.eocd_offset() == end as u64
        && file[large..].starts_with(b"PK\x06\x06")
        && number(large + 4, 8) == Some(44)
        && number(at + 8, 8) == Some(large as u64)
        && number(large + 48, 8) == Some(zip.directory_offset())
        && size_and_offset.and_then(|(size, offset)| size.checked_add(offset)) == Some(large as u64)
        && number(large + 24, 8) == number(large + 32, 8)
        && agrees(end + 8, 2, large + 24)
        && agrees(end + 10, 2, large + 32)
        && agrees(end + 12, 4, large + 40)
        && agrees(end + 16, 4, large + 48)
}

fn damaged(error: rawzip::Error) -> ArchiveError {
    ArchiveError::Damaged(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use rawzip::ZipArchiveWriter;

    use super::*;

    const MOST: u64 = 1 << 20;

    /// Makes an archive of files. Long files are compressed.
    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = ZipArchiveWriter::new(&mut out);
        for (name, bytes) in files {
            let is_long = bytes.len() > 100;
            let method = match is_long {
                true => CompressionMethod::DEFLATE,
                false => CompressionMethod::STORE,
            };
            let file = writer.new_file(*name).compression_method(method);
            let (mut entry, config) = file.start().expect("a file");
            let descriptor = if is_long {
                let level = flate2::Compression::default();
                let encoder = flate2::write::DeflateEncoder::new(&mut entry, level);
                let mut data = config.wrap(encoder);
                data.write_all(bytes).expect("space");
                let (encoder, descriptor) = data.finish().expect("a sum");
                encoder.finish().expect("space");
                descriptor
            } else {
                let mut data = config.wrap(&mut entry);
                data.write_all(bytes).expect("space");
                data.finish().expect("a sum").1
            };
            entry.finish(descriptor).expect("a file");
        }
        writer.finish().expect("an archive");
        out
    }

    fn refused(file: &[u8]) -> ArchiveError {
        Archive::open(file).expect_err("an error")
    }

    #[test]
    fn files_are_read_and_bounded() {
        let long = [7; 5000];
        let file = archive(&[("a.txt", b"one"), ("b/c.bin", &long), ("e", b"")]);
        let opened = Archive::open(&file).expect("an archive");
        let read: Vec<_> = { opened.entries().iter() }
            .map(|entry| (&*entry.path, opened.read(entry, MOST).expect("bytes")))
            .collect();
        assert_eq!(read[0], ("a.txt", b"one".to_vec()));
        assert_eq!(read[1], ("b/c.bin", long.to_vec()));
        assert_eq!(read[2], ("e", Vec::new()));
        assert_eq!(
            opened.read(&opened.entries()[1], 4999),
            Err(ArchiveError::TooLong(4999))
        );
        let empty = archive(&[]);
        assert!(is_archive(&empty) && Archive::open(&empty).expect("none").entries().is_empty());
    }

    #[test]
    fn an_archive_with_two_readings_is_refused() {
        let one = archive(&[("a.txt", b"one")]);
        let is_choice = |file: &[u8]| matches!(refused(file), ArchiveError::Choice(_));
        assert!(is_choice(&[&one[..], b"more"].concat()));
        assert!(is_choice(&[&one[..], &one[..]].concat()));
        // The file's own header has another name.
        let mut other = one.clone();
        other[30] = b'b';
        assert!(is_choice(&other));
        // A file contains the mark of zip64.
        let marked = archive(&[("a.txt", b"x PK\x06\x07 y")]);
        assert!(is_choice(&marked));
        // The directory seems shorter than it is, so some programs read only its last part.
        let mut two = archive(&[("a.txt", b"one"), ("b.txt", b"two")]);
        let end = two.len() - 22;
        two[end + 12] -= 51;
        assert!(is_choice(&two));
    }

    /// The archive with an end in 64 bits, as Python's zipfile writes it for more than 65 535 files.
    fn large(small: &[u8]) -> Vec<u8> {
        let at = small.len() - 22;
        let word = |at: usize| u32::from_le_bytes(*small[at..].first_chunk().expect("a word"));
        let (count, size, offset) = (small[at + 8], word(at + 12), word(at + 16));
        let mut out = small[..at].to_vec();
        out.extend(b"PK\x06\x06");
        out.extend(44_u64.to_le_bytes());
        out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for number in [
            u64::from(count),
            u64::from(count),
            size.into(),
            offset.into(),
        ] {
            out.extend(number.to_le_bytes());
        }
        out.extend(b"PK\x06\x07\0\0\0\0");
        out.extend((at as u64).to_le_bytes());
        out.extend([1, 0, 0, 0]);
        out.extend(b"PK\x05\x06\0\0\0\0");
        out.extend([0xff; 12]);
        out.extend([0, 0]);
        out
    }

    /// Godot 4.6.3 reads both (`ZIPReader`, `load_resource_pack`).
    #[test]
    fn a_large_archive_is_read_like_a_small_one() {
        let small = archive(&[("a.txt", b"one"), ("b/c.bin", &[7; 5000])]);
        let large = large(&small);
        let opened = Archive::open(&large).expect("an archive");
        let paths: Vec<_> = opened.entries().iter().map(|entry| &*entry.path).collect();
        assert_eq!(paths, ["a.txt", "b/c.bin"]);
        assert_eq!(opened.read(&opened.entries()[1], MOST), Ok(vec![7; 5000]));
        // Any other number in the end is another reading, or damage.
        for at in small.len() - 22..large.len() {
            let mut changed = large.clone();
            changed[at] ^= 1;
            // Versions and disks are for nobody.
            let is_unread = Archive::open(&changed).is_err();
            let from_end = large.len() - at;
            let is_number = from_end <= 22 - 8 && from_end > 2
                || (27..=34).contains(&from_end)
                || (43..=74).contains(&from_end);
            assert!(is_unread || !is_number, "{at}, {from_end} from the end");
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let file = archive(&[("a.txt", b"one")]);
        let central = memmem::find(&file, b"PK\x01\x02").expect("a directory");
        let with = |at: [usize; 2], byte: u8| {
            let mut file = file.clone();
            at.iter().for_each(|&at| file[at] = byte);
            file
        };
        let first = |file: &[u8]| {
            let opened = Archive::open(file).expect("an archive");
            opened
                .read(&opened.entries()[0], MOST)
                .expect_err("an error")
        };
        let encrypted = with([6, central + 8], file[6] | 1);
        assert_eq!(first(&encrypted), ArchiveError::Encrypted);
        let packed = with([8, central + 10], 12);
        assert_eq!(first(&packed), ArchiveError::Method("BZIP2".to_owned()));
        let text = memmem::find(&file, b"one").expect("the text");
        let changed = with([text, text], b'x');
        assert!(matches!(first(&changed), ArchiveError::Damaged(_)));
        assert!(matches!(
            refused(&file[..file.len() - 1]),
            ArchiveError::Damaged(_)
        ));
    }

    /// Changes each byte: the reader must not panic, and must not unpack more than is allowed.
    #[test]
    fn any_bytes_are_read_or_refused() {
        let file = archive(&[("a.txt", b"one"), ("b.bin", &[1; 300])]);
        for at in 0..file.len() {
            for byte in [0, 1, 0x50, 0x7f, 0xff, file[at] ^ 0x10] {
                let mut changed = file.clone();
                changed[at] = byte;
                let Ok(opened) = Archive::open(&changed) else {
                    continue;
                };
                for entry in opened.entries() {
                    let read = opened.read(entry, MOST);
                    assert!(read.is_err() || read.is_ok_and(|bytes| bytes.len() <= 300));
                }
            }
            let _ = Archive::open(&file[..at]);
        }
    }
}
