//! Reading a record of known fields gives what looking up each key gives, whatever the order of
//! the pairs, with keys missing, repeated, or more than asked for.

use gdvar::{Dialect, DictRef, Document, Error, Fields, Key, Record, VariantRef};
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

/// A value as the field of that number has it, or sometimes another.
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

    fn read(fields: &mut impl Fields<'a>) -> Option<Self> {
        let array: fn(VariantRef<'a>) -> Option<usize> = |value| Some(value.as_array()?.len());
        Some(Known((
            fields.next(),
            fields.next(),
            fields.next(),
            fields.next(),
            fields.next().and_then(array),
        )))
    }
}

fn by_keys<'a>(dict: DictRef<'a>) -> Result<Row<'a>, Error> {
    let mut pairs = dict.iter();
    let Known(row) = pairs.read()?.expect("a row is always made");
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

#[test]
fn records_read_by_keys_are_what_their_keys_lead_to() {
    let mut random = Random(0x0dd0_feed_5eed_1234);
    let (mut whole, mut refused, mut executions) = (0, 0, 0);
    for _ in 0..60_000 {
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
        match (by_keys(dict), one_by_one(dict)) {
            (Ok(ours), Ok(expected)) => {
                // NaN is not equal to itself.
                assert_eq!(
                    format!("{ours:?}"),
                    format!("{expected:?}"),
                    "{}",
                    hex(&bytes)
                );
                whole += usize::from(ours.3.is_some());
            }
            (Err(ours), Err(expected)) => {
                assert_eq!(ours, expected, "{}", hex(&bytes));
                refused += 1;
            }
            (ours, expected) => panic!("{ours:?} {expected:?} {}", hex(&bytes)),
        }
    }
    assert!(
        whole > executions / 3 && refused > executions / 50,
        "{whole} {refused} {executions}"
    );
}
