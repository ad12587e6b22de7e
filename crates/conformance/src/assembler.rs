//! A test assembler that makes bytes directly from the rules of `docs/FORMAT.md` §1–§4.
//!
//! The assembler shares no code and no table with the reader and the writer, so that a mistake in
//! them is not repeated here. The low-level methods ([`header`](Assembler::header),
//! [`word`](Assembler::word), [`field`](Assembler::field), …) build any bytes, also wrong ones.
//! [`value`](Assembler::value) assembles a whole value from tagged JSON as a correct encoder writes
//! it (`docs/FORMAT.md` §5), and panics if it cannot.
//!
//! ```
//! use gdvar_conformance::assembler::{Assembler, Column};
//!
//! let bytes = Assembler::new(Column::G3).header("String", 0).field(b"Hello").done();
//! assert_eq!(bytes, b"\x04\0\0\0\x05\0\0\0Hello\0\0\0");
//! ```

use serde_json::Value;

/// A column of the table of type numbers (`docs/FORMAT.md` §1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Godot 2 and earlier, `godot2`.
    G2,
    /// Godot 3, `godot3`.
    G3,
    /// The table in the outdated Godot 4 document, `godot4-docs`.
    D29,
    /// Godot 4, `godot4`.
    G4,
    /// Pandemonium 3.5 to 3.7, `pandemonium3`.
    P33,
    /// Pandemonium 3.8 to 4.9, `pandemonium4`.
    P38,
    /// Pandemonium 5, `pandemonium5`.
    P40,
}

/// "–" in the table: the dialect does not have the type.
const NO: i16 = -1;

/// The table of `docs/FORMAT.md` §1.1, row by row, with the type names of tagged JSON.
#[rustfmt::skip]
const TYPE_NUMBERS: [(&str, [i16; 7]); 46] = [
    //                      G2  G3 D29  G4 P33 P38 P40
    ("Nil",                [ 0,  0,  0,  0,  0,  0,  0]),
    ("Bool",               [ 1,  1,  1,  1,  1,  1,  1]),
    ("Int",                [ 2,  2,  2,  2,  2,  2,  2]),
    ("Float",              [ 3,  3,  3,  3,  3,  3,  3]),
    ("String",             [ 4,  4,  4,  4,  4,  4,  4]),
    ("Vector2",            [ 5,  5,  5,  5,  5,  7,  7]),
    ("Vector2i",           [NO, NO, NO,  6,  6,  8,  8]),
    ("Rect2",              [ 6,  6,  6,  7,  7,  5,  5]),
    ("Rect2i",             [NO, NO, NO,  8,  8,  6,  6]),
    ("Vector3",            [ 7,  7,  7,  9,  9,  9,  9]),
    ("Vector3i",           [NO, NO, NO, 10, 10, 10, 10]),
    ("Transform2D",        [ 8,  8,  8, 11, 11, 18, 18]),
    ("Vector4",            [NO, NO, NO, 12, NO, 11, 11]),
    ("Vector4i",           [NO, NO, NO, 13, NO, 12, 12]),
    ("Plane",              [ 9,  9,  9, 14, 12, 13, 13]),
    ("Quaternion",         [10, 10, 10, 15, 13, 14, 14]),
    ("AABB",               [11, 11, 11, 16, 14, 15, 15]),
    ("Basis",              [12, 12, 12, 17, 15, 16, 16]),
    ("Transform3D",        [13, 13, 13, 18, 16, 17, 17]),
    ("Projection",         [NO, NO, NO, 19, NO, 19, 19]),
    ("Color",              [14, 14, 14, 20, 17, 20, 20]),
    ("Image",              [15, NO, NO, NO, NO, NO, NO]),
    ("StringName",         [NO, NO, NO, 21, 21, 24, 24]),
    ("NodePath",           [16, 15, 15, 22, 18, 21, 21]),
    ("RID",                [17, 16, 16, 23, 19, 22, 22]),
    ("Object",             [18, 17, 17, 24, 20, 23, 23]),
    ("InputEvent",         [19, NO, NO, NO, NO, NO, NO]),
    ("Callable",           [NO, NO, NO, 25, NO, NO, NO]),
    ("Signal",             [NO, NO, NO, 26, NO, NO, NO]),
    ("Dictionary",         [20, 18, 18, 27, 22, 25, 25]),
    ("Array",              [21, 19, 19, 28, 23, 26, 26]),
    ("TypedArray",         [NO, NO, NO, NO, NO, NO, 27]),
    ("PackedTypedArray",   [NO, NO, NO, NO, NO, NO, 28]),
    ("PackedByteArray",    [22, 20, 20, 29, 24, 27, 29]),
    ("PackedInt32Array",   [23, 21, 21, 30, 25, 28, 30]),
    ("PackedInt64Array",   [NO, NO, 22, 31, NO, NO, NO]),
    ("PackedFloat32Array", [24, 22, 23, 32, 26, 29, 31]),
    ("PackedFloat64Array", [NO, NO, 24, 33, NO, NO, NO]),
    ("PackedStringArray",  [25, 23, 25, 34, 27, 30, 32]),
    ("PackedVector2Array", [26, 24, 26, 35, 28, 31, 33]),
    ("PoolVector2iArray",  [NO, NO, NO, NO, 29, 32, 34]),
    ("PackedVector3Array", [27, 25, 27, 36, 30, 33, 35]),
    ("PoolVector3iArray",  [NO, NO, NO, NO, 31, 34, 36]),
    ("PackedVector4Array", [NO, NO, NO, 38, NO, 35, 37]),
    ("PoolVector4iArray",  [NO, NO, NO, NO, NO, 36, 38]),
    ("PackedColorArray",   [28, 26, 28, 37, 32, 37, 39]),
];

