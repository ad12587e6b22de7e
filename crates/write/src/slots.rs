//! Open arrays, dictionaries and objects that hand out a [`Slot`] for each child.

use core::fmt;

use gdvar_wire::Kind;

use crate::{
    containers::ElementType,
    growing::Growing,
    sink::{Patch, Sink},
    slot::{KeySlot, Slot},
    writer::{Result, Writer},
};

/// An open `Array` with a [`Slot`] for each element. Returned by [`Slot::array`] and
/// [`Slot::typed_array`].
#[must_use = "call end(), or the array stays open"]
pub struct ArraySlots<'a, S: Sink> {
    writer: &'a mut Writer<S>,
    /// The number of open containers, this one included.
    depth: u32,
}

/// An open `Dictionary` with a slot for each entry. Returned by [`Slot::dict`] and
/// [`Slot::typed_dict`].
#[must_use = "call end(), or the dictionary stays open"]
pub struct DictSlots<'a, S: Sink> {
    writer: &'a mut Writer<S>,
    depth: u32,
}

/// An open `Object` with a slot for each property. Returned by [`Slot::object`].
#[must_use = "call end(), or the object stays open"]
pub struct ObjectSlots<'a, S: Sink> {
    writer: &'a mut Writer<S>,
    depth: u32,
}

/// An open `Array` of unknown length. Returned by [`Slot::growing_array`].
#[must_use = "call end(), or the array stays open"]
pub struct GrowingArray<'a, S: Sink> {
    slots: ArraySlots<'a, S>,
    growing: Growing,
}

/// An open `Dictionary` of unknown length. Returned by [`Slot::growing_dict`].
#[must_use = "call end(), or the dictionary stays open"]
pub struct GrowingDict<'a, S: Sink> {
    slots: DictSlots<'a, S>,
    growing: Growing,
}

macro_rules! slots {
    ($($name:ident)*) => {$(
        impl<'a, S: Sink> $name<'a, S> {
            /// Wraps the container that was begun last.
            #[inline(always)]
            pub(crate) fn new(writer: &'a mut Writer<S>) -> $name<'a, S> {
                let depth = writer.depth;
                $name { writer, depth }
            }

            #[inline]
            fn check(&self) -> Result<(), S> {
                if self.writer.depth != self.depth {
                    return Err(self.writer.child_open(self.depth));
                }
                Ok(())
            }

            /// Ends the container. Writes nothing.
            ///
            /// # Errors
            ///
            /// Returns `TooFew` if children are missing; `ChildOpen` if a container inside was not
            /// ended; `Broken` after an error that cut the output.
            #[inline(always)]
            pub fn end(self) -> Result<(), S> {
                self.check()?;
                self.writer.end()
            }
        }

        impl<S: Sink> fmt::Debug for $name<'_, S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("depth", &self.depth)
                    .finish_non_exhaustive()
            }
        }
    )*};
}
slots! { ArraySlots DictSlots ObjectSlots }

impl<S: Sink> ArraySlots<'_, S> {
    /// Returns the slot of the next element. Using it fails if the array is full.
    #[inline(always)]
    pub fn push(&mut self) -> Slot<'_, S> {
        Slot::new(self.writer, self.depth)
    }
}

impl<S: Sink> DictSlots<'_, S> {
    /// Writes a String as the next key and returns the slot of its value.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`KeySlot::string`].
    #[inline(always)]
    pub fn key(&mut self, key: &str) -> Result<Slot<'_, S>, S> {
        self.entry().string(key)
    }

    /// Returns the slot of the next key, which may be any value.
    #[inline(always)]
    pub fn entry(&mut self) -> KeySlot<'_, S> {
        KeySlot::new(self.writer, self.depth)
    }
}

impl<S: Sink> ObjectSlots<'_, S> {
    /// Writes the name of the next property and returns the slot of its value.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::property`], and `ChildOpen` if a container inside was not
    /// ended.
    #[inline]
    pub fn property(&mut self, name: &str) -> Result<Slot<'_, S>, S> {
        self.check()?;
        self.writer.property(name)?;
        Ok(Slot::new(self.writer, self.depth))
    }
}

