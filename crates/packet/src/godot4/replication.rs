//! The packets of MultiplayerSpawner and MultiplayerSynchronizer.

use gdvar_view::ReadOptions;

use crate::{
    byte_reader::ByteReader,
    error::Error,
    name::Name,
    node_ref::PATH_BIT,
    value::{Values, end_of},
};

/// A node that a MultiplayerSpawner made (`scene_replication_interface.cpp:568`).
#[derive(Clone, Copy, Debug)]
pub struct Spawn<'a> {
    bytes: &'a [u8],
    scene: u8,
    spawner: u32,
    net_id: u32,
    syncs: &'a [u8],
    name: Name<'a>,
    /// The offsets at which the argument of the spawn function begins and ends.
    custom: Option<(usize, usize)>,
    state: usize,
    options: ReadOptions,
}

/// The scene index of a node that a spawn function made.
const CUSTOM: u8 = 255;

impl<'a> Spawn<'a> {
    pub(super) fn read(
        bytes: &'a [u8],
        mut reader: ByteReader<'a>,
        options: ReadOptions,
    ) -> Result<Spawn<'a>, Error> {
        let (scene, spawner, net_id) = (reader.u8()?, reader.u32()?, reader.u32()?);
        let (sync_count, name_len) = (reader.u32()?, reader.u32()?);
        // Saturates: a count that overflows exceeds the packet in any case.
        let syncs = (sync_count as usize).saturating_mul(4);
        let syncs = reader.take(syncs)?;
        let end = end_of(&reader, name_len)?;
        let name =
            ByteReader::new(bytes.get(..end).unwrap_or_default(), reader.at()).last_name()?;
        reader = ByteReader::new(bytes, end);
        let custom = if scene == CUSTOM {
            let len = reader.u32()?;
            let end = end_of(&reader, len)?;
            Some((reader.at(), end))
        } else {
            None
        };
        Ok(Spawn {
            bytes,
            scene,
            spawner,
            net_id,
            syncs,
            name,
            custom,
            state: custom.map_or(reader.at(), |(_, end)| end),
            options,
        })
    }

    /// The index of the scene in the spawner's list, or `None` if its spawn function made the node.
    #[must_use]
    pub const fn scene(self) -> Option<u8> {
        if self.scene == CUSTOM {
            None
        } else {
            Some(self.scene)
        }
    }

    /// The id of the spawner's path.
    #[must_use]
    pub const fn spawner(self) -> u32 {
        self.spawner
    }

    /// The id of the node, for later packets.
    #[must_use]
    pub const fn net_id(self) -> u32 {
        self.net_id
    }

    /// The ids of the node's synchronizers.
    pub fn syncs(self) -> impl ExactSizeIterator<Item = u32> + 'a {
        let word = |id: &[u8]| id.first_chunk().copied().map_or(0, u32::from_le_bytes);
        self.syncs.chunks_exact(4).map(word)
    }

    /// The name of the node.
    #[must_use]
    pub const fn name(self) -> Name<'a> {
        self.name
    }

    /// The argument of the spawn function, one value. `None` for a scene.
    #[must_use]
    pub fn custom(self) -> Option<Values<'a>> {
        let (start, end) = self.custom?;
        let body = self.bytes.get(..end).unwrap_or_default();
        Some(Values::compact(body, start, Some(1), self.options))
    }

    /// The initial properties: those of the first synchronizer, then those of the next.
    #[must_use]
    pub const fn state(self) -> Values<'a> {
        Values::compact(self.bytes, self.state, None, self.options)
    }
}

/// Properties that are always sent (`scene_replication_interface.cpp:862`).
#[derive(Clone, Copy, Debug)]
pub struct Sync<'a> {
    bytes: &'a [u8],
    time: u16,
    options: ReadOptions,
}

impl<'a> Sync<'a> {
    pub(super) fn read(
        bytes: &'a [u8],
        mut reader: ByteReader<'a>,
        options: ReadOptions,
    ) -> Result<Sync<'a>, Error> {
        let time = reader.u16()?;
        Ok(Sync {
            bytes,
            time,
            options,
        })
    }

    /// The number of this SYNC. The receiver ignores a SYNC whose number is older than the last one.
    #[must_use]
    pub const fn time(self) -> u16 {
        self.time
    }

    /// The synchronizers in this packet, each with its properties.
    #[must_use]
    pub const fn entries(self) -> SyncEntries<'a> {
        SyncEntries {
            reader: ByteReader::new(self.bytes, 3),
            bytes: self.bytes,
            options: self.options,
            done: false,
        }
    }
}

/// The properties of one synchronizer in a [`Sync`].
#[derive(Clone, Copy, Debug)]
pub struct SyncEntry<'a> {
    net_id: u32,
    offset: usize,
    values: Values<'a>,
    size: u32,
}

