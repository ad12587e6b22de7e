//! Compares what an engine says about a file with what gdvar reads from it.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use gdvar_file::{
    Hints, LayerKind,
    forms::{OtherForm, to_binary, to_text},
    layers::Form,
    peel,
};
use gdvar_text::Godot;
use gdvar_view::{Dialect, Document, Event, Limits, Objects, ReadOptions, VariantRef};

/// What an engine printed for a file: the path of each value with the value as text.
pub(super) type Told = BTreeMap<String, String>;

pub(super) fn told(folder: &Path) -> BTreeMap<String, Told> {
    let lines = fs::read_to_string(folder.join("values.jsonl")).expect("a file");
    let mut all: BTreeMap<String, Told> = BTreeMap::new();
    for line in lines.lines() {
        let (file, path, text): (String, String, String) =
            serde_json::from_str(line).expect("a line");
        all.entry(file).or_default().insert(path, text);
    }
    all
}

/// The contents of a resource or scene file, taken out of the file format.
pub(super) struct Opened {
    pub(super) layer: LayerKind,
    dialect: Dialect,
    pub(super) contents: Vec<u8>,
}

impl Opened {
    pub(super) fn new(file: &[u8]) -> Opened {
        Opened::try_new(file).expect("a resource")
    }

    /// Opens a resource or a scene. Returns `None` for any other file, and for a damaged one.
    pub(super) fn try_new(file: &[u8]) -> Option<Opened> {
        let peeled = peel(file, &Hints::new()).ok()?;
        let contents = peeled.contents(file).to_vec();
        // Nothing is changed by writing it again.
        assert!(peeled.wrap(contents.clone(), None).expect("a file") == file);
        let layer = peeled.layers.into_iter().next()?.kind;
        let dialect = match &layer {
            LayerKind::Resource(resource) => resource.dialect,
            LayerKind::Document(file) => file.dialect,
            _ => return None,
        };
        Some(Opened {
            layer,
            dialect,
            contents,
        })
    }

    pub(super) fn root(&self) -> VariantRef<'_> {
        let options = ReadOptions::new(self.dialect)
            .with_objects(Objects::Inert)
            .with_limits(Limits::ENGINE);
        let document = Document::with_options(&self.contents, options);
        assert_eq!(document.validate().expect("a value"), self.contents.len());
        document.root().expect("a value")
    }

    pub(super) fn other_form(&self) -> OtherForm {
        let made = match &self.layer {
            LayerKind::Resource(resource) => to_text(resource, &self.contents),
            LayerKind::Document(file) => to_binary(file, self.contents.clone()),
            _ => panic!("neither a resource nor a scene"),
        };
        made.unwrap_or_else(|error| panic!("{error}"))
    }

    fn is_scene_text(&self) -> bool {
        matches!(&self.layer, LayerKind::Document(file) if file.form == Form::Scene)
    }
}

fn class(value: VariantRef<'_>) -> Option<String> {
    let class = value.as_object()?.class()?;
    Some(class.to_str().expect("UTF-8").to_owned())
}

pub(super) fn property<'a>(object: VariantRef<'a>, name: &str) -> Option<VariantRef<'a>> {
    let mut properties = object.as_object()?.iter().map(|pair| pair.expect("whole"));
    Some(properties.find(|(key, _)| *key == *name)?.1)
}

fn text_of(object: VariantRef<'_>, name: &str) -> Option<String> {
    Some(property(object, name)?.as_str()?.to_owned())
}

/// The paths of resources in other files by the ids that a text gives them.
fn paths(root: VariantRef<'_>) -> HashMap<String, String> {
    let mut paths = HashMap::new();
    let mut events = root.events();
    while let Some(event) = events.try_next().expect("a value") {
        let Event::Begin(value) = event else { continue };
        if let (Some(id), Some(path)) = (text_of(value, "id"), text_of(value, "path")) {
            paths.insert(id, path);
        }
    }
    paths
}

struct Walk<'t> {
    paths: HashMap<String, String>,
    told: &'t Told,
    /// Both engines read an RID of a binary file as a number.
    is_binary: bool,
    /// The values that were read.
    read: Told,
}

