//! The names of messages and requests in both engines.
//!
//! Sources: Godot 4: `core/debugger/remote_debugger.cpp`, `scene/debugger/scene_debugger.cpp`,
//! `servers/debugger/servers_debugger.cpp`; Godot 3: `scene/debugger/script_debugger_remote.cpp`.
//! The recorded streams in `testdata/debugger` are from 4.6.3 and 3.6.2.

use super::version::GameVersion;

/// The kind of a game's message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MessageName {
    Process,
    Output,
    Error,
    Break,
    Resumed,
    Stack,
    VariableCount,
    Variable,
    Evaluation,
    Tree,
    Object,
    Monitors,
    MonitorNames,
    Function,
    Profile,
    ProfileTotal,
}

const MESSAGES_4: [(&str, MessageName); 16] = [
    ("set_pid", MessageName::Process),
    ("output", MessageName::Output),
    ("error", MessageName::Error),
    ("debug_enter", MessageName::Break),
    ("debug_exit", MessageName::Resumed),
    ("stack_dump", MessageName::Stack),
    ("stack_frame_vars", MessageName::VariableCount),
    ("stack_frame_var", MessageName::Variable),
    ("evaluation_return", MessageName::Evaluation),
    ("scene:scene_tree", MessageName::Tree),
    ("scene:inspect_object", MessageName::Object),
    ("performance:profile_frame", MessageName::Monitors),
    ("performance:profile_names", MessageName::MonitorNames),
    ("servers:function_signature", MessageName::Function),
    ("servers:profile_frame", MessageName::Profile),
    ("servers:profile_total", MessageName::ProfileTotal),
];

const MESSAGES_3: [(&str, MessageName); 12] = [
    ("output", MessageName::Output),
    ("error", MessageName::Error),
    ("debug_enter", MessageName::Break),
    ("debug_exit", MessageName::Resumed),
    ("stack_dump", MessageName::Stack),
    // All variables follow in the same message.
    ("stack_frame_vars", MessageName::VariableCount),
    ("message:scene_tree", MessageName::Tree),
    ("message:inspect_object", MessageName::Object),
    ("performance", MessageName::Monitors),
    ("profile_sig", MessageName::Function),
    ("profile_frame", MessageName::Profile),
    ("profile_total", MessageName::ProfileTotal),
];

/// Returns the kind of the message `name`, or `None` if it has no typed form.
pub(super) fn message(version: GameVersion, name: &str) -> Option<MessageName> {
    let all: &[_] = match version.is_godot3() {
        true => &MESSAGES_3,
        false => &MESSAGES_4,
    };
    all.iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, message)| message)
}

/// The names of requests in one engine.
#[derive(Debug)]
pub(super) struct RequestNames {
    pub(super) tree: &'static str,
    pub(super) inspect: &'static str,
    pub(super) set: &'static str,
    /// `None` if the engine has no request to run to the end of a function.
    pub(super) out: Option<&'static str>,
    pub(super) evaluate: Option<&'static str>,
    pub(super) profile_on: &'static str,
    pub(super) profile_off: &'static str,
}

const REQUESTS_4: RequestNames = RequestNames {
    tree: "scene:request_scene_tree",
    inspect: "scene:inspect_object",
    set: "scene:set_object_property",
    out: Some("out"),
    evaluate: Some("evaluate"),
    profile_on: "profiler:servers",
    profile_off: "profiler:servers",
};

const REQUESTS_3: RequestNames = RequestNames {
    tree: "request_scene_tree",
    inspect: "inspect_object",
    set: "set_object_property",
    out: None,
    evaluate: None,
    profile_on: "start_profiling",
    profile_off: "stop_profiling",
};

/// Returns the names of requests that differ between the engines. `break`, `continue`, `step`,
/// `next`, `breakpoint`, `get_stack_dump` and `get_stack_frame_vars` are the same in all of them.
pub(super) const fn requests(version: GameVersion) -> &'static RequestNames {
    match version.is_godot3() {
        true => &REQUESTS_3,
        false => &REQUESTS_4,
    }
}
