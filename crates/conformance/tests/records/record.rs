//! Reading a record of known fields gives what looking up each key gives, whatever the order of
//! the pairs, with keys missing, repeated, or more than asked for.

use std::fmt::Debug;

use gdvar::{
    Dialect, Document, Error, Record, VariantRef,
    record::{Fields, Key, Mismatch},
    values::{ArrayRef, DictRef},
};
use gdvar_conformance::{
    alike::Random,
    mutate::mutate,
    vectors::{ENGINES, hex},
};

const NAMES: [&str; 5] = [
    "id",
    "name",
    "position of it",
    "a key of more than 24 bytes",
    "é",
];

/// The number of mutations, in hundredths; `GDVAR_MUTATIONS` asks for more.
fn mutations() -> usize {
    let asked = std::env::var("GDVAR_MUTATIONS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(100)
}

type Row<'a> = (
    Option<i64>,
    Option<&'a str>,
    Option<f64>,
    Option<(i32, bool)>,
    Option<usize>,
);

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend([4, 0, 0, 0]);
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

/// Appends a value of the type that the field number `n` has, or now and then one of another type.
fn field(bytes: &mut Vec<u8>, dialect: Dialect, n: usize, random: &mut Random) {
    let array = dialect
        .type_id(gdvar::Kind::Array)
        .expect("all have arrays")
        .0;
    match if random.below(12) == 0 {
        random.below(6)
    } else {
        n
    } {
        0 => {
            bytes.extend([2, 0, 0, 0]);
            bytes.extend((random.next_number() as u32).to_le_bytes());
        }
        1 => text(
            bytes,
            ["Ann", "", "Zoë", "seventeen letters"][random.below(4)],
        ),
        2 if random.below(2) == 0 => {
            bytes.extend([3, 0, 1, 0]);
            bytes.extend(random.next_number().to_le_bytes());
        }
        2 => {
            bytes.extend([3, 0, 0, 0]);
            bytes.extend(1.5_f32.to_le_bytes());
        }
        3 => {
            bytes.extend([
                array, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
            ]);
        }
        4 => bytes.extend([array, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        _ => bytes.extend([0; 4]),
    }
}

fn record(dialect: Dialect, random: &mut Random) -> Vec<u8> {
    let dict = dialect
        .type_id(gdvar::Kind::Dictionary)
        .expect("all have them")
        .0;
    let mut order: Vec<usize> = (0..5).collect();
    match random.below(6) {
        0 => order.swap(random.below(5), random.below(5)),
        1 => order.push(random.below(5)),
        2 => drop(order.remove(random.below(5))),
        3 => order.insert(random.below(5), 5),
        _ => {}
    }
    let mut bytes = vec![dict, 0, 0, 0];
    bytes.extend((order.len() as u32).to_le_bytes());
    for n in order {
        text(&mut bytes, NAMES.get(n).unwrap_or(&"another"));
        field(&mut bytes, dialect, n, random);
    }
    bytes
}

struct Known<'a>(Row<'a>);

impl<'a> Record<'a> for Known<'a> {
    const KEYS: &'static [Key] = &Key::all(NAMES);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        let array: fn(VariantRef<'a>) -> Option<usize> = |value| Some(value.as_array()?.len());
        Ok(Known((
            fields.next().ok(),
            fields.next().ok(),
            fields.next().ok(),
            fields.next().ok(),
            fields.next().ok().and_then(array),
        )))
    }
}

fn by_keys<'a>(dict: DictRef<'a>) -> Result<Row<'a>, Error> {
    let mut pairs = dict.iter();
    let read: Result<Known<'_>, Mismatch> = pairs.read();
    let Known(row) = read.map_err(|wrong| wrong.unreadable().expect("a row is always made"))?;
    assert!(pairs.try_next()?.is_none(), "all pairs are taken");
    Ok(row)
}

fn one_by_one<'a>(dict: DictRef<'a>) -> Result<Row<'a>, Error> {
    let [id, name, position, long, accent] = NAMES.map(|name| dict.get(name));
    let pair = |value: VariantRef<'_>| {
        let array = value.as_array().filter(|array| array.len() == 2)?;
        let first = array.get(0).ok()??.as_i64()?;
        let second = array.get(1).ok()??.as_bool()?;
        Some((i32::try_from(first).ok()?, second))
    };
    Ok((
        id?.and_then(VariantRef::as_i64),
        name?.and_then(VariantRef::as_str),
        position?.and_then(VariantRef::as_f64),
        long?.and_then(pair),
        accent?.and_then(|value| Some(value.as_array()?.len())),
    ))
}

