//! A test of a server under attack. It receives good, truncated and hostile packets at full rate from a
//! sender process, and must judge each packet correctly without using more and more memory. `scripts/measure/soak`
//! runs it.
//!
//! ```text
//! soak udp SECONDS      soak tcp SECONDS
//! ```
//!
//! The sender marks each packet as good or bad: it knows this from the engines' vectors, and from how it damaged
//! the packet. The receiver decides from the bytes alone, and then compares its verdict with the mark.

mod packets;
mod receive;
mod send;

use std::{
    env,
    io::{self, Write},
    net::{TcpListener, UdpSocket},
    process::{Child, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use receive::{Counts, Receiver};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["send-udp", address, seconds] => send::udp(address, duration(seconds)).map(|()| true),
        ["send-tcp", address, seconds] => send::tcp(address, duration(seconds)).map(|()| true),
        ["udp", seconds] => udp(duration(seconds)),
        ["tcp", seconds] => tcp(duration(seconds)),
        _ => Err(io::Error::other("the words are: udp SECONDS, tcp SECONDS")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn duration(seconds: &str) -> Duration {
    Duration::from_secs(seconds.parse().unwrap_or(10))
}

/// Starts this program again as the sender.
fn sender(how: &str, address: &str, time: Duration) -> io::Result<Child> {
    Command::new(env::current_exe()?)
        .args([how, address, &time.as_secs().to_string()])
        .stdout(Stdio::piped())
        .spawn()
}

/// Reads the sender's own counts: packets of each class, and connections by the way they ended.
fn sender_counts(child: Child) -> io::Result<Vec<u64>> {
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(io::Error::other("the sender failed"));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect())
}

fn udp(time: Duration) -> io::Result<bool> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(Duration::from_secs(2)))?;
    let child = sender("send-udp", &socket.local_addr()?.to_string(), time)?;
    let mut receiver = Receiver::default();
    let mut buffer = vec![0; 1 << 16];
    let start = Instant::now();
    // After two seconds of silence the sender has finished.
    while let Ok(size) = socket.recv(&mut buffer) {
        receiver.warm(start, time);
        receiver.packet(buffer.get(..size).unwrap_or_default());
    }
    let elapsed = start.elapsed().saturating_sub(Duration::from_secs(2));
    let sent = sender_counts(child)?;
    let seen = receiver.counts;
    let total: u64 = sent.iter().sum();
    println!(
        "udp: sent {total}, received {}, dropped by the system {}",
        seen.packets,
        total.saturating_sub(seen.packets)
    );
    let counted = seen
        .classes
        .iter()
        .zip(&sent)
        .all(|(seen, sent)| seen <= sent);
    Ok(receiver.report("udp", elapsed) && counted && seen.packets > 0)
}

fn tcp(time: Duration) -> io::Result<bool> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let child = sender("send-tcp", &listener.local_addr()?.to_string(), time)?;
    let mut receiver = Receiver::default();
    let start = Instant::now();
    loop {
        let (stream, _) = listener.accept()?;
        // A connection that closes at once is the last.
        if !receiver.connection(stream, start, time)? {
            break;
        }
    }
    let elapsed = start.elapsed();
    let sent = sender_counts(child)?;
    let Counts { classes, ends, .. } = receiver.counts;
    let received = [classes, ends].concat();
    println!(
        "tcp: sent {} packets in {} connections: {} ended clean, {} in a packet, {} with a lie about a \
         length",
        sent.iter().take(3).sum::<u64>(),
        ends.iter().sum::<u64>(),
        ends[0],
        ends[1],
        ends[2]
    );
    let exact = received == sent;
    if !exact {
        println!("tcp: WRONG: received {received:?}, sent {sent:?}");
    }
    Ok(receiver.report("tcp", elapsed) && exact)
}
