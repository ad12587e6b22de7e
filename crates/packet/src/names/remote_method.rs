//! [`RemoteMethod`]: who may call a method of a script, and with which arguments.

use std::{string::String, vec::Vec};

use gdvar_view::Kind;

use crate::value::Values;

/// A remote method, as its script declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteMethod {
    pub(super) name: String,
    pub(super) mode: Option<RpcMode>,
    pub(super) parameters: Option<Parameters>,
}

/// Who may call a method (`MultiplayerAPI.RPCMode`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RpcMode {
    /// Nobody: the method is not remote.
    Disabled,
    /// Every peer.
    AnyPeer,
    /// The authority of the node: the server, if the game does not choose another peer.
    Authority,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Parameters {
    /// The type of each parameter, or `None` if the parameter accepts any value.
    pub(super) kinds: Vec<Option<Kind>>,
    /// The number of parameters without a default value.
    pub(super) required: usize,
    /// `true` if a call may have more arguments than there are parameters.
    pub(super) is_variadic: bool,
}

/// Why a method refuses the arguments of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadArguments {
    /// There are too few or too many arguments.
    Count {
        /// The number of arguments in the call.
        given: usize,
        /// The least number that the method takes.
        least: usize,
        /// The greatest number that the method takes. A variadic method takes more.
        most: usize,
    },
    /// An argument cannot be converted to the type of its parameter.
    Type {
        /// The index of the argument, from 0.
        place: usize,
        /// The type of the argument.
        given: Kind,
        /// The type of the parameter.
        expected: Kind,
    },
}

impl RemoteMethod {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who may call the method. `None` if the script says so with an expression, or decides it while
    /// it runs.
    #[must_use]
    pub fn mode(&self) -> Option<RpcMode> {
        self.mode
    }

    /// Checks the number and the types of a call's arguments, as Godot does before the call.
    /// Accepts any arguments if the script does not declare the method. A parameter whose type is
    /// not built in accepts any value.
    ///
    /// # Errors
    /// Returns the first argument that Godot refuses, or the number of arguments if it is wrong.
    pub fn check(&self, args: Values<'_>) -> Result<(), BadArguments> {
        let Some(parameters) = &self.parameters else {
            return Ok(());
        };
        let kinds: Vec<Kind> = args.map_while(Result::ok).map(|arg| arg.kind()).collect();
        let most = parameters.kinds.len();
        let is_too_many = kinds.len() > most && !parameters.is_variadic;
        if kinds.len() < parameters.required || is_too_many {
            return Err(BadArguments::Count {
                given: kinds.len(),
                least: parameters.required,
                most,
            });
        }
        for (place, (&given, expected)) in kinds.iter().zip(&parameters.kinds).enumerate() {
            if let Some(expected) = expected.filter(|expected| !converts(given, *expected)) {
                return Err(BadArguments::Type {
                    place,
                    given,
                    expected,
                });
            }
        }
        Ok(())
    }
}

/// The types that Godot 4.6 converts into each other for a call of a method with typed parameters.
/// The engine's own verdicts are in `testdata/captures/call_types4.txt`. An Array and a packed array
/// are converted into each other, too.
const BOTH_WAYS: [[Kind; 2]; 12] = [
    [Kind::Bool, Kind::Int],
    [Kind::Bool, Kind::Float],
    [Kind::Int, Kind::Float],
    [Kind::String, Kind::StringName],
    [Kind::String, Kind::NodePath],
    [Kind::Vector2, Kind::Vector2i],
    [Kind::Vector3, Kind::Vector3i],
    [Kind::Vector4, Kind::Vector4i],
    [Kind::Rect2, Kind::Rect2i],
    [Kind::Quaternion, Kind::Basis],
    [Kind::Transform2D, Kind::Transform3D],
    [Kind::Transform3D, Kind::Projection],
];

/// The types that Godot converts into another one, but not back.
const ONE_WAY: [[Kind; 2]; 6] = [
    [Kind::Int, Kind::Color],
    [Kind::String, Kind::Color],
    [Kind::Quaternion, Kind::Transform3D],
    [Kind::Basis, Kind::Transform3D],
    [Kind::Nil, Kind::Object],
    [Kind::Object, Kind::Rid],
];

fn converts(given: Kind, expected: Kind) -> bool {
    given == expected
        || given == Kind::Array && expected.is_packed()
        || given.is_packed() && expected == Kind::Array
        || ONE_WAY.contains(&[given, expected])
        || BOTH_WAYS.contains(&[given, expected])
        || BOTH_WAYS.contains(&[expected, given])
}

/// Returns the built-in type with this name in GDScript, or Object for a class from which many others
/// derive. `None` for any other name, which may be an enum.
pub(super) fn kind_in_gdscript(name: &str) -> Option<Kind> {
    match name {
        "Object" | "RefCounted" | "Resource" | "Node" | "Node2D" | "Node3D" | "Control" => {
            Some(Kind::Object)
        }
        _ => kind_of(name),
    }
}

/// Returns the built-in type with this name in GDScript or C#. `None` for any other name, which may
/// be a class.
pub(super) fn kind_of(name: &str) -> Option<Kind> {
    match name {
        "bool" => Some(Kind::Bool),
        "int" | "long" | "uint" | "ulong" | "short" | "ushort" | "byte" | "sbyte" => {
            Some(Kind::Int)
        }
        "float" | "double" => Some(Kind::Float),
        "string" => Some(Kind::String),
        "Nil" | "Bool" | "Int" | "Float" | "Object" => None,
        _ => Kind::ALL.iter().copied().find(|kind| kind.name() == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a call is refused, for each type of argument and each type of parameter, as Godot 4.6.3 did it.
    #[test]
    fn the_engine_converts_the_same_types() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../testdata/captures/call_types4.txt"
        );
        let text = std::fs::read_to_string(path).expect("the engine's verdicts");
        let lines: Vec<_> = text
            .lines()
            .filter_map(|line| line.split_once(':'))
            .collect();
        let parameters: Vec<&str> = lines.iter().map(|(name, _)| *name).collect();
        let classes = [
            "RefCounted",
            "Resource",
            "Node",
            "Node2D",
            "Node3D",
            "Control",
        ];
        let (mut calls, mut wrong) = (0, Vec::new());
        for (given, accepted) in &lines {
            let given = match *given {
                "Nil" => Kind::Nil,
                name => kind_in_gdscript(name).unwrap_or_else(|| panic!("{name}")),
            };
            let accepted: Vec<&str> = accepted.split_whitespace().collect();
            for parameter in parameters.iter().skip(1).chain(&classes) {
                let expected = kind_in_gdscript(parameter);
                let expected = expected.unwrap_or_else(|| panic!("{parameter}"));
                // The engine also compares the classes of objects, which packets name only sometimes.
                let is_any_object = given == Kind::Object && expected == Kind::Object;
                if converts(given, expected) != (accepted.contains(parameter) || is_any_object) {
                    wrong.push((given, *parameter));
                }
                calls += 1;
            }
        }
        assert_eq!(wrong, []);
        assert_eq!(calls, 39 * 44);
    }
}