impl Column {
    /// Returns the dialect's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Column::G2 => "godot2",
            Column::G3 => "godot3",
            Column::D29 => "godot4-docs",
            Column::G4 => "godot4",
            Column::P33 => "pandemonium3",
            Column::P38 => "pandemonium4",
            Column::P40 => "pandemonium5",
        }
    }

    /// Returns the number of a type, or `None` if the dialect does not have it.
    ///
    /// # Panics
    ///
    /// If no dialect has a type of this name.
    pub fn number(self, type_name: &str) -> Option<u8> {
        let row = TYPE_NUMBERS.iter().find(|row| row.0 == type_name);
        let row = row.unwrap_or_else(|| panic!("no type {type_name}"));
        u8::try_from(row.1[self as usize]).ok()
    }

    /// Returns the first number that belongs to no type, the last row of `docs/FORMAT.md` §1.1.
    pub fn first_invalid(self) -> u8 {
        [29, 27, 29, 39, 33, 38, 40][self as usize]
    }

    /// Returns the names of the dialect's types.
    pub fn types(self) -> impl Iterator<Item = &'static str> {
        TYPE_NUMBERS
            .iter()
            .map(|row| row.0)
            .filter(move |name| self.number(name).is_some())
    }
}

/// Bit 16 of a header word (`docs/FORMAT.md` §2): `FLAG_64` of numbers, `AS_ID` of objects, element
/// kind 1 of containers.
pub const BIT_16: u32 = 1 << 16;

/// Bit 31 of a count word (`docs/FORMAT.md` §4.1): the shared bit.
pub const SHARED: u32 = 1 << 31;

/// The bytes assembled so far. Every method appends to them.
#[derive(Clone, Debug)]
pub struct Assembler {
    column: Column,
    out: Vec<u8>,
}

impl Assembler {
    /// Creates an assembler without bytes. It uses the type numbers of `column`.
    pub fn new(column: Column) -> Self {
        Assembler {
            column,
            out: Vec::new(),
        }
    }

    /// Returns the bytes.
    pub fn done(self) -> Vec<u8> {
        self.out
    }

