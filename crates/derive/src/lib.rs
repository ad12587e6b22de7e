//! `#[derive(Record)]`: structs out of Godot's dictionaries.
//!
//! Name it as `gdvar::Record` with the feature `derive` of [gdvar](https://docs.rs/gdvar); this crate is no
//! dependency of yours.
//!
//! ```toml
//! gdvar = { version = "0.1", features = ["derive"] }
//! ```
//!
//! The attributes of `#[record(…)]` that serde has too mean the same here.
//!
//! | on the struct | |
//! |---|---|
//! | `rename_all = "camelCase"` | the keys of all fields: `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE` |
//! | `default` | a field whose key is missing is taken from `Self::default()` |
//! | `crate = "path"` | where gdvar is, if not at `::gdvar` |
//!
//! | on a field | |
//! |---|---|
//! | `rename = "key"` | its key |
//! | `default`, `default = "path"` | if the key is missing: `Default::default()`, or what the function gives |
//! | `skip` | has no key; is always its default |
//!
//! A field whose type is written `Option<…>` is `None` if its key is missing or its value null.

use proc_macro::TokenStream;

mod attributes;
mod expand;
mod rename;

/// Implements `gdvar::Record` for a struct with named fields. [The crate](crate) lists the attributes.
#[proc_macro_derive(Record, attributes(record))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    expand::expand(input, "::gdvar")
}

/// As [`Record`], for those who name `gdvar_view` instead of `gdvar`, which exports it as `Record`.
#[proc_macro_derive(ViewRecord, attributes(record))]
pub fn derive_view_record(input: TokenStream) -> TokenStream {
    expand::expand(input, "::gdvar_view")
}
