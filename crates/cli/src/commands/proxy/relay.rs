//! [`Relay`]: reads, changes, prints and records everything that passes between the two sockets.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::File,
    io::{self, BufWriter},
    net::{SocketAddr, UdpSocket},
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use gdvar_packet::{
    Direction, Filter, Forwarded, Message, NodePath, NodeRef, PacketEdit, PacketEditor,
    PacketErrorKind, Session, SessionEvent, SessionLimits, Transport, TransportInfo,
    capture::{Protocol, Segment, Writer, is_enet_connect, looks_like_enet},
    enet::Delivery,
    godot4::Packet,
    names::Names,
};
use mio::{Events, Interest, Poll, Token, event::Source};

use super::{ProxyArgs, address, rules};
use crate::{
    app::App,
    commands::packets::{self, Failure, line},
    terminal::{exit::Exit, interrupt::Interrupt, words},
};

/// A pcap of the data that is passed on.
type Recording = Writer<BufWriter<File>>;

/// How long a call may wait for the receiver to confirm its node. A lost answer is sent again within a second or two.
/// ENet would give up a connection that waits longer than this.
const PATIENCE: Duration = Duration::from_secs(3);

/// Creates the file of `--record`. An existing file is not overwritten.
fn recording(path: &Path) -> Result<Recording, Failure> {
    let failure = |error: io::Error| Failure::io(&path.display().to_string(), &error);
    let file = File::create_new(path).map_err(failure)?;
    Writer::new(BufWriter::new(file)).map_err(failure)
}

/// A client, and its number in the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) number: u32,
    pub(super) client: SocketAddr,
}

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) clients: u64,
    pub(super) heard: u64,
    pub(super) lost: u64,
    /// The number of datagrams that arrived twice.
    pub(super) doubled: u64,
    /// The number of datagrams that the next one has overtaken.
    pub(super) overtaken: u64,
    /// The number of connections and datagrams of clients for which there was no room.
    pub(super) refused: u64,
    /// The number of clients without a connection to the server.
    unreached: u64,
    rewritten: u64,
    dropped: u64,
    withheld: u64,
    blocked: u64,
    /// The number of packets that were passed on unchanged, although a rule applies or may apply to them.
    unchanged: u64,
    /// The number of packets in `unchanged` for which it is not clear whether a rule applies.
    unclear: u64,
}

/// The core of the proxy: reads, changes, prints and records all that passes.
pub(super) struct Relay<'a> {
    args: &'a ProxyArgs,
    pub(super) listen: SocketAddr,
    pub(super) target: SocketAddr,
    pub(super) until: Option<Instant>,
    interrupt: Interrupt,
    /// The carrier that the command line names. `None` for datagrams: each is a packet of ENet or a value.
    carrier: Option<Transport>,
    sessions: HashMap<Transport, Session>,
    /// The links on which a CONNECT of ENet came.
    enet: BTreeSet<u32>,
    /// For each link with withheld calls, the time when the first of them began to wait for the receiver to confirm its
    /// node.
    withheld: BTreeMap<u32, Duration>,
    printer: Printer<'a>,
    editor: Option<PacketEditor>,
    recording: Option<Recording>,
    onward: Forwarded,
    start: Instant,
    start_time: Duration,
    pub(super) counts: Counts,
}

