//! Edits, differences and rescue, on what real engines wrote.

use std::collections::BTreeMap;

use gdvar::{
    Dialect, Document, Kind, Objects, ReadOptions,
    edit::{Patch, RecoveredRecords, Rescued, Segment, recover_records},
    frames::{PrefixOrder, frames},
};
use gdvar_conformance::{
    alike::Random,
    damage::{Sort, damage},
    targets::{Input, diff, seeds::seeds},
    undamaged::undamaged,
    vectors::{ENGINES, testdata, vectors},
    with_big_stack,
};
use gdvar_io::{Limits, compressed::Compressed};

/// The saves that hold records as they are, with their dialects.
fn saves() -> Vec<(String, Dialect, Vec<u8>)> {
    let folder = std::fs::read_dir(testdata("saves")).expect("the saves");
    let mut all = Vec::new();
    for entry in folder {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let plain = [".sav", ".dat", ".rec", ".chunk", ".cfg"];
        if !plain.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let dialect = match name.contains('3') {
            true => Dialect::GODOT_3,
            false => Dialect::GODOT_4,
        };
        let bytes = std::fs::read(&path).expect("a save");
        all.push((name, dialect, bytes));
    }
    assert!(all.len() >= 12, "{} saves", all.len());
    all
}

/// How the records of a save are read.
fn options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}

/// Returns `true` if every record of a file can be read to its end, in strict mode if `strict` is set.
fn is_in_order(file: &[u8], options: ReadOptions, strict: bool) -> bool {
    frames(file, PrefixOrder::Little).all(|frame| {
        let frame = frame.expect("a record");
        let document = Document::with_options(frame.bytes, options);
        let document = if strict { document.strict() } else { document };
        document.validate() == Ok(frame.bytes.len())
    })
}

/// Returns `true` if a file consists of records. Unlike `is_in_order`, it does not panic if it does not.
fn has_records(bytes: &[u8], options: ReadOptions) -> bool {
    frames(bytes, PrefixOrder::Little).all(|frame| {
        frame.is_ok_and(|frame| {
            Document::with_options(frame.bytes, options).validate() == Ok(frame.bytes.len())
        })
    })
}

/// Describes what was rescued, for the messages of failed checks.
fn told(found: &RecoveredRecords<'_>) -> String {
    let one = |one: &Rescued<'_>| {
        let found = &one.found;
        let (damage, lost) = (found.damage(), found.lost());
        format!("{} {damage:?} {lost:?} {:?}; ", one.offset, found.damaged())
    };
    let all: String = found.records().iter().map(one).collect();
    format!("{all} gaps {:?}", found.gaps())
}

#[test]
fn every_cut_of_every_save_leaves_a_save() {
    let mut cuts = 0;
    for (name, dialect, bytes) in saves() {
        let options = options(dialect);
        if !has_records(&bytes, options) {
            continue;
        }
        let strict = is_in_order(&bytes, options, true);
        // Cuts small saves at every place. Large ones are cut at as many places, spread over the file, and not only at
        // multiples of four. With `EVERY_CUT` set, they are cut at every place, which takes minutes.
        let most = if std::env::var_os("EVERY_CUT").is_some() {
            usize::MAX
        } else {
            2000
        };
        let step = (bytes.len() / most).max(1) | 1;
        for at in (0..bytes.len()).step_by(step) {
            let found =
                recover_records(&[Segment::from(&bytes[..at])], PrefixOrder::Little, options);
            let mut file = Vec::new();
            found.write_to(&mut file).expect("memory");
            assert!(
                is_in_order(&file, options, strict),
                "{name} cut at {at}: {}",
                told(&found)
            );
            // Whole records in front of the cut are kept as they were.
            let whole = frames(&bytes, PrefixOrder::Little).map(|frame| frame.expect("a record"));
            let whole = whole.map(|frame| frame.offset + frame.bytes.len());
            let end = whole.take_while(|end| *end <= at).last().unwrap_or(0);
            assert!(file.starts_with(&bytes[..end]), "{name} cut at {at}");
            cuts += 1;
        }
    }
    assert!(cuts > 10_000, "{cuts} cuts");
}

