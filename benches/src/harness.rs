//! Measuring: all entries of one workload in turn, round after round, by the clock that counts
//! only this thread's time on a processor.
//!
//! Rounds are interleaved, so that a slow minute of the machine falls on all entries alike. Ratios are made
//! of the fastest rounds of one run: what else happens on a machine only ever adds time, to one entry and not
//! to the next.

use std::{fmt, hint::black_box, time::Duration};

use cpu_time::ThreadTime;

/// The work of an entry besides reading, so that like is compared with like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    /// The parts of the input that are checked.
    pub(crate) checks: &'static str,
    /// The things that are built.
    pub(crate) builds: &'static str,
}

impl Note {
    /// Says what is checked and what is built.
    pub(crate) const fn new(checks: &'static str, builds: &'static str) -> Note {
        Note { checks, builds }
    }
}

/// One way to do the work of a workload.
struct Entry<'a> {
    name: &'static str,
    note: Note,
    size: usize,
    run: Box<dyn FnMut() -> u64 + 'a>,
}

/// The entries of one workload.
pub(crate) struct Suite<'a> {
    workload: &'static str,
    title: &'static str,
    values: usize,
    entries: Vec<Entry<'a>>,
    cold: bool,
}

/// Twice what the caches of most machines hold.
const COLD_BYTES: usize = 64 << 20;

/// The number of single passes with cold caches.
const COLD_ROUNDS: usize = 5;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Rounds over all entries.
    pub(crate) rounds: usize,
    /// At least so long for one entry in one round.
    pub(crate) sample: Duration,
    /// `true` to measure single passes with cold caches where a workload asks for them.
    pub(crate) cold: bool,
}

/// The measurements of one entry.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The entry's name.
    pub(crate) name: &'static str,
    /// The work it does.
    pub(crate) note: Note,
    /// Bytes read or written, in the entry's own format.
    pub(crate) size: usize,
    /// The fastest round, in nanoseconds.
    pub(crate) best: f64,
    /// The median of all rounds, which shows how disturbed the run was.
    pub(crate) median: f64,
    /// The fastest single pass with cold caches, if that was asked for.
    pub(crate) cold: Option<f64>,
    /// The memory that one pass needed. Unknown where it ran in another program.
    pub(crate) memory: Option<Memory>,
}

/// The memory of one pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// The number of allocations.
    pub(crate) allocations: u64,
    /// The most bytes that were allocated at a time.
    pub(crate) peak: u64,
}

/// The measurements of one workload.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Its name: `W1`.
    pub(crate) workload: &'static str,
    /// The workload in a line.
    pub(crate) title: &'static str,
    /// The number of Variants it holds.
    pub(crate) values: usize,
    /// One row for each entry, in the order of registration.
    pub(crate) rows: Vec<Row>,
}

impl Table {
    /// The row of that name.
    pub(crate) fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Adds what another program measured of itself: nanoseconds of every pass.
    pub(crate) fn add(&mut self, name: &'static str, note: Note, size: usize, samples: Vec<f64>) {
        self.rows.extend(Row::new(name, note, size, samples));
    }
}

impl Row {
    /// None of no samples.
    fn new(name: &'static str, note: Note, size: usize, mut samples: Vec<f64>) -> Option<Row> {
        samples.sort_by(f64::total_cmp);
        Some(Row {
            name,
            note,
            size,
            best: *samples.first()?,
            median: *samples.get(samples.len() / 2)?,
            cold: None,
            memory: None,
        })
    }
}

