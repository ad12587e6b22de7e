//! The sender: sends packets as fast as the system accepts them.

use std::{
    io::{self, BufWriter, Write},
    net::{TcpStream, UdpSocket},
    time::{Duration, Instant},
};

use crate::packets::{GOOD, class, packets};

const SEED: u64 = 0x5eed_0fac_0ffe_e001;

/// Counts one more packet of its class.
fn count(packet: &[u8], counts: &mut [u64]) {
    if let Some(count) = counts.get_mut(class(packet)) {
        *count += 1;
    }
}

fn say(counts: &[u64]) {
    let words: Vec<String> = counts.iter().map(u64::to_string).collect();
    println!("{}", words.join(" "));
}

/// Sends datagrams, one per packet.
pub(crate) fn udp(address: &str, time: Duration) -> io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.connect(address)?;
    let packets = packets(SEED);
    let mut counts = [0; 3];
    let start = Instant::now();
    while start.elapsed() < time {
        for packet in &packets {
            // A packet that the system refuses is not counted.
            if socket.send(packet).is_ok() {
                count(packet, &mut counts);
            }
        }
    }
    say(&counts);
    Ok(())
}

/// Opens connections, and sends a few thousand packets with length prefixes in each. Ends the connections
/// in three ways in turn.
pub(crate) fn tcp(address: &str, time: Duration) -> io::Result<()> {
    let packets = packets(SEED);
    let mut counts = [0; 6];
    let start = Instant::now();
    for round in 0.. {
        if start.elapsed() >= time {
            break;
        }
        let mut stream = BufWriter::with_capacity(1 << 16, TcpStream::connect(address)?);
        for packet in &packets {
            stream.write_all(&(packet.len() as u32).to_le_bytes())?;
            stream.write_all(packet)?;
            count(packet, &mut counts);
        }
        let end = round % 3;
        match end {
            // Ends cleanly.
            0 => {}
            // Ends inside a packet that is good so far.
            1 => stream.write_all(&[100, 0, 0, 0, GOOD, 2, 0, 0])?,
            // Ends with a length that no value has, and further bytes.
            _ => stream.write_all(&[0xff; 64])?,
        }
        if let Some(count) = counts.get_mut(3 + end) {
            *count += 1;
        }
        stream.flush()?;
    }
    // The last connection sends nothing.
    TcpStream::connect(address)?;
    say(&counts);
    Ok(())
}
