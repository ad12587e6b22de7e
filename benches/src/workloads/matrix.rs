//! M: the records of W1 with one thing changed at a time, and all of them at once.
//!
//! Shortcuts are made for the data that their makers look at. Each case takes away something that
//! a shortcut may have counted on.

use super::{Entity, Size, Tree, entities};
use crate::{
    model::{Pair, Value, types},
    random::Random,
};

/// One case: which things differ from W1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// The name in tables: `M names`.
    pub(crate) id: &'static str,
    /// The change.
    pub(crate) title: &'static str,
    change: Change,
}

#[derive(Clone, Copy, Debug)]
struct Change {
    named: bool,
    name_values: bool,
    vector2i: bool,
    /// In one record of so many the fields are in another order; 0: in none.
    shuffled_in: usize,
    missing: bool,
    typed_array: bool,
    typed_dict: bool,
    wide: bool,
    lists: bool,
}

const NONE: Change = Change {
    named: false,
    name_values: false,
    vector2i: false,
    shuffled_in: 0,
    missing: false,
    typed_array: false,
    typed_dict: false,
    wide: false,
    lists: false,
};

const fn new(id: &'static str, title: &'static str, change: Change) -> Case {
    Case { id, title, change }
}

/// The cases, the first of them W1 itself.
#[rustfmt::skip]
pub(crate) const CASES: [Case; 12] = [
    new("M plain", "W1's records as they are", NONE),
    new("M keys", "keys are StringNames", Change { named: true, ..NONE }),
    new("M names", "text values are StringNames", Change { name_values: true, ..NONE }),
    new("M vector2i", "Vector2i instead of Vector3", Change { vector2i: true, ..NONE }),
    new("M quarter", "fields in another order in a quarter", Change { shuffled_in: 4, ..NONE }),
    new("M order", "fields in another order in all", Change { shuffled_in: 1, ..NONE }),
    new("M missing", "fields missing in half", Change { missing: true, ..NONE }),
    new("M typed array", "a list of ints is an Array[int]", Change { typed_array: true, ..NONE }),
    new("M typed dict", "a typed Dictionary in each", Change { typed_dict: true, ..NONE }),
    new("M wide", "30 % of names not ASCII", Change { wide: true, ..NONE }),
    new("M lists", "lists of 0 to 12 items", Change { lists: true, ..NONE }),
    new("M all", "all of it", Change {
        named: true,
        name_values: true,
        vector2i: true,
        shuffled_in: 4,
        missing: true,
        typed_array: true,
        typed_dict: true,
        wide: true,
        lists: true,
    }),
];

/// A Dictionary whose `entities` are 1 000 or 300 000 records.
pub(crate) fn case(size: Size, case: &Case) -> Tree {
    let mut random = Random::new(0x5eed_00a1);
    let change = case.change;
    let records = entities(size).into_iter().map(|mut entity| {
        if change.wide {
            let (chars, accents) = (entity.name.chars().count(), random.below(10) < 3);
            entity.name = random.text(chars, accents);
        }
        record(&entity, change, &mut random)
    });
    let records = Value::Array(records.collect());
    let root = vec![Pair::from(("entities", records))];
    Tree::new(case.id, case.title, dict(root, change.named))
}

fn dict(pairs: Vec<Pair>, named: bool) -> Value {
    if named {
        Value::Named(pairs)
    } else {
        Value::Dict(pairs)
    }
}

fn record(entity: &Entity, change: Change, random: &mut Random) -> Value {
    let Value::Dict(mut pairs) = entity.value() else {
        return Value::Nil;
    };
    for pair in &mut pairs {
        match pair.key.as_str() {
            "name" if change.name_values => pair.value = Value::Name(entity.name.clone()),
            "pos" if change.vector2i => {
                let [x, _, z] = entity.pos;
                pair.value = Value::Vector2i([x as i32, z as i32]);
            }
            "items" => pair.value = items(entity, change, random),
            _ => {}
        }
    }
    if change.typed_dict {
        let stats = ["str", "dex", "wit"].map(|key| {
            let value = Value::Int(random.between(1, 20));
            Pair::from((key, value))
        });
        let key = if change.named {
            types::STRING_NAME
        } else {
            types::STRING
        };
        let stats = Value::TypedDict([key, types::INT], stats.into());
        pairs.push(Pair::from(("stats", stats)));
    }
    if change.missing && random.one_in(2) {
        // The id stays.
        for _ in 0..random.between(1, 3) {
            let at = random.between(1, pairs.len() as i64 - 1) as usize;
            pairs.remove(at);
        }
    }
    if change.shuffled_in > 0 && random.one_in(change.shuffled_in) {
        for n in (1..pairs.len()).rev() {
            pairs.swap(n, random.below(n + 1));
        }
    }
    dict(pairs, change.named)
}

/// The items that a record carries: a text and two ints, or so many, or ints alone where they are
/// typed.
fn items(entity: &Entity, change: Change, random: &mut Random) -> Value {
    let (item, count, quality) = &entity.items;
    let len = match change.lists {
        true => random.between(0, 12) as usize,
        false => 3,
    };
    let items = (0..len).map(|n| match n % 3 {
        0 if change.typed_array => Value::Int(entity.level.into()),
        0 if change.name_values => Value::Name(item.clone()),
        0 => Value::text(item),
        1 => Value::Int((*count).into()),
        _ => Value::Int((*quality).into()),
    });
    let items = items.collect();
    if change.typed_array {
        Value::TypedArray(types::INT, items)
    } else {
        Value::Array(items)
    }
}

/// The keys of records of many ints, one behind the other.
pub(crate) const INT_KEYS: [&str; 64] = [
    "field_00", "field_01", "field_02", "field_03", "field_04", "field_05", "field_06", "field_07",
    "field_10", "field_11", "field_12", "field_13", "field_14", "field_15", "field_16", "field_17",
    "field_20", "field_21", "field_22", "field_23", "field_24", "field_25", "field_26", "field_27",
    "field_30", "field_31", "field_32", "field_33", "field_34", "field_35", "field_36", "field_37",
    "field_40", "field_41", "field_42", "field_43", "field_44", "field_45", "field_46", "field_47",
    "field_50", "field_51", "field_52", "field_53", "field_54", "field_55", "field_56", "field_57",
    "field_60", "field_61", "field_62", "field_63", "field_64", "field_65", "field_66", "field_67",
    "field_70", "field_71", "field_72", "field_73", "field_74", "field_75", "field_76", "field_77",
];

/// R4 and R64: 1 000 records of 4 fields, or of 64 of which two have changed places.
pub(crate) fn many_fields(fields: usize) -> Tree {
    let mut random = Random::new(0x5eed_0064);
    let records = (0..1_000).map(|_| {
        let mut pairs: Vec<Pair> = INT_KEYS[..fields]
            .iter()
            .map(|key| Pair::from((*key, Value::Int(random.between(0, 1 << 30)))))
            .collect();
        if fields > 40 {
            pairs.swap(20, 40);
        }
        Value::Dict(pairs)
    });
    let value = Value::dict([("entities", Value::Array(records.collect()))]);
    match fields {
        4 => Tree::new("R4", "records of 4 ints into structs, by field", value),
        _ => Tree::new(
            "R64",
            "records of 64 ints, two of them swapped, into structs, by field",
            value,
        ),
    }
}
