//! [`Relay`]: what happens to a datagram or a piece of a stream between the two sockets.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufWriter},
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use gdvar_packet::{
    Direction, Engine, Filter, Forwarded, Message, PacketEdit, PacketEditor, PacketErrorKind,
    Session, SessionEvent, SessionLimits, Transport,
    capture::{Protocol, Segment, Writer, is_enet_connect, looks_like_enet},
    names::Names,
};

use super::{ProxyArgs, Trouble};
use crate::{
    app::App,
    commands::packets::line,
    terminal::{exit::Exit, words},
};

/// A file that what is handed on is written to.
pub(super) type Record = Writer<BufWriter<File>>;

/// Makes the file of `--record`.
pub(super) fn record(path: &Path) -> Result<Record, Trouble> {
    let trouble = |error: io::Error| Trouble::io(&path.display().to_string(), &error);
    // A file that somebody has recorded is not overwritten.
    let file = File::options().write(true).create_new(true).open(path);
    Writer::new(BufWriter::new(file.map_err(trouble)?)).map_err(trouble)
}

/// The address it listens on, and for how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) listen: SocketAddr,
    pub(super) target: SocketAddr,
    pub(super) clients: usize,
    pub(super) until: Option<Instant>,
}

/// One client's line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) link: u32,
    pub(super) client: SocketAddr,
    pub(super) server: SocketAddr,
}

/// Why it ends early.
#[derive(Debug)]
pub(super) enum Failure {
    /// Standard output, or the record.
    Output(io::Error),
    /// A socket.
    Socket(Trouble),
}

impl Failure {
    pub(super) fn socket(what: &str, error: &io::Error) -> Failure {
        Failure::Socket(Trouble::io(what, error))
    }

    /// Errors of the output are told by who runs commands.
    pub(super) fn split(self) -> Result<io::Result<()>, Trouble> {
        match self {
            Failure::Output(error) => Ok(Err(error)),
            Failure::Socket(trouble) => Err(trouble),
        }
    }
}

/// The counts of what was done.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) clients: u64,
    pub(super) heard: u64,
    pub(super) lost: u64,
    pub(super) refused: u64,
    rewritten: u64,
    dropped: u64,
    blocked: u64,
    unchanged: u64,
    unclear: u64,
}

/// Shows, records and rewrites.
pub(super) struct Relay<'a> {
    pub(super) app: &'a mut App,
    args: &'a ProxyArgs,
    engine: Engine,
    /// The carrier that was named; without one datagrams are ENet's or values.
    carrier: Option<Transport>,
    sessions: Vec<(Transport, Session)>,
    /// The lines that began with a CONNECT of ENet.
    enet: BTreeSet<u32>,
    names: Names,
    filter: Option<Filter>,
    editor: Option<PacketEditor>,
    record: Option<Record>,
    onward: Forwarded,
    start: Instant,
    start_time: Duration,
    pub(super) counts: Counts,
    failed: io::Result<()>,
}

/// The memory for clients: less than by default, because a proxy has strangers.
fn limits(clients: usize) -> SessionLimits {
    SessionLimits {
        links: clients,
        names_per_peer: 4096,
        name_len: 512,
        fragmented: 4,
        packet_len: 1 << 20,
    }
}

