//! The bytes of a file or of standard input.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

use gdvar_file::{
    Peeled, line,
    records::{Framing, Record, Records, records_after},
};

use crate::{
    input::{mmap, package},
    terminal::safe_text,
};

/// Files of this length or more are mapped instead of read. Reading a shorter file takes a few milliseconds, and
/// games rarely save more. Later changes of the file do not affect bytes that were read.
const MAPPED_FROM: u64 = 16 << 20;

/// A file that was opened, or standard input.
pub(crate) struct Input {
    /// The name on the command line, for messages.
    pub name: String,
    /// The layers that were around the bytes, and the game's own header and trailer, which are skipped. The contents of the
    /// innermost layer are in `data`.
    pub peeled: Peeled,
    /// The number of records and lines before this input: standard input may arrive line by line.
    before: (u64, u64),
    data: Data,
}

enum Data {
    Mapped(mmap::Map, File),
    Read(Vec<u8>),
    Stdin(&'static [u8]),
}

/// A line that is taken for all of standard input.
struct Fed {
    line: Vec<u8>,
    /// The number of records before it.
    records: u64,
    /// The number of lines before it.
    lines: u64,
}

static FED: Mutex<Option<Fed>> = Mutex::new(None);

/// Makes `line` the whole standard input. It comes after this many records and lines.
pub(crate) fn feed(line: Vec<u8>, records: u64, lines: u64) {
    let mut fed = FED.lock().unwrap_or_else(PoisonError::into_inner);
    *fed = Some(Fed {
        line,
        records,
        lines,
    });
}

/// Returns `true` if a path spells out bytes: `hex:0200…`.
pub(crate) fn is_bytes(path: &Path) -> bool {
    path.to_string_lossy().starts_with("hex:") && !path.exists()
}

/// All of standard input. It is read once.
fn stdin() -> io::Result<&'static [u8]> {
    static STDIN: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(bytes) = STDIN.get() {
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(STDIN.get_or_init(|| bytes))
}

impl Input {
    /// Opens a file; `-` is standard input, `hex:0200…` spells out the bytes, and `game.pck!project.binary` is
    /// a file in a package, `mod.zip!a.tres` in an archive.
    pub(crate) fn open(path: &Path) -> io::Result<Input> {
        Input::open_at(path, path)
    }

