//! Sends any bytes between a client and a server. Unchanged packets must be passed on unchanged, changed ones
//! must keep their numbers and fit into datagrams, and a removed value must not be in any packet that is
//! passed on.

use gdvar_packet::{
    Direction, Engine, Filter, Forwarded, Message, PacketEdit, PacketEditor, Session, SessionEvent,
    Transport, TransportInfo,
    enet::{self, Compression, Datagram, Unpacker},
};

use super::{Input, enet::LIMITS};

/// The number of bytes by which a datagram may be longer than the longest that arrived: its header may have a
/// time.
const HEADER: usize = 4;

/// The treatment of packets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Keep,
    Resize,
    Edit,
    Drop,
}

struct Conversation {
    engine: Engine,
    carrier: Transport,
    compression: Compression,
}

impl Conversation {
    fn session(&self) -> Session {
        Session::new(self.engine, self.carrier)
            .with_limits(LIMITS)
            .with_compression(self.compression)
    }

    /// Returns the number, channel and sequence of each command of a datagram. Commands before a damaged one
    /// are valid.
    fn commands(&self, bytes: &[u8]) -> Vec<(u8, u8, u16)> {
        let Ok(datagram) = Datagram::parse(bytes) else {
            return Vec::new();
        };
        let mut unpacker = Unpacker::new();
        let body = unpacker.body(datagram, &mut self.compression.into());
        let body = body.unwrap_or_default();
        enet::commands(body)
            .map_while(Result::ok)
            .map(|command| (command.number(), command.channel, command.sequence))
            .collect()
    }
}

fn editor() -> PacketEditor {
    let filter = |text| Filter::parse(text).expect("a filter");
    PacketEditor::new()
        .drop_packets(filter("method == 1 and args[0] > 3"))
        .redact(filter("size >= 0"), "args[0]")
        .and_then(|editor| editor.redact(filter("size >= 0"), "properties[0]"))
        .expect("arguments")
        .zero_node_paths()
}

/// Sends the bytes as pieces of a conversation.
///
/// # Panics
/// If an unchanged packet is changed, a changed packet does not fit into a datagram, or a removed
/// value is passed on.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let choice = usize::from(input.choice);
    let conversation = Conversation {
        engine: match input.rules.strict {
            true => Engine::Godot3,
            false => Engine::Godot4,
        },
        carrier: match choice & 7 {
            0..=3 => Transport::Enet,
            4 => Transport::WebSocket,
            5 => Transport::Values,
            6 => Transport::Records,
            _ => Transport::Debugger,
        },
        compression: Compression::ALL[choice >> 5 & 3],
    };
    let mode = [Mode::Keep, Mode::Resize, Mode::Edit, Mode::Drop][choice >> 3 & 3];
    // Each datagram or piece of a stream has a length prefix.
    let mut pieces = Vec::new();
    let mut rest = input.bytes;
    while let Some((len, behind)) = rest.split_first_chunk() {
        let len = usize::from(u16::from_le_bytes(*len)).min(behind.len());
        let (piece, behind) = behind.split_at(len);
        let direction = match input.choice.rotate_right(7 + pieces.len() as u32) & 1 {
            0 => Direction::ToServer,
            _ => Direction::ToClient,
        };
        pieces.push((direction, piece));
        rest = behind;
    }
    between(&conversation, mode, choice, &pieces);
}

fn between(conversation: &Conversation, mode: Mode, choice: usize, pieces: &[(Direction, &[u8])]) {
    let is_enet = conversation.carrier == Transport::Enet;
    let is_stream = !matches!(conversation.carrier, Transport::Enet | Transport::Values);
    let commands = |bytes: &[u8]| conversation.commands(bytes);
    let in_pieces = { pieces.iter().flat_map(|(_, bytes)| commands(bytes)) }
        .any(|(number, ..)| matches!(number, 8 | 12));
    let (mut session, mut onward) = (conversation.session(), Forwarded::new());
    let (mut editor, mut again) = (editor(), editor());
    let (mut first, mut second) = (conversation.session(), conversation.session());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut longest = enet::MAX_DATAGRAM;
    for &(direction, bytes) in pieces {
        longest = longest.max(bytes.len());
        let (mut too_long, mut refused) = (0, false);
        session.rewrite(0, direction, bytes, &mut onward, |item, out| {
            let is_packet = !matches!(
                item.message,
                Message::Enet(_) | Message::WebSocket(_) | Message::Http | Message::Damaged { .. }
            );
            if mode == Mode::Keep || !is_packet || !item.is_editable() {
                refused |= is_packet;
                return PacketEdit::Unchanged;
            }
            match mode {
                Mode::Resize => {
                    out.clear();
                    out.resize((item.bytes.len() * (choice >> 6) + choice) % 9000, 0x55);
                    too_long += usize::from(out.len() > item.max_len());
                    PacketEdit::Rewritten
                }
                Mode::Edit => editor.edit(&item, None, out).unwrap_or_else(|_| {
                    refused = true;
                    PacketEdit::Unchanged
                }),
                Mode::Keep | Mode::Drop => PacketEdit::Dropped,
            }
        });
        assert_eq!(onward.too_long(), too_long);
        assert!(session.pending() <= 2 * (LIMITS.fragmented + 2) * (LIMITS.packet_len + (1 << 16)));
        let out: Vec<&[u8]> = onward.pieces().collect();
        if is_enet {
            assert!(out.iter().all(|piece| piece.len() <= longest + HEADER));
        }
        if is_enet && !in_pieces {
            let reliable =
                |all: Vec<(u8, u8, u16)>| all.into_iter().filter(|(number, ..)| *number == 6);
            assert!(
                out.iter()
                    .flat_map(|piece| reliable(commands(piece)))
                    .eq(reliable(commands(bytes))),
                "a number is missing"
            );
        }
        if mode == Mode::Keep && !is_stream && !in_pieces {
            assert_eq!(out, [bytes]);
        }
        if mode == Mode::Keep && is_stream {
            first.receive(0, direction, bytes, |item| before.extend(heard(&item)));
            for piece in &out {
                second.receive(0, direction, piece, |item| after.extend(heard(&item)));
            }
        }
        if mode == Mode::Edit && !refused {
            let mut fresh = conversation.session();
            let listener = if is_stream { &mut second } else { &mut fresh };
            let mut buffer = Vec::new();
            for piece in &out {
                listener.receive(0, direction, piece, |item| {
                    match again.edit(&item, None, &mut buffer) {
                        Ok(PacketEdit::Unchanged) | Err(_) => {}
                        Ok(PacketEdit::Rewritten) => assert_eq!(buffer, item.bytes, "{item:?}"),
                        Ok(edit) => panic!("it was to be {edit:?}: {item:?}"),
                    }
                });
            }
        } else if mode == Mode::Edit && is_stream {
            return;
        }
    }
    assert_eq!(before, after);
}

/// Returns a message, or `None` if it is damaged. The length of a damaged message depends on the bytes that
/// arrived with it.
fn heard(item: &SessionEvent<'_>) -> Option<(&'static str, Vec<u8>)> {
    let is_damaged = matches!(item.message, Message::Damaged { .. });
    debug_assert!(!matches!(item.transport, TransportInfo::Enet { .. }));
    (!is_damaged).then(|| (item.message.name(), item.bytes.to_vec()))
}
