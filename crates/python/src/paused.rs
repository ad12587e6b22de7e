//! [`Paused`]: stops automatic garbage collection while values are made.

use std::sync::Mutex;

use pyo3::{prelude::*, sync::MutexExt};

/// While an instance lives, the interpreter does not collect garbage by itself. Making values produces no
/// garbage, and searching for it would take a considerable part of the time.
///
/// Whether the collector is enabled is the program's business (`gc.disable`), and another thread may change
/// it at any time. So this changes only the threshold: the number of new objects after which the collector
/// runs. The last of several simultaneous instances restores the threshold, unless somebody else has changed
/// it.
pub(crate) struct Paused<'py> {
    py: Python<'py>,
    is_counted: bool,
}

/// The number of instances, and the threshold before the first of them.
struct PauseState {
    count: usize,
    before: i32,
}

static STATE: Mutex<PauseState> = Mutex::new(PauseState {
    count: 0,
    before: 0,
});

/// A threshold that is never reached, and that nobody else would choose.
const NEVER: i32 = i32::MAX - 0x6d76;

/// Fewer bytes hold too few values to matter.
const FEW: usize = 1 << 14;

impl<'py> Paused<'py> {
    /// Pauses for reading `bytes` bytes.
    pub(crate) fn new(py: Python<'py>, bytes: usize) -> Paused<'py> {
        let mut paused = Paused {
            py,
            is_counted: false,
        };
        if bytes >= FEW {
            paused.is_counted = true;
            if let Ok(mut state) = STATE.lock_py_attached(py) {
                state.count += 1;
                if state.count == 1 {
                    state.before = swap(py, None, NEVER).unwrap_or(NEVER);
                }
            }
        }
        paused
    }
}

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        if !self.is_counted {
            return;
        }
        if let Ok(mut state) = STATE.lock_py_attached(self.py) {
            state.count = state.count.saturating_sub(1);
            if state.count == 0 && state.before != NEVER {
                // If it fails, somebody else has changed the threshold.
                let _ = swap(self.py, Some(NEVER), state.before);
            }
        }
    }
}

/// Sets the threshold if it is as expected. Returns the previous one.
fn swap(py: Python<'_>, expected: Option<i32>, to: i32) -> PyResult<i32> {
    let gc = py.import("gc")?;
    let (now, second, third): (i32, i32, i32) = gc.call_method0("get_threshold")?.extract()?;
    // A threshold of 0 disables automatic collection.
    if now != 0 && expected.is_none_or(|expected| expected == now) {
        gc.call_method1("set_threshold", (to, second, third))?;
    }
    Ok(now)
}
