//! A clock for measurements.

use std::time::Duration;

/// The clock that is used.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) const MEASURES: &str = "processor time of one thread";

/// The time of this thread on a processor, from some point on: what other programs do does not
/// count.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}

/// The clock that is used.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) const MEASURES: &str = "time by the clock on the wall";

/// Since some point.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
