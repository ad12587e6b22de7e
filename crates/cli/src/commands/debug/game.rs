//! [`Game`]: the process of the game, which ends with the command.

use std::{
    ffi::OsString,
    fs::File,
    io::{Read, Seek, SeekFrom},
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

use gdvar_packet::Engine;

use crate::commands::packets::Failure;

/// The most bytes of the game's last words that are shown.
const LAST_WORDS: u64 = 2000;

/// A game that this command started. It is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Game {
    child: Child,
    name: String,
    /// What it writes to standard error, which the debugger sends too once it is connected.
    errors: File,
}

impl Game {
    /// Starts the game with `--remote-debug` in front of the arguments after its own `--`.
    pub(super) fn start(
        words: &[OsString],
        address: SocketAddr,
        engine: Engine,
    ) -> Result<Game, Failure> {
        let name = words[0].to_string_lossy().into_owned();
        let failure = |error| Failure::io(&name, &error);
        let address = match engine {
            Engine::Godot3 => address.to_string(),
            Engine::Godot4 => format!("tcp://{address}"),
        };
        let is_own = |word: &OsString| word == "--" || word == "++";
        let end = words.iter().position(is_own).unwrap_or(words.len());
        let mut errors = tempfile::tempfile().map_err(failure)?;
        let child = Command::new(&words[0])
            .args(&words[1..end])
            .arg("--remote-debug")
            .arg(address)
            .args(&words[end..])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors.try_clone().map_err(failure)?)
            .spawn()
            .map_err(failure)?;
        errors.rewind().map_err(failure)?;
        Ok(Game {
            child,
            name,
            errors,
        })
    }

    /// Returns a failure if the game has ended. For the time before it is connected.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        let status = self.child.try_wait();
        let Some(status) = status.map_err(|error| Failure::io(&self.name, &error))? else {
            return Ok(());
        };
        let mut words = Vec::new();
        // Without its last words the message is shorter.
        let _ = self
            .errors
            .seek(SeekFrom::End(0))
            .and_then(|len| {
                let start = len.saturating_sub(LAST_WORDS);
                self.errors.seek(SeekFrom::Start(start))
            })
            .and_then(|_| (&self.errors).take(LAST_WORDS).read_to_end(&mut words));
        let words = String::from_utf8_lossy(&words);
        let words = match words.trim() {
            "" => String::new(),
            words => format!("; its last words: {words}"),
        };
        Err(Failure::Other(
            crate::terminal::exit::Exit::Io,
            format!(
                "{}: the game ended ({status}) before it connected{words}",
                self.name
            ),
        ))
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
