//! Which engine and carrier each conversation of a capture is of, found by trying.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
};

use gdvar_packet::{
    Engine, Message, Transport,
    capture::{Listener, Unread},
};

use super::{PacketsArgs, Trouble, open, source::Source};

const ENGINES: [Engine; 2] = [Engine::Godot4, Engine::Godot3];
const CARRIERS: [Transport; 5] = [
    Transport::Enet,
    Transport::WebSocket,
    Transport::Debugger,
    Transport::Records,
    Transport::Values,
];

/// A conversation is judged by this many items.
const TRIED: u32 = 2000;

/// An engine and a carrier, and the servers that speak so.
pub(super) struct Way {
    pub(super) engine: Engine,
    pub(super) carrier: Transport,
    /// Any server, if there are none.
    servers: BTreeSet<SocketAddr>,
}

impl Way {
    /// All servers of a capture speak so.
    pub(super) fn of_all(engine: Engine, carrier: Transport) -> Way {
        Way {
            engine,
            carrier,
            servers: BTreeSet::new(),
        }
    }

    /// The number of servers; 0 if nobody looked for them.
    pub(super) fn servers(&self) -> usize {
        self.servers.len()
    }

    pub(super) fn listener(&self, port: Option<u16>) -> Listener {
        let listener = Listener::new(self.engine, self.carrier);
        match (port, self.servers.is_empty()) {
            (Some(port), _) => listener.with_port(port),
            (None, true) => listener,
            (None, false) => listener.with_servers(self.servers.clone()),
        }
    }
}

/// A conversation, as one engine and carrier understand it.
#[derive(Default)]
struct Sense {
    /// Bytes that make sense, less ten times the bytes that make none.
    sense: i64,
    items: u32,
}

/// Server and client of a conversation.
type Ends = (SocketAddr, SocketAddr);

/// Finds for each conversation of a capture the engine and carrier under which most of it makes sense. The capture is
/// read once for each of both.
pub(super) fn find(args: &PacketsArgs, file: &std::path::Path) -> Result<Vec<Way>, Trouble> {
    let mut found = Vec::new();
    let mut is_encrypted = false;
    for engine in ENGINES {
        for carrier in CARRIERS {
            let is_engine = args
                .engine
                .is_none_or(|named| Engine::from(named) == engine);
            let is_carrier = args
                .carrier
                .is_none_or(|named| Transport::from(named) == carrier);
            if is_engine && is_carrier {
                let (senses, encrypted) = senses(args, file, engine, carrier)?;
                is_encrypted |= encrypted;
                for (ends, sense) in senses {
                    found.push((sense, engine, carrier, ends));
                }
            }
        }
    }
    // The best of each conversation, whichever side is its server. The order of trying decides between equals.
    found.sort_by_key(|(sense, ..)| std::cmp::Reverse(*sense));
    let mut taken = BTreeSet::new();
    let mut ways: Vec<Way> = Vec::new();
    for (_, engine, carrier, (server, client)) in found {
        if !taken.insert((server.min(client), server.max(client))) {
            continue;
        }
        let own = |way: &&mut Way| way.engine == engine && way.carrier == carrier;
        match ways.iter_mut().find(own) {
            Some(way) => way.servers.extend([server]),
            None => ways.push(Way {
                servers: BTreeSet::from([server]),
                ..Way::of_all(engine, carrier)
            }),
        }
    }
    match (ways.is_empty(), is_encrypted) {
        (false, _) => Ok(ways),
        (true, true) => Err(Trouble::Usage(super::ENCRYPTED)),
        (true, false) => Err(Trouble::Usage(super::NOTHING)),
    }
}

/// The sense that the conversations of a capture make to an engine and carrier, of those that make some; and whether
/// there are encrypted ones.
fn senses(
    args: &PacketsArgs,
    file: &std::path::Path,
    engine: Engine,
    carrier: Transport,
) -> Result<(BTreeMap<Ends, i64>, bool), Trouble> {
    let mut source = Source::new(open(file)?, &[Way::of_all(engine, carrier)], args.port)?;
    let mut senses: BTreeMap<Ends, Sense> = BTreeMap::new();
    loop {
        let step = source.step(|heard, item| {
            let own = senses.entry((heard.server, heard.client)).or_default();
            if own.items >= TRIED {
                return;
            }
            own.items += 1;
            own.sense += match item.message {
                // A wrong carrier makes sense of much, but not of all.
                Message::Damaged { bytes, .. } => -10 * bytes.len() as i64,
                Message::Enet(_) | Message::WebSocket(_) | Message::Http => 0,
                _ => item.bytes.len() as i64,
            };
        });
        // A cut capture is reported where it is shown.
        if !matches!(step, Ok(true)) {
            break;
        }
    }
    let is_encrypted = source.account().unread.contains_key(&Unread::Encrypted);
    let senses = senses.into_iter().map(|(ends, own)| (ends, own.sense));
    let senses = senses.filter(|(_, sense)| *sense > 0);
    Ok((senses.collect(), is_encrypted))
}
