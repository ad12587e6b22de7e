//! [`Content`]: the typed contents of a message from a game.

use alloc::vec::Vec;

use gdvar_view::VariantRef;

use super::args::Args;
use crate::error::Error;

/// A message of a game.
#[derive(Clone, Debug)]
pub struct GameMessage<'a> {
    /// The engine's name of the message. Empty if not even the name could be read.
    pub name: &'a str,
    /// The thread that sent the message, where 1 is the main thread. `None` before Godot 4.2.
    pub thread: Option<i64>,
    /// The arguments, unchanged.
    pub args: Args<'a>,
    /// The contents in typed form.
    pub content: Content<'a>,
}

/// The contents of a message in typed form. Every element of a list is read from the bytes of the
/// message, so a short message cannot cause a long list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// The game started, with this process id. Godot 4 only.
    Process(i64),
    /// Texts that the game printed.
    Output(Vec<OutputText<'a>>),
    /// The game reported an error or a warning.
    Error(GameError<'a>),
    /// The game has stopped, and waits for requests.
    Break {
        /// `false` after a script error from which the game cannot continue.
        can_continue: bool,
        /// The reason, in the words of the engine: `Breakpoint`, or the error. Empty if a request
        /// to Godot 4 caused the break.
        reason: &'a str,
        /// Whether a script was running. `None` in Godot 3, whose messages do not say this.
        has_stack: Option<bool>,
    },
    /// The game goes on.
    Resumed,
    /// The functions that are running, innermost first.
    Stack(Vec<StackFrame<'a>>),
    /// The number of [`Content::Variable`]s that follow.
    VariableCount(usize),
    /// A variable of a function, or the result of an expression.
    Variable(StackVariable<'a>),
    /// All nodes of the scene tree, depth first: each before its children.
    Tree(Vec<RemoteNode<'a>>),
    /// An object with its properties.
    Object(ObjectInfo<'a>),
    /// No object has the requested id. Only Godot 4 sends this: Godot 3 does not answer the
    /// request.
    NoObject,
    /// The values of the performance monitors, which are sent once a second: see
    /// [`monitor_names`](super::monitor_names). A value is `None` if it is not a number, which is
    /// possible for the game's own monitors.
    Monitors(Vec<Option<f64>>),
    /// The names of the game's own monitors, which follow the engine's. Godot 4 only.
    MonitorNames(Vec<&'a str>),
    /// Gives a function its id. Profiles name the function by this id.
    Function {
        /// The id of the function, as in [`FunctionTime::id`].
        id: i64,
        /// File, line and name, separated by `::`: `res://main.gd::15::_process`.
        signature: &'a str,
    },
    /// The times of one frame. Sent while the profiler is on.
    Profile(ProfileFrame),
    /// The times since the profiler was switched on. Sent when it is switched off.
    ProfileTotal(ProfileFrame),
    /// A message without a typed form: see [`GameMessage::args`].
    Other,
    /// The message cannot be read. The offset of the error is the offset in the stream.
    Damaged(Error),
}

/// A text that the game printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputText<'a> {
    /// The text: one or several lines, without the last line end.
    pub text: &'a str,
    /// The function that printed the text.
    pub kind: OutputKind,
}

/// The function that printed a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OutputKind {
    /// `print`.
    Text,
    /// `printerr`.
    Error,
    /// `print_rich`, with its tags.
    Rich,
}

/// An error or a warning of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError<'a> {
    /// The time since the start of the game, in milliseconds.
    pub milliseconds: i64,
    /// The file, of the engine or of the game, that reported the error.
    pub file: &'a str,
    /// The function that reported the error.
    pub function: &'a str,
    /// The line in the file.
    pub line: i64,
    /// The error: a condition, or the message.
    pub error: &'a str,
    /// More about the error. Often empty.
    pub description: &'a str,
    /// `true` for a warning.
    pub is_warning: bool,
    /// The functions of the game that were running, innermost first.
    pub stack: Vec<StackFrame<'a>>,
}

/// A running function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackFrame<'a> {
    /// The path of the script: `res://main.gd`.
    pub file: &'a str,
    /// The line, from 1.
    pub line: i64,
    /// The name of the function.
    pub function: &'a str,
}

/// A variable, or the result of an expression.
#[derive(Clone, Copy, Debug)]
pub struct StackVariable<'a> {
    /// The name, or the expression.
    pub name: &'a str,
    /// Where the variable was found.
    pub scope: VariableScope,
    /// The value. An object is the number of its instance.
    pub value: VariantRef<'a>,
}

/// Where a variable was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VariableScope {
    /// A local variable or a parameter of the function.
    Local,
    /// A member of the object, or `self`.
    Member,
    /// An autoload, or a constant of the engine.
    Global,
    /// The result of [`Request::Evaluate`](super::Request::Evaluate).
    Evaluation,
}

/// A node of the scene tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteNode<'a> {
    /// The number of the node's children, which follow in the list.
    pub children: i64,
    /// The name of the node, not its path.
    pub name: &'a str,
    /// The class. In Godot 4, a node with a script has the script's `class_name` here, or else the
    /// path of the script.
    pub class: &'a str,
    /// The number of the instance, for [`Request::Inspect`](super::Request::Inspect).
    pub id: i64,
    /// The path of the scene whose root is this node. Empty for other nodes, and in Godot 3.
    pub scene: &'a str,
}

/// An object with its properties.
#[derive(Clone, Debug)]
pub struct ObjectInfo<'a> {
    /// The number of the instance.
    pub id: i64,
    /// The engine's class.
    pub class: &'a str,
    /// The properties, with the engine's headings between them.
    pub properties: Vec<PropertyInfo<'a>>,
}

/// A property of an object, or a heading.
#[derive(Clone, Copy, Debug)]
pub struct PropertyInfo<'a> {
    /// The name: `position`, or `Members/speed` for a script variable that is not exported.
    pub name: &'a str,
    /// The engine's `PropertyUsageFlags`.
    pub usage: i64,
    /// The value. A resource is its path, another object is the number of its instance.
    pub value: VariantRef<'a>,
    /// `true` for a heading: the name of a class or script, without a value.
    pub is_heading: bool,
}

/// The times of one frame, or the sums since the profiler was switched on. In seconds.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfileFrame {
    /// The number of the frame.
    pub frame: i64,
    /// The time of the whole frame.
    pub frame_time: f64,
    /// The time of `_process`, and of everything else outside physics frames.
    pub process_time: f64,
    /// The time of the physics.
    pub physics_time: f64,
    /// The time between two physics frames.
    pub physics_frame_time: f64,
    /// The time in scripts.
    pub script_time: f64,
    /// The script functions that took longest.
    pub functions: Vec<FunctionTime>,
}

/// The times of one function. In seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FunctionTime {
    /// The id of the function. [`Content::Function`] has its name.
    pub id: i64,
    /// The number of calls.
    pub calls: i64,
    /// The time in the function itself.
    pub self_time: f64,
    /// The time in the function and in everything that it called.
    pub total_time: f64,
}
