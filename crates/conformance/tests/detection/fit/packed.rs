//! An Array that replaces a packed array: its elements, written one by one, must give the bytes that the engine wrote.

use std::collections::BTreeSet;

use gdvar::{
    Document, Kind, ReadOptions, VariantRef,
    edit::{
        Edit,
        fit::{self, FitErrorKind},
    },
    path::{PathTarget, Step},
    write::{Precision, Target, Writer},
};
use gdvar_conformance::vectors::{ENGINES, Engine, Vector, vectors};

/// Returns an Array with the elements of a packed array.
fn list(packed: VariantRef<'_>, target: Target) -> Vec<u8> {
    let len = packed.packed_len().expect("a packed array");
    let mut to = Writer::new(Vec::new(), target);
    to.begin_array(len).expect("an Array");
    let raw = packed.raw().expect("a value").get(8..).expect("elements");
    let components = packed.kind().element_components();
    let size = raw.len().checked_div(len).unwrap_or(0);
    for (n, element) in (0..len).map(|n| (n, packed.part(Step::Index(n as i64)).expect("it"))) {
        let written = match element {
            PathTarget::Text(text) => to.string_bytes(text.as_bytes()),
            PathTarget::Int(int) => to.int(int),
            PathTarget::Math(math) if components == 1 => {
                let number = math.iter().next().expect("a number");
                match math.kind() {
                    Kind::Int => to.int(number as i64),
                    _ => to.float(number),
                }
            }
            PathTarget::Math(math) => {
                to.math_le(math.kind(), packed.is_wide(), &raw[n * size..][..size])
            }
        };
        written.expect("an element");
    }
    to.end().expect("the end of the Array");
    to.finish().expect("an Array")
}

/// Returns the bytes at `{"a": …}` after `set a=new`.
fn set(
    inner: &[u8],
    new: &[u8],
    options: ReadOptions,
    target: Target,
) -> Result<Vec<u8>, (usize, FitErrorKind)> {
    let mut save = Writer::new(Vec::new(), target);
    save.begin_dict(1).expect("a Dictionary");
    save.string("a").expect("a key");
    save.raw_bytes(inner).expect("a value");
    save.end().expect("the end");
    let save = save.finish().expect("a Dictionary");
    let document = Document::with_options(&save, options);
    let fitted = fit::set(document, "a", new).map_err(|error| (error.offset(), error.kind()))?;
    let mut edit = Edit::new(document);
    edit.set("a", &fitted);
    let after = edit.plan().expect("a value that fits").to_vec();
    let after = Document::with_options(&after, options).get("a");
    Ok(after
        .expect("a save")
        .expect("a")
        .raw()
        .expect("a")
        .to_vec())
}

/// Calls `check` with every packed array that an engine wrote.
fn every(mut check: impl FnMut(Engine, &Vector, VariantRef<'_>, Target)) {
    for engine in ENGINES {
        let precision = if engine.double {
            Precision::Double
        } else {
            Precision::Single
        };
        let target = Target::from(engine.dialect).with_precision(precision);
        for vector in vectors(engine) {
            // A Float of a list is wider than a 32-bit element, and a NaN that is widened is quiet.
            if vector.id.contains("snan") {
                continue;
            }
            let bytes = vector.clean();
            let options = ReadOptions::new(engine.dialect);
            if let Ok(value) = Document::with_options(&bytes, options).root() {
                if vector.canonical && !vector.engine_refuses && value.kind().is_packed() {
                    check(engine, &vector, value, target);
                }
            }
        }
    }
}

#[test]
fn an_array_becomes_the_packed_array_that_it_replaces() {
    let mut kinds = BTreeSet::new();
    let mut lens = BTreeSet::new();
    every(|engine, vector, value, target| {
        let id = format!("{} {}", engine.name, vector.id);
        let list = list(value, target);
        let made = set(
            value.raw().expect("a value"),
            &list,
            value.options(),
            target,
        );
        assert_eq!(made, Ok(value.raw().expect("a value").to_vec()), "{id}");
        kinds.insert((engine.name, value.kind()));
        lens.insert((value.kind(), value.packed_len().unwrap_or_default().min(2)));
    });
    for engine in ENGINES {
        for kind in Kind::ALL.iter().filter(|kind| kind.is_packed()) {
            if engine.dialect.type_id(*kind).is_some() {
                assert!(
                    kinds.contains(&(engine.name, *kind)),
                    "{} {kind}",
                    engine.name
                );
            }
        }
    }
    let missing: Vec<_> = kinds
        .iter()
        .flat_map(|(_, kind)| [0, 1, 2].map(|len| (*kind, len)))
        .filter(|one| !lens.contains(one))
        .collect();
    assert_eq!(missing, [], "no vectors of these lengths");
}

#[test]
fn an_element_that_does_not_fit_is_named() {
    every(|engine, vector, value, target| {
        let id = format!("{} {}", engine.name, vector.id);
        let packed = value.kind();
        let refused = |write: &dyn Fn(&mut Writer<Vec<u8>>), found| {
            let mut new = Writer::new(Vec::new(), target);
            new.begin_array(1).expect("an Array");
            write(&mut new);
            new.end().expect("the end");
            let new = new.finish().expect("an Array");
            let wanted = Err((8, FitErrorKind::NotAnElement { packed, found }));
            let made = set(value.raw().expect("a value"), &new, value.options(), target);
            assert_eq!(made, wanted, "{id}: {found}");
        };
        refused(&|to| to.nil().expect("null"), Kind::Nil);
        refused(&|to| to.bool(true).expect("true"), Kind::Bool);
        match packed.element_kind().expect("packed") {
            Kind::Int => {
                refused(&|to| to.float(1.5).expect("a float"), Kind::Float);
                refused(&|to| to.float(f64::NAN).expect("a float"), Kind::Float);
                refused(&|to| to.string("1").expect("a text"), Kind::String);
                if packed == Kind::PackedByteArray {
                    refused(&|to| to.int(256).expect("an int"), Kind::Int);
                    refused(&|to| to.int(-1).expect("an int"), Kind::Int);
                }
                if packed == Kind::PackedInt32Array {
                    refused(&|to| to.int(1 << 31).expect("an int"), Kind::Int);
                }
            }
            Kind::Float => {
                if packed == Kind::PackedFloat32Array {
                    refused(&|to| to.float(1e300).expect("a float"), Kind::Float);
                    refused(&|to| to.int((1 << 24) + 1).expect("an int"), Kind::Int);
                } else {
                    refused(&|to| to.int((1 << 53) + 1).expect("an int"), Kind::Int);
                }
            }
            _ => refused(&|to| to.int(1).expect("an int"), Kind::Int),
        }
    });
}

#[test]
fn any_other_type_replaces_a_packed_array() {
    every(|engine, vector, value, target| {
        let id = format!("{} {}", engine.name, vector.id);
        let old = value.raw().expect("a value");
        let mut null = Writer::new(Vec::new(), target);
        null.nil().expect("null");
        let null = null.finish().expect("null");
        assert_eq!(
            set(old, &null, value.options(), target),
            Ok(null.clone()),
            "{id}"
        );
        // Null first, then the Array: the way to an Array in its place.
        let list = list(value, target);
        assert_eq!(set(&null, &list, value.options(), target), Ok(list), "{id}");
    });
}
