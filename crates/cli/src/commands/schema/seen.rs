//! Collects the kinds and ranges of values at each place of many files.

use std::io;

use gdvar_json::{Loss, Style};
use gdvar_view::{Document, ElementType, Error, Event, Kind, Role, VariantRef};
use gdvar_wire::layout::{self, Number};

use crate::{locate::outline::Outline, show::summary};

/// The largest number of texts of a place that are listed.
pub(crate) const FEW: usize = 6;

/// The largest length of a text that is listed, in characters.
const SHORT: usize = 24;

/// The smallest and the largest number, or `None` if there was no number.
pub(crate) type Range<T> = Option<(T, T)>;

/// The values that were seen at a place: their kinds and ranges.
#[derive(Clone, Debug)]
pub(crate) struct PlaceValues {
    pub(crate) values: u64,
    /// The number of values of each kind.
    pub(crate) kinds: [u64; Kind::COUNT],
    pub(crate) ints: Range<i64>,
    pub(crate) floats: Range<f64>,
    /// `true` if some float was infinite or NaN.
    pub(crate) odd: bool,
    /// `true` if some component of a vector or element of a packed array was infinite or NaN: JSON has null for it.
    pub(crate) has_null_numbers: bool,
    /// `true` if some object was only an id, which JSON has as a text.
    pub(crate) has_ids: bool,
    /// The lengths of arrays (packed ones too) and of dictionaries.
    pub(crate) lens: Range<u64>,
    /// The lengths of texts, in characters.
    pub(crate) chars: Range<u64>,
    /// The different texts, unless there are many.
    pub(crate) texts: Vec<Box<str>>,
    pub(crate) many: bool,
    /// The different kinds of dictionary keys.
    pub(crate) keys: Vec<Kind>,
    /// The different classes of objects.
    pub(crate) classes: Vec<String>,
    /// The different types of Arrays and Dictionaries. `None` is the type of a container that may hold anything.
    typings: Vec<Option<Typing>>,
}

/// The type of a container that is typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Typing {
    /// For people, on one line: `Array[int]`.
    pub(crate) shown: String,
    /// The type as scripts of Godot 4 write it. `None` if a script cannot name the type.
    pub(crate) script: Option<String>,
}

impl Typing {
    /// Returns the type of a typed Array or Dictionary, and `None` for every other value.
    fn of(value: VariantRef<'_>) -> Option<Typing> {
        let types = match (value.as_array(), value.as_dict()) {
            (Some(array), _) => vec![array.element_type()],
            (_, Some(dict)) => vec![dict.key_type(), dict.value_type()],
            _ => return None,
        };
        if types.iter().all(|one| *one == ElementType::Untyped) {
            return None;
        }
        let names: Option<Vec<String>> = types.iter().map(|one| name_in_script(*one)).collect();
        Some(Typing {
            shown: summary::type_of(value),
            script: names.map(|names| format!("{}[{}]", value.kind().name(), names.join(", "))),
        })
    }
}

/// Returns the name of a type in scripts. `None` if a script cannot name the type, for example a type that is a script.
fn name_in_script(one: ElementType<'_>) -> Option<String> {
    match one {
        ElementType::Untyped => Some("Variant".to_owned()),
        ElementType::Builtin(_, kind) => kind.map(|kind| summary::scalar_name(kind).to_owned()),
        ElementType::Class(class) => {
            let class = class.to_str().ok()?;
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_class = class.starts_with(|c: char| c.is_ascii_alphabetic());
            (is_class && class.chars().all(is_name)).then(|| class.to_owned())
        }
        ElementType::Script(_) => None,
    }
}

impl Default for PlaceValues {
    fn default() -> PlaceValues {
        PlaceValues {
            values: 0,
            kinds: [0; Kind::COUNT],
            ints: None,
            floats: None,
            odd: false,
            has_null_numbers: false,
            has_ids: false,
            lens: None,
            chars: None,
            texts: Vec::new(),
            many: false,
            keys: Vec::new(),
            classes: Vec::new(),
            typings: Vec::new(),
        }
    }
}

fn wider<T: PartialOrd + Copy>(range: &mut Range<T>, (from, to): (T, T)) {
    let (least, most) = range.unwrap_or((from, to));
    *range = Some((
        if from < least { from } else { least },
        if to > most { to } else { most },
    ));
}

fn once<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if all.len() < 64 && !all.contains(&one) {
        all.push(one);
    }
}

/// Returns `true` if the JSON of a value without children has null in place of a number.
fn has_null_numbers(value: VariantRef<'_>) -> bool {
    let reals = layout::numbers(value.kind()).is_some_and(|(number, _)| is_real(number));
    let report = || gdvar_json::write(value, Style::Plain, io::sink()).ok();
    reals && report().is_some_and(|report| report.count(Loss::NotFinite) > 0)
}

/// Returns `true` for `float`, of either width.
pub(crate) fn is_real(number: Number) -> bool {
    matches!(number, Number::F32 | Number::F64 | Number::Real)
}

