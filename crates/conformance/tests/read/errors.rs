//! The message of each error of the reader, which people read, its stable name, and the facts that
//! programs ask for.

use gdvar::{
    Dialect, Document, Error, ErrorKind, Objects, ReadOptions, Variant,
    error::{Layer, NonCanonical},
    index::Index,
    write::wire::{HeaderWord, TypeId},
};

#[test]
fn every_error_has_a_name_and_words() {
    for (kind, name, text) in [
        (
            ErrorKind::Truncated { missing: 3 },
            "Truncated",
            "the bytes end too early, at least 3 more are needed",
        ),
        (
            ErrorKind::UnknownType(TypeId(99)),
            "UnknownType",
            "there is no type number 99 in this dialect; is it another engine's, or a newer one's?",
        ),
        (
            ErrorKind::Packed(Layer::Gzip),
            "Packed",
            "this is not a value but a gzip file; unpack it first, with gzip -d",
        ),
        (
            ErrorKind::InvalidLength { value: 0x8000_0000 },
            "InvalidLength",
            "a length or count of 0x80000000 is more than a value can hold",
        ),
        (
            ErrorKind::InvalidUtf8,
            "InvalidUtf8",
            "the text is not UTF-8",
        ),
        (
            ErrorKind::DepthExceeded { limit: 1024 },
            "DepthExceeded",
            "values are nested deeper than 1024",
        ),
        (
            ErrorKind::ObjectsNotAllowed,
            "ObjectsNotAllowed",
            "an object in a form that is not let in; reading with objects as inert data shows it",
        ),
        (
            ErrorKind::OldNodePath,
            "OldNodePath",
            "the NodePath is in the format of Godot 2, which later engines refuse",
        ),
        (
            ErrorKind::BadElementType { id: 77 },
            "BadElementType",
            "a typed container of type number 77, which does not exist",
        ),
        (
            ErrorKind::BadClassName,
            "BadClassName",
            "the class of a typed array is not given as a StringName",
        ),
        (
            ErrorKind::BadScriptPath,
            "BadScriptPath",
            "the script of a typed container is not a res:// path",
        ),
        (
            ErrorKind::BadFrame { length: 5 },
            "BadFrame",
            "no value can be 5 bytes long; is the data length-prefixed at all?",
        ),
        (
            ErrorKind::ReservedBits(HeaderWord(0x102)),
            "ReservedBits",
            "the header 0x00000102 has bits set that mean nothing for its type",
        ),
        (
            ErrorKind::InvalidBool { value: 7 },
            "InvalidBool",
            "a bool is 0x7, not 0 or 1",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::WideInt),
            "NonCanonical",
            "an int takes 64 bits where 32 are enough",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::WideFloat),
            "NonCanonical",
            "a float takes 64 bits where 32 are exact",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::NarrowNan),
            "NonCanonical",
            "a NaN takes 32 bits, encoders use 64",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::StringWithoutNul),
            "NonCanonical",
            "a string of a packed array lacks its trailing NUL",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::NullObject),
            "NonCanonical",
            "a null object is not written as null",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::PropertyFlag),
            "NonCanonical",
            "a NodePath has the property flag of Godot 2",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::UntypedDescriptor),
            "NonCanonical",
            "an untyped container has a type descriptor",
        ),
        (
            ErrorKind::NonCanonical(NonCanonical::EmptyClassName),
            "NonCanonical",
            "a container of objects of any class names a class, an empty one",
        ),
        (
            ErrorKind::EmbeddedNul,
            "EmbeddedNul",
            "the text has a NUL inside; engines stop reading there",
        ),
        (
            ErrorKind::NonZeroPadding,
            "NonZeroPadding",
            "padding is not zero: written by a foreign encoder, or leaked memory",
        ),
        (
            ErrorKind::SharedBit,
            "SharedBit",
            "the count has the shared bit of Godot 2",
        ),
        (
            ErrorKind::DuplicateKey,
            "DuplicateKey",
            "the dictionary has this key already; engines keep the last value",
        ),
        (
            ErrorKind::TrailingBytes { count: 4 },
            "TrailingBytes",
            "4 bytes follow the value",
        ),
        (
            ErrorKind::BadScriptProperty,
            "BadScriptProperty",
            "the script of an object is neither null nor a res:// path",
        ),
        (
            ErrorKind::ElementTypeMismatch,
            "ElementTypeMismatch",
            "the value does not fit the type of its container",
        ),
        (
            ErrorKind::IndexLimit,
            "IndexLimit",
            "more bytes than an index can point into",
        ),
        (
            ErrorKind::ForeignIndex,
            "ForeignIndex",
            "the index does not belong to these bytes",
        ),
    ] {
        assert_eq!((kind.name(), kind.to_string().as_str()), (name, text));
    }
}

