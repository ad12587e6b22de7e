//! Two threads, and how long each of them is at work.

use std::{sync::LazyLock, time::Duration};

use cpu_time::ThreadTime;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Started when they are needed.
pub(crate) static TWO: LazyLock<Two> = LazyLock::new(Two::start);

/// A pool of two threads.
#[derive(Debug)]
pub(crate) struct Two(ThreadPool);

impl Two {
    fn start() -> Two {
        let pool = ThreadPoolBuilder::new().num_threads(2).build();
        Two(pool.expect("threads can be started"))
    }

    /// Runs on one of them, which may ask the other for help.
    pub(crate) fn run<T: Send>(&self, run: impl FnOnce() -> T + Send) -> T {
        self.0.install(run)
    }

    /// Nanoseconds of processor time of both while something runs on them.
    pub(crate) fn sum(&self, run: &mut dyn FnMut()) -> f64 {
        self.times(run).iter().map(Duration::as_nanos).sum::<u128>() as f64
    }

    /// Nanoseconds of processor time of the one that worked longer.
    pub(crate) fn longer(&self, run: &mut dyn FnMut()) -> f64 {
        let longer = self.times(run).into_iter().max();
        longer.map_or(0.0, |longer| longer.as_nanos() as f64)
    }

    fn times(&self, run: &mut dyn FnMut()) -> Vec<Duration> {
        let before = self.now();
        run();
        let times = self.now().into_iter().zip(before);
        times.map(|(now, before)| now - before).collect()
    }

    fn now(&self) -> Vec<Duration> {
        self.0.broadcast(|_| ThreadTime::now().as_duration())
    }
}
