//! Makes trees of values from a fuzzer's choices.

use arbitrary::{Result, Unstructured};
use gdvar::{
    Array, Dialect, Dictionary, Kind, Variant,
    math::{Color, Vector2, Vector3, Vector4},
    tree::{
        ArrayForm, FullObject, Image, InputEvent, NodePath, Object, OwnedElementType, Signal, Text,
    },
};

/// A value, and whether it survives writing and reading.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) value: Variant,
    /// `true` if the newest engine of the dialect can write and read it without any change.
    pub(super) plain: bool,
}

impl Tree {
    pub(super) fn new(choices: &mut Unstructured<'_>, dialect: Dialect) -> Result<Tree> {
        let mut grower = Grower {
            choices,
            dialect,
            plain: true,
        };
        let value = grower.value(5)?;
        let plain = grower.plain;
        Ok(Tree { value, plain })
    }
}

struct Grower<'c, 'd> {
    choices: &'c mut Unstructured<'d>,
    dialect: Dialect,
    plain: bool,
}

impl Grower<'_, '_> {
    fn any<T: for<'a> arbitrary::Arbitrary<'a>>(&mut self) -> Result<T> {
        self.choices.arbitrary()
    }

    /// Makes between none and five items.
    fn some<T>(&mut self, mut make: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.choices.int_in_range(0..=5)?;
        (0..count).map(|_| make(self)).collect()
    }

    /// Records a condition that must hold for a value to be read back unchanged.
    fn plain_if(&mut self, holds: bool) {
        self.plain &= holds;
    }

    fn text(&mut self) -> Result<Text> {
        let text: String = if self.choices.ratio(1_u8, 3_u8)? {
            let known = [
                "",
                "id",
                "script",
                "res://a.gd",
                "é漢😀",
                "a key of seventeen",
            ];
            (*self.choices.choose(&known)?).to_owned()
        } else {
            self.any()?
        };
        self.plain_if(!text.contains('\0') && !text.starts_with('\u{feff}'));
        Ok(Text::from(text))
    }

    fn f32(&mut self) -> Result<f32> {
        let bits: u32 = self.any()?;
        Ok(f32::from_bits(bits))
    }

    fn f64(&mut self) -> Result<f64> {
        let wide: bool = self.any()?;
        Ok(if wide {
            f64::from_bits(self.any()?)
        } else {
            gdvar::write::wire::widen(self.f32()?)
        })
    }

    fn singles<const N: usize>(&mut self) -> Result<[f32; N]> {
        let mut all = [0.0; N];
        for number in &mut all {
            *number = self.f32()?;
        }
        Ok(all)
    }

    fn doubles<const N: usize>(&mut self) -> Result<[f64; N]> {
        // Only Godot 4 has doubles.
        self.plain_if(self.dialect == Dialect::GODOT_4);
        let mut all = [0.0; N];
        for number in &mut all {
            *number = self.f64()?;
        }
        Ok(all)
    }

    fn element(&mut self) -> Result<OwnedElementType> {
        let element = match self.choices.int_in_range(0..=5)? {
            0 => {
                let kind = *self.choices.choose(Kind::ALL)?;
                self.plain_if(kind != Kind::Nil && self.dialect.type_id(kind).is_some());
                OwnedElementType::Builtin(kind)
            }
            1 => {
                let class = self.text()?;
                // For an empty class name, Godot 4 writes the type number of Object.
                self.plain_if(class != "" || self.dialect == Dialect::PANDEMONIUM_5);
                OwnedElementType::Class(Box::new(class))
            }
            2 => {
                let path = self.text()?;
                let is_path = path.as_str().is_some_and(|path| path.starts_with("res://"));
                self.plain_if(is_path && self.dialect == Dialect::GODOT_4);
                OwnedElementType::Script(Box::new(path))
            }
            _ => OwnedElementType::Untyped,
        };
        let is_typed = element != OwnedElementType::Untyped;
        let dialects = [Dialect::GODOT_4, Dialect::PANDEMONIUM_5];
        self.plain_if(!is_typed || dialects.contains(&self.dialect));
        Ok(element)
    }

