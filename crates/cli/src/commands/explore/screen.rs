//! Draws the state of the explorer. The same state and size always give the same screen.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
};

use crate::{
    commands::explore::{
        child::{Child, Thing},
        hex::{ByteSpan, HexArea},
        input_line::InputLine,
        keys::HELP,
        state::{Mode, Purpose, State},
        style::{DIM, KEY, PLAIN},
        text,
        tree::{Next, RowPath, Tree},
        work::Work,
    },
    terminal::{
        safe_text,
        width::{cut, fold},
        words,
    },
};

const GOOD: Style = Style::new().fg(Color::Green);
const ERROR: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
const REVERSED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// The text of the last line when there is no message.
const KEYS: &str = "? help  q quit  / search  : path  e edit  y copy";

/// The largest number of bytes that is walked over for one screen. Rows that were not reached are read when the screen
/// is drawn again.
const FRAME: usize = 16 << 20;

/// Divides the screen between the tree and, if there is room, the hex view. The first line of the screen is for the
/// title, the last two lines are for the path and for messages.
fn layout(screen: Rect, with_hex: bool) -> (Rect, Option<HexArea>) {
    let Rect { width, height, .. } = screen;
    let body = Rect::new(0, 1, width, height.saturating_sub(3));
    // Columns for the offset, for two digits and a space per byte, and for the characters.
    let width_of = |columns: u16, text: bool| 10 + 3 * columns + if text { 1 + columns } else { 0 };
    let hex = |area, columns, text| HexArea {
        area,
        columns,
        text,
    };
    for (columns, least_tree) in [(16, 44), (8, 32)] {
        let hex_width = width_of(columns, true);
        if with_hex && width >= least_tree + 2 + hex_width {
            let x = width - hex_width;
            let area = Rect::new(x, 1, hex_width, body.height);
            let tree = Rect {
                width: x - 2,
                ..body
            };
            return (tree, Some(hex(area, columns, true)));
        }
    }
    if !with_hex || body.height < 12 || width < width_of(8, false) {
        return (body, None);
    }
    let lines = (body.height / 4).min(6);
    let tree = Rect {
        height: body.height - lines - 1,
        ..body
    };
    let area = Rect::new(0, body.bottom() - lines, width, lines);
    (tree, Some(hex(area, 8, width >= width_of(8, true))))
}