impl<'a> Relay<'a> {
    pub(super) fn new(app: &'a mut App, args: &'a ProxyArgs) -> Result<Relay<'a>, Failure> {
        let (listen, target) = (address(&args.listen)?, address(&args.target)?);
        if is_same(listen, target) {
            return Err(Failure::usage(format!(
                "{listen} is both LISTEN and TARGET, so the proxy would send to itself; another port is expected for \
                 LISTEN, for instance {}",
                listen.port().checked_add(1).unwrap_or(7778)
            )));
        }
        let filter = args.filter.as_deref().map(Filter::parse).transpose();
        let filter = filter.map_err(|error| Failure::usage(format!("--filter: {error}")))?;
        let editor = rules::editor(args)?;
        let names = packets::project::names(app, args.project.as_deref())?;
        let printer = Printer {
            app,
            args,
            names,
            filter,
            failed: Ok(()),
        };
        let carriers = [
            (args.tcp, Transport::Records),
            (args.ws, Transport::WebSocket),
            (args.debugger, Transport::Debugger),
        ];
        let seconds = args.seconds.map(Duration::from_secs);
        let start_time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Ok(Relay {
            args,
            listen,
            target,
            interrupt: Interrupt::catch().map_err(|error| Failure::io("signals", &error))?,
            until: seconds.and_then(|seconds| Instant::now().checked_add(seconds)),
            carrier: { carriers.into_iter() }.find_map(|(named, carrier)| named.then_some(carrier)),
            sessions: HashMap::new(),
            enet: BTreeSet::new(),
            withheld: BTreeMap::new(),
            printer,
            editor,
            recording: args.record.as_deref().map(recording).transpose()?,
            onward: Forwarded::new().without_compression(),
            start: Instant::now(),
            start_time: start_time.unwrap_or_default(),
            counts: Counts::default(),
        })
    }

    /// Prints that the proxy listens at `listen`, and warns if other machines can reach it.
    pub(super) fn ready(&mut self, listen: SocketAddr) -> io::Result<()> {
        let (app, target) = (&mut self.printer.app, self.target);
        if !listen.ip().is_loopback() {
            app.warn(&format!(
                "warning: whoever reaches {listen} talks to {target} through this machine; 127.0.0.1 is this machine alone"
            ))?;
        }
        app.note(&format!("{listen}: waiting for clients of {target}"))
    }

    /// Returns the largest number of clients at a time.
    pub(super) fn most_clients(&self) -> usize {
        self.args.clients.into()
    }

    /// Returns `true` if `--seconds` have passed, or if a signal asks the proxy to end. The signal also wakes [`wait`].
    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.interrupt.is_set() || self.until.is_some_and(|until| until <= now)
    }

    /// Processes a datagram or a piece of a stream. Calls `hand_on` with all bytes that are to be sent on.
    pub(super) fn pass(
        &mut self,
        link: Link,
        direction: Direction,
        bytes: &[u8],
        mut hand_on: impl FnMut(&[u8]),
    ) {
        self.counts.heard += 1;
        if self.printer.app.global.quiet && self.editor.is_none() {
            return hand_on(bytes);
        }
        let carrier = self.carrier_of(link.number, bytes);
        let args = self.args;
        let session = self.sessions.entry(carrier).or_insert_with(|| {
            Session::new(args.engine, carrier).with_limits(limits(args.clients.into()))
        });
        let time = self.start.elapsed();
        let printer = &mut self.printer;
        let Some(editor) = &mut self.editor else {
            // Nothing will be changed, so the bytes are sent on before they are printed.
            hand_on(bytes);
            session.receive(link.number, direction, bytes, |item| {
                let item = SessionEvent {
                    time: Some(time),
                    ..item
                };
                printer.item(time, &item, &item, "");
            });
            return;
        };
        let counts = &mut self.counts;
        let hides = args.scrub || !args.redact.is_empty() || !args.drop.is_empty();
        let is_closed = hides && !args.pass_unclear;
        let withheld = &mut self.withheld;
        let edit = |item: SessionEvent<'_>, out: &mut Vec<u8>| {
            let item = SessionEvent {
                time: Some(time),
                ..item
            };
            let method = printer.names.executed(&item);
            if matches!(item.message, Message::Godot4(Packet::ConfirmPath(_))) {
                withheld.remove(&item.link);
            }
            let (may_hide, reason) = match editor.edit(&item, method, out) {
                Ok(PacketEdit::Dropped) => {
                    counts.dropped += 1;
                    printer.item(time, &item, &item, "  (dropped)");
                    return PacketEdit::Dropped;
                }
                Ok(PacketEdit::Rewritten) if item.is_editable() => {
                    counts.rewritten += 1;
                    if let Ok(new) = item.with_bytes(out) {
                        printer.item(time, &item, &new, "  (rewritten)");
                    }
                    return PacketEdit::Rewritten;
                }
                Ok(PacketEdit::Unchanged) if item.is_editable() || !is_closed => {
                    printer.item(time, &item, &item, "");
                    return PacketEdit::Unchanged;
                }
                Ok(_) => (true, "longer than 32 KiB, and in pieces".to_owned()),
                Err(error) => {
                    let kind = error.kind();
                    let may_hide = match kind {
                        PacketErrorKind::Unclear { hides } => {
                            let may_wait = !args.pass_unclear && printer.may_get_a_name(&item);
                            if may_wait
                                && time - *withheld.entry(item.link).or_insert(time) < PATIENCE
                            {
                                counts.withheld += 1;
                                let remark = "  (withheld: its node is not confirmed yet)";
                                printer.head(time, &item, remark);
                                return PacketEdit::Withheld;
                            }
                            counts.unclear += u64::from(!(hides && is_closed));
                            hides
                        }
                        _ => true,
                    };
                    (may_hide, kind.to_string())
                }
            };
            if may_hide && is_closed {
                // A packet in several fragments is reported only once, with its last fragment.
                if !matches!(item.message, Message::Enet(_)) {
                    counts.blocked += 1;
                    printer.head(time, &item, &format!("  (blocked: {reason})"));
                }
                PacketEdit::Dropped
            } else {
                counts.unchanged += 1;
                let remark = format!("  (left as it came: {reason})");
                printer.item(time, &item, &item, &remark);
                PacketEdit::Unchanged
            }
        };
        session.rewrite(link.number, direction, bytes, &mut self.onward, edit);
        for piece in self.onward.pieces() {
            hand_on(piece);
        }
    }

    /// Decides the carrier of a datagram. After a CONNECT of ENet, every datagram of the link is ENet. Before that,
    /// looks at this datagram alone, so that a stray datagram cannot affect later datagrams or other clients.
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

    /// Records data that is passed on.
    pub(super) fn record(
        &mut self,
        link: Link,
        direction: Direction,
        protocol: Protocol,
        payload: &[u8],
    ) {
        let Some(recording) = &mut self.recording else {
            return;
        };
        let (source, target) = match direction {
            Direction::ToServer => (link.client, self.target),
            Direction::ToClient => (self.target, link.client),
        };
        let segment = Segment {
            source,
            target,
            protocol,
            payload,
        };
        let time = self.start_time + self.start.elapsed();
        let written = recording.write(time, segment);
        if self.printer.failed.is_ok() {
            self.printer.failed = written;
        }
    }

    pub(super) fn is_recorded(&self) -> bool {
        self.recording.is_some()
    }

    /// Forgets a client that has left.
    pub(super) fn forget(&mut self, link: u32) {
        self.enet.remove(&link);
        self.withheld.remove(&link);
        for session in self.sessions.values_mut() {
            session.forget(link);
        }
    }

    /// Counts a client for which there is no connection to the server, and warns of the first one.
    pub(super) fn unreached(&mut self, error: &io::Error) {
        self.counts.unreached += 1;
        if self.counts.unreached > 1 || self.printer.failed.is_err() {
            return;
        }
        let target = self.target;
        let text =
            format!("warning: no connection to {target}: {error}; does the server run there?");
        self.printer.failed = self.printer.app.warn(&text);
    }

    /// Flushes the output and the recording. Returns the first error since the last call.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        std::mem::replace(&mut self.printer.failed, Ok(()))?;
        if let Some(recording) = &mut self.recording {
            recording.flush()?;
        }
        self.printer.app.flush()
    }

    /// Prints a summary of what the proxy did.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        self.flush()?;
        let counts = self.counts;
        let unit = if self.args.udp { "datagram" } else { "piece" };
        let mut text = format!(
            "{}, {}",
            words::plural(counts.clients, "client"),
            words::plural(counts.heard, unit)
        );
        for (count, what) in [
            (counts.lost, "lost"),
            (counts.doubled, "doubled"),
            (counts.overtaken, "overtaken"),
            (
                counts.refused,
                "refused, because there were too many clients",
            ),
            (
                counts.unreached,
                "without the server, to which there was no connection",
            ),
            (counts.rewritten, "rewritten"),
            (counts.dropped, "dropped"),
            (
                counts.withheld,
                "withheld until they were sent again, because their node was not confirmed yet",
            ),
            (
                counts.blocked,
                "blocked, because a rule may be for them (--pass-unclear hands them on)",
            ),
            (
                counts.unchanged - counts.unclear,
                "left as they came, because they cannot be changed so",
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
        let app = self.printer.app;
        if counts.unchanged > 0 {
            app.exit.merge(Exit::Findings);
        }
        Ok(app.note(&text)?)
    }
}

