//! The only `unsafe` of the project: mapping a file into memory, and the handlers of the signals that come
//! when it shrinks or memory runs out.

use std::{
    fs::File,
    io,
    ops::Deref,
    sync::atomic::{AtomicBool, Ordering},
};

use memmap2::Mmap;

#[cfg(unix)]
pub(crate) use handlers::install as handle_signals;

/// A file in memory.
pub(crate) struct Map(Mmap);

/// `true` if a file is mapped: the handler of signals knows one.
static MAPPED: AtomicBool = AtomicBool::new(false);

impl Drop for Map {
    fn drop(&mut self) {
        MAPPED.store(false, Ordering::SeqCst);
    }
}

/// Maps a file, so that a huge save is opened at once and only the pages looked at are read.
///
/// If another program cuts the file short, the process ends with a message and exit code 6. One file is
/// mapped at a time; a second one is refused, and can be read instead.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File, name: &str) -> io::Result<Map> {
    if MAPPED.swap(true, Ordering::SeqCst) {
        return Err(io::Error::other("another file is mapped"));
    }
    // SAFETY: `Mmap::map` asks that nobody changes or shortens the file while it is mapped. A
    // program cannot enforce that; this one maps files for reading only, never writes to a file
    // it has mapped (output goes to a new file that replaces the old name), and never relies on
    // two reads of a byte to agree: the reader checks bounds against the length at hand and
    // panics rather than reading elsewhere. Pages behind the end of a file that was cut by another
    // program give a signal, which is handled below.
    let mapped = unsafe { Mmap::map(file) };
    let map = mapped
        .map(Map)
        .inspect_err(|_| MAPPED.store(false, Ordering::SeqCst))?;
    #[cfg(unix)]
    handlers::expect(&map, name);
    // Elsewhere nobody can cut a file that is mapped.
    #[cfg(not(unix))]
    let _ = name;
    Ok(map)
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
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

    use super::Map;
    use crate::signals;

    /// The place in memory where the mapped file begins and ends.
    static START: AtomicUsize = AtomicUsize::new(0);
    static END: AtomicUsize = AtomicUsize::new(0);

    /// The handler of SIGBUS before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// Takes care of SIGBUS inside that map.
    pub(super) fn expect(map: &Map, name: &str) {
        signals::expect_shrinking(name);
        let range = map.as_ptr_range();
        START.store(range.start as usize, Ordering::SeqCst);
        END.store(range.end as usize, Ordering::SeqCst);
    }

    /// From now on a mapped file that shrinks and memory that runs out end the process with a message.
    /// The main thread calls it, once.
    pub(crate) fn install() -> io::Result<()> {
        let _ = BEFORE.set(handle(libc::SIGBUS)?);
        // Rust prints how much memory is missing and aborts.
        handle(libc::SIGABRT)?;
        Ok(())
    }

    /// Installs the handler, and returns what was there.
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

    /// A page inside the map is gone, or Rust gives up: the process ends. Any other SIGBUS is left to
    /// whoever handled it before: the instruction is tried again and traps again.
    #[allow(unsafe_code)]
    extern "C" fn on_signal(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`; for SIGBUS it has an address.
        let inside = || unsafe { (*info).si_addr() } as usize;
        let mapped = START.load(Ordering::SeqCst)..END.load(Ordering::SeqCst);
        if signal == libc::SIGABRT || mapped.contains(&inside()) {
            signals::end(signal);
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
