//! Converts the value of a resource or scene back to sections. Whole resources inside the value become
//! sections of their own, and references take their place.

use std::collections::HashMap;

use gdvar_text::Builder;
use gdvar_view::{Dialect, Document, Event, StrRef, VariantRef};

use crate::{
    expand::{ID, is_root_name, root_name},
    parts::{Part, Parts, Wanted},
    references::{self, Own},
    replace::ReplaceError,
    scanner::read_options,
    text_document::Form,
};

type Result<T> = std::result::Result<T, ReplaceError>;

/// An object whose properties are being read into a section of its own.
struct Open {
    part: Part,
    /// The number of containers that are open while the direct properties of this object are read.
    inside: usize,
    /// The properties that were read so far. The value of the last one is not complete.
    wanted: Wanted,
    /// `true` if the current property of the root exists only to hold a resource: see
    /// [`root_name`].
    skips: bool,
}

/// Converts the value of a resource or scene to its sections. The time is linear in the length of
/// the value.
pub(crate) fn collapse(contents: &[u8], form: Form, dialect: Dialect) -> Result<Parts> {
    let mut collapser = Collapser {
        contents,
        dialect,
        parts: HashMap::new(),
    };
    let root = Document::with_options(contents, read_options(dialect)).root()?;
    match form {
        Form::Scene => collapser.scene(root)?,
        _ => {
            let is_object = root
                .as_object()
                .is_some_and(|object| object.class().is_some());
            if !is_object {
                let what = "an object, which is the resource";
                return Err(ReplaceError::Form(
                    what,
                    "the contents of a resource".to_owned(),
                ));
            }
            collapser.object(root, Part::Main, true)?;
        }
    }
    Ok(collapser.parts)
}

struct Collapser<'c> {
    contents: &'c [u8],
    dialect: Dialect,
    parts: Parts,
}

