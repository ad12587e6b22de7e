//! Values that hold other values: arrays, dictionaries, objects, and chains of them.

use gdvar::{
    Kind,
    write::{ElementType, Writer},
};
use serde_json::{Value, json};

use super::{DEEPEST, Made, Maker, Slot, limits, one};

impl Maker {
    /// Children get fewer the deeper they stand.
    fn children(&mut self, depth: usize) -> usize {
        self.random.len().min(8 / (depth + 1))
    }

    pub(super) fn array(&mut self, slot: Slot<'_>, depth: usize) -> Made<Value> {
        let len = self.children(depth);
        let mut items = Vec::new();
        if self.random.one_in(3) {
            let mut slots = slot.growing_array()?;
            for _ in 0..len {
                items.push(self.any(slots.push(), depth + 1)?);
            }
            slots.end()?;
        } else {
            let mut slots = slot.array(len)?;
            for _ in 0..len {
                items.push(self.any(slots.push(), depth + 1)?);
            }
            slots.end()?;
        }
        Ok(Value::Array(items))
    }

    pub(super) fn dict(&mut self, slot: Slot<'_>, depth: usize) -> Made<Value> {
        let len = self.children(depth);
        let mut pairs = Vec::new();
        if self.random.one_in(3) {
            let mut slots = slot.growing_dict()?;
            for _ in 0..len {
                let mut key = Value::Null;
                let entry = slots.entry().with(|slot| {
                    self.keys += 1;
                    key = self.any(slot, depth + 1)?;
                    self.keys -= 1;
                    Ok(())
                })?;
                let value = self.any(entry, depth + 1)?;
                pairs.push(json!([key, value]));
            }
            slots.end()?;
        } else {
            let mut slots = slot.dict(len)?;
            for _ in 0..len {
                let key = self.random.text();
                let value = self.any(slots.key(&key)?, depth + 1)?;
                pairs.push(json!([{ "String": key }, value]));
            }
            slots.end()?;
        }
        Ok(Value::Array(pairs))
    }

    /// A type for elements, and how it is tagged. `None` stands for objects.
    fn typing(&mut self) -> (Option<Kind>, ElementType<'static>, Value) {
        if self.random.one_in(6) {
            // Without leave for objects the engine knows no other class.
            let class = match self.objects {
                true => "Resource",
                false => "EncodedObjectAsID",
            };
            return (None, ElementType::Class(class), json!({ "class": class }));
        }
        let kind = loop {
            let kind = self.random.pick(&self.kinds);
            if kind != Kind::Nil {
                break kind;
            }
        };
        let number = self
            .target
            .dialect()
            .type_id(kind)
            .expect("the target has it");
        (
            Some(kind),
            ElementType::Builtin(kind),
            json!({ "builtin": number.0 }),
        )
    }

    fn fitting(&mut self, kind: Option<Kind>, slot: Slot<'_>, depth: usize) -> Made<Value> {
        match kind {
            Some(kind) => self.of(kind, slot, depth),
            None if self.random.one_in(3) => self.of(Kind::Nil, slot, depth),
            None if self.objects => self.resource(slot, depth),
            None => self.object(slot, depth),
        }
    }

    pub(super) fn typed_array(&mut self, slot: Slot<'_>, depth: usize) -> Made<Value> {
        let len = self.children(depth);
        let (kind, element, tag) = self.typing();
        let mut items = Vec::new();
        let mut slots = slot.typed_array(element, len)?;
        for _ in 0..len {
            items.push(self.fitting(kind, slots.push(), depth + 1)?);
        }
        slots.end()?;
        Ok(json!({ "TypedArray": { "elem": tag, "items": items } }))
    }

    pub(super) fn typed_dict(&mut self, slot: Slot<'_>, depth: usize) -> Made<Value> {
        let len = self.children(depth);
        let untyped = (None, ElementType::Untyped, Value::Null);
        let typed = self.random.below(3);
        let (key_kind, key_type, key_tag) = match typed {
            0 => untyped.clone(),
            _ => self.typing(),
        };
        let (kind, value_type, value_tag) = match typed {
            1 => untyped,
            _ => self.typing(),
        };
        let mut pairs = Vec::new();
        let mut slots = slot.typed_dict(key_type, value_type, len)?;
        for _ in 0..len {
            let mut key = Value::Null;
            let entry = slots.entry().with(|slot| {
                key = match key_type {
                    ElementType::Untyped => self.any(slot, depth + 1)?,
                    _ => self.fitting(key_kind, slot, depth + 1)?,
                };
                Ok(())
            })?;
            let value = match value_type {
                ElementType::Untyped => self.any(entry, depth + 1)?,
                _ => self.fitting(kind, entry, depth + 1)?,
            };
            pairs.push(json!([key, value]));
        }
        slots.end()?;
        let content = json!({ "key": key_tag, "value": value_tag, "entries": pairs });
        Ok(one("TypedDictionary", content))
    }

