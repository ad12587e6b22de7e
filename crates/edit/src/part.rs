//! Edits parts of values that have no header: `pos.x`, `xform.basis.x`, `ids[3]`. These edits replace
//! numbers or a text inside the bytes of the whole value.

use std::ops::Range;

use gdvar_view::{
    Kind, PathTarget, Step, VariantRef,
    layout::{HEADER, Number, numbers},
};
use gdvar_write::{Target, Writer};

use crate::{
    error::EditErrorKind,
    number::{IntOrFloat, numbers_as},
    packed_texts::{self, PackedText, PackedTexts},
};

/// New bytes for some ranges of the document.
pub(crate) type Replaced = Vec<(Range<usize>, Vec<u8>)>;

/// Returns the ranges of a part of `owner`, with their new bytes from the value `new`. `None` if the steps
/// do not lead to a part. `texts` are the texts of `owner`, as in [`find`].
pub(crate) fn replace(
    owner: VariantRef<'_>,
    texts: Option<&PackedTexts<'_>>,
    steps: &[Step<'_>],
    new: VariantRef<'_>,
) -> Option<Result<Replaced, EditErrorKind>> {
    let part = find(owner, texts, steps)?;
    let (first, rest) = steps.split_first()?;
    if let Some(text) = texts.and_then(|texts| texts.get(*first)) {
        return Some(replace_text(text, new));
    }
    let (number, names) = numbers(owner.kind())?;
    let wide = owner.is_wide();
    let size = number.size(wide);
    let (start, names_of_part) = match (owner.packed_len(), first) {
        (Some(len), Step::Index(_)) => {
            let index = packed_texts::index(*first, len)?;
            // The first number comes after the header and the count.
            (2 * HEADER + index * names.len() * size, rest)
        }
        _ => (HEADER, steps),
    };
    let Some(values) = numbers_as(part.kind(), new) else {
        let (is, kind) = (part.kind(), new.kind());
        return Some(Err(EditErrorKind::PartType { is, kind }));
    };
    if number == Number::I64 && values.iter().any(|value| value.may_be_rounded()) {
        return Some(Err(EditErrorKind::MaybeRounded));
    }
    let whole = NumberOwner {
        owner,
        start,
        number,
        names,
    };
    Some(whole.replace(&path(names_of_part)?, part, &values))
}

/// Returns the part of `owner`, which has no children, that the steps lead to. `texts` has the first step's text if
/// `owner` is a PackedStringArray.
pub(crate) fn find<'a>(
    owner: VariantRef<'a>,
    texts: Option<&PackedTexts<'a>>,
    steps: &[Step<'_>],
) -> Option<PathTarget<'a>> {
    let (first, rest) = steps.split_first()?;
    let part = match texts {
        Some(texts) => PathTarget::Text(texts.get(*first)?.text),
        None => owner.part(*first)?,
    };
    rest.iter()
        .try_fold(part, |part, step| part.take_step(*step))
}

/// Joins the steps of a path inside a value, in the notation of [`numbers`].
fn path(steps: &[Step<'_>]) -> Option<String> {
    let names = steps.iter().map(|step| match step {
        Step::Name(_) => step.text().map(String::from_iter),
        _ => None,
    });
    let names: Vec<String> = names.collect::<Option<_>>()?;
    Some(names.join("."))
}

/// A value that consists of numbers, or one element of a packed array.
struct NumberOwner<'a> {
    owner: VariantRef<'a>,
    /// The offset of the first number, from the start of `owner`.
    start: usize,
    number: Number,
    names: &'static [&'static str],
}

