//! [`TextLosses`]: counts what Godot's notation does not hold of the values of a file.

use gdvar_file::{Decision, records::records};
use gdvar_view::{
    Document, Error, Event, Kind, Math, Numbers, ObjectRef, Packed, Real, StrRef, VariantRef,
    math::Components, repeated_keys,
};
use gdvar_write::{IntRule, Target};

use crate::{app::App, input::bytes::Input, terminal::words::plural};

/// What the text of a file's values does not show, as counts of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TextLosses {
    /// Vectors, matrices and arrays of them with 64-bit reals.
    double: u64,
    /// Vectors, matrices and arrays of them with 32-bit reals.
    single: u64,
    /// NaNs with other bits than the NaN that is read back.
    nans: u64,
    /// Ints and floats with 64 bits that 32 bits hold.
    wide: u64,
    /// Dictionaries that have a key more than once.
    repeats: u64,
    /// Texts with characters that no text can name, or with longer UTF-8 than their characters need.
    texts: u64,
    /// Nulls of the type Object.
    null_objects: u64,
}

impl TextLosses {
    /// Counts the losses in all records of a file. The part of a record after damage is not counted: printing the
    /// record reports the damage.
    pub(super) fn count(app: &App, input: &Input, decision: &Decision) -> TextLosses {
        let mut losses = TextLosses::default();
        for record in records(input, decision.framing) {
            let options = app.showing(decision.dialect, &record.bytes);
            let document = Document::with_options(&record.bytes, options);
            let rule = Target::from(decision.dialect).int_rule();
            let _ = losses.add(document, rule);
        }
        losses
    }

    fn add(&mut self, document: Document<'_>, rule: IntRule) -> Result<(), Error> {
        let mut has_dicts = false;
        let mut events = document.events();
        while let Some(event) = events.try_next()? {
            match event {
                Event::Value(value) => self.leaf(value, rule),
                Event::Begin(value) => has_dicts |= value.as_dict().is_some(),
                Event::Property(name) => self.texts += u64::from(is_lost(name)),
                Event::End => {}
            }
        }
        if has_dicts {
            self.repeats += repeated_keys(document.root()?)?.len() as u64;
        }
        Ok(())
    }

    fn leaf(&mut self, value: VariantRef<'_>, rule: IntRule) {
        let kind = value.kind();
        let is_wide = value.is_wide();
        if kind.has_reals() {
            let count = match is_wide {
                true => &mut self.double,
                false => &mut self.single,
            };
            *count += 1;
        }
        match (kind, value.as_f64()) {
            (Kind::Float, Some(float)) if float.is_nan() => {
                let is_usual = float.to_bits() == f64::NAN.to_bits();
                let width = is_wide || rule == IntRule::Always32;
                self.nans += u64::from(!(is_usual && width));
            }
            (Kind::Float, Some(float)) => {
                self.wide += u64::from(is_wide && f64::from(float as f32) == float);
            }
            (Kind::Int, _) => {
                let fits = value.as_i64().is_some_and(|int| i32::try_from(int).is_ok());
                self.wide += u64::from(is_wide && fits);
            }
            (Kind::Object, _) => {
                let is_null = value.as_object().is_some_and(ObjectRef::is_null);
                self.null_objects += u64::from(is_null);
            }
            _ => {
                self.nans += odd_nans(value);
                self.texts += lost_texts(value);
            }
        }
    }

    /// Returns `true` if all reals of vectors and matrices have 64 bits, and there are some.
    pub(super) fn is_double(&self) -> bool {
        self.double > 0 && self.single == 0
    }

