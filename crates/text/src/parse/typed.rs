//! Converts the elements of typed containers. The engine converts all of them or drops all.

use std::{borrow::Cow, ops::Range};

use gdvar_view::{Document, Objects, ReadOptions, VariantRef};
use gdvar_write::{
    ElementType,
    wire::{Kind, Limits, TypeId},
};

use super::error::ParseErrorKind;
use crate::{
    builder::Builder,
    coerce::{Target, coerce, packed_element},
    error::BuildError,
    leaf::Leaf,
    number_value::Number,
    outline::Outline,
    packed::elements,
    shown::Shown,
    string::path_text,
};

type Result<T> = std::result::Result<T, ParseErrorKind>;

/// An element type, as the text gives it.
#[derive(Clone, PartialEq)]
pub(crate) enum Element<'a> {
    Any,
    Builtin(Kind),
    Object,
    Class(Cow<'a, str>),
    Script(Cow<'a, str>),
}

/// Returns the value that was written to a range of the output.
pub(crate) fn value_of(out: &Builder, range: Range<usize>) -> Option<VariantRef<'_>> {
    let options = ReadOptions::new(out.target().dialect())
        .with_objects(Objects::Inert)
        .with_limits(Limits::MOST);
    Document::with_options(&out.bytes[range], options)
        .root()
        .ok()
}

/// Converts children that do not fit. `types` is the element type, or the types of keys and values
/// alternately. Returns the number of children that are left: all, or none if one cannot be
/// converted. With `exact`, a conversion that changes a number is an error.
pub(crate) fn convert(
    out: &mut Builder,
    first: usize,
    children: &[Range<usize>],
    types: &[Element<'_>; 2],
    exact: bool,
) -> Result<usize> {
    let all = || children.iter().zip(types.iter().cycle());
    if all().all(|(child, element)| element.takes(out, child)) {
        return Ok(children.len());
    }
    let mut converted = Builder::new(out.target());
    for (child, element) in all() {
        if element.takes(out, child) {
            converted.bytes.extend_from_slice(&out.bytes[child.clone()]);
        } else if !element.convert_one(out, child, &mut converted, exact)? {
            out.bytes.truncate(first);
            return Ok(0);
        }
    }
    out.bytes.truncate(first);
    out.bytes.extend_from_slice(&converted.bytes);
    Ok(children.len())
}

impl<'a> Element<'a> {
    pub(crate) fn written(&self) -> ElementType<'_> {
        match self {
            Element::Any => ElementType::Untyped,
            Element::Builtin(kind) => ElementType::Builtin(*kind),
            Element::Object => ElementType::Builtin(Kind::Object),
            Element::Class(name) => ElementType::Class(name),
            Element::Script(path) => ElementType::Script(path),
        }
    }

    /// Returns the type to write for these children. If a child is not an object, a class becomes
    /// "any".
    pub(crate) fn settled<'b>(
        &self,
        out: &Builder,
        mut children: impl Iterator<Item = &'b Range<usize>>,
    ) -> Element<'a> {
        match self {
            Element::Class(_) if !children.all(|c| self.takes(out, c)) => Element::Any,
            _ => self.clone(),
        }
    }

    fn takes(&self, out: &Builder, child: &Range<usize>) -> bool {
        let kind = out.target().dialect().kind(TypeId(out.bytes[child.start]));
        match self {
            Element::Any => true,
            Element::Builtin(wanted) => kind == Some(*wanted),
            _ => matches!(kind, Some(Kind::Object | Kind::Nil)),
        }
    }

    /// Converts one child as the engine does. With `exact`, a conversion that changes a number is
    /// an error.
    fn convert_one(
        &self,
        out: &Builder,
        child: &Range<usize>,
        to: &mut Builder,
        exact: bool,
    ) -> Result<bool> {
        // Reading cannot fail, because these bytes were written here.
        let Some(value) = value_of(out, child.clone()) else {
            return Ok(false);
        };
        let &Element::Builtin(wanted) = self else {
            return Ok(false);
        };
        match (value.kind(), wanted) {
            (from @ Kind::String, Kind::Color) | (from @ Kind::Basis, Kind::Quaternion) => {
                return Err(ParseErrorKind::Conversion { from, to: wanted });
            }
            (Kind::Int | Kind::Float, Kind::Int | Kind::Float) if exact => {
                number_of(value).map_or(Ok(()), |number| number.check(wanted, out.target()))?;
            }
            _ => {}
        }
        let Ok(outline) = Outline::of(value) else {
            return Ok(false);
        };
        let Some(item) = outline.root() else {
            return Ok(false);
        };
        match coerce(Shown::of(item), Target::Builtin(wanted)) {
            None => return Ok(false),
            Some(Shown::Leaf(leaf)) => put(to, leaf)?,
            Some(Shown::Tree(_)) => to.bytes.extend_from_slice(&out.bytes[child.clone()]),
            Some(Shown::PackedFrom(kind, _)) => {
                let mut numbers = Vec::new();
                let mut texts = Vec::new();
                let mut children = outline.children(item);
                while let Some(element) = children.next() {
                    let from = element.value.kind();
                    let colour_of_text =
                        kind == Kind::PackedColorArray && matches!(from, Kind::String);
                    match packed_element(Shown::of(element), kind) {
                        _ if colour_of_text => {
                            return Err(ParseErrorKind::Conversion { from, to: kind });
                        }
                        Leaf::Int(int) if kind != Kind::PackedStringArray => {
                            numbers.push(Number::Int(int));
                        }
                        Leaf::Float(float) if kind != Kind::PackedStringArray => {
                            numbers.push(Number::Float(float));
                        }
                        Leaf::Reals(kind, reals) => numbers.extend(
                            reals[..kind.component_count()]
                                .iter()
                                .copied()
                                .map(Number::Float),
                        ),
                        Leaf::Text(_, text) => texts.push(text.as_bytes().to_vec()),
                        _ => return Err(ParseErrorKind::Conversion { from, to: kind }),
                    }
                }
                if kind == Kind::PackedStringArray {
                    to.texts(&texts)?;
                } else {
                    to.construct(kind, &numbers)?;
                }
            }
        }
        Ok(true)
    }
}

