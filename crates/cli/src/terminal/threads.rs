//! Starts threads for long files, if the system allows it.

use std::sync::OnceLock;

/// Returns `true` if work can be spread over threads. The first call starts them. A system that is short of memory may
/// refuse.
pub(crate) fn are_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| rayon::ThreadPoolBuilder::new().build_global().is_ok())
}