impl PlaceValues {
    fn add(&mut self, value: VariantRef<'_>) {
        self.values += 1;
        self.kinds[value.kind() as usize] += 1;
        if let Some(int) = value.as_i64() {
            wider(&mut self.ints, (int, int));
        }
        match value.as_f64() {
            Some(float) if float.is_finite() => wider(&mut self.floats, (float, float)),
            Some(_) => self.odd = true,
            None => self.has_null_numbers |= has_null_numbers(value),
        }
        self.has_ids |=
            { value.as_object() }.is_some_and(|object| object.id().is_some() && !object.is_null());
        let len = match (value.as_array(), value.as_dict(), value.packed_len()) {
            (Some(array), ..) => Some(array.len()),
            (_, Some(dict), _) => Some(dict.len()),
            (.., len) => len,
        };
        if let Some(len) = len {
            wider(&mut self.lens, (len as u64, len as u64));
        }
        if let Some(text) = value.as_text() {
            let text = String::from_utf8_lossy(text.as_bytes());
            let chars = text.chars().count();
            wider(&mut self.chars, (chars as u64, chars as u64));
            if chars > SHORT {
                self.many = true;
            } else if !self.many {
                once(&mut self.texts, text.into());
                self.many = self.texts.len() > FEW;
            }
        }
        if matches!(value.kind(), Kind::Array | Kind::Dictionary) {
            once(&mut self.typings, Typing::of(value));
        }
        if let Some(class) = value.as_object().and_then(|object| object.class()) {
            once(&mut self.classes, summary::name(class));
        }
    }

    /// Adds what was seen at another place.
    pub(crate) fn merge(&mut self, other: PlaceValues) {
        self.values += other.values;
        for (own, more) in self.kinds.iter_mut().zip(other.kinds) {
            *own += more;
        }
        if let Some(range) = other.ints {
            wider(&mut self.ints, range);
        }
        if let Some(range) = other.floats {
            wider(&mut self.floats, range);
        }
        if let Some(range) = other.lens {
            wider(&mut self.lens, range);
        }
        if let Some(range) = other.chars {
            wider(&mut self.chars, range);
        }
        self.odd |= other.odd;
        self.has_null_numbers |= other.has_null_numbers;
        self.has_ids |= other.has_ids;
        other
            .texts
            .into_iter()
            .for_each(|text| once(&mut self.texts, text));
        self.many |= other.many || self.texts.len() > FEW;
        other
            .keys
            .into_iter()
            .for_each(|kind| once(&mut self.keys, kind));
        other
            .classes
            .into_iter()
            .for_each(|class| once(&mut self.classes, class));
        other
            .typings
            .into_iter()
            .for_each(|typing| once(&mut self.typings, typing));
    }

    /// Returns the type of the containers at this place. `None` if they have different types or none.
    pub(crate) fn typing(&self) -> Option<&Typing> {
        match &self.typings[..] {
            [typing] => typing.as_ref(),
            _ => None,
        }
    }

    /// Returns `true` if a container at this place is typed.
    pub(crate) fn has_typed(&self) -> bool {
        self.typings.iter().any(Option::is_some)
    }

    /// Returns the kinds that were seen, without null.
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        let seen = |kind: &Kind| self.kinds[*kind as usize] > 0 && *kind != Kind::Nil;
        Kind::ALL.iter().copied().filter(seen).collect()
    }

    /// Returns the only kind besides null. `None` if there are several or none.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self.kinds()[..] {
            [kind] => Some(kind),
            _ => None,
        }
    }

    /// Returns `true` if null was seen.
    pub(crate) fn has_null(&self) -> bool {
        self.kinds[Kind::Nil as usize] > 0
    }

    /// Returns the number of values that have keys: dictionaries and objects.
    pub(crate) fn keyed(&self) -> u64 {
        self.kinds[Kind::Dictionary as usize] + self.kinds[Kind::Object as usize]
    }
}

/// The values of many files, by place.
pub(crate) struct Gather {
    pub(crate) files: u64,
    pub(crate) records: u64,
    pub(crate) outline: Outline<PlaceValues>,
}

impl Gather {
    pub(crate) fn new() -> Gather {
        Gather {
            files: 0,
            records: 0,
            outline: Outline::new(),
        }
    }

    /// Adds a value and everything in it, in linear time.
    pub(crate) fn add(&mut self, document: Document<'_>) -> Result<(), Error> {
        self.records += 1;
        let mut events = document.events();
        // The places of the open containers.
        let mut around: Vec<usize> = Vec::new();
        let mut name: Option<String> = None;
        while let Some(event) = events.try_next()? {
            let parent = around.last().copied().unwrap_or(0);
            let (value, begins) = match event {
                Event::End => {
                    around.pop();
                    continue;
                }
                Event::Property(text) => {
                    name = Some(String::from_utf8_lossy(text.as_bytes()).into_owned());
                    continue;
                }
                Event::Value(value) => (value, false),
                Event::Begin(value) => (value, true),
            };
            let role = events.role();
            if role == Role::Key {
                once(&mut self.outline.at(parent).keys, value.kind());
                name = value
                    .as_text()
                    .map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned());
                if begins {
                    events.pass_children()?;
                }
                continue;
            }
            let place = match (role, name.take()) {
                (Role::Root, _) => 0,
                (Role::Value | Role::Property, Some(name)) => self.outline.key(parent, &name),
                _ => self.outline.any(parent),
            };
            self.outline.at(place).add(value);
            if begins {
                around.push(place);
            }
        }
        Ok(())
    }
}
