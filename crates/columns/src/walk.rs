//! The walk over one value that finds what all columns want and skips everything else.
//!
//! The walk recurses as deep as the paths, which have at most 64 steps, however deep the value is.

use gdvar_view::{Cursor, Error, Found, Kind, OwnedStep, Path, Pattern, Step, VariantRef};

use crate::{
    cell::Cell,
    orders::Orders,
    query::{Query, Source},
    tree::Node,
};

/// Fills the cells of the columns below node `at` from the value at the cursor, and moves the
/// cursor past the value.
#[inline]
pub(crate) fn walk<'a>(
    query: &Query,
    orders: &mut Orders,
    at: usize,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    let Some(node) = query.tree.node(at) else {
        return cursor.skip();
    };
    if node.steps.is_empty() && node.patterns.is_empty() {
        let cell = Cell::take(cursor)?;
        set(cells, &node.ends, cell);
        return Ok(());
    }
    inside(query, orders, at, node, cursor, cells)
}

/// Fills the cells below a node from which steps or patterns lead on. See [`walk`].
fn inside<'a>(
    query: &Query,
    orders: &mut Orders,
    at: usize,
    node: &Node,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    if !(node.ends.is_empty() && node.patterns.is_empty()) {
        let value = cursor.value()?;
        set(cells, &node.ends, Cell::Value(value));
        set(cells, &node.patterns, Cell::Many(value, node.depth));
    }
    if node.steps.is_empty() {
        return cursor.skip();
    }
    if let Some(count) = cursor.enter_dict()? {
        if node.only_names && one_text_kind(cursor) {
            names(query, orders, at, node, count, cursor, cells)?;
        } else {
            pairs(query, orders, node, count, cursor, cells)?;
        }
    } else if let Some(count) = cursor.enter_array()? {
        items(query, orders, node, count, cursor, cells)?;
    } else if let Some(count) = cursor.enter_object()? {
        properties(query, orders, node, count, cursor, cells)?;
    } else {
        let value = cursor.value()?;
        cursor.skip()?;
        return parts(query, node, value, cells);
    }
    cursor.leave();
    Ok(())
}

/// Returns `true` if a name in a path means both a String and a StringName.
fn one_text_kind(cursor: &Cursor<'_>) -> bool {
    let dialect = cursor.dialect();
    dialect.string_names_equal_strings() || dialect.type_id(Kind::StringName).is_none()
}

fn set<'a>(cells: &mut [Cell<'a>], columns: &[usize], cell: Cell<'a>) {
    for &column in columns {
        if let Some(own) = cells.get_mut(column) {
            *own = cell;
        }
    }
}

/// Walks into a child that steps lead to. The last of repeated keys counts, so cells of an earlier
/// one are cleared.
#[inline]
fn child<'a>(
    query: &Query,
    orders: &mut Orders,
    to: usize,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    if let Some(node) = query.tree.node(to) {
        if !node.below.is_empty() {
            set(cells, &node.below, Cell::Missing);
        }
    }
    walk(query, orders, to, cursor, cells)
}

/// Walks into the child at the cursor once for each step of the node for which `leads` is true. If
/// there is none, skips the child.
fn into<'a>(
    query: &Query,
    orders: &mut Orders,
    node: &Node,
    mut leads: impl FnMut(usize, &OwnedStep) -> bool,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    let mut behind = None;
    for (n, (step, to)) in node.steps.iter().enumerate() {
        if leads(n, step) {
            let mut value = cursor.clone();
            child(query, orders, *to, &mut value, cells)?;
            behind = Some(value);
        }
    }
    match behind {
        Some(behind) => *cursor = behind,
        None => cursor.skip()?,
    }
    Ok(())
}

/// Walks over the pairs of a Dictionary if all steps are plain names.
fn names<'a>(
    query: &Query,
    orders: &mut Orders,
    at: usize,
    node: &Node,
    count: u32,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    let mut next = 0;
    for _ in 0..count {
        let step = match orders.take(at, &mut next, cursor) {
            Some(step) => step,
            None => name(orders, at, node, &mut next, cursor)?,
        };
        match step.and_then(|step| node.steps.get(step)) {
            Some(&(_, to)) => child(query, orders, to, cursor, cells)?,
            None => cursor.skip()?,
        }
    }
    Ok(())
}

/// Takes the key at the cursor. Returns the index of the step with this name, or `None` if no step
/// has it.
fn name(
    orders: &mut Orders,
    at: usize,
    node: &Node,
    next: &mut usize,
    cursor: &mut Cursor<'_>,
) -> Result<Option<usize>, Error> {
    match cursor.text() {
        Ok(Some(text)) => {
            let mut steps = node.steps.iter();
            let step = steps.position(|(step, _)| self::text(step) == Some(text));
            orders.learn(at, next, text, step);
            Ok(step)
        }
        // A key that is not text, or text that is not UTF-8, matches no name.
        Ok(None) | Err(_) => {
            cursor.skip()?;
            Ok(None)
        }
    }
}

