//! The suites of derived structs, in which all formats of serde take part.

use gdvar_view::Dialect;

use super::Visit;
use crate::{
    harness::Suite,
    peers::{
        gdvar::serde::Godot,
        rmp_serde::MessagePack,
        serde_json::Json,
        sonic_rs::Sonic,
        structs::{Format, math, packets, save},
    },
    workloads::{self, Engine, Size, Tree},
};

/// Asks every format of serde for one thing.
macro_rules! each_format {
    ($($function:ident)::+: $($argument:expr),*) => {
        $($function)::+::<Godot>($($argument),*);
        $($function)::+::<MessagePack>($($argument),*);
        $($function)::+::<Json>($($argument),*);
        $($function)::+::<Sonic>($($argument),*);
    };
}

/// The realistic save written.
pub(super) fn save_write(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::realistic(size, Engine::Four);
    let title = "the realistic save from structs, into a buffer that is used again";
    let godot = Godot::encoded(&tree);
    let message_pack = MessagePack::encoded(&tree);
    let json = Json::encoded(&tree);
    let mut suite = Suite::new("S4 write", title, tree.count);
    save::write::<Godot>(&mut suite, &godot);
    save::write::<MessagePack>(&mut suite, &message_pack);
    save::write::<Json>(&mut suite, &json);
    save::write::<Sonic>(&mut suite, &json);
    visit.suite(suite);
}

/// Structs of vectors written.
pub(super) fn math_write(visit: &mut dyn Visit) {
    let title = "structs of five vectors, each into a buffer that is used again";
    let mut suite = Suite::new("math write", title, math::VALUES);
    each_format!(math::write: &mut suite);
    visit.suite(suite);
}

/// Packets read, tagged from outside or by a field.
pub(super) fn enums(id: &'static str, is_internal: bool, visit: &mut dyn Visit) {
    let title = match is_internal {
        true => "packets as an enum that is tagged by a field, each read by itself; a packet",
        false => "packets as an enum as serde has it, each read by itself; a packet",
    };
    let mut suite = Suite::new(id, title, packets::COUNT);
    each_format!(packets::read: &mut suite, is_internal);
    visit.suite(suite);
}

/// Packets written.
pub(super) fn enums_write(id: &'static str, is_internal: bool, visit: &mut dyn Visit) {
    let title = match is_internal {
        true => "packets tagged by a field, each into a buffer that is used again; a packet",
        false => "packets, each into a buffer that is used again; a packet",
    };
    let mut suite = Suite::new(id, title, packets::COUNT);
    each_format!(packets::write: &mut suite, is_internal);
    visit.suite(suite);
}

/// The structs of a realistic save, read.
pub(super) fn saves<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let is_godot_3 = dialect == Dialect::GODOT_3;
    save::read::<Godot>(suite, tree, is_godot_3);
    save::read::<MessagePack>(suite, tree, is_godot_3);
    save::read::<Sonic>(suite, tree, is_godot_3);
}