    fn value(&mut self, levels: u32) -> Result<Variant> {
        macro_rules! real {
            ($kind:ident, $n:literal) => {
                if self.any()? {
                    gdvar::math::$kind::<f32>::from(self.singles::<$n>()?).into()
                } else {
                    gdvar::math::$kind::<f64>::from(self.doubles::<$n>()?).into()
                }
            };
        }
        macro_rules! packed_reals {
            ($vector:ident, $n:literal) => {
                if self.any()? {
                    let all = self.some(|it| Ok($vector::<f32>::from(it.singles::<$n>()?)))?;
                    Variant::packed(all)
                } else {
                    // Also for an empty array, whose width is only in the flag.
                    self.plain_if(self.dialect == Dialect::GODOT_4);
                    let all = self.some(|it| Ok($vector::<f64>::from(it.doubles::<$n>()?)))?;
                    Variant::packed(all)
                }
            };
        }
        let kind = *self.choices.choose(Kind::ALL)?;
        self.plain_if(self.dialect.type_id(kind).is_some());
        Ok(match kind {
            Kind::Bool => Variant::Bool(self.any()?),
            Kind::Int => {
                let int: i64 = if self.any()? {
                    self.any()?
                } else {
                    self.any::<i32>()?.into()
                };
                self.plain_if(self.dialect != Dialect::GODOT_2 || i32::try_from(int).is_ok());
                Variant::Int(int)
            }
            Kind::Float => {
                self.plain_if(self.dialect != Dialect::GODOT_2);
                Variant::Float(self.f64()?)
            }
            Kind::String => Variant::String(self.text()?),
            Kind::StringName => Variant::StringName(self.text()?),
            Kind::Vector2 => real!(Vector2, 2),
            Kind::Vector3 => real!(Vector3, 3),
            Kind::Vector4 => real!(Vector4, 4),
            Kind::Rect2 => real!(Rect2, 4),
            Kind::Plane => real!(Plane, 4),
            Kind::Quaternion => real!(Quaternion, 4),
            Kind::Transform2D => real!(Transform2D, 6),
            Kind::Aabb => real!(Aabb, 6),
            Kind::Basis => real!(Basis, 9),
            Kind::Transform3D => real!(Transform3D, 12),
            Kind::Projection => real!(Projection, 16),
            Kind::Color => Variant::Color(self.singles::<4>()?.into()),
            Kind::Vector2i => Variant::Vector2i(self.any::<[i32; 2]>()?.into()),
            Kind::Vector3i => Variant::Vector3i(self.any::<[i32; 3]>()?.into()),
            Kind::Vector4i => Variant::Vector4i(self.any::<[i32; 4]>()?.into()),
            Kind::Rect2i => Variant::Rect2i(self.any::<[i32; 4]>()?.into()),
            Kind::NodePath => Variant::from(NodePath {
                names: self.some(Self::text)?,
                subnames: self.some(Self::text)?,
                absolute: self.any()?,
            }),
            Kind::Rid => {
                let id = self.any()?;
                self.plain_if(id == 0 || self.dialect == Dialect::GODOT_4);
                Variant::Rid(id)
            }
            Kind::Callable => Variant::Callable,
            Kind::Signal => Variant::from(Signal {
                name: self.text()?,
                object_id: self.any()?,
            }),
            Kind::Object => self.object(levels)?,
            Kind::Image => {
                let [format, mipmaps, width, height] = self.any()?;
                let data = self.some(|it| it.any())?;
                Variant::from(Image {
                    format,
                    mipmaps,
                    width,
                    height,
                    data,
                })
            }
            Kind::InputEvent => {
                // The body of an event that an engine writes is a whole number of words.
                let body: Vec<u8> = self.some(|it| it.any())?;
                self.plain_if(body.len() % 4 == 0);
                Variant::from(InputEvent {
                    kind: self.any()?,
                    device: self.any()?,
                    body,
                })
            }
            Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => self.array(kind, levels)?,
            Kind::Dictionary => self.dictionary(levels)?,
            Kind::PackedByteArray => Variant::PackedByteArray(self.some(|it| it.any())?),
            Kind::PackedInt32Array => Variant::PackedInt32Array(self.some(|it| it.any())?),
            Kind::PackedInt64Array => Variant::PackedInt64Array(self.some(|it| it.any())?),
            Kind::PackedFloat32Array => Variant::PackedFloat32Array(self.some(Self::f32)?),
            Kind::PackedFloat64Array => Variant::PackedFloat64Array(self.some(Self::f64)?),
            Kind::PackedStringArray => Variant::PackedStringArray(self.some(Self::text)?),
            Kind::PackedVector2Array => packed_reals!(Vector2, 2),
            Kind::PackedVector3Array => packed_reals!(Vector3, 3),
            Kind::PackedVector4Array => packed_reals!(Vector4, 4),
            Kind::PackedVector2iArray => {
                Variant::PackedVector2iArray(self.some(|it| Ok(it.any::<[i32; 2]>()?.into()))?)
            }
            Kind::PackedVector3iArray => {
                Variant::PackedVector3iArray(self.some(|it| Ok(it.any::<[i32; 3]>()?.into()))?)
            }
            Kind::PackedVector4iArray => {
                Variant::PackedVector4iArray(self.some(|it| Ok(it.any::<[i32; 4]>()?.into()))?)
            }
            Kind::PackedColorArray => {
                Variant::PackedColorArray(self.some(|it| Ok(Color::from(it.singles::<4>()?)))?)
            }
            Kind::Nil => Variant::Nil,
        })
    }

