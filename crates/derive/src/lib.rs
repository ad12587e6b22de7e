//! `#[derive(Record)]`: structs out of Godot's dictionaries.
//!
//! Use it as `gdvar::Record`, with the feature `derive` of [gdvar](https://docs.rs/gdvar). You need
//! not depend on this crate.
//!
//! ```toml
//! gdvar = { version = "0.1", features = ["derive"] }
//! ```
//!
//! Attributes of `#[record(…)]` that serde also has mean the same as in serde.
//!
//! | on the struct | |
//! |---|---|
//! | `rename_all = "camelCase"` | the convention for all keys: `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE` |
//! | `default` | a field whose key is missing takes its value from `Self::default()` |
//! | `crate = "path"` | the path of gdvar, if it is not `::gdvar` |
//!
//! | on a field | |
//! |---|---|
//! | `rename = "key"` | the key of the field |
//! | `default`, `default = "path"` | the value if the key is missing: `Default::default()`, or the function's result |
//! | `skip` | the field has no key, and always has its default |
//! | `try_from = "Type"` | reads a `Type` and converts it by `TryFrom` |
//! | `with = "path"` | reads the parameter of this function, which returns `Result<Field, &'static str>`: the field or the reason for the error |
//!
//! With `try_from` and `with`, an `Option` field converts what is in it. A type that is a field in
//! many structs implements `gdvar::FromVariant` instead, and needs no attribute.
//!
//! A field whose type is written as `Option<…>` is `None` if its key is missing or its value is
//! null.
//!
//! # A first program
//!
//! ```ignore
//! #[derive(gdvar::Record)]
//! struct Unit<'a> {
//!     name: &'a str,
//!     hp: Option<i64>,
//! }
//!
//! let unit: Unit<'_> = document.root()?.read()?;
//! ```
//!
//! The README has an example that compiles. The generated code walks over the pairs once; keys in
//! the order of the fields are the fastest. A type that contains itself is read down to 64 levels.
//! The macro runs in the compiler, and nothing of it is linked into your program. The crate has no
//! features.

use proc_macro::TokenStream;

mod attributes;
mod expand;
mod rename;

/// Implements `gdvar::Record` for a struct with named fields. [The crate](crate) lists the attributes.
#[proc_macro_derive(Record, attributes(record))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    expand::expand(input, "::gdvar")
}

/// Implements `gdvar_view::Record`, for programs that use `gdvar_view` without `gdvar`.
/// `gdvar_view` exports this macro under the name `Record`. [The crate](crate) lists the
/// attributes.
#[proc_macro_derive(ViewRecord, attributes(record))]
pub fn derive_view_record(input: TokenStream) -> TokenStream {
    expand::expand(input, "::gdvar_view")
}
