//! A logger for `PacketPeerUDP.put_var` packets: one line each, with the value or with what is
//! wrong.
//!
//! `cargo run --release -p gdvar-io --example packet_log -- godot4 7001`
//!
//! A third argument is the number of packets after which it ends.

use std::{env, error::Error, net::UdpSocket};

use gdvar_text::{LineOptions, write_line};
use gdvar_view::{Dialect, Document};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let dialect: Dialect = arguments.next().as_deref().unwrap_or("godot4").parse()?;
    let port: u16 = arguments.next().map_or(Ok(0), |port| port.parse())?;
    let most: usize = arguments
        .next()
        .map_or(Ok(usize::MAX), |count| count.parse())?;
    let socket = UdpSocket::bind(("127.0.0.1", port))?;
    eprintln!("udp={}", socket.local_addr()?.port());
    // Both are reused for every packet.
    let (mut buffer, mut line) = (vec![0; 65536], String::new());
    for _ in 0..most {
        let (len, peer) = socket.recv_from(&mut buffer)?;
        line.clear();
        let packet = Document::new(&buffer[..len], dialect);
        match packet.validate().and_then(|_| packet.root()) {
            Ok(value) => write_line(&mut line, value, LineOptions::new().with_max_children(8))?,
            Err(error) => line = format!("refused: {error}"),
        }
        println!("{peer} {len:>6} {line}");
    }
    Ok(())
}
