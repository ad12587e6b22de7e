//! Packed arrays: which elements belong to which array, and what hints a sink gets.
#![cfg(feature = "std")]

use gdvar_write::{
    Error, Precision, Sink, Target, WriteErrorKind, Writer,
    wire::{
        Element, F32, F64, I32, I64, Kind,
        math::{Color, Components, Vector2, Vector3, Vector4},
    },
};

/// The official builds of Godot 4: they store 32-bit floats, so 64-bit input is rounded.
const GODOT_4_SINGLE: Target = Target::GODOT_4.with_precision(Precision::Single);

type Never = core::convert::Infallible;
type Done = Result<(), Error<Never>>;

fn written(target: Target, write: impl FnOnce(&mut Writer<Vec<u8>>) -> Done) -> Vec<u8> {
    let mut w = Writer::new(Vec::new(), target);
    write(&mut w).unwrap();
    w.finish().unwrap()
}

/// Writes the elements as every packed array. Fails unless exactly the kinds in `takers` accept
/// them, with these bytes.
#[track_caller]
fn only<T: Element>(elements: &[T], takers: &[(Target, Kind, Vec<u8>)]) {
    for target in [
        GODOT_4_SINGLE,
        Target::GODOT_4.with_precision(Precision::Double),
        Target::GODOT_4.with_precision(Precision::AsGiven),
        Target::PANDEMONIUM_5.with_precision(Precision::Single),
    ] {
        for kind in Kind::ALL.iter().copied() {
            let mut w = Writer::new(Vec::new(), target);
            let done = w.packed_le(kind, elements);
            let taker = takers
                .iter()
                .find(|taker| (taker.0, taker.1) == (target, kind));
            if let Some((.., bytes)) = taker {
                done.unwrap();
                assert_eq!(&w.finish().unwrap(), bytes, "{target:?} {kind}");
                continue;
            }
            let expected = if target.can_write(kind) {
                WriteErrorKind::WrongElement { kind }
            } else {
                let dialect = target.dialect();
                WriteErrorKind::Unrepresentable { kind, dialect }
            };
            let error = done.unwrap_err();
            assert_eq!(
                (error.kind(), error.position()),
                (&expected, 0),
                "{target:?} {kind}"
            );
        }
    }
}

/// docs/FORMAT.md §3.4 and §2.3.
#[test]
fn arrays_take_the_elements_they_are_made_of() {
    let g4 = GODOT_4_SINGLE;
    let (double, given) = (
        Target::GODOT_4.with_precision(Precision::Double),
        Target::GODOT_4.with_precision(Precision::AsGiven),
    );
    let p5 = Target::PANDEMONIUM_5.with_precision(Precision::Single);
    let all4 = [g4, double, given];
    let same = |kind: Kind, write: &dyn Fn(&mut Writer<Vec<u8>>) -> Done| {
        let takers = all4
            .into_iter()
            .chain([p5])
            .filter(|target| target.can_write(kind));
        takers
            .map(|target| (target, kind, written(target, write)))
            .collect::<Vec<_>>()
    };
    only(
        &[1_u8, 2, 3],
        &same(Kind::PackedByteArray, &|w| w.packed_bytes(&[1, 2, 3])),
    );
    only(
        &[I32::new(-2)],
        &same(Kind::PackedInt32Array, &|w| w.packed_i32(&[-2])),
    );
    only(
        &[I64::new(-2)],
        &same(Kind::PackedInt64Array, &|w| w.packed_i64(&[-2])),
    );
    only(
        &[F32::new(0.1)],
        &same(Kind::PackedFloat32Array, &|w| w.packed_f32(&[0.1])),
    );
    only(
        &[F64::new(0.1)],
        &same(Kind::PackedFloat64Array, &|w| w.packed_f64(&[0.1])),
    );
    let color = [0.1, 0.2, 0.3, 1.0];
    only(
        &[Color::from(color.map(F32::new))],
        &same(Kind::PackedColorArray, &|w| {
            w.packed_colors(&[Color::from(color)])
        }),
    );
    macro_rules! vectors {
        ($($name:ident $n:literal $packed:ident $method:ident, $ints:ident $int_method:ident;)*) => {$(
            let ints = $name::from(std::array::from_fn::<i32, $n, _>(|n| n as i32 + 1));
            let expected = written(p5, |w| w.$int_method(&[ints]));
            only(&[ints.map(I32::new)], &[(p5, Kind::$ints, expected)]);

            let reals = $name::from(std::array::from_fn::<f32, $n, _>(|n| n as f32 / 10.0));
            let narrow = |target| (target, Kind::$packed, written(target, |w| w.$method(&[reals])));
            only(&[reals.map(F32::new)], &[narrow(g4), narrow(given), narrow(p5)]);

            let reals = $name::from(std::array::from_fn::<f64, $n, _>(|n| n as f64 / 10.0));
            let wide = |target| (target, Kind::$packed, written(target, |w| w.$method(&[reals])));
            only(&[reals.map(F64::new)], &[wide(double), wide(given)]);
        )*};
    }
    vectors! {
        Vector2 2 PackedVector2Array packed_vector2, PackedVector2iArray packed_vector2i;
        Vector3 3 PackedVector3Array packed_vector3, PackedVector3iArray packed_vector3i;
        Vector4 4 PackedVector4Array packed_vector4, PackedVector4iArray packed_vector4i;
    }
}

