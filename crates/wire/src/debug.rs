//! `Debug` for errors.

/// `Debug` of an error as its `Display` in quotes: `Error("Truncated at byte 0x4: …")`.
///
/// A `main` that returns an error prints its `Debug`, and so does `unwrap`; what is wrong and what to try next
/// has to stand there, too. The numbers and the kind are in the text.
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
