//! The header of a binary resource: byte order, versions, class, flags and unique id.

use gdvar_wire::Dialect;

use crate::{
    Error, ErrorKind,
    byte_writer::ByteWriter,
    reader::{Reader, Result},
};

/// The newest format version, of Godot 4.3 to 4.6.
const NEWEST: u32 = 6;

/// The format version of Godot 3.
const GODOT_3: u32 = 3;

/// The first format version of Godot 4.
const GODOT_4: u32 = 4;

/// Set if references inside the file are indices. Otherwise they are the numbers after `local://`.
const NAMED_SCENE_IDS: u32 = 1;
const UIDS: u32 = 2;
const REAL_IS_DOUBLE: u32 = 4;
const HAS_SCRIPT_CLASS: u32 = 8;

/// The reserved words at the end of the header.
const RESERVED: usize = 11 * 4;

/// The header of a binary resource.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Header {
    /// `true` if numbers have their highest byte first, as `FLAG_SAVE_BIG_ENDIAN` writes them.
    pub is_big_endian: bool,
    /// The major version of the engine that wrote the file.
    pub major: u32,
    /// The minor version of the engine that wrote the file.
    pub minor: u32,
    /// The version of the format: 1 to 3 in Godot 3 and older, 4 to 6 in Godot 4.
    pub format: u32,
    /// The class of the main resource.
    pub class: String,
    /// The flags. Godot 4 uses four of them; in Godot 3 they are 0.
    pub flags: u32,
    /// The unique id of the resource; -1 if it has none.
    pub uid: i64,
    /// The global name of the class of the main resource's script, if it has one.
    pub script_class: Option<String>,
}

impl Header {
    /// Reads the header after the magic number. Sets the byte order of `reader`.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Header> {
        // The field for the byte order is always little-endian.
        reader.is_big_endian = false;
        let is_big_endian = reader.u32()? != 0;
        reader.is_big_endian = is_big_endian;
        // Skips `use_real64`, which no engine reads.
        reader.u32()?;
        let (major, minor) = (reader.u32()?, reader.u32()?);
        let at = reader.at();
        let format = reader.u32()?;
        if !(1..=NEWEST).contains(&format) {
            return Err(Error::new(at, ErrorKind::UnknownFormat { format }));
        }
        let class = reader.text()?.to_owned();
        // Skips `importmd_ofs`, which no engine reads.
        reader.u64()?;
        let mut header = Header {
            is_big_endian,
            major,
            minor,
            format,
            class,
            flags: 0,
            uid: -1,
            script_class: None,
        };
        let flags = reader.u32()?;
        let uid = reader.u64()? as i64;
        if header.is_godot4() {
            header.flags = flags;
            if header.has_uids() {
                header.uid = uid;
            }
            if flags & HAS_SCRIPT_CLASS != 0 {
                header.script_class = Some(reader.text()?.to_owned());
            }
        }
        reader.take(RESERVED)?;
        Ok(header)
    }

    /// Returns the header that Godot 4.6 writes for a resource without a unique id.
    pub(crate) fn godot_4(class: &str) -> Header {
        Header {
            is_big_endian: false,
            major: 4,
            minor: 6,
            format: NEWEST,
            class: class.to_owned(),
            flags: NAMED_SCENE_IDS | UIDS,
            uid: -1,
            script_class: None,
        }
    }

    /// Returns the header that Godot 3.6 writes for a resource.
    pub(crate) fn godot_3(class: &str) -> Header {
        Header {
            major: 3,
            format: GODOT_3,
            flags: 0,
            ..Header::godot_4(class)
        }
    }

    /// Sets or removes the global name of the script's class.
    pub(crate) fn set_script_class(&mut self, class: Option<&str>) {
        self.flags &= !HAS_SCRIPT_CLASS;
        if class.is_some() {
            self.flags |= HAS_SCRIPT_CLASS;
        }
        self.script_class = class.map(str::to_owned);
    }

    /// Writes the header after the magic number. `out` must be little-endian. Returns `None` for a
    /// text that a file cannot hold.
    pub(crate) fn write(&self, out: &mut ByteWriter) -> Option<()> {
        // The byte order, and `use_real64`, which no engine reads.
        for word in [0, 0, self.major, self.minor, self.format] {
            out.u32(word);
        }
        out.text(&self.class)?;
        // `importmd_ofs`, which no engine reads.
        out.number(&[0; 8]);
        out.u32(self.flags);
        let uid = if self.is_godot4() { self.uid } else { 0 };
        out.number(&uid.to_le_bytes());
        if let Some(class) = &self.script_class {
            out.text(class)?;
        }
        out.bytes.extend_from_slice(&[0; RESERVED]);
        Some(())
    }

    /// Returns `true` if Godot 4 wrote the file.
    #[must_use]
    pub const fn is_godot4(&self) -> bool {
        self.format >= GODOT_4
    }

    /// Returns the dialect of the values.
    pub(crate) const fn dialect(&self) -> Dialect {
        match self.is_godot4() {
            true => Dialect::GODOT_4,
            false => Dialect::GODOT_3,
        }
    }

    /// Returns `true` if resources in other files have unique ids in addition to their paths.
    #[must_use]
    pub const fn has_uids(&self) -> bool {
        self.flags & UIDS != 0
    }

    /// Returns `true` if vectors have 64-bit components: an engine compiled with `precision=double` wrote the
    /// file.
    #[must_use]
    pub const fn has_doubles(&self) -> bool {
        self.flags & REAL_IS_DOUBLE != 0
    }

    pub(crate) const fn refers_by_index(&self) -> bool {
        self.flags & NAMED_SCENE_IDS != 0
    }
}
