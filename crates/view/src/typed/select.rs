//! [`Select`]: the walk along a [`Pattern`].

use core::fmt;

use smallvec::SmallVec;

use crate::{
    error::Error,
    typed::{
        find::find,
        levels::Spot,
        part::{Found, Part},
        path::{Step, quote::same_name},
        pattern::{Pattern, PatternStep},
    },
    value::{packed::PackedStringIter, variant::VariantRef},
    walk::cursor::Cursor,
};

impl<'a> VariantRef<'a> {
    /// The values at the paths of a pattern below this value, lazily, in the order of the bytes. A
    /// value that is there comes before those in it.
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

/// The values at the paths of a [`Pattern`]: made by [`VariantRef::select`].
///
/// One pass over the bytes from the value at which the pattern's own steps begin, linear in their number
/// and in the steps; what cannot match is skipped. No recursion; memory grows with the depth alone, and
/// up to 8 levels take none. Values that are skipped are not validated.
#[derive(Clone, Debug)]
pub struct Select<'a, 'p> {
    root: Option<VariantRef<'a>>,
    /// The steps that lead to one value.
    start: &'p [PatternStep<'p>],
    steps: &'p [PatternStep<'p>],
    cursor: Cursor<'a>,
    levels: SmallVec<[Level<'a>; 8]>,
    /// A value with parts that may match, and the states in which they were not looked at yet.
    parts: Option<(Found<'a>, States)>,
    /// The steps to the part that was found last.
    tail: &'p [PatternStep<'p>],
}

/// The numbers of steps that may have been taken on the way to a value: bit n for n steps.
type States = u64;

/// An open container, or a packed array.
#[derive(Clone, Debug)]
struct Level<'a> {
    form: Form<'a>,
    /// The number of children; those of a Dictionary are keys and values in turn.
    count: u32,
    /// The number of children that were begun.
    begun: u32,
    states: States,
    /// The child that the walk is at.
    spot: Spot<'a>,
}

