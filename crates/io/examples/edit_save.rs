//! A save editor: replaces one number in a save. The bytes around it are copied, and the old file
//! stays in place until the new one is complete.
//!
//! `cargo run --release -p gdvar-io --example edit_save -- slot1.sav party[0].xp 9000`

use std::{env, error::Error, path::Path};

use gdvar_io::{records::RecordWriter, replace::Replacement};
use gdvar_view::{Dialect, Document, Objects, PrefixOrder, frames};
use gdvar_write::{Target, Writer};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, path, number] = &arguments[..] else {
        return Err("usage: edit_save FILE PATH NUMBER".into());
    };
    let (save, number) = (std::fs::read(file)?, number.parse()?);
    let new = Replacement::new(Path::new(file))?;
    let mut new = RecordWriter::new(new, Target::GODOT_4, PrefixOrder::Little);
    let mut edited = 0;
    for record in frames(&save, PrefixOrder::Little) {
        let record = record?.bytes;
        let document = Document::new(record, Dialect::GODOT_4).with_objects(Objects::Inert);
        let mut bytes = record.to_vec();
        if let Some(old) = document.get(path)? {
            let mut value = Writer::new(Vec::new(), Target::GODOT_4);
            value.int(number)?;
            bytes.splice(old.offset()..old.end()?, value.finish()?);
            edited += 1;
        }
        new.write_bytes(&bytes)?;
    }
    new.into_inner().finish()?;
    println!("{edited} values edited");
    Ok(())
}
