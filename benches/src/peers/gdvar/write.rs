//! gdvar's writer.

use std::convert::Infallible;

use gdvar_write::{Error, Target, Writer, wire::math::Vector3};

use crate::{
    encode,
    harness::{Note, Suite},
    limits,
    model::Value,
    workloads::{Entity, Tree},
};

/// The entry that writes by calls of the writer.
pub(crate) const WRITE: &str = "gdvar Writer";
/// The entry that makes the same calls in a burst: what records in a loop are to be written with.
pub(crate) const BURST: &str = "gdvar Writer, in a burst";
/// The entry that writes by slots.
pub(crate) const SLOTS: &str = "gdvar Slot";
/// The entry that writes plain data, value by value.
pub(crate) const FROM_TREE: &str = "gdvar Writer, from a tree";
/// The entry that writes one packed array of floats.
pub(crate) const PACKED: &str = "gdvar packed_f32";

const NOTE: Note = Note::new("counts, depth, order", "bytes");

type Done = Result<(), Error<Infallible>>;
type Batch = fn(&mut Vec<u8>, &[Entity]) -> Done;
type FlatBatch = fn(&mut Vec<u8>, &[(String, Entity)]) -> Done;

/// Registers the writers of W1's records.
pub(crate) fn records<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let reference = |batch: &Vec<Entity>| {
        encode::bytes(&Value::Array(batch.iter().map(Entity::value).collect()))
    };
    let size: usize = batches.iter().map(|batch| reference(batch).len()).sum();
    for (name, put) in [(WRITE, calls as Batch), (BURST, burst), (SLOTS, slots)] {
        let mut buffer = Vec::new();
        put(&mut buffer, &batches[0]).expect("the counts are right");
        assert_eq!(buffer, reference(&batches[0]), "{name}");
        suite.add(name, NOTE, size, size as u64, move || {
            let sizes = batches.iter().map(|batch| {
                buffer.clear();
                put(&mut buffer, batch).map_or(0, |()| buffer.len() as u64)
            });
            sizes.sum()
        });
    }
}

/// A record as a dictionary, by the same calls of a writer or a burst.
macro_rules! record {
    ($writer:ident, $entity:ident, $items:block) => {{
        let [x, y, z] = $entity.pos;
        $writer.begin_dict(8)?;
        $writer.string("id")?;
        $writer.int($entity.id.into())?;
        $writer.string("name")?;
        $writer.string(&$entity.name)?;
        $writer.string("hp")?;
        $writer.float($entity.hp)?;
        $writer.string("pos")?;
        $writer.vector3(Vector3 { x, y, z })?;
        $writer.string("alive")?;
        $writer.bool($entity.alive)?;
        $writer.string("level")?;
        $writer.int($entity.level.into())?;
        $writer.string("items")?;
        $items
        $writer.string("gold")?;
        $writer.int($entity.gold.into())?;
        $writer.end()?;
    }};
}

macro_rules! batch {
    ($writer:ident, $batch:ident) => {{
        $writer.begin_array($batch.len())?;
        for entity in $batch {
            record!($writer, entity, {
                $writer.begin_array(3)?;
                $writer.string(&entity.items.0)?;
                $writer.int(entity.items.1.into())?;
                $writer.int(entity.items.2.into())?;
                $writer.end()?;
            });
        }
        $writer.end()
    }};
}

macro_rules! flat_batch {
    ($writer:ident, $records:ident) => {{
        $writer.begin_dict($records.len())?;
        for (key, entity) in $records {
            $writer.string(key)?;
            record!($writer, entity, {
                $writer.begin_dict(3)?;
                $writer.string("item")?;
                $writer.string(&entity.items.0)?;
                $writer.string("count")?;
                $writer.int(entity.items.1.into())?;
                $writer.string("quality")?;
                $writer.int(entity.items.2.into())?;
                $writer.end()?;
            });
        }
        $writer.end()
    }};
}

fn calls(buffer: &mut Vec<u8>, batch: &[Entity]) -> Done {
    let mut writer = Writer::new(buffer, Target::GODOT_4);
    batch!(writer, batch)?;
    writer.finish()?;
    Ok(())
}

fn burst(buffer: &mut Vec<u8>, batch: &[Entity]) -> Done {
    let mut writer = Writer::new(buffer, Target::GODOT_4);
    writer.burst(|burst| batch!(burst, batch))?;
    writer.finish()?;
    Ok(())
}