#[test]
fn every_cut_of_compressed_saves_leaves_a_save() {
    let mut left = 0;
    for name in [
        "camp4.zstd.gcpf",
        "rpg4.zstd.gcpf",
        "exact4.fastlz.gcpf",
        "camp3.gzip.gcpf",
    ] {
        let file = std::fs::read(testdata("saves").join(name)).expect("a save");
        let dialect = match name.contains('3') {
            true => Dialect::GODOT_3,
            false => Dialect::GODOT_4,
        };
        for at in (0..file.len()).step_by((file.len() / 300).max(1) | 1) {
            // Cut, and with a block that cannot be unpacked.
            let mut bent = file.clone();
            bent[at] ^= 0x55;
            for damaged in [&file[..at], &bent] {
                let Ok(opened) = Compressed::open(damaged, Limits::unpacking(file.len())) else {
                    continue;
                };
                let pieces = opened.pieces();
                let segments = pieces.iter().map(|(offset, bytes)| Segment {
                    offset: *offset,
                    bytes,
                });
                let segments: Vec<_> = segments.collect();
                let found = recover_records(&segments, PrefixOrder::Little, options(dialect));
                let mut records = Vec::new();
                found.write_to(&mut records).expect("memory");
                let engine = is_in_order(&records, options(dialect), false);
                assert!(engine, "{name} at {at}: {}", told(&found));
                left += found.len();
            }
        }
    }
    assert!(left > 1000, "{left} records");
}

/// The number in an environment variable, or `otherwise` if it is not set.
fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(otherwise, |given| given.parse().expect("a number"))
}

/// Damages files of all dialects, bare values and records with prefixes of both byte orders, of 50 bytes to 1 MB, in
/// every way. `DAMAGES=100000 DAMAGES_SEED=7` makes a longer run, and `--nocapture` shows how much was rescued.
#[test]
fn what_is_rescued_is_what_was_there() {
    let (few, large) = (undamaged(false), undamaged(true));
    let sizes = || {
        few.iter()
            .chain(&large)
            .map(|file| file.truth.bytes().len())
    };
    assert!(few.len() > 150 && large.len() == 21);
    assert!(sizes().min() < Some(60) && sizes().max() > Some(1_000_000));
    let most = number("DAMAGES", 4500) as usize;
    let mut random = Random(number("DAMAGES_SEED", 0x9e37_79b9_7f4a_7c15));
    let mut kept: BTreeMap<Sort, Vec<usize>> = BTreeMap::new();
    let mut invented = Vec::new();
    for n in 0..most {
        // Large files take long, so only one in a hundred is large.
        let files = if n % 100 == 0 { &large } else { &few };
        let file = &files[random.below(files.len())];
        let sort = Sort::ALL[n / 100 % Sort::ALL.len()];
        let damaged = damage(file.truth.bytes(), file.order, sort, &mut random);
        let (tally, _) = file.truth.judge(&damaged);
        let share = tally.kept * 1000 / file.truth.values();
        kept.entry(sort).or_default().push(share);
        // No reader can tell a valid file from one that was written so.
        if tally.invented > 0 && !tally.is_valid {
            let (new, replaced) = (&damaged.new, damaged.replaced);
            invented.push(format!(
                "{n} {sort:?} in {}, {new:?} for {replaced}: {tally:?}",
                file.name
            ));
        }
    }
    for (sort, kept) in &mut kept {
        kept.sort_unstable();
        let median = kept[kept.len() / 2];
        println!(
            "{sort:?}: {} damages, {median} of 1000 values kept in the middle",
            kept.len()
        );
        assert!(*sort != Sort::Byte || median >= 950, "{median}");
    }
    assert!(
        invented.is_empty(),
        "{} of {most}: {invented:#?}",
        invented.len()
    );
}

