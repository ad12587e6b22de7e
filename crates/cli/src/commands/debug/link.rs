//! [`Link`]: reads from a game's connection and from the prompt.

use std::{
    io::{self, BufRead, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use super::game::Game;
use crate::{
    commands::packets::Failure,
    terminal::{exit::Exit, interrupt::Interrupt},
};

/// The interval between checks whether the game has ended or Ctrl-C was pressed.
const TICK: Duration = Duration::from_millis(50);

/// An event of the game or of the user.
#[derive(Debug)]
pub(super) enum Event {
    Bytes(Vec<u8>),
    /// The game closed the connection.
    Closed,
    Line(String),
    /// The user's input has ended.
    NoMoreLines,
}

/// The connection to a game.
#[derive(Debug)]
pub(super) struct Link {
    stream: TcpStream,
    events: Receiver<Event>,
}

pub(super) fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => Failure::Other(
                Exit::Io,
                format!("{address}: another program listens there, perhaps the editor; choose another port with --listen"),
            ),
            _ => Failure::io(&address.to_string(), &error),
        })
}

/// Waits for the game to connect, for at most `patience`; without a limit if it is `None`.
pub(super) fn accept(
    listener: &TcpListener,
    game: &mut Option<Game>,
    interrupt: &Interrupt,
    patience: Option<Duration>,
) -> Result<TcpStream, Failure> {
    let until = patience.and_then(|patience| Instant::now().checked_add(patience));
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                let ready = stream.set_nonblocking(false);
                return ready
                    .map(|()| stream)
                    .map_err(|error| Failure::io("the connection", &error));
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(Failure::io("the connection", &error)),
        }
        if interrupt.is_set() {
            drop(game.take());
            end_by_signal();
        }
        if let Some(game) = game {
            game.check()?;
        }
        if until.is_some_and(|until| until <= Instant::now()) {
            return Err(Failure::Other(
                Exit::Io,
                "no game connected; start it with --remote-debug, or wait longer with --timeout"
                    .to_owned(),
            ));
        }
        thread::sleep(TICK);
    }
}

/// Ends this process with the default action of SIGINT. The caller must have ended the game before. Does nothing on
/// systems other than Unix.
pub(super) fn end_by_signal() {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGINT);
}

impl Link {
    pub(super) fn new(stream: TcpStream, has_prompt: bool) -> Result<Link, Failure> {
        let failure = |error: io::Error| Failure::io("the connection", &error);
        // The channel is bounded: a game that sends more than is printed has to wait.
        let (sender, events) = sync_channel(64);
        let reader = stream.try_clone().map_err(failure)?;
        stream
            .set_write_timeout(Some(Duration::from_secs(10)))
            .map_err(failure)?;
        let lines = sender.clone();
        thread::spawn(move || read_game(reader, &sender));
        if has_prompt {
            thread::spawn(move || read_lines(&lines));
        }
        Ok(Link { stream, events })
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.stream
            .write_all(bytes)
            .map_err(|error| Failure::io("the connection to the game", &error))
    }

    /// Returns the next event, or `None` if none came within one tick or before `until`.
    pub(super) fn next(&self, until: Option<Instant>) -> Option<Event> {
        let left = until.map_or(TICK, |until| {
            until.saturating_duration_since(Instant::now())
        });
        match self.events.recv_timeout(left.min(TICK)) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Closed),
        }
    }
}

fn read_game(mut stream: TcpStream, events: &SyncSender<Event>) {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let event = match stream.read(&mut buffer) {
            Ok(0) => Event::Closed,
            Ok(len) => Event::Bytes(buffer[..len].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // A game that is killed resets the connection.
            Err(_) => Event::Closed,
        };
        let is_over = matches!(event, Event::Closed);
        if events.send(event).is_err() || is_over {
            return;
        }
    }
}

fn read_lines(events: &SyncSender<Event>) {
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::NoMoreLines);
}
