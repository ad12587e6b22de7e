//! Reads values as Rust types. Records and their contents must be the same with shortcuts and without, one by
//! one and all at once. Their fields must equal the results of look-ups.

use std::{collections::BTreeMap, fmt::Debug};

use gdvar::{
    Document, Error, FromVariant, ReadOptions, Record,
    math::{Color, Vector3},
    record::{Fields, Key, Mismatch},
    values::{ArrayRef, DictRef},
};

use super::Input;
use crate::vectors::hex;

/// A record whose fields are kept as text, for comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shown<const N: usize>(Vec<String>);

/// A field as text, or the reason why the record does not match.
type FieldText = Result<String, Mismatch>;

fn needed<'a, T: FromVariant<'a> + Debug>(fields: &mut impl Fields<'a>) -> FieldText {
    Ok(format!("{:?}", fields.next::<T>()?))
}

fn optional<'a, T: FromVariant<'a> + Debug>(fields: &mut impl Fields<'a>) -> FieldText {
    Ok(format!("{:?}", fields.optional::<T>()?))
}

/// Reads a field and ignores its error, so that the record can still be read.
fn lenient<'a, T: FromVariant<'a> + Debug>(fields: &mut impl Fields<'a>) -> FieldText {
    Ok(format!("{:?}", fields.optional::<T>().ok()))
}

/// Does the same as [`needed`] through a look-up.
fn needed_of<'a, T: FromVariant<'a> + Debug>(dict: DictRef<'a>, key: &str) -> Option<String> {
    let value = dict.get(key).ok()??;
    Some(format!("{:?}", value.read::<T>().ok()?))
}

/// Does the same as [`optional`] through a look-up.
fn optional_of<'a, T: FromVariant<'a> + Debug>(dict: DictRef<'a>, key: &str) -> Option<String> {
    let value = dict.get(key).ok()?;
    let value = value.map(|value| value.read::<T>()).transpose().ok()?;
    Some(format!("{value:?}"))
}

/// Does the same as [`lenient`] through a look-up.
fn lenient_of<'a, T: FromVariant<'a> + Debug>(dict: DictRef<'a>, key: &str) -> Option<String> {
    let value = dict.get(key).ok()?;
    let value = value.map(|value| value.read::<T>()).transpose();
    Some(format!("{:?}", value.ok()))
}

/// A record whose fields can also be found by look-ups.
trait LookedUp<'a>: Record<'a> + PartialEq + Debug {
    /// Reads each field by a look-up. `None` if a field is not as the record requires.
    fn look_up(dict: DictRef<'a>) -> Option<Self>;
}

/// Defines records with a number. Each field has a key, two functions that read it, and a type.
macro_rules! records {
    ($($number:literal: $($key:literal $take:ident $of:ident $type:ty),+;)*) => {
        $(
            impl<'a> Record<'a> for Shown<$number> {
                const KEYS: &'static [Key] = &Key::all([$($key),+]);

                #[inline(always)]
                fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
                    Ok(Shown(vec![$($take::<$type>(fields)?),+]))
                }
            }

            impl<'a> LookedUp<'a> for Shown<$number> {
                fn look_up(dict: DictRef<'a>) -> Option<Self> {
                    Some(Shown(vec![$($of::<$type>(dict, $key)?),+]))
                }
            }
        )*

        /// Reads these bytes as every record.
        fn every(bytes: &[u8], options: ReadOptions) {
            $(check::<Shown<$number>>(bytes, options);)*
        }
    };
}

records! {
    0: "id" needed needed_of i32, "name" needed needed_of &'a str, "hitpoints" needed needed_of f64;
    1: "id" optional optional_of i64, "name" optional optional_of Option<String>,
        "漢字" optional optional_of bool, "é" optional optional_of f32;
    2: "id" lenient lenient_of u8, "name" lenient lenient_of &'a str,
        "hitpoints" lenient lenient_of Vector3<f32>, "a key of seventeen" lenient lenient_of i32;
    3: "a key of seventeen" optional optional_of [i64; 3], "é" optional optional_of (i32, i32, i32),
        "" optional optional_of Vec<i32>;
    4: "id" lenient lenient_of Vec<&'a str>, "" lenient lenient_of BTreeMap<&'a str, i64>,
        "hitpoints" lenient lenient_of Vec<Shown<0>>, "name" lenient lenient_of Shown<1>;
    5: "漢字" needed needed_of Option<Color<f32>>;
    6: "id" optional optional_of Option<i32>, "name" lenient lenient_of Option<i32>;
}

