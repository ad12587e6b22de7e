//! `--cheats`: finds packets of clients that an honest game would not send.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Direction, Message, Named, SessionEvent,
    capture::EventOrigin,
    godot4::Packet,
    names::{BadArguments, Names, RpcMode},
    replication::Counts,
};

use super::{
    line::{self, number},
    replication::type_name,
    seconds,
    tables::{StatRow, StatTable},
};
use crate::{show::value, terminal::words};

/// A client floods a method if it makes this many calls in a second, and more than `FLOOD_FACTOR` times the median.
const FLOOD: u64 = 50;
const FLOOD_FACTOR: u64 = 10;
/// The largest number of findings, of counted methods and of synchronizers that are remembered.
const REMEMBERED: usize = 10_000;

/// The findings, and what has to be remembered to make them.
#[derive(Default)]
pub(super) struct Cheats {
    /// The findings by server, kind, caller, and call with reason. The packets with the same cause are one finding.
    findings: BTreeMap<(SocketAddr, &'static str, Option<i32>, String), Finding>,
    /// The calls in each second, by server, method and caller.
    rates: HashMap<(SocketAddr, String, Option<i32>), Rate>,
    /// The sender of each synchronizer and spawner, by server and path.
    owners: BTreeMap<(SocketAddr, String), Owner>,
    calls: u64,
    /// The number of calls that cannot be checked, because their method is unknown or not declared in the project.
    unjudged: u64,
    /// The number of the calls in `unjudged` that belong to games of Godot 3.
    unjudged_godot3: u64,
    /// The number of calls whose arguments are checked but not their callers, because the script does not say in plain
    /// words who may call the method.
    any_caller: u64,
}

/// A finding: its first packet, and the number of its packets.
#[derive(Clone)]
struct Finding {
    packet: u64,
    time: Duration,
    text: String,
    count: u64,
}

/// The calls of a method by one client, counted per second.
#[derive(Default)]
struct Rate {
    second: u64,
    now: Second,
    peak: Second,
    /// For each number of calls, the number of seconds that had this many calls.
    seconds: Counts,
}

/// The number of calls in one second of the capture, and the packet and time of the first call.
#[derive(Clone, Copy, Default)]
struct Second {
    calls: u64,
    packet: u64,
    time: Duration,
}

/// The peer that sends the properties of a node, and another peer that also sends them.
struct Owner {
    peer: Option<i32>,
    other: Option<Intruder>,
}

struct Intruder {
    peer: Option<i32>,
    packet: u64,
    time: Duration,
    count: u64,
    /// `true` if the owner sent the properties again after this peer had sent them. This proves that the node was not
    /// handed over to this peer.
    is_answered: bool,
}

impl Cheats {
    /// Checks a packet. `packet` is its number in the capture.
    pub(super) fn add(
        &mut self,
        heard: EventOrigin,
        packet: u64,
        item: &SessionEvent<'_>,
        method: Option<&str>,
        names: &Names,
    ) {
        if item.transport.is_resent() {
            return;
        }
        // A relayed packet is checked on its way to the server, if the capture contains that. It is not checked again
        // on its way from the server.
        let is_first = match item.direction {
            Direction::ToServer => true,
            Direction::ToClient => {
                let mut clients = item.state.clients();
                item.is_relayed && !clients.any(|(_, peer)| Some(peer) == item.source)
            }
        };
        if !is_first && item.is_relayed {
            return;
        }
        if let Message::Godot4(content) = item.message {
            self.note_owners(heard, packet, item, content);
        }
        if item.message.method().is_none() || item.source == Some(1) || !is_first {
            return;
        }
        self.calls += 1;
        let time = item.time.unwrap_or_default();
        let node = item.node_path().unwrap_or("?");
        let mut call = format!("{node}.");
        line::write_method(&mut call, item, method);
        self.count(heard.server, packet, time, item, method, &call);
        self.judge(heard.server, packet, item, &call, names);
    }

