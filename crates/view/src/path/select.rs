//! [`Select`]: the walk that finds all values of a [`Pattern`].
//!
//! The steps before the first wildcard lead to one value, so they are an ordinary search. From there on
//! the walk visits children in the order of the bytes. For each child it keeps a set of *states*: bit n
//! says that the first n steps of the pattern can lead to this child. A step with `..` may match again
//! further down, so several bits can be set. A child with the empty set is skipped unread.

use core::fmt;

use smallvec::SmallVec;

use crate::{
    error::Error,
    path::{
        find::find,
        levels::ChildPlace,
        pattern::{Pattern, PatternStep},
        quote::same_name,
        step::Step,
        target::{Found, PathTarget},
    },
    value::{packed::PackedStringIter, variant::VariantRef},
    walk::cursor::Cursor,
};

impl<'a> VariantRef<'a> {
    /// Iterates over all values that `pattern` leads to from this value, in the order of the bytes. A container
    /// comes before the values inside it. Nothing is read before the first value is requested.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, Pattern};
    ///
    /// // [[1, 2], [3]]
    /// let words = [28_u32, 2, 28, 2, 2, 1, 2, 2, 28, 1, 2, 3];
    /// let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    /// let root = Document::new(&bytes, Dialect::GODOT_4).root()?;
    /// let pattern = Pattern::parse("[*][0]")?;
    /// let mut firsts = root.select(&pattern);
    /// let mut seen = Vec::new();
    /// while let Some(found) = firsts.try_next()? {
    ///     seen.push((firsts.path().to_string(), found.value().unwrap().as_i64().unwrap()));
    /// }
    /// assert_eq!(seen, [("$[0][0]".to_owned(), 1), ("$[1][0]".to_owned(), 3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn select<'p>(self, pattern: &'p Pattern<'_>) -> Select<'a, 'p> {
        Select {
            root: Some(self),
            start: pattern.first_steps(),
            steps: pattern.own_steps(),
            cursor: Cursor::of(self),
            levels: SmallVec::new(),
            parts: None,
            tail: &[],
        }
    }
}

/// Iterates over the values that a [`Pattern`] leads to. Made by [`VariantRef::select`].
///
/// The iterator first finds the value that the steps before the first wildcard lead to, and then walks over
/// that value once. The time is linear in the bytes times the steps. Values that cannot match are skipped, and
/// not validated. The walk does not recurse. Its memory grows with the depth only, and up to 8 levels need no
/// allocation.
#[derive(Clone, Debug)]
pub struct Select<'a, 'p> {
    root: Option<VariantRef<'a>>,
    /// The steps before the first wildcard.
    start: &'p [PatternStep<'p>],
    /// The steps from the first wildcard on, the *own* steps.
    steps: &'p [PatternStep<'p>],
    cursor: Cursor<'a>,
    levels: SmallVec<[PatternLevel<'a>; 8]>,
    /// A value or part whose components may match, and the states that were not yet tried on the components.
    parts: Option<(Found<'a>, States)>,
    /// The steps from the last visited child to the part that was found in it.
    tail: &'p [PatternStep<'p>],
}

/// A set: bit n is 1 if the first n of the own steps can lead to a value.
type States = u64;

/// An entered container or packed array.
#[derive(Clone, Debug)]
struct PatternLevel<'a> {
    source: ChildSource<'a>,
    /// The number of children. In a Dictionary keys and values count separately.
    count: u32,
    /// The number of children begun so far, the current one included.
    begun: u32,
    states: States,
    /// The current child.
    place: ChildPlace<'a>,
}

