//! The shortcut of the visitor: records that are alike are compared with a template and handed over
//! by its outline.

use gdvar_wire::{Kind, pad4, widen};

use super::Visitor;
use crate::{
    events::Role,
    fast::{self, KEPT, Looks, Outline, Pending, REACH, Templates, What},
    options::ReadOptions,
    text::StrRef,
    variant::VariantRef,
    walk::Walk,
};

/// What a walk knows of the records it came by.
#[derive(Debug)]
pub(super) struct Known {
    looks: Looks,
    templates: Templates,
    /// One for each of them.
    outlines: [Outline; KEPT],
}

impl Default for Known {
    fn default() -> Self {
        Known {
            looks: Looks::default(),
            templates: Templates::default(),
            outlines: [Outline::EMPTY; KEPT],
        }
    }
}

/// Where records stand.
#[derive(Clone, Copy)]
struct Place<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    depth: u16,
}

/// Hands over the key at `at`.
#[inline(always)]
fn push_key<'a>(visitor: &mut impl Visitor<'a>, place: &Place<'a>, at: usize) -> Option<()> {
    let (len, text) = place.bytes.get(at + 4..)?.split_first_chunk()?;
    let text = text.get(..u32::from_le_bytes(*len) as usize)?;
    visitor.text(Role::Key, StrRef::new(text, at + 8, place.options));
    Some(())
}

/// Hands over the record at `at`, which has this outline. It matched the template, so all that is
/// looked at is there. Out of line, so that it has all registers to itself.
#[inline(never)]
fn push_record<'a>(
    visitor: &mut impl Visitor<'a>,
    outline: &Outline,
    place: &Place<'a>,
    role: Role,
    at: usize,
) -> Option<()> {
    let Place {
        bytes,
        options,
        depth,
    } = *place;
    let mut rest = bytes.get(at..)?;
    let record = (Kind::Dictionary, false);
    visitor.begin(role, VariantRef::known(bytes, at, options, depth, record));
    let mut near = rest.first_chunk::<REACH>()?;
    for part in outline.parts() {
        if part.role == Role::Value {
            let key = part.key();
            let at = bytes.len() - rest.len() + key.start;
            visitor.text(Role::Key, StrRef::new(near.get(key)?, at, options));
        }
        let at = part.at();
        let value = || {
            let at = bytes.len() - rest.len() + at;
            let depth = depth + u16::from(part.deep);
            VariantRef::known(bytes, at, options, depth, (part.kind, part.wide))
        };
        let payload = near.get(at + 4..)?;
        let wide = u64::from_le_bytes(*payload.first_chunk()?);
        let word = wide as u32;
        match part.what {
            What::Int => visitor.int(part.role, i64::from(word as i32)),
            What::Float => visitor.float(part.role, widen(f32::from_bits(word))),
            What::Bool => visitor.bool(part.role, word != 0),
            What::Text => {
                let len = word as usize;
                let text = rest.get(at + 8..)?;
                let start = bytes.len() - text.len();
                rest = text.get(pad4(len)..)?;
                near = rest.first_chunk()?;
                visitor.text(part.role, StrRef::new(text.get(..len)?, start, options));
            }
            What::Nil => visitor.nil(part.role),
            What::WideInt => visitor.int(part.role, wide as i64),
            What::WideFloat => visitor.float(part.role, f64::from_bits(wide)),
            What::Value => visitor.value(part.role, value()),
            What::Begin => visitor.begin(part.role, value()),
            What::End => visitor.end(),
        }
    }
    visitor.end();
    Some(())
}

/// What hands records over.
struct Push<'v, 'a, V> {
    visitor: &'v mut V,
    outlines: &'v mut [Outline; KEPT],
    place: Place<'a>,
}

impl<'a, V: Visitor<'a>> fast::Records for Push<'_, 'a, V> {
    #[inline(always)]
    fn record(&mut self, which: usize, key: Option<usize>, at: usize) {
        let Some(outline) = self.outlines.get(which) else {
            return;
        };
        let role = match key {
            Some(key) => {
                push_key(self.visitor, &self.place, key);
                Role::Value
            }
            None => Role::Element,
        };
        push_record(self.visitor, outline, &self.place, role, at);
    }

    fn learned(&mut self, which: usize, at: usize) -> bool {
        let Place { bytes, options, .. } = self.place;
        let outline = self.outlines.get_mut(which);
        let learned = outline.and_then(|outline| outline.learn(bytes, at, options.get_dialect()));
        learned.is_some()
    }
}

impl<'a> Walk<'a, true> {
    /// Pushes records that are alike, if such come next. Returns how many bytes may be left when it is
    /// worth to look again.
    #[inline(never)]
    pub(super) fn push_records(
        &mut self,
        visitor: &mut impl Visitor<'a>,
        known: &mut Known,
    ) -> usize {
        let (bytes, dialect) = (self.bytes, self.options.get_dialect());
        let (at, left) = (self.at, self.now.plain_left());
        let depth = self.now.plain_depth();
        let room = usize::from(self.options.max_depth().saturating_sub(depth));
        let mut push = Push {
            visitor,
            outlines: &mut known.outlines,
            place: Place {
                bytes,
                options: self.options,
                depth,
            },
        };
        // What is taken from a record is taken in large steps: the last ones are left to others.
        let Some(bytes) = bytes
            .get(..bytes.len().saturating_sub(REACH))
            .filter(|bytes| at < bytes.len())
        else {
            return 0;
        };
        let now = Pending {
            left,
            is_dict: self.now.is_dict(),
        };
        // Behind a key comes its value, and no record with a key.
        let (end, to_come) = if now.is_dict && left % 2 == 1 {
            (at, left)
        } else {
            let templates = &mut known.templates;
            fast::records::<true>(bytes, at, now, dialect, room, templates, &mut push)
        };
        self.at = end;
        self.now = self.now.with_left(to_come);
        known.looks.note(end, left - to_come);
        self.bytes.len().saturating_sub(known.looks.from())
    }
}
