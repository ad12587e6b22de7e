//! An echo server for Godot clients: `PacketPeerStream.put_var` over TCP and
//! `PacketPeerUDP.put_var`. Every packet is read into a value and written again, so the answer has
//! gone through both reader and writer.
//!
//! `cargo run --release -p gdvar-io --features tokio --example echo_server -- godot4 7000`

use std::{env, error::Error};

use futures_util::{SinkExt, StreamExt};
use gdvar::{Dialect, Variant, frames::PrefixOrder};
use gdvar_io::{Limits, codec::RecordCodec};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio_util::codec::Framed;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let dialect: Dialect = arguments.next().as_deref().unwrap_or("godot4").parse()?;
    let port = arguments.next().map_or(Ok(0), |port| port.parse())?;
    let tcp = TcpListener::bind(("127.0.0.1", port)).await?;
    let udp = UdpSocket::bind(("127.0.0.1", port)).await?;
    // For callers that let the system choose the ports.
    println!(
        "tcp={} udp={}",
        tcp.local_addr()?.port(),
        udp.local_addr()?.port()
    );
    tokio::spawn(datagrams(udp, dialect));
    while let Ok((stream, peer)) = tcp.accept().await {
        let served = async move { println!("{peer}: {:?}", connection(stream, dialect).await) };
        tokio::spawn(served);
    }
    Ok(())
}

async fn connection(stream: TcpStream, dialect: Dialect) -> Result<()> {
    let codec = RecordCodec::new(dialect, PrefixOrder::Little, Limits::STREAM);
    let mut framed = Framed::new(stream, codec);
    while let Some(packet) = framed.next().await {
        // After a wrong length nothing can be found any more; a wrong value does no such harm.
        if let Some(answer) = answer(&packet?, dialect)? {
            framed.send(&answer[..]).await?;
        }
    }
    Ok(())
}

async fn datagrams(socket: UdpSocket, dialect: Dialect) -> Result<()> {
    let mut buffer = vec![0; 65536];
    loop {
        let (len, peer) = socket.recv_from(&mut buffer).await?;
        if let Some(answer) = answer(&buffer[..len], dialect)? {
            socket.send_to(&answer, peer).await?;
        }
    }
}

/// Returns the packet's value as this program writes it, or `None` if it is not a value.
fn answer(packet: &[u8], dialect: Dialect) -> Result<Option<Vec<u8>>> {
    let value = Variant::from_slice(packet, dialect).inspect_err(|error| println!("{error}"));
    Ok(value.ok().map(|value| value.to_vec(dialect)).transpose()?)
}
