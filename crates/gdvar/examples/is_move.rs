//! Decides about packets by their first argument: nothing after it is read, and nothing is
//! allocated.
//!
//! `cargo run --release --example is_move`

use gdvar::{Dialect, Document, variant};

/// Returns `true` if a packet is an Array that begins with the text `move`.
fn is_move(packet: &[u8]) -> bool {
    let Ok(root) = Document::new(packet, Dialect::GODOT_4).root() else {
        return false;
    };
    let first = root
        .as_array()
        .and_then(|arguments| arguments.iter().next());
    matches!(first, Some(Ok(name)) if name.as_text().is_some_and(|text| text == *"move"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let step = variant!(["move", 7, 1.5]).to_vec(Dialect::GODOT_4)?;
    let chat = variant!(["chat", "hello"]).to_vec(Dialect::GODOT_4)?;
    // Cut in the middle of the second argument: still a move, because nothing after the name is
    // read.
    for packet in [&step[..], &chat[..], &step[..24], &[0xff; 12]] {
        println!("{} bytes: {}", packet.len(), is_move(packet));
    }
    assert!(is_move(&step) && !is_move(&chat) && !is_move(&[0xff; 12]));
    Ok(())
}
