//! A pattern for ImHex.

use std::fmt::Write;

use gdvar::{Dialect, Kind};
use gdvar_wire::layout::Number;

use super::types::{self, Payload, Type, field, may_be_wide};

/// Before the types: `TITLE` is replaced.
const HEAD: &str = "// Made from the tables of gdvar-wire by `UPDATE_DOCS=1 cargo test -p gdvar-conformance --test documents formats`.
#pragma description A value of TITLE, or records of store_var
#pragma endian little
// https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md
#pragma pattern_limit 4000000
#pragma array_limit 4000000
// The engine reads 1024 levels.
#pragma eval_depth 2000

import std.mem;

struct Text {
	u32 length;
	char text[length];
	padding[(4 - length % 4) % 4];
};

";

/// After the list of type numbers.
const COMMON: &str = "using Value;

struct Pair {
	Value key;
	Value value;
};

struct Property {
	Text name;
	Value value;
};

struct NodePath {
	u32 name_word;
	u32 subname_count;
	u32 flags;
	Text names[name_word & 0x7fffffff];
	Text subnames[subname_count + ((flags & 2) >> 1)];
};

struct Object {
	Text class_name;
	if (class_name.length > 0) {
		s32 count;
		if (count > 0)
			Property properties[count];
	}
};

struct PackedByteArray {
	u32 count;
	u8 elements[count];
	padding[(4 - count % 4) % 4];
};

struct PackedStringArray {
	s32 count;
	if (count > 0)
		Text elements[count];
};

";

/// Containers without types.
const UNTYPED: &str = "struct Array {
	u32 count_word;
	Value elements[count_word & 0x7fffffff];
};

struct Dictionary {
	u32 count_word;
	Pair pairs[count_word & 0x7fffffff];
};

";

/// Containers of Godot 4, whose header says which types follow it.
const TYPED: &str = "// 0: none, 1: a type number, 2: the name of a class, 3: the path of a script.
struct ElementType<auto typing> {
	if (typing == 1)
		Kind kind;
	else if (typing >= 2)
		Text name;
};

struct Array<auto header> {
	ElementType<(header >> 16) & 3> element_type;
	u32 count_word;
	Value elements[count_word & 0x7fffffff];
};

struct Dictionary<auto header> {
	ElementType<(header >> 16) & 3> key_type;
	ElementType<(header >> 18) & 3> value_type;
	u32 count_word;
	Pair pairs[count_word & 0x7fffffff];
};

struct Signal {
	Text name;
	u64 object_id;
};

struct RID {
	u64 id;
};

";

/// After the cases of a value.
const TAIL: &str = "	}
};

struct Record {
	u32 length;
	Value value;
};

// A file of store_var begins with the length of its first value; no type number is that large.
struct File {
	u32 first = std::mem::read_unsigned(0, 4);
	if (first % 4 == 0 && first + 4 <= std::mem::size() && (first > KINDS || first + 4 == std::mem::size()))
		Record records[while (!std::mem::eof())];
	else
		Value value;
};

File file @ 0;
";

/// The type of a number; `wide` is the header's bit.
fn number(number: Number, is_wide: bool) -> &'static str {
    match number {
        Number::U8 => "u8",
        Number::I64 => "s64",
        Number::F64 => "double",
        Number::Int if is_wide => "s64",
        Number::Real if is_wide => "double",
        Number::I32 | Number::Int => "s32",
        Number::F32 | Number::Real => "float",
    }
}

/// A struct of numbers.
fn numbers(out: &mut String, name: &str, kind: &str, names: &[&str]) {
    writeln!(out, "struct {name} {{").expect("memory");
    for name in names {
        writeln!(out, "\t{kind} {};", field(name)).expect("memory");
    }
    out.push_str("};\n\n");
}

/// A struct for the numbers of a type, and for a packed array the array of them.
fn fields(out: &mut String, one: &Type, is_wide: bool) {
    let name = name(one, is_wide);
    match one.payload {
        Payload::Numbers(kind, names) => numbers(out, &name, number(kind, is_wide), names),
        Payload::Packed(Number::U8, _) | Payload::Empty | Payload::Own => {}
        Payload::Packed(kind, names) => {
            let element = match names {
                [_] => number(kind, is_wide).to_owned(),
                _ => {
                    let element = format!("{name}Element");
                    numbers(out, &element, number(kind, is_wide), names);
                    element
                }
            };
            write!(
                out,
                "struct {name} {{\n\tu32 count;\n\t{element} elements[count];\n}};\n\n"
            )
            .expect("memory");
        }
    }
}

/// The name of a type's struct.
fn name(one: &Type, is_wide: bool) -> String {
    let name = one.kind.name();
    match (one.kind, is_wide) {
        (Kind::String | Kind::StringName, _) => "Text".to_owned(),
        (_, true) => format!("Wide{name}"),
        (_, false) => name.to_owned(),
    }
}

/// What a value of the type has after its header.
fn case(dialect: Dialect, one: &Type) -> String {
    let narrow = name(one, false);
    match (&one.payload, one.kind) {
        (Payload::Empty, _) => "{}".to_owned(),
        (Payload::Own, Kind::Bool) => "u32 value;".to_owned(),
        (Payload::Own, Kind::Object) => {
            "{ if (header & 0x10000) u64 object_id; else Object value; }".to_owned()
        }
        (Payload::Own, Kind::Array | Kind::Dictionary) if dialect.has_typed_containers() => {
            format!("{narrow}<header> value;")
        }
        (Payload::Numbers(..) | Payload::Packed(..), kind) if may_be_wide(dialect, kind) => {
            let wide = name(one, true);
            format!("{{ if (header & 0x10000) {wide} value; else {narrow} value; }}")
        }
        _ => format!("{narrow} value;"),
    }
}

pub(super) fn describe(dialect: Dialect) -> String {
    let types = types::of(dialect);
    let title = match dialect {
        Dialect::GODOT_4 => "Godot 4",
        _ => "Godot 3",
    };
    let mut out = HEAD.replace("TITLE", title);
    out.push_str("enum Kind : u32 {\n");
    for one in &types {
        writeln!(out, "\t{} = {},", one.kind.name(), one.id).expect("memory");
    }
    out.push_str("};\n\n");
    out.push_str(COMMON);
    out.push_str(match dialect.has_typed_containers() {
        true => TYPED,
        false => UNTYPED,
    });
    for one in &types {
        fields(&mut out, one, false);
        if may_be_wide(dialect, one.kind) {
            fields(&mut out, one, true);
        }
    }
    out.push_str("struct Value {\n\tu32 header;\n\tmatch (header & 0xff) {\n");
    for one in &types {
        writeln!(
            out,
            "\t\t({}): {} // {}",
            one.id,
            case(dialect, one),
            one.kind.name()
        )
        .expect("memory");
    }
    out.push_str(&TAIL.replace("KINDS", &(types.len() - 1).to_string()));
    out
}
