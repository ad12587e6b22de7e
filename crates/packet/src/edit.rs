//! [`PacketEditor`]: packets rewritten on their way.

mod replication;

use alloc::{boxed::Box, vec::Vec};

use gdvar_view::{Document, Event, Kind, VariantRef};
use gdvar_write::Target;

use crate::{
    Arg, Content, Error, Filter, FilterError, Item, Message, PacketErrorKind, Value, Values,
    filter::ArgPath,
    godot3, godot4,
    session::{parse3, parse4},
};

/// Rules for packets that somebody hands on: values replaced, secrets hidden, packets dropped, and the
/// memory that Godot 3 leaks set to zero.
///
/// ```
/// use gdvar_packet::{
///     Arg, Carrier, Direction, Edit, Engine, Filter, PacketEditor, Session, gdvar_write::Target,
/// };
///
/// let hits = Filter::parse("command == \"CALL\" and args[0] > 50")?;
/// let mut editor = PacketEditor::new().replace(hits, "args[0]", Arg::from(1), Target::GODOT_4)?;
///
/// let mut session = Session::new(Engine::Godot4, Carrier::Enet);
/// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x64";
/// let mut out = Vec::new();
/// session.receive(0, Direction::ToServer, datagram, |item| {
///     assert_eq!(editor.edit(&item, None, &mut out), Ok(Edit::Rewritten));
/// });
/// assert_eq!(out, b"\0\x03\x01\x01\x02\x01");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PacketEditor {
    rules: Vec<Rule>,
    zero_node_paths: bool,
    /// The packet that one rule makes of another.
    next: Vec<u8>,
    /// The value that takes another's place.
    value: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Rule {
    filter: Filter,
    action: Action,
}

#[derive(Clone, Debug)]
enum Action {
    Drop,
    /// The new value in ordinary bytes.
    Replace(ArgPath, Box<[u8]>),
    Redact(ArgPath),
}

/// The fate of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Nothing: hand on [`Item::bytes`].
    Unchanged,
    /// The bytes in the buffer take the place of [`Item::bytes`].
    Rewritten,
    /// It is to be dropped. ENet's receiver waits for a reliable packet for ever: [`Session::rewrite`](crate::Session::rewrite)
    /// sends one that does nothing in its place, [`godot4::IGNORED`] or [`godot3::ignored`].
    Dropped,
}

impl PacketEditor {
    /// Without rules.
    #[must_use]
    pub fn new() -> PacketEditor {
        PacketEditor::default()
    }

    /// Drops those packets.
    #[must_use]
    pub fn drop_packets(self, filter: Filter) -> PacketEditor {
        self.with(filter, Action::Drop)
    }

    /// Replaces an argument of those calls, or a value in it: `args[0]`, `args[1].position`; or a property that a
    /// SPAWN, SYNC or DELTA brings, of each synchronizer in it: `properties[0]`. Packets that have
    /// none there stay as they are. The value is written for the target, which should be the engine that
    /// talks.
    ///
    /// # Errors
    /// If the text names no argument; a value that the target does not have counts as that, too.
    pub fn replace(
        self,
        filter: Filter,
        arg: &str,
        value: Arg<'_>,
        target: Target,
    ) -> Result<PacketEditor, FilterError> {
        let arg = ArgPath::parse(arg)?;
        let mut bytes = Vec::new();
        if value.write_ordinary(&mut bytes, target).is_err() {
            return Err(FilterError {
                offset: 0,
                expected: "a value that the engine has",
            });
        }
        Ok(self.with(filter, Action::Replace(arg, bytes.into())))
    }

    /// Replaces an argument of those calls, or a value in it, by nothing of the same type: zero, an empty
    /// text, an empty array of the same element type.
    ///
    /// # Errors
    /// If the text names no argument.
    pub fn redact(self, filter: Filter, arg: &str) -> Result<PacketEditor, FilterError> {
        let arg = ArgPath::parse(arg)?;
        Ok(self.with(filter, Action::Redact(arg)))
    }

    /// Sets the padding in NodePaths to zero. Godot 3.2 and 3.6 send whatever was in memory there.
    #[must_use]
    pub fn zero_node_paths(mut self) -> PacketEditor {
        self.zero_node_paths = true;
        self
    }

    fn with(mut self, filter: Filter, action: Action) -> PacketEditor {
        self.rules.push(Rule { filter, action });
        self
    }

