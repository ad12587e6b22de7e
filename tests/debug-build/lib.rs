//! Nothing but tests, which the workspace compiles without optimisation: `[profile.dev.package]` in its `Cargo.toml`. The
//! code that serde derives, and all that is generic in the libraries, is compiled where it is used: here.
