//! Writes arrays, dictionaries and objects: values that contain values.

use gdvar_wire::{ElementTyping, Flags, HeaderWord, Kind, SHARED_BIT};

use crate::{
    error::{Error, WriteErrorKind},
    frame::{Frame, Shape},
    scalars::word_pair,
    sink::Sink,
    writer::{Result, Writer},
};

/// The type of a typed Array's elements, or of a typed Dictionary's keys or values
/// ([`docs/FORMAT.md` §4.3]).
///
/// The writer stores the type and does not compare it with the children; [`Writer::check_child`]
/// does. An engine converts or drops children that do not fit. The enum stays exhaustive, because
/// the two bits of the header have no other meaning.
///
/// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ElementType<'a> {
    /// Any value.
    #[default]
    Untyped,
    /// A type by its number. `Nil` means any value, as in the engines.
    Builtin(Kind),
    /// Objects of a native class. An engine that writes no full objects names `EncodedObjectAsID`
    /// here, whatever the class.
    Class(&'a str),
    /// Objects with the script at this `res://` path.
    Script(&'a str),
}

impl ElementType<'_> {
    /// Returns the kind of the children, or `None` if any is allowed.
    const fn kind(self) -> Option<Kind> {
        match self {
            ElementType::Untyped | ElementType::Builtin(Kind::Nil) => None,
            ElementType::Builtin(kind) => Some(kind),
            ElementType::Class(_) | ElementType::Script(_) => Some(Kind::Object),
        }
    }
}

/// A type descriptor that is ready to be written.
enum Descriptor<'a> {
    None,
    Number(u32),
    Text(&'a str),
}

/// Containers ([`docs/FORMAT.md` §4]). Each is begun with its length and ended with
/// [`Writer::end`], also when empty; the children between are counted.
///
/// [`docs/FORMAT.md` §4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#4-containers-and-reference-types
impl<S: Sink> Writer<S> {
    /// Begins an `Array` of `len` elements. Writes 8 bytes.
    ///
    /// # Errors
    ///
    /// Returns `TooLarge` for more than `i32::MAX` elements, and `DepthExceeded` if the elements would
    /// be too deep. Also fails if no value may be written here, or with the sink's error.
    #[inline(always)]
    pub fn begin_array(&mut self, len: usize) -> Result<(), S> {
        let header = self.header(Kind::Array)?;
        let count = self.count(len)?;
        self.begin(header, count, count, Frame::array(count))
    }

    /// Begins a `Dictionary` of `len` entries, each a key followed by its value. Writes 8 bytes.
    /// Any value may be a key, and the order is kept.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::begin_array`].
    #[inline(always)]
    pub fn begin_dict(&mut self, len: usize) -> Result<(), S> {
        let header = self.header(Kind::Dictionary)?;
        let count = self.count(len)?;
        self.begin(header, count, count, Frame::dict(count))
    }

