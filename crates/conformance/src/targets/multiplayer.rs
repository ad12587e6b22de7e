//! Reads any packets as those that peers of a Godot 4 game send to a server and to a client, and counts the
//! replicated bytes. Each packet has a length prefix, whose four highest bits are the sender.

use std::time::Duration;

use gdvar_packet::{
    Direction, Engine, Message, Session, SessionLimits, Transport,
    enet::Delivery,
    godot4::Packet,
    multiplayer::{Multiplayer, Received},
    replication::{Losses, Replication},
};

use super::Input;

/// The peers of the server.
const PEERS: [i32; 3] = [2, 77, i32::MAX];
/// The greatest length of a packet in bytes: the payload of one ENet command.
const LONGEST: usize = 4064;
const LIMITS: SessionLimits = SessionLimits {
    links: 4,
    names_per_peer: 8,
    name_len: 64,
    fragmented: 2,
    packet_len: 1 << 12,
};

/// Splits the bytes into packets, and gives them to a server and to a count of replication.
///
/// # Panics
/// If a server answers with an invalid packet or with too many packets, or bytes of replication are
/// not counted exactly once.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let mut packets = Vec::new();
    let mut rest = input.bytes;
    while let Some(([low, high], after)) = rest.split_first_chunk() {
        let len = usize::from(u16::from_le_bytes([*low, *high])) & 0xfff;
        let (packet, after) = after.split_at(len.min(after.len()).min(LONGEST));
        packets.push((usize::from(high >> 4), packet));
        rest = after;
    }
    serve(&packets);
    count(&packets);
}

/// Checks the answers of a server to each packet: they are valid packets, and at most two more than
/// the peers.
fn serve(packets: &[(usize, &[u8])]) {
    let mut server = Multiplayer::server().with_limits(LIMITS);
    let mut client = Multiplayer::client(77).with_limits(LIMITS);
    for game in [&mut server, &mut client] {
        game.add_node("Game", &["say", "said"]);
        game.add_node("Players/Spawner", &[]);
    }
    assert!(PEERS.into_iter().all(|peer| server.connect(peer)));
    assert!(client.connect(1));
    while server.next_outgoing().is_some() || client.next_outgoing().is_some() {}
    for &(sender, packet) in packets {
        let from = PEERS[sender % PEERS.len()];
        for (game, from) in [(&mut server, from), (&mut client, 1)] {
            let peers = game.peers().count();
            if let Ok(Received::Call { call, .. }) = game.receive(from, Delivery::Reliable, packet)
            {
                assert!(call.args().count() <= 255);
            }
            assert!(game.peers().count() <= peers + 1);
            let mut answers = 0;
            while let Some(sent) = game.next_outgoing() {
                assert!(Packet::parse(&sent.bytes).is_ok_and(|sent| sent.validate().is_ok()));
                answers += 1;
            }
            assert!(answers <= peers + 2, "{answers} answers");
        }
    }
    assert_eq!(server.peers().count(), PEERS.len());
}

/// Checks that every byte of a packet that replicates is counted once.
fn count(packets: &[(usize, &[u8])]) {
    let mut session = Session::new(Engine::Godot4, Transport::Enet).with_limits(LIMITS);
    let mut replication = Replication::default();
    let mut total = 0;
    for (n, &(sender, packet)) in packets.iter().enumerate() {
        // SEND_UNSEQUENCED, with a number that no other packet has.
        let [high, low] = (n as u16).to_be_bytes();
        let [long, short] = (packet.len() as u16).to_be_bytes();
        let head = [0, 0, 0x49, 0, 0, 0, high, low, long, short];
        let datagram = [&head[..], packet].concat();
        let direction = [Direction::ToClient, Direction::ToServer][sender & 1];
        session.receive(sender as u32 >> 1, direction, &datagram, |event| {
            if let Message::Godot4(
                Packet::Sync(_) | Packet::Delta(_) | Packet::Spawn(_) | Packet::Despawn { .. },
            ) = event.message
            {
                total += event.bytes.len() as u64;
            }
            replication.add(Duration::from_millis(n as u64), &event, Losses::default());
        });
    }
    let synchronizers = replication.synchronizers().iter();
    let synchronized = synchronizers.map(|one| one.sync().bytes + one.delta().bytes);
    let spawners = replication.spawners();
    let spawned = spawners.map(|(.., cost)| cost.spawns.bytes + cost.despawns.bytes);
    let counted = synchronized.chain(spawned).sum::<u64>() + replication.other_bytes();
    assert_eq!(counted, total);
}