/// For people who wait: one line for each entry.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {}, {} values",
            self.workload, self.title, self.values
        )?;
        for row in &self.rows {
            let per_value = row.best / self.values as f64;
            let ms = row.best / 1e6;
            write!(f, "{ms:12.4} ms {per_value:12.2} ns a value  {}", row.name)?;
            match row.cold {
                Some(cold) => writeln!(f, "; cold {:.4} ms", cold / 1e6)?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

impl<'a> Suite<'a> {
    /// No entries yet.
    pub(crate) fn new(workload: &'static str, title: &'static str, values: usize) -> Suite<'a> {
        Suite {
            workload,
            title,
            values,
            entries: Vec::new(),
            cold: false,
        }
    }

    /// Adds an entry after it gave the expected answer once. `size` is its own number of bytes,
    /// read or written.
    pub(crate) fn add(
        &mut self,
        name: &'static str,
        note: Note,
        size: usize,
        expected: u64,
        mut run: impl FnMut() -> u64 + 'a,
    ) {
        let got = run();
        assert_eq!(
            got, expected,
            "{}: {name} gives a wrong answer",
            self.workload
        );
        self.entries.push(Entry {
            name,
            note,
            size,
            run: Box::new(run),
        });
    }

    /// The name of the workload.
    pub(crate) fn workload(&self) -> &'static str {
        self.workload
    }

    /// Runs one entry alone so many times, for tools that count instructions. Returns how many
    /// values a pass has; `None` if there is no such entry.
    pub(crate) fn run_alone(&mut self, name: &str, passes: usize) -> Option<usize> {
        let entry = self.entries.iter_mut().find(|entry| entry.name == name)?;
        black_box((entry.run)());
        for _ in 0..passes {
            counted_pass(&mut entry.run);
        }
        Some(self.values)
    }

    /// Measures all entries. Large inputs are read one pass at a time, and other bytes go through the caches before
    /// it: of a Dictionary of long arrays a pass touches few cache lines, and an entry that follows one over the same
    /// bytes would find them in the caches.
    pub(crate) fn measure(mut self, effort: Effort, is_large: bool) -> Table {
        let passes: Vec<usize> = { self.entries.iter_mut() }
            .map(|entry| passes(entry, effort))
            .map(|passes| if is_large { 1 } else { passes })
            .collect();
        let mut samples = vec![Vec::with_capacity(effort.rounds); self.entries.len()];
        let mut caches = is_large.then(Caches::new);
        for round in 0..effort.rounds {
            for turn in 0..self.entries.len() {
                // Another first one in every round.
                let n = (turn + round) % self.entries.len();
                if let Some(caches) = &mut caches {
                    caches.fill();
                }
                samples[n].push(sample(&mut self.entries[n], passes[n]));
            }
        }
        let cold = match self.cold && effort.cold {
            true => self.cold_passes(),
            false => vec![None; self.entries.len()],
        };
        let rows = self.entries.iter_mut().zip(samples).zip(cold);
        Table {
            workload: self.workload,
            title: self.title,
            values: self.values,
            rows: rows
                .filter_map(|((entry, samples), cold)| {
                    let row = row(entry, samples)?;
                    Some(Row { cold, ..row })
                })
                .collect(),
        }
    }

    /// Has single passes with cold caches measured too.
    pub(crate) fn also_cold(&mut self) {
        self.cold = true;
    }

    /// The fastest of a few single passes of each entry. Before each pass the caches are filled with other
    /// bytes, and all other entries have run since the last one.
    fn cold_passes(&mut self) -> Vec<Option<f64>> {
        let mut caches = Caches::new();
        let mut samples = vec![Vec::with_capacity(COLD_ROUNDS); self.entries.len()];
        for _ in 0..COLD_ROUNDS {
            for (entry, samples) in self.entries.iter_mut().zip(&mut samples) {
                caches.fill();
                samples.push(time(|| black_box((entry.run)())));
            }
        }
        for samples in &mut samples {
            samples.sort_by(f64::total_cmp);
        }
        samples.iter().map(|all| all.first().copied()).collect()
    }
}

/// One pass, under a name that callgrind can be told.
#[inline(never)]
fn counted_pass(run: &mut dyn FnMut() -> u64) {
    black_box(run());
}

fn passes(entry: &mut Entry<'_>, effort: Effort) -> usize {
    let once = time(|| black_box((entry.run)())).max(50.0);
    (effort.sample.as_nanos() as f64 / once)
        .ceil()
        .clamp(1.0, 1e5) as usize
}

/// Nanoseconds of processor time, with the counting of allocations switched off: it would slow
/// down those who allocate.
fn time<T>(run: impl FnOnce() -> T) -> f64 {
    let mut elapsed = Duration::ZERO;
    allocation_counter::opt_out(|| {
        let start = ThreadTime::now();
        black_box(run());
        elapsed = start.elapsed();
    });
    elapsed.as_nanos() as f64
}

/// Bytes that no entry reads.
struct Caches(Vec<u64>);

impl Caches {
    fn new() -> Caches {
        Caches(vec![1; COLD_BYTES / 8])
    }

    /// Fills the caches with these bytes.
    fn fill(&mut self) {
        for word in &mut self.0 {
            *word = word.wrapping_mul(3);
        }
        black_box(&mut self.0);
    }
}

/// Nanoseconds of a pass.
fn sample(entry: &mut Entry<'_>, passes: usize) -> f64 {
    if passes > 1 {
        // Small inputs: the entry before has had the caches.
        black_box((entry.run)());
    }
    let all = time(|| {
        for _ in 0..passes {
            black_box((entry.run)());
        }
    });
    all / passes as f64
}

fn row(entry: &mut Entry<'_>, samples: Vec<f64>) -> Option<Row> {
    let memory = allocation_counter::measure(|| {
        black_box((entry.run)());
    });
    let row = Row::new(entry.name, entry.note, entry.size, samples)?;
    let memory = Some(Memory {
        allocations: memory.count_total,
        peak: memory.bytes_max,
    });
    Some(Row { memory, ..row })
}
