//! Any bytes as a capture of tcpdump, and as a packet of any link type.

use std::time::Duration;

use gdvar_packet::{
    Carrier, Engine,
    capture::{LinkType, Listener, Reader, Segment},
};

use super::Input;

/// # Panics
/// If a promise is broken.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let carriers = [
        Carrier::Enet,
        Carrier::WebSocket,
        Carrier::Values,
        Carrier::Records,
        Carrier::Debugger,
    ];
    let carrier = carriers[usize::from(input.choice) % carriers.len()];
    let mut listener = Listener::new(Engine::Godot4, carrier);
    for link_type in [0, 1, 101, 108, 113, 228, 276, -1] {
        if let Some(segment) = Segment::find(LinkType(link_type), input.bytes) {
            listener.receive(Duration::ZERO, segment, |_, item| {
                assert!(!item.message.name().is_empty());
            });
        }
    }
    let Ok(mut reader) = Reader::new(input.bytes) else {
        return;
    };
    while let Ok(Some(packet)) = reader.try_next() {
        assert!(packet.data.len() <= input.bytes.len());
        if let Some(segment) = Segment::find(packet.link_type, packet.data) {
            listener.receive(packet.time, segment, |_, item| {
                assert!(!item.message.name().is_empty());
            });
        }
    }
    assert!(listener.servers().count() <= 64);
}
