use super::*;
use crate::Measure;

/// A growing container that is full, at every depth where it may have children. Filling one takes
/// two thousand million calls, so the test sets the counter: a count is an `i32` (`docs/FORMAT.md`
/// §3.5).
#[test]
fn a_full_growing_container_is_too_large() {
    for depth in [1, 2, 3] {
        for frame in [Frame::growing_array(true), Frame::growing_dict(true)] {
            let limits = Limits::ENGINE.with_max_depth(3);
            let mut writer = Writer::with_limits(Measure::new(), Target::GODOT_4, limits);
            writer.depth = depth;
            writer.set_now(Frame { left: 0, ..frame });
            let error = writer.nil().unwrap_err();
            let size = 2_147_483_648;
            assert_eq!(error.kind(), &WriteErrorKind::TooLarge { size }, "{depth}");
        }
    }
    let mut writer = Writer::with_limits(
        Measure::new(),
        Target::GODOT_4,
        Limits::ENGINE.with_max_depth(3),
    );
    writer.depth = 4;
    writer.set_now(Frame::growing_array(false));
    let error = writer.nil().unwrap_err();
    assert_eq!(error.kind(), &WriteErrorKind::DepthExceeded { limit: 3 });
}
