//! The goals that must be reached, and whether they are: the table of goals is [`table`].

mod table;

use std::fmt;

pub(crate) use table::goals;

use crate::{harness::Table, workloads::Size};

/// The things that are compared.
enum What {
    /// The reference's time divided by ours, in one workload. At least so much.
    Times {
        workload: &'static str,
        reference: &'static str,
        ours: &'static str,
    },
    /// As `Times`, but the reference is a program of its own, measured by the wall clock. No goal is missed
    /// where there is no such program.
    TimesOutside {
        workload: &'static str,
        reference: &'static str,
        ours: &'static str,
    },
    /// Our time per value in one workload divided by that in another. At most so much.
    PerValue {
        ours: (&'static str, &'static str),
        base: (&'static str, &'static str),
    },
    /// One entry's time divided by another's, over several workloads.
    Over {
        workloads: &'static [&'static str],
        of: [&'static str; 2],
        take: Take,
    },
    /// Our time per value. At most so many nanoseconds.
    Nanoseconds {
        workload: &'static str,
        ours: &'static str,
    },
    /// Allocations of all entries of ours in these workloads. At most so many.
    Allocations { of: fn(&str, &str) -> bool },
    /// Nothing that can be measured yet.
    Missing,
}

/// The one number to take of the ratios over several workloads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Take {
    /// The geometric mean. At least so much.
    Mean,
    /// The least of all. At least so much.
    Least,
    /// The largest of all. At most so much.
    Largest,
}

impl Take {
    fn from(self, ratios: &[f64]) -> f64 {
        let all = ratios.iter().copied();
        match self {
            Take::Mean => (all.map(f64::ln).sum::<f64>() / ratios.len() as f64).exp(),
            Take::Least => all.fold(f64::INFINITY, f64::min),
            Take::Largest => all.fold(0.0, f64::max),
        }
    }
}

/// One row of the table of goals.
pub(crate) struct Goal {
    name: &'static str,
    what: What,
    /// The small inputs, or the large ones because memory is the limit.
    size: Size,
    /// The word for an entry that is missing.
    absent: &'static str,
    must: f64,
    wanted: f64,
    /// Of a goal that is missed after an honest try: the bound at which it is kept, so that it gets no worse unseen.
    kept: Option<f64>,
}

/// How far a goal is reached.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    name: &'static str,
    found: Result<f64, &'static str>,
    /// `true` if it may be missing: it takes a program that not everyone has.
    optional: bool,
    at_most: bool,
    must: f64,
    wanted: f64,
    kept: Option<f64>,
}

impl Goal {
    /// The goal is missed on one of the processors that it was measured on, and kept at that bound.
    const fn kept_at(self, bound: f64) -> Goal {
        Goal {
            kept: Some(bound),
            ..self
        }
    }

    /// Holds what was measured against it. `large` has the large inputs.
    pub(crate) fn verdict(&self, small: &[Table], large: &[Table]) -> Verdict {
        let tables = match self.size {
            Size::Small => small,
            Size::Large => large,
        };
        let row = |workload: &str, entry: &str| {
            let table = tables.iter().find(|table| table.workload == workload)?;
            Some((table.row(entry)?, table.values as f64))
        };
        let found = match &self.what {
            What::Times {
                workload,
                reference,
                ours,
            }
            | What::TimesOutside {
                workload,
                reference,
                ours,
            } => row(workload, reference)
                .zip(row(workload, ours))
                .map(|(reference, ours)| reference.0.best / ours.0.best),
            What::PerValue { ours, base } => row(ours.0, ours.1)
                .zip(row(base.0, base.1))
                .map(|(ours, base)| (ours.0.best / ours.1) / (base.0.best / base.1)),
            What::Over {
                workloads,
                of: [over, under],
                take,
            } => {
                let ratio = |name: &&'static str| {
                    let (over, under) = row(name, over).zip(row(name, under))?;
                    Some(over.0.best / under.0.best)
                };
                let ratios: Option<Vec<f64>> = workloads.iter().map(ratio).collect();
                ratios.map(|ratios| take.from(&ratios))
            }
            What::Nanoseconds { workload, ours } => {
                row(workload, ours).map(|(row, values)| row.best / values)
            }
            What::Allocations { of } => {
                let rows = tables
                    .iter()
                    .flat_map(|t| t.rows.iter().map(move |row| (t, row)));
                let rows = rows.filter(|(table, row)| of(table.workload, row.name));
                let memory = rows.filter_map(|(_, row)| row.memory);
                Some(memory.map(|memory| memory.allocations).sum::<u64>() as f64)
            }
            What::Missing => None,
        };
        Verdict {
            name: self.name,
            found: found.ok_or(self.absent),
            optional: matches!(self.what, What::TimesOutside { .. }),
            at_most: match self.what {
                What::PerValue { .. } | What::Nanoseconds { .. } | What::Allocations { .. } => true,
                What::Over { take, .. } => take == Take::Largest,
                _ => false,
            },
            must: self.must,
            wanted: self.wanted,
            kept: self.kept,
        }
    }
}