/// Returns the number of an Int or Float, or `None` for other kinds.
fn number_of(value: VariantRef<'_>) -> Option<Number> {
    let int = value.as_i64().map(Number::Int);
    int.or_else(|| value.as_f64().map(Number::Float))
}

/// Writes a converted leaf.
fn put(to: &mut Builder, leaf: Leaf<'_>) -> std::result::Result<(), BuildError> {
    let reals =
        |reals: &[f64]| -> Vec<Number> { reals.iter().copied().map(Number::Float).collect() };
    match leaf {
        Leaf::Nil | Leaf::NullObject => to.write(|writer| writer.nil()),
        Leaf::Bool(flag) => to.write(|writer| writer.bool(flag)),
        Leaf::Int(int) => to.write(|writer| writer.int(int)),
        Leaf::Float(float) => to.write(|writer| writer.float(float)),
        Leaf::Text(kind, text) => to.text(kind, text.as_bytes()),
        Leaf::PathOfText(text) => to.node_path(text.as_bytes()),
        Leaf::TextOfPath(path) => {
            // Reading cannot fail, because the builder wrote this path.
            let text = path_text(path).unwrap_or_default();
            to.text(Kind::String, text.as_bytes())
        }
        Leaf::Reals(kind, all) => to.construct(kind, &reals(&all[..kind.component_count()])),
        Leaf::Ints(kind, all) => {
            let ints: Vec<Number> = all[..kind.component_count()]
                .iter()
                .map(|int| Number::Int(i64::from(*int)))
                .collect();
            to.construct(kind, &ints)
        }
        Leaf::Rid(id) => to.write(|writer| writer.rid(id)),
        Leaf::ArrayOfPacked(value) => {
            let count_at = to.begin(|writer| writer.begin_array(0))?;
            let mut count = 0;
            if let Some(elements) = elements(value) {
                for element in elements.flatten() {
                    put(to, element)?;
                    count += 1;
                }
            }
            to.set_count(count_at, count)
        }
        Leaf::ObjectId(..) | Leaf::Path(_) | Leaf::Callable | Leaf::Signal(..) | Leaf::Other(_) => {
            Ok(())
        }
    }
}