#[derive(Clone, Debug)]
enum ChildSource<'a> {
    Items,
    Pairs,
    Properties,
    Packed(VariantRef<'a>),
    Strings(PackedStringIter<'a>),
}

impl<'a, 'p> Select<'a, 'p> {
    /// The next value or part that the pattern leads to. `Ok(None)` at the end.
    ///
    /// # Errors
    /// Fails if a value on the way is damaged. The iteration ends there.
    pub fn try_next(&mut self) -> Result<Option<Found<'a>>, Error> {
        let next = match self.root.take() {
            Some(root) => self.begin(root),
            None => self.go_on(),
        };
        if next.is_err() {
            self.levels.clear();
            self.parts = None;
        }
        next
    }

    /// The path of the last result. Displays like a [`Path`](crate::Path), without wildcards.
    #[must_use]
    pub fn path(&self) -> SelectedPath<'_, 'a, 'p> {
        SelectedPath(self)
    }

    fn begin(&mut self, root: VariantRef<'a>) -> Result<Option<Found<'a>>, Error> {
        let found = find(root, self.start.iter().filter_map(PatternStep::one))?;
        let states = self.with_deeper(1);
        match found {
            found if self.steps.is_empty() => return Ok(found),
            None => return Ok(None),
            Some(Found::Value(value)) => {
                self.cursor = Cursor::of(value);
                self.arrive(states)?;
            }
            Some(part) => self.parts = Some((part, states)),
        }
        self.go_on()
    }

    fn go_on(&mut self) -> Result<Option<Found<'a>>, Error> {
        loop {
            if let Some(part) = self.next_part() {
                return Ok(Some(part));
            }
            let Some(level) = self.levels.last_mut() else {
                return Ok(None);
            };
            if level.begun == level.count {
                if !matches!(
                    level.source,
                    ChildSource::Packed(_) | ChildSource::Strings(_)
                ) {
                    self.cursor.leave();
                }
                self.levels.pop();
                continue;
            }
            level.begun += 1;
            if let Some(found) = self.child()? {
                return Ok(Some(found));
            }
        }
    }

    /// Visits the child that was started last.
    fn child(&mut self) -> Result<Option<Found<'a>>, Error> {
        let Some(level) = self.levels.last_mut() else {
            return Ok(None);
        };
        let (n, count) = (level.begun - 1, level.count);
        let before = level.states;
        match &mut level.source {
            ChildSource::Items => {
                level.place = ChildPlace::Element(n);
                let states = self.after(before, |step| is_element(step, n, count));
                self.arrive(states)
            }
            ChildSource::Packed(array) => {
                let part = array.packed_part(n as usize);
                level.place = ChildPlace::Element(n);
                let states = self.after(before, |step| is_element(step, n, count));
                Ok(self.arrive_at_part(part, states))
            }
            ChildSource::Strings(strings) => {
                let part = strings.try_next()?.map(PathTarget::Text);
                level.place = ChildPlace::Element(n);
                let states = self.after(before, |step| is_element(step, n, count));
                Ok(self.arrive_at_part(part, states))
            }
            ChildSource::Properties => {
                let name = self.cursor.property()?;
                level.place = ChildPlace::Property(name);
                let states = self.after(before, |step| match step {
                    PatternStep::One(Step::Name(own)) => same_name(own, name.as_bytes()),
                    step => step == PatternStep::All,
                });
                self.arrive(states)
            }
            ChildSource::Pairs if n % 2 == 0 => {
                level.place = ChildPlace::Value(n / 2, self.cursor.value()?);
                let key = PatternStep::One(Step::PairKey(n / 2));
                // `..` does not match inside keys.
                let before = before & !self.deep();
                let states = self.after(before, |step| step == key);
                if states == 0 {
                    self.cursor.skip()?;
                    return Ok(None);
                }
                self.arrive(states)
            }
            ChildSource::Pairs => {
                let ChildPlace::Value(pair, key) = level.place else {
                    return Ok(None);
                };
                let states = self.after(before, |step| match step {
                    PatternStep::One(Step::PairValue(own)) => own == pair,
                    PatternStep::One(step) => step.is_key(key),
                    step => step == PatternStep::All,
                });
                self.arrive(states)
            }
        }
    }

    /// The states whose next step is `..`.
    fn deep(&self) -> States {
        let steps = self.steps.iter().enumerate();
        let deep = steps.filter(|(_, step)| **step == PatternStep::AnyDepth);
        deep.fold(0, |deep, (n, _)| deep | 1 << n)
    }

    /// Adds the states that follow if a `..` step matches no level at all.
    fn with_deeper(&self, states: States) -> States {
        states | (states & self.deep()) << 1
    }

    /// Returns the states of a child of a value with the states `before`. `holds` says whether a step leads to
    /// this child.
    fn after(&self, before: States, holds: impl Fn(PatternStep<'p>) -> bool) -> States {
        let mut after = before & self.deep();
        for (n, &step) in self.steps.iter().enumerate() {
            if before >> n & 1 == 1 && step != PatternStep::AnyDepth && holds(step) {
                after |= 1 << (n + 1);
            }
        }
        self.with_deeper(after)
    }

    /// Returns whether the set contains the final state, and the set without it.
    fn split(&self, states: States) -> (bool, States) {
        let done = 1 << self.steps.len();
        (states & done != 0, states & !done)
    }

    /// Enters or skips the value at the cursor, which has the states `states`. Returns the value if it is a
    /// result.
    fn arrive(&mut self, states: States) -> Result<Option<Found<'a>>, Error> {
        let (done, rest) = self.split(states);
        let value = match (done, rest) {
            (false, 0) => {
                self.cursor.skip()?;
                return Ok(None);
            }
            _ => self.cursor.value()?,
        };
        self.tail = &[];
        if rest == 0 {
            self.cursor.skip()?;
        } else {
            self.enter(value, rest)?;
        }
        Ok(done.then_some(Found::Value(value)))
    }

    /// Enters a value whose children may match, or stores it in `parts` because its components may match.
    fn enter(&mut self, value: VariantRef<'a>, states: States) -> Result<(), Error> {
        let (source, count) = if let Some(count) = self.cursor.enter_dict()? {
            (ChildSource::Pairs, count.saturating_mul(2))
        } else if let Some(count) = self.cursor.enter_array()? {
            (ChildSource::Items, count)
        } else if let Some(count) = self.cursor.enter_object()? {
            (ChildSource::Properties, count)
        } else {
            self.cursor.skip()?;
            let Some(len) = value.packed_len() else {
                self.parts = Some((Found::Value(value), states));
                return Ok(());
            };
            let source = value
                .as_strings()
                .map(|strings| ChildSource::Strings(strings.iter()));
            (source.unwrap_or(ChildSource::Packed(value)), len as u32)
        };
        self.levels.push(PatternLevel {
            source,
            count,
            begun: 0,
            states,
            place: ChildPlace::Element(0),
        });
        Ok(())
    }

    fn arrive_at_part(
        &mut self,
        part: Option<PathTarget<'a>>,
        states: States,
    ) -> Option<Found<'a>> {
        let part = Found::Part(part?);
        let (done, rest) = self.split(states);
        self.parts = (rest != 0).then_some((part, rest));
        self.tail = &[];
        done.then_some(part)
    }

    /// Returns the next component of the value or part in `self.parts` that is a result.
    fn next_part(&mut self) -> Option<Found<'a>> {
        let (of, states) = self.parts.take()?;
        // A state before `..` implies the state after it, which gives the same components.
        let mut left = states & !self.deep();
        while left != 0 {
            let n = left.trailing_zeros();
            left &= left - 1;
            let tail = self.steps.get(n as usize..).unwrap_or_default();
            if let Some(part) = component(of, tail) {
                self.parts = (left != 0).then_some((of, left));
                self.tail = tail;
                return Some(Found::Part(part));
            }
        }
        None
    }
}

