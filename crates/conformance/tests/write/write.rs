//! Every vector and save, read and written again.

use gdvar::{
    Dialect, Document, Limits, Objects, ReadOptions, Variant,
    frames::{PrefixOrder, frames},
    write::{Loss, Measure, Precision, Report, Reported, Target, Writer, transcode},
};
use gdvar_conformance::{
    deliberate, derived,
    tagged::{self, Precision as Shown, with_null_objects_as_null},
    vectors::{ENGINES, hex, plain_saves, vectors},
    with_big_stack,
};

fn source(bytes: &[u8], dialect: Dialect) -> Document<'_> {
    Document::with_options(
        bytes,
        ReadOptions::new(dialect).with_objects(Objects::Inert),
    )
}

/// The value in the canonical form of a target.
fn again(bytes: &[u8], dialect: Dialect, target: Target) -> Result<(Vec<u8>, Report), String> {
    let document = source(bytes, dialect);
    let mut writer = Writer::new(Vec::new(), target);
    let report = transcode(document, &mut writer).map_err(|error| error.to_string())?;
    let written = writer.finish().map_err(|error| error.to_string())?;
    let mut measure = Writer::new(Measure::new(), target);
    transcode(document, &mut measure).map_err(|error| error.to_string())?;
    assert_eq!(
        measure.position(),
        written.len() as u64,
        "measured and written sizes differ"
    );
    Ok((written, report))
}

fn same(dialect: Dialect) -> Target {
    Target::from(dialect).with_precision(Precision::AsGiven)
}

#[test]
fn canonical_vectors_come_back_byte_for_byte() {
    with_big_stack(|| {
        for engine in ENGINES {
            let (mut canonical, mut others) = (0, 0);
            for vector in vectors(engine) {
                let who = format!("{} {}", engine.name, vector.id);
                let (written, report) =
                    match again(&vector.bytes, engine.dialect, same(engine.dialect)) {
                        Ok(written) => written,
                        Err(error) => {
                            let name = error.split(' ').next().unwrap_or_default();
                            let why = deliberate::reason(
                                deliberate::VERDICTS,
                                &vector.id,
                                engine.name,
                                name,
                            );
                            assert!(why.is_some() || vector.engine_refuses, "{who}: {error}");
                            continue;
                        }
                    };
                if vector.canonical {
                    assert_eq!(hex(&written), hex(&vector.clean()), "{who}");
                    let options = source(&vector.bytes, engine.dialect).options();
                    let tree = Variant::from_slice_with(&vector.bytes, options).expect(&who);
                    let tree = tree.to_vec(same(engine.dialect)).expect(&who);
                    assert_eq!(
                        hex(&tree),
                        hex(&vector.clean()),
                        "{who} from the owned tree"
                    );
                    assert!(report.is_empty(), "{who}: {report:?}");
                    canonical += 1;
                    continue;
                }
                // The engine replaces some ids by its own, which cannot be known in advance.
                let Some(engines) = vector.reenc.as_ref() else {
                    continue;
                };
                // Between the precisions every value keeps its own width unless told otherwise.
                let own = if engine.double {
                    Precision::Double
                } else {
                    Precision::Single
                };
                let (own, _) = again(
                    &vector.bytes,
                    engine.dialect,
                    Target::from(engine.dialect).with_precision(own),
                )
                .expect("as before");
                if hex(&own) != hex(engines) {
                    let why = deliberate::reason(deliberate::REENCODED, &vector.id, "", "accepted");
                    assert!(
                        why.is_some(),
                        "{who}: {} is not {}",
                        hex(&own),
                        hex(engines)
                    );
                }
                others += 1;
            }
            println!(
                "{}: {canonical} canonical vectors, {others} others",
                engine.name
            );
        }
    });
}

#[test]
fn derived_vectors_come_back_byte_for_byte() {
    with_big_stack(|| {
        for vector in derived::derived_vectors() {
            let dialect: Dialect = vector.dialect.parse().expect("a dialect");
            let who = format!("{} {}", vector.dialect, vector.id);
            let (written, report) =
                again(&vector.bytes, dialect, Target::from(dialect)).expect(&who);
            if vector.canonical {
                assert_eq!(hex(&written), hex(&vector.bytes), "{who}");
            }
            if vector.id.ends_with("/bom-twice") {
                continue;
            }
            if !report.is_empty() {
                // Numbers of 64 bits, which a Godot 2 that knows them writes and others do not, and its mark.
                let shared = |known: &Reported| known.loss == Loss::SharedDropped;
                let is_known = dialect == Dialect::GODOT_2 || report.entries().iter().all(shared);
                assert!(is_known, "{who}: {report:?}");
                continue;
            }
            let value = tagged::events(source(&written, dialect), Shown::Single).expect(&who);
            let expected =
                with_null_objects_as_null(&gdvar_conformance::vectors::unfold(vector.value));
            assert_eq!(with_null_objects_as_null(&value), expected, "{who}");
        }
    });
}

#[test]
fn saves_come_back_byte_for_byte() {
    for save in plain_saves() {
        let mut written = Vec::new();
        for frame in frames(&save.bytes, PrefixOrder::Little) {
            let frame = frame.expect("a record");
            let (value, report) =
                again(frame.bytes, save.dialect, Target::from(save.dialect)).expect(&save.name);
            assert!(report.is_empty(), "{}: {report:?}", save.name);
            written.extend((value.len() as u32).to_le_bytes());
            written.extend(value);
        }
        let mut clean = save.bytes.clone();
        for at in save.dirty {
            clean[at] = 0;
        }
        assert!(written == clean, "{} comes back otherwise", save.name);
    }
}

