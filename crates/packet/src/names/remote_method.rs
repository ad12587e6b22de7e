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

/// The types that Godot converts into each other for a call. The engine's own rule
/// (`Variant::can_convert_strict`) converts some types in one direction only. Here both directions
/// are accepted, so that nothing is refused that Godot would accept.
const ALIKE: [&[Kind]; 8] = [
    &[Kind::Bool, Kind::Int, Kind::Float],
    &[Kind::String, Kind::StringName, Kind::NodePath],
    &[Kind::Vector2, Kind::Vector2i],
    &[Kind::Vector3, Kind::Vector3i],
    &[Kind::Vector4, Kind::Vector4i],
    &[Kind::Rect2, Kind::Rect2i],
    &[Kind::Color, Kind::Int, Kind::String],
    &[
        Kind::Basis,
        Kind::Quaternion,
        Kind::Transform3D,
        Kind::Transform2D,
        Kind::Projection,
    ],
];

fn converts(given: Kind, expected: Kind) -> bool {
    let is_array = |kind: Kind| kind == Kind::Array || kind.name().starts_with("Packed");
    let both = |kinds: &[Kind]| kinds.contains(&given) && kinds.contains(&expected);
    given == expected
        || is_array(given) && is_array(expected)
        || ALIKE.iter().any(|kinds| both(kinds))
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
