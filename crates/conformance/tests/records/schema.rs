//! The structs that `gdvar schema --style rust` prints compile, and a save goes into them and out again.

use std::fs;

use gdvar::{
    Dialect,
    frames::{PrefixOrder, frames},
};
use gdvar_conformance::vectors::testdata;

#[allow(unreachable_pub, reason = "written for a module of its own")]
mod rpg4 {
    include!("../../../../testdata/schema/rpg4.rs");
}

#[allow(unreachable_pub, reason = "written for a module of its own")]
mod names4 {
    include!("../../../../testdata/schema/names4.rs");
}

/// The keys `option`, `string`, `vec` and `self`.
#[test]
fn keys_like_names_of_types_go_into_the_structs() {
    let save = names4::Save {
        option: names4::SavedOption { m: 1 },
        string: names4::SavedString { q: "t".to_owned() },
        vec: names4::SavedVec { list: vec![1] },
        self_: names4::SavedSelf { s: 1 },
        saved_string: names4::SavedString2 { q: 2 },
        vecs: vec![names4::SavedVec2 {
            a: Some(1),
            b: None,
        }],
    };
    let written = gdvar::serde::to_vec(&save).expect("it can be written");
    let document = gdvar::Document::new(&written, Dialect::GODOT_4);
    assert_eq!(document.get_as::<i64>("self.s").ok().flatten(), Some(1));
    let again: names4::Save = gdvar::serde::from_slice(&written).expect("it fits");
    assert_eq!(again, save);
}

#[test]
fn a_save_goes_into_the_structs_and_out_again() {
    let bytes = fs::read(testdata("saves/rpg4.sav")).expect("the save");
    let frame = frames(&bytes, PrefixOrder::Little)
        .next()
        .expect("a record")
        .expect("in order");
    let save: rpg4::Save = gdvar::serde::from_slice(frame.bytes).expect("it fits");
    let document = gdvar::Document::new(frame.bytes, Dialect::GODOT_4);
    assert_eq!(
        document.get_as::<i64>("version").ok().flatten(),
        Some(save.version)
    );
    assert_eq!(save.party.len(), 4);
    // Typed arrays lose their type, so not the bytes but the values are alike.
    let written = gdvar::serde::to_vec(&save).expect("it can be written");
    let again: rpg4::Save = gdvar::serde::from_slice(&written).expect("it fits");
    assert_eq!(again, save);
    assert_eq!(
        document.get_as::<&str>("game").ok().flatten(),
        Some(save.game.as_str())
    );
}