impl NumberOwner<'_> {
    fn replace(
        &self,
        path: &str,
        part: PathTarget<'_>,
        values: &[IntOrFloat],
    ) -> Result<Replaced, EditErrorKind> {
        let is = part.kind();
        let refuse = EditErrorKind::PartRange { is };
        let mut replaced = Replaced::new();
        // `end` is position + size. It is set by changing the size.
        if let Some(end) = path.strip_prefix("end") {
            let froms = self.places(&format!("position{end}"), is);
            let sizes = self.places(&format!("size{end}"), is);
            for ((from, size), value) in froms.iter().zip(&sizes).zip(values) {
                let old = self.old(*from).ok_or(refuse)?;
                let len = match (*value, old) {
                    (IntOrFloat::Int(to), IntOrFloat::Int(from)) => {
                        to.checked_sub(from).map(IntOrFloat::Int).ok_or(refuse)?
                    }
                    // Subtract as the engine does, from the stored values.
                    (to, from) if self.owner.is_wide() => {
                        IntOrFloat::Float(to.float() - from.float())
                    }
                    (to, from) => IntOrFloat::Float(f64::from(to.float() as f32) - from.float()),
                };
                // Also replaces the position by the same bytes, so that another edit of it overlaps and is
                // refused.
                replaced.push((self.span(*from), self.bytes(old).ok_or(refuse)?));
                replaced.push((self.span(*size), self.bytes(len).ok_or(refuse)?));
            }
            return Ok(replaced);
        }
        for (place, value) in self.places(path, is).into_iter().zip(values) {
            replaced.push((self.span(place), self.bytes(*value).ok_or(refuse)?));
        }
        Ok(replaced)
    }

    /// Returns the indices, in the owner, of the numbers that the part at `path` consists of. The
    /// indices follow the order of the components in the part's type `is`.
    fn places(&self, path: &str, is: Kind) -> Vec<usize> {
        let own: &[&str] = match numbers(is) {
            Some((_, own)) => own,
            None => &[""],
        };
        // The components of a Plane's normal have short names.
        let path = match (self.owner.kind(), path) {
            (Kind::Plane, "x" | "y" | "z") => format!("normal.{path}"),
            _ => path.to_owned(),
        };
        let place = |own: &&str| {
            let name = match (path.is_empty(), own.is_empty()) {
                (true, _) => (*own).to_owned(),
                (false, true) => path.clone(),
                (false, false) => format!("{path}.{own}"),
            };
            self.names.iter().position(|one| *one == name)
        };
        own.iter().filter_map(place).collect()
    }

    fn span(&self, place: usize) -> Range<usize> {
        let size = self.number.size(self.owner.is_wide());
        let at = self.owner.offset() + self.start + place * size;
        at..at + size
    }

    /// Returns the number with the index `place` in the owner.
    fn old(&self, place: usize) -> Option<IntOrFloat> {
        let span = self.span(place);
        let base = self.owner.offset();
        let raw = self
            .owner
            .raw()
            .ok()?
            .get(span.start - base..span.end - base)?;
        Some(match (self.number, raw.len()) {
            (Number::I32, _) => IntOrFloat::Int(i32::from_le_bytes(raw.try_into().ok()?).into()),
            (_, 8) => IntOrFloat::Float(f64::from_le_bytes(raw.try_into().ok()?)),
            _ => IntOrFloat::Float(f32::from_le_bytes(raw.try_into().ok()?).into()),
        })
    }

    /// Encodes a number in the type and width of the owner. `None` if it does not fit.
    fn bytes(&self, value: IntOrFloat) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        value.put(self.number, self.owner.is_wide(), &mut bytes)?;
        Some(bytes)
    }
}

/// Returns the range of a text of a PackedStringArray, and its new bytes.
fn replace_text(old: &PackedText<'_>, new: VariantRef<'_>) -> Result<Replaced, EditErrorKind> {
    let kind = new.kind();
    let refuse = EditErrorKind::PartType {
        is: Kind::String,
        kind,
    };
    let text = new.as_text().filter(|_| kind == Kind::String);
    let text = text.ok_or(refuse)?;
    // Encode an array with this one text, and drop its header and count.
    let mut writer = Writer::new(Vec::new(), Target::from(new.dialect()));
    let written = writer.packed_strings_bytes([text.as_bytes()]);
    let bytes = written.ok().and_then(|()| writer.finish().ok());
    let bytes = bytes.ok_or(refuse)?.split_off(2 * HEADER);
    Ok(vec![(old.span.clone(), bytes)])
}
