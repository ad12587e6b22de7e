//! [`Interrupt`]: handles Ctrl-C for commands that have something to do before they end.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A flag that is set by Ctrl-C, or by a signal that asks the command to end.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts to catch Ctrl-C: the first one sets the flag, the second one ends the process. Signals that are ignored
    /// stay ignored, because shells rely on that.
    ///
    /// # Errors
    /// Fails if the system cannot handle signals.
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

    /// Returns `true` once the command has been asked to end.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
