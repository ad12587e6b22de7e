//! [`Paused`]: pauses automatic garbage collection while values are created.

use std::sync::Mutex;

use pyo3::{prelude::*, sync::MutexExt};

/// While an instance lives, the interpreter does not collect garbage automatically. Creating values produces
/// no garbage, and searching for it would take a considerable part of the time.
///
/// The program decides whether the collector is enabled (`gc.disable`), and another thread may change that at
/// any time. So an instance changes only the threshold: the number of new objects after which the collector
/// runs. If there are several instances at once, the last one restores the threshold, unless other code has
/// changed it.
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

/// A threshold that is never reached, and that no other code would choose.
const NEVER: i32 = i32::MAX - 0x6d76;

/// Below this number of bytes there are too few values for a pause to pay off.
const FEW: usize = 1 << 14;

impl<'py> Paused<'py> {
    /// Pauses collection, unless `bytes`, the size of the input, is small.
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
                // Fails if other code has changed the threshold, which then stays.
                let _ = swap(self.py, Some(NEVER), state.before);
            }
        }
    }
}

/// Sets the threshold if it has the value `expected`, or any value except 0 if `expected` is `None`. Returns
/// the previous threshold.
fn swap(py: Python<'_>, expected: Option<i32>, to: i32) -> PyResult<i32> {
    let gc = py.import("gc")?;
    let (now, second, third): (i32, i32, i32) = gc.call_method0("get_threshold")?.extract()?;
    // A threshold of 0 disables automatic collection.
    if now != 0 && expected.is_none_or(|expected| expected == now) {
        gc.call_method1("set_threshold", (to, second, third))?;
    }
    Ok(now)
}