    /// Applies the rules in their order. Filters look at the packet as it came; `method` is as for
    /// [`Filter::judge`], and should be the name that the receiver goes by: `Names::executed`. A rewritten packet goes into `out`, which is cleared before: the whole
    /// of [`Item::bytes`], with relay or envelope. Its memory and the editor's own are used again.
    ///
    /// # Errors
    /// If the packet cannot be read, before or after, or would be longer than its carrier can hand on
    /// ([`Item::max_len`]); and [`Unclear`](PacketErrorKind::Unclear) if nobody can tell whether a rule is for it. Such a
    /// packet is not rewritten: whoever hides something should drop it.
    pub fn edit(
        &mut self,
        item: &Item<'_>,
        method: Option<&str>,
        out: &mut Vec<u8>,
    ) -> Result<Edit, Error> {
        out.clear();
        let start = item.packet_start();
        let mut is_rewritten = false;
        let is_damaged = matches!(item.message, Message::Damaged { .. });
        let mut unclear = None;
        for rule in &self.rules {
            let hides = !matches!(rule.action, Action::Replace(..));
            match rule.filter.judge(item, method) {
                Some(false) => continue,
                // What is to be taken out of a damaged packet may be anywhere in it.
                Some(true) if !is_damaged || matches!(rule.action, Action::Drop) => {}
                _ => {
                    unclear = Some(hides || unclear == Some(true));
                    continue;
                }
            }
            let (path, new) = match &rule.action {
                Action::Drop => return Ok(Edit::Dropped),
                Action::Replace(path, new) => (path, Some(&**new)),
                Action::Redact(path) => (path, None),
            };
            let bytes = if is_rewritten { &out[..] } else { item.bytes };
            let (envelope, packet) = bytes.split_at(start);
            self.next.clear();
            self.next.extend_from_slice(envelope);
            if rewrite(item, packet, path, new, &mut self.value, &mut self.next)? {
                core::mem::swap(out, &mut self.next);
                is_rewritten = true;
            }
        }
        if self.zero_node_paths && is_damaged {
            unclear = Some(true);
        }
        match unclear {
            Some(hides) if hides || !is_rewritten => {
                return Err(Error::new(0, PacketErrorKind::Unclear { hides }));
            }
            _ => {}
        }
        if self.zero_node_paths {
            is_rewritten |= zero_padding(item, start, is_rewritten, out)?;
        }
        let most = item.max_len();
        if is_rewritten && out.len() > most {
            let (len, most) = (out.len() as u32, most as u32);
            return Err(Error::new(0, PacketErrorKind::TooLong { len, most }));
        }
        Ok(if is_rewritten {
            Edit::Rewritten
        } else {
            Edit::Unchanged
        })
    }
}

/// The arguments of a packet of the item's kind.
fn args<'a>(item: &Item<'_>, packet: &'a [u8]) -> Result<Option<Values<'a>>, Error> {
    Ok(match item.message {
        Message::Godot4(_) => match parse4(packet)? {
            godot4::Packet::Call(call) => Some(call.args()),
            _ => None,
        },
        Message::Godot3(_) => match parse3(packet)? {
            godot3::Packet::Call(call) | godot3::Packet::Set(call) => Some(call.args()),
            _ => None,
        },
        _ => None,
    })
}

