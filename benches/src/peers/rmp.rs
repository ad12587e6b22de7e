//! rmp: MessagePack call by call.

use ::rmp::encode;

use crate::{
    harness::{Note, Suite},
    question::Answer,
    workloads::Entity,
};

/// Registers the writer of W1's records.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let mut buffer = Vec::new();
    let mut write = move || {
        let sizes = batches.iter().map(|batch| {
            buffer.clear();
            put(&mut buffer, batch).map_or(0, |()| buffer.len() as u64)
        });
        sizes.sum()
    };
    let mut one = Vec::new();
    put(&mut one, &batches[0]).expect("a vector takes all");
    let answer = ::rmp_serde::to_vec_named(&batches[0]).expect("records can be MessagePack");
    let answer = ::rmp_serde::from_slice::<Answer>(&answer).expect("it was just made");
    assert_eq!(::rmp_serde::from_slice::<Answer>(&one).ok(), Some(answer));
    let size: u64 = write();
    suite.add(
        "rmp calls",
        Note::new("", "bytes"),
        size as usize,
        size,
        write,
    );
}

fn put(to: &mut Vec<u8>, batch: &[Entity]) -> Result<(), encode::ValueWriteError> {
    encode::write_array_len(to, batch.len() as u32)?;
    for entity in batch {
        encode::write_map_len(to, 8)?;
        encode::write_str(to, "id")?;
        encode::write_sint(to, entity.id.into())?;
        encode::write_str(to, "name")?;
        encode::write_str(to, &entity.name)?;
        encode::write_str(to, "hp")?;
        encode::write_f64(to, entity.hp)?;
        encode::write_str(to, "pos")?;
        encode::write_array_len(to, 3)?;
        for component in entity.pos {
            encode::write_f32(to, component)?;
        }
        encode::write_str(to, "alive")?;
        encode::write_bool(to, entity.alive)
            .map_err(encode::ValueWriteError::InvalidMarkerWrite)?;
        encode::write_str(to, "level")?;
        encode::write_sint(to, entity.level.into())?;
        encode::write_str(to, "items")?;
        encode::write_array_len(to, 3)?;
        encode::write_str(to, &entity.items.0)?;
        encode::write_sint(to, entity.items.1.into())?;
        encode::write_sint(to, entity.items.2.into())?;
        encode::write_str(to, "gold")?;
        encode::write_sint(to, entity.gold.into())?;
    }
    Ok(())
}
