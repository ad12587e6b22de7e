//! `--html`: a summary as one file that needs nothing else: no script, no font, no network.

use std::{
    ffi::OsString,
    fmt::{Display, Write},
    path::Path,
};

use super::{
    summary::Summary,
    tables::{StatCell, StatRow, StatTable},
    timeline::{self, Timeline},
};
use crate::terminal::{safe_text, words};

const STYLE: &str = include_str!("report.css");
/// The number of rows of a table that can be seen before the reader opens the rest.
const OPEN: usize = 25;

/// What a report says besides the summary.
pub(super) struct About<'a> {
    /// The name of the capture.
    pub(super) capture: &'a str,
    /// How much was read, and other notes.
    pub(super) notes: &'a [String],
    /// The command that made the report.
    pub(super) command: &'a str,
}

/// Returns the name of a capture without its folders.
pub(super) fn capture_name(path: &Path) -> String {
    match path.file_name() {
        Some(name) if path != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "Standard input".to_owned(),
    }
}

/// Writes the command with its arguments as a shell reads them.
pub(super) fn command_line(args: impl Iterator<Item = OsString>) -> String {
    let mut line = "gdvar".to_owned();
    for arg in args {
        let arg = arg.to_string_lossy();
        let is_plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,".contains(c);
        line += " ";
        line += &match !arg.is_empty() && arg.chars().all(is_plain) {
            true => arg,
            false => format!("'{}'", arg.replace('\'', "'\\''")).into(),
        };
    }
    line
}

/// Escapes a text for HTML, in elements and in quoted attributes. Characters that are invisible, or that change the
/// order of the text around them, are escaped as in a terminal.
fn escaped(text: impl Display) -> String {
    let text = text.to_string();
    let mut out = String::with_capacity(text.len());
    for c in safe_text::safe_line(&text).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

/// Returns the whole file. `limit` is the number of rows of a table.
pub(super) fn report(
    summary: &Summary,
    timeline: &Timeline,
    about: &About<'_>,
    limit: Option<usize>,
) -> String {
    let capture = escaped(about.capture);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{capture}: packets of a Godot game</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{capture}</h1>\n"
    );
    if let Some(totals) = &summary.totals {
        let _ = writeln!(out, "<p>{}</p>", escaped(&totals.game));
    }
    out += "</header>\n<main>\n";
    if let Some(totals) = &summary.totals {
        out += "<section id=\"total\">\n<h2>In total</h2>\n<dl>\n";
        for (name, number) in totals.figures() {
            let (name, number) = (escaped(name), escaped(number));
            let _ = writeln!(out, "<div><dt>{name}</dt><dd>{number}</dd></div>");
        }
        out += "</dl>\n";
        for remark in totals.remarks() {
            let _ = writeln!(out, "<p>{}</p>", escaped(remark));
        }
        out += "</section>\n";
        chart(&mut out, timeline);
    }
    for table in summary.tables.iter().filter(|table| !table.is_left_out()) {
        section(&mut out, table, limit);
    }
    out += "</main>\n<footer>\n<h2>How it was made</h2>\n";
    for note in about.notes {
        let _ = writeln!(out, "<p>{}</p>", escaped(note));
    }
    let _ = write!(
        out,
        "<p><code>{}</code></p>\n<p>gdvar {}</p>\n</footer>\n</body>\n</html>\n",
        escaped(about.command),
        env!("CARGO_PKG_VERSION")
    );
    out
}

/// Appends the bytes over time.
fn chart(out: &mut String, timeline: &Timeline) {
    let (width, height) = (timeline::WIDTH, 2.0 * timeline::HALF);
    let [up, down] = timeline::COLORS;
    let _ = write!(
        out,
        "<section id=\"time\">\n<h2>Bytes over time</h2>\n<figure>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" \
         role=\"img\" aria-label=\"Bytes over time: to the server above the line, to clients below it\">\n{}</svg>\n\
         <div class=\"axis\"><span>0 s</span><span>{:.1} s</span></div>\n\
         <figcaption><i style=\"background:{up}\"></i> to the server, above the line; \
         <i style=\"background:{down}\"></i> to clients, below it. The longest bar is {:.0} B/s.</figcaption>\n\
         </figure>\n</section>\n",
        timeline.bars(),
        timeline.seconds(),
        timeline.longest_bar()
    );
}

/// Appends a table with its heading. The rows after the first ones are folded up.
fn section(out: &mut String, table: &StatTable, limit: Option<usize>) {
    let (id, heading) = (table.id, escaped(table.heading));
    let _ = write!(
        out,
        "<section id=\"{id}\">\n<h2>{heading}</h2>\n<p>{}</p>\n",
        escaped(table.legend)
    );
    if table.rows.is_empty() {
        let _ = write!(out, "<p>{}</p>\n</section>\n", escaped(&table.if_empty));
        return;
    }
    let (shown, left_out) = table.split(limit);
    let (open, folded) = shown.split_at(OPEN.min(shown.len()));
    let most = shown.iter().map(first_count).max().unwrap_or(0);
    let last = table.last.as_ref();
    rows(out, table, open, most, last.filter(|_| folded.is_empty()));
    if !folded.is_empty() {
        let more = words::plural(folded.len() as u64, table.unit);
        let _ = writeln!(out, "<details>\n<summary>{more} more</summary>");
        rows(out, table, folded, most, last);
        out.push_str("</details>\n");
    }
    if !left_out.is_empty() {
        let (cells, more) = table.rest(left_out);
        let names = table.columns.iter().map(|(name, _)| name);
        let sums = cells.iter().zip(names);
        let sums: String = sums.map(|(cell, name)| format!("{cell} {name} ")).collect();
        let _ = writeln!(out, "<p>{}</p>", escaped(sums + &more));
    }
    if !table.footnote.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", escaped(table.footnote));
    }
    out.push_str("</section>\n");
}

/// Returns the number in the first column, for the length of a bar.
fn first_count(row: &StatRow) -> u64 {
    row.cells.first().map_or(0, StatCell::count)
}

/// Appends the rows of a table. A bar shows the number in the first column; `most` has the longest one.
fn rows(out: &mut String, table: &StatTable, rows: &[StatRow], most: u64, last: Option<&StatRow>) {
    out.push_str("<table>\n<thead><tr>");
    let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(table.title));
    for (name, _) in table.columns {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows.iter().chain(last) {
        let _ = write!(out, "<tr><th scope=\"row\">{}", escaped(&row.name));
        for detail in &row.details {
            let (value, text) = (escaped(&detail.value), escaped(&detail.text));
            let _ = write!(out, "<small><b>{value}</b> {text}</small>");
        }
        if most > 0 {
            let percent = 100.0 * first_count(row) as f64 / most as f64;
            let percent = percent.min(100.0);
            let _ = write!(out, "<i style=\"width:{percent:.1}%\"></i>");
        }
        out.push_str("</th>");
        for (cell, (name, _)) in row.cells.iter().zip(table.columns) {
            let _ = write!(
                out,
                "<td data-name=\"{}\">{}</td>",
                escaped(name),
                escaped(cell)
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_only_text() {
        assert_eq!(
            escaped("<script>alert('&')</script> \"\u{202e}\n"),
            "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt; &quot;\\u{202e}\\n"
        );
    }
}