/// Appends the packet with another value at a path; whether there is one.
fn rewrite(
    item: &Item<'_>,
    packet: &[u8],
    path: &ArgPath,
    new: Option<&[u8]>,
    value: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<bool, Error> {
    if path.is_property {
        let Message::Godot4(_) = item.message else {
            return Ok(false);
        };
        return replication::rewrite(packet, path, new, value, out);
    }
    let Some(values) = args(item, packet)? else {
        return Ok(false);
    };
    let mut head = packet.first().copied().unwrap_or_default();
    let is_godot4 = matches!(item.message, Message::Godot4(_));
    let Some((from, len)) = new_value(values, is_godot4, path, new, &mut head, value)? else {
        return Ok(false);
    };
    let (before, behind) = (&packet[..from], &packet[from + len..]);
    let first = out.len();
    out.extend_from_slice(before);
    out.extend_from_slice(value);
    out.extend_from_slice(behind);
    out[first] = head;
    move_path(item, packet, value.len(), len, &mut out[first..]);
    // The result must be a packet, too: lengths may be beyond what fields can hold.
    if let Some(args) = args(item, &out[first..])? {
        args.validate()?;
    }
    Ok(true)
}

/// Makes the new value; where the old one begins and how long it is, if there is one.
fn new_value(
    values: Values<'_>,
    is_godot4: bool,
    path: &ArgPath,
    new: Option<&[u8]>,
    head: &mut u8,
    value: &mut Vec<u8>,
) -> Result<Option<(usize, usize)>, Error> {
    let Some(old) = values.into_iter().nth(path.arg).transpose()? else {
        return Ok(None);
    };
    value.clear();
    if path.steps.is_empty() {
        whole(is_godot4, old, new, head, value)?;
        return Ok(Some((old.offset(), old.size())));
    }
    let at = |error| Error::value(old.offset(), error);
    let Content::Variant(variant) = old.content() else {
        return Ok(None);
    };
    let Some(found) = path.steps.walk(variant).map_err(at)? else {
        return Ok(None);
    };
    match new {
        Some(new) => value.extend_from_slice(new),
        None => nothing_like(found, value).map_err(at)?,
    }
    let end = found.end().map_err(at)?;
    Ok(Some((old.offset() + found.offset(), end - found.offset())))
}

/// The bytes of a whole argument.
fn whole(
    is_godot4: bool,
    old: Value<'_>,
    new: Option<&[u8]>,
    head: &mut u8,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let new = match (new, old.content()) {
        (Some(new), _) => {
            let dialect = match is_godot4 {
                true => gdvar_view::Dialect::GODOT_4,
                false => gdvar_view::Dialect::GODOT_3,
            };
            Arg::encoded(new, dialect)?
        }
        (None, Content::Bool(_)) => Arg::Bool(false),
        (None, Content::Int(_)) => Arg::Int(0),
        (None, Content::Bytes(_)) => Arg::Bytes(&[]),
        (None, Content::Variant(value)) => {
            return nothing_like(value, out).map_err(|error| Error::value(old.offset(), error));
        }
    };
    if matches!(old.content(), Content::Bytes(_)) {
        // The short form without a count is for nothing but a PackedByteArray.
        *head &= !godot4::RAW_CALL;
        out.push(1);
    }
    let written = match is_godot4 {
        true => new.write_compact(out),
        false => new.write_ordinary(out, Target::GODOT_3),
    };
    debug_assert!(written.is_ok(), "it was written before");
    Ok(())
}

/// Mends the place of a path that stands at the end of a call.
fn move_path(item: &Item<'_>, packet: &[u8], new: usize, old: usize, out: &mut [u8]) {
    let has_word = match item.message {
        Message::Godot4(_) => packet[0] >> godot4::NODE_SIZE_SHIFT & 3 == 2,
        _ => true,
    };
    if !has_word {
        return;
    }
    let Some(word) = out.get_mut(1..5).and_then(|word| word.first_chunk_mut()) else {
        return;
    };
    let place = u32::from_le_bytes(*word);
    if place & godot4::PATH_BIT != 0 {
        *word = place
            .wrapping_add(new as u32)
            .wrapping_sub(old as u32)
            .to_le_bytes();
    }
}

/// Appends a value of the same type with nothing in it.
fn nothing_like(value: VariantRef<'_>, out: &mut Vec<u8>) -> Result<(), gdvar_view::Error> {
    let raw = value.raw()?;
    let header = raw.get(..4).unwrap_or_default();
    match value.kind() {
        Kind::String | Kind::StringName => out.extend([header, &[0; 4]].concat()),
        Kind::NodePath => {
            out.extend_from_slice(header);
            // No names, in the format that all engines but Godot 2 write.
            out.extend([0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0]);
        }
        Kind::Array | Kind::Dictionary => {
            let first = match value.as_array() {
                Some(array) => array.iter().try_next()?,
                None => match value.as_dict() {
                    Some(dict) => dict.iter().try_next()?.map(|(key, _)| key),
                    None => None,
                },
            };
            // The count stands before the first child, behind the types of elements.
            let end = first.map_or(raw.len(), |first| first.offset() - value.offset());
            out.extend_from_slice(&raw[..end - 4]);
            out.extend([0; 4]);
        }
        kind if kind.is_packed() => out.extend([header, &[0; 4]].concat()),
        Kind::Object | Kind::Callable | Kind::Signal => out.extend([0; 4]),
        _ => {
            out.extend_from_slice(header);
            out.resize(out.len() + raw.len() - header.len(), 0);
        }
    }
    Ok(())
}

/// Sets the padding in all NodePaths of a packet to zero; whether some was not.
fn zero_padding(
    item: &Item<'_>,
    start: usize,
    mut is_rewritten: bool,
    out: &mut Vec<u8>,
) -> Result<bool, Error> {
    let mut found = false;
    let mut places = Vec::new();
    {
        let bytes = if is_rewritten { &out[..] } else { item.bytes };
        if let Message::Value(value) = item.message {
            padding(bytes, 0, value, &mut places)?;
        } else if let Some(args) = args(item, &bytes[start..])? {
            for arg in args {
                let arg = arg?;
                if let Content::Variant(value) = arg.content() {
                    padding(bytes, start + arg.offset(), value, &mut places)?;
                }
            }
        }
    }
    for (from, to) in places {
        if !is_rewritten {
            out.extend_from_slice(item.bytes);
            is_rewritten = true;
        }
        out[from..to].fill(0);
        found = true;
    }
    Ok(found)
}

/// The padding in NodePaths of a value that is not zero: where it begins and ends in `bytes`.
fn padding(
    bytes: &[u8],
    start: usize,
    value: VariantRef<'_>,
    places: &mut Vec<(usize, usize)>,
) -> Result<(), Error> {
    let at = |error| Error::value(start, error);
    let mut events = Document::with_options(&bytes[start..], value.options()).events();
    while let Some(event) = events.try_next().map_err(at)? {
        let Event::Value(value) = event else {
            continue;
        };
        let Some(path) = value
            .as_node_path()
            .filter(|path| path.old_text().is_none())
        else {
            continue;
        };
        // Behind the header and three words: each name its length, its bytes, and padding to four.
        let mut place = start + value.offset() + 16;
        for name in path.parts() {
            let len = name.map_err(at)?.raw().len();
            let end = place + 4 + len;
            place = place + 4 + len.next_multiple_of(4);
            if bytes
                .get(end..place)
                .is_some_and(|pad| pad.iter().any(|&byte| byte != 0))
            {
                places.push((end, place));
            }
        }
    }
    Ok(())
}
