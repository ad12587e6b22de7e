//! Mutants, judged by the real engines; `scripts/engines/compare-engines` runs it.
//!
//! ```text
//! engine_mutants run ENGINE THOUSANDS SEED DIR
//!     asks the engine about that many thousand inputs of the seed, prints how many disagreements of
//!     which class there are, and writes samples of each class into DIR/ENGINE
//! engine_mutants store ENGINE SEED COUNT FILE
//!     asks the engine about short inputs and writes COUNT of them with its verdicts
//! engine_mutants examples ENGINE
//!     asks the engine about the examples of the deliberate differences
//! engine_mutants table
//!     prints the deliberate differences, as in tests/oracle/DIFFERENCES.md
//! engine_mutants one ENGINE SEED NUMBER
//!     prints an input in hex
//! ```

use std::{env, io, path::Path, process::ExitCode, time::Instant};

use gdvar_conformance::{
    vectors::{hex, unhex},
    with_big_stack,
};
use gdvar_oracle::{
    Asked,
    mutants::{
        ask::{Answer, ask},
        classes::{MUTANTS, Mutant, markdown},
        judge::{judge, rewritten},
        make::Maker,
        stored,
        tally::{Tally, classes},
    },
};

/// The number of inputs that a process of an engine gets.
const BATCH: u64 = 5000;
/// One batch of so many has whole objects, and leave for them.
const OBJECTS: u64 = 20;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = with_big_stack(move || {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["run", engine, thousands, seed, folder] => run(
                Asked::by_name(engine)?,
                number(thousands)? * 1000,
                number(seed)?,
                Path::new(folder),
            ),
            ["store", engine, seed, count, file] => {
                let count = number(count)? as usize;
                let stored = stored::store(
                    Asked::by_name(engine)?,
                    number(seed)?,
                    count,
                    Path::new(file),
                )?;
                println!("{file}: {stored} inputs");
                Ok(stored > 0)
            }
            ["table"] => {
                print!("{}", markdown());
                Ok(true)
            }
            ["examples", engine] => examples(Asked::by_name(engine)?),
            ["one", engine, seed, n] => {
                let maker = Maker::new(Asked::by_name(engine)?, number(seed)?);
                let n = number(n)?;
                println!("{}", hex(&maker.input(n, has_objects(n))));
                Ok(true)
            }
            _ => Err(io::Error::other(
                "the words are run, store, examples, table or one",
            )),
        }
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            eprintln!("engine_mutants: {error}");
            ExitCode::from(77)
        }
        Err(error) => {
            eprintln!("engine_mutants: {error}");
            ExitCode::from(2)
        }
    }
}

fn number(word: &str) -> io::Result<u64> {
    word.parse()
        .map_err(|_| io::Error::other(format!("{word} is no number")))
}

fn has_objects(n: u64) -> bool {
    n / BATCH % OBJECTS == OBJECTS - 1
}

fn run(asked: Asked, count: u64, seed: u64, folder: &Path) -> io::Result<bool> {
    let maker = Maker::new(asked, seed);
    println!(
        "{}: {} values to damage, seed {seed}",
        asked.name,
        maker.corpus_len()
    );
    let start = Instant::now();
    let mut tally = Tally::default();
    let mut n = 0;
    while n < count {
        let end = count.min(n + BATCH);
        let full = has_objects(n);
        let inputs: Vec<Vec<u8>> = (n..end).map(|n| maker.input(n, full)).collect();
        let answers = ask(asked, &inputs, full)?;
        let seconds = ask_again(asked, &inputs, &answers, full)?;
        for (((number, input), answer), second) in (n..).zip(&inputs).zip(&answers).zip(&seconds) {
            let judgement = judge(asked, input, full, answer, second.as_ref());
            let accepted = matches!(answer, Answer::Accepted { .. });
            tally.add(asked, number, input, full, accepted, &judgement);
        }
        n = end;
        eprintln!("{n} of {count}, {} s", start.elapsed().as_secs());
    }
    tally.save(asked, folder)?;
    println!(
        "{}: {} inputs, {} accepted by the engine, {} agreed on in every aspect; the engine makes the \
         same of gdvar's bytes as of the input: {} of {}",
        asked.name, tally.asked, tally.accepted, tally.agreed, tally.same_again, tally.asked_again
    );
    for (class, count) in tally.counts() {
        let sort = if class.unexplained {
            "UNEXPLAINED"
        } else {
            "deliberate"
        };
        println!(
            "{:8}  {sort}  {}; again {} of {}",
            count.inputs, class.name, count.same_again, count.asked_again
        );
    }
    Ok(tally.all_explained())
}

/// The second question: what the engine makes of the project's bytes, where they are not its own.
fn ask_again(
    asked: Asked,
    inputs: &[Vec<u8>],
    answers: &[Answer],
    full: bool,
) -> io::Result<Vec<Option<Answer>>> {
    let bytes: Vec<Option<Vec<u8>>> = inputs
        .iter()
        .zip(answers)
        .map(|(input, answer)| rewritten(asked, input, full, answer))
        .collect();
    let some: Vec<Vec<u8>> = bytes.iter().flatten().cloned().collect();
    let mut seconds = ask(asked, &some, full)?.into_iter();
    Ok(bytes
        .into_iter()
        .map(|bytes| bytes.and_then(|_| seconds.next()))
        .collect())
}

/// Returns `true` if every example is what it is said to be.
fn examples(asked: Asked) -> io::Result<bool> {
    let mut good = true;
    let own = |known: &&Mutant| known.is_of(asked);
    for full in [false, true] {
        // An example that ends the engine is not asked for, nor is one that is too long to be
        // listed.
        let listed = |known: &&Mutant| !known.example(asked).is_empty() && known.aspect != "engine";
        let known: Vec<_> = MUTANTS
            .iter()
            .filter(own)
            .filter(listed)
            .filter(|known| known.objects == full)
            .collect();
        let inputs: Vec<_> = known
            .iter()
            .map(|known| unhex(known.example(asked)))
            .collect();
        for ((known, input), answer) in known.iter().zip(&inputs).zip(ask(asked, &inputs, full)?) {
            let second = ask_again(
                asked,
                std::slice::from_ref(input),
                std::slice::from_ref(&answer),
                full,
            )?;
            let judgement = judge(asked, input, full, &answer, second[0].as_ref());
            let class = format!("{}/{}", known.aspect, known.has);
            let all = classes(asked, &judgement);
            if !all
                .iter()
                .any(|found| !found.unexplained && found.name == class)
            {
                println!("{}: the example of {class} is of {all:?}", asked.name);
                good = false;
            }
        }
    }
    if good {
        println!(
            "{}: every example of a deliberate difference is one",
            asked.name
        );
    }
    Ok(good)
}