#[test]
fn records_behind_a_damage_are_found() {
    for (name, dialect, bytes) in saves() {
        let options = options(dialect);
        let records: Vec<_> = frames(&bytes, PrefixOrder::Little).collect();
        if records.len() < 3 || !has_records(&bytes, options) {
            continue;
        }
        let first = records[0].expect("a record");
        // The length of the first record is wrong, or some bytes in it, or one byte is missing.
        let mut length = bytes.clone();
        length[2] = 0x7f;
        let mut inside = bytes.clone();
        inside[first.offset..first.offset + first.bytes.len().min(12)].fill(0xff);
        let mut shifted = bytes.clone();
        shifted.remove(first.offset + 1);
        for damaged in [length, inside, shifted] {
            let found =
                recover_records(&[Segment::from(&damaged[..])], PrefixOrder::Little, options);
            let mut file = Vec::new();
            found.write_to(&mut file).expect("memory");
            // If a byte is missing, the reader may take the first byte of the next record instead, so only the records
            // after that must be unchanged.
            let second = records[1].expect("a record");
            let rest = &bytes[second.offset + second.bytes.len()..];
            assert!(file.ends_with(rest), "{name}: {}", told(&found));
            assert!(!found.is_whole(), "{name}");
        }
    }
}

#[test]
fn a_patch_makes_of_each_vector_the_next() {
    with_big_stack(|| {
        for engine in ENGINES {
            let options = options(engine.dialect);
            let all: Vec<_> = vectors(engine)
                .into_iter()
                .filter(|vector| {
                    let end = Document::with_options(&vector.bytes, options).validate();
                    end == Ok(vector.bytes.len()) && end.is_ok_and(|end| end % 4 == 0)
                })
                .map(|vector| vector.bytes)
                .filter(|bytes| bytes.len() < 20_000)
                .collect();
            assert!(all.len() > 100, "{}: {}", engine.name, all.len());
            for pair in all.windows(2) {
                diff::check(&pair[0], &pair[1], options);
            }
        }
    });
}

/// Arrays share elements at both ends, elements repeat, and the same bytes can lie at another distance from
/// the front than from the end.
#[test]
fn a_patch_between_arrays_of_repeated_elements_is_exact() {
    let mut random = Random(20_261_126);
    for engine in ENGINES {
        let options = options(engine.dialect);
        let short: Vec<_> = vectors(engine)
            .into_iter()
            .map(|vector| vector.bytes)
            .filter(|bytes| {
                let end = Document::with_options(bytes, options).validate();
                bytes.len() <= 40 && bytes.len() % 4 == 0 && end == Ok(bytes.len())
            })
            .collect();
        assert!(short.len() > 20, "{}: {}", engine.name, short.len());
        let array = engine.dialect.type_id(Kind::Array).expect("all have it");
        let bytes = |elements: &[&[u8]]| {
            let words = [u32::from(array.0), elements.len() as u32];
            [&words.map(u32::to_le_bytes).concat(), &elements.concat()]
                .map(Vec::as_slice)
                .concat()
        };
        for _ in 0..400 {
            let pool: Vec<_> = (0..4)
                .map(|_| short[random.below(short.len())].as_slice())
                .collect();
            let old: Vec<_> = (0..random.below(9))
                .map(|_| pool[random.below(4)])
                .collect();
            let mut new = old.clone();
            for _ in 0..=random.below(2) {
                let from = random.below(new.len() + 1);
                let to = from + random.below(new.len() - from + 1).min(2);
                let put: Vec<_> = (0..random.below(3))
                    .map(|_| pool[random.below(4)])
                    .collect();
                new.splice(from..to, put);
            }
            diff::check(&bytes(&old), &bytes(&new), options);
        }
    }
}

