//! From the state to what is on the screen.

use crate::{
    commands::explore::{
        children::Work,
        hex::{self, Span},
        keys::HELP,
        layout::Layout,
        nodes::{Next, Node, Trail},
        state::{Mode, Purpose, State},
        text,
        view::{Bottom, Overlay, Row, Tone, View},
        walk::{Child, Thing},
    },
    terminal::{safe_text, words},
};

/// The text of the last line when there is nothing else to say.
const KEYS: &str = "? help  q quit  / search  : path  e edit  y copy";

/// How much is walked over at most for one screen; the rest comes with the next one.
const FRAME: usize = 16 << 20;

impl<'a> State<'a> {
    /// The contents of a screen of that layout. Reads the rows that are seen, and the bytes of the selection.
    pub(crate) fn view(&mut self, layout: &Layout) -> View {
        self.height = layout.tree.height.into();
        let mut work = Work(FRAME);
        self.settle(&mut work);
        let rows = self.rows(layout, &mut work);
        let selected = self.selected();
        let span = selected.as_ref().map(Span::of);
        let path = self.path();
        let mistake = match (&self.mode, &self.message) {
            (Mode::Typing(..), Some((text, _))) => Some(text.clone()),
            _ => None,
        };
        let (hex, detail, percent) = match (&selected, &span) {
            (Some(child), Some(span)) => {
                let lines = layout.hex.map_or(Vec::new(), |hex| {
                    let (columns, count) = (hex.columns.into(), hex.area.height.into());
                    hex::lines(child, span, columns, count)
                });
                let at = child.place.base + span.offset();
                let percent = at as u64 * 100 / (self.source.input.len() as u64).max(1);
                (lines, detail(child, span), format!("{percent} %"))
            }
            _ => (Vec::new(), String::new(), String::new()),
        };
        View {
            title: self.title(),
            percent,
            rows,
            hex,
            path,
            detail,
            mistake,
            bottom: self.bottom(selected.as_ref()),
            overlay: self.overlay(),
        }
    }

    fn title(&self) -> String {
        let input = self.source.input;
        let plan = self.source.plan;
        let layer = if input.layers.is_empty() {
            ""
        } else {
            "  unpacked"
        };
        format!(
            "{}  {}  {} {}{layer}",
            self.source.name(),
            words::plural(input.len() as u64, "byte"),
            plan.dialect,
            plan.framing.name(),
        )
    }

    /// Lets the screen follow the selection.
    fn settle(&mut self, work: &mut Work) {
        visible(&mut self.root, &mut self.cursor);
        visible(&mut self.root, &mut self.top);
        let height = self.height.max(1);
        let mut row = self.top.clone();
        for n in 0..height {
            if row == self.cursor {
                return;
            }
            match self.root.next(&row, work) {
                Next::Row(next) => row = next,
                Next::End | Next::Pending => break,
            }
            if n + 1 == height && row == self.cursor {
                // One row down.
                if let Next::Row(next) = self.root.next(&self.top, work) {
                    self.top = next;
                }
                return;
            }
        }
        let above = self.root.previous(&self.top);
        if above.as_ref() == Some(&self.cursor) {
            self.top = self.cursor.clone();
            return;
        }
        // It is far away: in the middle.
        self.top = self.cursor.clone();
        for _ in 0..height / 2 {
            match self.root.previous(&self.top) {
                Some(above) => self.top = above,
                None => return,
            }
        }
    }

