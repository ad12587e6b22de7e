//! Threads for long files, if the system can start some.

use std::sync::OnceLock;

/// Returns `true` if several threads can work. The first call starts them;
/// a system that is short of memory may refuse.
pub(crate) fn are_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| rayon::ThreadPoolBuilder::new().build_global().is_ok())
}