/// Reads any bytes as records of each kind.
///
/// # Panics
/// If a record differs with and without shortcuts, or from the results of look-ups.
pub fn run(data: &[u8]) {
    if let Some(input) = Input::split(data) {
        every(input.bytes, input.rules.options());
    }
}

/// Reads any bytes with these options.
///
/// # Panics
/// If a record differs with and without shortcuts, or from the results of look-ups.
pub fn check_all(bytes: &[u8], options: ReadOptions) {
    every(bytes, options);
}

fn check<'a, R: LookedUp<'a>>(bytes: &'a [u8], options: ReadOptions) {
    let plain = of_root::<R>(bytes, options.without_shortcuts(true));
    let quick = of_root::<R>(bytes, options);
    let who = || format!("{options:?} {:?} {}", names::<R>(), hex(bytes));
    assert_eq!(quick, plain, "{}", who());
}

fn names<'a, R: Record<'a>>() -> Vec<&'static str> {
    R::KEYS.iter().map(Key::name).collect()
}

/// Reads the outermost value as one record and as several. Does the same with its children.
fn of_root<'a, R: LookedUp<'a>>(bytes: &'a [u8], options: ReadOptions) -> Vec<String> {
    let Ok(root) = Document::with_options(bytes, options).root() else {
        return Vec::new();
    };
    let mut all = vec![
        format!("{:?}", root.read::<R>()),
        format!("{:?}", root.read::<Vec<R>>()),
        format!("{:?}", root.read::<(R, R)>()),
        format!("{:?}", root.read::<BTreeMap<String, R>>()),
    ];
    if let Some(dict) = root.as_dict() {
        all.push(of_dict::<R>(dict));
    }
    let Some(array) = root.as_array() else {
        return all;
    };
    all.push(format!("{:?}", of_array::<R>(array)));
    // Reads the children of the array, with one walk into each.
    let mut items = array.iter();
    while let Ok(Some(item)) = items.try_next() {
        if let Some(dict) = item.as_dict() {
            all.push(of_dict::<R>(dict));
            let mut pairs = dict.iter();
            let _ = pairs.read::<R>();
            all.push(format!("{:?}", items.pass(&pairs)));
        } else if let Some(inner) = item.as_array() {
            all.push(format!("{:?}", of_array::<R>(inner)));
            let mut records = inner.iter();
            let _ = records.for_each_record::<R>(drop);
            all.push(format!("{:?}", items.pass(&records)));
        }
    }
    all
}

/// Reads the pairs as a record and compares it with what look-ups find.
fn of_dict<'a, R: LookedUp<'a>>(dict: DictRef<'a>) -> String {
    let read = dict.iter().read::<R>();
    // A look-up also reads all pairs, so it fails if one of them is unreadable.
    let is_readable = dict.iter().all(|pair| pair.is_ok());
    if is_readable {
        let found = read.as_ref().ok();
        let who = || {
            format!(
                "{:?} {}",
                names::<R>(),
                hex(dict.value().raw().expect("it was read"))
            )
        };
        assert_eq!(found, R::look_up(dict).as_ref(), "{}", who());
    }
    format!("{read:?}")
}

/// Reads the elements as records, one by one and all at once, and compares the results.
fn of_array<'a, R: Record<'a> + PartialEq + Debug>(
    array: ArrayRef<'a>,
) -> (Vec<Result<R, Mismatch>>, Result<(), Error>) {
    let mut given = Vec::new();
    let end = array.iter().for_each_record(|record| given.push(record));
    let mut items = array.iter();
    let mut taken = Vec::new();
    while let Some(record) = items.next_record::<R>() {
        taken.push(record);
    }
    if let Err(error) = end {
        let last = taken.pop();
        assert_eq!(
            last,
            Some(Err(error.into())),
            "{}",
            hex(array.value().raw().unwrap_or_default())
        );
    }
    assert_eq!(given, taken, "at once and one by one");
    (given, end)
}
