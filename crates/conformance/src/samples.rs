//! A value of each kind in each dialect, written by hand from `docs/FORMAT.md` §3 and §4.
//!
//! The `match` names every kind, so a new one does not compile before it has a sample. `tests/write/kinds.rs`
//! and `crates/cli/tests/kinds.rs` then send the sample through the crates and the command.

use gdvar::{Dialect, Kind};

/// Returns the kinds that `dialect` has.
pub fn kinds_of(dialect: Dialect) -> impl Iterator<Item = Kind> {
    let has = move |kind: &Kind| dialect.type_id(*kind).is_some();
    Kind::ALL.iter().copied().filter(has)
}

/// Returns `true` if the sample of `kind` has numbers of a math type or a packed array. Whatever prints it has
/// to print one of them, which contains 7 or 5.
#[must_use]
pub const fn has_numbers(kind: Kind) -> bool {
    kind.component_count() + kind.element_components() > 0
}

/// Returns a value of `kind` as the engine of `dialect` writes it: short, but not empty, and not the value that
/// a reader would invent.
///
/// # Panics
/// If the dialect lacks the kind.
#[must_use]
pub fn sample(kind: Kind, dialect: Dialect) -> Vec<u8> {
    let number = |kind| u32::from(dialect.type_id(kind).expect("the dialect has the kind").0);
    let text = u32::from_le_bytes(*b"hp\0\0");
    let int = [number(Kind::Int), 7];
    // Different reals that 32 bits hold exactly: 1.5, 2.5, …
    let reals = |count: u16| (0..count).map(|n| (f32::from(n) + 1.5).to_bits()).collect();
    let ints = |count: u32| (7..7 + count).collect();
    let one = |mut element: Vec<u32>| {
        element.insert(0, 1);
        element
    };
    let mut flags = 0;
    let words: Vec<u32> = match kind {
        Kind::Nil | Kind::Callable => vec![],
        Kind::Bool => vec![1],
        Kind::Int => ints(1),
        Kind::Float => reals(1),
        Kind::String | Kind::StringName => vec![2, text],
        Kind::Vector2 => reals(2),
        Kind::Vector3 => reals(3),
        Kind::Vector4 | Kind::Rect2 | Kind::Plane | Kind::Quaternion | Kind::Color => reals(4),
        Kind::Transform2D | Kind::Aabb => reals(6),
        Kind::Basis => reals(9),
        Kind::Transform3D => reals(12),
        Kind::Projection => reals(16),
        Kind::Vector2i => ints(2),
        Kind::Vector3i => ints(3),
        Kind::Vector4i | Kind::Rect2i => ints(4),
        // One name, no sub-names, relative.
        Kind::NodePath => vec![1 | 1 << 31, 0, 0, 2, text],
        Kind::Rid if dialect.rid_has_id() => vec![7, 0],
        Kind::Rid => vec![],
        Kind::Object if dialect.has_object_payload() => {
            // As an instance id.
            flags = 1 << 16;
            vec![7, 0]
        }
        Kind::Object => vec![],
        Kind::Signal => vec![2, text, 7, 0],
        // Format, mipmaps, width, height, and the pixels of an image of one pixel.
        Kind::Image => vec![0, 0, 1, 1, 3, 0x0040_80ff],
        // A key, with the size of the whole payload.
        Kind::InputEvent => vec![1, 0, 20, 0, 65],
        Kind::Dictionary => vec![1, number(Kind::String), 2, text, int[0], int[1]],
        Kind::Array => vec![1, int[0], int[1]],
        Kind::TypedArray | Kind::PackedTypedArray => vec![int[0], 1, int[0], int[1]],
        Kind::PackedByteArray => vec![1, 7],
        Kind::PackedInt32Array => one(ints(1)),
        Kind::PackedInt64Array => vec![1, 7, 0],
        Kind::PackedFloat32Array => one(reals(1)),
        Kind::PackedFloat64Array => vec![1, 0, 1.5_f64.to_bits().wrapping_shr(32) as u32],
        // The length of an element counts its NUL.
        Kind::PackedStringArray => vec![1, 3, text],
        Kind::PackedVector2Array => one(reals(2)),
        Kind::PackedVector3Array => one(reals(3)),
        Kind::PackedVector4Array | Kind::PackedColorArray => one(reals(4)),
        Kind::PackedVector2iArray => one(ints(2)),
        Kind::PackedVector3iArray => one(ints(3)),
        Kind::PackedVector4iArray => one(ints(4)),
    };
    let header = number(kind) | flags;
    let words = [header].into_iter().chain(words);
    words.flat_map(u32::to_le_bytes).collect()
}

/// Returns a Dictionary with a sample of each kind of `dialect` under the kind's name, in the order of
/// [`kinds_of`].
///
/// # Panics
/// Never, because every dialect has Dictionaries and Strings.
#[must_use]
pub fn all_samples(dialect: Dialect) -> Vec<u8> {
    let number = |kind| u32::from(dialect.type_id(kind).expect("every dialect has it").0);
    let mut bytes = number(Kind::Dictionary).to_le_bytes().to_vec();
    bytes.extend((kinds_of(dialect).count() as u32).to_le_bytes());
    for kind in kinds_of(dialect) {
        let name = kind.name().as_bytes();
        bytes.extend(number(Kind::String).to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.extend(sample(kind, dialect));
    }
    bytes
}
