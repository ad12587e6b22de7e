//! Reads any bytes as messages of a game to a debugger. The messages must be the same whether the bytes arrive as
//! a whole or in pieces, and memory must stay within the limits.

use gdvar_packet::debugger::{Content, DebuggerLimits, Session};

use super::Input;

/// Gives the bytes to a debugger session, whole and in pieces.
///
/// # Panics
/// If other messages arrive in pieces than as a whole, or more bytes are pending than the limits allow.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let limits = DebuggerLimits::default().with_message_len(1 << 12);
    let listen = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut session = Session::new().with_limits(limits);
        let mut heard = Vec::new();
        let mut failed = None;
        for piece in pieces {
            let received = session.receive(piece, |message| {
                assert_eq!(message.args.iter().count(), message.args.len());
                let error = match message.content {
                    Content::Damaged(error) => Some(error),
                    _ => None,
                };
                heard.push((message.name.to_owned(), message.args.len(), error));
            });
            failed = received.err();
            assert!(session.pending() <= limits.message_len + 16 + piece.len());
        }
        (heard, failed, session.version(), session.is_in_break())
    };
    let whole = listen(&mut std::iter::once(input.bytes));
    let size = usize::from(input.choice) + 1;
    assert_eq!(listen(&mut input.bytes.chunks(size)), whole);
}
