//! [`nearest`]: the name that a person probably meant.

/// Returns the one of `names` that becomes `word` by the fewest changed, added, missing or swapped letters, two at most.
/// Of several the first in the alphabet.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    names
        .map(|name| (strsim::damerau_levenshtein(name, word), name))
        .min()
        .filter(|(changes, _)| *changes <= 2)
        .map(|(_, name)| name)
}
