//! Values that never were bytes before, made from a fixed seed through the writer's slots, and
//! described by the maker itself: the reader has no say in what is expected.

mod nested;

use std::convert::Infallible;

use gdvar::{
    Kind,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
    walk::repeated_keys,
    write::wire::narrow,
    write::{Error, NodePathParts, Precision, Slot as AnySlot, Target},
};
use serde_json::{Value, json};

use super::{
    Asked, Blob, limits, narrowed, open,
    random::{Random, wide_bytes},
    writer,
};
use gdvar_conformance::{
    tagged::{self, Precision as Shown},
    vectors::hex,
};

type Slot<'a> = AnySlot<'a, Vec<u8>>;
type Made<T> = Result<T, Error<Infallible>>;

/// Values of every kind, and mixed ones.
const MIXED: usize = 2500;
/// Values whose reals are partly in 64 bits. Godot 4 only.
const WIDE: usize = 800;
/// Values with whole objects.
const OBJECTS: usize = 500;
/// Values in long chains of containers.
const CHAINS: usize = 24;
/// The deepest a mixed value may stand.
const DEEPEST: usize = 7;

/// The generated values for an engine.
///
/// # Panics
/// If the writer refuses one, or the reader sees another value in it.
#[must_use]
pub fn blobs(asked: Asked) -> Vec<Blob> {
    let mut out = Vec::new();
    let mut add = |group: &str, count: usize, precision: Precision, objects: bool| {
        for number in 0..count {
            let target = asked.target.with_precision(precision);
            out.push(blob(group, number, target, objects));
        }
    };
    add("mixed", MIXED, Precision::Single, false);
    add("objects", OBJECTS, Precision::Single, true);
    add("chain", CHAINS, Precision::Single, false);
    if asked.target.dialect().has_wide_math() {
        add("wide", WIDE, Precision::AsGiven, false);
    }
    out
}

/// The first value of a seed that has no key twice: of those a reader keeps one, and another
/// count.
fn blob(group: &str, number: usize, target: Target, objects: bool) -> Blob {
    let dialect = target.dialect();
    for attempt in 0.. {
        let seed = group
            .bytes()
            .fold(number as u64 * 1000 + attempt, |seed, byte| {
                seed.wrapping_mul(31).wrapping_add(u64::from(byte))
            });
        let mut maker = Maker {
            random: Random(seed),
            target,
            objects,
            kinds: kinds(target),
            keys: 0,
        };
        let id = format!("{group}/{number} of the seed");
        let mut writer = writer(target);
        let value = match group {
            "chain" => maker.chain(&mut writer, number),
            _ => maker.root(writer.root(), number),
        };
        let value = value.unwrap_or_else(|error| panic!("{id}: {error}"));
        let bytes = writer
            .finish()
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        let document = open(&bytes, dialect);
        let root = document
            .root()
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        if !repeated_keys(root).is_ok_and(|repeats| repeats.is_empty()) {
            continue;
        }
        assert_eq!(
            tagged::events(document, Shown::Single).as_ref(),
            Ok(&value),
            "{id}"
        );
        let again = narrowed(&bytes, target).unwrap_or_else(|error| panic!("{id}: {error}"));
        return Blob {
            id,
            full_objects: objects,
            value: value.to_string(),
            again,
            bytes,
        };
    }
    unreachable!("some value has no key twice")
}

/// The kinds that the target has, but for objects, which are made by their own rules.
fn kinds(target: Target) -> Vec<Kind> {
    let all = Kind::ALL.iter().copied();
    all.filter(|&kind| kind != Kind::Object && target.can_write(kind))
        .collect()
}

struct Maker {
    random: Random,
    target: Target,
    /// Objects are whole; else they are ids.
    objects: bool,
    kinds: Vec<Kind>,
    /// The number of keys that are being written around this place.
    keys: usize,
}

fn one(tag: &str, content: Value) -> Value {
    Value::Object([(tag.to_owned(), content)].into_iter().collect())
}

fn bits(value: f32) -> Value {
    json!(format!("{:08x}", value.to_bits()))
}

fn flat(values: &[f32]) -> Value {
    values.iter().copied().map(bits).collect()
}

/// Components in stream order as the scripts of the engines show them.
fn shaped(kind: Kind, c: &[f32]) -> Value {
    let column = |n: usize| flat(&[c[n], c[n + 3], c[n + 6]]);
    let basis = || json!({ "x": column(0), "y": column(1), "z": column(2) });
    match kind {
        Kind::Transform2D => {
            json!({ "x": flat(&c[..2]), "y": flat(&c[2..4]), "origin": flat(&c[4..]) })
        }
        Kind::Basis => basis(),
        Kind::Transform3D => json!({ "basis": basis(), "origin": flat(&c[9..]) }),
        Kind::Projection => json!({
            "x": flat(&c[..4]), "y": flat(&c[4..8]), "z": flat(&c[8..12]), "w": flat(&c[12..]),
        }),
        _ => flat(c),
    }
}

