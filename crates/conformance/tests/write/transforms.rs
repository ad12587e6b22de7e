//! Rows and columns are not swapped: a matrix of a real engine, converted to the type of another
//! library, must transform a vector as the engine does.

use gdvar::{
    Dialect, Document, FromVariant, Kind, VariantRef,
    math::{Basis, NotAffine, Projection, Quaternion, Transform2D, Transform3D},
};
use gdvar_conformance::vectors::lines;
use glam_034 as glam;

/// A transform of the engine.
struct Line {
    matrix: Vec<u8>,
    vector: Vec<f64>,
    result: Vec<f64>,
}

fn root(bytes: &[u8]) -> VariantRef<'_> {
    Document::new(bytes, Dialect::GODOT_4)
        .root()
        .expect("a value")
}

fn bytes(hex: &serde_json::Value) -> Vec<u8> {
    let hex = hex.as_str().expect("hex");
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex"))
        .collect()
}

fn components(bytes: &[u8]) -> Vec<f64> {
    let value = root(bytes);
    match value.kind() {
        Kind::Vector2 => <[f64; 2]>::from(value.as_vector2_f64().unwrap()).to_vec(),
        Kind::Vector3 => <[f64; 3]>::from(value.as_vector3_f64().unwrap()).to_vec(),
        Kind::Vector4 => <[f64; 4]>::from(value.as_vector4_f64().unwrap()).to_vec(),
        other => panic!("{other:?} is no vector"),
    }
}

/// The lines whose matrix is of that kind.
fn transforms(kind: Kind, at_least: usize) -> Vec<Line> {
    let found: Vec<Line> = lines("transforms4.jsonl")
        .iter()
        .map(|line| Line {
            matrix: bytes(&line["matrix"]),
            vector: components(&bytes(&line["vector"])),
            result: components(&bytes(&line["result"])),
        })
        .filter(|line| root(&line.matrix).kind() == kind)
        .collect();
    assert!(
        found.len() >= at_least,
        "{kind:?}: only {} lines",
        found.len()
    );
    found
}

impl Line {
    fn matrix<'a, T: FromVariant<'a>>(&'a self) -> T {
        T::from_variant(root(&self.matrix)).expect("the kind that was asked for")
    }

    fn vector<const N: usize>(&self) -> [f64; N] {
        self.vector[..].try_into().expect("as many components")
    }

    fn vector_f32<const N: usize>(&self) -> [f32; N] {
        self.vector::<N>().map(|component| component as f32)
    }

    /// Fails unless it is what the engine made of the vector, but for rounding.
    fn expect(&self, result: &[f64]) {
        assert_eq!(result.len(), self.result.len());
        for (ours, engine) in result.iter().zip(&self.result) {
            let error = (ours - engine).abs();
            assert!(
                error <= 1e-5 * engine.abs().max(1.0),
                "the engine says {:?}, not {result:?}",
                self.result
            );
        }
    }

    fn expect_f32(&self, result: &[f32]) {
        self.expect(&result.iter().map(|one| f64::from(*one)).collect::<Vec<_>>());
    }

    /// The expectation with the rows of a matrix, as mathematics has it.
    fn expect_rows<const N: usize, const M: usize>(&self, rows: [[f64; N]; M], vector: [f64; N]) {
        let result = rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum());
        self.expect(&result);
    }
}

/// Converts the matrix of a line to the other library's type and back, checks that nothing changed,
/// and returns the other library's value.
macro_rules! there_and_back {
    ($line:expr, $ours:ty => $theirs:ty) => {{
        let ours: $ours = $line.matrix();
        let theirs = <$theirs>::from(ours);
        assert_eq!(<$ours>::try_from(theirs), Ok(ours), "and back");
        theirs
    }};
}

#[test]
fn quaternions_rotate_as_in_the_engine() {
    for line in transforms(Kind::Quaternion, 8) {
        let single = there_and_back!(line, Quaternion<f32> => glam::Quat);
        line.expect_f32(&(single * glam::Vec3::from(line.vector_f32())).to_array());
        assert_eq!(line.matrix::<glam::Quat>(), single);
        let double = there_and_back!(line, Quaternion<f64> => glam::DQuat);
        line.expect(&(double * glam::DVec3::from(line.vector())).to_array());
        assert_eq!(line.matrix::<glam::DQuat>(), double);
        // v + 2s(q × v) + 2q × (q × v)
        let mint::Quaternion { v: q, s } =
            there_and_back!(line, Quaternion<f64> => mint::Quaternion<f64>);
        let [x, y, z] = line.vector();
        let cross = |[x, y, z]: [f64; 3]| [q.y * z - q.z * y, q.z * x - q.x * z, q.x * y - q.y * x];
        let (once, twice) = (cross([x, y, z]), cross(cross([x, y, z])));
        line.expect(&[0, 1, 2].map(|i| line.vector[i] + 2.0 * s * once[i] + 2.0 * twice[i]));
    }
}

