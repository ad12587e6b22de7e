//! Reads any bytes as a stream of WebSocket, of records or of the debugger. The messages must be the same
//! whether the bytes arrive as a whole or in pieces.

use gdvar_packet::{Direction, Engine, Message, Session, SessionLimits, Transport};

use super::Input;

/// Gives the bytes to a session, whole and in pieces.
///
/// # Panics
/// If other messages arrive in pieces than as a whole, or more bytes are pending than the limits allow.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let engine = match input.rules.strict {
        true => Engine::Godot3,
        false => Engine::Godot4,
    };
    let carrier = [
        Transport::WebSocket,
        Transport::Records,
        Transport::Debugger,
    ][usize::from(input.choice % 3)];
    let direction = match input.choice & 0x100 {
        0 => Direction::ToServer,
        _ => Direction::ToClient,
    };
    let limits = SessionLimits {
        packet_len: 1 << 12,
        ..SessionLimits::default()
    };
    let listen = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut session = Session::new(engine, carrier).with_limits(limits);
        let mut heard = Vec::new();
        for piece in pieces {
            session.receive(0, direction, piece, |item| match item.message {
                // The number of bytes after the damage depends on the bytes that arrived with it, so they are
                // not compared.
                Message::Damaged { error, .. } if item.bytes.len() > limits.packet_len => {
                    heard.push((error.kind().name(), Vec::new()));
                }
                Message::Damaged { error, .. } => heard.push((error.kind().name(), Vec::new())),
                message => heard.push((message.name(), item.bytes.to_vec())),
            });
            // At most an incomplete frame and the beginning of another one are pending.
            assert!(session.pending() <= 2 * (limits.packet_len + 8192 + piece.len()));
        }
        heard
    };
    let whole = listen(&mut std::iter::once(input.bytes));
    let size = usize::from(input.choice >> 9) + 1;
    assert_eq!(listen(&mut input.bytes.chunks(size)), whole);
}
