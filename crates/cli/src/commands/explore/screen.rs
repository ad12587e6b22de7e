//! Draws a [`View`]: the same view and size give the same screen.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
};

use crate::{
    commands::explore::{
        hex::{HexLine, Owner},
        layout::{HexArea, Layout},
        view::{Bottom, Overlay, Row, Tone, View},
    },
    terminal::{
        safe_text,
        width::{cut, fold},
    },
};

/// Colours, or none where the user wants none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    pub(crate) colors: bool,
}

impl Palette {
    fn color(self, color: Color) -> Style {
        match self.colors {
            true => Style::new().fg(color),
            false => Style::new(),
        }
    }

    fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Plain => Style::new(),
            Tone::Text | Tone::Good => self.color(Color::Green),
            Tone::Dim => Style::new().add_modifier(Modifier::DIM),
            Tone::Error => self.color(Color::Red).add_modifier(Modifier::BOLD),
        }
    }

    fn key(self) -> Style {
        self.color(Color::Cyan)
    }

    fn owner(self, owner: Owner) -> Style {
        match owner {
            Owner::Other => Style::new().add_modifier(Modifier::DIM),
            Owner::Key => self.key(),
            Owner::Value => self.color(Color::Yellow).add_modifier(Modifier::BOLD),
            Owner::Damage => self.color(Color::Red).add_modifier(Modifier::REVERSED),
        }
    }
}

/// Draws it, and returns where the cursor of the terminal is to be.
pub(crate) fn draw(
    view: &View,
    layout: &Layout,
    palette: Palette,
    buffer: &mut Buffer,
) -> Option<Position> {
    let area = buffer.area;
    if area.height < 4 || area.width < 10 {
        put(buffer, area, 0, &Line::raw("too small"));
        return None;
    }
    title(view, buffer, area);
    for (n, row) in view.rows.iter().enumerate().take(layout.tree.height.into()) {
        draw_row(row, n as u16, layout.tree, palette, buffer);
    }
    if let Some(hex) = layout.hex {
        draw_hex(&view.hex, hex, palette, buffer);
    }
    path(view, palette, buffer, area);
    let cursor = bottom(&view.bottom, palette, buffer, area);
    if let Some(overlay) = &view.overlay {
        draw_overlay(overlay, palette, buffer);
    }
    cursor
}

/// A line at a row of an area, cut at its end.
fn put(buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    if row < area.height {
        buffer.set_line(area.x, area.y + row, line, area.width);
    }
}

fn title(view: &View, buffer: &mut Buffer, area: Rect) {
    let style = Style::new().add_modifier(Modifier::REVERSED);
    let row = Rect { height: 1, ..area };
    buffer.set_style(row, style);
    let width = usize::from(area.width);
    let percent = &view.percent;
    let room = width.saturating_sub(percent.chars().count() + 4);
    let text = format!(" {}", cut(&view.title, room));
    put(buffer, row, 0, &Line::styled(text, style));
    let at = width.saturating_sub(percent.chars().count() + 1) as u16;
    let corner = Rect::new(at, 0, area.width - at, 1);
    put(buffer, corner, 0, &Line::styled(percent.as_str(), style));
}

/// Deeper rows are not moved further to the right than half of the screen.
fn indent(depth: usize, width: u16) -> usize {
    (2 * depth).min(usize::from(width) / 2)
}

fn draw_row(row: &Row, n: u16, area: Rect, palette: Palette, buffer: &mut Buffer) {
    let indent = indent(row.depth, area.width);
    let separator = if row.text.is_empty() { "" } else { ": " };
    let line = Line::from(vec![
        Span::raw(" ".repeat(indent)),
        Span::raw(format!("{} ", row.sign)),
        Span::styled(row.label.as_str(), palette.key()),
        Span::raw(separator),
        Span::styled(row.text.as_str(), palette.tone(row.tone)),
    ]);
    put(buffer, area, n, &line);
    if row.selected && n < area.height {
        let whole = Rect::new(area.x, area.y + n, area.width, 1);
        buffer.set_style(whole, Style::new().add_modifier(Modifier::REVERSED));
    }
}

