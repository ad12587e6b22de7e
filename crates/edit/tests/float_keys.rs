//! A float key is its own key: digits that only round to it in 32 bits name another one. A float that fits into
//! 32 bits is also found by its shortest digits there, which is how it is shown.

use gdvar_edit::{Dialect, Document, Edit, EditErrorKind, places};
use gdvar_view::{Kind, Path};
use gdvar_write::{Target, Writer};

/// Digits of keys. Many of them give the same 32-bit float as others.
const DIGITS: &[&str] = &[
    "0.0",
    "5e-70",
    "1e-70",
    "-1e-60",
    "1e-46",
    "1e-45",
    "1.401298464324817e-45",
    "0.1",
    "0.10000000149011612",
    "0.1000000001",
    "0.3333333333333333",
    "0.33333334",
    "0.3333333432674408",
    "1.5",
    "1.50000000001",
    "16777216.0",
    "16777217.0",
    "3.4028234663852886e+38",
    "3.4028235e+38",
    "3.40282350000001e+38",
    "1e300",
    "inf",
    "nan",
];

/// Returns `true` if these digits lead to the key `own`.
fn leads(digits: &str, own: f64) -> bool {
    let wanted: f64 = digits.parse().expect(digits);
    let single = own as f32;
    // Rust prints the shortest digits that read back as the same `f32`.
    let shown: f64 = format!("{single:?}").parse().expect("a float");
    let is_single = f64::from(single) == own;
    wanted == own || wanted.is_nan() && own.is_nan() || is_single && wanted == shown
}

fn float(float: f64) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.float(float).expect("memory");
    writer.finish().expect("one value")
}

/// The Dictionary `{own: null}`.
fn dict(own: f64) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_dict(1).expect("memory");
    writer.float(own).expect("memory");
    writer.nil().expect("memory");
    writer.end().expect("memory");
    writer.finish().expect("one value")
}

#[test]
fn digits_lead_to_their_own_float_only() {
    for own in DIGITS {
        let own: f64 = own.parse().expect(own);
        let bytes = dict(own);
        let document = Document::new(&bytes, Dialect::GODOT_4);
        for digits in DIGITS {
            let who = format!("[{digits}] in {{{own:?}: null}}");
            let step = format!("[{digits}]");
            let is_own = leads(digits, own);
            assert_eq!(document.get(&step).expect(&who).is_some(), is_own, "{who}");
            let path = Path::parse(&step).expect(&who);
            let place = places(document, &[path]).expect(&who)[0];
            assert_eq!(place.found().is_some(), is_own, "{who}");
            let len = |change: &dyn Fn(&mut Edit<'_>)| {
                let mut edit = Edit::new(document);
                change(&mut edit);
                let new = edit.plan().map_err(|error| error.kind())?.to_vec();
                let root = Document::new(&new, Dialect::GODOT_4).root().expect(&who);
                Ok(root.as_dict().expect("a Dictionary").len())
            };
            let none = Err(EditErrorKind::NoPlace {
                step: 0,
                kind: Kind::Dictionary,
                len: 1,
            });
            let null = [0; 4];
            let found = |found, missing| if is_own { found } else { missing };
            assert_eq!(
                len(&|edit| _ = edit.set(&step, null)),
                found(Ok(1), Ok(2)),
                "set {who}"
            );
            assert_eq!(
                len(&|edit| _ = edit.insert(&step, null)),
                found(Err(EditErrorKind::KeyExists), Ok(2)),
                "insert {who}"
            );
            assert_eq!(
                len(&|edit| _ = edit.remove(&step)),
                found(Ok(0), none),
                "remove {who}"
            );
            assert_eq!(
                len(&|edit| _ = edit.rename_key(&step, &float(7.25))),
                found(Ok(1), none),
                "rename {who}"
            );
            assert_eq!(
                len(&|edit| _ = edit.move_to(&step, "moved")),
                found(Ok(1), none),
                "move {who}"
            );
        }
    }
}
