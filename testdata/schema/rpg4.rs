// Made by `gdvar schema --style rust` of 1 record. Needs gdvar with the feature `serde`, and serde.

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Save {
    // seen: 7
    pub version: i64,
    // seen: "Vale of Ash – démo"
    pub game: String,
    // seen: 1718118677
    pub saved_at: i64,
    // seen: 123460
    pub play_time: f64,
    // seen: 1311768467294899695
    pub seed: i64,
    // seen: "hard"
    pub difficulty: gdvar::serde::StringName,
    pub ironman: bool,
    // seen: 4 elements
    pub party: Vec<PartyItem>,
    // seen: 5000000000
    pub gold: i64,
    // seen: Dictionary[StringName, Dictionary], 30 pairs
    pub quests: std::collections::BTreeMap<String, Quest>,
    pub maps: std::collections::BTreeMap<String, Map>,
    // seen: 60 pairs
    pub flags: std::collections::BTreeMap<i64, bool>,
    // seen: 120 elements
    #[serde(with = "gdvar::serde::packed")]
    pub texts: Vec<String>,
    // seen: 20 elements
    pub log: Vec<String>,
    pub weather: Weather,
    pub last_error: Option<gdvar::Variant>,
    // seen: 32 elements
    #[serde(with = "gdvar::serde::packed")]
    pub checksum: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct PartyItem {
    // seen: "Aldis" "Børge" "紅葉" "Zoë"
    pub name: String,
    // seen: 20 to 47
    pub level: i64,
    // seen: 700468624 to 8420962256
    pub xp: i64,
    // seen: 56 to 399
    pub hp: i64,
    // seen: 500
    pub hp_max: i64,
    // seen: 0.17347 to 0.58968
    pub stamina: f64,
    pub position: gdvar::math::Vector3<f32>,
    pub facing: gdvar::math::Quaternion<f32>,
    // seen: Array[Dictionary], 3 to 9 elements
    pub inventory: Vec<InventoryItem>,
    pub equipped: Equipped,
    // seen: Dictionary[StringName, int], 3 pairs
    pub skills: Skills,
    // seen: 4 elements
    #[serde(with = "gdvar::serde::packed")]
    pub bar: Vec<i32>,
    pub portrait: gdvar::tree::NodePath,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct InventoryItem {
    // seen: 6 to 9 characters
    pub id: String,
    // seen: 3 to 6 characters
    pub kind: gdvar::serde::StringName,
    // seen: 2 to 20
    pub qty: i64,
    // seen: 0.375 to 4.875
    pub weight: f64,
    pub slot: gdvar::math::Vector2<i32>,
    // seen: 2 elements
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enchant: Option<Vec<EnchantItem>>,
    // seen: "José" "Саша" "Zoë"
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tint: Option<gdvar::math::Color<f32>>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct EnchantItem {
    // seen: "str" "agi"
    pub stat: gdvar::serde::StringName,
    // seen: 0 to 4
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<i64>,
    // seen: 1 to 1.8
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mul: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Equipped {
    pub head: Option<gdvar::Variant>,
    // seen: "sword_34" "sword_26" "sword_17" "sword_10"
    pub hand: String,
    // seen: 2 elements
    pub ring: Vec<Option<String>>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Skills {
    // seen: 21 to 89
    pub sword: i64,
    // seen: 30 to 93
    pub magic: i64,
    // seen: 8 to 86
    pub stealth: i64,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Quest {
    // seen: 0 to 29 characters
    pub title: String,
    // seen: "active" "done" "failed" "new"
    pub state: String,
    // seen: Array[bool], 1 to 6 elements
    pub steps: Vec<bool>,
    // seen: -1 to 536.03
    pub timer: f64,
    // seen: 2 elements
    pub targets: Vec<gdvar::Variant>,
    pub reward: Reward,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Reward {
    // seen: 353 to 4860
    pub gold: i64,
    // seen: 0 to 1 elements
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Item {
    // seen: 2 elements
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enchant: Option<Vec<EnchantItem2>>,
    // seen: "Aldis" "Mira" "Zoë"
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tint: Option<gdvar::math::Color<f32>>,
    // seen: 6 to 9 characters
    pub id: String,
    // seen: "ring" "scroll" "key" "bow" "ore" "sword"
    pub kind: gdvar::serde::StringName,
    // seen: 1 to 17
    pub qty: i64,
    // seen: 1.125 to 4.625
    pub weight: f64,
    pub slot: gdvar::math::Vector2<i32>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct EnchantItem2 {
    // seen: "str" "agi"
    pub stat: gdvar::serde::StringName,
    // seen: 1 to 2
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<i64>,
    // seen: 1.3 to 1.9
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mul: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Map {
    pub size: gdvar::math::Vector2<i32>,
    // seen: "res://tiles/mine_2.tres" "res://tiles/mine_1.tres" "res://tiles/forest.tres" "res://tiles/village.tres"
    pub tileset: String,
    // seen: 2 elements
    pub layers: Vec<gdvar::Variant>,
    // seen: 240 elements
    #[serde(with = "gdvar::serde::packed")]
    pub explored: Vec<u8>,
    pub spawn: gdvar::math::Rect2<i32>,
    pub light: gdvar::math::Color<f32>,
    // seen: 2 pairs
    pub doors: gdvar::Variant,
    pub camera: gdvar::math::Transform2D<f32>,
    pub bounds: gdvar::math::Aabb<f32>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Weather {
    // seen: "rain"
    pub kind: String,
    pub wind: gdvar::math::Vector2<f32>,
    // seen: inf or nan
    pub until: f64,
}
