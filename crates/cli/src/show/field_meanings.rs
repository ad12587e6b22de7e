//! Explains the bytes of a field to people.

use gdvar_view::{Dialect, HeaderWord, Kind, Step, TypeId, VariantRef, WireField, WirePart};
use gdvar_wire::{
    ElementTyping, NODE_PATH_ABSOLUTE, NODE_PATH_PROPERTY, SHARED_BIT,
    layout::{self, Number},
};

use crate::{
    show::summary::{self, Cut, Item},
    terminal::words::{count, plural},
};

/// Describes a field with the bytes `bytes`. `value` is the value that the field belongs to, if its head can be read.
pub(crate) fn of(
    field: WireField,
    bytes: &[u8],
    value: Option<VariantRef<'_>>,
    dialect: Dialect,
) -> String {
    let word = || bytes.first_chunk().copied().map_or(0, u32::from_le_bytes);
    let long = || bytes.first_chunk().copied().map_or(0, u64::from_le_bytes);
    match field.part {
        WirePart::Header => header(HeaderWord(word()), dialect),
        WirePart::Payload => match value {
            Some(value) if value.kind() == Kind::Image => plural(bytes.len() as u64, "byte"),
            Some(value) => payload(value),
            None => String::new(),
        },
        WirePart::Length => count(word().into()),
        WirePart::Text => summary::quoted_bytes(bytes, Cut::LINE),
        WirePart::Nul => "ends the text".to_owned(),
        WirePart::Padding if bytes.iter().all(|&byte| byte == 0) => String::new(),
        WirePart::Padding => "left unset".to_owned(),
        WirePart::Count => {
            let shared = value.is_some_and(VariantRef::has_children) && word() & SHARED_BIT != 0;
            let (number, shared) = if shared {
                (word() & !SHARED_BIT, ", shared")
            } else {
                (word(), "")
            };
            format!("{}{shared}", count(number.into()))
        }
        WirePart::Elements | WirePart::Body => plural(bytes.len() as u64, "byte"),
        WirePart::TypeNumber => {
            let number = word() & !SHARED_BIT;
            let kind = u8::try_from(number)
                .ok()
                .and_then(|id| dialect.kind(TypeId(id)));
            kind.map_or_else(
                || number.to_string(),
                |kind| format!("{number} {}", summary::kind_name(dialect, kind)),
            )
        }
        WirePart::NameCount | WirePart::SubNameCount => count((word() & !SHARED_BIT).into()),
        WirePart::Flags => {
            let place = if word() & NODE_PATH_ABSOLUTE != 0 {
                "absolute"
            } else {
                "relative"
            };
            let property = if word() & NODE_PATH_PROPERTY != 0 {
                ", a property"
            } else {
                ""
            };
            format!("{place}{property}")
        }
        WirePart::InstanceId => long().to_string(),
        WirePart::Trailing => format!(
            "{}, which the engine does not read",
            plural(bytes.len() as u64, "byte")
        ),
        WirePart::Unread => plural(bytes.len() as u64, "byte"),
        _ => word().to_string(),
    }
}

/// Describes a header: the type, and what its flags mean.
fn header(word: HeaderWord, dialect: Dialect) -> String {
    let Some(kind) = dialect.kind(word.type_id()) else {
        return format!("type {}", word.type_id());
    };
    let mut text = summary::kind_name(dialect, kind).to_owned();
    let flags = word.flags();
    let has_flag = dialect.defined_flags(word.type_id()).0 & flags.0 != 0;
    let typing = |typing| match typing {
        ElementTyping::None => "",
        ElementTyping::Builtin => " of a type",
        ElementTyping::Class => " of a class",
        ElementTyping::Script => " of a script",
    };
    match kind {
        Kind::Array if has_flag => text += typing(flags.element_typing()),
        Kind::Dictionary if has_flag => {
            if flags.element_typing() != ElementTyping::None {
                text += &format!(", keys{}", typing(flags.element_typing()));
            }
            if flags.value_typing() != ElementTyping::None {
                text += &format!(", values{}", typing(flags.value_typing()));
            }
        }
        Kind::Object if has_flag => text += " as id",
        Kind::TypedArray | Kind::PackedTypedArray => {}
        _ if has_flag => text += ", 64-bit",
        _ => {}
    }
    if !dialect.is_canonical_header(word) {
        text += &format!(", bits that mean nothing ({:#010x})", word.0);
    }
    text
}

