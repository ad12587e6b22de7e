//! One value validated by two threads.
//!
//! Containers carry no length, so nobody knows where the middle of a value is before someone has
//! walked there. The second thread guesses: it looks for a place near the middle where values follow
//! one another, and validates from there on as many as are in order, one whole value after the other,
//! noting now and then how many they were. The first validates from the start, as ever. If it comes to
//! exactly that place to find a value there, the guess was right, and whatever follows is known: the
//! values after that place are the remaining children of the innermost container, then those of the
//! container around it, and so on, with no byte in between. It takes as many as are to come, and
//! goes on behind them. If it comes elsewhere, or the second thread found something not in order, it
//! walks that itself, so that every error is its own.
//!
//! A value in order is so wherever it stands, in engine mode, but that it may be nested too deep: the
//! second thread assumes to be half as deep as is allowed, and is believed up to there.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::{
    cursor,
    error::Error,
    fast::{Learned, Pending},
    marks::Marks,
    open::Frame,
    options::ReadOptions,
    plain::{STRING, pair, text_end},
    walk::Walk,
};

/// How many bytes are worth a second thread. Waking it takes as long as validating a tenth of that.
pub(crate) const LEAST: usize = 4 << 20;

/// About how many bytes the second thread passes between two notes, and how far it must come from a
/// place to believe in it.
const GRAIN: usize = 1 << 16;

/// How many bytes are searched for a place to begin.
const SEARCHED: usize = 1 << 14;

/// How many bytes the search may walk over in vain.
const IN_VAIN: usize = 1 << 20;

/// The first thread walks this part of the bytes before a second is asked: most of what is passed in
/// no time, large packed arrays, is passed by then.
const HEAD_START: usize = 128;

/// Marks of which two threads can each make a part.
pub(crate) trait Parts: Marks + Send + Sized {
    /// For the second thread.
    fn beside(&self) -> Self;

    /// Takes over what the second thread was told: so many children of the innermost container,
    /// which ends with them, so many of the one around it, and so on. The last does not end.
    fn append(&mut self, ahead: Self, runs: &[u32]);
}

impl Parts for () {
    fn beside(&self) {}

    fn append(&mut self, _: (), _: &[u32]) {}
}

/// [`Walk::drain`] by two threads, as long as at least so many bytes are left.
pub(crate) fn drain<M: Parts>(
    walk: &mut Walk<'_, true>,
    least: usize,
    marks: &mut M,
) -> Result<(), Error> {
    let mut learned = Learned::default();
    while !walk.options.is_special() && !walk.now.is_done() {
        let left = cursor::remaining(walk.bytes, walk.at);
        // Asking for the threads starts them.
        if left < least.max(1) || rayon::current_num_threads() < 2 {
            break;
        }
        let head = walk.at + left.div_ceil(HEAD_START);
        walk.drain_to(head, &mut learned, marks)?;
        let left = cursor::remaining(walk.bytes, walk.at);
        if left >= least && !walk.now.is_done() {
            let middle = (walk.at + left / 2).next_multiple_of(4);
            match boundary(walk.bytes, walk.options, middle) {
                Some(cut) => both(walk, cut, &mut learned, marks)?,
                None => walk.drain_to(middle + SEARCHED, &mut learned, marks)?,
            }
        }
    }
    walk.drain_to(usize::MAX, &mut learned, marks)
}

/// Walks to `cut`, and a second thread from there on; then beyond what that has passed.
fn both<M: Parts>(
    walk: &mut Walk<'_, true>,
    cut: usize,
    learned: &mut Learned,
    marks: &mut M,
) -> Result<(), Error> {
    let (bytes, options, beside) = (walk.bytes, walk.options, marks.beside());
    // How many values are wanted of the second thread; unknown before the first arrives.
    let wanted = AtomicUsize::new(usize::MAX);
    let (arrived, ahead) = rayon::join(
        || {
            let arrived = walk.drain_to(cut, learned, marks);
            let right = arrived.is_ok() && walk.at == cut && walk.depth() <= depth(options);
            wanted.store(if right { to_come(walk) } else { 0 }, Ordering::Relaxed);
            arrived
        },
        || Ahead::new(bytes, options, cut, &wanted, beside),
    );
    arrived?;
    ahead.pass(walk, wanted.into_inner(), marks);
    Ok(())
}

/// How deep the second thread assumes its values to be.
const fn depth(options: ReadOptions) -> u16 {
    options.max_depth() / 2
}

