//! A record is patched once, whatever names it.

mod common;

use common::{file, path, stderr};

#[test]
fn a_record_that_is_named_in_two_ways_is_refused() {
    // Four records of store_var: 0, 1, 2, 3.
    let records = (0..4).flat_map(|int| [8, 2, int].map(i32::to_le_bytes));
    let (folder, save) = file(&records.flatten().collect::<Vec<u8>>());
    let changes = folder.path().join("changes.txt");
    let text = "gdvar-patch 2 godot4\nset $ 3 -> 9\ngdvar-patch 2 godot4 record 3\nset $ 3 -> 8\n";
    std::fs::write(&changes, text).expect("space");
    let args = ["patch", path(&save), path(&changes), "--record", "-1", "-n"];
    let errors = stderr(&args, b"", 1);
    assert!(errors.contains("the patch has record 3 twice"), "{errors}");
}
