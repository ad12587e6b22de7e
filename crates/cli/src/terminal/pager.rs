//! Shows output in a pager, such as `less`, so that people can read output that is longer than the screen.

use std::{
    env,
    io::{self, IsTerminal},
    process::{Child, Command as Process, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
};

use signal_hook::{consts::SIGINT, flag};

/// State: no pager will be started.
const NONE: u8 = 0;
/// State: the first result will start a pager.
const ARMED: u8 = 1;
/// State: a pager reads the output.
const BEGUN: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(NONE);
static PAGER: Mutex<Option<Child>> = Mutex::new(None);

/// Returns the pager's command: `GDVAR_PAGER`, else `PAGER`, else `less`. `None` if the command is empty or `cat`.
fn named() -> Option<String> {
    let name = env::var("GDVAR_PAGER").or_else(|_| env::var("PAGER"));
    let name = name.unwrap_or_else(|_| "less".to_owned());
    let name = name.trim();
    (!name.is_empty() && name != "cat").then(|| name.to_owned())
}

/// Lets the first result start a pager, if the results go to a terminal. Standard input must be a terminal too, because
/// lines from a pipe are shown as they come.
pub(crate) fn arm() {
    let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    if is_terminal && !is_dumb && named().is_some() {
        STATE.store(ARMED, Ordering::Relaxed);
    }
}

/// Returns `true` if a pager reads the output, including messages.
pub(crate) fn has_begun() -> bool {
    STATE.load(Ordering::Relaxed) == BEGUN
}

/// Starts the pager, if [`arm`] was called, and sends all output to it. If the pager cannot be started, the terminal
/// shows the results.
pub(crate) fn begin() {
    if STATE.load(Ordering::Relaxed) != ARMED {
        return;
    }
    STATE.store(NONE, Ordering::Relaxed);
    if let Some(child) = start() {
        *PAGER.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        STATE.store(BEGUN, Ordering::Relaxed);
    }
}

fn start() -> Option<Child> {
    let mut pager = Process::new("sh");
    pager.arg("-c").arg(named()?).stdin(Stdio::piped());
    // Options as git sets them: show colours, quit if the text fits the screen, leave the text on the screen.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            pager.env(name, value);
        }
    }
    let also_errors = io::stderr().is_terminal();
    let mut child = pager.spawn().ok()?;
    let input = child.stdin.take()?;
    if rustix::stdio::dup2_stdout(&input).is_err() {
        let _ = child.kill();
        return None;
    }
    if also_errors {
        // Messages written directly to the terminal would disturb the pager's screen.
        let _ = rustix::stdio::dup2_stderr(&input);
    }
    // Ignores Ctrl-C, because the pager handles it.
    let _ = flag::register(SIGINT, Arc::default());
    Some(child)
}

/// Closes the pager's input, and waits until the user quits the pager.
pub(crate) fn finish() {
    let child = PAGER.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(mut child) = child else { return };
    if let Ok(nothing) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&nothing);
        let _ = rustix::stdio::dup2_stderr(&nothing);
    }
    let _ = child.wait();
}