/// Describes a payload by its value.
fn payload(value: VariantRef<'_>) -> String {
    let text = summary::leaf(value, Cut::LINE);
    // Leaves out the type in `Vector2(10, 20)`, because the header shows it.
    let name = summary::kind(value);
    match text.strip_prefix(name) {
        Some(parts) => parts.to_owned(),
        None => text,
    }
}

/// The numbers in a payload, or in the elements of a packed array. Each has a name (`x`, `y`), and all have the same
/// size.
pub(crate) struct FieldNumbers<'a> {
    value: VariantRef<'a>,
    number: Number,
    names: &'static [&'static str],
    bytes: &'a [u8],
}

impl<'a> FieldNumbers<'a> {
    /// Returns the numbers of a field. `None` if it is not made of numbers.
    pub(crate) fn of(
        field: WireField,
        bytes: &'a [u8],
        value: Option<VariantRef<'a>>,
    ) -> Option<FieldNumbers<'a>> {
        let value = value?;
        if !matches!(field.part, WirePart::Payload | WirePart::Elements) {
            return None;
        }
        let (number, names) = layout::numbers(value.kind())?;
        Some(FieldNumbers {
            value,
            number,
            names,
            bytes,
        })
    }

    /// Returns the size of one number in bytes.
    pub(crate) fn size(&self) -> usize {
        self.number.size(self.value.is_wide())
    }

    /// Returns the size of the value, or of an element of the array, in bytes.
    pub(crate) fn element(&self) -> usize {
        self.size() * self.names.len()
    }

    /// Returns the size in bytes of the parts that are described one by one: the elements of an array, or the numbers
    /// of another value.
    pub(crate) fn unit(&self) -> usize {
        if self.value.kind().is_packed() {
            self.element()
        } else {
            self.size()
        }
    }

    /// Returns the name of the number's type: `f32`.
    pub(crate) fn stored(&self) -> &'static str {
        self.number.name(self.value.is_wide())
    }

    /// Returns the path from the value to the number at byte `at`: `.origin.x`, `[3].y`.
    pub(crate) fn path(&self, at: usize) -> String {
        let nth = at / self.size();
        let name = self.names[nth % self.names.len()];
        let mut path = String::new();
        if self.value.kind().is_packed() {
            path = format!("[{}]", nth / self.names.len());
        }
        if !name.is_empty() {
            path = format!("{path}.{name}");
        }
        path
    }

    /// Formats the number at byte `at`.
    pub(crate) fn text(&self, at: usize) -> String {
        let at = at / self.size() * self.size();
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let text = match (self.stored(), bytes.first_chunk(), bytes.first_chunk()) {
            ("u8", ..) => bytes.first().map(u8::to_string),
            ("i32", Some(&raw), _) => Some(i32::from_le_bytes(raw).to_string()),
            ("f32", Some(&raw), _) => Some(summary::real_text(f32::from_le_bytes(raw))),
            ("i64", _, Some(&raw)) => Some(i64::from_le_bytes(raw).to_string()),
            ("f64", _, Some(&raw)) => Some(summary::real_text(f64::from_le_bytes(raw))),
            _ => None,
        };
        text.unwrap_or_default()
    }

    /// Lists the elements of the array, or the numbers of the value, that start in the bytes `from..to`.
    pub(crate) fn beginning(&self, from: usize, to: usize) -> String {
        let is_packed = self.value.kind().is_packed();
        let step = self.unit();
        let first = from.div_ceil(step) * step;
        let parts = (first..to).step_by(step).map(|at| {
            if is_packed {
                let n = (at / step) as i64;
                let item = self.value.part(Step::Index(n)).map(Item::of);
                let text = item.map_or_else(String::new, |item| item.text(Cut::LINE));
                let text = text.split_once('(').map_or(&*text, |(_, all)| all);
                let open = if text.ends_with(')') { "(" } else { "" };
                format!("[{n}] {open}{text}")
            } else {
                let path = self.path(at);
                let name = path.trim_start_matches('.');
                format!("{name} {}", self.text(at))
            }
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}
