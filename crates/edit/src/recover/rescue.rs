//! The way into a damaged value, container by container, up to the damage.

use gdvar_view::{Document, HeaderWord, Kind, Limits, ReadOptions};

use gdvar_write::wire::ElementTyping;

use super::{Lost, Recovered, splice, whole};
use crate::{
    ReadError,
    container::Name,
    plan::{Plan, word},
    trail::{self, Trail},
};

/// The bit that Godot 2 sets in counts (`docs/FORMAT.md` §4.2).
const SHARED: u32 = 1 << 31;

/// The form of the children of a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Items,
    Pairs,
    Properties,
}

/// A container of which a child is damaged.
struct Open {
    form: Form,
    count_at: usize,
    count: usize,
    /// The number of children in front that are whole, and where the last of them ends.
    whole: usize,
    end: usize,
    /// How long its path is.
    path: usize,
}

impl Open {
    /// The container that begins at `at`, whatever is wrong with its children and their number. An error in
    /// front of that concerns all of it.
    fn of(bytes: &[u8], at: usize, options: ReadOptions, depth: u16) -> Option<Open> {
        let dialect = options.dialect();
        let value = bytes.get(at..)?;
        let header = HeaderWord(u32::from_le_bytes(*value.first_chunk()?));
        let kind = dialect.kind(header.type_id())?;
        let flags = header.flags();
        let typings = match kind {
            Kind::Array => [Some(flags.element_typing()), None],
            Kind::Dictionary => [Some(flags.element_typing()), Some(flags.value_typing())],
            _ => [None, None],
        };
        let mut place = 4;
        let (form, types) = match kind {
            Kind::Array => (Form::Items, dialect.has_typed_containers()),
            Kind::Dictionary => (Form::Pairs, dialect.has_typed_containers()),
            Kind::Object if !flags.object_as_id() && dialect.has_object_payload() => {
                place += field(value, place)?;
                (Form::Properties, false)
            }
            Kind::TypedArray | Kind::PackedTypedArray => {
                let id = gdvar_view::TypeId(word(value, 4) as u8);
                place += 4;
                if dialect.kind(id) == Some(Kind::Object) && !flags.object_as_id() {
                    // The class is a StringName, with its header.
                    place += 4 + field(value, place + 4)?;
                }
                (Form::Items, false)
            }
            _ => return None,
        };
        for typing in typings.into_iter().flatten().filter(|_| types) {
            place += match typing {
                ElementTyping::None => 0,
                ElementTyping::Builtin => 4,
                ElementTyping::Class | ElementTyping::Script => field(value, place)?,
            };
        }
        let count = value.get(place..place + 4)?.first_chunk()?;
        let count = u32::from_le_bytes(*count) & !SHARED;
        let empty = [value.get(..place)?, &[0; 4]].concat();
        whole(&empty, options, depth).ok()?;
        Some(Open {
            form,
            count_at: at + place,
            count: count as usize,
            whole: 0,
            end: at + place + 4,
            path: 0,
        })
    }
}

/// The number of bytes that a text field takes (`docs/FORMAT.md` §3.2).
fn field(bytes: &[u8], at: usize) -> Option<usize> {
    let word = *bytes.get(at..)?.first_chunk()?;
    let size = 4 + (u32::from_le_bytes(word) as usize).next_multiple_of(4);
    bytes.get(at..at.checked_add(size)?).map(|_| size)
}

/// The next child of a container.
enum Next {
    /// It is whole, and ends there.
    Whole(usize),
    /// It is damaged: the step to it, where it begins, and what is wrong with it.
    Damaged(String, usize, ReadError),
    /// Its key or name is damaged.
    NoName,
}

pub(super) struct Rescue<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    /// The error, at its place in the bytes as a whole.
    error: ReadError,
    open: Vec<Open>,
    trail: Trail,
}

