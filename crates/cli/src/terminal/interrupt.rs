//! [`Interrupt`]: Ctrl-C for commands that have something to do before they end.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Set when the command is asked to end: Ctrl-C, or a signal.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on Ctrl-C sets a flag instead of ending the process. The second one ends it. A signal that is ignored
    /// stays ignored: shells rely on it.
    ///
    /// # Errors
    /// The system cannot handle signals.
    pub(crate) fn catch() -> io::Result<Interrupt> {
        let flag = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        {
            use signal_hook::{
                consts::{SIGHUP, SIGINT, SIGTERM},
                flag::{register, register_conditional_default},
            };
            let ignored = super::signals::ignored();
            for signal in [SIGINT, SIGTERM, SIGHUP] {
                if ignored & 1 << (signal - 1) == 0 {
                    // The actions run in this order, so the first signal finds the flag unset.
                    register_conditional_default(signal, Arc::clone(&flag))?;
                    register(signal, Arc::clone(&flag))?;
                }
            }
        }
        Ok(Interrupt(flag))
    }

    /// Returns `true` once the command was asked to end.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
