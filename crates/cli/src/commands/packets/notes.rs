//! The notes after a capture. They say why fewer packets are shown than expected, and where scripts differ.

use std::collections::{BTreeMap, BTreeSet};

use gdvar_packet::{
    Message, Named, SessionEvent, godot4,
    names::{Names, ScriptMatch},
};

use super::PacketsArgs;
use crate::terminal::{safe_text, words};

/// The largest number of nodes that a note names.
const NAMED: usize = 3;
/// The largest number of nodes that are remembered for a note.
const NODES: usize = 1000;

/// Collects the facts for the notes.
#[derive(Default)]
pub(super) struct Notes {
    /// The number of packets that would be shown without a filter.
    packets: u64,
    /// The commands of these packets. Collected only if there is a filter.
    pub(super) commands: BTreeSet<&'static str>,
    /// The number of calls that name their method by a number.
    numbered: u64,
    nameless: BTreeMap<Cause, NamelessCalls>,
    /// The nodes whose remote methods differ between the receiver and the sender.
    refused: BTreeSet<String>,
}

/// The reason why the method of a call has no name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// The capture does not contain the MD5 of the node's methods.
    Unheard,
    /// The project's script at the node has other remote methods than the sender. The text is the script's path.
    Differs(String),
    /// No script of the project has these methods.
    Unknown,
    /// The script has no method with that number. The text is the script's path.
    NoSuchNumber(String),
}

#[derive(Default)]
struct NamelessCalls {
    count: u64,
    nodes: BTreeSet<String>,
}

impl Notes {
    /// Counts a packet. `method` is the name of its method, or `None` if it is unknown.
    pub(super) fn add(&mut self, item: &SessionEvent<'_>, method: Option<&str>, names: &Names) {
        self.packets += 1;
        if let Message::Godot4(godot4::Packet::ConfirmPath(answer)) = item.message {
            let node = item.state.path(item.link, item.target, answer.id);
            if let (false, Some(node)) = (answer.matches, node) {
                remember(&mut self.refused, node.path());
            }
        }
        let Some(Named::Number(_)) = item.message.method() else {
            return;
        };
        self.numbered += 1;
        if method.is_some() || names.scripts().is_empty() {
            return;
        }
        let path = item.node_path().unwrap_or_default();
        let md5 = item.node().and_then(|node| node.md5());
        let cause = match md5.map(|md5| names.script_match(path, md5)) {
            None => Cause::Unheard,
            Some(ScriptMatch::Differs(script)) => Cause::Differs(script.path().to_owned()),
            Some(ScriptMatch::Proven(script)) => Cause::NoSuchNumber(script.path().to_owned()),
            Some(ScriptMatch::None | ScriptMatch::Unknown) => Cause::Unknown,
        };
        let calls = self.nameless.entry(cause).or_default();
        calls.count += 1;
        remember(&mut calls.nodes, path);
    }

    /// Returns the text of each note. `shown` is the number of packets that passed the filter.
    pub(super) fn texts(&self, shown: u64, args: &PacketsArgs, names: &Names) -> Vec<String> {
        let mut notes = Vec::new();
        if args.filter.is_some() && shown == 0 && self.packets > 0 {
            let commands: Vec<&str> = self.commands.iter().copied().collect();
            notes.push(format!(
                "the filter lets none of {} through; the commands among them are {}",
                words::plural(self.packets, "packet"),
                commands.join(", ")
            ));
        }
        for node in self.refused.iter().take(NAMED) {
            let node = safe_text::safe_line(node);
            notes.push(format!(
                "client and server have other remote methods at node {node}: its receiver says that the MD5 is another"
            ));
        }
        let calls = words::plural(self.numbered, "call");
        if args.project.is_some() && self.numbered > 0 && names.scripts().is_empty() {
            notes.push(format!(
                "none of {calls} has a name: no script (.gd, .cs) in the folder of --project has a remote method"
            ));
        }
        for (cause, nameless) in &self.nameless {
            let nodes = nodes(&nameless.nodes);
            let why = match cause {
                Cause::Unheard => {
                    "the capture does not have the SIMPLIFY_PATH of their nodes, which carries the MD5 of the methods: \
                     it began later, or it lost that packet"
                        .to_owned()
                }
                Cause::Differs(script) => format!(
                    "the sender's script at {nodes} has other remote methods than the project's {script}; \
                     is the folder another version of the game?"
                ),
                Cause::NoSuchNumber(script) => {
                    format!("{script} has no methods of these numbers at {nodes}")
                }
                Cause::Unknown => format!(
                    "no script (.gd, .cs) of the project has the remote methods of {nodes}; is it another game's folder?"
                ),
            };
            let why = safe_text::safe_line(&why).into_owned();
            notes.push(format!("{} of {calls} have no name: {why}", nameless.count));
        }
        notes
    }
}

fn remember(nodes: &mut BTreeSet<String>, node: &str) {
    if nodes.len() < NODES && !nodes.contains(node) {
        nodes.insert(node.to_owned());
    }
}

/// Lists nodes, the first three by name: `node A, B, C and 2 more`.
fn nodes(nodes: &BTreeSet<String>) -> String {
    let named: Vec<&str> = nodes.iter().map(String::as_str).take(NAMED).collect();
    let named = format!("node {}", named.join(", "));
    match nodes.len() - NAMED.min(nodes.len()) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
