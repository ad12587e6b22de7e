//! The only `unsafe` code of the command: mapping a file into memory, and the handlers of the signals that come when it
//! shrinks or memory runs out.

use std::{
    fs::File,
    io,
    ops::Deref,
    sync::atomic::{AtomicBool, Ordering},
};

use memmap2::Mmap;

#[cfg(unix)]
pub(crate) use handlers::install as handle_signals;

/// A mapped file.
pub(crate) struct Map {
    bytes: Mmap,
    place: usize,
}

/// The largest number of files that can be mapped at a time. The signal handler has a table of this size.
const MOST: usize = 4;

/// Marks the places in the table that are in use.
static TAKEN: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

impl Drop for Map {
    fn drop(&mut self) {
        #[cfg(unix)]
        handlers::forget(self.place);
        TAKEN[self.place].store(false, Ordering::SeqCst);
    }
}

/// Maps a file, so that a huge save opens at once and only the pages in use are read.
///
/// If another program cuts the file short, the process ends with a message and exit code 6. Up to four files can be
/// mapped at a time, which a merge needs. A fifth one is refused; the caller can read it instead.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File, name: &str) -> io::Result<Map> {
    let free = (0..MOST).find(|&place| !TAKEN[place].swap(true, Ordering::SeqCst));
    let place = free.ok_or_else(|| io::Error::other("enough files are mapped"))?;
    // SAFETY: `Mmap::map` asks that nobody changes or shortens the file while it is mapped. A
    // program cannot enforce that; this one maps files for reading only, never writes to a file
    // it has mapped (output goes to a new file that replaces the old name), and never relies on
    // two reads of a byte to agree: the reader checks bounds against the length at hand and
    // panics rather than reading elsewhere. Pages after the end of a file that was cut by another
    // program give a signal, which is handled below.
    let mapped = unsafe { Mmap::map(file) };
    let bytes = mapped.inspect_err(|_| TAKEN[place].store(false, Ordering::SeqCst))?;
    let map = Map { bytes, place };
    #[cfg(unix)]
    handlers::expect(&map, name);
    // Other systems do not allow cutting a mapped file.
    #[cfg(not(unix))]
    let _ = name;
    Ok(map)
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(unix)]
mod handlers {
    use std::{
        io, mem, ptr,
        sync::{
            OnceLock,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use super::{MOST, Map};
    use crate::terminal::signals;

    /// The address range of a mapped file. Both are 0 if the place is free.
    struct Range {
        start: AtomicUsize,
        end: AtomicUsize,
    }

    static RANGES: [Range; MOST] = [const {
        Range {
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
        }
    }; MOST];

    /// The earlier handler of SIGBUS.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// Registers `map`: from now on, a SIGBUS at an address inside the map ends the process with a message about
    /// `name`.
    pub(super) fn expect(map: &Map, name: &str) {
        signals::expect_shrinking(map.place, name);
        let range = map.as_ptr_range();
        RANGES[map.place]
            .start
            .store(range.start as usize, Ordering::SeqCst);
        RANGES[map.place]
            .end
            .store(range.end as usize, Ordering::SeqCst);
    }

    /// Frees `place`, because its file is no longer mapped.
    pub(super) fn forget(place: usize) {
        RANGES[place].end.store(0, Ordering::SeqCst);
        RANGES[place].start.store(0, Ordering::SeqCst);
    }

    /// Returns the place of the mapped file that contains `address`.
    fn place_of(address: usize) -> Option<usize> {
        RANGES.iter().position(|range| {
            let start = range.start.load(Ordering::SeqCst);
            (start..range.end.load(Ordering::SeqCst)).contains(&address)
        })
    }

    /// Installs the handlers. From then on the process ends with a message if a mapped file shrinks or memory runs out.
    /// The main thread calls this once.
    pub(crate) fn install() -> io::Result<()> {
        let _ = BEFORE.set(handle(libc::SIGBUS)?);
        // If memory runs out, Rust prints how much is missing, and aborts.
        handle(libc::SIGABRT)?;
        Ok(())
    }

    /// Installs the handler for a signal, and returns the earlier one.
    #[allow(unsafe_code)]
    fn handle(signal: libc::c_int) -> io::Result<libc::sigaction> {
        // SAFETY: a `sigaction` of zeros is valid: no flags, an empty mask, and the default action. The
        // handler has the signature that SA_SIGINFO asks for and keeps to what a handler may do (see
        // there); both pointers are to values that live through the call.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                on_signal;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let mut before: libc::sigaction = mem::zeroed();
            match libc::sigaction(signal, &action, &mut before) {
                0 => Ok(before),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }

    /// Ends the process if a page inside a map is gone (SIGBUS), or if Rust aborts (SIGABRT). For any other SIGBUS,
    /// restores the earlier handler and returns; the instruction runs again and raises the signal again.
    #[allow(unsafe_code)]
    extern "C" fn on_signal(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`; for SIGBUS it has an address.
        let inside = || unsafe { (*info).si_addr() } as usize;
        if signal == libc::SIGABRT {
            signals::end(signal, 0);
        }
        if let Some(place) = place_of(inside()) {
            signals::end(signal, place);
        }
        // SAFETY: a `sigaction` of zeros is the default action. `sigaction` may be called in a handler; the
        // pointer is to that or to what the kernel filled in.
        unsafe {
            let default = mem::zeroed();
            let before = BEFORE.get().unwrap_or(&default);
            libc::sigaction(libc::SIGBUS, before, ptr::null_mut());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_files_are_mapped_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("some");
        std::fs::write(&path, b"bytes").expect("space");
        let open = || map(&File::open(&path).expect("it is there"), "some");
        let mut all: Vec<_> = (0..MOST).map(|_| open().expect("a place")).collect();
        assert!(open().is_err());
        assert!(all.iter().all(|map| &map[..] == b"bytes"));
        all.pop();
        assert!(open().is_ok());
    }
}
