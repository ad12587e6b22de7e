//! Vectors, packed arrays, packets and values that come from and go to other libraries.

use arbitrary::{Arbitrary, Unstructured};
use bytemuck::Zeroable;
use bytes::Bytes;
use gdvar::{
    Dialect, Document, FromVariant, Kind, Objects, ReadOptions, Variant, VariantRef,
    math::{Color, Vector2, Vector3, Vector4},
    values::{Real, keep},
    write::{Precision, Target, Writer},
};
use gdvar_conformance::{
    alike::Random,
    vectors::{ENGINES, vectors},
    with_big_stack,
};
use glam_034 as glam;
use mint::IntoMint;

fn root(bytes: &[u8]) -> VariantRef<'_> {
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    Document::with_options(bytes, options)
        .root()
        .expect("a value")
}

#[test]
fn vectors_keep_the_order_of_their_components() {
    macro_rules! check {
        ($($ours:ty = $numbers:expr => $($theirs:ty),+;)*) => {$($(
            let theirs = <$theirs>::from($numbers);
            let ours = <$ours>::from(theirs);
            assert_eq!(<$ours>::from($numbers), ours);
            assert_eq!(<$theirs>::from(ours), theirs);
        )+)*};
    }
    check! {
        Vector2<f32> = [1.0, 2.0] => glam::Vec2, mint::Vector2<f32>, mint::Point2<f32>;
        Vector2<f64> = [1.0, 2.0] => glam::DVec2, mint::Vector2<f64>, mint::Point2<f64>;
        Vector2<i32> = [1, 2] => glam::IVec2, mint::Vector2<i32>, mint::Point2<i32>;
        Vector3<f32> = [1.0, 2.0, 3.0] => glam::Vec3, glam::Vec3A, mint::Vector3<f32>, mint::Point3<f32>;
        Vector3<f64> = [1.0, 2.0, 3.0] => glam::DVec3, mint::Vector3<f64>, mint::Point3<f64>;
        Vector3<i32> = [1, 2, 3] => glam::IVec3, mint::Vector3<i32>, mint::Point3<i32>;
        Vector4<f32> = [1.0, 2.0, 3.0, 4.0] => glam::Vec4, mint::Vector4<f32>;
        Vector4<f64> = [1.0, 2.0, 3.0, 4.0] => glam::DVec4, mint::Vector4<f64>;
        Vector4<i32> = [1, 2, 3, 4] => glam::IVec4, mint::Vector4<i32>;
    }
    // Converts through `IntoMint`, the trait of the crate mint by which libraries exchange types
    // without depending on each other.
    fn through<T: IntoMint>(value: T) -> T::MintType {
        value.into()
    }
    let ours = Vector3 { x: 1, y: 2, z: 3 };
    assert_eq!(through(ours), mint::Vector3::from([1, 2, 3]));
}

/// Fails unless a value turns into that type of glam, alone and in an array, and back into
/// the same bytes.
fn through<'a, T>(value: VariantRef<'a>, who: &str) -> T
where
    T: FromVariant<'a> + Into<Variant> + Copy,
{
    let theirs = T::from_variant(value).expect(who);
    let again: Variant = theirs.into();
    let target = Target::from(Dialect::GODOT_4).with_precision(Precision::AsGiven);
    assert_eq!(
        again.to_vec(target).as_deref(),
        Ok(value.raw().expect(who)),
        "{who}"
    );
    theirs
}

