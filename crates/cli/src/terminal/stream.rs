//! [`Stream`]: where an app prints to: a stream of the process, or memory while several threads read files.

use std::{
    cell::RefCell,
    io::{self, Write},
    rc::Rc,
};

use anstream::AutoStream;

use crate::terminal::{pager, safe_writer::SafeWriter};

/// A destination of output, either a stream of the process or memory.
pub(crate) enum Stream {
    /// Standard output, without colours if it is not a terminal.
    Out(SafeWriter<AutoStream<io::Stdout>>),
    /// Standard output for the bytes of a file. Colour codes in them are never removed; on a terminal they are escaped.
    Raw(SafeWriter<io::Stdout>),
    /// Standard error.
    Err(SafeWriter<AutoStream<io::Stderr>>),
    /// Memory: output that is printed later.
    Held(OutputStream, Rc<RefCell<Log>>),
}

/// The stream to which kept output will be printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputStream {
    /// Standard output, without colours if it is not a terminal.
    Out,
    /// Standard output, unchanged.
    Raw,
    /// Standard error.
    Err,
}

/// Kept output, in the order in which it was written.
pub(crate) type Log = Vec<(OutputStream, Vec<u8>)>;

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Out(stream) => {
                pager::begin();
                stream.write(bytes)
            }
            Stream::Raw(stream) => {
                pager::begin();
                stream.write(bytes)
            }
            Stream::Err(stream) => stream.write(bytes),
            Stream::Held(way, log) => {
                let mut log = log.borrow_mut();
                match log.last_mut() {
                    Some((last, all)) if last == way => all.extend_from_slice(bytes),
                    _ => log.push((*way, bytes.to_vec())),
                }
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Out(stream) => stream.flush(),
            Stream::Raw(stream) => stream.flush(),
            Stream::Err(stream) => stream.flush(),
            Stream::Held(..) => Ok(()),
        }
    }
}
