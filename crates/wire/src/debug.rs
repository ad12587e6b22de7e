//! `Debug` of error types.

/// Implements `Debug` for an error as its `Display` in quotes: `Error("Truncated at byte 0x4: …")`.
///
/// `unwrap` and a `main` that returns an error print `Debug`, so it has to say what is wrong and
/// what to try next. The message contains all fields.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_is_display {
    ($name:ident) => {
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, "{}(\"{self}\")", ::core::stringify!($name))
            }
        }
    };
}
