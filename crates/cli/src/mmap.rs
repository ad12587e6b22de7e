//! The only `unsafe` of the project: mapping a file into memory.

use std::{fs::File, io};

use memmap2::Mmap;

/// Maps a file, so that a huge save is opened at once and only the pages looked at are read.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: `Mmap::map` asks that nobody changes or shortens the file while it is mapped. A
    // program cannot enforce that; this one maps files for reading only, never writes to a file
    // it has mapped (output goes to a new file that replaces the old name), and never relies on
    // two reads of a byte to agree: the reader checks bounds against the length at hand and
    // panics rather than reading elsewhere. A file cut by another program while it is looked at
    // ends this one by a signal, as with any tool that maps files.
    unsafe { Mmap::map(file) }
}
