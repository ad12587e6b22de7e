//! [`Input`]: the bytes of a file or of standard input.

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

/// Files of at least this length are mapped instead of read. Shorter files are read in a few milliseconds, and games
/// rarely save more. Once a file is read, later changes to it have no effect.
const MAPPED_FROM: u64 = 16 << 20;

/// An open file, or standard input.
pub(crate) struct Input {
    /// The name on the command line, used in messages.
    pub name: String,
    /// The layers that were taken off, and the game's own header and trailer, which are skipped. `data` is the contents
    /// of the innermost layer.
    pub peeled: Peeled,
    /// The number of records and lines before this input, if standard input arrives line by line.
    before: (u64, u64),
    data: Data,
}

enum Data {
    Mapped(mmap::Map, File),
    Read(Vec<u8>),
    Stdin(&'static [u8]),
}

/// A line that is used instead of standard input.
struct Fed {
    line: Vec<u8>,
    /// The number of records before the line.
    records: u64,
    /// The number of lines before the line.
    lines: u64,
}

static FED: Mutex<Option<Fed>> = Mutex::new(None);

/// Makes the next `-` read only `line`. `records` and `lines` are the numbers of records and lines before it.
pub(crate) fn feed(line: Vec<u8>, records: u64, lines: u64) {
    let mut fed = FED.lock().unwrap_or_else(PoisonError::into_inner);
    *fed = Some(Fed {
        line,
        records,
        lines,
    });
}

/// Returns `true` if `path` contains the bytes themselves: `hex:0200…`. Returns `false` if a file has that name.
pub(crate) fn is_bytes(path: &Path) -> bool {
    path.to_string_lossy().starts_with("hex:") && !path.exists()
}

/// Reads all of standard input on the first call. Later calls return the same bytes.
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
    /// Opens a file. `-` is standard input, and `hex:0200…` contains the bytes themselves. `game.pck!project.binary` is
    /// a file in a package, and `mod.zip!a.tres` a file in an archive.
    pub(crate) fn open(path: &Path) -> io::Result<Input> {
        Input::open_at(path, path)
    }

    /// Opens the file at `place`. Messages call it `path`.
    pub(crate) fn open_at(path: &Path, place: &Path) -> io::Result<Input> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            let fed = FED.lock().unwrap_or_else(PoisonError::into_inner).take();
            return Ok(match fed {
                Some(mut fed) => {
                    // Adds the line end, so that an empty line is a record without bytes.
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
        // Pipes cannot be mapped, and some file systems refuse to map files.
        if metadata.is_file() && metadata.len() >= MAPPED_FROM {
            if let Ok(map) = mmap::map(&file, &name) {
                return Ok(Input::new(name, Data::Mapped(map, file)));
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Input::new(name, Data::Read(bytes)))
    }

    /// Creates an input from bytes that were taken out of a file.
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

    /// Replaces the contents by `bytes`, which the contents encode as text.
    pub(crate) fn decoded(self, bytes: Vec<u8>) -> Input {
        Input::new(self.name, Data::Read(bytes))
    }

    /// Replaces the contents by those without layers, and skips the game's own header and trailer.
    pub(crate) fn peeled(self, mut peeled: Peeled) -> Input {
        Input {
            data: peeled.unpacked.take().map_or(self.data, Data::Read),
            peeled,
            ..self
        }
    }

    /// Returns the contents that are left after the layers were removed. They still include the game's own header and
    /// trailer; dereferencing the input gives the part between those.
    pub(crate) fn contents(&self) -> &[u8] {
        self.data.bytes()
    }

    /// Returns the length of the file on the disk.
    pub(crate) fn file_len(&self) -> usize {
        let outer = self.peeled.layers.first();
        outer.map_or(self.contents().len(), |layer| {
            layer.header.len() + layer.len
        })
    }

    /// Returns the game's own header, which is skipped.
    pub(crate) fn header(&self) -> &[u8] {
        &self.contents()[..self.peeled.header_len]
    }

    /// Returns the game's own bytes after the values.
    pub(crate) fn trailer(&self) -> &[u8] {
        let contents = self.contents();
        &contents[contents.len() - self.peeled.trailer_len..]
    }

    /// Returns the records. Their offsets count from the start of the contents, including the game's own header.
    pub(crate) fn records(&self, framing: Framing) -> Records<'_> {
        records_after(self, framing, self.peeled.header_len).after(self.before)
    }

    /// Returns the number of a record, counted from 0. A negative `index` counts from the end, which needs a walk over
    /// all records. `None` if there are fewer records.
    pub(crate) fn record_number(&self, framing: Framing, index: i64) -> Option<u64> {
        let from_end = || {
            let count = self.records(framing).count() as u64;
            count.checked_sub(index.unsigned_abs())
        };
        u64::try_from(index).ok().or_else(from_end)
    }

    /// Returns the records of the file, or only record number `index`. A negative `index` counts from the end. Returns
    /// a message if there is no such record. To find that out, walks over the records up to `index`.
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

    /// Returns the name, made safe for a terminal.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        safe_text::safe_line(&self.name)
    }

    /// Returns `true` if the file has become shorter since it was mapped. The bytes that are missing now may have been
    /// read as zeros.
    pub(crate) fn was_cut(&self) -> bool {
        let Data::Mapped(map, file) = &self.data else {
            return false;
        };
        let now = file.metadata().map(|metadata| metadata.len());
        !now.is_ok_and(|now| now >= map.len() as u64)
    }

    /// Returns the name for messages with offsets. If layers were removed, the name ends with `(unpacked)`, because the
    /// offsets then refer to the unpacked contents.
    pub(crate) fn place(&self) -> String {
        match self.peeled.layers.is_empty() {
            false => format!("{} (unpacked)", self.name),
            true => self.name.clone(),
        }
    }

    /// Returns the name without folders, made safe for a terminal.
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
