//! Reads any text as a filter, and applies it to every packet of a small conversation. Any bytes are used
//! as this conversation.

use gdvar_packet::{
    Arg, Direction, Engine, Filter, PacketEdit, PacketEditor, Session, Transport,
    gdvar_write::Target,
};

use super::Input;

/// Splits the bytes into a filter and a conversation.
///
/// # Panics
/// If the error of a filter has no message or an offset past the end, or a packet that was edited
/// is empty.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let len = usize::from(input.choice).min(input.bytes.len());
    let (text, packet) = input.bytes.split_at(len);
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let filter = match Filter::parse(text) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(error.offset <= text.len() && !error.to_string().is_empty());
            return;
        }
    };
    let mut editor = PacketEditor::new()
        .replace(filter.clone(), "args[0]", Arg::from("new"), Target::GODOT_4)
        .and_then(|editor| editor.redact(filter.clone(), "args[1][0].id"))
        .expect("arguments")
        .zero_node_paths();
    let mut session = Session::new(Engine::Godot4, Transport::WebSocket);
    let mut stream = b"HTTP/1.1 101\r\n\r\n\x82\x7e".to_vec();
    stream.extend((packet.len() as u16).to_be_bytes());
    stream.extend(packet);
    let mut out = Vec::new();
    session.receive(0, Direction::ToServer, &stream, |item| {
        let _ = filter.matches(&item, Some("hit"));
        if editor.edit(&item, None, &mut out) == Ok(PacketEdit::Rewritten) {
            assert!(!out.is_empty());
        }
    });
}
