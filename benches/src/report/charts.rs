//! Charts: how long everyone takes, the shorter the better. They have a white ground of their own,
//! so they can be read on a dark page too.

use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use crate::harness::{Row, Table};

const WIDTH: u32 = 900;
const BAR: i32 = 26;
/// The height of a bar with a remark below its name.
const TALL: i32 = 36;
const TOP: i32 = 64;
const LEFT: i32 = 330;
const RIGHT: i32 = 190;
const HEADING: i32 = 44;

const OURS: RGBColor = RGBColor(0x47, 0x8c, 0xbf);
const PEER: RGBColor = RGBColor(0xb8, 0xbd, 0xc4);
const ENGINE: RGBColor = RGBColor(0xdd, 0xa4, 0x5c);
const LIMIT: RGBColor = RGBColor(0x7f, 0xb0, 0x69);
const INK: RGBColor = RGBColor(0x24, 0x29, 0x2f);
const FAINT: RGBColor = RGBColor(0x6e, 0x77, 0x81);
const EDGE: RGBColor = RGBColor(0xd0, 0xd7, 0xde);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

/// A part of a chart: bars on a scale of their own.
pub(crate) struct Part<'t> {
    /// Above the bars.
    pub(crate) title: &'static str,
    /// The rows that are compared, in any order.
    pub(crate) rows: Vec<&'t Row>,
    /// A remark on each row.
    pub(crate) remark: fn(&Row) -> &'static str,
}

/// The chart of a workload as SVG.
pub(crate) fn chart(table: &Table) -> Result<String, String> {
    let rows: Vec<&Row> = table.rows.iter().collect();
    let height = TOP + BAR * rows.len() as i32 + 16;
    let title = table.workload;
    let note = format!("{}: time of one pass, shorter is better", table.title);
    svg(height, title, &note, |area| {
        bars(area, TOP, rows, table.values, None)
    })
}

/// A chart of several parts of one table as SVG.
pub(crate) fn parts(
    title: &str,
    note: &str,
    table: &Table,
    parts: Vec<Part<'_>>,
) -> Result<String, String> {
    let height = |part: &Part<'_>| HEADING + TALL * part.rows.len() as i32;
    let total = TOP + parts.iter().map(height).sum::<i32>() + 16;
    svg(total, title, note, |area| {
        let mut top = TOP;
        for part in parts {
            let next = top + height(&part);
            area.draw(&PathElement::new(
                [(16, top + 2), (WIDTH as i32 - 16, top + 2)],
                EDGE,
            ))?;
            let style = ("sans-serif", 15).into_font().color(&INK);
            area.draw(&Text::new(part.title, (16, top + 14), style))?;
            bars(
                area,
                top + HEADING,
                part.rows,
                table.values,
                Some(part.remark),
            )?;
            top = next;
        }
        Ok(())
    })
}

fn svg(
    height: i32,
    title: &str,
    note: &str,
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<String, String> {
    let mut svg = String::new();
    let drawn = || -> Drawn {
        let size = (WIDTH, height as u32);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        area.draw(&Rectangle::new(
            [(0, 0), (WIDTH as i32 - 1, height - 1)],
            EDGE,
        ))?;
        let style = |size: i32, color: RGBColor| ("sans-serif", size).into_font().color(&color);
        area.draw(&Text::new(title, (16, 12), style(20, INK)))?;
        area.draw(&Text::new(note, (16, 38), style(13, FAINT)))?;
        draw(&area)?;
        area.present()
    };
    drawn().map_err(|error| error.to_string())?;
    Ok(svg)
}

/// The rows from `top` down, the fastest first.
fn bars(
    area: &Area<'_>,
    top: i32,
    mut rows: Vec<&Row>,
    values: usize,
    remark: Option<fn(&Row) -> &'static str>,
) -> Drawn {
    rows.sort_by(|a, b| a.best.total_cmp(&b.best));
    let style = |size: i32, color: RGBColor, at: HPos| {
        let font = ("sans-serif", size).into_font().color(&color);
        font.pos(Pos::new(at, VPos::Center))
    };
    let most = rows.last().map_or(1.0, |row| row.best);
    let room = f64::from(WIDTH as i32 - LEFT - RIGHT);
    let bar = if remark.is_some() { TALL } else { BAR };
    for (n, row) in rows.into_iter().enumerate() {
        let middle = top + bar * n as i32 + bar / 2;
        let end = LEFT + (row.best / most * room).max(1.0) as i32;
        area.draw(&Rectangle::new(
            [(LEFT, middle - 9), (end, middle + 9)],
            color(row.name).filled(),
        ))?;
        let raised = if remark.is_some() { 8 } else { 0 };
        let at = (LEFT - 8, middle - raised);
        area.draw(&Text::new(row.name, at, style(13, INK, HPos::Right)))?;
        if let Some(remark) = remark {
            let at = (LEFT - 8, middle + 8);
            area.draw(&Text::new(remark(row), at, style(11, FAINT, HPos::Right)))?;
        }
        let at = (end + 6, middle);
        area.draw(&Text::new(
            label(row, values),
            at,
            style(13, INK, HPos::Left),
        ))?;
    }
    Ok(())
}

fn color(name: &str) -> RGBColor {
    let colors = [("gdvar", OURS), ("limit", LIMIT), ("Godot 4 ", ENGINE)];
    let found = colors.iter().find(|(prefix, _)| name.starts_with(prefix));
    found.map_or(PEER, |(_, color)| *color)
}

fn label(row: &Row, values: usize) -> String {
    let time = match row.best / 1e6 {
        ms if ms >= 100.0 => format!("{ms:.0} ms"),
        ms if ms >= 1.0 => format!("{ms:.2} ms"),
        ms => format!("{:.1} µs", ms * 1e3),
    };
    match values {
        1 => time,
        _ => format!("{time}, {:.1} ns a value", row.best / values as f64),
    }
}
