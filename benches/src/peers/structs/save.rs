//! The realistic save as structs.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{SeqAccess, Visitor},
};

use super::{Format, Leaves, leaves, leaves_of, packets::written};
use crate::{
    harness::{Note, Suite},
    question,
    workloads::Tree,
};

/// The save. `C` is a cell: Godot 3 has no `Vector2i`.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
struct Save<'a, F: Format, C> {
    #[serde(borrow)]
    header: Header<'a>,
    #[serde(borrow)]
    player: Actor<'a, F, C>,
    #[serde(borrow)]
    options: Options<'a>,
    #[serde(borrow)]
    actors: Vec<Actor<'a, F, C>>,
    #[serde(borrow)]
    quests: BTreeMap<&'a str, Quest<'a, F, C>>,
    #[serde(borrow)]
    regions: Vec<Region<'a, F>>,
    #[serde(borrow)]
    journal: Vec<&'a str>,
}

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    version: i64,
    game: &'a str,
    saved_at: i64,
    played: f64,
    title: &'a str,
    difficulty: &'a str,
    #[serde(borrow)]
    screenshot: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
struct Options<'a> {
    music: f64,
    sound: f64,
    fullscreen: bool,
    language: &'a str,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
struct Actor<'a, F: Format, C> {
    id: i64,
    kind: &'a str,
    name: &'a str,
    cell: C,
    hp: f64,
    alive: bool,
    state: &'a str,
    #[serde(borrow)]
    inventory: Vec<Slot<'a>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    transform: Option<F::Transform>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    tint: Option<F::Color>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    home: Option<F::Path>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    target: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default, borrow)]
    tags: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none", default, borrow)]
    stats: Option<BTreeMap<&'a str, i64>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    route: Option<Vec<C>>,
    #[serde(skip_serializing_if = "Option::is_none", default, borrow)]
    effects: Option<Vec<Effect<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none", default, borrow)]
    equipment: Option<Equipment<'a>>,
    #[serde(skip_serializing_if = "Option::is_none", default, borrow)]
    notes: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    seen: Option<Vec<i64>>,
}

#[derive(Serialize, Deserialize)]
struct Slot<'a> {
    item: &'a str,
    count: i64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    wear: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default, borrow)]
    label: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
struct Effect<'a> {
    effect: &'a str,
    left: f64,
    by: i64,
}

#[derive(Serialize, Deserialize)]
struct Equipment<'a> {
    #[serde(borrow)]
    head: Option<&'a str>,
    #[serde(borrow)]
    body: Option<&'a str>,
    #[serde(borrow)]
    hand_left: Option<&'a str>,
    #[serde(borrow)]
    hand_right: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "C: Serialize", deserialize = "C: Deserialize<'de>"))]
struct Quest<'a, F: Format, C> {
    state: &'a str,
    giver: F::Path,
    #[serde(borrow)]
    steps: Vec<Step<'a, C>>,
    chances: Chances,
    #[serde(borrow)]
    reward: Vec<Slot<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Step<'a, C> {
    done: bool,
    text: &'a str,
    at: C,
}

#[derive(Serialize, Deserialize)]
struct Chances {
    win: f64,
    lose: f64,
    draw: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Region<'a, F: Format> {
    id: i64,
    fog: Fog,
    light: Vec<f32>,
    #[serde(borrow)]
    doors: BTreeMap<&'a str, bool>,
    sky: F::Color,
}

/// Bytes, which JSON has as numbers.
struct Fog(Vec<u8>);

impl Serialize for Fog {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Fog {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fog, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = Fog;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Fog, E> {
                Ok(Fog(bytes.to_vec()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Fog, A::Error> {
                let mut all = Vec::new();
                while let Some(byte) = items.next_element()? {
                    all.push(byte);
                }
                Ok(Fog(all))
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

impl Leaves for Fog {
    fn leaves(&self) -> u64 {
        question::text(&self.0)
    }
}

leaves_of! {
    ['a, F, C] [F: Format, C: Leaves] Save<'a, F, C> {
        header player options actors quests regions journal
    }
    ['a] [] Header<'a> { version game saved_at played title difficulty screenshot }
    ['a] [] Options<'a> { music sound fullscreen language }
    ['a, F, C] [F: Format, C: Leaves] Actor<'a, F, C> {
        id kind name cell hp alive state inventory transform tint home target tags stats route
        effects equipment notes seen
    }
    ['a] [] Slot<'a> { item count wear label }
    ['a] [] Effect<'a> { effect left by }
    ['a] [] Equipment<'a> { head body hand_left hand_right }
    ['a, F, C] [F: Format, C: Leaves] Quest<'a, F, C> { state giver steps chances reward }
    ['a, C] [C: Leaves] Step<'a, C> { done text at }
    ['a, F] [F: Format] Region<'a, F> { id fog light doors sky }
}

impl Leaves for Chances {
    fn leaves(&self) -> u64 {
        let all = [self.win, self.lose, self.draw];
        all.iter().map(Leaves::leaves).fold(0, u64::wrapping_add)
    }
}

/// Registers the reading of the save.
pub(crate) fn read<'a, F: Format>(suite: &mut Suite<'a>, tree: &'a Tree, is_godot_3: bool) {
    let bytes = F::encoded(tree);
    let note = Note::new("structure, text", "structs, borrowed text");
    let expected = leaves(&tree.value);
    suite.add(F::READ, note, bytes.len(), expected, move || {
        if is_godot_3 {
            let save = F::read::<Save<'_, F, F::Vector2>>(&bytes, true);
            return save.map_or(0, |save| save.leaves());
        }
        let save = F::read::<Save<'_, F, F::Vector2i>>(&bytes, false);
        save.map_or(0, |save| save.leaves())
    });
}

/// Registers the writing of Godot 4's save into a buffer that is used again. `bytes` are those of
/// [`Format::encoded`].
pub(crate) fn write<'a, F: Format>(suite: &mut Suite<'a>, bytes: &'a [u8]) {
    let save = F::read::<Save<'a, F, F::Vector2i>>(bytes, false).expect("it was encoded");
    written::<F, _>(suite, vec![save]);
}
