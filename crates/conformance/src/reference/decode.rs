//! Decodes bytes to a [`Value`], as docs/FORMAT.md describes. Bare section numbers (§) refer to this
//! document.

use gdvar::{Dialect, Kind, Objects};

use super::{
    Component, Decoded, Element, Refusal, Rules, Text, Value,
    input::Input,
    keys,
    layout::{NumberKind, has_reals, layout},
    numbers,
    text::{self, Alphabet},
};

/// Bit 16, whose meaning depends on the type (§2).
const FLAG: u32 = 1 << 16;
const SHARED: u32 = 1 << 31;
const MAX_COUNT: usize = i32::MAX as usize;

type Read<T> = Result<T, Refusal>;

/// The kind of a padding. It decides which exception of §6 applies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    /// The padding of a string or of bytes.
    Plain,
    /// The padding inside a NodePath.
    NodePath,
}

struct Decoder<'a> {
    input: Input<'a>,
    rules: Rules,
    dirty: bool,
    odd: bool,
}

fn decoder(bytes: &[u8], rules: Rules) -> Decoder<'_> {
    Decoder {
        input: Input {
            bytes,
            at: 0,
            cuts: Vec::new(),
        },
        rules,
        dirty: false,
        odd: false,
    }
}

/// Returns the offsets at which all reads end, up to the first one that fails.
pub(super) fn cuts(bytes: &[u8], rules: Rules) -> Vec<usize> {
    let mut decoder = decoder(bytes, rules);
    let _ = decoder.value(0);
    decoder.input.cuts
}

pub(super) fn whole(bytes: &[u8], rules: Rules) -> Read<Decoded> {
    let mut decoder = decoder(bytes, rules);
    let value = decoder.value(0)?;
    let len = decoder.input.at;
    decoder.strictly(len == bytes.len(), "TrailingBytes")?;
    Ok(Decoded {
        value,
        len,
        dirty: decoder.dirty,
        odd: decoder.odd,
    })
}

impl<'a> Decoder<'a> {
    /// In strict mode, fails with the error `name` unless `holds` is `true`.
    fn strictly(&self, holds: bool, name: &'static str) -> Read<()> {
        if self.rules.strict && !holds {
            return Err(Refusal(name));
        }
        Ok(())
    }

    fn is(&self, dialect: Dialect) -> bool {
        self.rules.dialect == dialect
    }

    /// Reads a value (§3 to §4.6).
    fn value(&mut self, depth: u32) -> Read<Value> {
        if depth > u32::from(self.rules.max_depth) {
            return Err(Refusal("DepthExceeded"));
        }
        let header = self.input.word()?;
        let number = header & 0xff;
        let kind = numbers::kind(self.rules.dialect, number).ok_or(Refusal("UnknownType"))?;
        let flag = header & FLAG != 0;
        self.header_bits(kind, header)?;
        match kind {
            Kind::Nil => Ok(Value::Nil),
            Kind::Bool => {
                let word = self.input.word()?;
                self.strictly(word <= 1, "InvalidBool")?;
                Ok(Value::Bool(word != 0))
            }
            Kind::Int => self.int(flag),
            Kind::Float => self.float(flag),
            Kind::String | Kind::StringName => Ok(Value::Text(kind, self.field(Padding::Plain)?)),
            Kind::NodePath => self.node_path(),
            Kind::Rid => {
                let has_id = self.is(Dialect::GODOT_4);
                Ok(Value::Rid(if has_id { self.input.long()? } else { 0 }))
            }
            Kind::Callable => Ok(Value::Callable),
            Kind::Signal => {
                let name = self.field(Padding::Plain)?;
                Ok(Value::Signal(name, self.input.long()?))
            }
            Kind::Object => self.object(flag, depth),
            Kind::Image => self.image(),
            Kind::InputEvent => self.input_event(),
            Kind::Array => self.array(header, depth),
            Kind::TypedArray | Kind::PackedTypedArray => self.typed_array(kind, header, depth),
            Kind::Dictionary => self.dictionary(header, depth),
            Kind::PackedByteArray => self.bytes(),
            Kind::PackedStringArray => self.strings(),
            _ => self.numbers(kind, flag),
        }
    }

