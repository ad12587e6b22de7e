//! Counts bytes by purpose, type and path.

use gdvar_view::{Document, Kind, Role, VariantRef, WireField, WireFields, WireOwner, WirePart};

use crate::{
    commands::stats::{arrays::Arrays, texts::Texts},
    locate::outline::Outline,
};

/// The purposes of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ByteUse {
    Headers,
    Keys,
    Text,
    Numbers,
    Elements,
    Counts,
    Types,
    Padding,
    Lengths,
    Skipped,
    Trailing,
    Unread,
}

impl ByteUse {
    pub(crate) const ALL: [ByteUse; 12] = [
        ByteUse::Headers,
        ByteUse::Keys,
        ByteUse::Text,
        ByteUse::Numbers,
        ByteUse::Elements,
        ByteUse::Counts,
        ByteUse::Types,
        ByteUse::Padding,
        ByteUse::Lengths,
        ByteUse::Skipped,
        ByteUse::Trailing,
        ByteUse::Unread,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            ByteUse::Headers => "headers",
            ByteUse::Keys => "keys",
            ByteUse::Text => "text",
            ByteUse::Numbers => "numbers",
            ByteUse::Elements => "elements of packed arrays",
            ByteUse::Counts => "lengths and counts",
            ByteUse::Types => "types of containers",
            ByteUse::Padding => "padding",
            ByteUse::Lengths => "around records",
            ByteUse::Skipped => "skipped",
            ByteUse::Trailing => "after values",
            ByteUse::Unread => "unread",
        }
    }

    /// Returns the purpose of a field. A field inside a key is counted as a key by the caller.
    fn of(field: WireField) -> ByteUse {
        match field.part {
            WirePart::Trailing => ByteUse::Trailing,
            WirePart::Unread => ByteUse::Unread,
            _ if field.of == WireOwner::PropertyName => ByteUse::Keys,
            WirePart::Padding | WirePart::Nul => ByteUse::Padding,
            _ if matches!(
                field.of,
                WireOwner::ElementType
                    | WireOwner::KeyType
                    | WireOwner::ValueType
                    | WireOwner::ClassName
            ) =>
            {
                ByteUse::Types
            }
            WirePart::Header => ByteUse::Headers,
            WirePart::Text => ByteUse::Text,
            WirePart::Elements => ByteUse::Elements,
            WirePart::Length | WirePart::Count | WirePart::NameCount | WirePart::SubNameCount => {
                ByteUse::Counts
            }
            _ => ByteUse::Numbers,
        }
    }
}

/// The number of values at a place or of a kind, and their bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub(crate) values: u64,
    /// The bytes of these values, without the values in them.
    pub(crate) own: u64,
}

/// What was counted in some files.
pub(crate) struct Weight {
    pub(crate) files: u64,
    pub(crate) records: u64,
    pub(crate) parts: [u64; ByteUse::ALL.len()],
    /// The values of each kind, with their own bytes.
    pub(crate) kinds: [Spent; Kind::COUNT],
    pub(crate) outline: Outline<Spent>,
    pub(crate) texts: Texts,
    pub(crate) arrays: Arrays,
}

impl Weight {
    pub(crate) fn new() -> Weight {
        Weight {
            files: 0,
            records: 0,
            parts: [0; ByteUse::ALL.len()],
            kinds: [Spent::default(); Kind::COUNT],
            outline: Outline::new(),
            texts: Texts::default(),
            arrays: Arrays::default(),
        }
    }

    /// Returns the number of all bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().sum()
    }

    /// Returns the number of all values, including keys.
    pub(crate) fn values(&self) -> u64 {
        self.kinds.iter().map(|spent| spent.values).sum()
    }

    pub(crate) fn part(&mut self, part: ByteUse, bytes: usize) {
        self.parts[part as usize] += bytes as u64;
    }

    /// Counts the bytes and the values of a record, in linear time.
    pub(crate) fn document(&mut self, document: Document<'_>) {
        let mut fields = document.wire_fields();
        let mut walk = WeightWalk::default();
        while let Some(field) = fields.next() {
            walk.field(self, &fields, field, document.bytes());
        }
        walk.leave(self, 0);
    }

    /// Returns the bytes of each place, including all places below it.
    pub(crate) fn totals(&self) -> Vec<u64> {
        let places = self.outline.places();
        let mut totals: Vec<u64> = places.iter().map(|place| place.data.own).collect();
        for n in (1..places.len()).rev() {
            totals[places[n].parent] += totals[n];
        }
        totals
    }
}

/// The state of the walk over a record.
#[derive(Default)]
struct WeightWalk {
    /// The places of the open containers.
    around: Vec<usize>,
    /// The place of the current value.
    here: usize,
    /// The depth of the current key, while the walk is inside a key.
    key: Option<usize>,
    /// The bytes of the last key or property name. They are added to the place of its value, which follows.
    pending: u64,
    /// The text of the last key or property name.
    name: Option<String>,
}

impl WeightWalk {
    fn field(&mut self, all: &mut Weight, fields: &WireFields<'_>, field: WireField, bytes: &[u8]) {
        let len = field.len() as u64;
        let depth = fields.depth();
        let is_start = field.part == WirePart::Header && field.of == WireOwner::Value;
        let mut part = ByteUse::of(field);
        if matches!(part, ByteUse::Trailing | ByteUse::Unread) {
            all.parts[part as usize] += len;
            all.outline.at(0).own += len;
            return;
        }
        // A key ends where the first value outside it starts.
        if is_start && self.key.is_some_and(|key| depth <= key) {
            self.key = None;
        }
        if is_start && fields.role() == Role::Key && self.key.is_none() {
            self.key = Some(depth);
            self.leave(all, depth);
            self.name = fields.value().and_then(text);
        }
        if let Some(value) = fields.value() {
            let spent = &mut all.kinds[value.kind() as usize];
            spent.own += len;
            spent.values += u64::from(is_start);
        }
        if let Some(value) = fields.value().filter(|_| is_start) {
            all.texts.add(value);
            if self.key.is_none() {
                self.arrive(all, value, fields.role(), depth);
            }
        }
        let is_name = field.of == WireOwner::PropertyName;
        if is_name && field.part == WirePart::Text {
            let text = &bytes[field.start..field.end];
            self.name = Some(String::from_utf8_lossy(text).into_owned());
        }
        if self.key.is_some() || is_name {
            part = ByteUse::Keys;
            self.pending += len;
        } else {
            let pending = std::mem::take(&mut self.pending);
            all.outline.at(self.here).own += len + pending;
        }
        all.parts[part as usize] += len;
    }

    /// Enters a value that is not a key: finds its place and counts it.
    fn arrive(&mut self, all: &mut Weight, value: VariantRef<'_>, role: Role, depth: usize) {
        self.leave(all, depth);
        let parent = self.around.last().copied().unwrap_or(0);
        self.here = match (role, self.name.take()) {
            (Role::Root, _) => 0,
            (Role::Value | Role::Property, Some(name)) => all.outline.key(parent, &name),
            _ => all.outline.any(parent),
        };
        all.outline.at(self.here).values += 1;
        all.arrays.value(value, role, depth, self.here);
        if value.has_children() {
            self.around.push(self.here);
        }
    }

    /// Closes containers until `depth` of them are open.
    fn leave(&mut self, all: &mut Weight, depth: usize) {
        self.around.truncate(depth);
        all.arrays.leave(depth);
    }
}

fn text(key: VariantRef<'_>) -> Option<String> {
    let text = key.as_text()?;
    Some(String::from_utf8_lossy(text.as_bytes()).into_owned())
}