/// Vectors of all lengths around the size of the blocks in which they are encoded.
#[test]
fn vectors_of_every_length_are_whole() {
    let wide = Target::GODOT_4.with_precision(Precision::Double);
    for len in 0..20 {
        let numbers = |n: usize, width: usize| (0..len * n).map(move |at| (at * width) as f32);
        let expected = |id: u8, n: usize, flag: u8| {
            let mut bytes = vec![id, 0, flag, 0, len as u8, 0, 0, 0];
            for number in numbers(n, 3) {
                match flag {
                    0 => bytes.extend(number.to_le_bytes()),
                    _ => bytes.extend(f64::from(number).to_le_bytes()),
                }
            }
            bytes
        };
        let two: Vec<_> = (0..len)
            .map(|at| Vector2 {
                x: at as f32 * 6.0,
                y: at as f32 * 6.0 + 3.0,
            })
            .collect();
        let three: Vec<_> = (0..len)
            .map(|at| Vector3::from([0.0, 3.0, 6.0].map(|c| at as f32 * 9.0 + c)))
            .collect();
        let four: Vec<_> = (0..len)
            .map(|at| Vector4::from([0.0, 3.0, 6.0, 9.0].map(|c| at as f32 * 12.0 + c)))
            .collect();
        // The numbers of docs/FORMAT.md §1.1, and the flag of §2.3.
        assert_eq!(
            written(GODOT_4_SINGLE, |w| w.packed_vector2(&two)),
            expected(35, 2, 0)
        );
        assert_eq!(
            written(GODOT_4_SINGLE, |w| w.packed_vector3(&three)),
            expected(36, 3, 0)
        );
        assert_eq!(
            written(GODOT_4_SINGLE, |w| w.packed_vector4(&four)),
            expected(38, 4, 0)
        );
        assert_eq!(
            written(wide, |w| w.packed_vector2(&two)),
            expected(35, 2, 1)
        );
        assert_eq!(
            written(wide, |w| w.packed_vector3(&three)),
            expected(36, 3, 1)
        );
        assert_eq!(
            written(wide, |w| w.packed_vector4(&four)),
            expected(38, 4, 1)
        );
        let colors: Vec<_> = four.iter().map(|v| Color::from(v.components())).collect();
        assert_eq!(
            written(GODOT_4_SINGLE, |w| w.packed_colors(&colors)),
            expected(37, 4, 0)
        );
        assert_eq!(
            written(wide, |w| w.packed_colors(&colors)),
            expected(37, 4, 0)
        );
    }
}