impl<'a, S: Sink> Slot<'a, S> {
    /// Begins an `Array`, see [`Writer::begin_array`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method, and `ChildOpen` if a container inside the slot's
    /// container is still open.
    #[inline(always)]
    pub fn array(self, len: usize) -> Result<ArraySlots<'a, S>, S> {
        self.check()?;
        self.writer.begin_array(len)?;
        Ok(ArraySlots::new(self.writer))
    }

    /// Begins an `Array` with an element type, see [`Writer::begin_typed_array`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method, and `ChildOpen` if a container inside the slot's
    /// container is still open.
    pub fn typed_array(self, element: ElementType<'_>, len: usize) -> Result<ArraySlots<'a, S>, S> {
        self.check()?;
        self.writer.begin_typed_array(element, len)?;
        Ok(ArraySlots::new(self.writer))
    }

    /// Begins a typed array of Pandemonium 5, see [`Writer::begin_pandemonium_typed_array`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method, and `ChildOpen` if a container inside the slot's
    /// container is still open.
    pub fn pandemonium_typed_array(
        self,
        kind: Kind,
        element: ElementType<'_>,
        len: usize,
    ) -> Result<ArraySlots<'a, S>, S> {
        self.check()?;
        self.writer
            .begin_pandemonium_typed_array(kind, element, len)?;
        Ok(ArraySlots::new(self.writer))
    }

    /// Begins a `Dictionary`, see [`Writer::begin_dict`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method, and `ChildOpen` if a container inside the slot's
    /// container is still open.
    #[inline(always)]
    pub fn dict(self, len: usize) -> Result<DictSlots<'a, S>, S> {
        self.check()?;
        self.writer.begin_dict(len)?;
        Ok(DictSlots::new(self.writer))
    }

    /// Begins a `Dictionary` with types of keys and values, see [`Writer::begin_typed_dict`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method, and `ChildOpen` if a container inside the slot's
    /// container is still open.
    pub fn typed_dict(
        self,
        key: ElementType<'_>,
        value: ElementType<'_>,
        len: usize,
    ) -> Result<DictSlots<'a, S>, S> {
        self.check()?;
        self.writer.begin_typed_dict(key, value, len)?;
        Ok(DictSlots::new(self.writer))
    }

    /// Begins an `Object`, see [`Writer::begin_object`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer's method, and `ChildOpen` if a container inside the slot's
    /// container is still open.
    pub fn object(self, class: &str, len: usize) -> Result<ObjectSlots<'a, S>, S> {
        self.check()?;
        self.writer.begin_object(class, len)?;
        Ok(ObjectSlots::new(self.writer))
    }

    /// Writes an `Array` of all items of an iterator. `put` writes each item into its slot.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let scores = [3, 5, 8];
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.root().array_from(&scores, |slot, score| slot.int(*score))?;
    /// assert_eq!(writer.finish()?.len(), 32);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Slot::array`] and of `put`, and `TooMany` or `TooFew` if the
    /// iterator gives more or fewer items than its length, or if `put` leaves a slot empty.
    pub fn array_from<I>(
        self,
        items: I,
        mut put: impl FnMut(Slot<'_, S>, I::Item) -> Result<(), S>,
    ) -> Result<(), S>
    where
        I: IntoIterator<IntoIter: ExactSizeIterator>,
    {
        let items = items.into_iter();
        let mut slots = self.array(items.len())?;
        for item in items {
            put(slots.push(), item)?;
        }
        slots.end()
    }
}

impl<'a, S: Patch> Slot<'a, S> {
    /// Begins an `Array` of unknown length, for sinks that can [`Patch`] its count.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// let mut words = writer.root().growing_array()?;
    /// for word in "to be or not".split(' ') {
    ///     words.push().string(word)?;
    /// }
    /// assert_eq!(words.end()?, 4);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::begin_growing_array`], and `ChildOpen` if a container inside
    /// the slot's container is still open.
    pub fn growing_array(self) -> Result<GrowingArray<'a, S>, S> {
        self.check()?;
        let growing = self.writer.begin_growing_array()?;
        let slots = ArraySlots::new(self.writer);
        Ok(GrowingArray { slots, growing })
    }

    /// Begins a `Dictionary` of unknown length, for sinks that can [`Patch`] its count.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Slot::growing_array`].
    pub fn growing_dict(self) -> Result<GrowingDict<'a, S>, S> {
        self.check()?;
        let growing = self.writer.begin_growing_dict()?;
        let slots = DictSlots::new(self.writer);
        Ok(GrowingDict { slots, growing })
    }
}

impl<S: Patch> GrowingArray<'_, S> {
    /// Returns the slot of one more element.
    #[inline(always)]
    pub fn push(&mut self) -> Slot<'_, S> {
        self.slots.push()
    }

    /// Ends the array, patches the number of its elements into the sink, and returns this number.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::end_growing`].
    pub fn end(self) -> Result<u32, S> {
        self.slots.writer.end_growing(self.growing)
    }
}

impl<S: Patch> GrowingDict<'_, S> {
    /// Writes a String as one more key and returns the slot of its value.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`KeySlot::string`].
    #[inline(always)]
    pub fn key(&mut self, key: &str) -> Result<Slot<'_, S>, S> {
        self.slots.key(key)
    }

    /// Returns the slot of one more key, which may be any value.
    #[inline(always)]
    pub fn entry(&mut self) -> KeySlot<'_, S> {
        self.slots.entry()
    }

    /// Ends the dictionary, patches the number of its entries into the sink, and returns this number.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::end_growing`].
    pub fn end(self) -> Result<u32, S> {
        self.slots.writer.end_growing(self.growing)
    }
}

impl<S: Sink> fmt::Debug for GrowingArray<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrowingArray")
            .field("depth", &self.slots.depth)
            .finish_non_exhaustive()
    }
}

impl<S: Sink> fmt::Debug for GrowingDict<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrowingDict")
            .field("depth", &self.slots.depth)
            .finish_non_exhaustive()
    }
}