impl<'a> Relay<'a> {
    pub(super) fn new(
        app: &'a mut App,
        args: &'a ProxyArgs,
        engine: Engine,
        carrier: Option<Transport>,
        names: Names,
    ) -> Relay<'a> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Relay {
            app,
            args,
            engine,
            carrier,
            sessions: Vec::new(),
            enet: BTreeSet::new(),
            names,
            filter: None,
            editor: None,
            record: None,
            onward: Forwarded::new().without_compression(),
            start: Instant::now(),
            start_time: since.unwrap_or_default(),
            counts: Counts::default(),
            failed: Ok(()),
        }
    }

    pub(super) fn set_rules(
        &mut self,
        filter: Option<Filter>,
        editor: Option<PacketEditor>,
        record: Option<Record>,
    ) {
        (self.filter, self.editor, self.record) = (filter, editor, record);
    }

    /// Says that all is ready.
    pub(super) fn ready(&mut self, place: &Place, listen: SocketAddr) -> Result<(), Failure> {
        if !listen.ip().is_loopback() {
            let (listen, target) = (listen, place.target);
            let text = format!(
                "warning: whoever reaches {listen} talks to {target} through this machine; 127.0.0.1 is this machine alone"
            );
            self.app.warn(&text).map_err(Failure::Output)?;
        }
        let text = format!("{listen}: waiting for clients of {}", place.target);
        self.app.note(&text).map_err(Failure::Output)
    }

    /// Takes what came; calls `hand_on` for all that goes on its way.
    pub(super) fn pass(
        &mut self,
        line: Line,
        direction: Direction,
        bytes: &[u8],
        mut hand_on: impl FnMut(&[u8]),
    ) {
        self.counts.heard += 1;
        let quiet = self.app.global.quiet;
        if quiet && self.editor.is_none() {
            return hand_on(bytes);
        }
        let carrier = self.carrier_of(line.link, bytes);
        let (engine, limits) = (self.engine, limits(self.args.clients.into()));
        let place = self.sessions.iter().position(|(of, _)| *of == carrier);
        let place = place.unwrap_or_else(|| {
            let session = Session::new(engine, carrier).with_limits(limits);
            self.sessions.push((carrier, session));
            self.sessions.len() - 1
        });
        let (_, session) = &mut self.sessions[place];
        let time = self.start.elapsed();
        let mut show = Show {
            app: &mut *self.app,
            args: self.args,
            names: &self.names,
            filter: self.filter.as_ref(),
            time,
            failed: &mut self.failed,
        };
        let Some(editor) = &mut self.editor else {
            // Nobody changes anything: it goes first, and is looked at then.
            hand_on(bytes);
            session.receive(line.link, direction, bytes, |item| {
                let item = SessionEvent {
                    time: Some(time),
                    ..item
                };
                show.item(&item, Some(&item), "");
            });
            return;
        };
        let counts = &mut self.counts;
        let names = &self.names;
        let is_closed = !self.args.pass_unclear && Relay::hides(self.args);
        session.rewrite(
            line.link,
            direction,
            bytes,
            &mut self.onward,
            |item, out| {
                let item = SessionEvent {
                    time: Some(time),
                    ..item
                };
                let edit = match editor.edit(&item, names.executed(&item), out) {
                    Ok(PacketEdit::Dropped) => Ok(PacketEdit::Dropped),
                    Ok(edit) if item.is_editable() => Ok(edit),
                    Ok(edit) if edit == PacketEdit::Unchanged && !is_closed => Ok(edit),
                    Ok(_) => Err((true, "longer than 32 KiB, and in pieces".to_owned())),
                    Err(error) => {
                        let hides = match error.kind() {
                            PacketErrorKind::Unclear { hides } => {
                                counts.unclear += u64::from(!(hides && is_closed));
                                hides
                            }
                            _ => true,
                        };
                        Err((hides, error.kind().to_string()))
                    }
                };
                let edit = match edit {
                    Ok(edit) => edit,
                    // What may be hidden is handed on by nobody, and not shown either.
                    Err((true, reason)) if is_closed => {
                        // A piece of a long packet is told of with its last one.
                        if !matches!(item.message, Message::Enet(_)) {
                            counts.blocked += 1;
                            show.hidden(&item, &format!("  (blocked: {reason})"));
                        }
                        return PacketEdit::Dropped;
                    }
                    Err((_, reason)) => {
                        counts.unchanged += 1;
                        show.item(
                            &item,
                            Some(&item),
                            &format!("  (left as it came: {reason})"),
                        );
                        return PacketEdit::Unchanged;
                    }
                };
                match edit {
                    PacketEdit::Unchanged => show.item(&item, Some(&item), ""),
                    PacketEdit::Rewritten => {
                        counts.rewritten += 1;
                        let new = item.with_bytes(out).ok();
                        show.item(&item, new.as_ref(), "  (rewritten)");
                    }
                    PacketEdit::Dropped => {
                        counts.dropped += 1;
                        show.item(&item, Some(&item), "  (dropped)");
                    }
                }
                edit
            },
        );
        for piece in self.onward.pieces() {
            hand_on(piece);
        }
    }

    /// The carrier of a datagram. Each is looked at by itself: a stray one says nothing of those that follow it, nor of
    /// other clients'. On a line that began with a CONNECT all are ENet's.
    fn carrier_of(&mut self, link: u32, bytes: &[u8]) -> Transport {
        if let Some(carrier) = self.carrier {
            return carrier;
        }
        if is_enet_connect(bytes) {
            self.enet.insert(link);
        }
        if self.enet.contains(&link) || looks_like_enet(bytes) {
            Transport::Enet
        } else {
            Transport::Values
        }
    }

    /// Returns `true` if a rule keeps something from somebody.
    fn hides(args: &ProxyArgs) -> bool {
        args.scrub || !args.redact.is_empty() || !args.drop.is_empty()
    }

    /// Records what is handed on.
    pub(super) fn record(
        &mut self,
        line: Line,
        direction: Direction,
        protocol: Protocol,
        payload: &[u8],
    ) {
        let Some(record) = &mut self.record else {
            return;
        };
        let (source, target) = match direction {
            Direction::ToServer => (line.client, line.server),
            Direction::ToClient => (line.server, line.client),
        };
        let segment = Segment {
            source,
            target,
            protocol,
            payload,
        };
        let time = self.start_time + self.start.elapsed();
        if let (Err(error), true) = (record.write(time, segment), self.failed.is_ok()) {
            self.failed = Err(error);
        }
    }

    pub(super) fn is_recorded(&self) -> bool {
        self.record.is_some()
    }

    /// A client is gone.
    pub(super) fn forget(&mut self, link: u32) {
        self.enet.remove(&link);
        for (_, session) in &mut self.sessions {
            session.forget(link);
        }
    }

    /// Prints and writes what is held back; where that fails, it ends.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        std::mem::replace(&mut self.failed, Ok(())).map_err(Failure::Output)?;
        if let Some(record) = &mut self.record {
            record.flush().map_err(Failure::Output)?;
        }
        self.app.flush().map_err(Failure::Output)
    }

    /// Says what was done.
    pub(super) fn end(mut self) -> io::Result<()> {
        if let Err(Failure::Output(error)) = self.flush() {
            return Err(error);
        }
        let counts = self.counts;
        let unit = match self.carrier {
            None | Some(Transport::Enet | Transport::Values) => "datagram",
            Some(_) => "piece",
        };
        let mut text = format!(
            "{}, {}",
            words::plural(counts.clients, "client"),
            words::plural(counts.heard, unit)
        );
        for (count, what) in [
            (counts.lost, "lost"),
            (
                counts.refused,
                "refused, because there were too many clients",
            ),
            (counts.rewritten, "rewritten"),
            (counts.dropped, "dropped"),
            (
                counts.blocked,
                "blocked, because a rule may be for them (--pass-unclear hands them on)",
            ),
            (
                counts.unchanged - counts.unclear,
                "left as they came, too long to be changed",
            ),
            (
                counts.unclear,
                "left as they came, though a rule may be for them",
            ),
        ] {
            if count > 0 {
                text += &format!(", {} {what}", words::count(count));
            }
        }
        if counts.unchanged > 0 {
            self.app.exit.merge(Exit::Findings);
        }
        self.app.note(&text)
    }
}

