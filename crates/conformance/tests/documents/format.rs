//! The tables of `docs/FORMAT.md`, cell by cell: the document and the code say the same.

use std::{collections::BTreeSet, fs};

use gdvar::{
    Dialect, Document, Kind,
    path::{Found, Path, PathTarget},
    write::wire::{TypeId, layout},
};
use gdvar_conformance::vectors::testdata;

/// The rows of the table below a heading, without its own head.
fn table(heading: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(testdata("../docs/FORMAT.md")).expect("the document");
    let (_, section) = text.split_once(heading).expect(heading);
    let rows: Vec<Vec<String>> = section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect()
        })
        .collect();
    assert!(rows.len() > 20, "{heading}: {} rows", rows.len());
    rows
}

/// The kind that a row is about.
fn kind(cell: &str) -> Kind {
    let name = cell.split(' ').next().unwrap_or_default();
    let name = match name {
        "AABB" => "Aabb",
        "RID" => "Rid",
        _ => name,
    };
    let name = name.replace("Pool", "Packed");
    Kind::ALL
        .iter()
        .copied()
        .find(|kind| format!("{kind:?}") == name)
        .unwrap_or_else(|| panic!("{cell}: no such kind"))
}

#[test]
fn type_numbers_are_those_of_the_document() {
    let rows = table("### 1.1 Type numbers");
    let dialects: Vec<Dialect> = rows[0][1..]
        .iter()
        .map(|name| name.trim_matches('`').parse().expect("a dialect"))
        .collect();
    assert_eq!(
        BTreeSet::from_iter(&dialects),
        BTreeSet::from_iter(&Dialect::ALL)
    );
    let (last, kinds) = rows[2..].split_last().expect("rows");
    let mut seen = BTreeSet::new();
    for row in kinds {
        let kind = kind(&row[0]);
        seen.insert(format!("{kind:?}"));
        for (dialect, cell) in dialects.iter().zip(&row[1..]) {
            let number = cell
                .split(' ')
                .next()
                .and_then(|number| number.parse().ok());
            assert_eq!(
                dialect.type_id(kind).map(|id| id.0),
                number,
                "{dialect} {kind:?}"
            );
            if let Some(number) = number {
                assert_eq!(
                    dialect.kind(TypeId(number)),
                    Some(kind),
                    "{dialect} {number}"
                );
            }
        }
    }
    assert_eq!(seen.len(), Kind::COUNT, "{seen:?}");
    for (dialect, cell) in dialects.iter().zip(&last[1..]) {
        let first_invalid: u8 = cell
            .split(' ')
            .next_back()
            .unwrap_or_default()
            .parse()
            .expect(cell);
        assert_eq!(dialect.type_count(), first_invalid, "{dialect}");
        for id in first_invalid..=u8::MAX {
            assert_eq!(dialect.kind(TypeId(id)), None, "{dialect} {id}");
        }
    }
}

#[test]
fn fixed_payloads_have_the_sizes_of_the_document() {
    let rows = table("Components are listed in stream order.");
    let mut fixed = BTreeSet::new();
    for row in &rows[2..] {
        let kind = kind(&row[0]);
        fixed.insert(format!("{kind:?}"));
        for dialect in Dialect::ALL {
            let Some(id) = dialect.type_id(kind) else {
                continue;
            };
            let (narrow, wide) = match (&*row[2], kind) {
                (_, Kind::Rid) if dialect == Dialect::GODOT_4 => (8, 8),
                (_, Kind::Rid) => (0, 0),
                ("4 / 8", _) => (4, 8),
                (size, _) => match size.strip_suffix('R') {
                    // §2.3: reals have 64 bits with the flag, and in Godot 4 only.
                    Some(reals) => {
                        let reals: usize = reals.parse().expect(size);
                        let wide = if dialect == Dialect::GODOT_4 { 8 } else { 4 };
                        (reals * 4, reals * wide)
                    }
                    None => (size.parse().expect(size), size.parse().expect(size)),
                },
            };
            assert_eq!(
                dialect.fixed_payload(id, false),
                Some(narrow),
                "{dialect} {kind:?}"
            );
            assert_eq!(
                dialect.fixed_payload(id, true),
                Some(wide),
                "{dialect} {kind:?}"
            );
        }
    }
    // All others vary.
    for dialect in Dialect::ALL {
        for id in 0..dialect.type_count() {
            let kind = dialect.kind(TypeId(id)).expect("a kind");
            let is_fixed = fixed.contains(&format!("{kind:?}"));
            let size = dialect.fixed_payload(TypeId(id), false);
            assert_eq!(size.is_some(), is_fixed, "{dialect} {kind:?}");
        }
    }
}

