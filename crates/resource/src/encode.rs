//! Encodes a resource as the bytes of one value.

use std::convert::Infallible;

use gdvar_io::Limits;
use gdvar_wire::{
    Dialect, Element, F32, F64, I32, I64, Kind,
    math::{Color, Vector2, Vector3, Vector4},
};
use gdvar_write::Writer;
use zerocopy::FromBytes;

use crate::{
    Body, Error, ErrorKind, Event, Numbers, Resource, Value, parts::ID, plan::Plan, reader::Result,
    uid_text,
};

type Written = std::result::Result<(), gdvar_write::Error<Infallible>>;

impl Resource<'_> {
    /// Returns the dialect of the values: Godot 3 for formats 1 to 3, Godot 4 for newer ones.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.header().dialect()
    }

    /// Returns the resource as the bytes of one value in its [`dialect`](Resource::dialect). Resources become
    /// inert objects: no program creates instances of them.
    ///
    /// | in the file | in the value |
    /// |---|---|
    /// | the main resource | an Object of its class, with its properties |
    /// | a resource in the file, at its first mention | an Object of its class; its first property, `SubResource`, is its id |
    /// | the same, at any other mention | an Object of class `SubResource` with the property `id` |
    /// | a resource that nothing mentions | a property `SubResource("id")` of the main resource |
    /// | a resource in another file that nothing mentions | a property `ExtResource("1")` of the main resource, by its number in the table: engines load it |
    /// | a mention of a resource in another file | an Object of class `ExtResource` with the properties `type`, `path` and, if it has one, `uid` |
    ///
    /// Each resource is written once, so the length of the value is linear in the length of the
    /// file, even if resources are shared. Only names and paths are repeated, and `limits` bounds
    /// their size. A resource that would be nested deeper than 256 levels also becomes a property
    /// of the main resource.
    ///
    /// # Errors
    ///
    /// Returns `TooLong` if the value exceeds the limit, and `NotInEngine` for a value that the
    /// engine of this format does not have.
    pub fn encode(&self, limits: Limits) -> Result<Vec<u8>> {
        let mut encoder = Encoder {
            resource: self,
            plan: Plan::new(self.mentions()),
            is_written: vec![false; self.internals().len()],
            writer: Writer::new(Vec::new(), self.dialect()),
            limit: limits.max_len,
        };
        encoder.all()?;
        let offset = self.contents().len();
        let finished = encoder.writer.finish();
        finished.map_err(|_| Error::new(offset, ErrorKind::NotInEngine))
    }
}

struct Encoder<'r> {
    resource: &'r Resource<'r>,
    plan: Plan,
    is_written: Vec<bool>,
    writer: Writer<Vec<u8>>,
    limit: u32,
}

impl<'r> Encoder<'r> {
    fn all(&mut self) -> Result<()> {
        let roots = std::mem::take(&mut self.plan.roots);
        let main = self.is_written.len() - 1;
        let resource = self.resource;
        let alone = (0..resource.externals().len())
            .filter(|&index| !resource.mentions().has_external(index));
        let body = self.begin(main, roots.len() + alone.clone().count())?;
        self.bodies(body)?;
        for root in roots {
            let internal = self.resource.internal(root);
            let name = format!("SubResource(\"{}\")", internal.id);
            let at = internal.offset;
            let written = self.writer.property(&name);
            self.check(written, at)?;
            let body = self.begin_internal(root)?;
            self.bodies(body)?;
            let end = self.writer.end();
            self.check(end, at)?;
        }
        let at = self.resource.internal(main).offset;
        for index in alone {
            let name = format!("ExtResource(\"{}\")", index + 1);
            let written = self.writer.property(&name);
            self.check(written, at)?;
            let written = self.value(Value::External(index));
            self.check(written, at)?;
        }
        let end = self.writer.end();
        self.check(end, at)
    }

