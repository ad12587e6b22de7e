//! Joins a Godot server over ENet and calls a method on one of its nodes.
//!
//! `call_rpc 127.0.0.1:7777 Net 1 100`: Godot 4, method 1 of /root/Net, with the argument 100.
//! `call_rpc 127.0.0.1:7777 Net hit 100 Ann`: Godot 3, which has names, with 100 and "Ann".
use std::{env, error::Error, net::UdpSocket, time::Duration};

use gdvar_packet::enet::{self, Body, Candidates, Command, Datagram, Handshake, Header, Unpacker};
use gdvar_packet::{Arg, Encode, Name, godot3, godot4};

/// The peer id that this client chooses.
const ID: i32 = 123_456;

/// A connection to the server.
struct Line {
    socket: UdpSocket,
    unpacker: Unpacker,
    compression: Candidates,
    header: Header,
}

impl Line {
    fn send(&self, command: &Command<'_>) -> Result<(), Box<dyn Error>> {
        let mut datagram = Vec::new();
        self.header.encode(&mut datagram)?;
        command.encode(&mut datagram)?;
        self.socket.send(&datagram)?;
        Ok(())
    }

    /// Repeats a command until the server has acknowledged it.
    fn send_reliably(&mut self, wanted: Command<'_>) -> Result<(), Box<dyn Error>> {
        for _ in 0..50 {
            self.send(&wanted)?;
            if self.listen(&wanted)? {
                return Ok(());
            }
        }
        Err("the server does not answer".into())
    }

    /// Receives a datagram and acknowledges its commands. Returns `true` if it answers `wanted`.
    fn listen(&mut self, wanted: &Command<'_>) -> Result<bool, Box<dyn Error>> {
        let mut buffer = [0; enet::MAX_DATAGRAM];
        let Ok(len) = self.socket.recv(&mut buffer) else {
            return Ok(false); // Nothing came in time.
        };
        let datagram = Datagram::parse(&buffer[..len])?;
        let body = self
            .unpacker
            .body(datagram, &mut self.compression)?
            .to_vec();
        let mut is_answered = false;
        for heard in enet::commands(&body) {
            let heard = heard?;
            if let Body::VerifyConnect(server) = heard.body {
                self.header = Header::answering(&server, 1);
                is_answered |= matches!(wanted.body, Body::Connect { .. });
            } else if let Body::Acknowledge { sequence, .. } = heard.body {
                is_answered |= (heard.channel, sequence) == (wanted.channel, wanted.sequence);
            }
            if let Some(acknowledgement) = heard.acknowledgement(datagram.header()) {
                self.send(&acknowledgement)?;
            }
        }
        Ok(is_answered)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [server, node, method, args @ ..] = &words[..] else {
        return Err("call_rpc HOST:PORT NODE METHOD ARGUMENT...".into());
    };
    let arg = |word: &'static str| word.parse().map_or(Arg::Text(word), Arg::Int);
    let args: Vec<Arg<'_>> = args.iter().map(|word| arg(word.clone().leak())).collect();
    let (args, node, mut packet) = (&args[..], node.as_str().into(), Vec::new());
    let channel = if let Ok(method) = method.parse() {
        godot4::Message::Call { node, method, args }.encode(&mut packet)?;
        0
    } else {
        let method = Name::new(method.as_bytes());
        godot3::put_ends(ID, 1, &mut packet)?;
        godot3::Message::Call { node, method, args }.encode(&mut packet)?;
        1 // Godot 3 keeps channel 0 for itself.
    };
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.connect(server)?;
    socket.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut line = Line {
        socket,
        unpacker: Unpacker::new(),
        compression: Candidates::default(),
        header: Header::connecting(1),
    };
    let (handshake, data) = (Handshake::client(0, 3, 0x1234_5678), ID as u32);
    line.send_reliably(Command::reliable(255, 1, Body::Connect { handshake, data }))?;
    line.send_reliably(Command::reliable(channel, 1, Body::Reliable(&packet)))?;
    line.send_reliably(Command::reliable(255, 2, Body::Disconnect { data: 0 }))
}