fn draw_hex(lines: &[HexLine], hex: HexArea, palette: Palette, buffer: &mut Buffer) {
    for (n, line) in lines.iter().enumerate().take(hex.area.height.into()) {
        let dim = Style::new().add_modifier(Modifier::DIM);
        let mut spans = vec![Span::styled(format!("{:08x}  ", line.offset), dim)];
        for byte in &line.bytes {
            spans.push(match byte {
                Some((byte, owner)) => Span::styled(format!("{byte:02x}"), palette.owner(*owner)),
                None => Span::raw("  "),
            });
            spans.push(Span::raw(" "));
        }
        if hex.text {
            spans.push(Span::raw(" "));
            for byte in &line.bytes {
                spans.push(match *byte {
                    Some((byte, owner)) => {
                        let shown = byte.is_ascii_graphic() || byte == b' ';
                        let c = if shown { char::from(byte) } else { '.' };
                        Span::styled(c.to_string(), palette.owner(owner))
                    }
                    None => Span::raw(" "),
                });
            }
        }
        put(buffer, hex.area, n as u16, &Line::from(spans));
    }
}

/// The end of a path is what tells it from others.
fn path(view: &View, palette: Palette, buffer: &mut Buffer, area: Rect) {
    let row = Rect::new(area.x, area.bottom() - 2, area.width, 1);
    if let Some(mistake) = &view.mistake {
        let text = safe_text::safe_line(mistake);
        put(
            buffer,
            row,
            0,
            &Line::styled(text, palette.tone(Tone::Error)),
        );
        return;
    }
    let detail = view.detail.chars().count();
    let room = usize::from(area.width).saturating_sub(detail + 3);
    let both = room >= 12;
    let room = if both { room } else { usize::from(area.width) };
    let mut spans = vec![Span::styled(cut_front(&view.path, room), palette.key())];
    if both {
        let dim = Style::new().add_modifier(Modifier::DIM);
        spans.push(Span::styled(format!("  {}", view.detail), dim));
    }
    put(buffer, row, 0, &Line::from(spans));
}

fn bottom(bottom: &Bottom, palette: Palette, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let row = Rect::new(area.x, area.bottom() - 1, area.width, 1);
    match bottom {
        Bottom::Message(tone, text) => {
            let text = safe_text::safe_line(text);
            put(buffer, row, 0, &Line::styled(text, palette.tone(*tone)));
            None
        }
        Bottom::Prompt(lead, text, at) => {
            let lead = Span::styled(lead.as_str(), Style::new().add_modifier(Modifier::BOLD));
            let room = usize::from(area.width).saturating_sub(lead.width() + 1);
            // The text in front of the cursor is seen up to there.
            let chars: Vec<_> = text.chars().collect();
            let width = |chars: &[char]| Span::raw(chars.iter().collect::<String>()).width();
            let mut from = 0;
            while from < *at && width(&chars[from..*at]) > room {
                from += 1;
            }
            let column = lead.width() + width(&chars[from..*at]);
            let shown: String = chars[from..].iter().collect();
            put(buffer, row, 0, &Line::from(vec![lead, Span::raw(shown)]));
            Some(Position::new(area.x + column as u16, row.y))
        }
    }
}

fn draw_overlay(overlay: &Overlay, palette: Palette, buffer: &mut Buffer) {
    let area = buffer.area;
    let widest = overlay.lines.iter().map(|(_, line)| line.chars().count());
    let width = widest.max().unwrap_or(0).max(overlay.title.chars().count());
    let width = (width as u16 + 4).min(area.width);
    let room = usize::from(width.saturating_sub(4));
    let lines: Vec<_> = { overlay.lines.iter() }
        .flat_map(|(tone, line)| fold(line, room, 4).into_iter().map(|line| (*tone, line)))
        .collect();
    let height = (lines.len() as u16 + 3).min(area.height);
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let whole = Rect::new(x, y, width, height);
    let blank = " ".repeat(width.into());
    for row in 0..height {
        buffer.set_string(x, y + row, &blank, Style::reset());
    }
    let head = Style::new().add_modifier(Modifier::REVERSED);
    buffer.set_style(Rect { height: 1, ..whole }, head);
    let inner = Rect::new(x + 2, y, width.saturating_sub(4), height);
    put(
        buffer,
        inner,
        0,
        &Line::styled(overlay.title.as_str(), head),
    );
    for (n, (tone, line)) in lines.iter().enumerate() {
        let line = Line::styled(line.as_str(), palette.tone(*tone));
        put(buffer, inner, n as u16 + 2, &line);
    }
}

fn cut_front(text: &str, room: usize) -> String {
    let len = text.chars().count();
    if len <= room {
        return text.to_owned();
    }
    let shown: String = text.chars().skip(len - room.saturating_sub(1)).collect();
    format!("…{shown}")
}