    /// Checks the bits above the type number (§2, §6 rows 4 to 6).
    fn header_bits(&self, kind: Kind, header: u32) -> Read<()> {
        let whole_word = self.is(Dialect::GODOT_2);
        let defined = match kind {
            // §1.5: respected in engine mode, never written.
            Kind::Int | Kind::Float if whole_word && self.rules.strict => 0,
            Kind::Int | Kind::Float => FLAG,
            Kind::Object if !whole_word => FLAG,
            Kind::Array if self.is(Dialect::GODOT_4) => 3 << 16,
            Kind::Dictionary if self.is(Dialect::GODOT_4) => 15 << 16,
            Kind::TypedArray | Kind::PackedTypedArray => FLAG,
            _ if self.is(Dialect::GODOT_4) && has_reals(kind) => FLAG,
            _ => 0,
        };
        if (self.rules.strict || whole_word) && header & !(0xff | defined) != 0 {
            return Err(Refusal("ReservedBits"));
        }
        Ok(())
    }

    fn int(&mut self, flag: bool) -> Read<Value> {
        if !flag {
            return Ok(Value::Int(i64::from(self.input.word()? as i32)));
        }
        let int = self.input.long()? as i64;
        let is_needed = i32::try_from(int).is_err() || self.rules.ints_always_64;
        self.strictly(is_needed, "NonCanonical")?;
        Ok(Value::Int(int))
    }

    /// Reads a Float (§5). Strict mode accepts 64 bits only if 32 bits do not hold the number, and
    /// a NaN of 32 bits only in Godot 2, which has no other width.
    fn float(&mut self, flag: bool) -> Read<Value> {
        if flag {
            let bits = self.input.long()?;
            let float = f64::from_bits(bits);
            let is_needed = f64::from(float as f32) != float;
            self.strictly(is_needed, "NonCanonical")?;
            return Ok(Value::Float(bits));
        }
        let bits = self.input.word()?;
        let float = f32::from_bits(bits);
        let may_be_narrow = !float.is_nan() || self.is(Dialect::GODOT_2);
        self.strictly(may_be_narrow, "NonCanonical")?;
        // A processor turns a signalling NaN into a quiet one during the conversion.
        self.odd |= float.is_nan() && bits & 0x0040_0000 == 0;
        Ok(Value::Float(widen(bits)))
    }

    fn alphabet(&self) -> Alphabet {
        if self.is(Dialect::GODOT_3) || self.is(Dialect::GODOT_2) {
            Alphabet::Wide
        } else {
            Alphabet::Unicode
        }
    }

    fn text(&mut self, bytes: &[u8]) -> Read<Text> {
        self.odd |= bytes.starts_with(text::BYTE_ORDER_MARK);
        if self.rules.strict {
            text::check_strictly(bytes)?;
        }
        text::decode(bytes, self.alphabet())
    }

    /// Reads a string field (§3.2).
    fn field(&mut self, padding: Padding) -> Read<Text> {
        let len = self.input.word()? as usize;
        let bytes = self.padded(len, padding)?;
        self.text(bytes)
    }