impl Walk<'_> {
    /// The text of a value as `show` of the scripts writes it.
    fn show(&self, value: VariantRef<'_>) -> String {
        if let Some(class) = class(value) {
            if class == "ExtResource" {
                let path = text_of(value, "path");
                let path = path.or_else(|| self.paths.get(&text_of(value, "id")?).cloned());
                return format!("ExtResource {}", path.expect("a path"));
            }
            return "Object".to_owned();
        }
        if let Some(array) = value.as_array() {
            let all: Vec<_> = { array.iter() }
                .map(|one| self.show(one.expect("whole")))
                .collect();
            return format!("[{}]", all.join(", "));
        }
        if let Some(dict) = value.as_dict() {
            let pairs = dict.iter().map(|pair| pair.expect("whole"));
            let pairs: Vec<_> = pairs
                .map(|(key, value)| format!("{}: {}", self.show(key), self.show(value)))
                .collect();
            return format!("{{{}}}", pairs.join(", "));
        }
        match Godot::new(value).to_string() {
            rid if rid == "RID()" && self.is_binary => "0".to_owned(),
            text => text,
        }
    }

    fn note(&mut self, path: &str, text: String) {
        self.read.insert(path.to_owned(), text);
    }

    /// Notes a value, and everything in it.
    fn value(&mut self, path: &str, value: VariantRef<'_>) {
        let text = self.show(value);
        self.note(path, text);
        self.inside(path, value);
    }

    /// Notes what is in a value.
    fn inside(&mut self, path: &str, value: VariantRef<'_>) {
        if let Some(name) = class(value) {
            if name == "ExtResource" || name == "SubResource" {
                return;
            }
            self.note(&format!("{path}/"), name);
            for pair in value.as_object().expect("an object").iter() {
                let (name, value) = pair.expect("whole");
                let name = name.to_str().expect("UTF-8");
                // The id, and resources that nothing mentions.
                if name.starts_with("SubResource") || name.starts_with("ExtResource") {
                    continue;
                }
                self.value(&format!("{path}/{name}"), value);
            }
        } else if let Some(array) = value.as_array() {
            for (number, value) in array.iter().enumerate() {
                self.inside(&format!("{path}/{number}"), value.expect("whole"));
            }
        } else if let Some(dict) = value.as_dict() {
            for (number, pair) in dict.iter().enumerate() {
                let (key, value) = pair.expect("whole");
                self.inside(&format!("{path}/k{number}"), key);
                self.inside(&format!("{path}/{number}"), value);
            }
        }
    }

    /// Notes the nodes of a scene.
    fn scene(&mut self, root: VariantRef<'_>) {
        let nodes = root.as_dict().and_then(|dict| dict.get("nodes").ok()?);
        let nodes = nodes.and_then(VariantRef::as_array).expect("nodes");
        for (number, node) in nodes.iter().enumerate() {
            let node = node.expect("whole");
            let at = format!("nodes/{number}");
            let name = text_of(node, "name").expect("a name");
            self.note(&format!("{at}/name"), name);
            for pair in node.as_object().expect("a node").iter() {
                let (name, value) = pair.expect("whole");
                let path = format!("{at}/={}", name.to_str().expect("UTF-8"));
                // The others are attributes.
                if self.told.contains_key(&path) {
                    self.value(&path, value);
                }
            }
        }
    }
}

/// Compares all values of a file with what the engine says of the file of this name. Returns their number, or the
/// first one that differs.
pub(super) fn hold(opened: &Opened, name: &str, told: &Told) -> Result<usize, String> {
    let root = opened.root();
    let mut walk = Walk {
        paths: paths(root),
        told,
        is_binary: is_binary(name),
        read: Told::new(),
    };
    if opened.is_scene_text() {
        walk.scene(root);
    } else {
        walk.inside("", root);
    }
    for (path, own) in &walk.read {
        let is = told.get(path).map_or("nothing", String::as_str);
        if !is_same(is, own) {
            return Err(format!("{name} {path}: {own} is {is}"));
        }
    }
    // Metadata and properties of nodes have no default, so all of them are in the file.
    let is_stored = |path: &str| {
        let mut from_end = path.rsplit('/');
        let last = from_end.next().unwrap_or_default();
        last == "__meta__" || last.starts_with('=') || from_end.next() == Some("metadata")
    };
    let mut stored = told.iter().filter(|(path, _)| is_stored(path));
    match stored.find(|(path, _)| !walk.read.contains_key(*path)) {
        Some((path, is)) => Err(format!("{name} {path}: nothing is {is}")),
        None => Ok(walk.read.len()),
    }
}

pub(super) fn is_binary(name: &str) -> bool {
    name.ends_with(".res") || name.ends_with(".scn")
}

/// Returns `true` if an engine said the same of the text and of the binary form. Different are only:
///
/// * An RID of a text is one, but both engines read an RID of a binary file as a number.
/// * Engines read the digits of a float in a text less exactly than they write them: the last digit may differ.
pub(super) fn is_same(text: &str, other: &str) -> bool {
    let (text, other) = (text.replace("RID()", "0"), other.replace("RID()", "0"));
    let is_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-');
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c| !is_number(c));
        words.map(str::to_owned).collect()
    };
    let (all, others) = (words(&text), words(&other));
    text == other
        || all.len() == others.len()
            && text.replace(is_number, "") == other.replace(is_number, "")
            && { all.iter().zip(&others) }
                .all(|(word, other)| word == other || is_near(word, other))
}

/// Returns `true` for two texts of floats that differ only in the last digit. A text may have the digits of an
/// f32 or of an f64.
fn is_near(text: &str, other: &str) -> bool {
    let values = |text: &str| -> Vec<f64> {
        let narrow = text.parse::<f32>().map(f64::from);
        { text.parse().into_iter().chain(narrow) }.collect()
    };
    let others = values(other);
    let near = |value: f64| { others.iter() }.any(|other| ((value - other) / value).abs() < 1e-15);
    text.contains('.') && values(text).into_iter().any(near)
}
