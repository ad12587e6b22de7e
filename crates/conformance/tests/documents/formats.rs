//! docs/formats: descriptions of values for Kaitai Struct and ImHex, made from the tables of gdvar-wire.
//! `UPDATE_DOCS=1` writes them. scripts/test-formats reads the engines' vectors with what their tools make of them.

mod imhex;
mod kaitai;
mod types;

use std::fs;

use gdvar::Dialect;
use gdvar_conformance::vectors::testdata;

/// What makes a description of a dialect.
type Describe = fn(Dialect) -> String;

/// The files, and what makes each.
const FILES: [(&str, Dialect, Describe); 4] = [
    ("godot_variant.ksy", Dialect::GODOT_4, kaitai::describe),
    ("godot3_variant.ksy", Dialect::GODOT_3, kaitai::describe),
    ("godot_variant.hexpat", Dialect::GODOT_4, imhex::describe),
    ("godot3_variant.hexpat", Dialect::GODOT_3, imhex::describe),
];

#[test]
fn descriptions_for_other_tools_are_what_the_tables_give() {
    for (name, dialect, describe) in FILES {
        let path = testdata("../docs/formats").join(name);
        let expected = describe(dialect);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, expected).expect("written");
        } else {
            assert_eq!(fs::read_to_string(&path).ok(), Some(expected), "{name}");
        }
    }
}
