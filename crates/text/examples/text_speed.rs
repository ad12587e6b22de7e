//! Measures how long it takes to print each record of a file as the engine prints it: `cargo run
//! --release --example text_speed FILE` (values of Godot 4 with their lengths in front, as
//! store_var writes them).

use std::{env, fs, hint::black_box, time::Instant};

use gdvar_text::{Notation, write_godot};
use gdvar_view::{Dialect, Document, Event, PrefixOrder, frames};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let bytes = fs::read(path)?;
    for (n, frame) in frames(&bytes, PrefixOrder::Little).enumerate() {
        let document = Document::new(frame?.bytes, Dialect::GODOT_4);
        let mut values = 0;
        let mut events = document.events();
        while let Some(event) = events.try_next()? {
            values += u64::from(matches!(event, Event::Begin(_) | Event::Value(_)));
        }
        let mut best = f64::MAX;
        let mut len = 0;
        for _ in 0..20 {
            let start = Instant::now();
            let mut text = String::new();
            write_godot(&mut text, document.root()?, Notation::Godot4)?;
            best = best.min(start.elapsed().as_secs_f64());
            len = black_box(text).len();
        }
        println!(
            "record {n}: {values} values, {len} bytes of text, {:.3} ms, {:.1} ns a value",
            1e3 * best,
            1e9 * best / values as f64
        );
    }
    Ok(())
}