/// Prints packets.
struct Show<'s> {
    app: &'s mut App,
    args: &'s ProxyArgs,
    names: &'s Names,
    filter: Option<&'s Filter>,
    time: Duration,
    failed: &'s mut io::Result<()>,
}

impl Show<'_> {
    /// Prints that there was an item, and nothing of what is in it.
    fn hidden(&mut self, came: &SessionEvent<'_>, remark: &str) {
        let is_wanted = !self.app.global.quiet && self.failed.is_ok();
        let is_shown = |filter: &Filter| filter.judge(came, None) != Some(false);
        if !is_wanted || !self.filter.is_none_or(is_shown) {
            return;
        }
        *self.failed = if self.args.json_lines {
            let line = line::json_head(self.time, came, remark.trim());
            self.app.raw(&line)
        } else {
            let line = line::head(self.time, came) + remark + "\n";
            self.app.raw(line.as_bytes())
        };
    }

    /// Prints an item as it is handed on, if it is to be shown as it came.
    fn item(&mut self, came: &SessionEvent<'_>, now: Option<&SessionEvent<'_>>, remark: &str) {
        let is_own = matches!(
            came.message,
            Message::Enet(_) | Message::WebSocket(_) | Message::Http
        );
        let method = self.names.method(came);
        if self.app.global.quiet
            || self.failed.is_err()
            || is_own && !self.args.all
            || self
                .filter
                .is_some_and(|filter| !filter.matches(came, method))
        {
            return;
        }
        let Some(item) = now else {
            return;
        };
        *self.failed = if self.args.json_lines {
            let line = line::json(self.time, None, item, method, self.names);
            self.app.raw(&line)
        } else {
            let mut line = line::text(self.time, item, method, self.names);
            line.pop();
            line.extend_from_slice(remark.as_bytes());
            line.push(b'\n');
            self.app.raw(&line)
        };
    }
}