impl State<'_> {
    /// Draws a screen. Reads the visible rows and the bytes of the selected value for it. Returns the position of the
    /// cursor if the user is typing.
    pub(crate) fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        self.reading = false;
        if screen.height < 4 || screen.width < 10 {
            if !screen.is_empty() {
                buffer.set_string(0, 0, "too small", PLAIN);
            }
            return None;
        }
        let (tree_area, hex_area) = layout(screen, self.with_hex);
        self.tree_area = tree_area;
        let mut work = Work(FRAME);
        self.follow_cursor(&mut work);
        self.draw_rows(&mut work, buffer);
        let selected = self.selected();
        let (mut detail, mut percent) = (String::new(), String::new());
        if let Some(child) = &selected {
            let span = ByteSpan::of(child);
            if let Some(hex) = hex_area {
                let ys = hex.area.top()..hex.area.bottom();
                for (y, line) in ys.zip(span.lines(child, hex)) {
                    buffer.set_line(hex.area.x, y, &line, hex.area.width);
                }
            }
            let at = child.record.base + span.offset();
            detail = describe(child, &span, at);
            let len = self.source.input.len().max(1) as u64;
            percent = format!("{} %", at as u64 * 100 / len);
        }
        self.draw_title(&percent, buffer);
        self.draw_path(&detail, buffer);
        let cursor = self.draw_bottom(selected.as_ref(), buffer);
        self.draw_box(buffer);
        cursor
    }

    fn draw_title(&self, percent: &str, buffer: &mut Buffer) {
        let input = self.source.input;
        let decision = self.source.decision;
        let layer = match input.peeled.layers.is_empty() {
            true => "",
            false => "  unpacked",
        };
        let title = format!(
            " {}  {}  {} {}{layer}",
            self.source.name(),
            words::plural(input.len() as u64, "byte"),
            decision.dialect,
            decision.framing.name(),
        );
        let width = buffer.area.width;
        let at = width.saturating_sub(percent.len() as u16 + 1);
        buffer.set_style(Rect::new(0, 0, width, 1), REVERSED);
        buffer.set_string(0, 0, cut(&title, at.saturating_sub(2).into()), REVERSED);
        buffer.set_string(at, 0, percent, REVERSED);
    }

    /// Moves the first row of the screen so that the selection is visible.
    fn follow_cursor(&mut self, work: &mut Work) {
        leave_closed(&mut self.tree, &mut self.cursor);
        leave_closed(&mut self.tree, &mut self.top);
        let height = self.tree_area.height.max(1);
        let mut row = self.top.clone();
        for _ in 0..height {
            if row == self.cursor {
                return;
            }
            match self.tree.next(&row, work) {
                Next::Row(next) => row = next,
                Next::End | Next::Pending => break,
            }
        }
        // The selection is one row below the screen: scroll down by one row.
        if row == self.cursor {
            if let Next::Row(next) = self.tree.next(&self.top, work) {
                self.top = next;
            }
            return;
        }
        // If the selection is one row above the screen, scroll up by one row. If it is farther away, put it into the
        // middle.
        let is_above = self.tree.previous(&self.top).as_ref() == Some(&self.cursor);
        self.top = self.cursor.clone();
        for _ in 0..if is_above { 0 } else { height / 2 } {
            match self.tree.previous(&self.top) {
                Some(above) => self.top = above,
                None => return,
            }
        }
    }

    fn draw_rows(&mut self, work: &mut Work, buffer: &mut Buffer) {
        let area = self.tree_area;
        let mut row = self.top.clone();
        for y in area.top()..area.bottom() {
            let Some(child) = self.tree.get(&row) else {
                return;
            };
            buffer.set_line(area.x, y, &self.row(&child, &row), area.width);
            if row == self.cursor {
                buffer.set_style(Rect::new(area.x, y, area.width, 1), REVERSED);
            }
            match self.tree.next(&row, work) {
                Next::Row(next) => row = next,
                Next::End => return,
                Next::Pending => {
                    self.reading = y + 1 < area.bottom();
                    if self.reading {
                        buffer.set_stringn(area.x, y + 1, "  reading …", area.width.into(), KEY);
                    }
                    return;
                }
            }
        }
    }

    fn row(&self, child: &Child<'_>, row: &[u64]) -> Line<'static> {
        let width = usize::from(self.tree_area.width);
        let depth = row.len() - 1;
        let is_damage = matches!(child.thing, Thing::Broken(_));
        let sign = match self.tree.is_open(row) {
            true => "- ",
            false if child.can_open() => "+ ",
            false if is_damage => "! ",
            false => "  ",
        };
        let label = match is_damage && depth > 0 {
            true => "damage".to_owned(),
            false => text::label(child.name, self.single),
        };
        let style = match child.thing {
            Thing::Broken(_) => ERROR,
            Thing::Value(value) if value.as_text().is_some() => GOOD,
            Thing::Value(value) if value.has_children() => DIM,
            Thing::Part(gdvar_view::PathTarget::Text(_), _) => GOOD,
            _ => PLAIN,
        };
        let summary = text::summary(child, width.saturating_sub(2 * depth + 4).max(12));
        let summary = safe_text::safe_line(&summary).into_owned();
        // Indents a deep row by at most half of the width.
        let indent = " ".repeat((2 * depth).min(width / 2));
        Line::from(vec![
            Span::raw(indent),
            Span::raw(sign),
            Span::styled(label, KEY),
            Span::raw(if summary.is_empty() { "" } else { ": " }),
            Span::styled(summary, style),
        ])
    }

    /// Draws the path and a description of the selection, or the mistake in the text that the user is typing.
    fn draw_path(&mut self, detail: &str, buffer: &mut Buffer) {
        let (y, width) = (buffer.area.height - 2, usize::from(buffer.area.width));
        if let (Mode::Typing(..), Some((mistake, _))) = (&self.mode, &self.message) {
            buffer.set_string(0, y, safe_text::safe_line(mistake), ERROR);
            return;
        }
        let path = self.path();
        let room = width.saturating_sub(detail.chars().count() + 3);
        if room < 12 {
            buffer.set_string(0, y, cut_front(&path, width), KEY);
            return;
        }
        let (x, _) = buffer.set_stringn(0, y, cut_front(&path, room), width, KEY);
        buffer.set_string(x + 2, y, detail, DIM);
    }

    fn draw_bottom(
        &mut self,
        selected: Option<&Child<'_>>,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let progress = self.progress();
        let (style, text) = match (&self.mode, &self.message) {
            _ if progress.is_some() => (PLAIN, progress.unwrap_or_default()),
            (Mode::Typing(purpose, line), _) => return Some(draw_prompt(*purpose, line, buffer)),
            (Mode::Confirm(..), _) => (
                PLAIN,
                "y writes the file, any other key does not".to_owned(),
            ),
            (_, Some((text, true))) => (ERROR, text.clone()),
            (_, Some((text, false))) => (GOOD, text.clone()),
            (_, None) => match selected.map(|child| child.thing) {
                Some(Thing::Broken(fault)) => (ERROR, text::why(fault)),
                _ => (DIM, KEYS.to_owned()),
            },
        };
        let y = buffer.area.height - 1;
        buffer.set_string(0, y, safe_text::safe_line(&text), style);
        None
    }

    /// Draws the help or a question in a box in front of the tree.
    fn draw_box(&self, buffer: &mut Buffer) {
        let (title, lines): (&str, Vec<(Style, String)>) = match &self.mode {
            Mode::Browse | Mode::Typing(..) => return,
            Mode::Help => {
                let line = |(keys, what): &(&str, &str)| (PLAIN, format!("{keys:<12} {what}"));
                ("Keys", HELP.iter().map(line).collect())
            }
            Mode::Confirm(_, lines) => {
                let style = |line: &String| match line.chars().next() {
                    Some('-') => ERROR,
                    Some('+') => GOOD,
                    _ => PLAIN,
                };
                let lines = lines.iter().map(|line| (style(line), line.clone()));
                ("Write this?", lines.collect())
            }
        };
        let screen = buffer.area;
        let widest = lines.iter().map(|(_, line)| line.chars().count()).max();
        let width = widest.unwrap_or(0).max(title.len()) as u16 + 4;
        let width = width.min(screen.width);
        let room = usize::from(width - 4);
        let lines: Vec<_> = { lines.iter() }
            .flat_map(|(style, line)| fold(line, room, 4).into_iter().map(|line| (*style, line)))
            .collect();
        let height = (lines.len() as u16 + 3).min(screen.height);
        let x = (screen.width - width) / 2;
        let y = (screen.height - height) / 2;
        for y in y..y + height {
            buffer.set_string(x, y, " ".repeat(width.into()), Style::reset());
        }
        buffer.set_style(Rect::new(x, y, width, 1), REVERSED);
        buffer.set_stringn(x + 2, y, title, room, REVERSED);
        for ((style, line), y) in lines.iter().zip(y + 2..y + height) {
            buffer.set_stringn(x + 2, y, line, room, *style);
        }
    }
}

