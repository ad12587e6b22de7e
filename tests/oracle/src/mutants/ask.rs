//! Asks an engine about many inputs, whatever they do to it.

use std::{
    env, fs,
    io::{self, Write},
    path::Path,
    process::{Command, Stdio},
};

use crate::Asked;
use gdvar_conformance::vectors::testdata;

/// The answer of an engine about an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It refused it.
    Refused,
    /// It read it.
    Accepted {
        /// The number of bytes that it used; `None` where that is not certain to be all.
        consumed: Option<usize>,
        /// The bytes it writes after reading.
        again: Vec<u8>,
        /// The text it prints.
        text: Vec<u8>,
    },
    /// It ended.
    Crashed,
    /// It had not answered after `SECONDS`.
    Hung,
}

/// How long an engine may take for a batch, in seconds.
const SECONDS: &str = "30";
/// How much address space it may have, in KiB.
const MEMORY: &str = "8388608";

/// The engine's answers to the inputs, as many. An input that ends the engine, or keeps it busy for too
/// long, is answered so, and the engine started again behind it.
///
/// # Errors
/// If the engine is missing or gives no answers at all.
pub fn ask(asked: Asked, inputs: &[Vec<u8>], full_objects: bool) -> io::Result<Vec<Answer>> {
    let number = asked.number();
    let folder = env::temp_dir().join(format!("gdvar-mutants-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut answers = Vec::with_capacity(inputs.len());
    let mut failures = 0;
    while answers.len() < inputs.len() {
        let before = answers.len();
        let exit = run(asked, &folder, &inputs[before..], full_objects)?;
        let bytes = fs::read(folder.join("answers.bin")).unwrap_or_default();
        read_answers(&bytes, &mut answers);
        if exit == Some(0) && answers.len() == inputs.len() {
            break;
        }
        // Its first words were its last: it is the engine and not an input that is at fault.
        failures = if answers.len() == before {
            failures + 1
        } else {
            0
        };
        if failures > 20 || answers.len() >= inputs.len() {
            let said = format!("{} ends without answers: {exit:?}", asked.name);
            return Err(io::Error::other(said));
        }
        answers.push(if exit == Some(124) {
            Answer::Hung
        } else {
            Answer::Crashed
        });
    }
    fs::remove_dir_all(&folder)?;
    Ok(answers)
}

/// Lets the engine's script run once; how that ended.
fn run(asked: Asked, folder: &Path, inputs: &[Vec<u8>], full: bool) -> io::Result<Option<i32>> {
    let blobs = folder.join("in.blobs");
    let mut file = io::BufWriter::new(fs::File::create(&blobs)?);
    for input in inputs {
        file.write_all(&(input.len() as u32).to_le_bytes())?;
        file.write_all(input)?;
    }
    file.flush()?;
    drop(file);
    let _ = fs::remove_file(folder.join("answers.bin"));
    // The shell knows of limits; what the engine prints of its errors is of no interest.
    let mut shell = Command::new("sh");
    shell
        .args([
            "-c",
            "ulimit -v \"$1\"; ulimit -c 0; shift; exec \"$@\"",
            "sh",
            MEMORY,
        ])
        .arg(testdata("oracle/run-engine.sh"))
        .args([asked.number(), &format!("mutants{}.gd", asked.series())])
        .arg(folder)
        .arg(format!("@{}", blobs.display()))
        .args(full.then_some("full"))
        .env("ORACLE_TIMEOUT", SECONDS)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let exit = shell.status()?.code();
    if exit == Some(77) {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "the engine is missing",
        ));
    }
    Ok(exit)
}

/// The whole records of `answers.bin`.
fn read_answers(mut bytes: &[u8], answers: &mut Vec<Answer>) {
    fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = bytes.split_at_checked(len)?;
        *bytes = rest;
        Some(taken)
    }
    fn word(bytes: &mut &[u8]) -> Option<usize> {
        let word = take(bytes, 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word) as usize)
    }
    fn run(bytes: &mut &[u8]) -> Option<Vec<u8>> {
        let len = word(bytes)?;
        Some(take(bytes, len)?.to_vec())
    }
    fn one(bytes: &mut &[u8]) -> Option<Answer> {
        if take(bytes, 1)? == [0] {
            return Some(Answer::Refused);
        }
        let consumed = word(bytes)?;
        Some(Answer::Accepted {
            consumed: (consumed != u32::MAX as usize).then_some(consumed),
            again: run(bytes)?,
            text: run(bytes)?,
        })
    }
    while let Some(answer) = one(&mut bytes) {
        answers.push(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_was_being_written_is_none() {
        let whole = [
            0, 1, 8, 0, 0, 0, 2, 0, 0, 0, 5, 6, 1, 0, 0, 0, b'5', 1, 0xff, 0xff, 0xff, 0xff, 0, 0,
            0, 0, 0, 0, 0, 0,
        ];
        let accepted = |consumed, again: &[u8], text: &[u8]| Answer::Accepted {
            consumed,
            again: again.to_vec(),
            text: text.to_vec(),
        };
        let all = [
            Answer::Refused,
            accepted(Some(8), &[5, 6], b"5"),
            accepted(None, b"", b""),
        ];
        for len in 0..=whole.len() {
            let mut answers = Vec::new();
            read_answers(&whole[..len], &mut answers);
            let known = [(30, 3), (17, 2), (1, 1), (0, 0)];
            let (_, count) = known[known.iter().position(|(end, _)| len >= *end).expect("one")];
            assert_eq!(answers, all[..count]);
        }
    }
}
