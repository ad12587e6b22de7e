//! Shows a progress bar for work that takes longer than half a second.

use std::{
    cell::{Cell, RefCell},
    io::{IsTerminal, stderr},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::pager;

/// A progress bar on standard error. It appears if standard error is a terminal and the work takes longer than
/// [`PATIENCE`].
pub(crate) struct Progress {
    start: Instant,
    total: u64,
    what: String,
    enabled: bool,
    calls: Cell<u32>,
    of_files: bool,
    bar: RefCell<Option<ProgressBar>>,
}

const PATIENCE: Duration = Duration::from_millis(500);

impl Progress {
    /// Creates a bar for `total` bytes. It never appears if `quiet` is `true`.
    pub(crate) fn new(what: &str, total: usize, quiet: bool) -> Progress {
        Progress {
            start: Instant::now(),
            total: total as u64,
            what: what.to_owned(),
            enabled: !quiet && stderr().is_terminal(),
            calls: Cell::new(0),
            of_files: false,
            bar: RefCell::new(None),
        }
    }

    /// Creates a bar for `total` files. It never appears if `quiet` is `true`.
    pub(crate) fn of_files(total: usize, quiet: bool) -> Progress {
        let mut progress = Progress::new("files", total, quiet);
        progress.of_files = true;
        progress
    }

    /// Shows that `done` files are done.
    pub(crate) fn show_at(&self, done: usize) {
        if self.enabled {
            self.show(done as u64);
        }
    }

    /// Clears the line of the bar, so that other output can be printed.
    pub(crate) fn hide(&self) {
        if let Some(bar) = self.bar.borrow().as_ref() {
            bar.suspend(|| {});
        }
    }

    /// Shows that the work has reached the byte `position`. This is cheap enough to be called for every value.
    #[inline]
    pub(crate) fn at(&self, position: usize) {
        if !self.enabled {
            return;
        }
        // Looks at the clock only at every 1024th call, because that costs more than reading a value.
        let calls = self.calls.get().wrapping_add(1);
        self.calls.set(calls);
        if calls % 1024 == 0 {
            self.show(position as u64);
        }
    }

    #[cold]
    fn show(&self, position: u64) {
        if pager::has_begun() {
            return;
        }
        let mut bar = self.bar.borrow_mut();
        if bar.is_none() && self.start.elapsed() > PATIENCE {
            let form = if self.of_files {
                "{msg} {wide_bar} {pos}/{len}"
            } else {
                "{msg} {wide_bar} {bytes}/{total_bytes}"
            };
            let style =
                ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            let new = ProgressBar::new(self.total).with_style(style);
            new.set_message(self.what.clone());
            *bar = Some(new);
        }
        if let Some(bar) = bar.as_ref() {
            bar.set_position(position);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }
}
