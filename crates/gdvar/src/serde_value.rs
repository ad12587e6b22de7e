//! Conversion between Rust types and [`Variant`] through serde.

use gdvar_serde::{Error, ReadWith};
use serde_core::{Serialize, de::DeserializeOwned};

use crate::{Dialect, Objects, ReadOptions, Variant, write::Target};

/// Converts any type that serde can write to a [`Variant`], as `serde_json::to_value` does to a
/// `Value`. The value is written as bytes of Godot 4, so a value that these cannot hold is an
/// error.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Player { name: &'static str, gold: i64 }
///
/// let player = gdvar::tree::to_variant(&Player { name: "Ann", gold: 3 })?;
/// assert_eq!(player, gdvar::variant!({ "name": "Ann", "gold": 3 }));
/// # Ok::<(), gdvar::serde::Error>(())
/// ```
///
/// # Errors
///
/// Returns the errors of [`gdvar::serde::to_vec`](gdvar_serde::to_vec).
pub fn to_variant<T: Serialize + ?Sized>(value: &T) -> Result<Variant, Error> {
    // Reading a Variant does not recurse, so no depth limit is needed.
    gdvar_serde::from_slice_with(&gdvar_serde::to_vec(value)?, ReadWith::deep(options()))
}

/// Converts a [`Variant`] to any type that serde can read, as `serde_json::from_value` does from a
/// `Value`. The value is written as bytes of Godot 4, so a value that these cannot hold is an
/// error.
///
/// ```
/// #[derive(serde::Deserialize, PartialEq, Debug)]
/// struct Player { name: String, gold: i64 }
///
/// let save = gdvar::variant!({ "party": [{ "name": "Ann", "gold": 3 }] });
/// let player: Player = gdvar::tree::from_variant(&save["party"][0])?;
/// assert_eq!(player, Player { name: "Ann".into(), gold: 3 });
/// # Ok::<(), gdvar::serde::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the value is not what the type wants, or is nested deeper than [`ReadWith::DEPTH`].
pub fn from_variant<T: DeserializeOwned>(value: &Variant) -> Result<T, Error> {
    gdvar_serde::from_slice_with(
        &gdvar_serde::to_vec_with(value, Target::GODOT_4)?,
        options(),
    )
}

fn options() -> ReadOptions {
    ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert)
}
