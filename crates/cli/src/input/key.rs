//! Finds the key of an encrypted file: in an option, a file, the environment, or by asking at the terminal.

use std::{
    fs,
    io::{self, BufRead, IsTerminal, Read},
    path::Path,
};

use gdvar_io::encrypted::Key;

use crate::{args::Global, input::unopened::Unopened};

/// Returns the key, if there is one.
///
/// # Errors
/// Fails if the key cannot be read.
pub(crate) fn key(global: &Global) -> Result<Option<Key>, Unopened> {
    if let Some(password) = &global.password {
        return Ok(Some(Key::from_password(password)));
    }
    if let Some(path) = &global.key_file {
        return key_file(path).map(Some);
    }
    if !global.password_stdin {
        if let Ok(password) = std::env::var("GDVAR_PASSWORD") {
            return Ok(Some(Key::from_password(&password)));
        }
        let typed = (!global.never_ask).then(prompted).flatten();
        return Ok(typed.map(Key::from_password));
    }
    // Remembers the line: every encrypted file needs it, but it can be read only once.
    static LINE: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    if let Some(line) = LINE.get() {
        return Ok(Some(Key::from_password(line)));
    }
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| Unopened::Secret("the password on standard input".to_owned(), error))?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    Ok(Some(Key::from_password(
        LINE.get_or_init(|| line.to_owned()),
    )))
}

/// Asks the user for the password at the terminal, without echo. Asks only once.
fn prompted() -> Option<&'static str> {
    static TYPED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    let typed = TYPED.get_or_init(|| {
        let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
        if !is_there {
            return None;
        }
        let typed = rpassword::prompt_password("Password of the encrypted file: ").ok()?;
        (!typed.is_empty()).then_some(typed)
    });
    typed.as_deref()
}

fn key_file(path: &Path) -> Result<Key, Unopened> {
    let name = path.display().to_string();
    let mut contents = Vec::new();
    // No key is longer than this.
    let read = fs::File::open(path).and_then(|file| file.take(1024).read_to_end(&mut contents));
    if let Err(error) = read {
        return Err(Unopened::Secret(name, error));
    }
    Key::from_file(&contents).map_err(|_| Unopened::BadKey(name))
}