impl<'a> Rescue<'a> {
    pub(super) fn new(document: Document<'a>, error: ReadError) -> Rescue<'a> {
        Rescue {
            bytes: document.bytes(),
            options: document.options(),
            error,
            open: Vec::new(),
            trail: Trail::new(),
        }
    }

    pub(super) fn run(mut self) -> Recovered<'a> {
        self.open.extend(Open::of(self.bytes, 0, self.options, 0));
        let mut damaged = self.trail.as_str().to_owned();
        while let Some(next) = self.next() {
            let depth = self.open.len();
            let Some(inner) = self.open.last_mut() else {
                break;
            };
            match next {
                // A count that is too large for the bytes that are left says nothing of those that are there.
                Next::Whole(end)
                    if end <= self.error.offset() || self.error.offset() <= inner.count_at =>
                {
                    inner.whole += 1;
                    inner.end = end;
                }
                // The error is no matter of one child alone: a key that stands there again.
                Next::Whole(_) => {
                    damaged = format!("{}{{{}}}", self.trail.as_str(), inner.whole);
                    break;
                }
                Next::NoName => {
                    damaged = format!("{}{{{}:key}}", self.trail.as_str(), inner.whole);
                    break;
                }
                Next::Damaged(step, at, error) => {
                    self.error = error;
                    damaged = format!("{}{step}", self.trail.as_str());
                    let depth = u16::try_from(depth).unwrap_or(u16::MAX);
                    let Some(mut child) = Open::of(self.bytes, at, self.options, depth) else {
                        break;
                    };
                    self.trail.push_step(&step);
                    child.path = self.trail.len();
                    self.open.push(child);
                }
            }
        }
        self.end(damaged)
    }

    fn at(&self, place: usize) -> &'a [u8] {
        self.bytes.get(place..).unwrap_or_default()
    }

    /// Looks at the next child of the innermost container.
    fn next(&self) -> Option<Next> {
        let open = self.open.last()?;
        if open.whole == open.count {
            return None;
        }
        let depth = u16::try_from(self.open.len()).unwrap_or(u16::MAX);
        let mut at = open.end;
        let mut step = format!("[{}]", open.whole);
        match open.form {
            Form::Items => {}
            Form::Pairs => {
                let Ok(size) = whole(self.at(at), self.options, depth) else {
                    return Some(Next::NoName);
                };
                step = self.step(self.at(at), open.whole);
                at += size;
            }
            Form::Properties => {
                let Some(size) = field(self.bytes, at) else {
                    return Some(Next::NoName);
                };
                // The text is looked at as that of a String is.
                let text = [&[4, 0, 0, 0], self.at(at).get(..size).unwrap_or_default()].concat();
                if whole(&text, self.options, depth).is_err() {
                    return Some(Next::NoName);
                }
                step = self.step(&text, open.whole);
                at += size;
            }
        }
        Some(match whole(self.at(at), self.options, depth) {
            Ok(size) => Next::Whole((at + size).min(self.bytes.len())),
            Err(error) => Next::Damaged(step, at, error.at(at)),
        })
    }

    /// The step to the child of that key.
    fn step(&self, key: &[u8], nth: usize) -> String {
        let deep = self.options.with_limits(Limits::MOST);
        let key = Document::with_options(key, deep).root();
        trail::step(key.map_or(Name::Place, Name::Key), nth)
    }

    /// Ends all open containers where the last whole child ends.
    fn end(mut self, damaged: String) -> Recovered<'a> {
        // An inner container without a whole child goes with its children.
        while self.open.len() > 1 && self.open.last().is_some_and(|inner| inner.whole == 0) {
            self.open.pop();
        }
        let mut splices = Vec::new();
        let mut lost = Vec::new();
        for (n, one) in self.open.iter().enumerate() {
            // The next one inside is kept in part.
            let count = one.whole + usize::from(n + 1 < self.open.len());
            // Elsewhere the bit means nothing, and no engine writes it.
            let has_shared = self.options.dialect().has_shared_containers();
            let shared = if has_shared { SHARED } else { 0 } & word(self.bytes, one.count_at);
            let new = (count as u32 | shared).to_le_bytes().to_vec();
            splices.push(splice(one.count_at, one.count_at + 4, new));
            if count < one.count {
                let path = match n {
                    0 => "$",
                    _ => self.trail.as_str().get(..one.path).unwrap_or_default(),
                };
                lost.push(Lost {
                    path: path.to_owned(),
                    from: count,
                    of: one.count,
                });
            }
        }
        if let Some(innermost) = self.open.last() {
            // The bytes may end inside the padding of a child that is whole but for that.
            let is_cut = innermost.end == self.bytes.len();
            let padding = super::padding(innermost.end, self.options);
            let padding = vec![0; if is_cut { padding } else { 0 }];
            splices.push(splice(innermost.end, self.bytes.len(), padding));
        }
        let plan = match self.open.is_empty() {
            true => None,
            false => Plan::new(self.bytes, splices).ok(),
        };
        Recovered {
            plan,
            lost,
            damage: Some(self.error),
            damaged: Some(damaged),
        }
    }
}
