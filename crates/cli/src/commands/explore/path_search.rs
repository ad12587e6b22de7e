//! Finds the row of a path in small steps, so that the keyboard can be read between them.

use gdvar_view::{Path, Step, VariantRef};

use crate::commands::explore::{
    child::{Child, Name},
    children::{ChildAnswer, Children, Mark},
    record_source::RecordSource,
    search::Progress,
    tree::RowPath,
    work::Work,
};

pub(crate) struct PathSearch<'a> {
    path: String,
    /// The row that the steps so far lead to.
    row: RowPath,
    marks: Vec<Vec<Mark<'a>>>,
    /// The children in which the next step is searched. `None` if the value has no children.
    inside: Option<Inside<'a>>,
    /// The number of steps done so far.
    made: usize,
}

struct Inside<'a> {
    owner: VariantRef<'a>,
    children: Children<'a>,
    /// The number of the child that is checked next.
    next: u64,
}

/// Splits `#3 path` into the number of the record and the path in it.
fn split(text: &str) -> (Option<u64>, &str) {
    let text = text.trim_ascii();
    let Some(rest) = text.strip_prefix('#') else {
        return (None, text);
    };
    let end = rest.find(|c: char| !c.is_ascii_digit());
    let (number, path) = rest.split_at(end.unwrap_or(rest.len()));
    match number.parse() {
        Ok(record) => (Some(record), path.trim_ascii_start()),
        Err(_) => (None, text),
    }
}

impl<'a> PathSearch<'a> {
    /// Starts to search for the path `text` in record number `record`. A text such as `#3 path` names another record.
    pub(crate) fn new(
        source: &'a RecordSource<'a>,
        text: &str,
        record: u64,
    ) -> Result<PathSearch<'a>, String> {
        let (named, path) = split(text);
        let path = if path.is_empty() { "$" } else { path };
        Path::parse(path).map_err(|error| error.to_string())?;
        let record = named.unwrap_or(record);
        let mut records = Children::of_file(source);
        let ChildAnswer::Child(root) = records.get(record, &mut Work(Work::ALL)) else {
            return Err(format!("there is no record {record}"));
        };
        Ok(PathSearch {
            path: path.to_owned(),
            row: vec![record],
            marks: vec![records.into_marks()],
            inside: Inside::of(&root),
            made: 0,
        })
    }

    /// Returns how far the search has come, as an offset in the record.
    pub(crate) fn reached(&self) -> usize {
        let inside = self.inside.as_ref();
        inside.map_or(0, |inside| inside.children.reached())
    }

    /// Continues the search until it ends or the work is used up.
    pub(crate) fn go(&mut self, work: &mut Work) -> Progress<'a> {
        let path = self.path.clone();
        let Ok(path) = Path::parse(&path) else {
            return Progress::Missing(format!("{path} is not a path"));
        };
        while let Some(&step) = path.steps().get(self.made) {
            if work.0 == 0 {
                return Progress::Pending;
            }
            let Some(inside) = &mut self.inside else {
                return self.missing(&path);
            };
            let index = index_of(step, inside.owner);
            inside.next = index.unwrap_or(inside.next);
            let child = match inside.children.get(inside.next, work) {
                ChildAnswer::Child(child) => child,
                ChildAnswer::End(_) => return self.missing(&path),
                ChildAnswer::Pending => return Progress::Pending,
            };
            if index.is_none() && !has_name(&child, step) {
                inside.next += 1;
                continue;
            }
            self.row.push(inside.next);
            let outer = std::mem::replace(&mut self.inside, Inside::of(&child));
            self.marks
                .extend(outer.map(|outer| outer.children.into_marks()));
            self.made += 1;
        }
        Progress::Found(
            std::mem::take(&mut self.row),
            std::mem::take(&mut self.marks),
        )
    }

    fn missing(&self, path: &Path<'_>) -> Progress<'a> {
        let (made, left) = path.steps().split_at(self.made);
        let there: String = made.iter().map(Step::to_string).collect();
        let step = left.first().map(Step::to_string).unwrap_or_default();
        Progress::Missing(format!("${there} exists, {step} in it does not"))
    }
}

impl<'a> Inside<'a> {
    fn of(child: &Child<'a>) -> Option<Inside<'a>> {
        let owner = child.value().filter(|_| child.can_open())?;
        Some(Inside {
            owner,
            children: Children::of(owner, child.record),
            next: 0,
        })
    }
}

/// Returns the number of the child that `step` leads to, if `step` is the index of an element or the number of a pair.
/// `None` for a name or a key.
fn index_of(step: Step<'_>, owner: VariantRef<'_>) -> Option<u64> {
    match step {
        Step::PairValue(n) | Step::PairKey(n) => Some(n.into()),
        Step::Index(n) => {
            let array = owner.as_array().map(|array| array.len());
            let len = array.or(owner.packed_len())?;
            let n = if n < 0 { n + len as i64 } else { n };
            // A negative index before the first child becomes the largest number, which no child has.
            Some(u64::try_from(n).unwrap_or(u64::MAX))
        }
        _ => None,
    }
}

/// Returns `true` if `step` names `child`. Of repeated keys, the search finds the first. The engine keeps the last, but
/// only a walk over all pairs would find that.
fn has_name(child: &Child<'_>, step: Step<'_>) -> bool {
    match (child.name, step) {
        (Name::Key(key, _), step) => step.is_key(key),
        (Name::Property(name), Step::Name(wanted)) => name == *wanted,
        _ => false,
    }
}
