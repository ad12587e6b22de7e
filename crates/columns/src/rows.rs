//! Reads the cells of rows from a value, all columns in one pass.

use gdvar_view::{Cursor, Document, Error, Found, Pattern, VariantRef};

use crate::{
    cell::Cell,
    orders::Orders,
    query::Query,
    walk::{many, walk},
};

/// Receives the rows of a value.
pub(crate) trait Take {
    /// Receives the cells of a row and its number in the value. Returns `false` to stop after this
    /// row.
    fn row(&mut self, element: u64, cells: &[Cell<'_>]) -> bool;

    /// Receives the reason why the rest of the value cannot be read.
    fn damaged(&mut self, element: u64, reason: &str);
}

/// Clears cells and keeps their memory.
pub(crate) fn recycle<'b>(cells: Vec<Cell<'_>>) -> Vec<Cell<'b>> {
    // Collecting reuses the memory of the vector.
    cells.into_iter().map(|_| Cell::Missing).collect()
}

/// Passes the rows of a value to `take`. A row that cannot be read to its end is reported as
/// damaged, and no row follows it.
pub(crate) fn rows<'a>(
    query: &Query,
    orders: &mut Orders,
    document: Document<'a>,
    cells: &mut [Cell<'a>],
    take: &mut impl Take,
) {
    let mut element = 0;
    let done = match &query.each {
        None => walk(query, orders, 0, &mut document.cursor(), cells).map(|()| {
            let is_bare = |(column, cell): (usize, &Cell<'a>)| match *cell {
                Cell::Missing => true,
                // No step of the pattern was followed yet. The first value that it leads to stops
                // this search.
                Cell::Many(value, 0) => {
                    many(query, column, value, 0, |_| Err(String::new())).is_ok()
                }
                _ => false,
            };
            let is_bare = cells.iter().enumerate().all(is_bare);
            match is_bare.then(|| leftover(document)).flatten() {
                Some(reason) => take.damaged(0, &reason),
                None => drop(take.row(0, cells)),
            }
        }),
        Some(each) => each_of(query, orders, document, each, cells, &mut element, take).map(|()| {
            if let Some(reason) = (element == 0).then(|| leftover(document)).flatten() {
                take.damaged(0, &reason);
            }
        }),
    };
    if let Err(error) = done {
        let place = document.locate(error.offset());
        take.damaged(element, &format!("{error} in {place}"));
    }
}

/// Returns a reason to doubt the value if bytes follow it. Called if no path led anywhere: for
/// example, a Dictionary of Godot 3 can look like a Transform3D of Godot 4, which is shorter.
#[cold]
fn leftover(document: Document<'_>) -> Option<String> {
    let mut cursor = document.cursor();
    // An error in the value was already reported.
    cursor.skip().ok()?;
    let left = cursor.left();
    let kind = document.root().ok()?.kind();
    (left > 0).then(|| {
        format!(
            "no path leads anywhere: the value is a {kind}, followed by {left} bytes; it is damaged, or of \
             another engine"
        )
    })
}

fn each_of<'a>(
    query: &Query,
    orders: &mut Orders,
    document: Document<'a>,
    each: &str,
    cells: &mut [Cell<'a>],
    element: &mut u64,
    take: &mut impl Take,
) -> Result<(), Error> {
    // The query was checked when it was made, so this is a pattern.
    let Ok(pattern) = Pattern::parse(each) else {
        return Ok(());
    };
    let mut found = document.root()?.select(&pattern);
    while let Some(found) = found.try_next()? {
        let Found::Value(value) = found else {
            continue;
        };
        if !children(query, orders, value, cells, element, take)? {
            break;
        }
    }
    Ok(())
}

/// Makes a row of each child of a value.
fn children<'a>(
    query: &Query,
    orders: &mut Orders,
    value: VariantRef<'a>,
    cells: &mut [Cell<'a>],
    element: &mut u64,
    take: &mut impl Take,
) -> Result<bool, Error> {
    let mut cursor = Cursor::of(value);
    let (count, pairs, properties) = if let Some(count) = cursor.enter_array()? {
        (count, false, false)
    } else if let Some(count) = cursor.enter_dict()? {
        (count, true, false)
    } else if let Some(count) = cursor.enter_object()? {
        (count, false, true)
    } else {
        return packed(query, value, cells, element, take);
    };
    for _ in 0..count {
        cells.fill(Cell::Missing);
        if pairs {
            cursor.skip()?;
        } else if properties {
            cursor.property()?;
        }
        walk(query, orders, 0, &mut cursor, cells)?;
        let more = take.row(*element, cells);
        *element += 1;
        if !more {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes a row of each element of a packed array.
fn packed<'a>(
    query: &Query,
    value: VariantRef<'a>,
    cells: &mut [Cell<'a>],
    element: &mut u64,
    take: &mut impl Take,
) -> Result<bool, Error> {
    let texts = value.as_strings().into_iter().flatten();
    let texts = texts.map(|text| text.map(|text| text.to_str().ok()));
    let ends = query.tree.node(0).map(|node| node.ends.as_slice());
    let mut row = |cell: Cell<'a>| {
        for (column, own) in cells.iter_mut().enumerate() {
            let is_whole = ends.is_some_and(|ends| ends.contains(&column));
            *own = match cell {
                Cell::Text(_) if !is_whole => Cell::Missing,
                cell => cell,
            };
        }
        let more = take.row(*element, cells);
        *element += 1;
        more
    };
    if value.as_strings().is_some() {
        // Finding text number n again would walk over all texts before it.
        for (n, text) in texts.enumerate() {
            if !row(text?.map_or(Cell::Element(value, n), Cell::Text)) {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    for n in 0..value.packed_len().unwrap_or(0) {
        if !row(Cell::Element(value, n)) {
            return Ok(false);
        }
    }
    Ok(true)
}
