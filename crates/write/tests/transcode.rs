//! What each value becomes if the target lacks it, and the report about it: the table in the
//! documentation of `transcode`, row by row. The bytes are assembled by docs/FORMAT.md.
#![cfg(feature = "transcode")]

use std::error::Error as _;

use gdvar_view::{Document, Objects, ReadOptions};
use gdvar_write::{
    BufferFull, Loss, Precision, Report, SliceSink, Target, TranscodeError, WriteErrorKind, Writer,
    transcode, transcode_value,
    wire::{
        Dialect,
        Kind::{self, *},
    },
};

const GODOT_2: Dialect = Dialect::GODOT_2;
const GODOT_3: Dialect = Dialect::GODOT_3;
const GODOT_4: Dialect = Dialect::GODOT_4;
const PANDEMONIUM_5: Dialect = Dialect::PANDEMONIUM_5;

fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| *byte != b' ').collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(pair).collect()
}

fn hex(bytes: &[u8]) -> std::string::String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn source(bytes: &[u8], from: Dialect) -> Document<'_> {
    Document::with_options(bytes, ReadOptions::new(from).with_objects(Objects::Inert))
}

fn converted(from: Dialect, bytes: &str, to: Target) -> (std::string::String, Report) {
    let bytes = unhex(bytes);
    let mut writer = Writer::new(Vec::new(), to);
    let report = transcode(source(&bytes, from), &mut writer).unwrap();
    (hex(&writer.finish().unwrap()), report)
}

/// The losses: kind of loss, kind of value, how often, and where first.
type Losses<'a> = &'a [(Loss, Kind, u64, usize)];

#[track_caller]
fn becomes(from: Dialect, bytes: &str, to: Target, expected: &str, losses: Losses<'_>) {
    let (written, report) = converted(from, bytes, to);
    assert_eq!(written, expected.replace(' ', ""));
    let entries = report.entries().iter();
    let found: Vec<_> = entries
        .map(|entry| (entry.loss, entry.kind, entry.count, entry.first))
        .collect();
    assert_eq!(found, losses);
    assert_eq!(report.is_empty(), losses.is_empty());
}

const G2: Target = Target::GODOT_2;
const G3: Target = Target::GODOT_3;
const G4: Target = Target::GODOT_4.with_precision(Precision::Single);
const P5: Target = Target::PANDEMONIUM_5;

#[rustfmt::skip]
#[test]
fn vectors_of_ints_become_reals_or_arrays() {
    becomes(GODOT_4, "06000000 01000000 feffffff", G3,
        "05000000 0000803f 000000c0", &[(Loss::Retyped(Vector2), Vector2i, 1, 0)]);
    becomes(GODOT_4, "0a000000 01000000 02000000 03000000", G3,
        "07000000 0000803f 00000040 00004040", &[(Loss::Retyped(Vector3), Vector3i, 1, 0)]);
    becomes(GODOT_4, "08000000 01000000 02000000 03000000 04000000", G3,
        "06000000 0000803f 00000040 00004040 00008040", &[(Loss::Retyped(Rect2), Rect2i, 1, 0)]);
    // 2^24 is the last whole number up to which an f32 holds all.
    becomes(GODOT_4, "06000000 00000001 01000001", G3, "05000000 0000804b 0000804b",
        &[(Loss::Retyped(Vector2), Vector2i, 1, 0), (Loss::Rounded, Vector2i, 1, 0)]);
    becomes(GODOT_4, "06000000 00000001 00000001", G3, "05000000 0000804b 0000804b",
        &[(Loss::Retyped(Vector2), Vector2i, 1, 0)]);
    becomes(GODOT_4, "0d000000 01000000 02000000 03000000 ffffffff", G3,
        "13000000 04000000 02000000 01000000 02000000 02000000 02000000 03000000 02000000 ffffffff",
        &[(Loss::Retyped(Array), Vector4i, 1, 0)]);
    becomes(GODOT_4, "0c000000 0000803f 00000040 00004040 00008040", G3,
        "13000000 04000000 03000000 0000803f 03000000 00000040 03000000 00004040 03000000 00008040",
        &[(Loss::Retyped(Array), Vector4, 1, 0)]);
    let sixteen = "0000803f 00000040 00004040 00008040 ".repeat(4);
    let floats = "03000000 0000803f 03000000 00000040 03000000 00004040 03000000 00008040 ".repeat(4);
    becomes(GODOT_4, &format!("13000000 {sixteen}"), G3, &format!("13000000 10000000 {floats}"),
        &[(Loss::Retyped(Array), Projection, 1, 0)]);
    // Pandemonium has all of them.
    becomes(GODOT_4, "06000000 01000000 feffffff", P5, "08000000 01000000 feffffff", &[]);
    becomes(GODOT_4, "0a000000 01000000 02000000 03000000", P5, "0a000000 01000000 02000000 03000000", &[]);
    becomes(GODOT_4, "08000000 01000000 02000000 03000000 04000000", P5,
        "06000000 01000000 02000000 03000000 04000000", &[]);
    becomes(GODOT_4, "0d000000 01000000 02000000 03000000 ffffffff", P5,
        "0c000000 01000000 02000000 03000000 ffffffff", &[]);
    becomes(GODOT_4, "0c000000 0000803f 00000040 00004040 00008040", P5,
        "0b000000 0000803f 00000040 00004040 00008040", &[]);
}