/// Returns `true` if a step leads to element `n` of `count`.
fn is_element(step: PatternStep<'_>, n: u32, count: u32) -> bool {
    let from_start = |index: i64| {
        if index < 0 {
            index.saturating_add(count.into())
        } else {
            index
        }
    };
    let n = i64::from(n);
    match step {
        PatternStep::All => true,
        PatternStep::One(Step::Index(index)) => from_start(index) == n,
        PatternStep::Slice(from, to) => {
            from.is_none_or(|from| from_start(from) <= n) && to.is_none_or(|to| n < from_start(to))
        }
        PatternStep::One(_) | PatternStep::AnyDepth => false,
    }
}

/// Returns the component that `steps` lead to. A `..` step matches no level here.
fn component<'a>(of: Found<'a>, steps: &[PatternStep<'_>]) -> Option<PathTarget<'a>> {
    let mut found = of;
    for step in steps {
        let part = match (step, found) {
            (PatternStep::AnyDepth, _) => continue,
            (PatternStep::One(step), Found::Value(value)) => value.part(*step)?,
            (PatternStep::One(step), Found::Part(part)) => part.take_step(*step)?,
            _ => return None,
        };
        found = Found::Part(part);
    }
    match found {
        Found::Part(part) => Some(part),
        Found::Value(_) => None,
    }
}

impl<'a> Iterator for Select<'a, '_> {
    type Item = Result<Found<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// The path of the last result of a [`Select`]. `Display` writes it in the notation of
/// [`Path`](crate::Path).
#[derive(Clone, Copy, Debug)]
pub struct SelectedPath<'s, 'a, 'p>(&'s Select<'a, 'p>);

impl fmt::Display for SelectedPath<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.start.iter().try_for_each(|step| step.fmt(f))?;
        for level in self.0.levels.iter().filter(|level| level.begun > 0) {
            match (&level.source, level.place) {
                // An odd number was started: the current child is the key.
                (ChildSource::Pairs, ChildPlace::Value(pair, _)) if level.begun % 2 == 1 => {
                    ChildPlace::Key(pair).fmt(f)?;
                }
                (_, place) => place.fmt(f)?,
            }
        }
        let tail = self.0.tail.iter();
        let mut tail = tail.filter(|step| **step != PatternStep::AnyDepth);
        tail.try_for_each(|step| step.fmt(f))
    }
}
