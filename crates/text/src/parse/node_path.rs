//! Splits the text of a NodePath.

/// The parts of a path (`docs/FORMAT.md` §4.5).
pub(crate) struct PathParts<'a> {
    pub(crate) names: Vec<&'a [u8]>,
    pub(crate) subnames: Vec<&'a [u8]>,
    pub(crate) absolute: bool,
}

impl PathParts<'_> {
    /// Splits a text as the engines do. Empty names are dropped. If a sub-name other than the last
    /// is empty, the whole path is empty.
    pub(crate) fn of(text: &[u8]) -> PathParts<'_> {
        let colon = text.iter().position(|byte| *byte == b':');
        let (path, subpath) = text.split_at(colon.unwrap_or(text.len()));
        let mut subnames: Vec<&[u8]> = subpath.split(|byte| *byte == b':').skip(1).collect();
        if subnames.last().is_some_and(|last| last.is_empty()) {
            subnames.pop();
        }
        if subnames.iter().any(|name| name.is_empty()) {
            return PathParts {
                names: Vec::new(),
                subnames: Vec::new(),
                absolute: false,
            };
        }
        PathParts {
            names: path
                .split(|byte| *byte == b'/')
                .filter(|name| !name.is_empty())
                .collect(),
            subnames,
            absolute: path.first() == Some(&b'/'),
        }
    }
}
