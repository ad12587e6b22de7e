//! Records: fields by name into structs, without serde.

use gdvar_view::{Dialect, Document, Error, Fields, Key, Mismatch, Record, math::Vector3};

use crate::{
    harness::{Note, Suite},
    peers::structs::{
        Leaves,
        records::{EntityRef, Form, Items, PartRef, SaveRef, typed_answer},
    },
    workloads::{INT_KEYS, Tree},
};

/// The entry that fills structs from fields in their expected order.
pub(crate) const STRUCTS: &str = "gdvar fields, into structs";

/// Registers the structs of W1 or of a case of the matrix, by names.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, tree: &'a Tree, form: Form) {
    let bytes = tree.bytes.as_slice();
    let note = Note::new("structure, text of fields", "structs, borrowed text");
    let expected = typed_answer(&tree.value);
    suite.add(STRUCTS, note, bytes.len(), expected, move || {
        let answer = match form {
            Form::Whole => structs::<EntityRef<'_, [f32; 3], Items<'_>>>(bytes),
            _ => structs::<PartRef<'_, [f32; 3], Items<'_>>>(bytes),
        };
        answer.unwrap_or(0)
    });
}

/// Registers records of 4 or 64 ints.
pub(crate) fn ints<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = tree.bytes.as_slice();
    let note = Note::new("structure, text of fields", "nothing");
    let expected = typed_answer(&tree.value);
    let many = tree.value.count() > 64 * 1_000;
    suite.add(STRUCTS, note, bytes.len(), expected, move || {
        let answer = match many {
            true => structs::<Ints<64>>(bytes),
            false => structs::<Ints<4>>(bytes),
        };
        answer.unwrap_or(0)
    });
}

/// A record of so many ints.
struct Ints<const N: usize>([i64; N]);

impl<const N: usize> Leaves for Ints<N> {
    #[inline]
    fn leaves(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum, int| sum.wrapping_add(*int as u64))
    }
}

impl<'a, const N: usize> Record<'a> for Ints<N> {
    const KEYS: &'static [Key] = &Key::all(*INT_KEYS.first_chunk::<N>().unwrap());

    #[inline(always)]
    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        let mut ints = [0; N];
        for int in &mut ints {
            *int = fields.next()?;
        }
        Ok(Ints(ints))
    }
}

impl<'a> Record<'a> for EntityRef<'a, [f32; 3], Items<'a>> {
    const KEYS: &'static [Key] =
        &Key::all(["id", "name", "hp", "pos", "alive", "level", "items", "gold"]);

    #[inline(always)]
    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(EntityRef {
            id: fields.next()?,
            name: fields.next()?,
            hp: fields.next()?,
            pos: fields.next().map(|v: Vector3<f32>| [v.x, v.y, v.z])?,
            alive: fields.next()?,
            level: fields.next()?,
            items: fields.next()?,
            gold: fields.next()?,
        })
    }
}

impl<'a> Record<'a> for PartRef<'a, [f32; 3], Items<'a>> {
    const KEYS: &'static [Key] = <EntityRef<'a, [f32; 3], Items<'a>>>::KEYS;

    #[inline(always)]
    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(PartRef {
            id: fields.optional()?,
            name: fields.optional()?,
            hp: fields.optional()?,
            pos: fields.optional()?.map(|v: Vector3<f32>| [v.x, v.y, v.z]),
            alive: fields.optional()?,
            level: fields.optional()?,
            items: fields.optional()?,
            gold: fields.optional()?,
        })
    }
}

/// The records as structs.
fn structs<'a, T: Record<'a> + Leaves>(bytes: &'a [u8]) -> Result<u64, Error> {
    let mut entities: Vec<T> = Vec::new();
    let Some(root) = Document::new(bytes, Dialect::GODOT_4).root()?.as_dict() else {
        return Ok(0);
    };
    let mut pairs = root.iter();
    while let Some((key, value)) = pairs.try_next()? {
        let is_wanted = key.as_text().is_some_and(|key| key == "entities");
        let (true, Some(array)) = (is_wanted, value.as_array()) else {
            continue;
        };
        entities.reserve(array.len());
        let mut records = array.iter();
        records.for_each_record(|record| entities.extend(record))?;
        pairs.pass(&records)?;
    }
    Ok(SaveRef { entities }.leaves())
}