#[test]
fn a_patch_of_a_save_says_what_changed_and_no_more() {
    let save = std::fs::read(testdata("saves").join("rpg4.sav")).expect("a save");
    let old = Document::with_options(&save[4..], options(Dialect::GODOT_4));
    let mut edit = gdvar::edit::Edit::new(old);
    let keys = old
        .root()
        .expect("a value")
        .as_dict()
        .expect("a dictionary");
    let (first, _) = keys.iter().next().expect("a key").expect("in order");
    let name = first.as_str().expect("a text");
    let was = old.get_as::<i64>(name).expect("a path").expect("an int");
    edit.set(name, b"\x02\0\0\0\x4d\0\0\0");
    let new = edit.plan().expect("an edit").to_vec();
    let new = Document::with_options(&new, old.options());
    let patch = Patch::between(old, new).expect("both can be read");
    assert_eq!(
        patch.to_string(),
        format!("gdvar-patch 2 godot4\nset $.{name} {was} -> 77\n")
    );
}

/// `[n, …]` of ints, and `{"n": n, …}`.
fn values(numbers: &[u8], keyed: bool) -> Vec<u8> {
    let mut bytes = vec![
        if keyed { 27 } else { 28 },
        0,
        0,
        0,
        numbers.len() as u8,
        0,
        0,
        0,
    ];
    for n in numbers {
        if keyed {
            bytes.extend([4, 0, 0, 0, 1, 0, 0, 0, b'a' + n, 0, 0, 0]);
        }
        bytes.extend([2, 0, 0, 0, *n, 0, 0, 0]);
    }
    bytes
}

/// A patch may come from a stranger: one with impossible numbers is refused, without a panic.
#[test]
fn a_patch_of_impossible_numbers_is_refused() {
    let old = values(&[1, 2, 3], false);
    let document = Document::with_options(&old, options(Dialect::GODOT_4));
    let most = usize::MAX;
    for lines in [
        "remove $[0] of 3 1\nremove $[0] of 3 1\nremove $[0] of 3 1\nremove $[0] of 3 1".to_owned(),
        format!("remove $[{most}] of {most} 1"),
        format!("insert $[{most}] of {most} 1\ninsert $[{most}] of {most} 1"),
        format!("move $[{most}] of {most} to {most} 1"),
        format!("insert $.a{{{most}}} of {most} \"k\" = 1\nremove $.a{{0}} of 0 \"k\" = 1"),
        format!("set $[0].b{{{}}} 1 -> 2\nremove $[0] of 0 1", u32::MAX),
        "remove $[5] of 3 1\nset $[6] 1 -> 2".to_owned(),
    ] {
        let patch = format!("gdvar-patch 2 godot4\n{lines}\n");
        // A number that no path can hold is refused where the patch is read.
        let Ok(patch) = patch.parse::<Patch>() else {
            assert!(lines.contains(&most.to_string()), "{lines}");
            continue;
        };
        for patch in [patch.clone(), patch.reversed(), patch.reversed().reversed()] {
            assert!(patch.edit(document).plan().is_err(), "{lines}");
            let _ = patch.edit_unchecked(document).plan();
            let _ = patch.to_string();
        }
    }
}

/// A patch can be applied only once: a second time it is refused. Its reverse restores the old value, also only once.
#[test]
fn a_patch_is_applied_once_and_taken_back() {
    let all: &[&[u8]] = &[
        &[],
        &[1],
        &[2, 1],
        &[1, 2, 3],
        &[3, 1, 2],
        &[1, 1, 1, 1],
        &[1, 9, 2, 8, 3],
        &[1, 1, 2, 2, 1, 1],
        &[5, 4, 3, 2, 1],
    ];
    for keyed in [false, true] {
        for old in all {
            for new in all {
                let (old, new) = (values(old, keyed), values(new, keyed));
                fn doc(bytes: &[u8]) -> Document<'_> {
                    Document::with_options(bytes, options(Dialect::GODOT_4))
                }
                let patch = Patch::between(doc(&old), doc(&new)).expect("both can be read");
                let patch: Patch = patch.to_string().parse().expect("a patch");
                let apply = |patch: &Patch, to: &[u8]| {
                    let edit = patch.edit(doc(to));
                    edit.plan().map(|plan| plan.to_vec())
                };
                assert_eq!(apply(&patch, &old).expect("it fits"), new, "{patch}");
                assert_eq!(
                    apply(&patch.reversed(), &new).expect("it fits"),
                    old,
                    "{patch}"
                );
                assert_eq!(patch.reversed().reversed().len(), patch.len());
                if old != new {
                    assert!(apply(&patch, &new).is_err(), "twice: {patch}");
                    assert!(
                        apply(&patch.reversed(), &old).is_err(),
                        "back twice: {patch}"
                    );
                }
            }
        }
    }
}

