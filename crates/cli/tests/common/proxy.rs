//! Runs `gdvar proxy`.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{Child, ChildStderr, Command, ExitStatus, Stdio},
};

/// A running `gdvar proxy`.
pub(crate) struct Proxy {
    pub(crate) child: Child,
    /// The address where it listens for clients.
    pub(crate) at: SocketAddr,
    notes: BufReader<ChildStderr>,
}

impl Proxy {
    /// Starts a proxy to `target`. Returns when it listens for clients at `listen`.
    pub(crate) fn start(carrier: &str, listen: &str, target: SocketAddr, args: &[&str]) -> Proxy {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
            .args(["proxy", carrier, listen, &target.to_string()])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut notes = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        notes.read_line(&mut line).unwrap();
        let at = line
            .strip_prefix("note: ")
            .and_then(|line| line.split_once(": "));
        let at = at.unwrap_or_else(|| panic!("{line}")).0.parse().unwrap();
        Proxy { child, at, notes }
    }

    /// Waits until the proxy ends. Returns its exit status, its output, and its notes on standard
    /// error.
    pub(crate) fn end(mut self) -> (ExitStatus, String, String) {
        let (mut out, mut notes) = (String::new(), String::new());
        let mut stdout = self.child.stdout.take().unwrap();
        stdout.read_to_string(&mut out).unwrap();
        self.notes.read_to_string(&mut notes).unwrap();
        (self.child.wait().unwrap(), out, notes)
    }
}