fn slots(buffer: &mut Vec<u8>, batch: &[Entity]) -> Done {
    let mut writer = Writer::new(buffer, Target::GODOT_4);
    let mut records = writer.root().array(batch.len())?;
    for entity in batch {
        let [x, y, z] = entity.pos;
        let mut record = records.push().dict(8)?;
        record.key("id")?.int(entity.id.into())?;
        record.key("name")?.string(&entity.name)?;
        record.key("hp")?.float(entity.hp)?;
        record.key("pos")?.vector3(Vector3 { x, y, z })?;
        record.key("alive")?.bool(entity.alive)?;
        record.key("level")?.int(entity.level.into())?;
        let mut items = record.key("items")?.array(3)?;
        items.push().string(&entity.items.0)?;
        items.push().int(entity.items.1.into())?;
        items.push().int(entity.items.2.into())?;
        items.end()?;
        record.key("gold")?.int(entity.gold.into())?;
        record.end()?;
    }
    records.end()?;
    writer.finish()?;
    Ok(())
}

/// Registers the writer of W1f from structs: records without arrays under keys of their own.
pub(crate) fn flat<'a>(suite: &mut Suite<'a>, tree: &'a Tree, records: &'a [(String, Entity)]) {
    let size = tree.bytes.len();
    let note = Note::new("counts, depth, order", "bytes, from structs");
    for (name, put) in [(WRITE, flat_calls as FlatBatch), (BURST, flat_burst)] {
        let mut buffer = Vec::new();
        put(&mut buffer, records).expect("the counts are right");
        assert_eq!(buffer, tree.bytes, "{name}");
        suite.add(name, note, size, size as u64, move || {
            buffer.clear();
            put(&mut buffer, records).map_or(0, |()| buffer.len() as u64)
        });
    }
}

fn flat_calls(buffer: &mut Vec<u8>, records: &[(String, Entity)]) -> Done {
    let mut writer = Writer::new(buffer, Target::GODOT_4);
    flat_batch!(writer, records)?;
    writer.finish()?;
    Ok(())
}

fn flat_burst(buffer: &mut Vec<u8>, records: &[(String, Entity)]) -> Done {
    let mut writer = Writer::new(buffer, Target::GODOT_4);
    writer.burst(|burst| flat_batch!(burst, records))?;
    writer.finish()?;
    Ok(())
}

/// Registers the writer of a tree, value by value.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let mut buffer = Vec::new();
    let mut write = move || {
        buffer.clear();
        let mut writer = Writer::new(&mut buffer, Target::GODOT_4);
        let done = value(&mut writer, &tree.value).and_then(|()| writer.finish().map(drop));
        done.expect("the counts are right");
        (buffer.len() as u64, buffer == tree.bytes)
    };
    assert!(write().1, "gdvar writes other bytes");
    let size = tree.bytes.len();
    let note = Note::new("counts, depth, order", "bytes, from a tree");
    let mut buffer = Vec::new();
    suite.add(FROM_TREE, note, size, size as u64, move || {
        buffer.clear();
        let mut writer = Writer::new(&mut buffer, Target::GODOT_4);
        let done = value(&mut writer, &tree.value).and_then(|()| writer.finish().map(drop));
        done.map_or(0, |()| buffer.len() as u64)
    });
}

fn value(writer: &mut Writer<&mut Vec<u8>>, item: &Value) -> Done {
    match item {
        Value::Nil => writer.nil(),
        Value::Bool(value) => writer.bool(*value),
        Value::Int(value) => writer.int(*value),
        Value::Float(value) => writer.float(*value),
        Value::Text(text) => writer.string(text),
        Value::Vector3([x, y, z]) => writer.vector3(Vector3 {
            x: *x,
            y: *y,
            z: *z,
        }),
        Value::Array(items) => {
            writer.begin_array(items.len())?;
            items.iter().try_for_each(|item| value(writer, item))?;
            writer.end()
        }
        Value::Dict(pairs) => {
            writer.begin_dict(pairs.len())?;
            for pair in pairs {
                writer.string(&pair.key)?;
                value(writer, &pair.value)?;
            }
            writer.end()
        }
        Value::Bytes(bytes) => writer.packed_bytes(bytes),
        Value::Ints(items) => writer.packed_i32(items),
        Value::Floats(items) => writer.packed_f32(items),
        Value::Vectors(items) => {
            let items: Vec<_> = items.iter().map(|&[x, y, z]| Vector3 { x, y, z }).collect();
            writer.packed_vector3(&items)
        }
        Value::Texts(items) => writer.packed_strings(items),
        other => unreachable!("no tree that is written holds {other:?}"),
    }
}

/// Registers one packed array of floats and a copy of the same bytes.
pub(crate) fn packed<'a>(suite: &mut Suite<'a>, floats: &'a [f32], bytes: &'a [u8]) {
    limits::copy(suite, bytes);
    let mut buffer = Vec::new();
    let size = bytes.len();
    suite.add(PACKED, NOTE, size, size as u64, move || {
        buffer.clear();
        let mut writer = Writer::new(&mut buffer, Target::GODOT_4);
        let done = writer
            .packed_f32(floats)
            .and_then(|()| writer.finish().map(drop));
        done.map_or(0, |()| buffer.len() as u64)
    });
}