#[test]
fn bases_transform_as_in_the_engine() {
    for line in transforms(Kind::Basis, 8) {
        let (single, double) = (line.vector_f32(), line.vector());
        let matrix = there_and_back!(line, Basis<f32> => glam::Mat3);
        line.expect_f32(&(matrix * glam::Vec3::from(single)).to_array());
        assert_eq!(line.matrix::<glam::Mat3>(), matrix);
        let matrix = there_and_back!(line, Basis<f32> => glam::Mat3A);
        line.expect_f32(&(matrix * glam::Vec3A::from(single)).to_array());
        assert_eq!(line.matrix::<glam::Mat3A>(), matrix);
        let matrix = there_and_back!(line, Basis<f64> => glam::DMat3);
        line.expect(&(matrix * glam::DVec3::from(double)).to_array());
        assert_eq!(line.matrix::<glam::DMat3>(), matrix);
        let rows = there_and_back!(line, Basis<f64> => mint::RowMatrix3<f64>);
        line.expect_rows(rows.into(), double);
        let columns = there_and_back!(line, Basis<f64> => mint::ColumnMatrix3<f64>);
        assert_eq!(mint::RowMatrix3::from(columns), rows);
    }
}

#[test]
fn flat_transforms_transform_as_in_the_engine() {
    for line in transforms(Kind::Transform2D, 6) {
        let (single, double) = (line.vector_f32(), line.vector());
        let affine = there_and_back!(line, Transform2D<f32> => glam::Affine2);
        line.expect_f32(&affine.transform_point2(single.into()).to_array());
        assert_eq!(line.matrix::<glam::Affine2>(), affine);
        let matrix = there_and_back!(line, Transform2D<f32> => glam::Mat3);
        line.expect_f32(&matrix.transform_point2(single.into()).to_array());
        let affine = there_and_back!(line, Transform2D<f64> => glam::DAffine2);
        line.expect(&affine.transform_point2(double.into()).to_array());
        assert_eq!(line.matrix::<glam::DAffine2>(), affine);
        let matrix = there_and_back!(line, Transform2D<f64> => glam::DMat3);
        line.expect(&matrix.transform_point2(double.into()).to_array());

        let [x, y] = double;
        let rows = there_and_back!(line, Transform2D<f64> => mint::RowMatrix2x3<f64>);
        line.expect_rows(rows.into(), [x, y, 1.0]);
        let columns = there_and_back!(line, Transform2D<f64> => mint::ColumnMatrix2x3<f64>);
        assert_eq!(mint::RowMatrix2x3::from(columns), rows);
        let square = there_and_back!(line, Transform2D<f64> => mint::ColumnMatrix3<f64>);
        let square: [[f64; 3]; 3] = mint::RowMatrix3::from(square).into();
        line.expect_rows([square[0], square[1]], [x, y, 1.0]);
        assert_eq!(square[2], [0.0, 0.0, 1.0]);
        there_and_back!(line, Transform2D<f32> => mint::ColumnMatrix3<f32>);
    }
}

