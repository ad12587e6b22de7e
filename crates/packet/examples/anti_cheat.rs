//! An anti-cheat filter between clients and a server of Godot 4: `anti_cheat 7778 127.0.0.1:7777`.
//!
//! Clients connect to the first port. A call reaches the server only if [`Rules::allows`] it; a
//! reliable one that it refuses becomes a packet that the engine ignores. The node and the method
//! are those of testdata/multiplayer. Replace them by your game's.
use std::{
    collections::HashMap,
    env,
    error::Error,
    net::{Ipv4Addr, SocketAddr, UdpSocket},
    thread,
    time::{Duration, Instant},
};

use gdvar_packet::{
    Direction::{ToClient, ToServer},
    Engine, Forwarded, Message, PacketEdit, Session, SessionEvent, Transport,
    godot4::Packet,
};

/// `say`: the second of game.gd's methods with @rpc, sorted.
const SAY: u16 = 1;
const LONGEST: usize = 40;
const CALLS_PER_SECOND: usize = 10;
const CLIENTS: usize = 100;

/// When each client called in the last second.
struct Rules(HashMap<u32, Vec<Instant>>);

impl Rules {
    fn allows(&mut self, event: &SessionEvent<'_>) -> Result<(), &'static str> {
        let call = match event.message {
            Message::Godot4(Packet::Call(call)) => call,
            Message::Godot4(Packet::Spawn(_)) => return Err("only the server spawns"),
            Message::Damaged { .. } => return Err("not readable"),
            _ => return Ok(()),
        };
        let (now, calls) = (Instant::now(), self.0.entry(event.link).or_default());
        calls.retain(|call| now - *call < Duration::from_secs(1));
        if calls.len() >= CALLS_PER_SECOND {
            return Err("too many calls");
        }
        // A call that is sent again counts once.
        if !event.transport.is_resent() {
            calls.push(now);
        }
        if (event.node_path(), call.method_id()) != (Some("Game"), SAY) {
            return Err("not for clients");
        }
        let text = call.args().next().and_then(Result::ok);
        let text = text.and_then(|text| text.as_str());
        let is_short = text.is_some_and(|text| text.len() <= LONGEST);
        is_short.then_some(()).ok_or("not a short text")
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [port, server] = &words[..] else {
        return Err("anti_cheat PORT SERVER:PORT".into());
    };
    let server: SocketAddr = server.parse()?;
    let listen = UdpSocket::bind((Ipv4Addr::LOCALHOST, port.parse()?))?;
    listen.set_nonblocking(true)?;
    let (mut clients, mut buffer) = (Vec::<(SocketAddr, UdpSocket)>::new(), [0; 4096]);
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    let (mut rules, mut out) = (Rules(HashMap::new()), Forwarded::new());
    let mut decide = |event: SessionEvent<'_>, _: &mut Vec<u8>| {
        let Err(why) = rules.allows(&event) else {
            return PacketEdit::Unchanged;
        };
        println!("client {}: {}: {why}", event.link, event.message.name());
        PacketEdit::Dropped
    };
    loop {
        while let Ok((len, from)) = listen.recv_from(&mut buffer) {
            let mut link = clients.iter().position(|(client, _)| *client == from);
            if link.is_none() && clients.len() < CLIENTS {
                let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
                socket.connect(server)?;
                socket.set_nonblocking(true)?;
                clients.push((from, socket));
                link = Some(clients.len() - 1);
            }
            let Some(link) = link else { continue };
            session.rewrite(link as u32, ToServer, &buffer[..len], &mut out, &mut decide);
            for datagram in out.pieces() {
                let _ = clients[link].1.send(datagram);
            }
        }
        for (link, (client, socket)) in clients.iter().enumerate() {
            while let Ok(len) = socket.recv(&mut buffer) {
                session.receive(link as u32, ToClient, &buffer[..len], |_| {});
                let _ = listen.send_to(&buffer[..len], client);
            }
        }
        thread::sleep(Duration::from_millis(1));
    }
}
