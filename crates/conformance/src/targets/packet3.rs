//! Reads any bytes as a packet of Godot 3, with and without its envelopes. Writing a packet that was read
//! must give the same bytes.

use gdvar_packet::{Arg, Encode, Values, godot3};

use super::{Input, packet4::check};

/// Reads the bytes as a packet.
///
/// # Panics
/// If a packet is written back as other bytes, an argument of a validated packet cannot be read, or
/// an error has no message or an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let bytes = input.bytes;
    let channel = (input.choice & 3) as u8;
    match godot3::Enveloped::enet(bytes, channel) {
        Ok(enveloped) => {
            let mut again = Vec::new();
            enveloped.encode(&mut again).expect("into memory");
            assert_eq!(again, bytes);
        }
        Err(error) => check(error, bytes),
    }
    if let Err(error) = godot3::Enveloped::websocket(bytes) {
        check(error, bytes);
    }
    let packet = match godot3::Packet::parse(bytes) {
        Ok(packet) => packet,
        Err(error) => return check(error, bytes),
    };
    if let Err(error) = packet.validate() {
        return check(error, bytes);
    }
    let args = |values: Values<'_>| -> usize {
        let mut count = 0;
        for value in values {
            let copy = Arg::copy(value.expect("validated"));
            count += usize::from(copy.is_ok());
        }
        count
    };
    let message = match packet {
        godot3::Packet::Call(call) => {
            return assert_eq!(call.args().announced(), Some(args(call.args()) as u32));
        }
        godot3::Packet::Set(call) => return assert_eq!(args(call.args()), 1),
        godot3::Packet::SimplifyPath { id, path } => godot3::Message::SimplifyPath { id, path },
        godot3::Packet::ConfirmPath { path } => godot3::Message::ConfirmPath { path },
        godot3::Packet::Raw(bytes) => godot3::Message::Raw(bytes),
    };
    let mut again = Vec::new();
    message.encode(&mut again).expect("it was read");
    assert_eq!(again, bytes);
}