#[test]
fn solid_transforms_transform_as_in_the_engine() {
    for line in transforms(Kind::Transform3D, 4) {
        let (single, double) = (line.vector_f32(), line.vector());
        let affine = there_and_back!(line, Transform3D<f32> => glam::Affine3A);
        line.expect_f32(&affine.transform_point3(single.into()).to_array());
        assert_eq!(line.matrix::<glam::Affine3A>(), affine);
        let affine = there_and_back!(line, Transform3D<f32> => glam::Affine3);
        line.expect_f32(&affine.transform_point3(single.into()).to_array());
        assert_eq!(line.matrix::<glam::Affine3>(), affine);
        let matrix = there_and_back!(line, Transform3D<f32> => glam::Mat4);
        line.expect_f32(&matrix.transform_point3(single.into()).to_array());
        let affine = there_and_back!(line, Transform3D<f64> => glam::DAffine3);
        line.expect(&affine.transform_point3(double.into()).to_array());
        assert_eq!(line.matrix::<glam::DAffine3>(), affine);
        let matrix = there_and_back!(line, Transform3D<f64> => glam::DMat4);
        line.expect(&matrix.transform_point3(double.into()).to_array());

        let [x, y, z] = double;
        let rows = there_and_back!(line, Transform3D<f64> => mint::RowMatrix3x4<f64>);
        line.expect_rows(rows.into(), [x, y, z, 1.0]);
        let columns = there_and_back!(line, Transform3D<f64> => mint::ColumnMatrix3x4<f64>);
        assert_eq!(mint::RowMatrix3x4::from(columns), rows);
        let square = there_and_back!(line, Transform3D<f64> => mint::ColumnMatrix4<f64>);
        let square: [[f64; 4]; 4] = mint::RowMatrix4::from(square).into();
        line.expect_rows([square[0], square[1], square[2]], [x, y, z, 1.0]);
        assert_eq!(square[3], [0.0, 0.0, 0.0, 1.0]);
        there_and_back!(line, Transform3D<f32> => mint::ColumnMatrix4<f32>);
    }
}

#[test]
fn projections_project_as_in_the_engine() {
    for line in transforms(Kind::Projection, 11) {
        let (single, double) = (line.vector_f32(), line.vector());
        let matrix = there_and_back!(line, Projection<f32> => glam::Mat4);
        line.expect_f32(&(matrix * glam::Vec4::from(single)).to_array());
        assert_eq!(line.matrix::<glam::Mat4>(), matrix);
        let matrix = there_and_back!(line, Projection<f64> => glam::DMat4);
        line.expect(&(matrix * glam::DVec4::from(double)).to_array());
        assert_eq!(line.matrix::<glam::DMat4>(), matrix);
        let rows = there_and_back!(line, Projection<f64> => mint::RowMatrix4<f64>);
        line.expect_rows(rows.into(), double);
        let columns = there_and_back!(line, Projection<f64> => mint::ColumnMatrix4<f64>);
        assert_eq!(mint::RowMatrix4::from(columns), rows);
    }
}

#[test]
fn what_is_more_than_a_transform_is_refused() {
    let mut refused = 0;
    for line in transforms(Kind::Projection, 11) {
        let projection: Projection<f32> = line.matrix();
        let is_affine = [projection.x, projection.y, projection.z, projection.w]
            .map(|column| column.w)
            == [0.0, 0.0, 0.0, 1.0];
        let wide = projection.map(f64::from);
        let expected = if is_affine { Ok(()) } else { Err(NotAffine) };
        refused += usize::from(!is_affine);
        let verdict = |transform: Result<Transform3D<f32>, NotAffine>| transform.map(|_| ());
        let verdict_wide = |transform: Result<Transform3D<f64>, NotAffine>| transform.map(|_| ());
        assert_eq!(verdict(glam::Mat4::from(projection).try_into()), expected);
        assert_eq!(verdict_wide(glam::DMat4::from(wide).try_into()), expected);
        assert_eq!(
            verdict(mint::ColumnMatrix4::from(projection).try_into()),
            expected
        );
        assert_eq!(
            verdict_wide(mint::ColumnMatrix4::from(wide).try_into()),
            expected
        );
    }
    assert!(refused >= 10, "only {refused}");

    // One number of the last row off, each in turn.
    for (place, number) in [(2, 1.0), (5, -1.0), (8, 2.0)] {
        let mut columns = [1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 5.0, 6.0, 1.0];
        let at = |columns: [f64; 9]| {
            let narrow = columns.map(|number| number as f32);
            [
                Transform2D::try_from(glam::DMat3::from_cols_array(&columns))
                    .map(|t| t.map(|n| n as f32)),
                Transform2D::try_from(glam::Mat3::from_cols_array(&narrow)),
                Transform2D::try_from(mint::ColumnMatrix3::from(columns))
                    .map(|t| t.map(|n| n as f32)),
                Transform2D::try_from(mint::ColumnMatrix3::from(narrow)),
            ]
        };
        let good = Transform2D::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(at(columns), [Ok(good); 4]);
        columns[place] = number;
        assert_eq!(at(columns), [Err(NotAffine); 4], "place {place}");
    }
}
