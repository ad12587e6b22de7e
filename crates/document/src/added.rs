//! Adds sections to a text for what is new in the contents: resources, nodes, connections and
//! editable paths.

use std::collections::{HashMap, HashSet};

use gdvar_view::Dialect;

use crate::{
    new_section::lines,
    pairs::TAGS,
    parts::{Part, Parts, Wanted},
    references::{self, Own},
    replace::ReplaceError,
    section::Section,
    splices::Splices,
};

type Result<T> = std::result::Result<T, ReplaceError>;

/// A section that stays in the text, and its part in the new contents.
pub(crate) struct Kept<'s, 'a> {
    pub(crate) section: &'s Section<'a>,
    pub(crate) part: Part,
}

/// Adds a section for each part of `new` that none of the kept sections has.
pub(crate) fn add(
    splices: &mut Splices<'_>,
    sections: &[Section<'_>],
    kept: &[Kept<'_, '_>],
    new: &Parts,
    dialect: Dialect,
) -> Result<()> {
    let sections_of: HashMap<&Part, &Section<'_>> =
        kept.iter().map(|kept| (&kept.part, kept.section)).collect();
    let is_new = |part: &Part| new.contains_key(part) && !sections_of.contains_key(part);
    if new.len() == sections_of.len() {
        return Ok(());
    }
    let mut places = Places { splices, sections };
    let (contents, externals) = (places.contents(), places.externals());
    // Resources in the order of their first use, each before the section that uses it.
    let mut seen = HashSet::new();
    let mut users: Vec<(&Part, InsertPoint<'_, '_>)> = Vec::new();
    for one in kept {
        let is_internal = matches!(one.part, Part::Own(Own::Internal, _));
        let place = if is_internal {
            InsertPoint::Before(one.section)
        } else {
            contents
        };
        users.push((&one.part, place));
    }
    for tag in TAGS {
        let tags = (0..).map(|at| Part::Tag(tag, at));
        let tags = tags.take_while(|part| new.contains_key(part));
        users.extend(tags.filter_map(|part| Some((new.get_key_value(&part)?.0, contents))));
    }
    // Those that nothing uses come last.
    let mut unused: Vec<&Part> = new.keys().filter(|part| is_new(part)).collect();
    unused.sort_by_key(|part| part.place());
    users.extend(unused.into_iter().map(|part| (part, contents)));
    for (user, place) in users {
        for part in first_uses(user, new, &mut seen, dialect)? {
            let place = match part {
                Part::Own(Own::External, _) => externals,
                _ => place,
            };
            if let Some(wanted) = new.get(&part).filter(|_| is_new(&part)) {
                places.put(place, lines(&part, wanted, dialect)?);
            }
        }
    }
    for tag in TAGS {
        let mut place = places.first_of(tag);
        let mut at = 0;
        while let Some((part, wanted)) = new.get_key_value(&Part::Tag(tag, at)) {
            match sections_of.get(part) {
                Some(section) => place = InsertPoint::After(section, tag == "node"),
                None => places.put(place, lines(part, wanted, dialect)?),
            }
            at += 1;
        }
    }
    Ok(())
}

/// Returns the resources that `user` uses, directly or through other resources, and `user` itself
/// if it is a resource. A resource that is in `seen` is left out; the others are added to `seen`.
/// Each resource comes after the resources that it uses.
fn first_uses(
    user: &Part,
    new: &Parts,
    seen: &mut HashSet<Part>,
    dialect: Dialect,
) -> Result<Vec<Part>> {
    let mut order = Vec::new();
    let mut open: Vec<(Part, Vec<Part>)> = Vec::new();
    let mut next = Some(user.clone());
    loop {
        if let Some(part) = next.take().filter(|part| seen.insert(part.clone())) {
            let mut uses = match new.get(&part) {
                Some(wanted) => used_by(wanted, dialect)?,
                None => Vec::new(),
            };
            uses.reverse();
            open.push((part, uses));
        }
        match open.last_mut() {
            None => return Ok(order),
            Some((_, uses)) if !uses.is_empty() => next = uses.pop(),
            Some(_) => order.extend(open.pop().map(|(part, _)| part).filter(is_owned)),
        }
    }
}

fn is_owned(part: &Part) -> bool {
    matches!(part, Part::Own(..))
}

/// Returns the resources that the properties of a section refer to.
pub(crate) fn used_by(wanted: &Wanted, dialect: Dialect) -> Result<Vec<Part>> {
    let mut used = Vec::new();
    for (_, value) in &wanted.properties {
        let resources = references::used(value, dialect)?;
        used.extend(resources.into_iter().map(|(own, id)| Part::Own(own, id)));
    }
    Ok(used)
}

/// Where a new section goes.
#[derive(Clone, Copy)]
enum InsertPoint<'s, 'a> {
    Before(&'s Section<'a>),
    /// After a section, with a blank line between if the flag is set.
    After(&'s Section<'a>, bool),
    End,
}

struct Places<'p, 's, 'a, 't> {
    splices: &'p mut Splices<'t>,
    /// All sections of the text.
    sections: &'s [Section<'a>],
}

impl<'s, 'a> Places<'_, 's, 'a, '_> {
    /// Returns the place before the first node, connection, editable path or `[resource]`, or the
    /// end of the text if there is none.
    fn contents(&self) -> InsertPoint<'s, 'a> {
        let is_contents =
            |section: &&Section<'_>| TAGS.contains(&&*section.name) || section.name == "resource";
        let first = self.sections.iter().find(is_contents);
        first.map_or(InsertPoint::End, InsertPoint::Before)
    }

    /// Returns the place after the last external resource, or after the header if there is none.
    fn externals(&self) -> InsertPoint<'s, 'a> {
        let is_external = |section: &&Section<'_>| section.name == "ext_resource";
        match (
            self.sections.iter().rfind(is_external),
            self.sections.first(),
        ) {
            (Some(last), _) => InsertPoint::After(last, false),
            (None, Some(header)) => InsertPoint::After(header, true),
            (None, None) => InsertPoint::End,
        }
    }

    /// Returns the place before the first `tag`. If there is none, returns the place where `tag`
    /// belongs: nodes come before connections, and connections before editable paths.
    fn first_of(&self, tag: &str) -> InsertPoint<'s, 'a> {
        let is_tag = |section: &&Section<'_>| section.name == tag;
        if let Some(first) = self.sections.iter().find(is_tag) {
            return InsertPoint::Before(first);
        }
        let later: Vec<&str> = { TAGS.iter() }
            .skip_while(|other| **other != tag)
            .copied()
            .collect();
        let is_before = |section: &&Section<'_>| !later.contains(&&*section.name);
        let last = self.sections.iter().rfind(is_before);
        last.map_or(InsertPoint::End, |last| InsertPoint::After(last, true))
    }

    fn put(&mut self, place: InsertPoint<'_, '_>, mut lines: Vec<String>) {
        let end = |section: &Section<'_>| {
            let last = section.entries.last();
            last.map_or(section.header.end, |entry| entry.value_at.end)
        };
        let (section, is_apart) = match place {
            InsertPoint::Before(section) => {
                return self.splices.insert_before(section.header.start, &lines);
            }
            InsertPoint::After(section, is_apart) => (Some(section), is_apart),
            InsertPoint::End => (self.sections.last(), true),
        };
        if is_apart {
            lines.insert(0, String::new());
        }
        self.splices
            .insert_lines_after(section.map_or(0, end), &lines);
    }
}
