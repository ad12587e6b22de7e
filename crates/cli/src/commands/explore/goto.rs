//! Follows a path, a piece at a time.

use gdvar_view::{Path, Step as PathStep, VariantRef};

use crate::commands::explore::{
    children::{Children, Got, Mark, Work},
    nodes::Trail,
    search::Step,
    source::Source,
    walk::{Child, Name},
};

/// A path that is being followed.
pub(crate) struct Goto<'a> {
    path: String,
    /// The rows passed, down to the one it has come to.
    trail: Trail,
    marks: Vec<Vec<Mark<'a>>>,
    /// The value in which the next step is looked for, and the child that comes next; none where a value has no
    /// children.
    inside: Option<(VariantRef<'a>, Children<'a>, u64)>,
    /// The number of steps of the path that were made.
    made: usize,
}

/// The record that is named, `#3`, and the path behind that.
fn split(text: &str) -> (Option<u64>, &str) {
    let text = text.trim();
    let Some(rest) = text.strip_prefix('#') else {
        return (None, text);
    };
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    match rest[..end].parse() {
        Ok(record) => (Some(record), rest[end..].trim_start()),
        Err(_) => (None, text),
    }
}

impl<'a> Goto<'a> {
    /// A path in a record, or `#3 path` in another one.
    pub(crate) fn new(source: &'a Source<'a>, text: &str, record: u64) -> Result<Goto<'a>, String> {
        let (named, path) = split(text);
        let path = if path.is_empty() { "$" } else { path };
        Path::parse(path).map_err(|error| error.to_string())?;
        let record = named.unwrap_or(record);
        let mut records = Children::of_file(source);
        let Got::Child(root) = records.get(record, &mut Work(Work::ALL)) else {
            return Err(format!("there is no record {record}"));
        };
        Ok(Goto {
            path: path.to_owned(),
            trail: vec![record],
            marks: vec![records.into_marks()],
            inside: inside(&root),
            made: 0,
        })
    }

    /// How far it has come in its record, in bytes.
    pub(crate) fn reached(&self) -> usize {
        let inside = self.inside.as_ref();
        inside.map_or(0, |(_, children, _)| children.reached())
    }

    /// Goes on for a while.
    pub(crate) fn step(&mut self, work: &mut Work) -> Step<'a> {
        let path = self.path.clone();
        let Ok(path) = Path::parse(&path) else {
            return Step::Missing(format!("{path} is no path"));
        };
        while let Some(&step) = path.steps().get(self.made) {
            if work.0 == 0 {
                return Step::Pending;
            }
            let Some((owner, children, next)) = &mut self.inside else {
                return self.missing(&path);
            };
            let wanted = number(step, *owner);
            if let Some(index) = wanted {
                *next = index;
            }
            let child = match children.get(*next, work) {
                Got::Child(child) => child,
                Got::End(_) => return self.missing(&path),
                Got::Pending => return Step::Pending,
            };
            if wanted.is_none() && !is_it(step, &child) {
                *next += 1;
                continue;
            }
            self.trail.push(*next);
            let below = inside(&child);
            if let Some((_, children, _)) = std::mem::replace(&mut self.inside, below) {
                self.marks.push(children.into_marks());
            }
            self.made += 1;
        }
        Step::Found(
            std::mem::take(&mut self.trail),
            std::mem::take(&mut self.marks),
        )
    }

    fn missing(&self, path: &Path<'_>) -> Step<'a> {
        let there: String = { path.steps()[..self.made].iter() }
            .map(PathStep::to_string)
            .collect();
        let step = path.steps()[self.made].to_string();
        Step::Missing(format!("${there} exists, {step} in it does not"))
    }
}

fn inside<'a>(child: &Child<'a>) -> Option<(VariantRef<'a>, Children<'a>, u64)> {
    let value = child.value().filter(|_| child.can_open())?;
    Some((value, Children::of(value, child.place), 0))
}

/// The number of the child that a step leads to, where it says that.
fn number(step: PathStep<'_>, owner: VariantRef<'_>) -> Option<u64> {
    match step {
        PathStep::PairValue(n) | PathStep::PairKey(n) => Some(n.into()),
        PathStep::Index(n) => {
            let array = owner.as_array().map(|array| array.len());
            let len = array.or(owner.packed_len())?;
            let n = if n < 0 { n + len as i64 } else { n };
            // Before the first is as far away as behind the last.
            Some(u64::try_from(n).unwrap_or(u64::MAX))
        }
        _ => None,
    }
}

/// Returns `true` if a step leads to that child. The first one counts: the last of repeated keys, which the engine
/// keeps, would be found at the end of the file only.
fn is_it(step: PathStep<'_>, child: &Child<'_>) -> bool {
    match (child.name, step) {
        (Name::Key(key, _), step) => step.is_key(key),
        (Name::Property(name), PathStep::Name(wanted)) => name == *wanted,
        _ => false,
    }
}
