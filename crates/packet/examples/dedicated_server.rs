//! A dedicated server for a game of Godot 4.6: `dedicated_server 127.0.0.1:7777 [SECONDS]`.
//!
//! The game is in testdata/multiplayer. Clients chat through /root/Game: the server broadcasts what
//! one of them says, and kicks who says more than 40 bytes or sends anything else. Each client has a
//! node, made by /root/Players/Spawner, that the server moves and counts; /root/World/Sync has the
//! weather. 100 clients at most.
use std::{
    collections::BTreeMap,
    env,
    error::Error,
    thread,
    time::{Duration, Instant},
};

use gdvar_packet::{
    Arg, Dialect,
    enet::Delivery,
    gdvar_write::{Target, Writer, wire::math::Vector2},
    multiplayer::{
        Multiplayer, NewNode, NodeId, Property, Received, ReplicationMode, Replicator, Spawn,
    },
};

#[path = "host/mod.rs"]
mod host;
use host::{EnetHost, Happened};

const CLIENTS: usize = 100;
/// The methods of game.gd that have @rpc.
const METHODS: [&str; 2] = ["say", "said"];
const SAY: usize = 0;
const SAID: usize = 1;
/// The most bytes that a client may say.
const LONGEST: usize = 40;
const FRAME: Duration = Duration::from_millis(16);

struct Server {
    network: EnetHost,
    game: Multiplayer,
    replicator: Replicator,
    chat: NodeId,
    spawner: NodeId,
    players: BTreeMap<i32, Spawn>,
}

/// The ordinary bytes of a Vector2.
fn vector(x: f32, y: f32) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.vector2(Vector2 { x, y })?;
    Ok(writer.finish()?)
}

impl Server {
    /// A client has joined: a node for it.
    fn join(&mut self, peer: i32) -> Result<(), Box<dyn Error>> {
        let (name, place) = (format!("Player{peer}"), vector(0.0, 0.0)?);
        let position = Property {
            value: Arg::encoded(&place, Dialect::GODOT_4)?,
            is_spawned: true,
            mode: ReplicationMode::Always,
        };
        let lines = Property {
            value: Arg::from(0),
            is_spawned: true,
            mode: ReplicationMode::OnChange,
        };
        let player = self.replicator.spawn(NewNode {
            spawner: self.spawner,
            scene: Some(0),
            name: &name,
            custom: Arg::Nil,
            synchronizers: &[&[position, lines]],
        })?;
        self.players.insert(peer, player);
        Ok(())
    }

    /// Answers a packet. Returns `false` if its sender is to be kicked.
    fn answer(&mut self, from: i32, delivery: Delivery, bytes: &[u8]) -> bool {
        let received = self.game.receive(from, delivery, bytes);
        match received {
            Ok(Received::Call {
                source,
                method: SAY,
                call,
                ..
            }) => {
                let Ok(Some(text)) = call.args().try_next() else {
                    return false;
                };
                let Some(text) = text.as_str().filter(|text| text.len() <= LONGEST) else {
                    return false;
                };
                println!("{source} says {text}");
                let args = [Arg::Int(source.into()), Arg::from(text)];
                let sent = self
                    .game
                    .call(0, self.chat, SAID, &args, Delivery::Reliable);
                sent.is_ok()
            }
            Ok(Received::Nothing | Received::UnknownPath { .. }) => true,
            _ => false,
        }
    }

    fn frame(&mut self, now: Duration) -> Result<(), Box<dyn Error>> {
        while let Some(happened) = self.network.service(&mut self.game)? {
            match happened {
                Happened::Connected(peer) => self.join(peer)?,
                Happened::Disconnected(peer) => {
                    println!("{peer} has left");
                    if let Some(player) = self.players.remove(&peer) {
                        self.replicator.despawn(player.id);
                    }
                }
                Happened::Packet {
                    from,
                    delivery,
                    bytes,
                } => {
                    if !self.answer(from, delivery, &bytes) {
                        println!("{from} is kicked");
                        self.network.kick(from);
                    }
                }
            }
        }
        let seconds = now.as_secs();
        for player in self.players.values() {
            let place = vector(seconds as f32, 1.0)?;
            let place = Arg::encoded(&place, Dialect::GODOT_4)?;
            let sync = player.synchronizers[0];
            self.replicator.set(sync, 0, place)?;
            self.replicator.set(sync, 1, Arg::Int(seconds as i64))?;
        }
        self.replicator.update(&mut self.game, now);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let address = words.first().map_or("127.0.0.1:7777", String::as_str);
    let seconds = words.get(1).map_or(Ok(u64::MAX), |word| word.parse())?;
    let (mut game, mut replicator) = (Multiplayer::server(), Replicator::new());
    let chat = game.add_node("Game", &METHODS);
    let spawner = game.add_node("Players/Spawner", &[]);
    let weather = Property {
        value: Arg::from("rain"),
        is_spawned: false,
        mode: ReplicationMode::OnChange,
    };
    let world = game.add_node("World/Sync", &[]);
    replicator.synchronize(world, &[weather])?;
    let mut server = Server {
        network: EnetHost::server(address, CLIENTS)?,
        game,
        replicator,
        chat,
        spawner,
        players: BTreeMap::new(),
    };
    println!("ready on {}", server.network.address()?);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(seconds) {
        server.frame(start.elapsed())?;
        thread::sleep(FRAME);
    }
    Ok(())
}