/// How many values are still to come one behind the other: of the innermost container and of those
/// around it. What an object has is not only values.
fn to_come(walk: &Walk<'_, true>) -> usize {
    let open = core::iter::once(&walk.now).chain(walk.around.iter().rev());
    let plain = open.map_while(|frame| frame.pending());
    plain.fold(0, |all, pending| all.saturating_add(pending.left as usize))
}

/// A place from `start` on where values seem to begin.
///
/// Most other places are no value's beginning. A walk that survives the first values from one that
/// only looks like it falls into step soon, so the place is where a long enough walk ends. A wrong
/// place does no harm.
fn boundary(bytes: &[u8], options: ReadOptions, start: usize) -> Option<usize> {
    let left = cursor::remaining(bytes, start);
    let far = (left / 16).min(GRAIN);
    let mut walk = Walk::<true>::new(bytes, start, options, depth(options));
    let mut learned = Learned::default();
    let mut in_vain = 0;
    for at in (start..start + left.min(SEARCHED)).step_by(4) {
        restart(&mut walk, at, u32::MAX / 2, false);
        if walk.drain_to(at + far, &mut learned, &mut ()).is_ok() {
            return (walk.at <= start + left / 2).then_some(walk.at);
        }
        in_vain += walk.at - at;
        if in_vain > IN_VAIN {
            break;
        }
    }
    None
}

/// Lets a walk go on at `at` with so many values.
fn restart(walk: &mut Walk<'_, true>, at: usize, left: u32, is_dict: bool) {
    walk.around.clear();
    walk.error = None;
    walk.depth = depth(walk.options);
    walk.now = Frame::of(Pending { left, is_dict }, walk.depth);
    walk.at = at;
}

/// Whether keys and values seem to follow in turn. Only speed depends on it.
fn looks_like_pairs(bytes: &[u8], at: usize) -> bool {
    let second = pair(bytes, at)
        .filter(|(word, _)| *word == STRING)
        .and_then(|(_, len)| text_end(bytes, at + 8, len))
        .and_then(|end| pair(bytes, end));
    second.is_some_and(|(word, _)| word != STRING)
}

/// A place that the second thread has come to.
#[derive(Clone, Copy)]
struct Note {
    at: usize,
    /// So many values are before it.
    values: usize,
}

/// What the second thread has passed.
struct Ahead<M> {
    notes: Vec<Note>,
    marks: M,
}

impl<M: Parts> Ahead<M> {
    /// Passes values from `at` on, one after the other, until so many are passed as are wanted, or one
    /// is not in order.
    fn new(
        bytes: &[u8],
        options: ReadOptions,
        at: usize,
        wanted: &AtomicUsize,
        mut marks: M,
    ) -> Ahead<M> {
        let mut notes = Vec::new();
        let mut walk = Walk::<true>::new(bytes, at, options, depth(options));
        let mut learned = Learned::default();
        let (mut at, mut values, mut size) = (at, 0, 1);
        loop {
            // An odd number, so that if it begins between a key and its value, it ends before a key.
            let is_dict = looks_like_pairs(bytes, at);
            let count = if is_dict { 2 * size } else { 2 * size - 1 };
            values += count as usize;
            if values > wanted.load(Ordering::Relaxed) {
                break;
            }
            restart(&mut walk, at, count, is_dict);
            let passed = walk.drain_to(usize::MAX, &mut learned, &mut marks);
            if passed.is_err() {
                break;
            }
            match walk.at - at {
                0..GRAIN => size = (2 * size).min(1 << 20),
                _ => size = (size / 2).max(1),
            }
            at = walk.at;
            notes.push(Note { at, values });
        }
        Ahead { notes, marks }
    }

    /// Lets the first thread's walk, which has come to where this began, pass the values of it that
    /// are wanted.
    fn pass(self, walk: &mut Walk<'_, true>, wanted: usize, marks: &mut M) {
        let known = self.notes.partition_point(|note| note.values <= wanted);
        let Some(note) = known.checked_sub(1).and_then(|last| self.notes.get(last)) else {
            return;
        };
        let mut runs = Vec::new();
        let mut values = note.values;
        loop {
            let left = walk.now.left();
            let run = left.min(u32::try_from(values).unwrap_or(u32::MAX));
            runs.push(run);
            walk.now = walk.now.with_left(left - run);
            values -= run as usize;
            if values == 0 {
                break;
            }
            // There are so many values to come, so there is a container that has them.
            let Some(outer) = walk.around.pop() else {
                break;
            };
            walk.leave(outer);
        }
        walk.at = note.at;
        marks.append(self.marks, &runs);
    }
}

#[cfg(test)]
mod tests;
