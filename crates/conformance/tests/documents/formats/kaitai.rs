//! A description for Kaitai Struct.

use std::fmt::Write;

use gdvar::{Dialect, Kind};
use gdvar_wire::layout::Number;

use super::types::{self, Payload, Type, field, may_be_wide};

/// Before the list of types: `TITLE` and `NAME` are replaced.
const HEAD: &str = "# Made from the tables of gdvar-wire by `UPDATE_DOCS=1 cargo test -p gdvar-conformance --test documents formats`.
meta:
  id: NAME
  title: A value of TITLE, as var_to_bytes writes it
  application: Godot Engine
  license: MIT OR Apache-2.0
  endian: le
doc: |
  One value, with all of its bytes. A file of store_var, and a stream of put_var, is a sequence of `record`s.
doc-ref: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md
seq:
  - id: root
    type: value
types:
  record:
    seq:
      - id: len_value
        type: u4
      - id: value
        type: value
        size: len_value
  value:
    seq:
      - id: header
        type: u4
      - id: payload
        type:
          switch-on: kind
          cases:
";

/// The rest of a value, and what all dialects have.
const COMMON: &str = "    instances:
      kind:
        value: header & 0xff
        enum: kind
      has_bit_16:
        value: (header & 0x10000) != 0
        doc: 64-bit numbers, or an Object as its id
  nothing: {}
  padded_text:
    doc: The byte length, UTF-8, zeros up to a multiple of four
    seq:
      - id: len_bytes
        type: u4
      - id: bytes
        size: len_bytes
      - id: padding
        size: (4 - len_bytes % 4) % 4
    instances:
      text:
        value: bytes.to_s('UTF-8')
  godot_bool:
    seq:
      - id: word
        type: u4
    instances:
      value:
        value: word != 0
  node_path:
    seq:
      - id: name_word
        type: u4
        doc: Bit 31 is always set
      - id: num_subnames
        type: u4
      - id: flags
        type: u4
        doc: Bit 0 is an absolute path, bit 1 one more sub-name (Godot 2)
      - id: names
        type: padded_text
        repeat: expr
        repeat-expr: num_names
      - id: subnames
        type: padded_text
        repeat: expr
        repeat-expr: num_all_subnames
    instances:
      num_names:
        value: name_word & 0x7fffffff
      num_all_subnames:
        value: num_subnames + ((flags & 2) >> 1)
      is_absolute:
        value: (flags & 1) != 0
  godot_object:
    params:
      - id: is_id
        type: bool
    seq:
      - id: id
        type: u8
        if: is_id
      - id: class_name
        type: padded_text
        if: not is_id
      - id: num_properties
        type: s4
        if: not is_id and class_name.len_bytes > 0
      - id: properties
        type: property
        repeat: expr
        repeat-expr: num_properties
        if: not is_id and class_name.len_bytes > 0 and num_properties > 0
  property:
    seq:
      - id: name
        type: padded_text
      - id: value
        type: value
  pair:
    seq:
      - id: key
        type: value
      - id: value
        type: value
  packed_byte_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        size: num_elements
      - id: padding
        size: (4 - num_elements % 4) % 4
  packed_string_array:
    doc: The length of each text counts a NUL at its end
    seq:
      - id: num_elements
        type: s4
      - id: elements
        type: padded_text
        repeat: expr
        repeat-expr: num_elements
        if: num_elements > 0
";

/// Containers without types.
const UNTYPED: &str = "  dictionary:
    seq:
      - id: count_word
        type: u4
      - id: pairs
        type: pair
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
  godot_array:
    seq:
      - id: count_word
        type: u4
      - id: elements
        type: value
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
";

/// Containers of Godot 4, whose header says which types follow it.
const TYPED: &str = "  element_type:
    params:
      - id: typing
        type: u4
        doc: 0 none, 1 a type number, 2 the name of a class, 3 the path of a script
    seq:
      - id: number
        type: u4
        enum: kind
        if: typing == 1
      - id: name
        type: padded_text
        if: typing >= 2
  dictionary:
    params:
      - id: header
        type: u4
    seq:
      - id: key_type
        type: element_type((header >> 16) & 3)
      - id: value_type
        type: element_type((header >> 18) & 3)
      - id: count_word
        type: u4
      - id: pairs
        type: pair
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
  godot_array:
    params:
      - id: header
        type: u4
    seq:
      - id: element_type
        type: element_type((header >> 16) & 3)
      - id: count_word
        type: u4
      - id: elements
        type: value
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
  signal:
    seq:
      - id: name
        type: padded_text
      - id: object_id
        type: u8
  rid:
    seq:
      - id: id
        type: u8
