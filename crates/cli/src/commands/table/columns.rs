//! Parses `--columns`: names and paths, separated by commas.

use gdvar_columns::{Query, Type};

/// Parses the columns of the command line. The columns for the origin of a row come first.
pub(crate) fn query(
    columns: &[String],
    types: &[String],
    each: Option<&str>,
    origin: bool,
) -> Result<Query, String> {
    let mut wanted = Vec::new();
    for text in columns.iter().flat_map(|text| split(text, ',')) {
        let (name, path) = match split(text, '=')[..] {
            [name, path] => (name.trim_ascii(), path.trim_ascii()),
            _ => (text.trim_ascii(), text.trim_ascii()),
        };
        if path.is_empty() {
            return Err(
                "--columns has an empty path; it is gold,party[0].name or gold=player.gold"
                    .to_owned(),
            );
        }
        wanted.push((name, path));
    }
    let mut given = Vec::new();
    for text in types {
        let (name, ty) = text
            .rsplit_once('=')
            .ok_or_else(|| format!("--type {text}: write NAME=TYPE, for instance gold=float64"))?;
        if !wanted.iter().any(|(own, _)| *own == name) {
            return Err(format!("--type {text}: there is no column {name}"));
        }
        given.push((name, ty.parse::<Type>().map_err(|error| error.to_string())?));
    }
    let mut query = Query::new();
    for name in ["file", "record", "element"] {
        let is_told = origin && (name != "element" || each.is_some());
        if is_told && !wanted.iter().any(|(own, _)| *own == name) {
            query = column(query, name, &format!("@{name}"), None)?;
        }
    }
    for (name, path) in wanted {
        let ty = given.iter().find(|(own, _)| *own == name);
        query = column(query, name, path, ty.map(|&(_, ty)| ty))?;
    }
    match each {
        Some(path) => query.each(path).map_err(|error| format!("--each {error}")),
        None => Ok(query),
    }
}

fn column(query: Query, name: &str, path: &str, ty: Option<Type>) -> Result<Query, String> {
    let query = match ty {
        Some(ty) => query.typed_column(name, path, ty),
        None => query.column(name, path),
    };
    query.map_err(|error| error.to_string())
}

/// Splits a text at separators outside brackets and quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut quote, mut escaped, mut start) = (0_u32, None, false, 0);
    let mut pieces = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ']' | ')' | '}') => depth = depth.saturating_sub(1),
            (None, c) if c == separator && depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(columns: &str) -> Vec<String> {
        let query = query(&[columns.to_owned()], &[], None, true).expect("columns");
        query.names().map(str::to_owned).collect()
    }

    #[test]
    fn commas_in_brackets_and_quotes_separate_nothing() {
        assert_eq!(
            names(r#"gold, cell=map[Vector2i(1, 2)],["a,b"]["x=y"],file=player.file"#),
            [
                "record",
                "gold",
                "cell",
                r#"["a,b"]["x=y"]"#,
                "file",
                "error"
            ]
        );
    }

    #[test]
    fn what_is_no_column_is_told() {
        let told = |columns: &str, types: &[&str]| {
            let types: Vec<_> = types.iter().map(|&text| text.to_owned()).collect();
            query(&[columns.to_owned()], &types, None, true).expect_err("no columns")
        };
        assert!(told("gold,,name", &[]).contains("empty path"));
        assert!(told("gold,gold", &[]).contains("two columns named gold"));
        assert!(told("gold", &["gold"]).contains("NAME=TYPE"));
        assert!(told("gold", &["silver=int64"]).contains("no column silver"));
        assert!(told("gold", &["gold=number"]).contains("float32[3]"));
    }
}