    /// Begins the object of a resource. `more` is the number of properties in addition to those of the resource.
    fn begin(&mut self, index: usize, more: usize) -> Result<Body<'r>> {
        self.is_written[index] = true;
        let internal = self.resource.internal(index);
        let count = internal.properties as usize + more;
        let written = self.writer.begin_object(internal.class, count);
        self.check(written, internal.offset)?;
        Ok(self.resource.body(index))
    }

    /// Begins the object of a resource inside the file, and writes its id.
    fn begin_internal(&mut self, index: usize) -> Result<Body<'r>> {
        let body = self.begin(index, 1)?;
        let internal = self.resource.internal(index);
        let written = self.writer.property(ID);
        let written = written.and_then(|()| self.writer.string(internal.id));
        self.check(written, internal.offset)?;
        Ok(body)
    }

    /// Writes the properties of a resource, and the resources nested in it.
    fn bodies(&mut self, first: Body<'r>) -> Result<()> {
        let mut open = vec![first];
        while let Some(body) = open.last_mut() {
            let at = body.position();
            let written = match body.try_next()? {
                Some(Event::Property(name)) => self.writer.property_bytes(name),
                Some(Event::BeginArray(count)) => self.writer.begin_array(count),
                Some(Event::BeginDictionary(count)) => self.writer.begin_dict(count),
                Some(Event::End) => self.writer.end(),
                Some(Event::Value(Value::Internal(index)))
                    if self.plan.is_nested(index) && !self.is_written[index] =>
                {
                    let body = self.begin_internal(index)?;
                    open.push(body);
                    continue;
                }
                Some(Event::Value(value)) => {
                    self.can_hold(&value, at)?;
                    self.value(value)
                }
                None => {
                    open.pop();
                    if open.is_empty() {
                        return Ok(());
                    }
                    self.writer.end()
                }
            };
            self.check(written, at)?;
        }
        Ok(())
    }

    /// Refuses a node path if its names together would exceed the limit. In the file each name takes four bytes,
    /// but here its whole length.
    fn can_hold(&self, value: &Value<'r>, at: usize) -> Result<()> {
        let Value::NodePath {
            names, subnames, ..
        } = value
        else {
            return Ok(());
        };
        let all = names.clone().chain(subnames.clone());
        let len: u64 = all.map(|name| name.len() as u64).sum();
        self.fits(self.writer.position() + len, at)
    }

    fn fits(&self, len: u64, at: usize) -> Result<()> {
        let limit = self.limit;
        match len > limit.into() {
            true => Err(Error::new(at, ErrorKind::TooLong { limit })),
            false => Ok(()),
        }
    }

    fn check(&self, written: Written, at: usize) -> Result<()> {
        written.map_err(|_| Error::new(at, ErrorKind::NotInEngine))?;
        self.fits(self.writer.position(), at)
    }

    fn value(&mut self, value: Value<'r>) -> Written {
        let writer = &mut self.writer;
        match value {
            Value::Nil => writer.nil(),
            Value::Bool(value) => writer.bool(value),
            Value::Int(value) => writer.int(value),
            Value::Float32(value) => writer.float_f32(value),
            Value::Float64(value) => writer.float_f64(value),
            Value::String(text) => writer.string(text),
            Value::StringName(text) => writer.string_name(text),
            Value::Math(kind, numbers) => {
                let is_wide = numbers.are_wide();
                writer.math_le(kind, is_wide, &numbers.little_endian())
            }
            Value::Packed(kind, numbers) => packed(writer, kind, numbers),
            Value::Bytes(bytes) => writer.packed_bytes(bytes),
            Value::Strings(texts) => writer.packed_strings_bytes(texts),
            Value::NodePath {
                is_absolute,
                names,
                subnames,
            } => writer.node_path_from(names, subnames, is_absolute),
            // Engines read the number, but it means nothing. Godot 3 has no number in the value.
            Value::Rid(id) => match writer.dialect().rid_has_id() {
                true => writer.rid(id.into()),
                false => writer.rid(0),
            },
            Value::Callable => writer.callable(),
            Value::Signal => writer.signal("", 0),
            Value::Internal(index) => {
                writer.begin_object("SubResource", 1)?;
                writer.property("id")?;
                writer.string(self.resource.internal(index).id)?;
                writer.end()
            }
            Value::External(index) => {
                let external = self.resource.external(index);
                let uid = external.uid.and_then(uid_text);
                reference(writer, external.class, external.path, uid.as_deref())
            }
            Value::ExternalInPlace { class, path } => reference(writer, class, path, None),
        }
    }
}

/// Writes the object that refers to a resource in another file.
fn reference(writer: &mut Writer<Vec<u8>>, class: &str, path: &str, uid: Option<&str>) -> Written {
    let properties = [("type", Some(class)), ("path", Some(path)), ("uid", uid)];
    let properties = properties.iter();
    let properties = properties.filter_map(|&(name, text)| Some((name, text?)));
    writer.begin_object("ExtResource", properties.clone().count())?;
    for (name, text) in properties {
        writer.property(name)?;
        writer.string(text)?;
    }
    writer.end()
}

fn packed(writer: &mut Writer<Vec<u8>>, kind: Kind, numbers: Numbers<'_>) -> Written {
    let is_wide = numbers.are_wide();
    let bytes = &*numbers.little_endian();
    match (kind, is_wide) {
        (Kind::PackedInt32Array, _) => elements::<I32>(writer, kind, bytes),
        (Kind::PackedInt64Array, _) => elements::<I64>(writer, kind, bytes),
        (Kind::PackedFloat32Array, _) => elements::<F32>(writer, kind, bytes),
        (Kind::PackedFloat64Array, _) => elements::<F64>(writer, kind, bytes),
        (Kind::PackedColorArray, _) => elements::<Color<F32>>(writer, kind, bytes),
        (Kind::PackedVector2Array, false) => elements::<Vector2<F32>>(writer, kind, bytes),
        (Kind::PackedVector2Array, true) => elements::<Vector2<F64>>(writer, kind, bytes),
        (Kind::PackedVector3Array, false) => elements::<Vector3<F32>>(writer, kind, bytes),
        (Kind::PackedVector3Array, true) => elements::<Vector3<F64>>(writer, kind, bytes),
        (_, false) => elements::<Vector4<F32>>(writer, kind, bytes),
        (_, true) => elements::<Vector4<F64>>(writer, kind, bytes),
    }
}

/// Writes the elements of a packed array. The size of `bytes` must be a multiple of an element's size.
fn elements<T: Element>(writer: &mut Writer<Vec<u8>>, kind: Kind, bytes: &[u8]) -> Written {
    let elements = <[T]>::ref_from_bytes(bytes).unwrap_or_default();
    writer.packed_le(kind, elements)
}