#[test]
fn what_godot_3_has_is_equal_in_godot_4() {
    with_big_stack(|| {
        let engine = ENGINES[0];
        for vector in vectors(engine) {
            // A text that begins with a byte order mark loses it whenever it is read.
            let is_lost_on_reading = vector.id == "string/bom-twice";
            if vector.full_objects
                || is_lost_on_reading
                || vector.value.to_string().contains("\"codes\"")
            {
                continue;
            }
            let Ok((written, report)) = again(&vector.bytes, Dialect::GODOT_3, Target::GODOT_4)
            else {
                assert!(vector.id.starts_with("depth/"), "{}", vector.id);
                continue;
            };
            let losses = report
                .entries()
                .iter()
                .filter(|known| !matches!(known.loss, Loss::KeysMerged | Loss::SharedDropped));
            assert_eq!(losses.count(), 0, "{}: {report:?}", vector.id);
            let value = tagged::events(source(&written, Dialect::GODOT_4), Shown::Single);
            // A null object is written as null.
            let text = vector
                .value
                .to_string()
                .replace("{\"Object\":null}", "{\"Nil\":null}");
            assert_eq!(
                value.map(|value| value.to_string()),
                Ok(text),
                "{}",
                vector.id
            );
            assert!(
                Document::new(&written, Dialect::GODOT_4)
                    .strict()
                    .validate()
                    .is_ok(),
                "{}",
                vector.id
            );
        }
        for save in plain_saves() {
            for (frame, value) in frames(&save.bytes, PrefixOrder::Little).zip(&save.values) {
                let frame = frame.expect("a record");
                if save.dialect != Dialect::GODOT_3 || save.name.starts_with("objects") {
                    continue;
                }
                let (written, report) =
                    again(frame.bytes, save.dialect, Target::GODOT_4).expect(&save.name);
                assert!(report.is_empty(), "{}", save.name);
                let ours = tagged::events(source(&written, Dialect::GODOT_4), Shown::Single);
                assert_eq!(ours.as_ref(), Ok(value), "{}", save.name);
            }
        }
    });
}

#[test]
fn every_dialect_can_be_written_for_every_other() {
    with_big_stack(|| {
        let mut all: Vec<(Dialect, Vec<u8>, String)> = Vec::new();
        for engine in ENGINES {
            all.extend(
                vectors(engine)
                    .into_iter()
                    .map(|v| (engine.dialect, v.bytes, v.id)),
            );
        }
        for vector in derived::derived_vectors() {
            all.push((
                vector.dialect.parse().expect("a dialect"),
                vector.bytes,
                vector.id,
            ));
        }
        for (dialect, bytes, id) in all {
            if source(&bytes, dialect).validate().is_err() {
                continue;
            }
            for target in Dialect::ALL {
                let (written, report) = again(&bytes, dialect, Target::from(target))
                    .unwrap_or_else(|error| panic!("{id} from {dialect} to {target}: {error}"));
                let options = ReadOptions::new(target).with_objects(Objects::Inert);
                // The writer's output is canonical unless elements of a typed container do not fit.
                let strict = Document::with_options(&written, options)
                    .strict()
                    .validate();
                let excused = match strict {
                    Ok(_) => true,
                    // Keys that were two types may be one value in the target; that is reported.
                    Err(error) if error.kind() == gdvar::ErrorKind::DuplicateKey => {
                        let changed = Loss::KeyChanged;
                        report.entries().iter().any(|known| known.loss == changed)
                    }
                    Err(error) => {
                        matches!(error.kind().name(), "ElementTypeMismatch" | "InvalidUtf8")
                    }
                };
                assert!(
                    excused,
                    "{id} from {dialect} to {target}: {strict:?} {}",
                    hex(&written)
                );
                let back = Document::with_options(&written, options).validate();
                assert_eq!(back, Ok(written.len()), "{id} from {dialect} to {target}");
                if dialect == target && !id.ends_with("/bom-twice") {
                    let (twice, _) =
                        again(&written, target, Target::from(target)).expect("its own output");
                    assert_eq!(
                        hex(&twice),
                        hex(&written),
                        "{id} in {dialect} is not stable"
                    );
                    // In one dialect nothing else can happen; reals are rounded for single precision.
                    let only_merged = report.entries().iter().all(|known| {
                        // A mark of Godot 2 in bytes of another engine, which does not write it.
                        let rounded = matches!(known.loss, Loss::Rounded | Loss::KeyChanged);
                        rounded || matches!(known.loss, Loss::KeysMerged | Loss::SharedDropped)
                    });
                    assert!(only_merged, "{id} in {dialect}: {report:?}");
                }
            }
        }
    });
}

#[test]
fn deep_values_of_godot_3_are_read_and_written_when_asked() {
    with_big_stack(|| {
        let mut seen = 0;
        for vector in vectors(ENGINES[0])
            .into_iter()
            .filter(|vector| vector.id.starts_with("depth/"))
        {
            let document = source(&vector.bytes, Dialect::GODOT_3).with_limits(Limits::GODOT_3_2);
            let value = tagged::events(document, Shown::Single).expect(&vector.id);
            // The text, because comparing deep JSON recurses.
            assert_eq!(value.to_string(), vector.value.to_string(), "{}", vector.id);
            let limits = Limits::GODOT_3_2;
            let mut writer = Writer::with_limits(Vec::new(), Target::GODOT_3, limits);
            let report = transcode(document, &mut writer).expect(&vector.id);
            assert!(report.is_empty(), "{}", vector.id);
            assert_eq!(
                hex(&writer.finish().expect(&vector.id)),
                hex(&vector.bytes),
                "{}",
                vector.id
            );
            seen += usize::from(document.with_limits(Limits::ENGINE).validate().is_err());
        }
        assert_eq!(seen, 4, "vectors deeper than the default limit");
    });
}
