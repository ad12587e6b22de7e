//! Macros that implement the methods that a serializer refuses.

/// Implements the given methods for plain values. Each method returns `$error`.
macro_rules! refuse {
    (|$this:ident| $error:expr; $($name:ident($($ty:ty),*))*) => {$(
        fn $name(self, $(_: $ty),*) -> core::result::Result<Self::Ok, $crate::Error> {
            let $this = self;
            Err($error)
        }
    )*};
}

/// Implements the methods for wrappers of a value. Each method returns `$error`.
macro_rules! refuse_wrapped {
    (|$this:ident| $error:expr) => {
        fn serialize_some<T: ?Sized>(self, _: &T) -> core::result::Result<Self::Ok, $crate::Error> {
            let $this = self;
            Err($error)
        }
        fn serialize_newtype_variant<T: ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> core::result::Result<Self::Ok, $crate::Error> {
            let $this = self;
            Err($error)
        }
    };
}

/// Implements the methods for structs, variants and maps. Each method returns `$error`.
macro_rules! refuse_named {
    (|$this:ident| $error:expr) => {
        fn serialize_tuple_struct(
            self,
            _: &'static str,
            _: usize,
        ) -> core::result::Result<Self::SerializeTupleStruct, $crate::Error> {
            let $this = self;
            Err($error)
        }
        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> core::result::Result<Self::SerializeTupleVariant, $crate::Error> {
            let $this = self;
            Err($error)
        }
        fn serialize_map(
            self,
            _: Option<usize>,
        ) -> core::result::Result<Self::SerializeMap, $crate::Error> {
            let $this = self;
            Err($error)
        }
        fn serialize_struct(
            self,
            _: &'static str,
            _: usize,
        ) -> core::result::Result<Self::SerializeStruct, $crate::Error> {
            let $this = self;
            Err($error)
        }
        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> core::result::Result<Self::SerializeStructVariant, $crate::Error> {
            let $this = self;
            Err($error)
        }
    };
}

/// Implements the methods for sequences and tuples. Each method returns `$error`.
macro_rules! refuse_lists {
    (|$this:ident| $error:expr) => {
        fn serialize_seq(
            self,
            _: Option<usize>,
        ) -> core::result::Result<Self::SerializeSeq, $crate::Error> {
            let $this = self;
            Err($error)
        }
        fn serialize_tuple(
            self,
            _: usize,
        ) -> core::result::Result<Self::SerializeTuple, $crate::Error> {
            let $this = self;
            Err($error)
        }
    };
}

pub(super) use {refuse, refuse_lists, refuse_named, refuse_wrapped};