impl Collapser<'_> {
    fn scene(&mut self, root: VariantRef<'_>) -> Result<()> {
        let form = |what, place: &str| ReplaceError::Form(what, place.to_owned());
        let place = "the contents of a scene";
        let dict = { root.as_dict() }
            .ok_or_else(|| form("a Dictionary with nodes, connections and editable", place))?;
        let mut pairs = dict.iter();
        while let Some((key, value)) = pairs.try_next()? {
            let key = key
                .as_str()
                .ok_or_else(|| form("keys that are Strings", place))?;
            let tag = match key {
                "nodes" => "node",
                "connections" => "connection",
                "editable" => "editable",
                _ => {
                    self.rest(key, value)?;
                    continue;
                }
            };
            let list = value.as_array().ok_or_else(|| form("an Array", key))?;
            let mut items = list.iter();
            let mut count = 0;
            while let Some(item) = items.try_next()? {
                let part = Part::Tag(tag, count);
                match (tag, item.as_object().is_some(), item.as_dict()) {
                    ("node", true, _) => self.object(item, part, false)?,
                    ("connection" | "editable", _, Some(dict)) => {
                        let mut wanted = Wanted::default();
                        let mut pairs = dict.iter();
                        while let Some((name, value)) = pairs.try_next()? {
                            let name = name
                                .as_str()
                                .ok_or_else(|| form("keys that are Strings", key))?;
                            let value = self.value(value)?;
                            wanted.properties.push((name.to_owned(), value));
                        }
                        self.add(part, wanted)?;
                    }
                    _ => return Err(form("nodes that are objects, the others Dictionaries", key)),
                }
                count += 1;
            }
        }
        Ok(())
    }

    /// Reads a property of the root that exists only to hold a resource: see [`root_name`].
    fn rest(&mut self, name: &str, value: VariantRef<'_>) -> Result<()> {
        let own = self.owned_by(value)?;
        match own {
            Some((own, id)) if root_name(own, &id) == name => {
                self.value(value)?;
                Ok(())
            }
            _ => {
                let what = "only the keys nodes, connections and editable";
                Err(ReplaceError::Form(what, name.to_owned()))
            }
        }
    }

    fn add(&mut self, part: Part, wanted: Wanted) -> Result<()> {
        let name = part.place();
        match self.parts.insert(part, wanted) {
            None => Ok(()),
            Some(_) => Err(ReplaceError::Inexpressible(format!("{name} twice"))),
        }
    }

    /// Returns the kind and the id of an external or internal resource if `value` is that whole
    /// resource, and not only a reference to it. Returns `None` for other values.
    fn owned_by(&self, value: VariantRef<'_>) -> Result<Option<(Own, String)>> {
        let Some(object) = value.as_object() else {
            return Ok(None);
        };
        let is_external = { object.class() }.is_some_and(|class| class == *"ExtResource");
        let Some((name, id)) = object.iter().try_next()? else {
            return Ok(None);
        };
        let own = match (is_external, name.to_str()) {
            (true, Ok("id")) if object.len() > 1 => Own::External,
            (false, Ok(ID)) => Own::Internal,
            _ => return Ok(None),
        };
        // One that the file does not have is a new one.
        Ok(Some((own, id.as_str().unwrap_or_default().to_owned())))
    }

    fn reference(&self, own: Own, id: &str) -> Result<Vec<u8>> {
        let mut out = Builder::new(self.dialect);
        let unwritten = |_| ReplaceError::Inexpressible(root_name(own, id));
        references::write(&mut out, own, id).map_err(unwritten)?;
        Ok(out.bytes)
    }

    /// Reads the properties of an object and stores them for the section `part`.
    fn object(&mut self, value: VariantRef<'_>, part: Part, is_root: bool) -> Result<()> {
        self.walk(value, Some((part, is_root)))?;
        Ok(())
    }

    /// Returns a copy of a value in which references replace whole resources.
    fn value(&mut self, value: VariantRef<'_>) -> Result<Vec<u8>> {
        self.walk(value, None)
    }

    fn walk(&mut self, value: VariantRef<'_>, as_part: Option<(Part, bool)>) -> Result<Vec<u8>> {
        let start = value.offset();
        let document = Document::with_options(&self.contents[start..], read_options(self.dialect));
        let mut events = document.events();
        let mut out = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        let mut first = as_part;
        loop {
            // The walk must stop here, because the document continues after the value.
            if at > 0 && events.open() == 0 {
                break;
            }
            let Some(event) = events.try_next()? else {
                break;
            };
            let bytes = &self.contents[start + at..start + events.position()];
            at = events.position();
            match event {
                Event::Begin(value) => {
                    let part = match first.take() {
                        Some((part, _)) => Some(part),
                        None => self.owned_by(value)?.map(|(own, id)| Part::Own(own, id)),
                    };
                    if let Some(part) = part {
                        if let (Part::Own(own, id), false) =
                            (&part, open.last().is_some_and(|open| open.skips))
                        {
                            target(&mut open, &mut out).extend(self.reference(*own, id)?);
                        }
                        let class = value.as_object().and_then(|object| object.class());
                        let class = class.filter(|class| part.has_class() && *class != *"");
                        open.push(Open {
                            part,
                            inside: events.open(),
                            wanted: Wanted {
                                class: class.map(text).transpose()?,
                                properties: Vec::new(),
                            },
                            skips: false,
                        });
                    } else {
                        refuse_skipped(&open, events.open() - 1)?;
                        target(&mut open, &mut out).extend_from_slice(bytes);
                    }
                }
                Event::Property(name)
                    if open.last().is_some_and(|open| open.inside == events.open()) =>
                {
                    if let Some(open) = open.last_mut() {
                        let name = text(name)?;
                        open.skips = open.part == Part::Main && is_root_name(&name);
                        open.wanted.properties.push((name, Vec::new()));
                    }
                }
                Event::End
                    if open
                        .last()
                        .is_some_and(|open| open.inside == events.open() + 1) =>
                {
                    if let Some(mut closed) = open.pop() {
                        if closed.part == Part::Main {
                            closed
                                .wanted
                                .properties
                                .retain(|(name, _)| !is_root_name(name));
                        }
                        if matches!(closed.part, Part::Own(Own::Internal, _)) {
                            closed.wanted.properties.remove(0);
                        }
                        self.add(closed.part, closed.wanted)?;
                    }
                }
                event => {
                    if matches!(event, Event::Value(_)) {
                        refuse_skipped(&open, events.open())?;
                    }
                    target(&mut open, &mut out).extend_from_slice(bytes);
                }
            }
        }
        Ok(out)
    }
}

impl Part {
    fn has_class(&self) -> bool {
        !matches!(self, Part::Own(Own::External, _))
    }
}

/// Fails if the value is not a whole resource, but the current property of the root exists only to
/// hold one. `depth` is the number of containers that enclose the value.
fn refuse_skipped(open: &[Open], depth: usize) -> Result<()> {
    match open.last() {
        Some(open) if open.skips && open.inside == depth => Err(ReplaceError::Inexpressible(
            "another value in the place of a resource".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// Returns the buffer that the bytes of the current value are appended to.
fn target<'t>(open: &'t mut [Open], out: &'t mut Vec<u8>) -> &'t mut Vec<u8> {
    match open
        .last_mut()
        .and_then(|open| open.wanted.properties.last_mut())
    {
        Some((_, value)) => value,
        None => out,
    }
}

fn text(text: StrRef<'_>) -> Result<String> {
    Ok(text.to_str()?.to_owned())
}
