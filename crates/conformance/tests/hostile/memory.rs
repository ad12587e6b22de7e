//! Reading allocates no memory. Everything else allocates in proportion to the bytes that are
//! there, whatever counts and lengths the bytes declare.

use allocation_counter::measure;
use gdvar::{Dialect, Document, Objects, ReadOptions};
use gdvar_conformance::hostile;

use crate::entries::{self, Memory, SPARE};

#[test]
fn hostile_values_get_memory_in_proportion() {
    let entries: Vec<_> = entries::ALL.iter().chain(&entries::DEEP).collect();
    let mut most = vec![0.0_f64; entries.len()];
    let mut wrong = Vec::new();
    for hostile in &hostile::ALL {
        let bytes = (hostile.make)(1 << 16);
        for (entry, most) in entries.iter().zip(&mut most) {
            let document = entries::open(&bytes);
            // Things that are made once for the process, such as a pool of threads.
            (entry.run)(document);
            let used = measure(|| (entry.run)(document));
            let peak = used.bytes_max;
            *most = most.max(peak as f64 / bytes.len() as f64);
            let fits = match entry.memory {
                Memory::None => used.count_total == 0,
                Memory::PerByte(factor) => peak <= factor * bytes.len() as u64 + SPARE,
            };
            if !fits {
                let (name, len) = (hostile.name, bytes.len());
                wrong.push(format!("{}: {name}: {peak} for {len} bytes", entry.name));
            }
        }
    }
    for (entry, most) in entries.iter().zip(&most) {
        println!("{}: at most {most:.2} bytes a byte", entry.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An input of twenty bytes whose counts claim up to thousands of millions of elements, for every
/// type of every dialect.
#[test]
fn twenty_bytes_never_buy_more_than_12_kib() {
    let mut most = (0, String::new());
    for dialect in Dialect::ALL {
        for id in 0..=dialect.type_count() {
            for count in [u32::MAX, i32::MAX as u32, 1 << 28, 0x8000_ffff, 1000] {
                for (flags, second) in [(0, count), (1, count), (2, count), (4, 24), (8, 0)] {
                    let mut bytes = vec![id, 0, flags, 0];
                    bytes.extend(second.to_le_bytes());
                    bytes.extend(count.to_le_bytes().repeat(3));
                    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
                    let document = Document::with_options(&bytes, options);
                    for entry in entries::ALL.iter().chain(&entries::DEEP) {
                        let used = measure(|| (entry.run)(document));
                        if used.bytes_max > most.0 {
                            let name = format!("{}: {dialect} {id} {flags} {count}", entry.name);
                            most = (used.bytes_max, name);
                        }
                        let what = (entry.name, dialect.name(), id, flags, count);
                        assert!(used.bytes_max <= SPARE, "{what:?}: {used:?}");
                        if entry.memory == Memory::None {
                            assert_eq!(used.count_total, 0, "{what:?}: {used:?}");
                        }
                    }
                }
            }
        }
    }
    println!("at most {} bytes: {}", most.0, most.1);
}
