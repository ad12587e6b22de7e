//! Ends the command early: after a signal from outside, if a mapped file is cut short, or if memory runs out. A thread
//! waits for these, removes unfinished results, and ends the process.
//!
//! An unfinished file already has a name, so it has to be removed. A signal handler must not lock the list of these
//! files, so it only wakes the thread. The handlers for a shrinking file (SIGBUS) and for missing memory (SIGABRT) do
//! the same.

use std::{
    io::{self, Read, Write},
    os::{fd::AsFd, unix::net::UnixStream},
    process,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use gdvar_io::replace::discard_all;
use signal_hook::{
    consts::{SIGABRT, SIGBUS, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ},
    flag, low_level,
};

use crate::terminal::exit::Exit;

/// What a signal handler needs to wake the thread.
struct Watch {
    /// The last signal.
    caught: Arc<AtomicUsize>,
    wake: UnixStream,
}

static WATCH: OnceLock<Watch> = OnceLock::new();

/// The messages for mapped files that are cut short. The index is the file's place in the table of `mmap`.
static CUT_SHORT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The place in the table of `mmap` of the file that was cut short.
static SHORT_ONE: AtomicUsize = AtomicUsize::new(0);

const NO_MEMORY: &str = "error: there is not enough memory\n";

/// Starts the thread. The main thread calls this once.
///
/// # Errors
/// Fails if the system cannot start a thread.
pub(crate) fn start() -> io::Result<()> {
    let (mut wake, woken) = UnixStream::pair()?;
    let caught = Arc::new(AtomicUsize::new(0));
    let signal = Arc::clone(&caught);
    thread::Builder::new()
        .name("signals".to_owned())
        .stack_size(64 << 10)
        .spawn(move || wait(woken, &signal))?;
    // Waits until the thread runs, because starting takes memory, and there is enough of it now.
    wake.read_exact(&mut [0])?;
    let _ = WATCH.set(Watch { caught, wake });
    Ok(())
}

/// Makes signals that end the process also remove unfinished results. Makes writing beyond the size limit for files
/// fail, instead of ending the process.
///
/// Signals that are ignored stay ignored, because `nohup` and shells rely on that.
pub(crate) fn remove_unfinished() -> io::Result<()> {
    /// `true` once the actions are registered. Each registration takes open files, and a command may write many results.
    static IS_DONE: AtomicBool = AtomicBool::new(false);
    if IS_DONE.load(Ordering::SeqCst) {
        return Ok(());
    }
    let watch = WATCH
        .get()
        .ok_or_else(|| io::Error::other("the system has no thread to spare"))?;
    let ignored = ignored();
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        if ignored & 1 << (signal - 1) == 0 {
            // The actions run in this order, so the number is stored before the thread wakes up.
            flag::register_usize(signal, Arc::clone(&watch.caught), signal as usize)?;
            low_level::pipe::register(signal, watch.wake.try_clone()?)?;
        }
    }
    if ignored & 1 << (SIGXFSZ - 1) == 0 {
        flag::register(SIGXFSZ, Arc::default())?;
    }
    IS_DONE.store(true, Ordering::SeqCst);
    Ok(())
}

/// Prepares the message that is printed if the mapped file at `place` becomes shorter.
pub(crate) fn expect_shrinking(place: usize, name: &str) {
    let name = crate::terminal::safe_text::safe(name);
    let text =
        format!("error: {name}: another program cut it short while it was read; try again\n");
    let mut all = CUT_SHORT.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() <= place {
        all.resize(place + 1, String::new());
    }
    all[place] = text;
}

/// Restores the terminal, if the command draws on the whole screen.
static TERMINAL: OnceLock<fn()> = OnceLock::new();

/// Registers a function that restores the terminal if a signal, a shrinking file or missing memory ends the process.
pub(crate) fn give_back(terminal: fn()) {
    if TERMINAL.set(terminal).is_ok() {
        // If signals cannot be handled, the terminal is not restored after one.
        let _ = remove_unfinished();
    }
}

/// Lets the thread end the process. The signal handlers call this function: for SIGBUS inside the mapped file at
/// `place`, and for SIGABRT. The function only loads, stores and makes system calls, which a handler may do.
pub(crate) fn end(signal: i32, place: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    let first = !ENDING.swap(true, Ordering::SeqCst);
    if let (true, Some(watch)) = (first, WATCH.get()) {
        SHORT_ONE.store(place, Ordering::SeqCst);
        watch.caught.store(signal as usize, Ordering::SeqCst);
        let _ = (&watch.wake).write(&[0]);
    }
    // Ends the process after a while: this may be the thread itself, or the thread may wait for a lock that is held
    // here.
    thread::sleep(Duration::from_secs(2));
    low_level::exit(Exit::Io as i32);
}

/// Waits for a signal, and ends the process. Allocates nothing, because memory may have run out.
fn wait(mut woken: UnixStream, caught: &AtomicUsize) {
    if woken.write_all(&[0]).is_err() {
        return;
    }
    while !woken.read(&mut [0]).is_ok_and(|read| read > 0) {
        thread::sleep(Duration::from_millis(10));
    }
    let signal = caught.load(Ordering::SeqCst) as i32;
    // Holds the lock to the end, so that no new file can be started.
    let _discarded = discard_all();
    if let Some(give_back) = TERMINAL.get() {
        give_back();
    }
    match signal {
        SIGBUS => {
            let all = CUT_SHORT.lock().unwrap_or_else(PoisonError::into_inner);
            let one = all.get(SHORT_ONE.load(Ordering::SeqCst));
            say(one.map_or("", String::as_str));
        }
        SIGABRT if memory_is_short() => say(NO_MEMORY),
        _ => {
            // Ends by the signal itself, so that the parent process sees it.
            let _ = low_level::emulate_default_handler(signal);
            process::exit(128 + signal);
        }
    }
    // Exits without destructors, which may allocate.
    low_level::exit(Exit::Io as i32);
}

/// Returns `true` if another 4 GiB of memory cannot be reserved. This is taken as a sign that lack of memory caused the
/// abort. Memory that could be reserved is freed without being used.
fn memory_is_short() -> bool {
    Vec::<u8>::new().try_reserve_exact(1 << 32).is_err()
}

/// Prints to standard error, but not with `io::stderr`, which the interrupted thread may have locked.
fn say(text: &str) {
    send(io::stderr(), text.as_bytes());
}

/// Writes bytes directly, without buffers and locks.
pub(crate) fn send(to: impl AsFd, bytes: &[u8]) {
    if let Ok(to) = to.as_fd().try_clone_to_owned() {
        let _ = std::fs::File::from(to).write_all(bytes);
    }
}

/// Returns the ignored signals, one bit each. 0 if the system does not show them.
pub(super) fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0)
}