    /// Checks the caller and the arguments of a call against the declaration of its method.
    fn judge(
        &mut self,
        server: SocketAddr,
        packet: u64,
        item: &SessionEvent<'_>,
        call: &str,
        names: &Names,
    ) {
        let Some((script, declared)) = names.declaration(item) else {
            self.unjudged += 1;
            self.unjudged_godot3 += u64::from(matches!(item.message, Message::Godot3(_)));
            return;
        };
        let script = script.path();
        let node = item.node_path().unwrap_or_default();
        self.any_caller += u64::from(declared.mode().is_none());
        if declared.mode() == Some(RpcMode::Authority) && !is_named_for(node, item.source) {
            let mut text =
                format!("calls {call}, which {script} lets only the authority of the node call");
            let clients = item.state.clients();
            for (_, peer) in clients.filter(|(_, peer)| is_named_for(node, Some(*peer))) {
                let _ = write!(text, "; the node is named for {peer}");
            }
            self.find(server, "authority", packet, item, call, text);
        }
        if declared.mode() == Some(RpcMode::Disabled) {
            let text = format!("calls {call}, which {script} lets nobody call");
            self.find(server, "authority", packet, item, call, text);
        }
        let Some(args) = item.message.args() else {
            return;
        };
        let why = match declared.check(args) {
            Ok(()) => return,
            Err(BadArguments::Count { given, least, most }) => {
                let expected = match least == most {
                    true => most.to_string(),
                    false => format!("{least} to {most}"),
                };
                let given = words::plural(given as u64, "argument");
                format!("calls {call} with {given}, but it takes {expected} ({script})")
            }
            Err(BadArguments::Type {
                place,
                given,
                expected,
            }) => format!(
                "calls {call} with {} as args[{place}], but it takes {} ({script})",
                type_name(given),
                type_name(expected)
            ),
        };
        self.find(server, "arguments", packet, item, call, why);
    }

    /// Counts a call in its second of the capture.
    fn count(
        &mut self,
        server: SocketAddr,
        packet: u64,
        time: Duration,
        item: &SessionEvent<'_>,
        method: Option<&str>,
        call: &str,
    ) {
        // The calls of a method are counted together for all nodes. A method that has only a number is counted per
        // node, because numbers mean something only within a node.
        let method = match (method, item.message.method()) {
            (Some(name), _) => name.to_owned(),
            (None, Some(Named::Name(name))) => name.to_string(),
            (None, _) => call.to_owned(),
        };
        let key = (server, method, item.source);
        if self.rates.len() >= REMEMBERED && !self.rates.contains_key(&key) {
            return;
        }
        let rate = self.rates.entry(key).or_default();
        if rate.second != time.as_secs() {
            rate.end_second();
            rate.second = time.as_secs();
        }
        if rate.now.calls == 0 {
            (rate.now.packet, rate.now.time) = (packet, time);
        }
        rate.now.calls += 1;
    }

    /// Remembers who sends for each synchronizer and spawner in a packet.
    fn note_owners(
        &mut self,
        heard: EventOrigin,
        packet: u64,
        item: &SessionEvent<'_>,
        content: Packet<'_>,
    ) {
        let mut note = |id: Option<u32>| {
            let node = id.and_then(|id| item.state.path(item.link, item.source, id));
            let Some(node) = node else {
                return;
            };
            let time = item.time.unwrap_or_default();
            let key = (heard.server, node.path().to_owned());
            if let Some(owner) = self.owners.get_mut(&key) {
                owner.note(packet, time, item.source);
            } else if self.owners.len() < REMEMBERED {
                let owner = Owner {
                    peer: item.source,
                    other: None,
                };
                self.owners.insert(key, owner);
            }
        };
        match content {
            Packet::Sync(sync) => {
                let entries = sync.entries().map_while(Result::ok);
                entries.for_each(|entry| note(entry.path_id()));
            }
            Packet::Delta(delta) => {
                let entries = delta.entries().map_while(Result::ok);
                entries.for_each(|entry| note(entry.path_id()));
            }
            Packet::Spawn(spawn) => note(Some(spawn.spawner())),
            _ => {}
        }
    }

    fn find(
        &mut self,
        server: SocketAddr,
        kind: &'static str,
        packet: u64,
        item: &SessionEvent<'_>,
        call: &str,
        text: String,
    ) {
        let key = (server, kind, item.source, format!("{call} {text}"));
        if let Some(finding) = self.findings.get_mut(&key) {
            finding.count += 1;
        } else if self.findings.len() < REMEMBERED {
            let finding = Finding {
                packet,
                time: item.time.unwrap_or_default(),
                text,
                count: 1,
            };
            self.findings.insert(key, finding);
        }
    }

