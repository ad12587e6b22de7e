//! The processor time of the current thread, which other programs do not advance.

use std::time::Duration;

/// The time that this thread has used of a processor.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// By the clock on the wall, where there is no other.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
