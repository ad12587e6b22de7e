//! Sums a number over a huge save without copying any of it: one walk validates and indexes it, and
//! reading cannot fail after that.
//!
//! `cargo run --release --example total_xp -- testdata/saves/rpg4.sav`

use gdvar::{
    Dialect, Document, Objects,
    frames::{PrefixOrder, frames},
    index::Index,
};

/// Returns the experience points of all party members of an RPG save.
fn total_xp(save: &[u8]) -> Result<i64, gdvar::Error> {
    let document = Document::new(save, Dialect::GODOT_4).with_objects(Objects::Inert);
    let index = Index::build(document)?;
    let Some(party) = index
        .open(document)?
        .as_dict()
        .and_then(|save| save.get("party")?.as_array())
    else {
        return Ok(0);
    };
    Ok(party
        .iter()
        .filter_map(|member| member.as_dict()?.get("xp")?.as_i64())
        .sum())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: total_xp FILE")?;
    let file = std::fs::read(path)?;
    for record in frames(&file, PrefixOrder::Little) {
        println!("{}", total_xp(record?.bytes)?);
    }
    Ok(())
}