    fn object(&mut self, levels: u32) -> Result<Variant> {
        // Godot 2 has only null objects, and the others never write one.
        self.plain_if(self.dialect != Dialect::GODOT_2);
        Ok(Variant::Object(match self.choices.int_in_range(0..=2)? {
            0 => {
                self.plain_if(false);
                Object::Null
            }
            1 => {
                let id = self.any()?;
                self.plain_if(id != 0);
                Object::Id(id)
            }
            _ => {
                let class = self.text()?;
                self.plain_if(class != "");
                let properties =
                    self.children(levels, |it, levels| Ok((it.text()?, it.value(levels)?)))?;
                Object::Full(FullObject { class, properties }.into())
            }
        }))
    }

    fn children<T>(
        &mut self,
        levels: u32,
        mut make: impl FnMut(&mut Self, u32) -> Result<T>,
    ) -> Result<Vec<T>> {
        match levels.checked_sub(1) {
            Some(levels) => self.some(|it| make(it, levels)),
            None => Ok(Vec::new()),
        }
    }

    fn array(&mut self, kind: Kind, levels: u32) -> Result<Variant> {
        let form = match kind {
            Kind::TypedArray => ArrayForm::Typed,
            Kind::PackedTypedArray => ArrayForm::PackedTyped,
            _ => ArrayForm::Plain,
        };
        let element = self.element()?;
        let shared = self.any::<u8>()? == 0;
        // Godot 4 has one form of typed arrays, Pandemonium 5 two others.
        let is_plain = form == ArrayForm::Plain;
        let is_typed = element != OwnedElementType::Untyped;
        self.plain_if(!is_typed || is_plain == (self.dialect == Dialect::GODOT_4));
        self.plain_if(!shared || self.dialect == Dialect::GODOT_2 && is_plain && !is_typed);
        let items = self.children(levels, Self::value)?;
        let array = Array::from(items)
            .with_element_type(element)
            .with_form(form);
        Ok(Variant::Array(array.with_shared(shared)))
    }

    fn dictionary(&mut self, levels: u32) -> Result<Variant> {
        let (key, value) = (self.element()?, self.element()?);
        let is_typed = key != OwnedElementType::Untyped || value != OwnedElementType::Untyped;
        let shared = self.any::<u8>()? == 0;
        self.plain_if(!is_typed || self.dialect == Dialect::GODOT_4);
        self.plain_if(!shared || self.dialect == Dialect::GODOT_2 && !is_typed);
        let pairs = self.children(levels, |it, levels| {
            Ok((it.value(levels)?, it.value(levels)?))
        })?;
        let dict = Dictionary::from_pairs(pairs).with_types(key, value);
        Ok(Variant::Dictionary(dict.with_shared(shared)))
    }
}
