//! Reads any bytes as a packet of Godot 4. Writing a call that was read must give a packet with the same
//! meaning.

use gdvar_packet::{Arg, Encode, Value, godot4};

use super::Input;

/// Reads the bytes as a packet.
///
/// # Panics
/// If a call that was written back has another meaning, an argument of a validated packet cannot be
/// read, or an error has no message or an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let packet = match godot4::Packet::parse(input.bytes) {
        Ok(packet) => packet,
        Err(error) => return check(error, input.bytes),
    };
    if let Err(error) = packet.validate() {
        return check(error, input.bytes);
    }
    let godot4::Packet::Call(call) = packet else {
        return;
    };
    let args: Vec<Value<'_>> = call.args().map(|arg| arg.expect("validated")).collect();
    let copies: Vec<Arg<'_>> = args
        .iter()
        .map(|arg| Arg::copy(*arg).expect("validated"))
        .collect();
    let message = godot4::Message::Call {
        node: call.node(),
        method: call.method_id(),
        args: &copies,
    };
    let mut again = Vec::new();
    if let Err(error) = message.encode(&mut again) {
        // The engine reads a value without its last padding, but no writer leaves it out.
        let cut =
            |arg: &Arg<'_>| matches!(arg, Arg::Encoded(value) if value.bytes().len() % 4 != 0);
        assert!(copies.iter().any(cut), "{error}");
        return;
    }
    assert_eq!(message.size(), Ok(again.len()));
    let Ok(godot4::Packet::Call(same)) = godot4::Packet::parse(&again) else {
        panic!("{again:02x?}");
    };
    assert_eq!(
        (same.node(), same.method_id()),
        (call.node(), call.method_id())
    );
    let sames: Vec<Value<'_>> = same.args().map(|arg| arg.expect("written")).collect();
    assert_eq!(sames.len(), args.len());
    for (one, other) in args.iter().zip(&sames) {
        assert_eq!((one.kind(), one.as_i64()), (other.kind(), other.as_i64()));
    }
}

/// Checks that an error has a message, and an offset within the bytes.
pub(super) fn check(error: gdvar_packet::Error, bytes: &[u8]) {
    assert!(error.offset() <= bytes.len(), "{error}");
    assert!(!error.to_string().is_empty());
}