#[test]
fn seeds_are_edited_in_each_way() {
    with_big_stack(|| {
        for (name, run) in gdvar_conformance::targets::TARGETS {
            if !["edit", "diff", "recover"].contains(&name) {
                continue;
            }
            for seed in seeds(name) {
                let mut input = Input::split(&seed).expect("a whole input");
                for choice in [1_u16, 77, 4097, 40_000] {
                    input.choice = choice;
                    run(&input.join());
                }
            }
        }
    });
}

/// The element type of a typed array of Pandemonium 5 is a word of which the engine checks nothing: 0x17 is an object, and
/// 0x117 is not. Children in front of a cut are kept under any.
#[test]
fn a_typed_array_of_an_odd_element_type_keeps_its_children() {
    let options = options(Dialect::PANDEMONIUM_5);
    let int = [2, 0, 0, 0, 7, 0, 0, 0];
    for element in [0x117_u32, 0x8000_0002, 0x1234_5678, 0xff, 2] {
        let mut value = [&[27, 0, 0, 0][..], &element.to_le_bytes(), &[3, 0, 0, 0]].concat();
        for _ in 0..3 {
            value.extend(int);
        }
        let whole = gdvar::Document::with_options(&value, options).validate();
        assert_eq!(whole, Ok(value.len()), "{element:#x}");
        let file = [
            &(value.len() as u32).to_le_bytes()[..],
            &value[..value.len() - 3],
        ]
        .concat();
        let found = recover_records(&[Segment::from(&file[..])], PrefixOrder::Little, options);
        let mut left = Vec::new();
        found.write_to(&mut left).expect("memory");
        let mut two = [&28_u32.to_le_bytes()[..], &value[..value.len() - 8]].concat();
        two[12] = 2;
        assert_eq!(left, two, "{element:#x}");
    }
}

/// A resource stores only what differs from the defaults of its class, so a property is often not there yet.
#[test]
fn a_property_that_an_object_lacks_is_added_at_its_end() {
    use gdvar::{
        Variant,
        edit::Edit,
        tree::{FullObject, Object},
        variant,
        write::{Precision, Target},
    };

    for dialect in Dialect::ALL {
        let target = Target::from(dialect).with_precision(Precision::AsGiven);
        let bytes = |properties: &[&str]| {
            let hero = FullObject {
                class: "Resource".into(),
                properties: properties
                    .iter()
                    .map(|name| ((*name).into(), Variant::from(5)))
                    .collect(),
            };
            variant!({ "hero": (Variant::Object(Object::Full(hero.into()))), "day": 1 })
                .to_vec(target)
        };
        let Ok(old) = bytes(&["hp"]) else {
            assert_eq!(
                dialect,
                Dialect::GODOT_2,
                "only Godot 2 has no whole objects"
            );
            continue;
        };
        let document = Document::with_options(&old, options(dialect));
        let five = Variant::from(5).to_vec(target).expect("written");
        for insert in [false, true] {
            let mut edit = Edit::new(document);
            if insert {
                edit.insert("hero.mana", &five);
            } else {
                edit.set("hero.mana", &five);
            }
            let new = edit.plan().expect("a plan").to_vec();
            assert_eq!(new, bytes(&["hp", "mana"]).expect("written"), "{dialect:?}");
        }
        let mut edit = Edit::new(document);
        edit.set("hero.mana", &five).set("hero.mana", &five);
        assert!(edit.plan().is_err(), "one name twice");
        let mut edit = Edit::new(document);
        edit.insert("hero.hp", &five);
        assert!(edit.plan().is_err(), "a name that is there");
    }
}