impl Maker {
    /// In mixed groups each kind in turn is the outermost.
    fn root(&mut self, slot: Slot<'_>, number: usize) -> Made<Value> {
        if self.objects {
            return match number % 3 {
                0 => self.object(slot, 1),
                1 => self.of(Kind::Array, slot, 0),
                _ => self.of(Kind::Dictionary, slot, 0),
            };
        }
        let turn = number % (self.kinds.len() + 6);
        match self.kinds.get(turn) {
            Some(&kind) => self.of(kind, slot, 0),
            None if turn % 2 == 0 => self.of(Kind::Array, slot, 0),
            None => self.of(Kind::Dictionary, slot, 0),
        }
    }

    fn any(&mut self, slot: Slot<'_>, depth: usize) -> Made<Value> {
        match self.random.below(16) {
            0..3 if depth < DEEPEST => self.of(Kind::Array, slot, depth),
            3..5 if depth < DEEPEST => self.of(Kind::Dictionary, slot, depth),
            5 if depth < DEEPEST => self.object(slot, depth),
            _ => {
                let kind = self.leaf_kind();
                self.of(kind, slot, depth)
            }
        }
    }

    fn leaf_kind(&mut self) -> Kind {
        loop {
            let kind = self.random.pick(&self.kinds);
            if !kind.is_container() {
                return kind;
            }
        }
    }

    fn of(&mut self, kind: Kind, slot: Slot<'_>, depth: usize) -> Made<Value> {
        let content = match kind {
            Kind::Nil => slot.nil().map(|()| Value::Null)?,
            Kind::Callable => slot.callable().map(|()| Value::Null)?,
            Kind::Bool => {
                let value = self.random.one_in(2);
                slot.bool(value)?;
                json!(value)
            }
            Kind::Int => {
                let value = self.random.int();
                slot.int(value)?;
                json!(value.to_string())
            }
            Kind::Float => {
                let value = self.random.double();
                slot.float(value)?;
                json!({ "bits": format!("{:016x}", value.to_bits()) })
            }
            Kind::String => self.string(slot)?,
            Kind::StringName => {
                let name = self.random.text();
                slot.string_name(&name)?;
                json!(name)
            }
            Kind::NodePath => self.node_path(slot)?,
            Kind::Rid => {
                let id = match self.target.dialect().has_typed_containers() {
                    true => self.random.int() as u64,
                    // Godot 3 writes no number.
                    false => 0,
                };
                slot.rid(id)?;
                json!(id.to_string())
            }
            Kind::Signal => {
                let (name, id) = (self.random.text(), self.random.int() as u64);
                slot.signal(&name, id)?;
                json!({ "name": name, "object_id": id.to_string() })
            }
            Kind::Array if self.types_this_one() => return self.typed_array(slot, depth),
            Kind::Dictionary if self.types_this_one() => return self.typed_dict(slot, depth),
            Kind::Array => self.array(slot, depth)?,
            Kind::Dictionary => self.dict(slot, depth)?,
            kind if kind.is_packed() => self.packed(kind, slot)?,
            kind => self.math(kind, slot)?,
        };
        Ok(one(kind.name(), content))
    }

    fn types_this_one(&mut self) -> bool {
        self.target.has_typed_dicts() && self.random.one_in(3)
    }

    fn string(&mut self, slot: Slot<'_>) -> Made<Value> {
        let is_wide = !self.target.dialect().has_typed_containers() && self.random.one_in(6);
        if is_wide {
            let codes = self.random.wide_codes();
            slot.string_bytes(&wide_bytes(&codes))?;
            let text: Option<String> = codes.iter().copied().map(char::from_u32).collect();
            return Ok(text.map_or_else(|| json!({ "codes": codes }), |text| json!(text)));
        }
        let text = self.random.text();
        slot.string(&text)?;
        Ok(json!(text))
    }

    fn node_path(&mut self, slot: Slot<'_>) -> Made<Value> {
        let texts = |random: &mut Random, at_least: usize| -> Vec<String> {
            (0..at_least + random.below(4))
                .map(|_| random.text())
                .collect()
        };
        // Godot 3 forgets the rest of a path without names.
        let at_least = usize::from(!self.target.dialect().has_typed_containers());
        let (names, subnames) = (
            texts(&mut self.random, at_least),
            texts(&mut self.random, 0),
        );
        let absolute = self.random.one_in(2);
        let (a, b): (Vec<&str>, Vec<&str>) = (
            names.iter().map(String::as_str).collect(),
            subnames.iter().map(String::as_str).collect(),
        );
        if self.random.one_in(2) {
            slot.node_path_from(&names, &subnames, absolute)?;
        } else {
            slot.node_path(&NodePathParts {
                names: &a,
                subnames: &b,
                absolute,
            })?;
        }
        Ok(json!({ "names": names, "subnames": subnames, "absolute": absolute }))
    }