/// Returns the limits for sessions. They are lower than the defaults, because strangers may connect to a proxy.
fn limits(clients: usize) -> SessionLimits {
    SessionLimits {
        links: clients,
        names_per_peer: 4096,
        name_len: 512,
        fragmented: 4,
        packet_len: 1 << 20,
    }
}

/// Prints packets that pass the filter.
struct Printer<'a> {
    app: &'a mut App,
    args: &'a ProxyArgs,
    names: Names,
    filter: Option<Filter>,
    /// The first error of the output or of the recording.
    failed: io::Result<()>,
}

impl Printer<'_> {
    /// Returns `true` for a reliable call that contains the path of its node, because the receiver has not confirmed
    /// the node. After the confirmation, the method may be found in a script of the project.
    fn may_get_a_name(&self, item: &SessionEvent<'_>) -> bool {
        let TransportInfo::Enet {
            delivery: Some(Delivery::Reliable),
            ..
        } = item.transport
        else {
            return false;
        };
        let is_by_path = matches!(item.message.node(), Some(NodeRef::Path(_)));
        is_by_path
            && item.node().and_then(NodePath::matches).is_none()
            && item.is_editable()
            && !self.names.scripts().is_empty()
    }

    fn is_quiet(&self) -> bool {
        self.app.global.quiet || self.failed.is_err()
    }

    /// Prints the line of an item without its content.
    fn head(&mut self, time: Duration, item: &SessionEvent<'_>, remark: &str) {
        let is_shown = |filter: &Filter| filter.judge(item, None) != Some(false);
        if self.is_quiet() || !self.filter.as_ref().is_none_or(is_shown) {
            return;
        }
        let line = match self.args.json_lines {
            true => line::json_head(time, item, remark.trim()),
            false => (line::head(time, item) + remark + "\n").into_bytes(),
        };
        self.failed = self.app.raw(&line);
    }

    /// Prints the packet `now`, as it is passed on, if the received packet `came` matches `--filter`.
    fn item(
        &mut self,
        time: Duration,
        came: &SessionEvent<'_>,
        now: &SessionEvent<'_>,
        remark: &str,
    ) {
        if self.is_quiet() || line::is_carriers_own(came) && !self.args.all {
            return;
        }
        let method = self.names.method(came);
        let filter = self.filter.as_ref();
        if filter.is_some_and(|filter| !filter.matches(came, method)) {
            return;
        }
        let line = if self.args.json_lines {
            line::json(time, None, now, method, &self.names)
        } else {
            let mut line = line::text(time, now, method, &self.names);
            line.pop();
            line.extend_from_slice(remark.as_bytes());
            line.push(b'\n');
            line
        };
        self.failed = self.app.raw(&line);
    }
}

