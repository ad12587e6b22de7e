//! `monitors` and `profile`: print what a game measures.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    time::{Duration, Instant},
};

use gdvar_packet::debugger::{Content, GameMessage, ProfileFrame, Request, monitor_names};
use serde_json::json;

use super::console::Console;
use crate::commands::packets::Failure;

/// The largest number of functions that a profile asks for.
const FUNCTIONS: u16 = 256;

impl Console<'_> {
    pub(super) fn monitors(&mut self, samples: Option<u32>) -> Result<(), Failure> {
        for sample in 0..samples.unwrap_or(1) {
            let values = self.answer("the monitors", |message| match &message.content {
                Content::Monitors(values) => Some(values.clone()),
                _ => None,
            })?;
            let Some(version) = self.session.version() else {
                return Ok(());
            };
            let known = monitor_names(version, values.len());
            let own = self.own_monitors.iter().map(String::as_str);
            let mut names: Vec<_> = known
                .iter()
                .copied()
                .chain(own)
                .map(str::to_owned)
                .collect();
            names.extend((names.len()..values.len()).map(|at| format!("monitor {at}")));
            names.truncate(values.len());
            let number =
                |value: &Option<f64>| value.map_or_else(String::new, |one| one.to_string());
            let mut text = String::new();
            if samples.is_none() {
                for (name, value) in names.iter().zip(&values) {
                    let _ = writeln!(text, "{name:40} {}", number(value));
                }
            } else {
                if sample == 0 {
                    let heads: Vec<_> = names.iter().map(|name| cell(name)).collect();
                    let _ = writeln!(text, "{}", heads.join(","));
                }
                let cells: Vec<_> = values.iter().map(number).collect();
                let _ = writeln!(text, "{}", cells.join(","));
            }
            self.print(&text, || {
                let pairs = names.iter().zip(&values);
                let all: BTreeMap<_, _> = pairs.collect();
                json!({"event": "monitors", "values": all})
            })?;
        }
        Ok(())
    }

    pub(super) fn profile(&mut self, seconds: u32) -> Result<(), Failure> {
        let profiler = |is_on| Request::Profile {
            is_on,
            functions: FUNCTIONS,
        };
        self.send(profiler(true))?;
        let until = Instant::now() + Duration::from_secs(seconds.into());
        let (mut frames, mut frame_time) = (0_u64, 0.0);
        let mut names = BTreeMap::new();
        let note = |names: &mut BTreeMap<i64, String>, message: &GameMessage<'_>| {
            // The map needs no limit, because the engine names at most the functions of the project.
            if let Content::Function { id, signature } = &message.content {
                names.insert(*id, (*signature).to_owned());
            }
        };
        self.wait(Some(until), |message| {
            note(&mut names, message);
            if let Content::Profile(frame) = &message.content {
                frames += 1;
                frame_time += frame.frame_time;
            }
            false
        })?;
        let total = self.ask(profiler(false), "the profile", |message| {
            note(&mut names, message);
            match &message.content {
                Content::ProfileTotal(total) => Some(total.clone()),
                _ => None,
            }
        })?;
        self.print_profile(&total, &names, frames, frame_time)
    }

    fn print_profile(
        &mut self,
        total: &ProfileFrame,
        names: &BTreeMap<i64, String>,
        frames: u64,
        frame_time: f64,
    ) -> Result<(), Failure> {
        let mut functions: Vec<_> = { total.functions.iter() }
            .filter(|function| function.calls > 0)
            .collect();
        functions.sort_by(|one, other| other.self_time.total_cmp(&one.self_time));
        let name = |id: i64| {
            names
                .get(&id)
                .cloned()
                .unwrap_or_else(|| format!("function {id}"))
        };
        let average = match frames {
            0 => 0.0,
            frames => 1000.0 * frame_time / frames as f64,
        };
        let mut text = format!("{frames} frames, {average:.3} ms each\n");
        let _ = writeln!(
            text,
            "  {:>9} {:>11} {:>11}  function",
            "calls", "self ms", "total ms"
        );
        for function in &functions {
            let _ = writeln!(
                text,
                "  {:>9} {:>11.3} {:>11.3}  {}",
                function.calls,
                1000.0 * function.self_time,
                1000.0 * function.total_time,
                name(function.id),
            );
        }
        self.print(&text, || {
            let functions = functions.iter().map(|function| {
                json!({
                    "function": name(function.id),
                    "calls": function.calls,
                    "self": function.self_time,
                    "total": function.total_time,
                })
            });
            json!({
                "event": "profile",
                "frames": frames,
                "frame_time": average / 1000.0,
                "functions": functions.collect::<Vec<_>>(),
            })
        })
    }
}

/// Quotes a text as a CSV cell, if that is needed.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
