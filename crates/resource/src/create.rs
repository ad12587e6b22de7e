//! [`Resource::create`]: makes a new resource file from one value.

use gdvar_io::Limits;
use gdvar_wire::Dialect;

use crate::{
    Error, ErrorKind, Header, Resource,
    byte_writer::ByteWriter,
    parts::{Parts, Typed},
    reader::Result,
    resource::{LOCAL, MAGIC},
};

/// A file that was made from a value, and a report of what could not be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Created {
    /// The bytes of the resource file.
    pub file: Vec<u8>,
    /// The typed arrays and dictionaries of the value. Their types are not in the file.
    pub typed: Option<Typed>,
}

impl Resource<'_> {
    /// Makes a resource file from the one value that [`encode`](Resource::encode) or
    /// `gdvar_document::TextDocument::encode` returns. The file is as Godot 4.6 or Godot 3.6 writes
    /// it, little-endian and not compressed. It is read back before it is returned. In Godot 4 a
    /// resource without a script gets a property `script` that is null, as the engine writes it.
    /// `uid` and `script_class` are stored in the header, which Godot 3 cannot do. The time is
    /// linear in the length of the value, and several copies of the value are in memory at once.
    ///
    /// # Errors
    ///
    /// The offset of an error is relative to the start of `value`, or 0 if it is unknown. Returns
    /// `NotInEngine` if the dialect is neither Godot 3 nor 4, or if a `uid` or a `script_class` is
    /// given for Godot 3. Otherwise returns the errors of [`rewrite`](Resource::rewrite). Typed
    /// containers are not an error: [`Created::typed`] counts them.
    pub fn create(
        value: &[u8],
        dialect: Dialect,
        uid: Option<i64>,
        script_class: Option<&str>,
        limits: Limits,
    ) -> Result<Created> {
        let cannot = Error::new(0, ErrorKind::NotInEngine);
        let parts = Parts::read(value, dialect)?;
        let class = &parts.main().class;
        let ids = parts.all.iter().map(|part| &*part.id);
        let known = [Header::godot_4(class), Header::godot_3(class)];
        let header = known.into_iter().find(|one| one.dialect() == dialect);
        let mut header = header.ok_or(cannot)?;
        let main = if header.is_godot4() {
            let mut number = 1;
            let taken: std::collections::HashSet<&str> = ids.collect();
            let mut main = format!("{class}_main");
            while taken.contains(&*main) {
                number += 1;
                main = format!("{class}_main{number}");
            }
            main
        } else {
            let most = ids.filter_map(|id| id.parse::<u32>().ok()).max();
            let next = most.unwrap_or(0).checked_add(1).ok_or(cannot)?;
            next.to_string()
        };
        if !header.is_godot4() && (uid.is_some() || script_class.is_some()) {
            return Err(cannot);
        }
        header.uid = uid.unwrap_or(-1);
        header.set_script_class(script_class);
        let empty = empty(&header, &main).ok_or(cannot)?;
        let empty = Resource::open(&empty, Limits::FILE)?;
        let (file, typed) = empty.rewrite_untyped(value, limits, header.is_godot4())?;
        Ok(Created { file, typed })
    }
}

/// Returns a file with this header, whose main resource has no properties. Returns `None` if a file
/// cannot hold the class, `id` or another text of the header.
fn empty(header: &Header, id: &str) -> Option<Vec<u8>> {
    let mut out = ByteWriter::new(false);
    out.bytes.extend_from_slice(MAGIC);
    header.write(&mut out)?;
    // The tables: no names, no resources in other files, and one resource in this file.
    for count in [0, 0, 1] {
        out.u32(count);
    }
    out.text(&format!("{LOCAL}{id}"))?;
    let body = out.bytes.len() as u64 + 8;
    out.number(&body.to_le_bytes());
    out.text(&header.class)?;
    out.u32(0);
    out.bytes.extend_from_slice(MAGIC);
    Some(out.bytes)
}