";

/// A number whose width the header decides.
const WIDE: &str = "  real:
    params:
      - id: wide
        type: bool
    seq:
      - id: narrow_value
        type: f4
        if: not wide
      - id: wide_value
        type: f8
        if: wide
    instances:
      value:
        value: 'wide ? wide_value : narrow_value'
  integer:
    params:
      - id: wide
        type: bool
    seq:
      - id: narrow_value
        type: s4
        if: not wide
      - id: wide_value
        type: s8
        if: wide
    instances:
      value:
        value: 'wide ? wide_value : narrow_value'
";

/// The type of a number.
fn number(number: Number, is_wide: bool) -> &'static str {
    match (number, is_wide) {
        (Number::Int, true) => "integer(wide)",
        (Number::Real, true) => "real(wide)",
        (Number::U8, _) => "u1",
        (Number::I32 | Number::Int, _) => "s4",
        (Number::I64, _) => "s8",
        (Number::F32 | Number::Real, _) => "f4",
        (Number::F64, _) => "f8",
    }
}

/// A type whose fields are numbers.
fn fields(out: &mut String, name: &str, kind: &str, names: &[&str], is_wide: bool) {
    writeln!(out, "  {name}:").expect("memory");
    if is_wide {
        out.push_str("    params:\n      - id: wide\n        type: bool\n");
    }
    out.push_str("    seq:\n");
    for name in names {
        writeln!(out, "      - id: {}\n        type: {kind}", field(name)).expect("memory");
    }
}

/// The type that reads a payload, with its arguments.
fn payload(dialect: Dialect, one: &Type) -> String {
    let argument = match (&one.payload, one.kind) {
        (Payload::Empty, _) => return "nothing".to_owned(),
        (Payload::Own, Kind::String | Kind::StringName) => return "padded_text".to_owned(),
        (Payload::Own, Kind::Array | Kind::Dictionary) if dialect.has_typed_containers() => {
            "(header)"
        }
        (Payload::Own, Kind::Object) => "(has_bit_16)",
        (Payload::Numbers(..) | Payload::Packed(..), kind) if may_be_wide(dialect, kind) => {
            "(has_bit_16)"
        }
        _ => "",
    };
    format!("{}{argument}", one.name)
}

pub(super) fn describe(dialect: Dialect) -> String {
    let types = types::of(dialect);
    let (name, title) = match dialect {
        Dialect::GODOT_4 => ("godot_variant", "Godot 4"),
        _ => ("godot3_variant", "Godot 3"),
    };
    let mut out = HEAD.replace("NAME", name).replace("TITLE", title);
    for one in &types {
        let payload = payload(dialect, one);
        writeln!(out, "            'kind::{}': {payload}", one.name).expect("memory");
    }
    out.push_str(COMMON);
    out.push_str(match dialect.has_typed_containers() {
        true => TYPED,
        false => UNTYPED,
    });
    out.push_str(WIDE);
    for one in &types {
        let is_wide = may_be_wide(dialect, one.kind);
        match one.payload {
            Payload::Numbers(kind, names) => {
                fields(&mut out, &one.name, number(kind, is_wide), names, is_wide);
            }
            Payload::Packed(Number::U8, _) => {}
            Payload::Packed(kind, names) => {
                let element = match names {
                    [_] => number(kind, is_wide).to_owned(),
                    _ => {
                        let name = format!("{}_element", one.name);
                        fields(&mut out, &name, number(kind, is_wide), names, is_wide);
                        match is_wide {
                            true => format!("{name}(wide)"),
                            false => name,
                        }
                    }
                };
                writeln!(out, "  {}:", one.name).expect("memory");
                if is_wide {
                    out.push_str("    params:\n      - id: wide\n        type: bool\n");
                }
                write!(
                    out,
                    "    seq:\n      - id: num_elements\n        type: u4\n      - id: elements\n        \
                     type: {element}\n        repeat: expr\n        repeat-expr: num_elements\n",
                )
                .expect("memory");
            }
            Payload::Empty | Payload::Own => {}
        }
    }
    out.push_str("enums:\n  kind:\n");
    for one in &types {
        writeln!(out, "    {}: {}", one.id, one.name).expect("memory");
    }
    out
}