    /// Appends any bytes.
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.out.extend_from_slice(bytes);
        self
    }

    /// Appends a little-endian u32.
    pub fn word(self, word: u32) -> Self {
        self.raw(&word.to_le_bytes())
    }

    /// Appends a little-endian u64.
    pub fn long(self, long: u64) -> Self {
        self.raw(&long.to_le_bytes())
    }

    /// Appends a header word (§2): the type's number with `bits` above it.
    ///
    /// # Panics
    ///
    /// If the dialect has no such type.
    pub fn header(self, type_name: &str, bits: u32) -> Self {
        let number = self.column.number(type_name);
        let number = number.unwrap_or_else(|| panic!("no {type_name} in {}", self.column.name()));
        self.word(u32::from(number) | bits)
    }

    /// Appends the padding after a run of `len` bytes (§3 rule 2), each of its bytes `fill`.
    pub fn pad(self, len: usize, fill: u8) -> Self {
        self.raw(&[fill; 3][..(4 - len % 4) % 4])
    }

    /// Appends a string field (§3.2): length, bytes, zero padding.
    pub fn field(self, text: &[u8]) -> Self {
        self.dirty_field(text, 0)
    }

    /// Appends a string field whose padding bytes are all `fill`.
    pub fn dirty_field(self, text: &[u8], fill: u8) -> Self {
        self.word(size32(text.len()))
            .raw(text)
            .pad(text.len(), fill)
    }

    /// Appends an element of a `PackedStringArray` (§3.4), whose length includes a NUL.
    pub fn packed_string(self, text: &[u8]) -> Self {
        self.field(&[text, b"\0"].concat())
    }

    /// Appends the value that tagged JSON describes, as a correct encoder of the dialect writes it (§5):
    /// numbers as narrow as possible, zero padding, no shared bit.
    ///
    /// # Panics
    ///
    /// If the JSON is not a tagged value, or the dialect does not have the value.
    pub fn value(self, tagged: &Value) -> Self {
        let (tag, body) = tagged
            .as_object()
            .and_then(|map| map.iter().next())
            .expect("a tag");
        match tag.as_str() {
            "Nil" => self.header(tag, 0),
            "Bool" => self
                .header(tag, 0)
                .word(u32::from(body.as_bool().expect("a bool"))),
            "Int" => self.int(parse(body)),
            "Float" => self.float(hex64(&body["bits"])),
            "String" | "StringName" => self.header(tag, 0).field(&text(body)),
            "Vector2" | "Vector3" | "Vector4" | "Rect2" | "AABB" | "Plane" | "Quaternion"
            | "Color" => self.header(tag, 0).reals(body),
            "Vector2i" | "Vector3i" | "Vector4i" | "Rect2i" => self.header(tag, 0).ints(body),
            "Transform2D" => self.header(tag, 0).members(body, &["x", "y", "origin"]),
            "Basis" => self.header(tag, 0).rows(body),
            "Transform3D" => self
                .header(tag, 0)
                .rows(&body["basis"])
                .members(body, &["origin"]),
            "Projection" => self.header(tag, 0).members(body, &["x", "y", "z", "w"]),
            "NodePath" => self.node_path(body),
            // Only Godot 4 writes the id.
            "RID" if self.column == Column::G4 => self.header(tag, 0).long(parse(body)),
            "RID" => self.header(tag, 0),
            "ObjectId" => self.header("Object", BIT_16).long(parse(body)),
            "Object" => self.object(body),
            "Callable" => self.header(tag, 0),
            "Signal" => {
                let id = parse(&body["object_id"]);
                self.header(tag, 0).field(&text(&body["name"])).long(id)
            }
            "Image" => {
                let data = hex_bytes(&body["data"]);
                let parts = ["format", "mipmaps", "width", "height"].map(|part| &body[part]);
                parts
                    .iter()
                    .fold(self.header(tag, 0), |out, part| out.i32(part))
                    .field(&data)
            }
            "InputEvent" => {
                let inner = hex_bytes(&body["body"]);
                let out = self.header(tag, 0).i32(&body["kind"]).i32(&body["device"]);
                out.word(size32(inner.len() + 12)).raw(&inner)
            }
            "Array" => self.header(tag, 0).items(body),
            "Dictionary" => self.header(tag, 0).pairs(body),
            "TypedArray" | "PackedTypedArray" if self.column == Column::P40 => {
                self.element_type(tag, &body["elem"]).items(&body["items"])
            }
            "TypedArray" => {
                let kind = kind(&body["elem"]) << 16;
                let out = self.header("Array", kind).descriptor(&body["elem"]);
                out.items(&body["items"])
            }
            "TypedDictionary" => {
                let kinds = kind(&body["key"]) << 16 | kind(&body["value"]) << 18;
                let out = self.header("Dictionary", kinds).descriptor(&body["key"]);
                out.descriptor(&body["value"]).pairs(&body["entries"])
            }
            "PackedByteArray" => self.header(tag, 0).field(&hex_bytes(body)),
            "Nest" => self.nest(body),
            _ => self.packed(tag, body),
        }
    }

    /// Appends a packed array other than PackedByteArray (§3.4): the count, then the elements.
    fn packed(self, tag: &str, body: &Value) -> Self {
        let elements = list(body);
        let start = self.header(tag, 0).word(size32(elements.len()));
        elements.iter().fold(start, |out, element| match tag {
            "PackedInt32Array" => out.i32(element),
            "PackedInt64Array" => out.long(parse::<i64>(element) as u64),
            "PackedFloat32Array" => out.word(hex32(element)),
            "PackedFloat64Array" => out.long(hex64(element)),
            "PackedStringArray" => out.packed_string(&text(element)),
            "PackedVector2Array" | "PackedVector3Array" | "PackedVector4Array"
            | "PackedColorArray" => out.reals(element),
            "PoolVector2iArray" | "PoolVector3iArray" | "PoolVector4iArray" => out.ints(element),
            _ => panic!("no tag {tag}"),
        })
    }

    /// Appends an Int (§5): in 32 bits if they hold the number. Godot 2 has only 32 bits.
    fn int(self, int: i64) -> Self {
        match i32::try_from(int) {
            Ok(narrow) => self.header("Int", 0).word(narrow as u32),
            Err(_) if self.column == Column::G2 => panic!("{int} in godot2"),
            Err(_) => self.header("Int", BIT_16).long(int as u64),
        }
    }

    /// Appends a Float (§5): as an f32 if the f32 equals the number, which no NaN does. Godot 2 has
    /// only f32.
    fn float(self, bits: u64) -> Self {
        let wide = f64::from_bits(bits);
        let narrow = wide as f32;
        if f64::from(narrow) == wide {
            self.header("Float", 0).word(narrow.to_bits())
        } else if self.column != Column::G2 {
            self.header("Float", BIT_16).long(bits)
        } else {
            assert!(wide.is_nan(), "{wide} in godot2");
            let sign = (bits >> 32) as u32 & 0x8000_0000;
            // Narrowing makes the NaN quiet and keeps the upper bits of its payload.
            self.header("Float", 0)
                .word(sign | 0x7fc0_0000 | (bits >> 29) as u32 & 0x007f_ffff)
        }
    }

    fn i32(self, number: &Value) -> Self {
        let number = number.as_i64().and_then(|wide| i32::try_from(wide).ok());
        self.word(number.expect("an i32") as u32)
    }

    fn ints(self, numbers: &Value) -> Self {
        list(numbers).iter().fold(self, Assembler::i32)
    }

    fn reals(self, reals: &Value) -> Self {
        list(reals)
            .iter()
            .fold(self, |out, real| out.word(hex32(real)))
    }

    /// Appends the vectors that are the named members of `body`, one after another.
    fn members(self, body: &Value, names: &[&str]) -> Self {
        names.iter().fold(self, |out, name| out.reals(&body[name]))
    }

    /// Appends a basis (§3.1). x, y and z are its columns, but the bytes contain its rows.
    fn rows(mut self, basis: &Value) -> Self {
        for row in 0..3 {
            for column in ["x", "y", "z"] {
                self = self.word(hex32(&basis[column][row]));
            }
        }
        self
    }

    /// Appends a node path (§4.5).
    fn node_path(self, body: &Value) -> Self {
        let (names, subnames) = (list(&body["names"]), list(&body["subnames"]));
        let absolute = body["absolute"].as_bool().expect("a bool");
        let out = self
            .header("NodePath", 0)
            .word(0x8000_0000 | size32(names.len()));
        let out = out.word(size32(subnames.len())).word(u32::from(absolute));
        names
            .iter()
            .chain(subnames)
            .fold(out, |out, name| out.field(&text(name)))
    }

    /// Appends an Object (§4.4). A null object is written as a Nil; in Godot 2 it is the header of
    /// an Object and nothing else.
    fn object(self, body: &Value) -> Self {
        if body.is_null() {
            let null = if self.column == Column::G2 {
                "Object"
            } else {
                "Nil"
            };
            return self.header(null, 0);
        }
        let props = list(&body["props"]);
        let out = self
            .header("Object", 0)
            .field(&text(&body["class"]))
            .word(size32(props.len()));
        props
            .iter()
            .fold(out, |out, prop| out.field(&text(&prop[0])).value(&prop[1]))
    }

    /// Appends a count word and the values of an Array (§4.1).
    fn items(self, items: &Value) -> Self {
        let items = list(items);
        items
            .iter()
            .fold(self.word(size32(items.len())), Assembler::value)
    }

    /// Appends a count word and the pairs of a Dictionary (§4.2).
    fn pairs(self, pairs: &Value) -> Self {
        let pairs = list(pairs);
        let out = self.word(size32(pairs.len()));
        pairs
            .iter()
            .fold(out, |out, pair| out.value(&pair[0]).value(&pair[1]))
    }

    /// Appends a type descriptor of Godot 4 (§4.3).
    fn descriptor(self, element: &Value) -> Self {
        match kind(element) {
            0 => self,
            1 => self.i32(&element["builtin"]),
            2 => self.field(&text(&element["class"])),
            _ => self.field(&text(&element["script"])),
        }
    }

    /// Appends the header and element type of a typed array of Pandemonium 5 (§4.3).
    fn element_type(self, tag: &str, element: &Value) -> Self {
        let object = u32::from(self.column.number("Object").expect("a number"));
        if element.is_null() {
            self.header(tag, 0).word(0)
        } else if let Some(class) = element.get("class") {
            self.header(tag, 0)
                .word(object)
                .header("StringName", 0)
                .field(&text(class))
        } else if element["builtin"] == object {
            self.header(tag, BIT_16).word(object)
        } else {
            self.header(tag, 0).i32(&element["builtin"])
        }
    }

    /// Appends nested containers of one element each, and a leaf in the innermost one.
    fn nest(mut self, body: &Value) -> Self {
        for step in list(&body["steps"]) {
            self = match step.get("key") {
                None => self.header("Array", 0).word(1),
                Some(key) => self.header("Dictionary", 0).word(1).value(key),
            };
        }
        self.value(&body["leaf"])
    }
}