impl Verdict {
    /// Returns `true` if the least that is asked for is reached. A goal that cannot be measured is
    /// not reached, unless it takes a program that not everyone has.
    pub(crate) fn is_reached(&self) -> bool {
        self.found
            .map_or(self.optional, |found| self.holds(found, self.must))
    }

    /// Returns `true` if it is reached, or missed no further than it is known to be.
    pub(crate) fn is_kept(&self) -> bool {
        let holds = |bound| self.found.is_ok_and(|found| self.holds(found, bound));
        self.is_reached() || self.kept.is_some_and(holds)
    }

    /// Returns `true` if it was left out for want of another program.
    pub(crate) fn is_unmeasured(&self) -> bool {
        self.optional && self.found.is_err()
    }

    fn holds(&self, found: f64, than: f64) -> bool {
        if self.at_most {
            found <= than
        } else {
            found >= than
        }
    }

    /// The name of the goal.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// How far it is reached, in a word or two.
    fn word(&self) -> &'static str {
        match self.found {
            Ok(found) if self.holds(found, self.wanted) => "as wanted",
            Ok(found) if self.holds(found, self.must) => "reached",
            Ok(_) if self.is_kept() => "missed, kept",
            Ok(_) => "missed",
            Err(_) if self.optional => "not measured",
            Err(_) => "missing",
        }
    }

    /// The number that was found, and against what: four cells and a word.
    pub(crate) fn cells(&self) -> [String; 5] {
        let bound = if self.at_most { "≤ " } else { "" };
        let found = match self.found {
            Ok(found) => format!("{found:.2}"),
            Err(why) => why.to_owned(),
        };
        let cell = |number: f64| format!("{bound}{number}");
        [
            found,
            cell(self.must),
            cell(self.wanted),
            self.kept.map(cell).unwrap_or_default(),
            self.word().to_owned(),
        ]
    }

    /// The median of the verdicts of several runs on the same goal.
    pub(crate) fn median(mut runs: Vec<Verdict>) -> Option<Verdict> {
        let key = |verdict: &Verdict| verdict.found.unwrap_or(f64::NAN);
        runs.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let middle = runs.len() / 2;
        runs.into_iter().nth(middle)
    }
}

/// One line of JSON.
#[derive(serde::Serialize)]
struct Line {
    goal: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'static str>,
    verdict: &'static str,
    must: f64,
    wanted: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<f64>,
    /// The ratio must not be larger, instead of not smaller.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_most: bool,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = Line {
            goal: self.name,
            ratio: self
                .found
                .ok()
                .map(|found| (found * 1000.0).round() / 1000.0),
            missing: self.found.err(),
            verdict: self.word(),
            must: self.must,
            wanted: self.wanted,
            kept: self.kept,
            at_most: self.at_most,
        };
        f.write_str(&::serde_json::to_string(&line).map_err(|_| fmt::Error)?)
    }
}
