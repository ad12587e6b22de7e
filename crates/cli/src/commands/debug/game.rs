//! [`Game`]: the process of the game, which is killed when the command ends.

use std::{
    ffi::OsString,
    fs::File,
    io::{Read, Seek, SeekFrom},
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

use gdvar_packet::Engine;

use crate::commands::packets::Failure;

/// The largest number of bytes of the game's last error output that are shown.
const LAST_WORDS: u64 = 2000;

/// A game that this command started. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct Game {
    child: Child,
    name: String,
    /// The file that gets the game's standard error. The file is read only if the game ends before it connects. A
    /// connected game sends the same messages over the debugger connection.
    errors: File,
}

impl Game {
    /// Starts the game. `--remote-debug` is inserted before the game's own arguments, which follow `--` or `++`.
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

    /// Returns a failure if the game has ended. Used while waiting for the game to connect.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        let status = self.child.try_wait();
        let Some(status) = status.map_err(|error| Failure::io(&self.name, &error))? else {
            return Ok(());
        };
        let mut words = Vec::new();
        // Ignores errors: the message just has no last words then.
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
        // Ignores errors: the game may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