/// Returns the element kind (§4.3).
fn kind(element: &Value) -> u32 {
    let named = |name| element.get(name).is_some();
    [named("builtin"), named("class"), named("script")]
        .iter()
        .zip(1..)
        .find_map(|(is, kind)| is.then_some(kind))
        .unwrap_or(0)
}

fn size32(size: usize) -> u32 {
    u32::try_from(size).expect("a size in 32 bits")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn string(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn parse<T: std::str::FromStr>(value: &Value) -> T {
    string(value).parse().ok().expect("a number in a string")
}

fn hex32(value: &Value) -> u32 {
    u32::from_str_radix(string(value), 16).expect("8 hex digits")
}

fn hex64(value: &Value) -> u64 {
    u64::from_str_radix(string(value), 16).expect("16 hex digits")
}

fn hex_bytes(value: &Value) -> Vec<u8> {
    let digits = string(value).as_bytes().chunks(2);
    let digits = digits.map(|pair| std::str::from_utf8(pair).expect("hex digits"));
    digits
        .map(|pair| u8::from_str_radix(pair, 16).expect("hex digits"))
        .collect()
}

/// Returns the bytes of a text. Codes that are not Unicode are written in the bit patterns of UTF-8
/// with up to six bytes, as Godot 3 writes them (§5).
fn text(value: &Value) -> Vec<u8> {
    let Some(codes) = value.get("codes") else {
        return string(value).as_bytes().to_vec();
    };
    let mut out = Vec::new();
    for code in list(codes) {
        let code = u32::try_from(code.as_u64().expect("a code")).expect("a code in 32 bits");
        // The marker bits of the lead byte, and the number of bytes that follow it.
        let (mark, rest) = match code {
            0..0x80 => (0, 0),
            0x80..0x800 => (0xc0, 1),
            0x800..0x1_0000 => (0xe0, 2),
            0x1_0000..0x20_0000 => (0xf0, 3),
            0x20_0000..0x400_0000 => (0xf8, 4),
            _ => (0xfc, 5),
        };
        out.push(mark | (code >> (6 * rest)) as u8);
        out.extend(
            (0..rest)
                .rev()
                .map(|place| 0x80 | (code >> (6 * place)) as u8 & 0x3f),
        );
    }
    out
}

#[cfg(test)]
mod tests;
