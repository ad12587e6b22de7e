//! Searches JSON for objects that `JSON.from_native` wrote, and for objects and code in its texts.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{
    ScanState,
    code::{self, Search},
    inside::{Held, Inside, worse},
};

/// Returns the worst finding in a JSON text, or the error in the JSON. Nesting deeper than 128 is an error.
pub(super) fn find(
    text: &str,
    inside: &mut Inside,
    depth: usize,
) -> serde_json::Result<Option<Held>> {
    let mut walk = JsonSearch {
        inside,
        depth,
        worst: None,
    };
    let mut json = serde_json::Deserializer::from_str(text);
    JsonNode(&mut walk).deserialize(&mut json)?;
    json.end()?;
    Ok(walk.worst)
}

struct JsonSearch<'a> {
    inside: &'a mut Inside,
    depth: usize,
    worst: Option<Held>,
}

impl JsonSearch<'_> {
    fn text(&mut self, text: &str) {
        // The escapes are decoded now, so hidden text becomes visible.
        let found = code::find(text.as_bytes(), Search::ByContent);
        let found = found.map(|code| Held::new(ScanState::Code, "Code", code.what));
        worse(&mut self.worst, found);
        let found = self.inside.text(text, self.depth + 1);
        worse(&mut self.worst, found);
    }
}

/// Reads a JSON value, searches its texts, and returns its kind.
struct JsonNode<'w, 'a>(&'w mut JsonSearch<'a>);

/// The kinds that `JSON.to_native` distinguishes.
enum JsonKind {
    Text(String),
    List(usize),
    Other,
}

impl<'de> DeserializeSeed<'de> for JsonNode<'_, '_> {
    type Value = JsonKind;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<JsonKind, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonNode<'_, '_> {
    type Value = JsonKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<JsonKind, E> {
        self.0.text(text);
        // No class has a name longer than this.
        let name = text.get(..text.len().min(256)).unwrap_or_default();
        Ok(JsonKind::Text(name.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<JsonKind, E> {
        Ok(JsonKind::Other)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<JsonKind, E> {
        Ok(JsonKind::Other)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<JsonKind, E> {
        Ok(JsonKind::Other)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<JsonKind, E> {
        Ok(JsonKind::Other)
    }

    fn visit_unit<E: de::Error>(self) -> Result<JsonKind, E> {
        Ok(JsonKind::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<JsonKind, A::Error> {
        let mut len = 0;
        while list.next_element_seed(JsonNode(self.0))?.is_some() {
            len += 1;
        }
        Ok(JsonKind::List(len))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonKind, A::Error> {
        let (mut class, mut properties) = (None, false);
        while let Some(key) = map.next_key::<String>()? {
            self.0.text(&key);
            match (key.as_str(), map.next_value_seed(JsonNode(self.0))?) {
                ("type", JsonKind::Text(name)) => class = Some(name),
                // The list has a name and a value for each property.
                ("props", JsonKind::List(len)) => properties = len % 2 == 0,
                _ => {}
            }
        }
        let is_class = |name: &String| name.starts_with(|c: char| c.is_ascii_uppercase());
        if let Some(class) = class.filter(is_class).filter(|_| properties) {
            let found = Held::of_class(&class, code::is_script(&class));
            worse(&mut self.0.worst, Some(found));
        }
        Ok(JsonKind::Other)
    }
}
