//! The text and the path of a row.

use gdvar_file::records::Problem;
use gdvar_view::Step;

use crate::{
    commands::explore::{
        child::{Child, Name, Thing},
        tree::Tree,
    },
    diagnose::fault::{self, Fault},
    locate::paths::{key_step, name_step},
    show::{
        summary::{self, Cut, Item},
        tree::key_label,
    },
};

/// Returns the name in a row. If `single` is `true`, the file has only one record, whose name is `$`.
pub(crate) fn label(name: Name<'_>, single: bool) -> String {
    match name {
        Name::Record(_) if single => "$".to_owned(),
        Name::Record(n) => format!("#{n}"),
        Name::Index(n) => format!("[{n}]"),
        Name::Key(key, _) => key_label(key),
        Name::Property(name) => summary::name(name),
    }
}

/// Returns the value in a row, cut to about `columns` columns.
pub(crate) fn summary(child: &Child<'_>, columns: usize) -> String {
    let cut = Cut {
        text: columns,
        items: columns / 2 + 1,
    };
    match child.thing {
        Thing::Value(value) if value.has_children() => summary::head(value),
        Thing::Value(value) => summary::leaf(value, cut),
        Thing::Part(part, _) => Item::of(part).text(cut),
        Thing::Broken(fault) => format!("cannot be read from here on: {}", why(fault)),
    }
}

/// Describes a fault.
pub(crate) fn why(fault: Fault) -> String {
    match fault {
        Fault::Read(error) => error.kind().to_string(),
        Fault::Problem(Problem::Frame(error)) => error.kind().to_string(),
        Fault::Problem(Problem::Blank(blank)) => fault::blank_words(blank),
        Fault::Problem(Problem::Hex(_)) => "the line is not made of pairs of hex digits".to_owned(),
        Fault::Problem(Problem::Base64(_)) => "the line is not base64".to_owned(),
    }
}

/// Returns the name of the child's type.
pub(crate) fn kind(child: &Child<'_>) -> String {
    match child.thing {
        Thing::Value(value) => summary::kind(value).to_owned(),
        Thing::Part(part, owner) => summary::kind_name(owner.dialect(), part.kind()).to_owned(),
        Thing::Broken(_) => "damage".to_owned(),
    }
}

/// How a path names the pairs of a Dictionary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathForm {
    /// By their keys, as people read them.
    Names,
    /// By their numbers, which differ even if keys are repeated.
    Numbers,
}

/// Returns the path of a row in its record.
pub(crate) fn path(tree: &mut Tree<'_>, row: &[u64], form: PathForm) -> String {
    let mut path = String::new();
    for len in 2..=row.len() {
        let Some(child) = tree.get(&row[..len]) else {
            break;
        };
        let number = |n| u32::try_from(n).unwrap_or(u32::MAX);
        let step = match child.name {
            Name::Record(_) => String::new(),
            Name::Index(n) => format!("[{n}]"),
            Name::Key(_, n) if form == PathForm::Numbers => Step::PairValue(number(n)).to_string(),
            Name::Key(key, n) => key_step(key, number(n)),
            Name::Property(name) => name_step(name),
        };
        match step.strip_prefix('.') {
            Some(name) if path.is_empty() => path.push_str(name),
            _ => path.push_str(&step),
        }
    }
    if path.is_empty() {
        "$".to_owned()
    } else {
        path
    }
}