fn error(bytes: &[u8]) -> Error {
    let document = Document::new(bytes, Dialect::GODOT_4);
    document.strict().validate().expect_err("it is refused")
}

#[test]
fn an_error_names_its_byte() {
    // [true of 7]: the word at byte 12.
    let bytes = [0x1c, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];
    let found = error(&bytes);
    assert_eq!(found.kind(), ErrorKind::InvalidBool { value: 7 });
    assert_eq!(found.offset(), 12);
    assert!(!found.is_truncated());
    assert_eq!(
        found.to_string(),
        "InvalidBool at byte 0xc: a bool is 0x7, not 0 or 1"
    );
    let further = found.at(0x100);
    assert_eq!((further.offset(), further.kind()), (0x10c, found.kind()));
    assert_eq!(found.at(usize::MAX).offset(), usize::MAX);
    // One byte short of a whole bool.
    let found = error(&bytes[..15]);
    assert!(found.is_truncated());
    assert_eq!(found.kind(), ErrorKind::Truncated { missing: 1 });
    assert_eq!(found.offset(), 12);
}

/// `docs/FORMAT.md` §4.5: Godot 4 leaves the padding of names unset up to 4.4, and 4.6.3 does not.
#[test]
fn padding_inside_node_paths_is_to_be_zero_only_if_asked() {
    // ^"a", its padding dirty.
    let path = b"\x16\0\0\0\x01\0\0\x80\0\0\0\0\0\0\0\0\x01\0\0\0a~~~";
    let strict = ReadOptions::new(Dialect::GODOT_4).strict();
    let check = |options| Document::with_options(path, options).validate();
    assert_eq!(check(strict), Ok(path.len()));
    assert_eq!(
        check(strict.with_zero_node_path_padding(false)),
        Ok(path.len())
    );
    let error = check(strict.with_zero_node_path_padding(true)).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::NonZeroPadding, 21)
    );
    // In engine mode nobody looks at it.
    let lenient = ReadOptions::new(Dialect::GODOT_4).with_zero_node_path_padding(true);
    assert_eq!(check(lenient), Ok(path.len()));
}

#[test]
fn what_is_asked_for_twice_stays() {
    let ask = |options: ReadOptions| {
        options
            .with_objects(Objects::Inert)
            .strict()
            .with_zero_node_path_padding(true)
            .with_ints_always_64(true)
            .with_early_godot_3(true)
            .with_unflagged_vector4_is_f64(true)
            .without_shortcuts(true)
    };
    let once = ask(ReadOptions::new(Dialect::GODOT_4));
    let twice = ask(once);
    assert_eq!(twice, once);
    let bool_of_two = b"\x01\0\0\0\x02\0\0\0";
    assert!(
        Document::with_options(bool_of_two, twice)
            .validate()
            .is_err()
    );
}

/// Files of the engines and of common tools, as somebody gives them to a reader of values: every way of reading
/// says what they are, in every dialect.
#[test]
fn files_around_values_are_named() {
    let save = |name: &str| {
        let path = gdvar_conformance::vectors::testdata("saves").join(name);
        std::fs::read(path).expect("a save")
    };
    let start = |magic: &[u8]| [magic, &[7; 60]].concat();
    for (bytes, layer) in [
        (save("camp4.zstd.gcpf"), Layer::Compressed),
        (save("camp3.fastlz.gcpf"), Layer::Compressed),
        (save("camp4.pass.gdec"), Layer::Encrypted),
        (save("camp3.key.gdec"), Layer::Encrypted),
        (start(b"\x1f\x8b\x08"), Layer::Gzip),
        (start(b"\x28\xb5\x2f\xfd"), Layer::Zstandard),
        (start(b"PK\x03\x04"), Layer::Zip),
        (start(b"RSRC"), Layer::Resource),
        (start(b"RSCC"), Layer::Resource),
    ] {
        for dialect in Dialect::ALL {
            let document = Document::new(&bytes, dialect);
            let tree = Variant::from_slice(&bytes, dialect).map(drop);
            let results = [
                ("validate", document.validate().map(drop)),
                ("strict", document.strict().validate().map(drop)),
                ("root", document.root().map(drop)),
                ("events", document.events().try_next().map(drop)),
                ("index", Index::build(document).map(drop)),
                ("Variant", tree),
            ];
            for (way, result) in results {
                let error = result.expect_err(way);
                let found = (error.kind(), error.offset());
                assert_eq!(found, (ErrorKind::Packed(layer), 0), "{way} {dialect}");
            }
        }
    }
}
