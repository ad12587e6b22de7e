//! [`Content`]: what a message says.

use alloc::vec::Vec;

use gdvar_view::VariantRef;

use super::args::Args;
use crate::error::Error;

/// A message of a game.
#[derive(Clone, Debug)]
pub struct GameMessage<'a> {
    /// The engine's name of the message. Empty for damage.
    pub name: &'a str,
    /// The thread that sent it, where 1 is the main thread. `None` before Godot 4.2.
    pub thread: Option<i64>,
    /// The arguments, unchanged.
    pub args: Args<'a>,
    /// What it says.
    pub content: Content<'a>,
}

/// What a message says. Every list has at most as many elements as the message has arguments.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// The game began: its process number. Godot 4 only.
    Process(i64),
    /// Printed text.
    Output(Vec<OutputText<'a>>),
    /// An error or a warning.
    Error(GameError<'a>),
    /// The game has stopped, and waits for requests.
    Break {
        /// `false` after an error of a script that cannot go on.
        can_continue: bool,
        /// Why, in the words of the engine: `Breakpoint`, or the error. Empty if a request of
        /// Godot 4 was the reason.
        reason: &'a str,
        /// Whether a script was running. `None` in Godot 3, which does not say.
        has_stack: Option<bool>,
    },
    /// The game goes on.
    Resumed,
    /// The functions that are running, innermost first.
    Stack(Vec<StackFrame<'a>>),
    /// As many [`Content::Variable`]s follow.
    VariableCount(usize),
    /// A variable of a function, or the result of an expression.
    Variable(StackVariable<'a>),
    /// All nodes of the scene tree, depth first: each before its children.
    Tree(Vec<RemoteNode<'a>>),
    /// An object with its properties.
    Object(ObjectInfo<'a>),
    /// There is no object with the number that was asked for. Godot 3 does not answer then.
    NoObject,
    /// The performance monitors, once a second: see [`monitor_names`](super::monitor_names). `None`
    /// for a monitor of the game that is not a number.
    Monitors(Vec<Option<f64>>),
    /// The names of the game's own monitors, which follow the engine's. Godot 4 only.
    MonitorNames(Vec<&'a str>),
    /// The name of a function for the numbers in profiles: `res://main.gd::15::_process`.
    Function {
        /// The number.
        id: i64,
        /// File, line and name, separated by `::`.
        signature: &'a str,
    },
    /// The times of a frame, while the profiler is on.
    Profile(ProfileFrame),
    /// The times since the profiler was switched on, when it is switched off.
    ProfileTotal(ProfileFrame),
    /// A message without a typed form: see [`GameMessage::args`].
    Other,
    /// The message cannot be read. Its offset counts from the start of the stream.
    Damaged(Error),
}

/// Printed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputText<'a> {
    /// The text: one or several lines, without the last line end.
    pub text: &'a str,
    /// How it was printed.
    pub kind: OutputKind,
}

/// How a text was printed.
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

/// An error or a warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError<'a> {
    /// The time since the start of the game, in milliseconds.
    pub milliseconds: i64,
    /// The file of the engine or of the game that reported it.
    pub file: &'a str,
    /// The function that reported it.
    pub function: &'a str,
    /// The line in the file.
    pub line: i64,
    /// The error: a condition, or the message.
    pub error: &'a str,
    /// More about it. Often empty.
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
    /// Where it is.
    pub scope: VariableScope,
    /// The value. Objects are numbers of instances.
    pub value: VariantRef<'a>,
}

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VariableScope {
    /// In the function, parameters too.
    Local,
    /// In the object, and `self`.
    Member,
    /// Autoloads and constants of the engine.
    Global,
    /// The result of [`Request::Evaluate`](super::Request::Evaluate).
    Evaluation,
}

/// A node of the scene tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteNode<'a> {
    /// The number of its children, which follow.
    pub children: i64,
    /// The name.
    pub name: &'a str,
    /// The class. Godot 4: the `class_name` or else the path of its script, if it has one.
    pub class: &'a str,
    /// The number of the instance.
    pub id: i64,
    /// The path of the scene that it is the root of. Empty without, and in Godot 3.
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
    /// The name: `position`, or `Members/speed` for a variable of a script that is not exported.
    pub name: &'a str,
    /// `PropertyUsageFlags`.
    pub usage: i64,
    /// The value. Resources are paths, other objects are numbers of instances.
    pub value: VariantRef<'a>,
    /// `true` for the name of a class or script, which has no value.
    pub is_heading: bool,
}

/// The times of a frame, or of all frames since the profiler was switched on. In seconds.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfileFrame {
    /// The number of the frame.
    pub frame: i64,
    /// The whole frame.
    pub frame_time: f64,
    /// `_process`, and the rest between physics frames.
    pub process_time: f64,
    /// The physics.
    pub physics_time: f64,
    /// The time between two physics frames.
    pub physics_frame_time: f64,
    /// The scripts.
    pub script_time: f64,
    /// The functions of scripts that took longest.
    pub functions: Vec<FunctionTime>,
}

/// The times of a function. In seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FunctionTime {
    /// The number that [`Content::Function`] gives a name.
    pub id: i64,
    /// The number of calls.
    pub calls: i64,
    /// The time in itself.
    pub self_time: f64,
    /// The time in itself and in what it called.
    pub total_time: f64,
}
