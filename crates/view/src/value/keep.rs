//! [`keep`]: keeps parts of a packet alive without a copy (feature `bytes`).

use bytes::Bytes;

/// Returns `part`, which was borrowed from `packet`, as a [`Bytes`] that shares the packet's memory. So a
/// value, a text or the elements of a packed array can outlive the borrow. This takes O(1) and copies nothing.
/// The whole packet stays in memory as long as one part of it is kept.
///
/// `None` if `part` is not inside `packet`. An empty part always gives an empty `Bytes`.
///
/// ```
/// use bytes::Bytes;
/// use gdvar_view::{Dialect, Document, keep};
///
/// // {"name": "Ann", "hp": 7}
/// let packet = Bytes::from_static(
///     b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0name\x04\0\0\0\x03\0\0\0Ann\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0",
/// );
/// let root = Document::new(&packet, Dialect::GODOT_4).root()?;
/// let save = root.as_dict().unwrap();
///
/// // A text.
/// let name = save.get("name")?.unwrap().as_text().unwrap();
/// let name: Bytes = keep(&packet, name.as_bytes()).unwrap();
/// // A whole value, to be read again later. Its offsets count from its own start.
/// let hp: Bytes = keep(&packet, save.get("hp")?.unwrap().raw()?).unwrap();
///
/// drop(packet);
/// assert_eq!(name, "Ann");
/// assert_eq!(Document::new(&hp, Dialect::GODOT_4).root()?.as_i64(), Some(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn keep(packet: &Bytes, part: &[u8]) -> Option<Bytes> {
    if part.is_empty() {
        return Some(Bytes::new());
    }
    // `Bytes::slice_ref` does the same, but panics if somebody passes the wrong packet.
    let start = part.as_ptr().addr().checked_sub(packet.as_ptr().addr())?;
    let end = start.checked_add(part.len())?;
    (end <= packet.len()).then(|| packet.slice(start..end))
}
