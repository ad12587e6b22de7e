//! A bot for a game of Godot 4.6: `bot 127.0.0.1:7777 TEXT [SECONDS]`.
//!
//! Joins the game of testdata/multiplayer, says TEXT to everybody through /root/Game, and prints what
//! others say and what the server spawns. Its server may be Godot's, or the example
//! `dedicated_server`.
use std::{
    env,
    error::Error,
    net::ToSocketAddrs,
    process, thread,
    time::{Duration, Instant},
};

use gdvar_packet::{
    Arg,
    enet::Delivery,
    godot4::Packet,
    multiplayer::{Multiplayer, Received},
};

#[path = "host/mod.rs"]
mod host;
use host::{EnetHost, Happened};

/// The methods of game.gd that have @rpc.
const METHODS: [&str; 2] = ["say", "said"];
const SAY: usize = 0;
const SAID: usize = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [server, text, rest @ ..] = &words[..] else {
        return Err("bot HOST:PORT TEXT [SECONDS]".into());
    };
    let seconds = rest.first().map_or(Ok(5), |word| word.parse())?;
    let address = server.to_socket_addrs()?.next().ok_or("no such host")?;
    // Godot's clients choose a random number above 1.
    let own_id = (process::id() as i32 & i32::MAX) + 2;
    let (mut network, mut game) = (
        EnetHost::client(address, own_id)?,
        Multiplayer::client(own_id),
    );
    let chat = game.add_node("Game", &METHODS);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(seconds) {
        while let Some(happened) = network.service(&mut game)? {
            match happened {
                Happened::Connected(_) => {
                    println!("connected as {own_id}");
                    game.call(1, chat, SAY, &[Arg::from(&text[..])], Delivery::Reliable)?;
                }
                Happened::Disconnected(_) => return Err("the server has disconnected".into()),
                Happened::Packet {
                    from,
                    delivery,
                    bytes,
                } => print(&mut game, from, delivery, &bytes)?,
            }
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn print(
    game: &mut Multiplayer,
    from: i32,
    delivery: Delivery,
    bytes: &[u8],
) -> Result<(), Box<dyn Error>> {
    match game.receive(from, delivery, bytes)? {
        Received::Call {
            method: SAID, call, ..
        } => {
            let mut args = call.args();
            let who = args.try_next()?.and_then(|who| who.as_i64());
            let text = args.try_next()?;
            let text = text.and_then(|text| text.as_str());
            println!(
                "{} said {}",
                who.unwrap_or_default(),
                text.unwrap_or_default()
            );
        }
        Received::Other {
            packet: Packet::Spawn(spawn),
            ..
        } => println!("{} spawned", spawn.name()),
        Received::PeerConnected(peer) => println!("{peer} joined"),
        Received::PeerDisconnected(peer) => println!("{peer} left"),
        _ => {}
    }
    Ok(())
}