#[test]
fn math_values_of_the_engine_pass_through_glam_unchanged() {
    let mut seen = 0;
    for engine in ENGINES
        .iter()
        .filter(|engine| engine.dialect == Dialect::GODOT_4)
    {
        for vector in vectors(*engine) {
            let value = Document::new(&vector.bytes, engine.dialect).root();
            let Ok(value) = value else { continue };
            let who = format!("{} {}", engine.name, vector.id);
            let wide = value.is_wide();
            macro_rules! reals {
                ($($single:ident),+; $double:ident) => {
                    if wide {
                        through::<glam::$double>(value, &who);
                    } else {
                        $(through::<glam::$single>(value, &who);)+
                    }
                };
            }
            match value.kind() {
                Kind::Vector2 => reals!(Vec2; DVec2),
                Kind::Vector3 => reals!(Vec3, Vec3A; DVec3),
                Kind::Vector4 => reals!(Vec4; DVec4),
                Kind::Quaternion => reals!(Quat; DQuat),
                Kind::Basis => reals!(Mat3, Mat3A; DMat3),
                Kind::Transform2D => reals!(Affine2; DAffine2),
                Kind::Transform3D => reals!(Affine3, Affine3A; DAffine3),
                Kind::Projection => reals!(Mat4; DMat4),
                Kind::Vector2i => drop(through::<glam::IVec2>(value, &who)),
                Kind::Vector3i => drop(through::<glam::IVec3>(value, &who)),
                Kind::Vector4i => drop(through::<glam::IVec4>(value, &who)),
                _ => continue,
            }
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} values");
}

#[test]
fn records_are_read_into_types_of_glam() {
    #[derive(Debug, PartialEq)]
    struct Placed(glam::Vec3A, glam::Quat);

    impl<'a> gdvar::Record<'a> for Placed {
        const KEYS: &'static [gdvar::record::Key] = &gdvar::record::Key::all(["pos", "turn"]);

        fn read(
            fields: &mut impl gdvar::record::Fields<'a>,
        ) -> Result<Self, gdvar::record::Mismatch> {
            Ok(Placed(fields.next()?, fields.next()?))
        }
    }

    let save = gdvar::variant!({
        "pos": glam::Vec3::new(1.0, 2.0, 3.0),
        "turn": glam::Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
    });
    let bytes = save.to_vec(Target::GODOT_4).expect("bytes");
    let record = root(&bytes).as_dict().expect("a dictionary");
    let read = record.iter().read();
    let expected = Placed(
        glam::Vec3A::new(1.0, 2.0, 3.0),
        glam::Quat::from_array([0.5; 4]),
    );
    assert_eq!(read, Ok(expected));
}

#[test]
fn packed_arrays_are_slices_of_types_of_other_libraries() {
    let points = [
        glam::Vec3::new(1.0, 2.0, 3.0),
        glam::Vec3::new(4.0, 5.0, 6.0),
    ];
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer
        .packed_vector3::<f32>(bytemuck::cast_slice(&points))
        .expect("room");
    let bytes = writer.finish().expect("all");
    let by_hand = Variant::packed(points.map(Vector3::<f32>::from));
    assert_eq!(by_hand.to_vec(Target::GODOT_4).as_deref(), Ok(&bytes[..]));

    // At any address there is either the right slice or none, and at most addresses none.
    let mut found = 0;
    for shift in 0..16 {
        let mut buffer = vec![0_u8; shift];
        buffer.extend_from_slice(&bytes);
        let Some(Real::Single(packed)) = root(&buffer[shift..]).as_vector3s() else {
            panic!("no packed array");
        };
        let aligned = packed.as_bytes().as_ptr().addr() % align_of::<f32>() == 0;
        let slice = packed.as_pod::<glam::Vec3>();
        if cfg!(target_endian = "big") {
            assert_eq!(slice, None);
            continue;
        }
        assert_eq!(slice, aligned.then_some(&points[..]));
        assert_eq!(packed.as_pod::<[u8; 24]>().map(<[_]>::len), Some(1));
        // 24 bytes are not a whole number of these.
        assert_eq!(packed.as_pod::<[u8; 16]>(), None);
        found += usize::from(slice.is_some());
    }
    assert!(cfg!(target_endian = "big") || found == 4, "found {found}");

    assert_eq!(<Color<f32>>::zeroed(), Color::default());
    let colour: &[Color<f32>] = bytemuck::cast_slice(&[0.25_f32, 0.5, 0.75, 1.0]);
    assert_eq!(<[f32; 4]>::from(colour[0]), [0.25, 0.5, 0.75, 1.0]);
}

#[test]
fn parts_of_a_packet_outlive_it() {
    let save = gdvar::variant!({ "name": "Ann", "path": [1, 2], "empty": "" });
    let packet = Bytes::from(save.to_vec(Target::GODOT_4).expect("bytes"));
    let (name, path, empty) = {
        let dict = root(&packet).as_dict().expect("a dictionary");
        let part = |key| dict.get(key).ok().flatten().expect("a value");
        (
            keep(&packet, part("name").as_str().expect("text").as_bytes()),
            keep(&packet, part("path").raw().expect("a value")),
            keep(&packet, part("empty").as_str().expect("text").as_bytes()),
        )
    };
    let start = packet.as_ptr().addr();
    let place = |kept: &Bytes| kept.as_ptr().addr() - start;
    let (name, path) = (name.expect("in it"), path.expect("in it"));
    assert_eq!(&packet[place(&name)..][..3], b"Ann", "the same memory");
    assert_eq!(&packet[place(&path)..][..path.len()], &path[..]);
    drop(packet);
    assert_eq!(name, "Ann");
    assert_eq!(
        Variant::from_slice(&path, Dialect::GODOT_4),
        Ok(gdvar::variant!([1, 2]))
    );
    assert_eq!(empty, Some(Bytes::new()));
}

#[test]
fn parts_of_another_packet_are_not_kept() {
    let memory = Bytes::from(vec![7_u8; 64]);
    let packet = memory.slice(16..48);
    let whole = |part: std::ops::Range<usize>| keep(&packet, &memory[part]);
    assert_eq!(whole(16..48).as_deref(), Some(&[7; 32][..]));
    assert_eq!(whole(47..48).as_deref(), Some(&[7][..]));
    assert_eq!(whole(15..16), None);
    assert_eq!(whole(15..48), None);
    assert_eq!(whole(47..49), None);
    assert_eq!(whole(48..49), None);
    assert_eq!(whole(0..64), None);
}

#[test]
fn arbitrary_values_are_what_godot_4_can_hold() {
    with_big_stack(|| {
        let mut random = Random(20);
        let (mut kinds, mut deepest, mut largest) = ([0_u32; 64], 0, 0);
        let target = Target::GODOT_4.with_precision(Precision::AsGiven);
        let inert = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
        for round in 0..3000 {
            let data: Vec<u8> = (0..round % 1500)
                .map(|_| random.next_number() as u8)
                .collect();
            let value = Variant::arbitrary(&mut Unstructured::new(&data)).expect("it cannot fail");
            let bytes = value.to_vec(target).expect("Godot 4 can hold it");
            assert_eq!(Variant::from_slice_with(&bytes, inert).as_ref(), Ok(&value));
            kinds[value.kind() as usize] += 1;
            largest = largest.max(bytes.len());
            for event in root(&bytes).events() {
                if let Ok(gdvar::walk::Event::Begin(value) | gdvar::walk::Event::Value(value)) =
                    event
                {
                    deepest = deepest.max(value.depth());
                }
            }
        }
        let seen = kinds.iter().filter(|times| **times > 0).count();
        assert_eq!(seen, 39, "every type of Godot 4");
        assert_eq!(deepest, 8, "as deep as is said, and no deeper");
        assert!((1500..100_000).contains(&largest), "{largest} bytes");
    });
}