    /// Returns a sentence for each loss. `back` is the command that reads the notation.
    pub(super) fn sentences(&self, back: &str) -> Vec<String> {
        let mut all = Vec::new();
        if self.double > 0 && self.single > 0 {
            let [double, single] = [self.double, self.single].map(|count| plural(count, "value"));
            all.push(format!(
                "{double} with 64-bit reals and {single} with 32-bit reals: the text does not mark the width, so `{back}` rounds all to 32 bits, or writes all with 64 bits with --precision double"
            ));
        }
        if self.nans > 0 {
            let nans = plural(self.nans, "NaN");
            all.push(format!(
                "{nans} with its own sign, payload or width: the text is `nan` for every NaN, and `{back}` writes the usual one"
            ));
        }
        if self.wide > 0 {
            let wide = plural(self.wide, "number");
            all.push(format!(
                "{wide} with 64 bits where 32 bits hold it: the text does not mark the width, and `{back}` writes the shorter form, which engines read the same"
            ));
        }
        if self.texts > 0 {
            let texts = plural(self.texts, "text");
            all.push(format!(
                "{texts} with characters above U+10FFFF, or with more bytes of UTF-8 than needed, which only Godot 3 accepts: the text has no form for them, and `{back}` writes others"
            ));
        }
        if self.null_objects > 0 {
            let nulls = plural(self.null_objects, "null Object");
            all.push(format!(
                "{nulls}: the text is `null`, and `{back}` writes the null that has no type"
            ));
        }
        if self.repeats > 0 {
            let repeats = match self.repeats {
                1 => "1 Dictionary has".to_owned(),
                count => format!("{count} Dictionaries have"),
            };
            all.push(format!(
                "{repeats} a key more than once: `{back}` keeps the last value, as the engine does"
            ));
        }
        all
    }
}

/// Returns the number of NaNs in a vector, a matrix, a colour or an array of numbers whose bits differ from the NaN that
/// is read back.
fn odd_nans(value: VariantRef<'_>) -> u64 {
    fn singles(all: impl Iterator<Item = f32>) -> u64 {
        all.filter(|real| real.is_nan() && real.to_bits() != f32::NAN.to_bits())
            .count() as u64
    }
    fn doubles(all: impl Iterator<Item = f64>) -> u64 {
        all.filter(|real| real.is_nan() && real.to_bits() != f64::NAN.to_bits())
            .count() as u64
    }
    macro_rules! vectors {
        ($all:expr) => {
            match $all {
                Real::Single(all) => singles(all.iter().flat_map(|one| one.components())),
                Real::Double(all) => doubles(all.iter().flat_map(|one| one.components())),
            }
        };
    }
    if let Some(math) = Math::of(value) {
        return match math.numbers() {
            Numbers::Ints(_) => 0,
            Numbers::Singles(all) => singles(all.iter().copied().take(math.len())),
            Numbers::Doubles(all) => doubles(all.iter().copied().take(math.len())),
        };
    }
    match value.as_packed() {
        Some(Packed::Float32(all)) => singles(all.iter()),
        Some(Packed::Float64(all)) => doubles(all.iter()),
        Some(Packed::Vector2(all)) => vectors!(all),
        Some(Packed::Vector3(all)) => vectors!(all),
        Some(Packed::Vector4(all)) => vectors!(all),
        Some(Packed::Color(all)) => singles(all.iter().flat_map(|one| one.components())),
        _ => 0,
    }
}

/// Returns the number of texts in a value without children that are not read back from their notation.
fn lost_texts(value: VariantRef<'_>) -> u64 {
    let count = |lost: &mut dyn Iterator<Item = StrRef<'_>>| {
        lost.filter(|one| is_lost(*one)).count() as u64
    };
    if let Some(strings) = value.as_strings() {
        return count(&mut strings.iter().map_while(Result::ok));
    }
    if let Some(path) = value.as_node_path() {
        return count(
            &mut path
                .old_text()
                .into_iter()
                .chain(path.parts().map_while(Result::ok)),
        );
    }
    count(&mut value.as_text().into_iter())
}

/// Returns `true` if a text of Godot 3 has a character above U+10FFFF, or more bytes of UTF-8 than its characters need.
fn is_lost(text: StrRef<'_>) -> bool {
    if text.to_str().is_ok() {
        return false;
    }
    let mut len = 0;
    for code in text.codes() {
        len += match code {
            0..0x80 => 1,
            0x80..0x800 => 2,
            0x800..0x1_0000 => 3,
            0x1_0000..0x11_0000 => 4,
            _ => return true,
        };
    }
    len != text.as_bytes().len()
}