    fn singles<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.random.single())
    }

    fn doubles<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.random.double())
    }

    fn is_wide(&mut self) -> bool {
        self.target.precision() == Precision::AsGiven && self.random.one_in(2)
    }

    fn math(&mut self, kind: Kind, slot: Slot<'_>) -> Made<Value> {
        macro_rules! reals {
            ($method:ident, $name:ident, $n:literal) => {
                if self.is_wide() {
                    let wide = self.doubles::<$n>();
                    slot.$method($name::<f64>::from(wide))?;
                    shaped(kind, &wide.map(narrow))
                } else {
                    let single = self.singles::<$n>();
                    slot.$method($name::<f32>::from(single))?;
                    shaped(kind, &single)
                }
            };
        }
        macro_rules! ints {
            ($method:ident, $name:ident, $n:literal) => {{
                let ints: [i32; $n] = std::array::from_fn(|_| self.random.int_32());
                slot.$method($name::from(ints))?;
                json!(ints)
            }};
        }
        Ok(match kind {
            Kind::Vector2 => reals!(vector2, Vector2, 2),
            Kind::Vector3 => reals!(vector3, Vector3, 3),
            Kind::Vector4 => reals!(vector4, Vector4, 4),
            Kind::Rect2 => reals!(rect2, Rect2, 4),
            Kind::Plane => reals!(plane, Plane, 4),
            Kind::Quaternion => reals!(quaternion, Quaternion, 4),
            Kind::Aabb => reals!(aabb, Aabb, 6),
            Kind::Transform2D => reals!(transform2d, Transform2D, 6),
            Kind::Basis => reals!(basis, Basis, 9),
            Kind::Transform3D => reals!(transform3d, Transform3D, 12),
            Kind::Projection => reals!(projection, Projection, 16),
            Kind::Vector2i => ints!(vector2i, Vector2, 2),
            Kind::Vector3i => ints!(vector3i, Vector3, 3),
            Kind::Vector4i => ints!(vector4i, Vector4, 4),
            Kind::Rect2i => ints!(rect2i, Rect2, 4),
            Kind::Color => {
                let single = self.singles::<4>();
                slot.color(Color::from(single))?;
                flat(&single)
            }
            other => panic!("{other} is not made here"),
        })
    }

    /// Godot 3 dies of a dictionary with an empty packed array and another one as keys
    /// (`docs/FORMAT.md` §4.2).
    fn packed_len(&mut self) -> usize {
        let needs_one = self.keys > 0 && !self.target.dialect().has_typed_containers();
        self.random.len().max(usize::from(needs_one))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Random) -> T) -> Vec<T> {
        let len = self.packed_len();
        (0..len).map(|_| item(&mut self.random)).collect()
    }

    fn packed(&mut self, kind: Kind, slot: Slot<'_>) -> Made<Value> {
        macro_rules! vectors {
            ($method:ident, $name:ident, $n:literal) => {{
                let len = self.packed_len();
                if self.is_wide() {
                    let all: Vec<_> = (0..len).map(|_| self.doubles::<$n>()).collect();
                    let vectors: Vec<$name<f64>> = all.iter().map(|&v| v.into()).collect();
                    slot.$method(&vectors)?;
                    all.iter().map(|v| flat(&v.map(narrow))).collect()
                } else {
                    let all: Vec<_> = (0..len).map(|_| self.singles::<$n>()).collect();
                    let vectors: Vec<$name<f32>> = all.iter().map(|&v| v.into()).collect();
                    slot.$method(&vectors)?;
                    all.iter().map(|v| flat(v)).collect()
                }
            }};
        }
        Ok(match kind {
            Kind::PackedByteArray => {
                let bytes = self.list(|random| random.next() as u8);
                slot.packed_bytes(&bytes)?;
                json!(hex(&bytes))
            }
            Kind::PackedInt32Array => {
                let ints = self.list(Random::int_32);
                slot.packed_i32(&ints)?;
                json!(ints)
            }
            Kind::PackedInt64Array => {
                let ints = self.list(Random::int);
                slot.packed_i64(&ints)?;
                ints.iter().map(|int| json!(int.to_string())).collect()
            }
            Kind::PackedFloat32Array => {
                let mut floats = self.list(Random::single);
                if self.keys > 0 && !self.target.dialect().has_typed_containers() {
                    // Godot 3 does not find such a key again.
                    floats.retain(|float| !float.is_nan());
                    floats.push(1.0);
                }
                slot.packed_f32(&floats)?;
                flat(&floats)
            }
            Kind::PackedFloat64Array => {
                let floats = self.list(Random::double);
                slot.packed_f64(&floats)?;
                let bits = |float: &f64| json!(format!("{:016x}", float.to_bits()));
                floats.iter().map(bits).collect()
            }
            Kind::PackedStringArray => {
                let texts = self.list(Random::text);
                slot.packed_strings(&texts)?;
                json!(texts)
            }
            Kind::PackedVector2Array => vectors!(packed_vector2, Vector2, 2),
            Kind::PackedVector3Array => vectors!(packed_vector3, Vector3, 3),
            Kind::PackedVector4Array => vectors!(packed_vector4, Vector4, 4),
            Kind::PackedColorArray => {
                let len = self.packed_len();
                let all: Vec<_> = (0..len).map(|_| self.singles::<4>()).collect();
                let colors: Vec<Color<f32>> = all.iter().map(|&c| c.into()).collect();
                slot.packed_colors(&colors)?;
                all.iter().map(|c| flat(c)).collect()
            }
            other => panic!("{other} is not made here"),
        })
    }
}
