//! What the engines read as a value in a text resource: the forms that their parser knows, and forms near them.
//!
//! `testdata/forms/values4.jsonl` and `values3.jsonl` have a line [form, answer] for each. The answer is what `forms4.gd` and
//! `forms3.gd` say of the value, path by path, or null where the engine does not load the file. `UPDATE_FORMS=1` writes
//! the answers of the engines.

use std::{fmt::Write, fs, path::PathBuf};

use gdvar_conformance::vectors::testdata;
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Dialect, Objects};

use crate::{
    held::{Opened, Told, hold, told},
    run_engine,
};

/// A value as text, and what an engine says of it.
type Answer = (String, Option<Told>);

/// The engine of one list of forms.
struct Engine {
    name: &'static str,
    dialect: Dialect,
    script: &'static str,
    stored: &'static str,
    /// What is before and after the value in a file.
    around: [&'static str; 2],
    /// Where the value is for the script.
    path: &'static str,
}

const GODOT_4: Engine = Engine {
    name: "4",
    dialect: Dialect::GODOT_4,
    script: "forms4.gd",
    stored: "forms/values4.jsonl",
    around: [
        "[gd_resource type=\"Resource\" format=3]\n\n\
         [ext_resource type=\"Gradient\" path=\"res://forms_ext.tres\" id=\"1_a\"]\n\n\
         [sub_resource type=\"Gradient\" id=\"Gradient_a\"]\n\n[resource]\nmetadata/a = {\n\"a\": ",
        "\n,\"b\": 7\n}\n",
    ],
    path: "/metadata/a",
};

const GODOT_3: Engine = Engine {
    name: "3.6",
    dialect: Dialect::GODOT_3,
    script: "forms3.gd",
    stored: "forms/values3.jsonl",
    around: [
        "[gd_resource type=\"Resource\" format=2]\n\n\
         [ext_resource path=\"res://forms_ext.tres\" type=\"Gradient\" id=1]\n\n\
         [sub_resource type=\"Gradient\" id=1]\n\n[resource]\n__meta__ = {\n\"a\": ",
        "\n,\"b\": 7\n}\n",
    ],
    path: "/__meta__",
};

/// Returns `true` for forms that are data to gdvar, while the engine looks whether the class, its properties, or the file
/// or resource exists.
fn needs_engine(form: &str) -> bool {
    form.contains("Object(") || form.contains("\"none\"") || form.starts_with("Resource(")
}

/// Returns `true` for forms with a number that the type does not hold, which the rules of 3.2 do not read either.
fn is_no_number(form: &str) -> bool {
    let is_whole = ["Byte", "Int"].iter().any(|name| form.contains(name));
    let numbers = ["inf", "nan", "0.5", "(-1", "300"];
    is_whole && numbers.iter().any(|number| form.contains(number)) || form == "ExtResource(1.5)"
}

/// Returns `true` for escapes that gdvar reads as they are meant. 4.6.3 reads those beyond ASCII in a file, though not in a
/// text, as blanks, and 3.6.2 prints half of a pair.
fn is_broken_escape(form: &str) -> bool {
    ["\\u00e9", "\\u20ac", "\\U01f600", "\\ud83d"]
        .iter()
        .any(|escape| form.contains(escape))
}

impl Engine {
    fn answers(&self) -> Vec<Answer> {
        let lines = fs::read_to_string(testdata(self.stored)).expect("a file");
        let answer = |line| serde_json::from_str(line).expect("a line");
        lines.lines().map(answer).collect()
    }

    fn file(&self, form: &str) -> String {
        self.around.join(form)
    }

    /// Returns how gdvar reads a form otherwise than the engine without a reason, if it does.
    fn difference(&self, form: &str, answer: Option<&Told>) -> Option<String> {
        let opened = Opened::try_new(self.file(form).as_bytes());
        let options = ParseOptions::new(self.dialect)
            .with_objects(Objects::Inert)
            .with_references(true)
            .with_engine_rules(true)
            .with_whole(true);
        let is_engine_form = parse_godot(form, &options).is_ok();
        match (opened, answer) {
            (None, None) => None,
            // A number that would become another one is an error.
            (None, Some(_)) if is_engine_form || is_no_number(form) => None,
            (None, Some(told)) => Some(format!("refused; the engine reads {told:?}")),
            // What gdvar writes where the notation of the engine has nothing.
            (Some(_), None) if !is_engine_form || needs_engine(form) => None,
            (Some(_), None) => Some("read; the engine refuses it".to_owned()),
            (Some(_), Some(_)) if needs_engine(form) || is_broken_escape(form) => None,
            (Some(opened), Some(told)) => hold(&opened, "a.tres", told).err(),
        }
    }

    /// Counts the forms that are read as the engine reads them, and fails for others.
    fn hold(&self, answers: &[Answer]) {
        let mut differences = String::new();
        for (form, answer) in answers {
            if let Some(difference) = self.difference(form, answer.as_ref()) {
                writeln!(differences, "{form:?}: {difference}").expect("space");
            }
        }
        let read = answers.iter().filter(|(_, answer)| answer.is_some());
        println!(
            "Godot {}: {} forms of values, {} of them read",
            self.name,
            answers.len(),
            read.count()
        );
        assert!(differences.is_empty(), "\n{differences}");
    }

    /// Asks the engine about all stored forms.
    fn ask(&self) {
        let folder = tempfile::tempdir().expect("a folder");
        let stored = self.answers();
        let put = |name: &str, text: &str| -> PathBuf {
            let path = folder.path().join(format!("{name}.form"));
            fs::write(&path, text).expect("space");
            path
        };
        let empty = "[gd_resource type=\"Gradient\" format=2]\n\n[resource]\n";
        let mut paths = vec![put("forms_ext.tres", empty)];
        for (number, (form, _)) in stored.iter().enumerate() {
            paths.push(put(&format!("v{number}.tres"), &self.file(form)));
        }
        let out = folder.path().join("out");
        let Some(()) = run_engine(self.name, self.script, &out, &paths) else {
            return;
        };
        let mut told = told(&out);
        let answers: Vec<Answer> = { stored.iter().enumerate() }
            .map(|(number, (form, _))| {
                let mut told = told.remove(&format!("v{number}.tres")).expect("an answer");
                let is_loaded = told.get("").is_none_or(|text| text != "not loaded");
                // The main resource itself.
                told.retain(|path, _| path == "/" || path.starts_with(self.path));
                (form.clone(), is_loaded.then_some(told))
            })
            .collect();
        if std::env::var_os("UPDATE_FORMS").is_some() {
            let lines = answers
                .iter()
                .map(|answer| serde_json::to_string(answer).expect("a line") + "\n");
            fs::write(testdata(self.stored), lines.collect::<String>()).expect("space");
        } else {
            assert!(
                answers == stored,
                "the engine answers otherwise; UPDATE_FORMS=1 stores it"
            );
        }
        self.hold(&answers);
    }
}

#[test]
fn values_are_read_as_the_engines_read_them() {
    for engine in [GODOT_4, GODOT_3] {
        engine.hold(&engine.answers());
    }
}

#[test]
#[ignore = "needs an engine; scripts/test-engines runs it"]
fn godot_4_reads_these_forms() {
    GODOT_4.ask();
}

#[test]
#[ignore = "needs an engine; scripts/test-engines runs it"]
fn godot_3_6_reads_these_forms() {
    GODOT_3.ask();
}