    /// Opens the file at `place`, which messages call `path`.
    pub(crate) fn open_at(path: &Path, place: &Path) -> io::Result<Input> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            let fed = FED.lock().unwrap_or_else(PoisonError::into_inner).take();
            return Ok(match fed {
                Some(mut fed) => {
                    // An empty line is a value of no bytes.
                    fed.line.push(b'\n');
                    Input {
                        before: (fed.records, fed.lines),
                        ..Input::new(name, Data::Read(fed.line))
                    }
                }
                None => Input::new(name, Data::Stdin(stdin()?)),
            });
        }
        if let Some(digits) = name.strip_prefix("hex:").filter(|_| is_bytes(path)) {
            let bytes = line::from_hex(digits.as_bytes());
            let bytes = bytes.map_err(|_| io::Error::other("these are not pairs of hex digits"))?;
            return Ok(Input::new(name, Data::Read(bytes)));
        }
        if let Some((outer, entry)) = package::split(place) {
            return Ok(Input::of(&name, package::read(&outer, entry)?));
        }
        let mut file = File::open(place)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::other("is a folder, not a file"));
        }
        // Pipes cannot be mapped, and some file systems refuse it.
        if metadata.is_file() && metadata.len() >= MAPPED_FROM {
            if let Ok(map) = mmap::map(&file, &name) {
                return Ok(Input::new(name, Data::Mapped(map, file)));
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Input::new(name, Data::Read(bytes)))
    }

    /// Bytes that were taken out of a file.
    pub(crate) fn of(name: &str, bytes: Vec<u8>) -> Input {
        Input::new(name.to_owned(), Data::Read(bytes))
    }

    fn new(name: String, data: Data) -> Input {
        Input {
            name,
            peeled: Peeled::default(),
            before: (0, 0),
            data,
        }
    }

    /// The file with the bytes that its text encodes.
    pub(crate) fn decoded(self, bytes: Vec<u8>) -> Input {
        Input::new(self.name, Data::Read(bytes))
    }

    /// The file without its layers, and without the header of the game's own.
    pub(crate) fn peeled(self, mut peeled: Peeled) -> Input {
        Input {
            data: peeled.unpacked.take().map_or(self.data, Data::Read),
            peeled,
            ..self
        }
    }

    /// The bytes without the layers, with the header.
    pub(crate) fn contents(&self) -> &[u8] {
        self.data.bytes()
    }

    /// The length of the file on the disk.
    pub(crate) fn file_len(&self) -> usize {
        let outer = self.peeled.layers.first();
        outer.map_or(self.contents().len(), |layer| {
            layer.header.len() + layer.len
        })
    }

    /// The game's own header, which is skipped.
    pub(crate) fn header(&self) -> &[u8] {
        &self.contents()[..self.peeled.header_len]
    }

    /// The game's own bytes after the values.
    pub(crate) fn trailer(&self) -> &[u8] {
        let contents = self.contents();
        &contents[contents.len() - self.peeled.trailer_len..]
    }

    /// The values, with offsets that count from the start of the file.
    pub(crate) fn records(&self, framing: Framing) -> Records<'_> {
        records_after(self, framing, self.peeled.header_len).after(self.before)
    }

    /// The number of a record, counted from 0. A negative `index` counts from the end, for which all records
    /// are counted. `None` if there are fewer.
    pub(crate) fn record_number(&self, framing: Framing, index: i64) -> Option<u64> {
        let from_end = || {
            let count = self.records(framing).count() as u64;
            count.checked_sub(index.unsigned_abs())
        };
        u64::try_from(index).ok().or_else(from_end)
    }

    /// The records of the file, or only number `index`, counted from 0, or from the end if it is negative.
    /// `Err` with a message if there is no such record. The check walks over all records before it.
    pub(crate) fn chosen(
        &self,
        framing: Framing,
        index: Option<i64>,
    ) -> Result<impl Iterator<Item = Record<'_>>, String> {
        let number = index.and_then(|index| self.record_number(framing, index));
        let is_there = |number| self.records(framing).any(|record| record.index == number);
        if let Some(index) = index.filter(|_| !number.is_some_and(is_there)) {
            return Err(format!("{}: there is no record {index}", self.name));
        }
        let wanted = move |record: &Record<'_>| number.is_none_or(|number| number == record.index);
        Ok(self.records(framing).filter(wanted))
    }

    /// The name, for people.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        safe_text::safe_line(&self.name)
    }

    /// Returns `true` if the file became shorter since it was mapped. The missing end of a page reads as
    /// zeros.
    pub(crate) fn was_cut(&self) -> bool {
        let Data::Mapped(map, file) = &self.data else {
            return false;
        };
        let now = file.metadata().map(|metadata| metadata.len());
        !now.is_ok_and(|now| now >= map.len() as u64)
    }

    /// The name, for offsets. They count in the contents if these were unpacked, and the name says so.
    pub(crate) fn place(&self) -> String {
        match self.peeled.layers.is_empty() {
            false => format!("{} (unpacked)", self.name),
            true => self.name.clone(),
        }
    }

    /// The name without folders.
    pub(crate) fn short_name(&self) -> String {
        PathBuf::from(&self.name).file_name().map_or_else(
            || self.shown().into_owned(),
            |name| safe_text::safe_line(&name.to_string_lossy()).into_owned(),
        )
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.peeled.values(self.contents())
    }
}

impl Data {
    fn bytes(&self) -> &[u8] {
        match self {
            Data::Mapped(map, _) => map,
            Data::Read(bytes) => bytes,
            Data::Stdin(bytes) => bytes,
        }
    }
}
