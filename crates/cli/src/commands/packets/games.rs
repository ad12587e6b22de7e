//! Finds the engine and the carrier of each conversation in a capture, by trying all of them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt,
    net::SocketAddr,
    path::Path,
};

use gdvar_packet::{
    Engine, Message, Transport,
    capture::{Listener, Unread},
};

use super::{Failure, PacketsArgs, capture::Capture, line, open, unread_note};
use crate::terminal::exit::Exit;

const ENGINES: [Engine; 2] = [Engine::Godot4, Engine::Godot3];
const CARRIERS: [Transport; 5] = [
    Transport::Enet,
    Transport::WebSocket,
    Transport::Debugger,
    Transport::Records,
    Transport::Values,
];

/// The number of items at the start of a conversation that decide its engine and carrier.
const TRIED: u32 = 2000;

const NOTHING: &str = "no packets of Godot are found in it; --engine, --carrier and --port name them. \
    Packets under TLS or DTLS cannot be read";
const ENCRYPTED: &str = "its packets are encrypted with DTLS or TLS, which cannot be read; switch the encryption off in \
    the game to see them";

/// An engine and a carrier, with the servers that use them.
pub(super) struct Game {
    pub(super) engine: Engine,
    pub(super) carrier: Transport,
    /// The servers. Empty if any server may use them.
    pub(super) servers: BTreeSet<SocketAddr>,
}

impl Game {
    /// Creates a game with any server.
    pub(super) fn new(engine: Engine, carrier: Transport) -> Game {
        Game {
            engine,
            carrier,
            servers: BTreeSet::new(),
        }
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

/// Formats `Godot 4 over ENet`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = match self.engine {
            Engine::Godot4 => "Godot 4",
            Engine::Godot3 => "Godot 3",
        };
        let carrier = match self.carrier {
            Transport::Enet => "ENet",
            Transport::WebSocket => "WebSocket",
            Transport::Values => "put_var in datagrams",
            Transport::Records => "put_var in a stream",
            Transport::Debugger => "the debugger's stream",
        };
        write!(f, "{engine} over {carrier}")
    }
}

/// The server and the client of a conversation.
type Ends = (SocketAddr, SocketAddr);

/// Finds for each conversation of a capture the engine and the carrier that make sense of most of its bytes. Reads the
/// capture once for each pair of engine and carrier.
pub(super) fn find(args: &PacketsArgs, file: &Path) -> Result<Vec<Game>, Failure> {
    let mut found = Vec::new();
    let mut not_read = NotRead::default();
    for engine in ENGINES {
        for carrier in CARRIERS {
            let is_tried = args.engine.is_none_or(|named| named == engine)
                && args.carrier.is_none_or(|named| named == carrier);
            if is_tried {
                let (scores, of_trial) = scores(args, file, engine, carrier)?;
                not_read.add(of_trial);
                found.extend(scores.map(|(ends, score)| (score, engine, carrier, ends)));
            }
        }
    }
    // For each conversation the best score wins, whichever end was taken for the server. If scores are equal, the first
    // one wins. UDP and TCP have ports of their own, so two conversations may have the same ends; lines of digits do not
    // say which of the two they are.
    found.sort_by_key(|(score, ..)| Reverse(*score));
    let mut decided = BTreeSet::new();
    let mut games: Vec<Game> = Vec::new();
    for (_, engine, carrier, (server, client)) in found {
        let is_stream = !matches!(carrier, Transport::Enet | Transport::Values)
            && !server.ip().is_unspecified();
        if !decided.insert((is_stream, server.min(client), server.max(client))) {
            continue;
        }
        let is_same = |game: &Game| game.engine == engine && game.carrier == carrier;
        let place = games.iter().position(is_same).unwrap_or_else(|| {
            games.push(Game::new(engine, carrier));
            games.len() - 1
        });
        games[place].servers.insert(server);
    }
    match games.is_empty() {
        false => Ok(games),
        true => Err(not_read.failure()),
    }
}

/// What no trial can read.
#[derive(Default)]
struct NotRead {
    /// The number of packets, by reason.
    unread: BTreeMap<Unread, u64>,
    /// The error at which the capture ends early.
    error: Option<String>,
}

impl NotRead {
    /// Adds a trial. Each reads the same packets, so the greatest number of each reason counts.
    fn add(&mut self, trial: NotRead) {
        for (why, count) in trial.unread {
            let most = self.unread.entry(why).or_default();
            *most = count.max(*most);
        }
        self.error = self.error.take().or(trial.error);
    }

    /// Creates the failure for a capture without packets of Godot, with the reasons that no engine and no carrier
    /// change.
    fn failure(mut self) -> Failure {
        let text = match self.unread.remove(&Unread::Encrypted) {
            Some(_) => ENCRYPTED,
            None => NOTHING,
        };
        for of_one_trial in [Unread::OtherConversation, Unread::AfterGap] {
            self.unread.remove(&of_one_trial);
        }
        let error = self
            .error
            .map_or(String::new(), |error| format!("; {error}"));
        let text = format!("{text}{}{error}", unread_note(&self.unread));
        Failure::Other(Exit::Ambiguous, text)
    }
}

/// Creates the failure for a capture without packets of Godot.
pub(super) fn nothing_found() -> Failure {
    NotRead::default().failure()
}

/// Reads a capture as packets of `engine` over `carrier`. Returns the conversations with a positive score, and what
/// was not read. A score is the number of bytes that make sense, minus ten times the number of bytes that
/// do not, because a wrong carrier can read many packets, but not all.
fn scores(
    args: &PacketsArgs,
    file: &Path,
    engine: Engine,
    carrier: Transport,
) -> Result<(impl Iterator<Item = (Ends, i64)>, NotRead), Failure> {
    let games = [Game::new(engine, carrier)];
    let mut capture = Capture::new(open(file, false)?, &games, args.port)?;
    let mut scores: BTreeMap<Ends, (i64, u32)> = BTreeMap::new();
    let mut not_read = NotRead::default();
    loop {
        let step = capture.step(|heard, item| {
            let (score, items) = scores.entry((heard.server, heard.client)).or_default();
            if *items >= TRIED {
                return;
            }
            *items += 1;
            *score += match item.message {
                Message::Damaged { bytes, .. } => -10 * bytes.len() as i64,
                _ if line::is_carriers_own(&item) => 0,
                // The start of a stream can be read as a datagram with a short value. The rest makes no sense then.
                Message::Value(value) => {
                    let len = value.raw().map_or(item.bytes.len(), <[u8]>::len);
                    len as i64 - 10 * item.bytes.len().saturating_sub(len) as i64
                }
                _ => item.bytes.len() as i64,
            };
        });
        // An error ends the trial. It is reported later, when the packets are shown, or if there are none.
        match step {
            Ok(true) => {}
            Ok(false) => break,
            Err(Failure::Other(_, error)) => {
                not_read.error = Some(error);
                break;
            }
            Err(failure) => return Err(failure),
        }
    }
    not_read.unread = capture.coverage().unread;
    let scores = scores.into_iter().map(|(ends, (score, _))| (ends, score));
    Ok((scores.filter(|(_, score)| *score > 0), not_read))
}