#[derive(Clone, Debug)]
enum Form<'a> {
    Items,
    Pairs,
    Properties,
    Packed(VariantRef<'a>),
    Strings(PackedStringIter<'a>),
}

impl<'a, 'p> Select<'a, 'p> {
    /// The value at the next of the paths.
    ///
    /// # Errors
    /// If a value on the way cannot be read; after that there is no more.
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

    /// The path of what was found last.
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
                if !matches!(level.form, Form::Packed(_) | Form::Strings(_)) {
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

    /// Looks at the child that was begun last.
    fn child(&mut self) -> Result<Option<Found<'a>>, Error> {
        let Some(level) = self.levels.last_mut() else {
            return Ok(None);
        };
        let (n, count) = (level.begun - 1, level.count);
        let before = level.states;
        match &mut level.form {
            Form::Items => {
                level.spot = Spot::Element(n);
                let states = self.after(before, |step| is_element(step, n, count));
                self.arrive(states)
            }
            Form::Packed(array) => {
                let part = array.packed_part(n as usize);
                level.spot = Spot::Element(n);
                let states = self.after(before, |step| is_element(step, n, count));
                Ok(self.arrive_at_part(part, states))
            }
            Form::Strings(strings) => {
                let part = strings.try_next()?.map(Part::Text);
                level.spot = Spot::Element(n);
                let states = self.after(before, |step| is_element(step, n, count));
                Ok(self.arrive_at_part(part, states))
            }
            Form::Properties => {
                let name = self.cursor.property()?;
                level.spot = Spot::Property(name);
                let states = self.after(before, |step| match step {
                    PatternStep::One(Step::Name(own)) => same_name(own, name.as_bytes()),
                    step => step == PatternStep::All,
                });
                self.arrive(states)
            }
            Form::Pairs if n % 2 == 0 => {
                level.spot = Spot::Value(n / 2, self.cursor.value()?);
                let key = PatternStep::One(Step::PairKey(n / 2));
                // Deeper steps are looked for in values only.
                let before = before & !self.deep();
                let states = self.after(before, |step| step == key);
                if states == 0 {
                    self.cursor.skip()?;
                    return Ok(None);
                }
                self.arrive(states)
            }
            Form::Pairs => {
                let Spot::Value(pair, key) = level.spot else {
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

    /// The states in which steps of any depth may stay.
    fn deep(&self) -> States {
        let steps = self.steps.iter().enumerate();
        let deep = steps.filter(|(_, step)| **step == PatternStep::AnyDepth);
        deep.fold(0, |deep, (n, _)| deep | 1 << n)
    }

    /// With those that a step of any depth leads to without taking a step.
    fn with_deeper(&self, states: States) -> States {
        states | (states & self.deep()) << 1
    }

    /// The states of a child for which these steps hold.
    fn after(&self, before: States, holds: impl Fn(PatternStep<'p>) -> bool) -> States {
        let mut after = before & self.deep();
        for (n, &step) in self.steps.iter().enumerate() {
            if before >> n & 1 == 1 && step != PatternStep::AnyDepth && holds(step) {
                after |= 1 << (n + 1);
            }
        }
        self.with_deeper(after)
    }

    /// Returns `true` if all steps were taken in one of the states, and the others.
    fn split(&self, states: States) -> (bool, States) {
        let done = 1 << self.steps.len();
        (states & done != 0, states & !done)
    }

    /// Looks at the value that the cursor stands before, and passes or enters it. It is what is sought if
    /// it comes back.
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

    /// Enters a value whose children may be sought, or remembers it for its parts.
    fn enter(&mut self, value: VariantRef<'a>, states: States) -> Result<(), Error> {
        let (form, count) = if let Some(count) = self.cursor.enter_dict()? {
            (Form::Pairs, count.saturating_mul(2))
        } else if let Some(count) = self.cursor.enter_array()? {
            (Form::Items, count)
        } else if let Some(count) = self.cursor.enter_object()? {
            (Form::Properties, count)
        } else {
            self.cursor.skip()?;
            let Some(len) = value.packed_len() else {
                self.parts = Some((Found::Value(value), states));
                return Ok(());
            };
            let form = value
                .as_strings()
                .map(|strings| Form::Strings(strings.iter()));
            (form.unwrap_or(Form::Packed(value)), len as u32)
        };
        self.levels.push(Level {
            form,
            count,
            begun: 0,
            states,
            spot: Spot::Element(0),
        });
        Ok(())
    }

    fn arrive_at_part(&mut self, part: Option<Part<'a>>, states: States) -> Option<Found<'a>> {
        let part = Found::Part(part?);
        let (done, rest) = self.split(states);
        self.parts = (rest != 0).then_some((part, rest));
        self.tail = &[];
        done.then_some(part)
    }

    /// The next part of a value, an element or a component, that all steps lead to.
    fn next_part(&mut self) -> Option<Found<'a>> {
        let (of, states) = self.parts.take()?;
        // A step of any depth is also in the state behind it.
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

/// Returns `true` if a step leads to element n of so many.
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

/// The part that names lead to; steps of any depth take none.
fn component<'a>(of: Found<'a>, steps: &[PatternStep<'_>]) -> Option<Part<'a>> {
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

/// The path of what [`Select`] found last: displays in the notation of
/// [`Path`](crate::Path).
#[derive(Clone, Copy, Debug)]
pub struct SelectedPath<'s, 'a, 'p>(&'s Select<'a, 'p>);

impl fmt::Display for SelectedPath<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.start.iter().try_for_each(|step| step.fmt(f))?;
        for level in self.0.levels.iter().filter(|level| level.begun > 0) {
            match (&level.form, level.spot) {
                // Before the value of a pair its key was looked at.
                (Form::Pairs, Spot::Value(pair, _)) if level.begun % 2 == 1 => {
                    Spot::Key(pair).fmt(f)?;
                }
                (_, spot) => spot.fmt(f)?,
            }
        }
        let tail = self.0.tail.iter();
        let mut tail = tail.filter(|step| **step != PatternStep::AnyDepth);
        tail.try_for_each(|step| step.fmt(f))
    }
}