/// A NaN that changes its width becomes quiet and keeps the top of its payload (docs/FORMAT.md
/// §2.3); a NaN that does not change keeps every bit.
#[test]
fn nans_of_vectors_keep_what_they_can() {
    let single = Vector2 {
        x: f32::from_bits(0x7fa0_0001),
        y: 1.0,
    };
    let double = Vector2 {
        x: f64::from_bits(0xfff4_0000_3fff_ffff),
        y: 1.0,
    };
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes
            .chunks(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    };
    let wide = Target::GODOT_4.with_precision(Precision::Double);
    let one = [0, 0x3ff0_0000];
    let bytes = written(GODOT_4_SINGLE, |w| w.vector2(single));
    assert_eq!(words(&bytes), [5, 0x7fa0_0001, 0x3f80_0000]);
    let bytes = written(GODOT_4_SINGLE, |w| w.vector2(double));
    assert_eq!(words(&bytes), [5, 0xffe0_0001, 0x3f80_0000]);
    let bytes = written(wide, |w| w.vector2(single));
    assert_eq!(
        words(&bytes),
        [0x1_0005, 0x2000_0000, 0x7ffc_0000, one[0], one[1]]
    );
    let bytes = written(wide, |w| w.vector2(double));
    assert_eq!(
        words(&bytes),
        [0x1_0005, 0x3fff_ffff, 0xfff4_0000, one[0], one[1]]
    );
    let bytes = written(wide, |w| w.packed_vector2(&[single]));
    assert_eq!(
        words(&bytes)[2..],
        [0x2000_0000, 0x7ffc_0000, one[0], one[1]]
    );
    let bytes = written(GODOT_4_SINGLE, |w| w.packed_vector2(&[double]));
    assert_eq!(words(&bytes)[2..], [0xffe0_0001, 0x3f80_0000]);
}

/// Records its hints and its calls.
#[derive(Default)]
struct Hinted {
    hints: Vec<usize>,
    taken: usize,
}

impl Sink for Hinted {
    type Error = Never;
    fn put(&mut self, bytes: &[u8]) -> Result<(), Never> {
        self.taken += bytes.len();
        Ok(())
    }
    fn reserve(&mut self, additional: usize) {
        self.hints.push(additional);
    }
}

#[test]
fn a_sink_is_told_how_much_comes() {
    let mut sink = Hinted::default();
    let mut w = Writer::new(&mut sink, GODOT_4_SINGLE);
    w.packed_vector3(&[Vector3::from([1.0_f32; 3]); 10])
        .unwrap();
    w.next_value().unwrap();
    w.packed_vector3(&[Vector3::from([1.0_f64; 3]); 10])
        .unwrap();
    w.next_value().unwrap();
    w.raw_bytes(&[0; 4]).unwrap();
    w.finish().unwrap();
    // A header, a count and ten times three numbers.
    assert_eq!(sink.hints, [8 + 120, 8 + 120, 4]);
    assert_eq!(sink.taken, 2 * (8 + 120) + 4);
}

/// Sinks get encoded elements in pieces of up to 64 bytes: as many whole elements as fit, at most
/// eight.
#[test]
fn elements_are_encoded_some_at_a_time() {
    struct Pieces(Vec<usize>);
    impl Sink for Pieces {
        type Error = Never;
        fn put(&mut self, bytes: &[u8]) -> Result<(), Never> {
            self.0.push(bytes.len());
            Ok(())
        }
    }
    let pieces = |write: fn(&mut Writer<Pieces>) -> Done| {
        let mut w = Writer::new(Pieces(Vec::new()), GODOT_4_SINGLE);
        write(&mut w).unwrap();
        w.into_sink().0
    };
    // The source is doubles, which single precision has to round.
    let twos = pieces(|w| w.packed_vector2(&[Vector2 { x: 1.5_f64, y: 2.5 }; 17]));
    assert_eq!(twos, [8, 64, 64, 8]);
    let threes = pieces(|w| {
        let (x, y, z) = (1.5_f64, 2.5, 3.5);
        w.packed_vector3(&[Vector3 { x, y, z }; 12])
    });
    assert_eq!(threes, [8, 60, 60, 12, 12]);
    let fours = pieces(|writer| {
        let (x, y, z, w) = (1.5_f64, 2.5, 3.5, 4.5);
        writer.packed_vector4(&[Vector4 { x, y, z, w }; 9])
    });
    assert_eq!(fours, [8, 64, 64, 16]);
    // Nothing is put if there is no padding.
    assert_eq!(pieces(|w| w.packed_bytes(&[1; 4])), [8, 4]);
    assert_eq!(pieces(|w| w.packed_bytes(&[1; 5])), [8, 5, 3]);
}
