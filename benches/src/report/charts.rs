//! One chart for each workload: how long everyone takes, the shorter the better.

use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use crate::harness::{Row, Table};

const WIDTH: u32 = 900;
const BAR: i32 = 26;
const TOP: i32 = 64;
const LEFT: i32 = 330;
const RIGHT: i32 = 150;

const OURS: RGBColor = RGBColor(0x47, 0x8c, 0xbf);
const PEER: RGBColor = RGBColor(0xb8, 0xbd, 0xc4);
const LIMIT: RGBColor = RGBColor(0x7f, 0xb0, 0x69);
const INK: RGBColor = RGBColor(0x24, 0x29, 0x2f);

/// The chart as SVG.
pub(crate) fn chart(table: &Table) -> Result<String, String> {
    let mut svg = String::new();
    draw(table, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw(
    table: &Table,
    svg: &mut String,
) -> Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>> {
    let mut rows: Vec<&Row> = table.rows.iter().collect();
    rows.sort_by(|a, b| a.median.total_cmp(&b.median));
    let height = TOP + BAR * rows.len() as i32 + 16;
    let area = SVGBackend::with_string(svg, (WIDTH, height as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let style = |size: i32| ("sans-serif", size).into_font().color(&INK);
    area.draw(&Text::new(table.workload, (16, 12), style(20)))?;
    let note = format!("{}: time of one pass, shorter is better", table.title);
    area.draw(&Text::new(note, (16, 38), style(13)))?;
    let most = rows.last().map_or(1.0, |row| row.median);
    let room = f64::from(WIDTH as i32 - LEFT - RIGHT);
    let left = style(13).pos(Pos::new(HPos::Left, VPos::Center));
    let right = style(13).pos(Pos::new(HPos::Right, VPos::Center));
    for (n, row) in rows.into_iter().enumerate() {
        let top = TOP + BAR * n as i32;
        let middle = top + BAR / 2;
        let end = LEFT + (row.median / most * room).max(1.0) as i32;
        let color = match row.name {
            name if name.starts_with("gdvar") => OURS,
            name if name.starts_with("limit") => LIMIT,
            _ => PEER,
        };
        area.draw(&Rectangle::new(
            [(LEFT, top + 4), (end, top + BAR - 4)],
            color.filled(),
        ))?;
        area.draw(&Text::new(row.name, (LEFT - 8, middle), right.clone()))?;
        let label = match table.values {
            1 => format!("{:.2} ms", row.median / 1e6),
            values => {
                let per_value = row.median / values as f64;
                format!("{:.2} ms, {per_value:.1} ns a value", row.median / 1e6)
            }
        };
        area.draw(&Text::new(label, (end + 6, middle), left.clone()))?;
    }
    area.present()
}
