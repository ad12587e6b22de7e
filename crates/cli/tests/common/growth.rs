//! Measures how the time of a command grows with its input. Only ratios are compared, with a large margin, because
//! other programs disturb the times.

use std::time::Duration;

/// How many times as large the large input is.
pub(crate) const FACTOR: usize = 8;

/// The most that the time may grow. Linear is 8, quadratic is 64.
pub(crate) const MOST: f64 = 24.0;

/// A pair is measured up to this many times before it is called slow.
const TRIES: u32 = 4;

/// Returns how many times as long `time` is for the large size as for the small one: the least of all tries. There are
/// no more tries once it is at most [`MOST`].
pub(crate) fn growth([small, large]: [usize; 2], time: impl Fn(usize) -> Duration) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        let before = time(small).min(time(small));
        least = least.min(time(large).as_secs_f64() / before.as_secs_f64());
        if least <= MOST {
            break;
        }
    }
    least
}

/// Fails if one of the named ratios is larger than [`MOST`].
#[track_caller]
pub(crate) fn check(ratios: impl IntoIterator<Item = (String, f64)>) {
    let ratios = ratios
        .into_iter()
        .inspect(|(name, ratio)| println!("{name}: ×{ratio:.1}"));
    let slow: Vec<_> = ratios.filter(|(_, ratio)| *ratio > MOST).collect();
    assert!(slow.is_empty(), "{slow:?}");
}
