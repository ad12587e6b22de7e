//! Measures how many datagrams `gdvar proxy` passes on per second, and how much it delays them,
//! compared with a minimal forwarder of two threads.
//!
//! `cargo build --release -p gdvar-cli; cargo run --release --example proxy_rate target/release/gdvar --quiet`
//!
//! Arguments after the command are options of the proxy. Each round measures both in turn.
//! Datagrams with a CALL go to a server that sends them back: 64 in flight for the rate, one at a
//! time for the latency.
use std::{
    env,
    error::Error,
    net::{SocketAddr, UdpSocket},
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// A reliable CALL of method 1 of node 3 with 100. The sequence number is set later.
const CALL: [u8; 14] = *b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x00";
const ROUNDS: usize = 7;
const WINDOW: usize = 64;

fn bound() -> Result<UdpSocket, Box<dyn Error>> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(Duration::from_secs(2)))?;
    Ok(socket)
}

/// Sends everything back.
fn server() -> Result<SocketAddr, Box<dyn Error>> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let at = socket.local_addr()?;
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            let _ = socket.send_to(&buffer[..len], from);
        }
    });
    Ok(at)
}

/// Forwards datagrams of one client to `target`, and the answers back.
fn forwarder(target: SocketAddr) -> Result<SocketAddr, Box<dyn Error>> {
    let (listen, up) = (
        Arc::new(UdpSocket::bind("127.0.0.1:0")?),
        Arc::new(UdpSocket::bind("127.0.0.1:0")?),
    );
    up.connect(target)?;
    let at = listen.local_addr()?;
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        let mut back = None;
        while let Ok((len, from)) = listen.recv_from(&mut buffer) {
            back.get_or_insert_with(|| {
                let (listen, up) = (Arc::clone(&listen), Arc::clone(&up));
                thread::spawn(move || {
                    let mut buffer = [0; 2048];
                    while let Ok(len) = up.recv(&mut buffer) {
                        let _ = listen.send_to(&buffer[..len], from);
                    }
                })
            });
            let _ = up.send(&buffer[..len]);
        }
    });
    Ok(at)
}

fn datagram(n: u16) -> [u8; 14] {
    let mut call = CALL;
    call[6..8].copy_from_slice(&n.to_be_bytes());
    call
}

/// The number of round trips per second.
fn rate(client: &UdpSocket, at: SocketAddr, count: usize) -> Result<f64, Box<dyn Error>> {
    let mut buffer = [0; 2048];
    let start = Instant::now();
    for n in 0..count + WINDOW {
        if n < count {
            client.send_to(&datagram(n as u16), at)?;
        }
        if n >= WINDOW {
            client.recv(&mut buffer)?;
        }
    }
    Ok(count as f64 / start.elapsed().as_secs_f64())
}

/// The times of single round trips, sorted.
fn latencies(
    client: &UdpSocket,
    at: SocketAddr,
    count: usize,
) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut buffer = [0; 2048];
    let mut times = Vec::with_capacity(count);
    for n in 0..count {
        let start = Instant::now();
        client.send_to(&datagram(n as u16), at)?;
        client.recv(&mut buffer)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [gdvar, options @ ..] = &words[..] else {
        return Err("proxy_rate GDVAR OPTION...".into());
    };
    let target = server()?;
    let plain = forwarder(target)?;
    let listen = bound()?.local_addr()?;
    let mut proxy = Command::new(gdvar)
        .args(["proxy", "--udp", &listen.to_string(), &target.to_string()])
        .args(options)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    thread::sleep(Duration::from_secs(1));
    let client = [bound()?, bound()?];
    let (mut ratios, mut late) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let rates = [
            rate(&client[0], plain, 50_000)?,
            rate(&client[1], listen, 50_000)?,
        ];
        ratios.push(rates[1] / rates[0]);
        let times = [
            latencies(&client[0], plain, 5_000)?,
            latencies(&client[1], listen, 5_000)?,
        ];
        let added = |share: usize| {
            let at = |times: &[Duration]| times[times.len() * share / 100].as_secs_f64() * 1e6;
            at(&times[1]) - at(&times[0])
        };
        late.push((added(50), added(99)));
        println!(
            "round {round}: forwarder {:.0}/s, proxy {:.0}/s; there and back the proxy adds {:.1} us at p50, {:.1} us at p99",
            rates[0],
            rates[1],
            added(50),
            added(99)
        );
    }
    proxy.kill()?;
    proxy.wait()?;
    ratios.sort_by(f64::total_cmp);
    late.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!(
        "median: {:.0} % of the forwarder's rate, {:.1} us at p50 and {:.1} us at p99 there and back",
        100.0 * ratios[ROUNDS / 2],
        late[ROUNDS / 2].0,
        late[ROUNDS / 2].1
    );
    Ok(())
}
