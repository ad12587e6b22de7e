//! Puts changed contents back into the text of a resource or scene.

use std::collections::{HashMap, HashSet};

use gdvar_view::Dialect;

use crate::{
    added::{Kept, add, used_by},
    collapse::collapse,
    expand::{Owned, last_of_each},
    links,
    loading::Loading,
    name,
    new_section::{entry_name, is_attribute, is_required},
    pairs::pairs,
    parts::{self, Found, Part, Parts, Wanted},
    references::Own,
    replace::{ReplaceError, stored},
    section::{Entry, Section},
    splices::Splices,
    tags,
    text_document::Form,
};

type Result<T> = std::result::Result<T, ReplaceError>;

/// Returns the text of a resource or scene in which the contents are replaced.
pub(crate) fn resource(
    text: &str,
    sections: &[Section<'_>],
    form: Form,
    contents: &[u8],
    dialect: Dialect,
) -> Result<String> {
    let owned = Owned::of(sections, dialect);
    let mut new = collapse(contents, form, dialect)?;
    let old = parts_of(sections, &owned, dialect)?;
    keep_used(&mut new, &old, dialect)?;
    let pairs = pairs(&old, &new);
    let names: HashMap<(&str, usize), usize> = { pairs.iter() }
        .flat_map(|(tag, all)| { all.iter().enumerate() }.map(move |(at, old)| (*tag, at, *old)))
        .filter_map(|(tag, at, old)| Some(((tag, old?), at)))
        .collect();
    let mut splices = Splices::new(text);
    let mut kept = Vec::new();
    for (section, found) in sections.iter().zip(&old) {
        let (part, before) = match found {
            Found::Part(part, before) => (part, before),
            Found::Nothing => continue,
            Found::Twice => {
                let what = format!("a change while {} is there twice", section.name);
                return Err(ReplaceError::Inexpressible(what));
            }
        };
        // What this section is in the new contents.
        let part = match part {
            Part::Tag(tag, at) => { names.get(&(*tag, *at)) }.map(|at| Part::Tag(tag, *at)),
            part => new.contains_key(part).then(|| part.clone()),
        };
        let Some((part, after)) = part.and_then(|part| Some((part.clone(), new.get(&part)?)))
        else {
            splices.delete_section(section);
            continue;
        };
        // The type of the resource is in the header.
        if part == Part::Main && before.class != after.class {
            let what = "another class of the resource".to_owned();
            return Err(ReplaceError::Inexpressible(what));
        }
        if before != after {
            change(&mut splices, section, &part, before, after, dialect)?;
        }
        kept.push(Kept { section, part });
    }
    add(&mut splices, sections, &kept, &new, dialect)?;
    let changed = splices.apply();
    let old = Loading {
        text,
        form,
        sections,
        dialect,
    };
    verify(&changed, &new, &old)?;
    Ok(changed)
}

fn parts_of(sections: &[Section<'_>], owned: &Owned, dialect: Dialect) -> Result<Vec<Found>> {
    let too_long = |_| ReplaceError::Inexpressible("more than 2 GiB".to_owned());
    parts::of_sections(sections, owned, dialect).map_err(too_long)
}

/// Reads a text and checks that it has exactly the parts `new`, no broken reference that `old` does not have, and that
/// an engine loads it if it loads `old`.
fn verify(text: &str, new: &Parts, old: &Loading<'_, '_>) -> Result<()> {
    let Loading { form, dialect, .. } = *old;
    let inexpressible = || ReplaceError::Inexpressible("these names and values".to_owned());
    let sections = &tags::sections(text, form, dialect).map_err(|_| inexpressible())?;
    links::check(old.sections, sections, dialect)?;
    let changed = Loading {
        text,
        sections,
        ..*old
    };
    if let (Ok(()), Err(error)) = (old.check(), changed.check()) {
        let expected = "a document that an engine loads";
        return Err(ReplaceError::Form(expected, error.kind().to_string()));
    }
    let mut count = 0;
    for found in parts_of(sections, &Owned::of(sections, dialect), dialect)? {
        let is_new = match &found {
            Found::Part(part, read) => new.get(part).is_some_and(|wanted| wanted.is_same(read)),
            Found::Nothing => continue,
            Found::Twice => false,
        };
        if !is_new {
            return Err(inexpressible());
        }
        count += 1;
    }
    match count == new.len() {
        true => Ok(()),
        false => Err(inexpressible()),
    }
}

/// Changes the attributes and entries of one section.
fn change(
    splices: &mut Splices<'_>,
    section: &Section<'_>,
    part: &Part,
    before: &Wanted,
    after: &Wanted,
    dialect: Dialect,
) -> Result<()> {
    let place = |name: &str| format!("{name} of [{}]", section.name);
    if before.class != after.class && *part != Part::Main {
        match (section.attribute("type"), &after.class) {
            (Some(class), Some(new)) => splices.replace(class.value_at.clone(), name::quoted(new)),
            _ => return Err(ReplaceError::Inexpressible(place("another class"))),
        }
    }
    let has_entries = matches!(
        part,
        Part::Main | Part::Own(Own::Internal, _) | Part::Tag("node", _)
    );
    let has_attributes = !matches!(part, Part::Main | Part::Own(Own::Internal, _));
    let mut attributes: Vec<&Entry<'_>> = Vec::new();
    if has_attributes {
        attributes = last_of_each(&section.attributes);
    }
    let mut entries: Vec<&Entry<'_>> = Vec::new();
    if has_entries {
        entries = last_of_each(&section.entries);
    }
    let is_node = matches!(part, Part::Tag("node", _));
    // If a name is an entry and an attribute that no engine knows, its first property is the attribute.
    let mut old_attributes: HashMap<&str, &Entry<'_>> = { attributes.iter() }
        .filter(|entry| !(entry.name == "type" && is_node))
        .map(|entry| (&*entry.name, *entry))
        .collect();
    let mut old_entries: HashMap<&str, &Entry<'_>> =
        entries.iter().map(|entry| (&*entry.name, *entry)).collect();
    let new_names = renamed(before, after);
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for entry in &section.entries {
        *counts.entry(&entry.name).or_default() += 1;
    }
    let mut lines = Vec::new();
    for (key, value) in &after.properties {
        let renamed = { new_names.get(&**key) }
            .filter(|_| !is_attribute(part, key, dialect))
            .map(|old| entry_name(part, old, dialect))
            // With a new name for the last of several entries, an earlier one would count.
            .filter(|old| counts.get(old) == Some(&1));
        if let Some(entry) = renamed.and_then(|old| old_entries.remove(old)) {
            let name = name::entry(entry_name(part, key, dialect)).into_owned();
            splices.replace(entry.name_at.clone(), name);
            continue;
        }
        let mut old = old_attributes.remove(&**key);
        if old.is_none() && !is_attribute(part, key, dialect) {
            old = old_entries.remove(entry_name(part, key, dialect));
        }
        match old {
            Some(old) if is_same(old, value, part) => {}
            Some(old) => {
                let text = stored(value, dialect, || place(key))?;
                splices.replace_value(old.value_at.clone(), text);
            }
            None if is_attribute(part, key, dialect) => {
                let value = stored(value, dialect, || place(key))?;
                let end = section.header.end - 1;
                splices.replace_value(end..end, format!(" {key}={value}"));
            }
            None if has_entries => {
                let value = stored(value, dialect, || place(key))?;
                lines.push(format!(
                    "{} = {value}",
                    name::entry(entry_name(part, key, dialect))
                ));
            }
            None => return Err(ReplaceError::Inexpressible(place(key))),
        }
    }
    for (name, attribute) in old_attributes {
        if is_required(part, name) {
            return Err(ReplaceError::Inexpressible(place(&format!("no {name}"))));
        }
        splices.delete_attribute(attribute);
    }
    { section.entries.iter() }
        .filter(|entry| old_entries.contains_key(&*entry.name))
        .for_each(|entry| splices.delete_entry(entry));
    if !lines.is_empty() {
        let end = section
            .entries
            .last()
            .map_or(section.header.end, |entry| entry.value_at.end);
        splices.insert_lines_after(end, &lines);
    }
    Ok(())
}

/// Returns the old names by the new ones. A property is renamed if a new name has the same value in the same position.
fn renamed<'w>(before: &'w Wanted, after: &'w Wanted) -> HashMap<&'w str, &'w str> {
    let names = |wanted: &'w Wanted| -> HashSet<&'w str> {
        { wanted.properties.iter() }
            .map(|(name, _)| &**name)
            .collect()
    };
    let (old, new) = (names(before), names(after));
    { before.properties.iter() }
        .zip(&after.properties)
        .filter(|(before, after)| before.1 == after.1)
        .map(|(before, after)| (&*after.0, &*before.0))
        .filter(|(after, before)| !old.contains(after) && !new.contains(before))
        .collect()
}

/// Returns `true` if an entry has this value. The id of an external resource is not compared: it is a String in
/// the contents, but may be a number in the text.
fn is_same(old: &Entry<'_>, value: &[u8], part: &Part) -> bool {
    old.value == value || old.name == "id" && matches!(part, Part::Own(Own::External, _))
}

/// Copies resources from the old parts to the new ones, if the new contents do not contain them but
/// a new part still refers to them.
fn keep_used(new: &mut Parts, old: &[Found], dialect: Dialect) -> Result<()> {
    let old: HashMap<&Part, &Wanted> = { old.iter() }
        .filter_map(|found| match found {
            Found::Part(part, wanted) => Some((part, wanted)),
            _ => None,
        })
        .collect();
    let mut used = Vec::new();
    for wanted in new.values() {
        used.extend(used_by(wanted, dialect)?);
    }
    while let Some(part) = used.pop() {
        if new.contains_key(&part) {
            continue;
        }
        if let Some(&wanted) = old.get(&part) {
            used.extend(used_by(wanted, dialect)?);
            new.insert(part, wanted.clone());
        }
    }
    Ok(())
}
