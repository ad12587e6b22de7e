//! The answers of the engines' text parsers to damaged texts; `scripts/engines/compare-texts` runs it.
//!
//! ```text
//! engine_texts make ENGINE COUNT SEED FILE
//!     writes texts for testdata/oracle/parse4.gd or parse3.gd
//! engine_texts gather FILE ANSWERS STATUS
//!     adds the answers of one run of an engine to FILE, with a word for the text that ended it if STATUS is not 0,
//!     and prints how many answers there are
//! engine_texts compare ENGINE FILE ANSWERS
//!     compares what gdvar-text makes of them with what the engine answered
//! engine_texts make-configs ENGINE COUNT SEED FILE
//! engine_texts compare-configs ENGINE FILE ANSWERS
//!     the same for ConfigFiles, gdvar-document, and testdata/oracle/config4.gd or config3.gd
//! engine_texts store ENGINE FILE ANSWERS COUNT
//!     keeps some in testdata/text
//! ```

use std::{collections::BTreeMap, env, fs, io, process::ExitCode};

use gdvar_conformance::with_big_stack;
use gdvar_oracle::{
    Asked, configs,
    texts::{Match, Stored, compare, make, store},
};

fn main() -> ExitCode {
    with_big_stack(run)
}

fn run() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["make", engine, count, seed, file] => write_texts(make, engine, count, seed, file),
        ["make-configs", engine, count, seed, file] => {
            write_texts(configs::make, engine, count, seed, file)
        }
        ["gather", file, answers, status] => gather(file, answers, status != "0"),
        ["compare", engine, texts, answers] => compare_all(engine, texts, answers),
        ["compare-configs", engine, texts, answers] => compare_configs(engine, texts, answers),
        ["store", engine, texts, answers, count] => keep(engine, texts, answers, count),
        _ => Err(io::Error::other(
            "the words are make, make-configs, gather, compare, compare-configs or store",
        )),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("engine_texts: {error}");
            ExitCode::from(2)
        }
    }
}

fn number(word: &str) -> io::Result<u64> {
    word.parse().map_err(io::Error::other)
}

fn write_texts(
    make: fn(Asked, usize, u64) -> Vec<String>,
    engine: &str,
    count: &str,
    seed: &str,
    file: &str,
) -> io::Result<bool> {
    let texts = make(
        Asked::by_name(engine)?,
        number(count)? as usize,
        number(seed)?,
    );
    let mut out = Vec::new();
    for text in texts {
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    fs::write(file, out)?;
    Ok(true)
}

/// The blobs of a file, each behind its length. The last one may be cut: an engine may end while it writes.
fn blobs(file: &str) -> io::Result<Vec<Vec<u8>>> {
    let bytes = fs::read(file)?;
    let mut rest = &bytes[..];
    let mut all = Vec::new();
    while let Some((len, behind)) = rest.split_first_chunk::<4>() {
        let Some((blob, behind)) = behind.split_at_checked(u32::from_le_bytes(*len) as usize)
        else {
            break;
        };
        all.push(blob.to_vec());
        rest = behind;
    }
    Ok(all)
}

/// The answer to a text that ended the engine. No value begins so.
const ENDED: [u8; 4] = [0xfe, 0xff, 0xff, 0xff];

fn gather(file: &str, answers: &str, has_ended: bool) -> io::Result<bool> {
    let mut new = blobs(answers)?;
    if has_ended {
        new.push(ENDED.to_vec());
    }
    let mut all = fs::read(file)?;
    for answer in new {
        all.extend_from_slice(&(answer.len() as u32).to_le_bytes());
        all.extend_from_slice(&answer);
    }
    fs::write(file, &all)?;
    println!("{}", blobs(file)?.len());
    Ok(true)
}

fn asked(engine: &str, texts: &str, answers: &str) -> io::Result<Vec<Stored>> {
    Asked::by_name(engine)?;
    let (texts, answers) = (blobs(texts)?, blobs(answers)?);
    if texts.len() != answers.len() {
        println!(
            "{} texts, {} answers: the engine ended early",
            texts.len(),
            answers.len()
        );
    }
    if answers.is_empty() {
        return Err(io::Error::other("the engine gave no answer"));
    }
    let all = texts.into_iter().zip(answers).map(|(text, answer)| Stored {
        text: String::from_utf8_lossy(&text).into_owned(),
        answer,
    });
    Ok(all.collect())
}

fn compare_all(engine: &str, texts: &str, answers: &str) -> io::Result<bool> {
    let engine_asked = Asked::by_name(engine)?;
    let mut all = asked(engine, texts, answers)?;
    let count = all.len();
    all.retain(|stored| stored.answer != ENDED);
    let ended = count - all.len();
    let (mut counts, mut refused) = ([0; 5], 0);
    for stored in &all {
        let found = compare(engine_asked, &stored.text, &stored.answer);
        counts[found as usize] += 1;
        refused += usize::from(stored.answer == gdvar_oracle::texts::refusal(engine_asked));
        if found == Match::Different && counts[found as usize] <= 40 {
            let ours = gdvar_text::parse_godot(
                &stored.text,
                &gdvar_text::ParseOptions::new(engine_asked.target).with_engine_rules(true),
            );
            let ours = ours.map(|parsed| gdvar_conformance::vectors::hex(&parsed.bytes));
            let answer = gdvar_conformance::vectors::hex(&stored.answer);
            println!("{:?}\n  ours   {ours:?}\n  engine {answer}", stored.text);
        }
    }
    let [same, policy, class, overflow, different] = counts;
    println!(
        "{engine}: {} texts and {ended} that ended the engine, {refused} refused or null: {same} the same, {policy} with what is not let in, \
         {class} with a class, {overflow} with an exponent that overflows, {different} different",
        all.len()
    );
    Ok(different == 0 && ended * 100 <= count)
}

fn compare_configs(engine: &str, texts: &str, answers: &str) -> io::Result<bool> {
    let engine_asked = Asked::by_name(engine)?;
    let all = asked(engine, texts, answers)?;
    let (mut counts, mut refused, mut ended) = (BTreeMap::new(), 0, 0);
    for Stored { text, answer } in &all {
        if *answer == ENDED {
            ended += 1;
            continue;
        }
        refused += usize::from(*answer == configs::REFUSAL);
        let found = configs::compare(engine_asked, text, answer);
        let count = counts.entry(found).or_insert(0);
        *count += 1;
        if found == configs::Match::Different && *count <= 40 {
            let (engine, ours) = configs::shown(engine_asked, text, answer);
            println!("{text:?}\n  ours   {ours:?}\n  engine {engine:?}");
        }
    }
    print!(
        "{engine}: {} ConfigFiles, {ended} ended the engine, {refused} refused",
        all.len()
    );
    for (found, count) in &counts {
        print!(", {count} {}", found.title());
    }
    println!();
    Ok(!counts.contains_key(&configs::Match::Different) && ended * 100 <= all.len())
}

fn keep(engine: &str, texts: &str, answers: &str, count: &str) -> io::Result<bool> {
    let mut all = asked(engine, texts, answers)?;
    all.retain(|stored| stored.text.len() < 120 && stored.answer.len() < 400);
    all.truncate(number(count)? as usize);
    store(Asked::by_name(engine)?, &all)?;
    Ok(true)
}