/// Walks over the pairs of a Dictionary for any kind of step.
fn pairs<'a>(
    query: &Query,
    orders: &mut Orders,
    node: &Node,
    count: u32,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    let one_text_kind = one_text_kind(cursor);
    // Names that were found as Strings. In dialects where a StringName is another key, the String
    // takes precedence.
    let mut found = vec![false; node.steps.len()];
    for pair in 0..count {
        let key = cursor.value()?;
        let own = OwnedStep::PairKey(pair);
        into(query, orders, node, |_, step| *step == own, cursor, cells)?;
        let is_second = !one_text_kind && key.kind() == Kind::StringName;
        let is_it = |n: usize, step: &OwnedStep| {
            let is_it = match step {
                OwnedStep::PairValue(own) => *own == pair,
                step => step.as_step().is_key(key),
            };
            let Some(found) = found.get_mut(n).filter(|_| is_it) else {
                return false;
            };
            if text(step).is_some() && is_second {
                return !*found;
            }
            *found = true;
            true
        };
        into(query, orders, node, is_it, cursor, cells)?;
    }
    Ok(())
}

/// Walks over the elements of an array.
fn items<'a>(
    query: &Query,
    orders: &mut Orders,
    node: &Node,
    count: u32,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    for item in 0..i64::from(count) {
        let is_it = |_, step: &OwnedStep| match *step {
            OwnedStep::Index(n) if n < 0 => n.checked_add(count.into()) == Some(item),
            OwnedStep::Index(n) => n == item,
            _ => false,
        };
        into(query, orders, node, is_it, cursor, cells)?;
    }
    Ok(())
}

/// Walks over the properties of an object.
fn properties<'a>(
    query: &Query,
    orders: &mut Orders,
    node: &Node,
    count: u32,
    cursor: &mut Cursor<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    for _ in 0..count {
        let name = cursor.property()?;
        let is_it = |_, step: &OwnedStep| match (step, name.to_str()) {
            (OwnedStep::Name(_), Ok(name)) => step
                .as_step()
                .text()
                .is_some_and(|own| own.eq(name.chars())),
            _ => false,
        };
        into(query, orders, node, is_it, cursor, cells)?;
    }
    Ok(())
}

/// Returns the text of a name as the path writes it.
fn text(step: &OwnedStep) -> Option<&str> {
    match step {
        OwnedStep::Name(name) => Some(name),
        _ => None,
    }
}

/// Finds elements and components of a value without children.
fn parts<'a>(
    query: &Query,
    node: &Node,
    value: VariantRef<'a>,
    cells: &mut [Cell<'a>],
) -> Result<(), Error> {
    for &column in &node.below {
        let Some(Source::Path(steps, pattern)) = query.columns.get(column).map(|own| &own.source)
        else {
            continue;
        };
        let cell = if pattern.is_empty() {
            match part(steps, node.depth, value)? {
                Some(_) => Cell::Part(value, node.depth),
                None => Cell::Missing,
            }
        } else if value.is_nil() {
            Cell::Missing
        } else {
            Cell::Many(value, node.depth)
        };
        set(cells, &[column], cell);
    }
    Ok(())
}

fn part<'a>(
    steps: &[OwnedStep],
    taken: usize,
    value: VariantRef<'a>,
) -> Result<Option<Found<'a>>, Error> {
    let steps = steps.iter().skip(taken);
    let path: Path<'_> = steps.map(OwnedStep::as_step).collect();
    value.find_path(&path)
}

/// Returns the part of a value to which a cell refers. Returns `None` if the value has no such
/// part, or if the cell is neither a `Part` nor an `Element`.
pub(crate) fn part_of<'a>(query: &Query, column: usize, cell: Cell<'a>) -> Option<Found<'a>> {
    let Some(Source::Path(steps, pattern)) = query.columns.get(column).map(|own| &own.source)
    else {
        return None;
    };
    match cell {
        Cell::Part(value, depth) => part(steps, depth, value).ok().flatten(),
        Cell::Element(array, n) if pattern.is_empty() => {
            let element = array.part(Step::Index(n as i64));
            let found = steps
                .iter()
                .try_fold(element?, |part, step| part.take_step(step.as_step()));
            found.map(Found::Part)
        }
        _ => None,
    }
}

/// Passes the values that a column's pattern leads to, one after the other, to `take`.
pub(crate) fn many<'a>(
    query: &Query,
    column: usize,
    value: VariantRef<'a>,
    depth: usize,
    mut take: impl FnMut(Found<'a>) -> Result<(), String>,
) -> Result<(), String> {
    let rest = query.rest_of(column, depth);
    let pattern = Pattern::parse(&rest).map_err(|error| error.to_string())?;
    let mut all = value.select(&pattern);
    while let Some(found) = all.try_next().map_err(|error| error.to_string())? {
        take(found)?;
    }
    Ok(())
}
