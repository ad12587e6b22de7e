//! Reads any bytes as datagrams of ENet. Commands must be written back as the same bytes, unpacking must
//! respect its limits for any compression, and a session must stay within its limits.

use gdvar_packet::{
    Direction, Encode, Engine, Session, SessionLimits, Transport,
    enet::{self, Candidates, Compression, Datagram, Unpacker},
};

use super::{Input, packet4::check};

/// The memory limit of a session.
pub(super) const LIMITS: SessionLimits = SessionLimits {
    links: 4,
    names_per_peer: 8,
    name_len: 64,
    fragmented: 2,
    packet_len: 1 << 16,
};

/// Reads the bytes as datagrams.
///
/// # Panics
/// If a command is written back as other bytes, a session exceeds its limits, or an error has no
/// message or an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let engine = match input.rules.strict {
        true => Engine::Godot3,
        false => Engine::Godot4,
    };
    let told = Compression::ALL.get(usize::from(input.choice & 7)).copied();
    let mut candidates = told.map_or(Candidates::default(), Candidates::from);
    let mut unpacker = Unpacker::new();
    let mut session = Session::new(engine, Transport::Enet).with_limits(LIMITS);
    // Each datagram has a length prefix.
    let mut rest = input.bytes;
    let mut n = 0;
    while let Some((len, behind)) = rest.split_first_chunk() {
        let len = usize::from(u16::from_le_bytes(*len)).min(behind.len());
        let (bytes, behind) = behind.split_at(len);
        rest = behind;
        n += 1;
        match Datagram::parse(bytes) {
            Ok(datagram) => one(datagram, bytes, &mut unpacker, &mut candidates),
            Err(error) => check(error, bytes),
        }
        let direction = match (input.choice >> 4).rotate_right(n) & 1 {
            0 => Direction::ToServer,
            _ => Direction::ToClient,
        };
        session.receive(n / 2 % 8, direction, bytes, |item| {
            let _ = (item.node_path(), item.node(), item.message.name());
        });
        assert!(session.links() <= LIMITS.links);
        assert!(session.pending() <= LIMITS.links * 2 * LIMITS.fragmented * LIMITS.packet_len);
        for link in 0..8 {
            let paths = session.state().paths(link, session.state().client(link));
            assert!(paths.count() <= LIMITS.names_per_peer);
        }
    }
}

fn one(datagram: Datagram<'_>, bytes: &[u8], unpacker: &mut Unpacker, candidates: &mut Candidates) {
    let mut again = Vec::new();
    datagram.header().encode(&mut again).expect("into memory");
    assert!(bytes.starts_with(&again));
    let body = match unpacker.body(datagram, candidates) {
        Ok(body) => body,
        Err(error) => return check(error, bytes),
    };
    assert!(datagram.header().compressed <= (body.len() <= enet::MAX_DATAGRAM));
    let mut commands = enet::commands(body);
    loop {
        let start = commands.position();
        match commands.try_next() {
            Ok(Some(command)) => {
                let mut again = Vec::new();
                command.encode(&mut again).expect("into memory");
                // Two bits of a command's first byte have no meaning.
                let mut came = body[start..commands.position()].to_vec();
                came[0] &= !0x30;
                assert_eq!(again, came);
            }
            Ok(None) => return assert_eq!(start, body.len()),
            Err(error) => return check(error, body),
        }
    }
}