/// Names of the components as the document abbreviates them.
fn named(cell: &str) -> Option<Vec<String>> {
    let (names, _) = cell.split_once(" (")?;
    let names = names.rsplit(':').next()?.trim();
    if names.contains(['…', ',']) || names.contains("above") {
        return None;
    }
    let long = |name: &str| name.replace("pos.", "position.");
    Some(names.split_whitespace().map(long).collect())
}

/// Each component of a value is where docs/FORMAT.md says and has the name that it gives, and the path
/// with that name leads to it.
#[test]
fn numbers_have_the_names_of_the_document() {
    let rows = table("Components are listed in stream order.");
    let mut compared = 0;
    for row in &rows[2..] {
        let kind = kind(&row[0]);
        let Some((number, names)) = layout::numbers(kind) else {
            let others = [Kind::Nil, Kind::Bool, Kind::Rid, Kind::Callable];
            assert!(others.contains(&kind), "{kind}");
            continue;
        };
        if let Some(theirs) = named(&row[1]) {
            assert_eq!(names, theirs, "{kind}");
            compared += 1;
        }
        let dialect = Dialect::GODOT_4;
        let id = dialect.type_id(kind).expect("Godot 4 has it");
        for wide in [false, true] {
            let size = names.len() * number.size(wide);
            assert_eq!(dialect.fixed_payload(id, wide), Some(size), "{kind}");
        }
        let mut bytes = vec![id.0, 0, 0, 0];
        for n in 0..names.len() as u8 {
            match number.name(false) {
                "i32" => bytes.extend(i32::from(n).to_le_bytes()),
                _ => bytes.extend(f32::from(n).to_le_bytes()),
            }
        }
        let root = Document::new(&bytes, dialect).root().expect("a value");
        for (n, name) in names
            .iter()
            .enumerate()
            .filter(|(_, name)| !name.is_empty())
        {
            let path = Path::parse(name).expect("a path");
            let Ok(Some(Found::Part(PathTarget::Math(math)))) = root.find_path(&path) else {
                panic!("{kind}: no {name}");
            };
            assert_eq!(math.iter().collect::<Vec<_>>(), [n as f64], "{kind} {name}");
        }
    }
    assert!(compared > 12, "{compared}");
    for kind in Kind::ALL.iter().copied().filter(|kind| kind.is_packed()) {
        for wide in [false, true] {
            let size = layout::numbers(kind).map(|(number, names)| names.len() * number.size(wide));
            assert_eq!(size, layout::packed_element(kind, wide), "{kind}");
        }
    }
}

#[test]
fn dialects_are_named_as_in_the_document() {
    let text = fs::read_to_string(testdata("../docs/FORMAT.md")).expect("the document");
    for dialect in Dialect::ALL {
        assert_eq!(dialect.name().parse(), Ok(dialect));
        assert_eq!(dialect.to_string(), dialect.name());
        assert!(
            text.contains(&format!("| `{dialect}` | `Dialect::")),
            "{dialect}"
        );
        let title = dialect.title();
        let engine = if dialect.name().starts_with("godot") {
            "Godot"
        } else {
            "Pandemonium"
        };
        let version: String = dialect
            .name()
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        assert!(title.contains(&format!("{engine} {version}")), "{title}");
    }
    let error = "godot5"
        .parse::<Dialect>()
        .expect_err("there is none")
        .to_string();
    assert!(
        Dialect::ALL
            .iter()
            .all(|dialect| error.contains(dialect.name())),
        "{error}"
    );
    assert_eq!(TypeId(38).to_string(), "38");
}
