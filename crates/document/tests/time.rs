//! Reading a document and replacing a value in it take time in proportion to the text.

use std::time::{Duration, Instant};

use gdvar_document::{Form, TextDocument};
use gdvar_view::{Document, Objects};

/// A text of `count` sections and one entry to change.
struct Sample {
    form: Form,
    make: fn(usize) -> String,
    path: &'static str,
}

const SAMPLES: [Sample; 3] = [
    Sample {
        form: Form::ConfigFile,
        make: |count| {
            let section = |at| format!("[section_{at}]\n\nhit_points={at}\n\n");
            "[first]\n\nmark=7\n".to_owned() + &(0..count).map(section).collect::<String>()
        },
        path: "first.mark",
    },
    Sample {
        form: Form::Resource,
        make: |count| {
            let section = |at| format!("[sub_resource type=\"Resource\" id=\"{at}\"]\nhp = {at}\n");
            let used = |at| format!("SubResource(\"{at}\"), ");
            "[gd_resource type=\"Resource\" format=3]\n".to_owned()
                + &(0..count).map(section).collect::<String>()
                + "[resource]\nmark = 7\nlist = ["
                + &(0..count).map(used).collect::<String>()
                + "]\n"
        },
        path: "mark",
    },
    Sample {
        form: Form::Scene,
        make: |count| {
            let node =
                |at| format!("[node name=\"n{at}\" type=\"Node\" parent=\".\"]\nhp = {at}\n");
            "[gd_scene format=3]\n[node name=\"first\" type=\"Node\"]\nmark = 7\n".to_owned()
                + &(0..count).map(node).collect::<String>()
        },
        path: "nodes[0].mark",
    },
];

/// Reads the text, changes the value 7 at `path` to 8, and returns the time that both take.
fn replaced(sample: &Sample, text: &str) -> Duration {
    let start = Instant::now();
    let document = TextDocument::read(text, sample.form, None).expect("a document");
    let mut contents = document.encode().expect("contents");
    let root = Document::new(&contents, document.dialect()).with_objects(Objects::Inert);
    let mark = root.get(sample.path).expect("contents").expect("the mark");
    // The payload of an int is after its type.
    let at = mark.offset() + 4;
    contents[at] = 8;
    let changed = document.replace(&contents).expect("another value");
    let time = start.elapsed();
    let expected = text.replacen("mark=7", "mark=8", 1);
    assert!(changed == expected.replacen("mark = 7", "mark = 8", 1));
    time
}

/// Eight times the text may take sixteen times the time: in proportion it is eight, and 64 if every section
/// looks at all others. Neighbours are loud, so it is tried several times.
#[test]
fn time_is_in_proportion_to_the_text() {
    for sample in &SAMPLES {
        let per_section = (sample.make)(1000).len() / 1000;
        let [small, large] = [4 << 17, 4 << 20].map(|len| (sample.make)(len / per_section));
        let ratio = || {
            let least = (0..2).map(|_| replaced(sample, &small)).min();
            let most = replaced(sample, &large);
            let sizes = large.len() as f64 / small.len() as f64;
            let times = most.as_secs_f64() / least.unwrap_or_default().as_secs_f64();
            let exponent = times.ln() / sizes.ln();
            println!(
                "{:?}: {most:?} for {} bytes, exponent {exponent:.2}",
                sample.form,
                large.len()
            );
            times / sizes
        };
        assert!((0..4).any(|_| ratio() < 2.0), "{:?}", sample.form);
    }
}