/// The properties of one synchronizer in a [`Delta`].
#[derive(Clone, Copy, Debug)]
pub struct DeltaEntry<'a> {
    entry: SyncEntry<'a>,
    mask: u64,
}

impl<'a> SyncEntry<'a> {
    /// The synchronizer's id as in the packet.
    #[must_use]
    pub const fn net_id(self) -> u32 {
        self.net_id
    }

    /// The id of the synchronizer's path. `None` if a spawner made the synchronizer's node.
    #[must_use]
    pub const fn path_id(self) -> Option<u32> {
        if self.net_id & PATH_BIT == 0 {
            None
        } else {
            Some(self.net_id & !PATH_BIT)
        }
    }

    /// The values of the properties, in order.
    #[must_use]
    pub const fn values(self) -> Values<'a> {
        self.values
    }

    /// The offset in the packet at which the entry begins.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The length of the properties in bytes.
    #[must_use]
    pub const fn size(self) -> u32 {
        self.size
    }
}

impl<'a> DeltaEntry<'a> {
    /// The synchronizer's id as in the packet.
    #[must_use]
    pub const fn net_id(self) -> u32 {
        self.entry.net_id
    }

    /// The id of the synchronizer's path. `None` if a spawner made the synchronizer's node.
    #[must_use]
    pub const fn path_id(self) -> Option<u32> {
        self.entry.path_id()
    }

    /// Which of the synchronizer's watched properties are sent: bit 0 is the first one.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// The properties, in the order of the bits.
    #[must_use]
    pub const fn values(self) -> Values<'a> {
        self.entry.values
    }

    /// The offset in the packet at which the entry begins.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.entry.offset
    }

    /// The length of the properties in bytes.
    #[must_use]
    pub const fn size(self) -> u32 {
        self.entry.size
    }
}

/// An iterator over the synchronizers of a [`Sync`]. Ends after an error.
#[derive(Clone, Copy, Debug)]
pub struct SyncEntries<'a> {
    reader: ByteReader<'a>,
    bytes: &'a [u8],
    options: ReadOptions,
    done: bool,
}

impl<'a> SyncEntries<'a> {
    /// Reads the next synchronizer. Returns `Ok(None)` after the last one and after an error.
    ///
    /// # Errors
    /// Fails if the entry is cut, or its size exceeds the packet.
    pub fn try_next(&mut self) -> Result<Option<SyncEntry<'a>>, Error> {
        Ok(self.entry(false)?.map(|entry| entry.entry))
    }

    fn entry(&mut self, delta: bool) -> Result<Option<DeltaEntry<'a>>, Error> {
        if self.done || self.reader.is_done() {
            return Ok(None);
        }
        self.done = true;
        let offset = self.reader.at();
        let net_id = self.reader.u32()?;
        let mask = if delta { self.reader.u64()? } else { 0 };
        let size = self.reader.u32()?;
        let end = end_of(&self.reader, size)?;
        let body = self.bytes.get(..end).unwrap_or_default();
        let values = Values::compact(body, self.reader.at(), None, self.options);
        self.reader = ByteReader::new(self.bytes, end);
        self.done = false;
        Ok(Some(DeltaEntry {
            entry: SyncEntry {
                net_id,
                offset,
                values,
                size,
            },
            mask,
        }))
    }
}

impl<'a> Iterator for SyncEntries<'a> {
    type Item = Result<SyncEntry<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// Properties that changed (`scene_replication_interface.cpp:752`).
#[derive(Clone, Copy, Debug)]
pub struct Delta<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
}

impl<'a> Delta<'a> {
    pub(super) const fn new(bytes: &'a [u8], options: ReadOptions) -> Delta<'a> {
        Delta { bytes, options }
    }

    /// The synchronizers in this packet, each with the properties that changed.
    #[must_use]
    pub const fn entries(self) -> DeltaEntries<'a> {
        DeltaEntries(SyncEntries {
            reader: ByteReader::new(self.bytes, 1),
            bytes: self.bytes,
            options: self.options,
            done: false,
        })
    }
}

/// An iterator over the synchronizers of a [`Delta`]. Ends after an error.
#[derive(Clone, Copy, Debug)]
pub struct DeltaEntries<'a>(SyncEntries<'a>);

impl<'a> DeltaEntries<'a> {
    /// Reads the next synchronizer. Returns `Ok(None)` after the last one and after an error.
    ///
    /// # Errors
    /// Returns the errors of [`SyncEntries::try_next`].
    pub fn try_next(&mut self) -> Result<Option<DeltaEntry<'a>>, Error> {
        self.0.entry(true)
    }
}

impl<'a> Iterator for DeltaEntries<'a> {
    type Item = Result<DeltaEntry<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