#[rustfmt::skip]
#[test]
fn reals_are_narrowed_where_the_target_is_single() {
    // Vector2(1, 2) and Vector2(0.1, 2) of a double-precision build (docs/FORMAT.md §2.3).
    let (exact, long) = (
        "05000100 00000000 0000f03f 00000000 00000040",
        "05000100 9a999999 9999b93f 00000000 00000040",
    );
    becomes(GODOT_4, exact, G4, "05000000 0000803f 00000040", &[]);
    becomes(GODOT_4, long, G4, "05000000 cdcccc3d 00000040", &[(Loss::Rounded, Vector2, 1, 0)]);
    becomes(GODOT_4, exact, G3, "05000000 0000803f 00000040", &[]);
    becomes(GODOT_4, long, G3, "05000000 cdcccc3d 00000040", &[(Loss::Rounded, Vector2, 1, 0)]);
    for precision in [Precision::Double, Precision::AsGiven] {
        becomes(GODOT_4, long, G4.with_precision(precision), long, &[]);
    }
    becomes(GODOT_4, "05000000 0000803f 00000040", G4.with_precision(Precision::Double), exact, &[]);
    becomes(GODOT_4, "05000000 0000803f 00000040", G4.with_precision(Precision::AsGiven),
        "05000000 0000803f 00000040", &[]);
    // Packed arrays are rounded too: one loss for the array.
    let array = "23000100 02000000 9a999999 9999b93f 00000000 00000040 9a999999 9999b93f 00000000 00000040";
    let narrow = "02000000 cdcccc3d 00000040 cdcccc3d 00000040";
    becomes(GODOT_4, array, G4, &format!("23000000 {narrow}"), &[(Loss::Rounded, PackedVector2Array, 1, 0)]);
    becomes(GODOT_4, array, G3, &format!("18000000 {narrow}"), &[(Loss::Rounded, PackedVector2Array, 1, 0)]);
    becomes(GODOT_4, array, G4.with_precision(Precision::AsGiven), array, &[]);
    becomes(GODOT_4, "23000000 01000000 0000803f 00000040", G4.with_precision(Precision::Double),
        "23000100 01000000 00000000 0000f03f 00000000 00000040", &[]);
    becomes(GODOT_4, "23000100 01000000 00000000 0000f03f 00000000 00000040", G3,
        "18000000 01000000 0000803f 00000040", &[]);
}