/// Draws the line that the user is typing, and returns the position of its cursor. If there is too little room, the
/// start of the text is cut off.
fn draw_prompt(purpose: Purpose, line: &InputLine, buffer: &mut Buffer) -> Position {
    let lead = match purpose {
        Purpose::Search => "/",
        Purpose::Path => ":",
        Purpose::Value => "new value: ",
    };
    let y = buffer.area.height - 1;
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let (x, _) = buffer.set_stringn(0, y, lead, usize::MAX, bold);
    let room = usize::from(buffer.area.width).saturating_sub(usize::from(x) + 1);
    let width = |chars: &[char]| Span::raw(chars.iter().collect::<String>()).width();
    let mut before = &line.chars()[..line.at()];
    while !before.is_empty() && width(before) > room {
        before = &before[1..];
    }
    let shown: String = { before.iter() }
        .chain(&line.chars()[line.at()..])
        .collect();
    buffer.set_string(x, y, shown, PLAIN);
    Position::new(x + width(before) as u16, y)
}

/// Describes the selection and where it is: `Int, 12 bytes at 0x138`.
fn describe(child: &Child<'_>, span: &ByteSpan, at: usize) -> String {
    let kind = text::kind(child);
    let is_leaf = match child.thing {
        Thing::Value(value) => !value.has_children(),
        Thing::Part(..) => true,
        Thing::Broken(_) => false,
    };
    match is_leaf {
        true => {
            let len = words::plural(span.len() as u64, "byte");
            format!("{kind}, {len} at {at:#x}")
        }
        false => format!("{kind} at {at:#x}"),
    }
}

/// Shortens `row` until all containers that it lies in are open. Replaces it by the first row if there is no such row.
fn leave_closed(tree: &mut Tree<'_>, row: &mut RowPath) {
    let closed = (1..row.len()).find(|&len| !tree.is_open(&row[..len]));
    row.truncate(closed.unwrap_or(row.len()));
    if tree.get(row).is_none() {
        *row = vec![0];
    }
}

/// Cuts off the start of a path that is too long. The end is kept, because it distinguishes the path from others.
fn cut_front(text: &str, room: usize) -> String {
    let len = text.chars().count();
    if len <= room {
        return text.to_owned();
    }
    let shown: String = text.chars().skip(len - room.saturating_sub(1)).collect();
    format!("…{shown}")
}
