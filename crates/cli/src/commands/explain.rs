//! `explain`: prints how a type is laid out, or what a byte of a file means.

mod byte;
mod samples;
mod types;

use std::io;

use clap::Args;
use gdvar_view::{Kind, TypeId};

use crate::{
    app::App,
    args,
    diagnose::report::EXPLAINED,
    terminal::{exit::Exit, safe_text},
};

#[derive(Args, Debug)]
#[command(after_help = "\
A type is named as in any Godot: Vector2, Quat, PoolByteArray, int. A number is the type number that begins \
a value; what it means depends on the engine. -d limits the engines to one.

The byte of a file is counted from 0, also in hexadecimal: slot1.dat@0x30. In compressed and encrypted \
files it is a byte of what was in them.

Examples:
  gdvar explain Vector2
  gdvar explain 27
  gdvar explain slot1.dat@0x30
  gdvar explain                      all types and their numbers")]
pub(crate) struct ExplainArgs {
    /// A type, a type number, or a byte of a file
    #[arg(value_name = "TYPE|FILE@BYTE")]
    what: Option<String>,
}

pub(crate) fn run(app: &mut App, args: &ExplainArgs) -> io::Result<()> {
    let Some(what) = &args.what else {
        return types::all(app);
    };
    if let Some((file, at)) = what.rsplit_once('@') {
        return match args::size::<usize>(at) {
            Ok(at) => byte::run(app, file.as_ref(), at),
            Err(error) => app.usage(&format!("{at:?}: {error}")),
        };
    }
    if let Ok(number) = what.parse() {
        return types::number(app, TypeId(number));
    }
    if let Some(kind) = named(what) {
        return types::kind(app, kind);
    }
    app.exit.merge(Exit::Usage);
    let score =
        |kind: &Kind| strsim::jaro_winkler(&kind.name().to_lowercase(), &what.to_lowercase());
    let close = { Kind::ALL.iter() }.max_by(|a, b| score(a).total_cmp(&score(b)));
    let meant = match close.filter(|kind| score(kind) > 0.75) {
        Some(kind) => format!("; did you mean {kind}?"),
        None => String::new(),
    };
    let help = format!(
        "a type is named as in Godot, a byte of a file is slot1.dat@0x30; errors are explained in {EXPLAINED}"
    );
    let what = safe_text::safe_line(what);
    app.error(&format!("there is no type {what}{meant}\n{help}"))
}

/// Finds a type by its name in any release of the engine. Case does not matter.
fn named(name: &str) -> Option<Kind> {
    let name = name.to_lowercase();
    let old = [
        ("null", Kind::Nil),
        ("real", Kind::Float),
        ("double", Kind::Float),
        ("quat", Kind::Quaternion),
        ("transform", Kind::Transform3D),
        ("matrix32", Kind::Transform2D),
        ("matrix3", Kind::Basis),
        ("rect3", Kind::Aabb),
        ("rawarray", Kind::PackedByteArray),
        ("poolintarray", Kind::PackedInt32Array),
        ("intarray", Kind::PackedInt32Array),
        ("poolrealarray", Kind::PackedFloat32Array),
        ("realarray", Kind::PackedFloat32Array),
    ];
    let is = |kind: &Kind| {
        let own = kind.name().to_lowercase();
        own == name
            || own.replace("packed", "pool") == name
            || own.replace("pool", "packed") == name
    };
    let found = Kind::ALL.iter().copied().find(is);
    found.or_else(|| {
        old.into_iter()
            .find(|(old, _)| *old == name)
            .map(|(_, kind)| kind)
    })
}
