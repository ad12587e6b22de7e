//! [`Paused`]: no search for garbage while values are made.

use std::sync::Mutex;

use pyo3::{prelude::*, sync::MutexExt};

/// While one lives the interpreter looks for no garbage by itself: none can arise while values are made, and looking for it
/// would take a good part of the time.
///
/// Whether the collector is on is the program's own affair (`gc.disable`), and another thread may turn it on or off meanwhile. So
/// it is left alone; what changes is the number of new objects after which it runs. The last of several that live at one time
/// sets the number back, and only where nobody else has changed it.
pub(crate) struct Paused<'py> {
    py: Python<'py>,
    is_counted: bool,
}

/// How many live, and the number before the first of them.
struct State {
    count: usize,
    before: i32,
}

static STATE: Mutex<State> = Mutex::new(State {
    count: 0,
    before: 0,
});

/// A number of objects that is never reached, and that nobody else would choose.
const NEVER: i32 = i32::MAX - 0x6d76;

/// Fewer bytes hold too few values to be worth it.
const FEW: usize = 1 << 14;

impl<'py> Paused<'py> {
    /// For reading that number of bytes.
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
                // What cannot be set back was changed by somebody else.
                let _ = swap(self.py, Some(NEVER), state.before);
            }
        }
    }
}

/// Sets the number of objects, if it is as expected, and gives back what it was.
fn swap(py: Python<'_>, expected: Option<i32>, to: i32) -> PyResult<i32> {
    let gc = py.import("gc")?;
    let (now, second, third): (i32, i32, i32) = gc.call_method0("get_threshold")?.extract()?;
    // With 0 the collector never runs by itself.
    if now != 0 && expected.is_none_or(|expected| expected == now) {
        gc.call_method1("set_threshold", (to, second, third))?;
    }
    Ok(now)
}