/// Asserts that two ways to read the bytes gave the same. As text, because NaN is not equal to itself.
fn assert_same<T: Debug>(ours: &T, expected: &T, bytes: &[u8]) {
    let (ours, expected) = (format!("{ours:?}"), format!("{expected:?}"));
    assert_eq!(ours, expected, "{}", hex(bytes));
}

#[test]
fn records_read_by_keys_are_what_their_keys_lead_to() {
    let mut random = Random(0x0dd0_feed_5eed_1234);
    let (mut whole, mut refused, mut executions) = (0, 0, 0);
    for _ in 0..60_000 * mutations() / 100 {
        let dialect = ENGINES[random.below(ENGINES.len())].dialect;
        let mut bytes = record(dialect, &mut random);
        for _ in 0..random.below(3) {
            mutate(&mut bytes, &mut random);
        }
        let document = Document::new(&bytes, dialect);
        let Ok(Some(dict)) = document.root().map(VariantRef::as_dict) else {
            continue;
        };
        executions += 1;
        let ours = by_keys(dict);
        assert_same(&ours, &one_by_one(dict), &bytes);
        whole += usize::from(ours.is_ok_and(|row| row.3.is_some()));
        refused += usize::from(ours.is_err());
    }
    assert!(
        whole > executions / 3 && refused > executions / 50,
        "{whole} {refused} {executions}"
    );
}

/// How reading an array of records ended: with an error, or not.
type End = Result<(), Error>;

/// All elements read by their keys, until something cannot be read.
fn all_by_keys<'a>(
    bytes: &'a [u8],
    dialect: Dialect,
    at_once: bool,
) -> (Vec<Option<Row<'a>>>, End) {
    let mut rows = Vec::new();
    let mut add = |known: Result<Known<'a>, Mismatch>| rows.push(known.ok().map(|Known(row)| row));
    let end = array(bytes, dialect).and_then(|array| {
        let mut items = array.iter();
        if at_once {
            return items.for_each_record(add);
        }
        while let Some(known) = items.next_record::<Known<'_>>() {
            if let Some(error) = known.as_ref().err().and_then(|wrong| wrong.unreadable()) {
                return Err(error);
            }
            add(known);
        }
        Ok(())
    });
    (rows, end)
}

fn all_one_by_one(bytes: &[u8], dialect: Dialect) -> (Vec<Option<Row<'_>>>, End) {
    let mut rows = Vec::new();
    let end = array(bytes, dialect).and_then(|array| {
        let mut items = array.iter();
        while let Some(item) = items.try_next()? {
            let row = item.as_dict().map(|dict| {
                // All pairs of a record are read, wanted or not.
                item.end()?;
                one_by_one(dict)
            });
            rows.push(row.transpose()?);
        }
        Ok(())
    });
    (rows, end)
}

fn array(bytes: &[u8], dialect: Dialect) -> Result<ArrayRef<'_>, Error> {
    let root = Document::new(bytes, dialect).root()?;
    Ok(root.as_array().expect("only those are asked for"))
}

#[test]
fn arrays_of_records_are_what_their_elements_are() {
    let mut random = Random(0x1234_5eed_0dd0_feed);
    let (mut whole, mut refused, mut executions) = (0, 0, 0);
    for _ in 0..30_000 * mutations() / 100 {
        let dialect = ENGINES[random.below(ENGINES.len())].dialect;
        let id = dialect
            .type_id(gdvar::Kind::Array)
            .expect("all have arrays");
        let count = random.below(6);
        let mut bytes = vec![id.0, 0, 0, 0, count as u8, 0, 0, 0];
        for _ in 0..count {
            bytes.extend(record(dialect, &mut random));
        }
        for _ in 0..random.below(3) {
            mutate(&mut bytes, &mut random);
        }
        let root = Document::new(&bytes, dialect).root();
        if !root.is_ok_and(|root| root.as_array().is_some()) {
            continue;
        }
        executions += 1;
        let expected = all_one_by_one(&bytes, dialect);
        for at_once in [false, true] {
            let ours = all_by_keys(&bytes, dialect, at_once);
            assert_same(&ours, &expected, &bytes);
        }
        whole += usize::from(expected.1.is_ok() && expected.0.len() > 1);
        refused += usize::from(expected.1.is_err());
    }
    assert!(
        whole > executions / 3 && refused > executions / 50,
        "{whole} {refused} {executions}"
    );
}
