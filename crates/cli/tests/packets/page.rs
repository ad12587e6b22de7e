//! [`Page`]: reads what a page of `--html` says, and checks that it is well formed.

use std::collections::BTreeMap;

/// A row of a table in the page.
#[derive(Debug)]
pub(super) struct PageRow {
    pub(super) name: String,
    /// Each cell with the name of its column.
    pub(super) cells: Vec<(String, String)>,
    /// The remarks of a row: value and text.
    pub(super) details: Vec<(String, String)>,
}

/// What a page says.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The rows of the tables, by the id of their section.
    pub(super) tables: BTreeMap<String, Vec<PageRow>>,
    /// The numbers at the start, by their names.
    pub(super) figures: BTreeMap<String, String>,
    /// The heights of the bars over time.
    pub(super) heights: Vec<f64>,
    pub(super) text: String,
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        assert!(!before.contains('>'), "{text}");
        let (name, after) = after.split_once(';').expect("an entity ends");
        out += before;
        out += match name {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "#39" => "'",
            name => panic!("&{name};"),
        };
        rest = after;
    }
    assert!(!rest.contains('>'), "{text}");
    out + rest
}

/// Splits `name="value" …`.
fn attributes(mut rest: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    while !rest.is_empty() {
        let after = rest.strip_prefix(' ').expect("a space");
        let (name, after) = after.split_once("=\"").expect("a value in quotes");
        assert!(
            name.chars()
                .all(|c| c.is_ascii_lowercase() || "-:".contains(c) || c.is_ascii_alphanumeric())
        );
        let (value, after) = after.split_once('"').expect("a quote");
        assert!(!value.contains('<'), "{value}");
        let old = out.insert(name.to_owned(), unescaped(value));
        assert_eq!(old, None, "{name} comes twice");
        rest = after;
    }
    out
}

impl Page {
    /// Reads a page. Fails if an element is not closed in its place, or an attribute has no quotes.
    pub(super) fn parse(html: &str) -> Page {
        let mut rest = html.strip_prefix("<!DOCTYPE html>\n").expect("HTML");
        let mut page = Page::default();
        let mut open: Vec<String> = Vec::new();
        let (mut section, mut term) = (String::new(), String::new());
        while let Some((text, after)) = rest.split_once('<') {
            let is_style = open.last().is_some_and(|name| name == "style");
            let text = match is_style {
                true => String::new(),
                false => unescaped(text),
            };
            page.note(&open, &section, &mut term, &text);
            let (tag, after) = after.split_once('>').expect("a tag ends");
            rest = after;
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name), "before {rest:.100}");
                continue;
            }
            let (tag, is_empty) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let end = tag.find(' ').unwrap_or(tag.len());
            let (name, given) = tag.split_at(end);
            let given = attributes(given);
            match name {
                "section" => section = given["id"].clone(),
                "tr" if open.last().is_some_and(|name| name == "tbody") => {
                    let rows = page.tables.entry(section.clone()).or_default();
                    rows.push(PageRow {
                        name: String::new(),
                        cells: Vec::new(),
                        details: Vec::new(),
                    });
                }
                "td" => page
                    .row(&section)
                    .cells
                    .push((given["data-name"].clone(), String::new())),
                "small" => page.row(&section).details.push(<_>::default()),
                "rect" => page
                    .heights
                    .push(given["height"].parse().expect("a number")),
                _ => {}
            }
            // Nothing is loaded, and nothing runs.
            let known = [
                "html",
                "head",
                "meta",
                "title",
                "style",
                "body",
                "header",
                "h1",
                "h2",
                "p",
                "main",
                "section",
                "dl",
                "div",
                "dt",
                "dd",
                "figure",
                "figcaption",
                "svg",
                "rect",
                "line",
                "span",
                "i",
                "table",
                "thead",
                "tbody",
                "tr",
                "th",
                "td",
                "small",
                "b",
                "details",
                "summary",
                "footer",
                "code",
            ];
            assert!(known.contains(&name), "<{name}>");
            for (key, value) in &given {
                let known = [
                    "xmlns",
                    "http-equiv",
                    "content",
                    "charset",
                    "name",
                    "lang",
                    "id",
                    "class",
                    "style",
                    "scope",
                    "role",
                    "aria-label",
                    "data-name",
                    "viewBox",
                    "width",
                    "height",
                    "preserveAspectRatio",
                    "x",
                    "y",
                    "x1",
                    "x2",
                    "y1",
                    "y2",
                    "fill",
                    "stroke",
                ];
                assert!(known.contains(&&**key), "{key}={value}");
                assert!(!value.contains("url("), "{value}");
            }
            if !is_empty {
                open.push(name.to_owned());
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert_eq!(rest.trim(), "");
        page
    }

    fn row(&mut self, section: &str) -> &mut PageRow {
        let rows = self.tables.get_mut(section).expect("a table");
        rows.last_mut().expect("a row")
    }

    /// Notes the text in the innermost open element.
    fn note(&mut self, open: &[String], section: &str, term: &mut String, text: &str) {
        self.text += text;
        let is_body = open.iter().any(|name| name == "tbody");
        match open.last().map(String::as_str) {
            Some("dt") => *term = text.to_owned(),
            Some("dd") => _ = self.figures.insert(term.clone(), text.to_owned()),
            Some("th") if is_body => self.row(section).name += text,
            Some("td") => self.row(section).cells.last_mut().expect("a cell").1 += text,
            Some("b") => self.row(section).details.last_mut().expect("a detail").0 += text,
            Some("small") => self.row(section).details.last_mut().expect("a detail").1 += text,
            _ => {}
        }
    }

    pub(super) fn cells(&self, table: &str, row: usize) -> Vec<&str> {
        let cells = self.tables[table][row].cells.iter();
        cells.map(|(_, cell)| &**cell).collect()
    }
}