    /// Begins an `Array` marked as shared, as Godot 2 marks the array literals of its scripts
    /// ([`docs/FORMAT.md` §4.2]).
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` for other engines, which never write the mark. Also returns the
    /// errors of [`Writer::begin_array`].
    ///
    /// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
    pub fn begin_array_shared(&mut self, len: usize) -> Result<(), S> {
        let (header, count) = self.shared_head(Kind::Array, len)?;
        self.begin(header, count | SHARED_BIT, count, Frame::array(count))
    }

    /// Begins a `Dictionary` with Godot 2's mark for shared containers ([`docs/FORMAT.md` §4.2]).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::begin_array_shared`].
    ///
    /// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
    pub fn begin_dict_shared(&mut self, len: usize) -> Result<(), S> {
        let (header, count) = self.shared_head(Kind::Dictionary, len)?;
        self.begin(header, count | SHARED_BIT, count, Frame::dict(count))
    }

    /// Begins an `Array` of `len` elements of one type: Godot 4.3 and later.
    ///
    /// ```
    /// use gdvar_write::{ElementType, Target, Writer, wire::Kind};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.begin_typed_array(ElementType::Builtin(Kind::Int), 1)?;
    /// writer.int(7)?;
    /// writer.end()?;
    /// assert_eq!(writer.finish()?.len(), 20);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `TypedUnsupported` if the target has no typed arrays, unless `element` is `Untyped`;
    /// `Unrepresentable` for an element type that the target lacks; `ScriptPath` for a path that no
    /// engine reads; `EmbeddedNul` for a name or path with a NUL. Also returns the errors of
    /// [`Writer::begin_array`].
    pub fn begin_typed_array(&mut self, element: ElementType<'_>, len: usize) -> Result<(), S> {
        let header = self.header(Kind::Array)?;
        let (typing, descriptor) = self.describe(element)?;
        if typing != ElementTyping::None && !self.target.has_typed_arrays() {
            return Err(self.typed_unsupported(Kind::Array));
        }
        let count = self.count(len)?;
        let header = HeaderWord::new(header.type_id(), Flags(typing.bits()));
        self.begin_described(header, &[descriptor], count, Frame::array(count))
    }

    /// Begins a `Dictionary` of `len` entries whose keys and values have types: Godot 4.4 and
    /// later.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::begin_typed_array`].
    pub fn begin_typed_dict(
        &mut self,
        key: ElementType<'_>,
        value: ElementType<'_>,
        len: usize,
    ) -> Result<(), S> {
        let header = self.header(Kind::Dictionary)?;
        let (key_typing, key) = self.describe(key)?;
        let (value_typing, value) = self.describe(value)?;
        let flags = key_typing.bits() | value_typing.bits() << 2;
        if flags != 0 && !self.target.has_typed_dicts() {
            return Err(self.typed_unsupported(Kind::Dictionary));
        }
        let count = self.count(len)?;
        let header = HeaderWord::new(header.type_id(), Flags(flags));
        self.begin_described(header, &[key, value], count, Frame::dict(count))
    }

    /// Checks that a container of type `element` may hold a child of kind `found`. Call it before
    /// the child is written.
    ///
    /// # Errors
    ///
    /// Returns `ElementType` if the container may not hold the child.
    #[inline]
    pub fn check_child(&self, element: ElementType<'_>, found: Kind) -> Result<(), S> {
        match element.kind() {
            Some(wanted) if !wanted.holds(found) => {
                Err(self.error(WriteErrorKind::ElementType { wanted, found }))
            }
            _ => Ok(()),
        }
    }

    /// Begins a `TypedArray` or `PackedTypedArray` of Pandemonium 5 with `len` elements
    /// ([`docs/FORMAT.md` §4.3]). `Builtin(Kind::Object)` writes the form with a flag and without a
    /// class, whose elements are ids. `Class` writes the form with full objects, whose class may be
    /// empty.
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` for any other kind or dialect, or if the element type is a script,
    /// and `EmbeddedNul` for a class name with a NUL. Also returns the errors of
    /// [`Writer::begin_array`].
    ///
    /// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
    pub fn begin_pandemonium_typed_array(
        &mut self,
        kind: Kind,
        element: ElementType<'_>,
        len: usize,
    ) -> Result<(), S> {
        let header = self.header(kind)?;
        if !matches!(kind, Kind::TypedArray | Kind::PackedTypedArray) {
            return Err(self.unrepresentable(kind));
        }
        let (element_kind, class) = match element {
            ElementType::Untyped => (Kind::Nil, None),
            ElementType::Builtin(kind) => (kind, None),
            ElementType::Class(class) => (Kind::Object, Some(class)),
            ElementType::Script(_) => return Err(self.unrepresentable(kind)),
        };
        let element_id = u32::from(self.header(element_kind)?.type_id().0);
        let count = self.count(len)?;
        let Some(class) = class else {
            let flags = if element_kind == Kind::Object {
                Flags::AS_ID
            } else {
                Flags::NONE
            };
            let header = HeaderWord::new(header.type_id(), flags);
            let number = [Descriptor::Number(element_id)];
            return self.begin_described(header, &number, count, Frame::array(count));
        };
        self.check_text(class.as_bytes())?;
        // The class is a whole StringName value with its own header.
        let name_header = u32::from(self.header(Kind::StringName)?.type_id().0);
        let descriptors = [
            Descriptor::Number(element_id),
            Descriptor::Number(name_header),
            Descriptor::Text(class),
        ];
        self.begin_described(header, &descriptors, count, Frame::array(count))
    }

    /// Begins an `Object` in its full form: a class and `len` properties, each a
    /// [`Writer::property`] and a value. The object is inert data; an engine that reads it creates
    /// an instance only if it was told to allow objects ([`docs/FORMAT.md` §4.4]).
    ///
    /// # Errors
    ///
    /// Returns `Unrepresentable` for Godot 2, and `EmptyClassName` or `EmbeddedNul` for a class name
    /// that is empty or contains a NUL. Also returns the errors of [`Writer::begin_array`].
    ///
    /// [`docs/FORMAT.md` §4.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#44-object
    pub fn begin_object(&mut self, class: &str, len: usize) -> Result<(), S> {
        let header = self.header(Kind::Object)?;
        if !self.dialect().has_object_payload() {
            return Err(self.unrepresentable(Kind::Object));
        }
        // Readers take it for null, after which nothing may follow.
        if is_no_class(class) {
            return Err(self.error(WriteErrorKind::EmptyClassName));
        }
        self.check_text(class.as_bytes())?;
        let count = self.count(len)?;
        self.begin_described(
            header,
            &[Descriptor::Text(class)],
            count,
            Frame::object(count),
        )
    }

    /// Writes the name of an object's next property; its value comes next.
    ///
    /// # Errors
    ///
    /// Returns `NotAnObject` outside an object; `ExpectedValue` if the property before has no value
    /// yet; `TooMany` if the object has all its properties; `EmbeddedNul` or `TooLarge` for a name
    /// that cannot be written; or the sink's error.
    pub fn property(&mut self, name: &str) -> Result<(), S> {
        self.property_text(name.as_bytes())
    }

    /// Writes the name of an object's next property from its bytes. [`Writer::string_bytes`] says
    /// which bytes a dialect takes.
    ///
    /// # Errors
    ///
    /// Returns `InvalidText` for bytes that the dialect does not take, and the errors of
    /// [`Writer::property`].
    pub fn property_bytes(&mut self, name: &[u8]) -> Result<(), S> {
        self.check_encoding(name)?;
        self.property_text(name)
    }

    fn property_text(&mut self, name: &[u8]) -> Result<(), S> {
        match self.shape() {
            Shape::Object(_) if self.left > 0 => {
                return Err(self.error(WriteErrorKind::ExpectedValue));
            }
            Shape::Object(0) => return Err(self.error(WriteErrorKind::TooMany)),
            Shape::Object(_) => {}
            Shape::Broken => return Err(self.error(WriteErrorKind::Broken)),
            _ => return Err(self.error(WriteErrorKind::NotAnObject)),
        }
        self.check_text(name)?;
        self.set_now(self.now().name_property());
        self.put_text(name)
    }

    /// Ends the innermost container. Writes nothing.
    ///
    /// # Errors
    ///
    /// Returns `TooFew` if children are missing; `NothingOpen` if no container is open; `WrongEnd`
    /// for a container of unknown length; `Broken` after an error that cut the output.
    #[inline(always)]
    pub fn end(&mut self) -> Result<(), S> {
        if !self.now().is_full() {
            return Err(self.refuse_end());
        }
        self.close();
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn refuse_end(&self) -> Error<S::Error> {
        let left = self.left;
        let kind = match self.shape() {
            Shape::Root => WriteErrorKind::NothingOpen,
            Shape::Broken => WriteErrorKind::Broken,
            Shape::GrowingArray | Shape::GrowingDict => WriteErrorKind::WrongEnd,
            Shape::Array => WriteErrorKind::TooFew { missing: left },
            Shape::Dict => WriteErrorKind::TooFew {
                missing: left.div_ceil(2),
            },
            Shape::Object(to_come) => WriteErrorKind::TooFew {
                missing: to_come + left,
            },
        };
        self.error(kind)
    }

    /// Begins a container without a type descriptor. `word` is written as its count; `count` is the
    /// number of children, without flag bits.
    #[inline(always)]
    pub(crate) fn begin(
        &mut self,
        header: HeaderWord,
        word: u32,
        count: u32,
        frame: Frame,
    ) -> Result<(), S> {
        self.check_depth(count > 0)?;
        self.take_value()?;
        self.put(&word_pair(header.0, word))?;
        self.open(frame);
        Ok(())
    }

    fn begin_described(
        &mut self,
        header: HeaderWord,
        descriptors: &[Descriptor<'_>],
        count: u32,
        frame: Frame,
    ) -> Result<(), S> {
        self.check_depth(count > 0)?;
        self.take_value()?;
        self.put(&header.0.to_le_bytes())?;
        for descriptor in descriptors {
            match descriptor {
                Descriptor::None => {}
                Descriptor::Number(number) => self.put(&number.to_le_bytes())?,
                Descriptor::Text(text) => self.put_text(text.as_bytes())?,
            }
        }
        self.put(&count.to_le_bytes())?;
        self.open(frame);
        Ok(())
    }

    fn describe<'t>(&self, element: ElementType<'t>) -> Result<(ElementTyping, Descriptor<'t>), S> {
        match element {
            ElementType::Untyped | ElementType::Builtin(Kind::Nil) => {
                Ok((ElementTyping::None, Descriptor::None))
            }
            ElementType::Builtin(kind) => self.builtin(kind),
            // An engine writes the type number of Object for objects of no particular class.
            ElementType::Class(class) if is_no_class(class) => self.builtin(Kind::Object),
            ElementType::Class(class) => {
                self.check_text(class.as_bytes())?;
                Ok((ElementTyping::Class, Descriptor::Text(class)))
            }
            ElementType::Script(path) => {
                if !path.starts_with("res://") {
                    return Err(self.error(WriteErrorKind::ScriptPath));
                }
                self.check_text(path.as_bytes())?;
                Ok((ElementTyping::Script, Descriptor::Text(path)))
            }
        }
    }

    fn builtin<'t>(&self, kind: Kind) -> Result<(ElementTyping, Descriptor<'t>), S> {
        // The bare number: type words carry no flags, in either precision.
        let id = self.header(kind)?.type_id();
        Ok((ElementTyping::Builtin, Descriptor::Number(u32::from(id.0))))
    }

    fn shared_head(&self, kind: Kind, len: usize) -> Result<(HeaderWord, u32), S> {
        // The dialect with the old node paths is also the one with this mark.
        if !self.dialect().has_old_node_paths() {
            return Err(self.unrepresentable(kind));
        }
        Ok((self.header(kind)?, self.count(len)?))
    }

    #[cold]
    fn typed_unsupported(&self, kind: Kind) -> Error<S::Error> {
        let dialect = self.dialect();
        self.error(WriteErrorKind::TypedUnsupported { kind, dialect })
    }
}

/// Returns `true` if readers find no name in `class`. Readers drop a byte order mark.
fn is_no_class(class: &str) -> bool {
    matches!(class, "" | "\u{feff}")
}