    /// An id, or a whole object exactly as the engine would write it: with all its properties.
    pub(super) fn object(&mut self, slot: Slot<'_>, depth: usize) -> Made<Value> {
        if !self.objects {
            let id = self.random.next() | 1;
            slot.object_id(id)?;
            return Ok(json!({ "ObjectId": id.to_string() }));
        }
        if self.random.one_in(2) {
            return self.resource(slot, depth);
        }
        let id = self.random.int();
        let (class, number) = match self.random.below(3) {
            0 => ("EncodedObjectAsID", Some("object_id")),
            1 => ("RandomNumberGenerator", Some("seed")),
            _ if self.target.has_typed_dicts() => ("RefCounted", None),
            _ => ("Reference", None),
        };
        let has_state = number == Some("seed") && self.target.has_typed_dicts();
        let mut props = Vec::new();
        let len = usize::from(number.is_some()) + usize::from(has_state) + 1;
        let mut slots = slot.object(class, len)?;
        for name in number.into_iter().chain(has_state.then_some("state")) {
            slots.property(name)?.int(id)?;
            props.push(json!([name, { "Int": id.to_string() }]));
        }
        slots.property("script")?.nil()?;
        props.push(json!(["script", { "Nil": null }]));
        slots.end()?;
        Ok(json!({ "Object": { "class": class, "props": props } }))
    }

    /// A resource; its metadata can be any value.
    fn resource(&mut self, slot: Slot<'_>, depth: usize) -> Made<Value> {
        let has_meta = depth < DEEPEST && self.random.one_in(2);
        let mut slots = slot.object("Resource", 3 + usize::from(has_meta))?;
        let (local, name) = (self.random.one_in(2), self.random.text());
        slots.property("resource_local_to_scene")?.bool(local)?;
        slots.property("resource_name")?.string(&name)?;
        slots.property("script")?.nil()?;
        let mut props = vec![
            json!(["resource_local_to_scene", { "Bool": local }]),
            json!(["resource_name", { "String": name }]),
            json!(["script", { "Nil": null }]),
        ];
        if has_meta && self.target.has_typed_dicts() {
            let value = self.of(
                Kind::Dictionary,
                slots.property("metadata/more")?,
                depth + 1,
            )?;
            props.push(json!(["metadata/more", value]));
        } else if has_meta {
            let mut meta = slots.property("__meta__")?.dict(1)?;
            let value = self.any(meta.key("more")?, depth + 2)?;
            meta.end()?;
            props.push(json!(["__meta__", { "Dictionary": [[{ "String": "more" }, value]] }]));
        }
        slots.end()?;
        Ok(json!({ "Object": { "class": "Resource", "props": props } }))
    }

    /// Containers of one child each, down to the deepest an engine reads, by calls of the writer
    /// instead of slots.
    pub(super) fn chain(&mut self, writer: &mut Writer<Vec<u8>>, number: usize) -> Made<Value> {
        let deepest = usize::from(limits(self.target.dialect()).max_depth);
        let depth = match number {
            0 => deepest,
            1 => 1024,
            _ => 1 + self.random.below(1024),
        };
        let mut keys = Vec::new();
        for _ in 0..depth {
            if self.random.one_in(2) {
                writer.begin_array(1)?;
                keys.push(None);
            } else {
                writer.begin_dict(1)?;
                let kind = self.leaf_kind();
                self.keys += 1;
                keys.push(Some(self.of(kind, writer.slot(), depth)?));
                self.keys -= 1;
            }
        }
        let kind = self.leaf_kind();
        let mut value = self.of(kind, writer.slot(), depth)?;
        for key in keys.into_iter().rev() {
            writer.end()?;
            value = match key {
                None => one("Array", Value::Array(vec![value])),
                Some(key) => one(
                    "Dictionary",
                    Value::Array(vec![Value::Array(vec![key, value])]),
                ),
            };
        }
        Ok(value)
    }
}