/// Returns `true` if what is sent to `target` reaches a socket that listens at `listen`.
fn is_same(listen: SocketAddr, target: SocketAddr) -> bool {
    let (own, to) = (listen.ip(), target.ip());
    // An unspecified address receives for all addresses of this machine, to which a socket can be bound.
    let is_local = || UdpSocket::bind((to, 0)).is_ok();
    let receives = match own.is_unspecified() {
        true => (own.is_ipv6() || to.is_ipv4()) && is_local(),
        // Sending to the unspecified address reaches this machine.
        false => {
            own == to || to.is_unspecified() && own.is_loopback() && own.is_ipv4() == to.is_ipv4()
        }
    };
    listen.port() == target.port() && listen.port() != 0 && receives
}

/// The token of the socket at which clients connect.
pub(super) const LISTEN: Token = Token(0);

/// Creates the failure for an error that does not belong to a single client.
pub(super) fn system(error: io::Error) -> Failure {
    Failure::io("the system's sockets", &error)
}

/// Starts to listen for clients with the socket that `bind` creates.
pub(super) fn listen<S: Source>(
    relay: &Relay<'_>,
    bind: impl FnOnce(SocketAddr) -> io::Result<S>,
) -> Result<(S, Poll), Failure> {
    let address = relay.listen;
    let mut socket = bind(address).map_err(|error| Failure::io(&address.to_string(), &error))?;
    let poll = Poll::new().map_err(system)?;
    let registry = poll.registry();
    let registered = registry.register(&mut socket, LISTEN, Interest::READABLE);
    registered.map_err(system)?;
    Ok((socket, poll))
}

/// Waits until a socket is ready, a signal comes, or the time `next` is reached.
pub(super) fn wait(
    poll: &mut Poll,
    events: &mut Events,
    next: Option<Instant>,
) -> Result<(), Failure> {
    let timeout = next.map(|next| next.saturating_duration_since(Instant::now()));
    match poll.poll(events, timeout) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(system(error)),
        _ => Ok(()),
    }
}