    /// Reads bytes and their padding (§3 rule 2, §6 rows 9 to 11).
    fn padded(&mut self, len: usize, place: Padding) -> Read<&'a [u8]> {
        if len.next_multiple_of(4) > MAX_COUNT {
            return Err(Refusal("InvalidLength"));
        }
        let bytes = self.input.take(len)?;
        let padding = self.input.take(len.next_multiple_of(4) - len)?;
        self.padding(padding, place)?;
        Ok(bytes)
    }

    fn padding(&mut self, padding: &[u8], place: Padding) -> Read<()> {
        let may_be_anything = match place {
            _ if self.is(Dialect::GODOT_2) => true,
            Padding::Plain => self.rules.early_godot_3,
            Padding::NodePath => {
                !self.is(Dialect::GODOT_4_DOCS) && !self.rules.zero_node_path_padding
            }
        };
        let is_zero = padding.iter().all(|byte| *byte == 0);
        self.dirty |= !is_zero;
        self.strictly(is_zero || may_be_anything, "NonZeroPadding")
    }

    /// Reads the numbers of a fixed-size type or of a packed array (§3.1, §3.4).
    fn numbers(&mut self, kind: Kind, flag: bool) -> Read<Value> {
        let is_early_double = self.rules.unflagged_vector4_is_f64
            && self.is(Dialect::GODOT_4)
            && matches!(kind, Kind::Vector4 | Kind::Projection);
        let is_wide = flag && self.is(Dialect::GODOT_4) || is_early_double;
        let (count, component) = layout(kind);
        let size = match component {
            NumberKind::Real if is_wide => 8,
            NumberKind::Real | NumberKind::F32 | NumberKind::I32 => 4,
            NumberKind::F64 | NumberKind::I64 => 8,
        };
        let is_packed = kind.name().ends_with("Array");
        let elements = if is_packed {
            self.count(count * size)?
        } else {
            1
        };
        if elements * count * size > self.input.left() {
            return Err(Refusal("Truncated"));
        }
        let mut all = Vec::with_capacity(elements * count);
        for _ in 0..elements * count {
            all.push(match component {
                NumberKind::I32 => Component::Int(self.input.word()? as i32),
                NumberKind::I64 => Component::Long(self.input.long()? as i64),
                _ if size == 8 => Component::Double(self.input.long()?),
                _ => Component::Single(self.input.word()?),
            });
        }
        Ok(if is_packed {
            Value::Packed(kind, count, all)
        } else {
            Value::Math(kind, all)
        })
    }

    /// Reads the count of a packed array (§3 rule 4, §6 row 18).
    fn count(&mut self, size: usize) -> Read<usize> {
        let count = self.input.word()? as usize;
        if count > MAX_COUNT || count * size > MAX_COUNT {
            return Err(Refusal("InvalidLength"));
        }
        Ok(count)
    }

    /// Reads a PackedByteArray (§3.4). In engine mode, the padding may be missing at the very end
    /// of the bytes (§6 row 19).
    fn bytes(&mut self) -> Read<Value> {
        let count = self.count(1)?;
        let bytes = self.input.take(count)?;
        let padding = count.next_multiple_of(4) - count;
        if !self.rules.strict && padding > self.input.left() {
            self.input.take(self.input.left())?;
        } else {
            let padding = self.input.take(padding)?;
            self.padding(padding, Padding::Plain)?;
        }
        Ok(Value::Bytes(bytes.to_vec()))
    }

    /// Reads a PackedStringArray (§3.4, §6 rows 16 and 17).
    fn strings(&mut self) -> Read<Value> {
        let count = self.input.word()?;
        let is_negative = count & SHARED != 0;
        self.strictly(!is_negative, "InvalidLength")?;
        let count = if is_negative { 0 } else { count };
        self.promised(count.into(), 4)?;
        let mut strings = Vec::new();
        for _ in 0..count {
            let len = self.input.word()? as usize;
            let mut bytes = self.padded(len, Padding::Plain)?;
            match bytes.split_last() {
                Some((0, text)) => bytes = text,
                _ => self.strictly(false, "NonCanonical")?,
            }
            strings.push(self.text(bytes)?);
        }
        Ok(Value::Strings(strings))
    }

    /// Reads a NodePath (§4.5).
    fn node_path(&mut self) -> Read<Value> {
        let word = self.input.word()?;
        if word & SHARED == 0 {
            return self.old_node_path(word);
        }
        let subnames = self.input.word()?;
        let flags = self.input.word()?;
        self.strictly(flags & !3 == 0, "ReservedBits")?;
        let has_property = flags & 2 != 0;
        self.odd |= has_property;
        self.strictly(!has_property || self.is(Dialect::GODOT_2), "NonCanonical")?;
        let names = u64::from(word & !SHARED);
        let subnames = u64::from(subnames) + u64::from(has_property);
        if names + subnames > u64::from(u32::MAX) {
            return Err(Refusal("InvalidLength"));
        }
        self.promised(names + subnames, 4)?;
        let mut texts = |count| -> Read<Vec<Text>> {
            let mut texts = Vec::new();
            for _ in 0..count {
                texts.push(self.field(Padding::NodePath)?);
            }
            Ok(texts)
        };
        Ok(Value::NodePath {
            names: texts(names)?,
            subnames: texts(subnames)?,
            absolute: flags & 1 != 0,
        })
    }

    /// Reads a path that is one text without padding.
    fn old_node_path(&mut self, len: u32) -> Read<Value> {
        if !self.is(Dialect::GODOT_2) {
            return Err(Refusal("OldNodePath"));
        }
        self.odd = true;
        let bytes = self.input.take(len as usize)?;
        let text = self.text(bytes)?.0;
        let (slash, colon) = (u32::from('/'), u32::from(':'));
        let mut by_colon = text.split(|code| *code == colon);
        let path = by_colon.next().unwrap_or_default();
        let parts = |text: &[u32], at| -> Vec<Text> {
            let parts = text
                .split(|code| *code == at)
                .filter(|part| !part.is_empty());
            parts.map(|part| Text(part.to_vec())).collect()
        };
        Ok(Value::NodePath {
            names: parts(path, slash),
            subnames: by_colon.flat_map(|part| parts(part, colon)).collect(),
            absolute: path.first() == Some(&slash),
        })
    }

    /// Reads an Object (§4.4).
    fn object(&mut self, flag: bool, depth: u32) -> Read<Value> {
        let old = self.is(Dialect::GODOT_2);
        let refused = if flag || old {
            self.rules.objects == Objects::Deny
        } else {
            self.rules.objects != Objects::Inert
        };
        if refused {
            return Err(Refusal("ObjectsNotAllowed"));
        }
        if old {
            return Ok(Value::NullObject);
        }
        if flag {
            let id = self.input.long()?;
            self.strictly(id != 0, "NonCanonical")?;
            return Ok(if id == 0 {
                Value::NullObject
            } else {
                Value::ObjectId(id)
            });
        }
        let class = self.field(Padding::Plain)?;
        if class.0.is_empty() {
            self.strictly(false, "NonCanonical")?;
            return Ok(Value::NullObject);
        }
        let count = self.input.word()?;
        let is_negative = count & SHARED != 0;
        self.strictly(!is_negative, "InvalidLength")?;
        let count = if is_negative { 0 } else { count };
        self.promised(count.into(), 8)?;
        let mut properties = Vec::new();
        for _ in 0..count {
            let name = self.field(Padding::Plain)?;
            let value = self.value(depth + 1)?;
            if self.is(Dialect::GODOT_4) && name == Text("script".chars().map(u32::from).collect())
            {
                let is_script = match &value {
                    Value::Nil => true,
                    Value::Text(Kind::String, path) => path.starts_with("res://"),
                    _ => false,
                };
                self.strictly(is_script, "BadScriptProperty")?;
            }
            properties.push((name, value));
        }
        Ok(Value::Object(class, properties))
    }

    /// Reads an Image (§3.3).
    fn image(&mut self) -> Read<Value> {
        let mut words = [0; 4];
        for word in &mut words {
            *word = self.input.word()?;
        }
        let len = self.input.word()? as usize;
        let bytes = self.padded(len, Padding::Plain)?;
        Ok(Value::Image(words, bytes.to_vec()))
    }

    /// Reads an InputEvent (§3.3).
    fn input_event(&mut self) -> Read<Value> {
        let kind = self.input.word()?;
        let device = self.input.word()? as i32;
        let len = self.input.word()? as usize;
        if !(12..=MAX_COUNT).contains(&len) {
            return Err(Refusal("InvalidLength"));
        }
        let body = self.input.take(len - 12)?.to_vec();
        Ok(Value::InputEvent(kind, device, body))
    }

    /// Reads the count of a container (§4.2, §6 row 20).
    fn children(&mut self) -> Read<u32> {
        let count = self.input.word()?;
        let may_be_shared = count & SHARED == 0 || self.is(Dialect::GODOT_2);
        self.strictly(may_be_shared, "SharedBit")?;
        Ok(count & !SHARED)
    }

    /// Refuses a count if the bytes left cannot contain this many children, before reading any of them
    /// (§3.5).
    fn promised(&self, count: u64, smallest: u64) -> Read<()> {
        if count * smallest > self.input.left() as u64 {
            return Err(Refusal("Truncated"));
        }
        Ok(())
    }

    /// Reads an Array (§4.1).
    fn array(&mut self, header: u32, depth: u32) -> Read<Value> {
        let element = self.descriptor(header >> 16 & 3)?;
        let count = self.children()?;
        let items = self.items(count, &element, depth)?;
        Ok(Value::Array(Kind::Array, element, items))
    }

    fn items(&mut self, count: u32, element: &Element, depth: u32) -> Read<Vec<Value>> {
        self.promised(count.into(), 4)?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(self.child(element, depth)?);
        }
        Ok(items)
    }

    /// Reads a child. In strict mode it must have the type that its container declares (§6 row 37).
    fn child(&mut self, element: &Element, depth: u32) -> Read<Value> {
        let child = self.value(depth + 1)?;
        let object = numbers::number(self.rules.dialect, Kind::Object);
        let wanted = match element {
            Element::Untyped => return Ok(child),
            Element::Builtin(number) => Some(*number),
            Element::Class(_) | Element::Script(_) => object,
        };
        let number = numbers::number(self.rules.dialect, child.kind());
        let fits = number == wanted || wanted == object && child == Value::Nil;
        self.strictly(fits, "ElementTypeMismatch")?;
        Ok(child)
    }

    /// Reads a Dictionary (§4.2).
    fn dictionary(&mut self, header: u32, depth: u32) -> Read<Value> {
        let key = self.descriptor(header >> 16 & 3)?;
        let value = self.descriptor(header >> 18 & 3)?;
        let count = self.children()?;
        self.promised(count.into(), 8)?;
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        for _ in 0..count {
            let next = self.child(&key, depth)?;
            if self.rules.strict {
                let is_same =
                    |(known, _): &(Value, Value)| keys::are_equal(known, &next, self.rules.dialect);
                self.strictly(!pairs.iter().any(is_same), "DuplicateKey")?;
            }
            let behind = self.child(&value, depth)?;
            pairs.push((next, behind));
        }
        Ok(Value::Dictionary(key, value, pairs))
    }

    /// Reads the declared type of a container's children (§4.3). Only `godot4` has header bits that
    /// say whether there is one.
    fn descriptor(&mut self, code: u32) -> Read<Element> {
        if !self.is(Dialect::GODOT_4) {
            return Ok(Element::Untyped);
        }
        match code {
            0 => Ok(Element::Untyped),
            1 => {
                let number = self.input.word()?;
                if number >= numbers::first_invalid(self.rules.dialect) {
                    return Err(Refusal("BadElementType"));
                }
                self.strictly(number != 0, "NonCanonical")?;
                Ok(match number {
                    0 => Element::Untyped,
                    _ => Element::Builtin(number),
                })
            }
            2 => {
                let class = self.field(Padding::Plain)?;
                self.strictly(!class.0.is_empty(), "NonCanonical")?;
                Ok(Element::Class(class))
            }
            _ => {
                let path = self.field(Padding::Plain)?;
                if self.rules.objects == Objects::Inert && !path.starts_with("res://") {
                    return Err(Refusal("BadScriptPath"));
                }
                Ok(Element::Script(path))
            }
        }
    }

    /// Reads a typed array of `pandemonium5` (§4.3).
    fn typed_array(&mut self, kind: Kind, header: u32, depth: u32) -> Read<Value> {
        let flag = header & FLAG != 0;
        let word = self.input.word()?;
        self.strictly(word & SHARED == 0, "SharedBit")?;
        let number = word & !SHARED;
        let is_object = numbers::kind(self.rules.dialect, number) == Some(Kind::Object);
        self.strictly(is_object || !flag, "ReservedBits")?;
        let is_type = number < numbers::first_invalid(self.rules.dialect);
        self.strictly(is_type, "BadElementType")?;
        self.odd |= !is_type;
        let element = match number {
            0 => Element::Untyped,
            _ if is_object && !flag => Element::Class(self.class_name()?),
            // A number without a type is not an error. Numbers above a byte are all described alike.
            _ => Element::Builtin(number.min(0xff)),
        };
        let count = self.children()?;
        let items = self.items(count, &element, depth)?;
        Ok(Value::Array(kind, element, items))
    }

    /// Reads one complete StringName value.
    fn class_name(&mut self) -> Read<Text> {
        let header = self.input.word()?;
        let kind = numbers::kind(self.rules.dialect, header & 0xff);
        if kind != Some(Kind::StringName) {
            return Err(Refusal("BadClassName"));
        }
        self.header_bits(Kind::StringName, header)?;
        self.field(Padding::Plain)
    }
}

/// Widens an f32 to an f64 by its bits. A NaN becomes quiet and keeps its payload (§3.1).
fn widen(bits: u32) -> u64 {
    let float = f32::from_bits(bits);
    if !float.is_nan() {
        return f64::from(float).to_bits();
    }
    let sign = u64::from(bits >> 31) << 63;
    let payload = u64::from(bits & 0x7f_ffff) << 29;
    sign | 0x7ff8 << 48 | payload
}