    fn rows(&mut self, layout: &Layout, work: &mut Work) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut trail = self.top.clone();
        self.reading = false;
        while rows.len() < self.height {
            let Some(child) = self.root.get(&trail) else {
                break;
            };
            rows.push(self.row(&child, &trail, layout.tree.width.into()));
            match self.root.next(&trail, work) {
                Next::Row(next) => trail = next,
                Next::End => break,
                Next::Pending => {
                    self.reading = rows.len() < self.height;
                    break;
                }
            }
        }
        if self.reading {
            rows.push(Row {
                depth: 0,
                sign: ' ',
                label: "reading …".to_owned(),
                text: String::new(),
                tone: Tone::Dim,
                selected: false,
            });
        }
        rows
    }

    fn row(&mut self, child: &Child<'_>, trail: &Trail, columns: usize) -> Row {
        let open = self.root.is_open(trail);
        let sign = match (open, child.can_open(), child.thing) {
            (true, ..) => '-',
            (_, true, _) => '+',
            (.., Thing::Broken(_)) => '!',
            _ => ' ',
        };
        let tone = match child.thing {
            Thing::Broken(_) => Tone::Error,
            Thing::Value(value) if value.as_text().is_some() => Tone::Text,
            Thing::Value(value) if value.has_children() => Tone::Dim,
            Thing::Part(gdvar_view::Part::Text(_), _) => Tone::Text,
            _ => Tone::Plain,
        };
        let depth = trail.len() - 1;
        let text = text::summary(child, columns.saturating_sub(2 * depth + 4).max(12));
        Row {
            depth,
            sign,
            label: match child.thing {
                Thing::Broken(_) if depth > 0 => "damage".to_owned(),
                _ => text::label(child.name, self.single),
            },
            text: safe_text::safe_line(&text).into_owned(),
            tone,
            selected: *trail == self.cursor,
        }
    }

    fn bottom(&mut self, selected: Option<&Child<'_>>) -> Bottom {
        if let Some(progress) = self.progress() {
            return Bottom::Message(Tone::Plain, progress);
        }
        match (&self.mode, &self.message) {
            (Mode::Typing(purpose, line), _) => {
                let lead = match purpose {
                    Purpose::Search => "/",
                    Purpose::Path => ":",
                    Purpose::Value => "new value: ",
                };
                Bottom::Prompt(lead.to_owned(), line.text(), line.at())
            }
            (Mode::Confirm(..), _) => Bottom::Message(
                Tone::Plain,
                "y writes the file, any other key does not".to_owned(),
            ),
            (_, Some((text, true))) => Bottom::Message(Tone::Error, text.clone()),
            (_, Some((text, false))) => Bottom::Message(Tone::Good, text.clone()),
            (_, None) => match selected.map(|child| child.thing) {
                Some(Thing::Broken(fault)) => Bottom::Message(Tone::Error, text::why(fault)),
                _ => Bottom::Message(Tone::Dim, KEYS.to_owned()),
            },
        }
    }

    fn overlay(&self) -> Option<Overlay> {
        match &self.mode {
            Mode::Help => Some(Overlay {
                title: "Keys".to_owned(),
                lines: HELP
                    .iter()
                    .map(|(keys, what)| (Tone::Plain, format!("{keys:<12} {what}")))
                    .collect(),
            }),
            Mode::Confirm(_, lines) => Some(Overlay {
                title: "Write this?".to_owned(),
                lines: lines
                    .iter()
                    .map(|line| match line.chars().next() {
                        Some('-') => (Tone::Error, line.clone()),
                        Some('+') => (Tone::Good, line.clone()),
                        _ => (Tone::Plain, line.clone()),
                    })
                    .collect(),
            }),
            Mode::Browse | Mode::Typing(..) => None,
        }
    }
}

/// The selection and its place.
fn detail(child: &Child<'_>, span: &Span) -> String {
    let kind = text::kind(child);
    let at = child.place.base + span.offset();
    match child.value() {
        Some(value) if value.has_children() => format!("{kind} at {at:#x}"),
        _ if matches!(child.thing, Thing::Broken(_)) => format!("{kind} at {at:#x}"),
        _ => {
            let len = words::plural(span.len() as u64, "byte");
            format!("{kind}, {len} at {at:#x}")
        }
    }
}

/// Goes up to what is not inside of something closed.
fn visible(root: &mut Node<'_>, trail: &mut Trail) {
    for len in 1..trail.len() {
        if !root.is_open(&trail[..len]) {
            trail.truncate(len);
            return;
        }
    }
    if root.get(trail).is_none() {
        *trail = vec![0];
    }
}
