// Made by `gdvar schema --style rust` of 1 record. Needs gdvar with the feature `serde`, and serde.

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Save {
    pub option: SavedOption,
    pub string: SavedString,
    pub vec: SavedVec,
    #[serde(rename = "self")]
    pub self_: SavedSelf,
    pub saved_string: SavedString2,
    // seen: 2 elements
    pub vecs: Vec<SavedVec2>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct SavedOption {
    // seen: 1
    pub m: i64,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct SavedString {
    // seen: "t"
    pub q: String,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct SavedVec {
    // seen: 1 elements
    pub list: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct SavedSelf {
    // seen: 1
    pub s: i64,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct SavedString2 {
    // seen: 2
    pub q: i64,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct SavedVec2 {
    // seen: 1
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<i64>,
    // seen: "t"
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
}
