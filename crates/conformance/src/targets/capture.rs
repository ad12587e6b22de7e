//! Reads any bytes as a capture of tcpdump and as a packet of any link type.

use std::time::Duration;

use gdvar_packet::{
    Engine, SessionEvent, Transport,
    capture::{Captured, Defragmenter, EventOrigin, LinkType, Listener, Reader},
};

use super::Input;

/// Gives the bytes to a listener as a capture and as packets.
///
/// # Panics
/// If a reader returns more bytes than the input has, a message has no name, or the memory of a
/// listener exceeds its limits.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let carriers = [
        Transport::Enet,
        Transport::WebSocket,
        Transport::Values,
        Transport::Records,
        Transport::Debugger,
    ];
    let carrier = carriers[usize::from(input.choice) % carriers.len()];
    let mut listener = Listener::new(Engine::Godot4, carrier);
    let named = |_: EventOrigin, item: SessionEvent<'_>| assert!(!item.message.name().is_empty());
    let mut fragments = Defragmenter::new();
    for link_type in [0, 1, 101, 108, 113, 228, 276, -1] {
        let packet = Captured {
            time: Duration::ZERO,
            link_type: LinkType(link_type),
            wire_len: input.bytes.len() as u32,
            data: input.bytes,
        };
        if let Ok(Some(segment)) = fragments.find(&packet) {
            let _ = listener.receive(Duration::ZERO, segment, named);
        }
    }
    let Ok(mut reader) = Reader::new(input.bytes) else {
        return;
    };
    let mut packets = 0;
    while let Ok(Some(packet)) = reader.try_next() {
        assert!(packet.data.len() <= input.bytes.len());
        packets += 1;
        if let Ok(Some(segment)) = fragments.find(&packet) {
            let _ = listener.receive(packet.time, segment, named);
        }
    }
    listener.finish(named);
    assert!(fragments.unread() <= packets + 8);
    assert!(listener.servers().count() <= 64);
}
