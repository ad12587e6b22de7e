//! [`nearest`]: finds the name that a person probably meant.

/// Returns the name that is most similar to `word`: at most two letters are changed, added, missing or swapped. Of
/// equally similar names, returns the first in the alphabet.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    names
        .map(|name| (strsim::damerau_levenshtein(name, word), name))
        .min()
        .filter(|(changes, _)| *changes <= 2)
        .map(|(_, name)| name)
}