    /// Returns all findings with their kind and caller, in the order of their packets.
    fn all(&mut self) -> Vec<(&'static str, Option<i32>, Finding)> {
        let findings = self.findings.iter();
        let mut all: Vec<_> = findings
            .map(|((_, kind, source, _), finding)| (*kind, *source, finding.clone()))
            .collect();
        for rate in self.rates.values_mut() {
            rate.end_second();
        }
        for ((server, method, source), rate) in &self.rates {
            let peak = rate.peak;
            let same = self.rates.iter();
            let same = same.filter(|((at, name, _), _)| (at, name) == (server, method));
            if peak.calls < FLOOD {
                continue;
            }
            let median = median(same.map(|(_, rate)| &rate.seconds));
            if peak.calls > FLOOD_FACTOR * median {
                let text = format!(
                    "calls {method} {} times in a second; the median of the game is {median}",
                    peak.calls
                );
                let finding = Finding {
                    packet: peak.packet,
                    time: peak.time,
                    text,
                    count: peak.calls,
                };
                all.push(("flood", *source, finding));
            }
        }
        for ((_, node), owner) in &self.owners {
            let Some(other) = owner.other.as_ref().filter(|other| other.is_answered) else {
                continue;
            };
            let of = owner.peer.map_or("another client".to_owned(), peer_name);
            let finding = Finding {
                packet: other.packet,
                time: other.time,
                text: format!("sends the properties of {node}, which {of} sends, too"),
                count: other.count,
            };
            all.push(("not_theirs", other.peer, finding));
        }
        all.sort_by(|(.., one), (.., other)| {
            (one.packet, &one.text).cmp(&(other.packet, &other.text))
        });
        all
    }

    /// Returns the table of all findings, which has no columns.
    pub(super) fn table(&mut self) -> StatTable {
        let rows = self.all().into_iter().map(|(kind, source, finding)| {
            let who = source.map_or("a client".to_owned(), peer_name);
            let more = match (kind, finding.count) {
                ("flood", _) | (_, 1) => String::new(),
                (_, count) => format!(" ({count} packets)"),
            };
            let (packet, time) = (finding.packet, seconds(finding.time));
            StatRow::new(
                [],
                format!("packet {packet}, {time} s: {who} {}{more}", finding.text),
                [
                    ("cheat", value::string(kind)),
                    ("packet", number(packet)),
                    ("time", time.into_bytes()),
                    ("source", source.map_or("null".into(), number)),
                    ("count", number(finding.count)),
                    ("text", value::string(&finding.text)),
                ],
            )
        });
        StatTable {
            id: "cheats",
            heading: "What clients must not send",
            title: "finding",
            rows: rows.collect(),
            unit: "finding",
            legend: "Packets of clients that an honest game would not send. A finding says that somebody tries, not \
                that it worked.",
            ..StatTable::default()
        }
    }

    /// Summarizes how many calls were checked.
    pub(super) fn note(&self, found: usize) -> String {
        let found = match found {
            0 => "nothing found".to_owned(),
            found => format!("{} found", words::count(found as u64)),
        };
        let calls = words::plural(self.calls, "call");
        let mut note = format!("{found} in {calls} of clients");
        let reasons = [
            (
                self.unjudged - self.unjudged_godot3,
                "the project does not declare their method (--project)",
            ),
            (self.unjudged_godot3, "the scripts of Godot 3 are not read"),
        ];
        for (count, why) in reasons.into_iter().filter(|(count, _)| *count > 0) {
            let count = words::count(count);
            note += &format!("; {count} of them could only be counted, because {why}");
        }
        if self.any_caller > 0 {
            let count = words::count(self.any_caller);
            note += &format!(
                "; the caller of {count} of them is not judged, because the script says with an expression who may call"
            );
        }
        note
    }
}

impl Rate {
    fn end_second(&mut self) {
        if self.now.calls == 0 {
            return;
        }
        self.seconds.add(self.now.calls);
        if self.now.calls > self.peak.calls {
            self.peak = self.now;
        }
        self.now = Second::default();
    }
}

impl Owner {
    fn note(&mut self, packet: u64, time: Duration, source: Option<i32>) {
        if source == self.peer {
            if let Some(other) = &mut self.other {
                other.is_answered |= other.count > 0;
            }
            return;
        }
        // The server is never the intruder. If it sends, the client that sent before is.
        if source == Some(1) {
            let before = std::mem::replace(&mut self.peer, source);
            self.other.get_or_insert(Intruder {
                peer: before,
                packet,
                time,
                count: 1,
                is_answered: false,
            });
            return;
        }
        let other = self.other.get_or_insert(Intruder {
            peer: source,
            packet,
            time,
            count: 0,
            is_answered: false,
        });
        other.count += u64::from(other.peer == source);
    }
}

/// Returns the median number of calls per second, among the seconds with calls.
fn median<'s>(all: impl Iterator<Item = &'s Counts>) -> u64 {
    let mut sum = Counts::default();
    all.for_each(|seconds| sum.merge(seconds));
    sum.median().unwrap_or_default()
}

/// Returns `true` if one of the nodes in the path has the peer's id as its name.
fn is_named_for(path: &str, peer: Option<i32>) -> bool {
    peer.is_some_and(|peer| path.split('/').any(|name| name.parse() == Ok(peer)))
}

fn peer_name(peer: i32) -> String {
    match peer {
        1 => "the server".to_owned(),
        peer => peer.to_string(),
    }
}