#[rustfmt::skip]
#[test]
fn packed_arrays_become_the_nearest() {
    becomes(GODOT_4, "1f000000 02000000 01000000 00000000 feffffff ffffffff", G3,
        "15000000 02000000 01000000 feffffff",
        &[(Loss::Retyped(PackedInt32Array), PackedInt64Array, 1, 0)]);
    becomes(GODOT_4, "1f000000 02000000 01000000 00000000 00000080 00000000", G3,
        "13000000 02000000 02000000 01000000 02000100 00000080 00000000",
        &[(Loss::Retyped(Array), PackedInt64Array, 1, 0)]);
    // Godot 2 has no wide ints either: 2^31 as a float.
    becomes(GODOT_4, "1f000000 02000000 01000000 00000000 00000080 00000000", G2,
        "15000000 02000000 02000000 01000000 03000000 0000004f",
        &[(Loss::Retyped(Array), PackedInt64Array, 1, 0), (Loss::Rounded, PackedInt64Array, 1, 0)]);
    becomes(GODOT_4, "21000000 01000000 00000000 0000e03f", G3, "16000000 01000000 0000003f",
        &[(Loss::Retyped(PackedFloat32Array), PackedFloat64Array, 1, 0)]);
    becomes(GODOT_4, "21000000 01000000 9a999999 9999b93f", G3,
        "13000000 01000000 03000100 9a999999 9999b93f",
        &[(Loss::Retyped(Array), PackedFloat64Array, 1, 0)]);
    // The document's dialect has both.
    let docs = Target::GODOT_4_DOCS;
    becomes(GODOT_4, "1f000000 01000000 01000000 00000000", docs, "16000000 01000000 01000000 00000000", &[]);
    becomes(GODOT_4, "21000000 01000000 00000000 0000e03f", docs, "18000000 01000000 00000000 0000e03f", &[]);

    let four = "0000803f 00000040 00004040 00008040";
    let floats = "03000000 0000803f 03000000 00000040 03000000 00004040 03000000 00008040";
    becomes(GODOT_4, &format!("26000000 01000000 {four}"), G3,
        &format!("13000000 01000000 13000000 04000000 {floats}"),
        &[(Loss::Retyped(Array), PackedVector4Array, 1, 0)]);
    becomes(GODOT_4, &format!("26000000 01000000 {four}"), G4.with_minor(2),
        &format!("1c000000 01000000 0c000000 {four}"),
        &[(Loss::Retyped(Array), PackedVector4Array, 1, 0)]);
    let long = "26000100 01000000 9a999999 9999b93f 00000000 00000040 00000000 00000040 00000000 00000040";
    becomes(GODOT_4, long, G4.with_minor(2),
        "1c000000 01000000 0c000000 cdcccc3d 00000040 00000040 00000040",
        &[(Loss::Rounded, PackedVector4Array, 1, 0), (Loss::Retyped(Array), PackedVector4Array, 1, 0)]);
    // As floats of an array they are unchanged.
    becomes(GODOT_4, long, G3,
        "13000000 01000000 13000000 04000000 03000100 9a999999 9999b93f 03000000 00000040 03000000 00000040 03000000 00000040",
        &[(Loss::Retyped(Array), PackedVector4Array, 1, 0)]);

    becomes(PANDEMONIUM_5, "22000000 01000000 01000000 feffffff", G4,
        "1c000000 01000000 06000000 01000000 feffffff",
        &[(Loss::Retyped(Array), PackedVector2iArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "24000000 01000000 01000000 02000000 03000000", G4,
        "1c000000 01000000 0a000000 01000000 02000000 03000000",
        &[(Loss::Retyped(Array), PackedVector3iArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "26000000 01000000 01000000 02000000 03000000 04000000", G4,
        "1c000000 01000000 0d000000 01000000 02000000 03000000 04000000",
        &[(Loss::Retyped(Array), PackedVector4iArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "22000000 01000000 01000000 feffffff", G3,
        "13000000 01000000 13000000 02000000 02000000 01000000 02000000 feffffff",
        &[(Loss::Retyped(Array), PackedVector2iArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "24000000 01000000 01000000 02000000 03000000", G3,
        "13000000 01000000 13000000 03000000 02000000 01000000 02000000 02000000 02000000 03000000",
        &[(Loss::Retyped(Array), PackedVector3iArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "26000000 01000000 01000000 02000000 03000000 04000000", G3,
        "13000000 01000000 13000000 04000000 02000000 01000000 02000000 02000000 02000000 03000000 02000000 04000000",
        &[(Loss::Retyped(Array), PackedVector4iArray, 1, 0)]);
    for array in [
        "22000000 01000000 01000000 feffffff",
        "24000000 01000000 01000000 02000000 03000000",
        "26000000 01000000 01000000 02000000 03000000 04000000",
    ] {
        becomes(PANDEMONIUM_5, array, P5, array, &[]);
    }
}

#[rustfmt::skip]
#[test]
fn types_of_containers_are_kept_where_they_can_be() {
    let ints = "1c000100 02000000 01000000 02000000 07000000";
    let plain3 = "13000000 01000000 02000000 07000000";
    becomes(GODOT_4, ints, G4, ints, &[]);
    becomes(GODOT_4, ints, G4.with_minor(3), ints, &[]);
    becomes(GODOT_4, ints, G4.with_minor(2), "1c000000 01000000 02000000 07000000",
        &[(Loss::TypeDropped, Array, 1, 0)]);
    becomes(GODOT_4, ints, G3, plain3, &[(Loss::TypeDropped, Array, 1, 0)]);
    becomes(GODOT_4, ints, P5, "1b000000 02000000 01000000 02000000 07000000",
        &[(Loss::Retyped(TypedArray), Array, 1, 0)]);
    becomes(PANDEMONIUM_5, "1b000000 02000000 01000000 02000000 07000000", G4, ints,
        &[(Loss::Retyped(Array), TypedArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "1c000000 02000000 01000000 02000000 07000000", G3, plain3,
        &[(Loss::Retyped(Array), PackedTypedArray, 1, 0), (Loss::TypeDropped, PackedTypedArray, 1, 0)]);
    // A number that is not a type: engine mode reads it (docs/FORMAT.md §6, row 35).
    becomes(PANDEMONIUM_5, "1b000000 c8000000 00000000", P5, "1b000000 00000000 00000000",
        &[(Loss::TypeDropped, TypedArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "1b000000 c8000000 00000000", G4, "1c000000 00000000",
        &[(Loss::Retyped(Array), TypedArray, 1, 0), (Loss::TypeDropped, TypedArray, 1, 0)]);
    becomes(PANDEMONIUM_5, "1b000000 00000000 00000000", G4, "1c000000 00000000",
        &[(Loss::Retyped(Array), TypedArray, 1, 0)]);
    // A type that the target lacks: an Array[Vector4i] for Godot 3, one of Callables for
    // Pandemonium.
    becomes(GODOT_4, "1c000100 19000000 00000000", P5, "1a000000 00000000",
        &[(Loss::TypeDropped, Array, 1, 0)]);
    let (class, script) = ("1c000200 04000000 4e6f6465 00000000", "1c000300 07000000 7265733a 2f2f6100 00000000");
    becomes(GODOT_4, class, G4, class, &[]);
    becomes(GODOT_4, script, G4, script, &[]);
    becomes(GODOT_4, class, P5, "1b000000 17000000 18000000 04000000 4e6f6465 00000000",
        &[(Loss::Retyped(TypedArray), Array, 1, 0)]);
    becomes(GODOT_4, script, P5, "1a000000 00000000", &[(Loss::TypeDropped, Array, 1, 0)]);

    let dict = "1b000500 04000000 02000000 01000000 04000000 01000000 61000000 02000000 01000000";
    let untyped = "01000000 04000000 01000000 61000000 02000000 01000000";
    becomes(GODOT_4, dict, G4, dict, &[]);
    becomes(GODOT_4, dict, G4.with_minor(3), &format!("1b000000 {untyped}"),
        &[(Loss::TypeDropped, Dictionary, 1, 0)]);
    becomes(GODOT_4, dict, G3, &format!("12000000 {untyped}"), &[(Loss::TypeDropped, Dictionary, 1, 0)]);
    // Only Godot 2 has the shared mark (docs/FORMAT.md §4.2). Its loss is reported for every other
    // target.
    let lost = |kind| [(Loss::SharedDropped, kind, 1, 0)];
    becomes(GODOT_2, "15000000 01000080 00000000", G2, "15000000 01000080 00000000", &[]);
    becomes(GODOT_2, "15000000 01000080 00000000", G3, "13000000 01000000 00000000", &lost(Array));
    becomes(GODOT_2, "14000000 00000080", G2, "14000000 00000080", &[]);
    becomes(GODOT_2, "14000000 00000080", G4, "1b000000 00000000", &lost(Dictionary));
    becomes(GODOT_2, "15000000 00000080", P5, "1a000000 00000000", &lost(Array));
    for target in [G3, P5, G4] {
        let header = if target == G4 { "1c" } else if target == G3 { "13" } else { "1a" };
        becomes(GODOT_3, "13000000 00000080", target, &format!("{header}000000 00000000"), &lost(Array));
    }
    becomes(GODOT_3, "12000000 00000080", G3, "12000000 00000000", &lost(Dictionary));
    becomes(GODOT_3, "13000000 00000080", G2, "15000000 00000080", &[]);
    becomes(GODOT_4, "1c000100 02000000 00000080", G4, "1c000100 02000000 00000000", &lost(Array));
}

#[rustfmt::skip]
#[test]
fn what_has_no_likeness_becomes_null() {
    becomes(GODOT_4, "1c000000 02000000 19000000 19000000", G3, "13000000 02000000 00000000 00000000",
        &[(Loss::Dropped, Callable, 2, 8)]);
    let signal = "1a000000 02000000 68690000 ad050004 06000080";
    becomes(GODOT_4, signal, G4, signal, &[]);
    becomes(GODOT_4, signal, P5, "00000000", &[(Loss::Dropped, Signal, 1, 0)]);
    let image = "0f000000 04000000 03000000 01000000 02000000 02000000 0aff0000";
    becomes(GODOT_2, image, G2, image, &[]);
    becomes(GODOT_2, image, G4, "00000000", &[(Loss::Dropped, Image, 1, 0)]);
    let event = "13000000 01000000 02000000 14000000 00000002 41000000";
    becomes(GODOT_2, event, G2, event, &[]);
    becomes(GODOT_2, event, G3, "00000000", &[(Loss::Dropped, InputEvent, 1, 0)]);
    // Only Godot 4 stores the numbers of RIDs.
    becomes(GODOT_4, "17000000 07000000 00000000", G3, "10000000", &[(Loss::NumberDropped, Rid, 1, 0)]);
    becomes(GODOT_4, "17000000 00000000 00000000", G3, "10000000", &[]);
    becomes(GODOT_3, "10000000", G4, "17000000 00000000 00000000", &[]);
    // Objects have no content in Godot 2.
    becomes(GODOT_4, "18000100 07000000 00000000", G2, "12000000", &[(Loss::Dropped, Object, 1, 0)]);
    becomes(GODOT_4, "18000100 07000000 00000000", G3, "11000100 07000000 00000000", &[]);
    becomes(GODOT_4, "18000000 01000000 41000000 00000000", G2, "12000000", &[(Loss::Dropped, Object, 1, 0)]);
    becomes(GODOT_2, "12000000", G4, "00000000", &[]);
    // Numbers of 64 bits become 32-bit floats there: 2^31, and 0.1.
    becomes(GODOT_4, "02000100 00000080 00000000", G2, "03000000 0000004f", &[(Loss::Rounded, Int, 1, 0)]);
    becomes(GODOT_4, "02000000 ffffff7f", G2, "02000000 ffffff7f", &[]);
    becomes(GODOT_4, "03000100 9a999999 9999b93f", G2, "03000000 cdcccc3d", &[(Loss::Rounded, Float, 1, 0)]);
    becomes(GODOT_4, "03000000 0000003f", G2, "03000000 0000003f", &[]);
}

#[rustfmt::skip]
#[test]
fn texts_are_fitted() {
    becomes(GODOT_4, "15000000 03000000 61626300", G3, "04000000 03000000 61626300",
        &[(Loss::Retyped(String), StringName, 1, 0)]);
    becomes(GODOT_4, "15000000 03000000 61626300", P5, "18000000 03000000 61626300", &[]);
    // A lone surrogate, and a pair that makes U+1F600, as Godot 3 writes them (docs/FORMAT.md §6,
    // row 13).
    let lone = "04000000 03000000 eda08000";
    let pair = "04000000 06000000 eda0bded b8800000";
    becomes(GODOT_3, lone, G3, lone, &[]);
    becomes(GODOT_3, lone, G2, lone, &[]);
    becomes(GODOT_3, lone, G4, "04000000 03000000 efbfbd00", &[(Loss::TextReplaced, String, 1, 0)]);
    becomes(GODOT_3, pair, G4, "04000000 04000000 f09f9880", &[(Loss::SurrogatesJoined, String, 1, 0)]);
    becomes(GODOT_3, pair, G3, pair, &[]);
    // In reverse order they are two lone surrogates; then the first and the last of either kind.
    becomes(GODOT_3, "04000000 06000000 edb880ed a0bd0000", G4, "04000000 06000000 efbfbdef bfbd0000",
        &[(Loss::TextReplaced, String, 1, 0)]);
    becomes(GODOT_3, "04000000 06000000 eda080ed b0800000", G4, "04000000 04000000 f0908080",
        &[(Loss::SurrogatesJoined, String, 1, 0)]);
    becomes(GODOT_3, "04000000 06000000 edafbfed bfbf0000", G4, "04000000 04000000 f48fbfbf",
        &[(Loss::SurrogatesJoined, String, 1, 0)]);
    // A low surrogate after any other character is lone.
    becomes(GODOT_3, "04000000 04000000 61edb080", G4, "04000000 04000000 61efbfbd",
        &[(Loss::TextReplaced, String, 1, 0)]);
    // Above U+10FFFF, in four bytes.
    becomes(GODOT_3, "04000000 04000000 f4908080", G4, "04000000 03000000 efbfbd00",
        &[(Loss::TextReplaced, String, 1, 0)]);
    // An overlong U+07FF is written in its shortest form, and nothing is lost.
    becomes(GODOT_3, "04000000 03000000 e09fbf00", G4, "04000000 02000000 dfbf0000", &[]);
    becomes(GODOT_3, "04000000 03000000 e09fbf00", G3, "04000000 02000000 dfbf0000", &[]);
    // In a packed array, a path, and an object's class and property.
    becomes(GODOT_3, "17000000 01000000 04000000 eda08000", G4, "22000000 01000000 04000000 efbfbd00",
        &[(Loss::TextReplaced, PackedStringArray, 1, 0)]);
    becomes(GODOT_3, "0f000000 01000080 00000000 01000000 03000000 eda08000", G4,
        "16000000 01000080 00000000 01000000 03000000 efbfbd00",
        &[(Loss::TextReplaced, NodePath, 1, 0)]);
    becomes(GODOT_3, "11000000 03000000 eda08000 00000000", G4, "18000000 03000000 efbfbd00 00000000",
        &[(Loss::NamesKept, Object, 1, 0), (Loss::TextReplaced, Object, 1, 0)]);
    becomes(GODOT_3, "11000000 01000000 41000000 01000000 03000000 eda08000 00000000", G4,
        "18000000 01000000 41000000 01000000 03000000 efbfbd00 00000000",
        &[(Loss::NamesKept, Object, 1, 0), (Loss::TextReplaced, Object, 1, 20)]);
}

/// The value of the property `script`: docs/FORMAT.md §4.4.
#[rustfmt::skip]
#[test]
fn scripts_go_to_engines_that_understand_them() {
    let object = |id: &str, script: &str| {
        format!("{id}000000 01000000 41000000 01000000 06000000 73637269 70740000 {script}")
    };
    let path = "04000000 07000000 7265733a 2f2f6100";
    let whole = "11000000 01000000 42000000 00000000";
    let kept = (Loss::NamesKept, Object, 1, 0);
    let dropped = |at| (Loss::ScriptDropped, Object, 1, at);
    becomes(GODOT_4, &object("18", path), G4, &object("18", path), &[]);
    becomes(GODOT_4, &object("18", "00000000"), G4, &object("18", "00000000"), &[]);
    becomes(GODOT_4, &object("18", path), G4.with_minor(2), &object("18", "00000000"), &[dropped(28)]);
    becomes(GODOT_4, &object("18", path), G3, &object("11", "00000000"), &[kept, dropped(28)]);
    becomes(GODOT_3, &object("11", whole), G3, &object("11", whole), &[]);
    becomes(GODOT_3, &object("11", whole), G4, &object("18", "00000000"), &[kept, dropped(28)]);
    becomes(GODOT_3, &object("11", "00000000"), G4, &object("18", "00000000"), &[kept]);
    // No engine writes an array there; within the same dialect it passes.
    let array = "13000000 01000000 02000000 07000000";
    becomes(GODOT_3, &object("11", array), G3, &object("11", array), &[]);
    becomes(GODOT_3, &object("11", array), G4, &object("18", "00000000"), &[kept, dropped(28)]);
    // The target expects a path, and this is none, though it is of the same engine. The target
    // expects a whole object, and this is one, though of another engine.
    becomes(GODOT_4, &object("18", "02000000 07000000"), G4, &object("18", "00000000"), &[dropped(28)]);
    let whole = "18000000 01000000 42000000 00000000";
    becomes(GODOT_4, &object("18", whole), G4, &object("18", "00000000"), &[dropped(28)]);
    becomes(GODOT_4, &object("18", whole), G3, &object("11", "00000000"), &[kept, dropped(28)]);
}

#[rustfmt::skip]
#[test]
fn keys_that_change_are_reported() {
    // A StringName of Pandemonium equals a String in Godot 4 only.
    let key = "01000000 18000000 01000000 61000000 00000000";
    becomes(PANDEMONIUM_5, &format!("19000000 {key}"), G4,
        "1b000000 01000000 15000000 01000000 61000000 00000000", &[(Loss::KeyChanged, StringName, 1, 8)]);
    becomes(PANDEMONIUM_5, &format!("19000000 {key}"), P5, &format!("19000000 {key}"), &[]);
    becomes(PANDEMONIUM_5, "1a000000 01000000 18000000 01000000 61000000", G4,
        "1c000000 01000000 15000000 01000000 61000000", &[]);
    becomes(GODOT_4, "1b000000 01000000 06000000 01000000 02000000 00000000", G3,
        "12000000 01000000 05000000 0000803f 00000040 00000000",
        &[(Loss::Retyped(Vector2), Vector2i, 1, 8), (Loss::KeyChanged, Vector2i, 1, 8)]);
    // This vector is a value, not a key.
    becomes(GODOT_4, "1b000000 01000000 00000000 06000000 01000000 02000000", G3,
        "12000000 01000000 00000000 05000000 0000803f 00000040",
        &[(Loss::Retyped(Vector2), Vector2i, 1, 12)]);
    // {1: 2, 1: 3}: the last value at the first place (docs/FORMAT.md §6, row 22).
    let one = |value: u8| format!("02000000 01000000 02000000 {value:02x}000000");
    becomes(GODOT_4, &format!("1b000000 02000000 {} {}", one(2), one(3)), G4,
        &format!("1b000000 01000000 {}", one(3)), &[(Loss::KeysMerged, Dictionary, 1, 0)]);
    // A key inside a merged dictionary is a key too.
    let name = "18000000 01000000 61000000 02000000 02000000";
    becomes(PANDEMONIUM_5, &format!("19000000 02000000 {name} {name}"), G4,
        "1b000000 01000000 15000000 01000000 61000000 02000000 02000000",
        &[(Loss::KeysMerged, Dictionary, 1, 0), (Loss::KeyChanged, StringName, 1, 8)]);
}

#[test]
fn losses_are_told_in_words() {
    for (loss, text) in [
        (Loss::Retyped(Rid), "became RID"),
        (Loss::Dropped, "became null"),
        (Loss::TypeDropped, "lost its element type"),
        (Loss::Rounded, "was rounded"),
        (Loss::TextReplaced, "has characters replaced by U+FFFD"),
        (Loss::SurrogatesJoined, "has pairs of surrogates joined"),
        (Loss::NumberDropped, "lost its number"),
        (Loss::ScriptDropped, "lost its script"),
        (Loss::NamesKept, "keeps the names of the other engine"),
        (Loss::KeyChanged, "is a key that may now equal another"),
        (Loss::KeysMerged, "had repeated keys, the last value counts"),
    ] {
        assert_eq!(loss.to_string(), text);
    }
    let two = "1c000000 02000000 19000000 19000000";
    let (_, report) = converted(GODOT_4, two, G3);
    assert_eq!(report.entries()[0].to_string(), "2 × Callable became null");
}

#[test]
fn errors_say_which_side_refused() {
    let mut writer = Writer::new(Vec::new(), G4);
    let short = unhex("13000000 01000000 02000000");
    let error = transcode(source(&short, GODOT_3), &mut writer).unwrap_err();
    let TranscodeError::Read(read) = error else {
        panic!("{error:?}");
    };
    assert_eq!(read.offset(), 12);
    assert_eq!(error.to_string(), read.to_string());
    assert!(error.source().is_none());

    let mut memory = [0; 8];
    let mut writer = Writer::new(SliceSink::new(&mut memory), G4);
    let int = unhex("13000000 01000000 02000000 07000000");
    let error = transcode(source(&int, GODOT_3), &mut writer).unwrap_err();
    let TranscodeError::Write(write) = error else {
        panic!("{error:?}");
    };
    assert_eq!(
        write.kind(),
        &WriteErrorKind::Sink(BufferFull { needed: 16 })
    );
    assert_eq!(
        error.to_string(),
        "the output could not be written, after 8 bytes"
    );
    // A report prints each message once: next comes the sink's own.
    let full = BufferFull { needed: 16 };
    assert_eq!(error.source().unwrap().to_string(), full.to_string());
}

#[test]
fn a_value_passes_as_it_stands() {
    // A bool of 7 and padding of 0xff: no encoder writes them, and they are copied.
    let bytes = unhex("1c000000 02000000 01000000 07000000 04000000 01000000 61ffffff");
    let array = source(&bytes, GODOT_4).root().unwrap();
    let items = array.as_array().unwrap();
    let mut writer = Writer::new(Vec::new(), G4);
    let mut out = writer.root().array(3).unwrap();
    out.push().raw(items.get(1).unwrap().unwrap()).unwrap();
    out.push().raw(array).unwrap();
    let open = WriteErrorKind::ChildOpen {
        open: 2,
        expected: 1,
    };
    let _ = out.push().array(1).unwrap();
    let TranscodeError::Write(error) = out.push().raw(array).unwrap_err() else {
        panic!("the value is in order");
    };
    assert_eq!(error.kind(), &open);
    let expected = "1c000000 03000000 04000000 01000000 61ffffff".replace(' ', "");
    let written = hex(&writer.into_sink());
    assert_eq!(written, expected + &hex(&bytes) + "1c00000001000000");

    let mut writer = Writer::new(Vec::new(), G3);
    let TranscodeError::Write(error) = writer.raw(array).unwrap_err() else {
        panic!("the value is in order");
    };
    let foreign = WriteErrorKind::Unrepresentable {
        kind: Array,
        dialect: GODOT_3,
    };
    assert_eq!((error.kind(), error.position()), (&foreign, 0));
    // One value of a document is converted by itself.
    let mut writer = Writer::new(Vec::new(), G3);
    let report = transcode_value(items.get(1).unwrap().unwrap(), &mut writer).unwrap();
    assert!(report.is_empty());
    assert_eq!(hex(&writer.finish().unwrap()), "040000000100000061000000");
}

/// {1: null, 1: {1: null, 1: …}}: sixteen levels are merged, the others keep their keys.
#[test]
fn repeated_keys_are_merged_in_sixteen_levels() {
    let one = "0200000001000000";
    let nested = |levels: usize, merged: usize, id: &str| {
        let mut bytes = std::string::String::new();
        for level in 0..levels {
            let pairs = if level < merged { 1 } else { 2 };
            bytes += &format!("{id}000000{pairs:02x}000000");
            if pairs == 2 {
                bytes += &format!("{one}00000000");
            }
            bytes += one;
        }
        bytes + "00000000"
    };
    for levels in [1, 15, 16, 17, 20] {
        let merged = levels.min(16);
        let losses = [(Loss::KeysMerged, Dictionary, merged as u64, 0)];
        let expected = nested(levels, merged, "1b");
        becomes(GODOT_4, &nested(levels, 0, "1b"), G4, &expected, &losses);
    }
}

/// Both arrays hold the int 0, but the engine drops it from the second, an array of signals. What
/// it reads is {Array[Signal]([]): 2, Array[int]([0]): 1}.
#[test]
fn arrays_of_other_types_with_equal_bytes_stay_two_keys() {
    let two = "1b000000020000001c0001000200000001000000020000000000000002000000010000001c0001001a0000000100000002000000000000000200000002000000";
    becomes(GODOT_4, two, G4, two, &[]);
}

/// [] is a key twice, and the engine makes a third [] from an array of colours with an int in it.
/// The last of the three values stays, so none may move before another.
#[test]
fn keys_are_not_merged_across_one_that_the_engine_changes() {
    let empty = "1c00000000000000";
    let misfit = "1c00010014000000010000000200000007000000";
    let value = |n: u8| format!("02000000{n:02x}000000");
    let three = format!(
        "1b00000003000000{empty}{}{misfit}{}{empty}{}",
        value(1),
        value(2),
        value(3)
    );
    becomes(GODOT_4, &three, G4, &three, &[]);
}

/// Godot 3 compares keys that are arrays of reals by their bits.
#[test]
fn arrays_of_zeros_with_other_signs_are_two_keys_in_godot_3() {
    let two = "120000000200000016000000010000000000000002000000010000001600000001000000000000800200000002000000";
    becomes(GODOT_3, two, G3, two, &[]);
}
