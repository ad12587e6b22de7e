//! Reads the type numbers of each dialect from the table in docs/FORMAT.md §1.1.

use std::sync::OnceLock;

use gdvar::{Dialect, Kind};

/// The dialects of the columns of that table, from left to right.
const COLUMNS: [Dialect; 7] = [
    Dialect::GODOT_2,
    Dialect::GODOT_3,
    Dialect::GODOT_4_DOCS,
    Dialect::GODOT_4,
    Dialect::PANDEMONIUM_3,
    Dialect::PANDEMONIUM_4,
    Dialect::PANDEMONIUM_5,
];

/// Returns, for each column, the types by number.
fn table() -> &'static [Vec<Option<Kind>>; 7] {
    static TABLE: OnceLock<[Vec<Option<Kind>>; 7]> = OnceLock::new();
    TABLE.get_or_init(|| read(include_str!("../../../../docs/FORMAT.md")))
}

fn read(document: &str) -> [Vec<Option<Kind>>; 7] {
    let mut columns: [Vec<Option<Kind>>; 7] = Default::default();
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with("| logical type |"))
        .skip(2)
        .take_while(|line| !line.contains("first invalid id"));
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let names = cells[0].split([' ', '/', '(']);
        let kind = names
            .filter_map(|name| Kind::ALL.iter().find(|kind| kind.name() == name))
            .next()
            .unwrap_or_else(|| panic!("a type without a name: {row}"));
        for (column, cell) in columns.iter_mut().zip(&cells[1..]) {
            let Some(number) = cell.split(' ').next().and_then(|n| n.parse().ok()) else {
                continue;
            };
            if column.len() <= number {
                column.resize(number + 1, None);
            }
            assert!(column[number].is_none(), "{number} twice: {row}");
            column[number] = Some(*kind);
        }
    }
    assert!(columns.iter().flatten().all(Option::is_some), "a gap");
    columns
}

fn column(dialect: Dialect) -> &'static [Option<Kind>] {
    let known = COLUMNS.iter().position(|known| *known == dialect);
    &table()[known.expect("every dialect has a column")]
}

/// Returns the type that a number means, if any.
pub(super) fn kind(dialect: Dialect, number: u32) -> Option<Kind> {
    *column(dialect).get(number as usize)?
}

/// Returns the number of a type, if the dialect has it.
pub(super) fn number(dialect: Dialect, kind: Kind) -> Option<u32> {
    let known = column(dialect)
        .iter()
        .position(|known| *known == Some(kind));
    known.map(|number| number as u32)
}

/// Returns the first number that belongs to no type.
pub(super) fn first_invalid(dialect: Dialect) -> u32 {
    column(dialect).len() as u32
}

#[cfg(test)]
mod tests {
    use super::{Dialect, first_invalid};

    #[test]
    fn the_last_row_of_the_table_counts_the_others() {
        let document = include_str!("../../../../docs/FORMAT.md");
        let row = document
            .lines()
            .find(|line| line.contains("first invalid id"));
        let cells: Vec<&str> = row.expect("the row").split('|').skip(2).collect();
        for (dialect, cell) in super::COLUMNS.iter().zip(cells) {
            let last = cell.split('/').next_back().map(str::trim);
            assert_eq!(
                last.and_then(|n| n.parse().ok()),
                Some(first_invalid(*dialect))
            );
        }
        assert_eq!(first_invalid(Dialect::GODOT_4), 39);
    }
}
