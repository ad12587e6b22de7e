//! The conventions of `rename_all`.

/// How the words of a field's name are written in its key.
#[derive(Clone, Copy)]
pub(crate) struct Convention {
    /// What separates words.
    separator: &'static str,
    first: Case,
    others: Case,
}

#[derive(Clone, Copy)]
enum Case {
    Lower,
    Upper,
    Capital,
}

/// The conventions, by the names that serde gives them.
#[rustfmt::skip]
const ALL: [(&str, Convention); 8] = [
    ("lowercase", Convention::new("", Case::Lower, Case::Lower)),
    ("UPPERCASE", Convention::new("", Case::Upper, Case::Upper)),
    ("PascalCase", Convention::new("", Case::Capital, Case::Capital)),
    ("camelCase", Convention::new("", Case::Lower, Case::Capital)),
    ("snake_case", Convention::new("_", Case::Lower, Case::Lower)),
    ("SCREAMING_SNAKE_CASE", Convention::new("_", Case::Upper, Case::Upper)),
    ("kebab-case", Convention::new("-", Case::Lower, Case::Lower)),
    ("SCREAMING-KEBAB-CASE", Convention::new("-", Case::Upper, Case::Upper)),
];

impl Convention {
    const fn new(separator: &'static str, first: Case, others: Case) -> Convention {
        Convention {
            separator,
            first,
            others,
        }
    }

    /// Returns the convention with the name `name`, or a message with all names.
    pub(crate) fn of(name: &str) -> Result<Convention, String> {
        let found = ALL.iter().find(|(own, _)| *own == name);
        found.map(|(_, convention)| *convention).ok_or_else(|| {
            let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
            format!(
                "no convention is called {name:?}; there are {}",
                names.join(", ")
            )
        })
    }

    /// Returns the key of a field whose name is in snake case. As in serde, `lowercase` and
    /// `UPPERCASE` keep underscores.
    pub(crate) fn apply(self, field: &str) -> String {
        if self.separator.is_empty() {
            match (self.first, self.others) {
                (Case::Lower, Case::Lower) => return field.to_lowercase(),
                (Case::Upper, Case::Upper) => return field.to_uppercase(),
                _ => {}
            }
        }
        let mut key = String::new();
        for (n, word) in field.split('_').filter(|word| !word.is_empty()).enumerate() {
            if n > 0 {
                key += self.separator;
            }
            match if n == 0 { self.first } else { self.others } {
                Case::Lower => key += &word.to_lowercase(),
                Case::Upper => key += &word.to_uppercase(),
                Case::Capital => {
                    let mut chars = word.chars();
                    key.extend(chars.next().into_iter().flat_map(char::to_uppercase));
                    key += chars.as_str();
                }
            }
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::Convention;

    /// As the documentation of serde_derive says for a field `max_hit_points`.
    #[test]
    fn names_become_keys_as_in_serde() {
        for (convention, key) in [
            ("lowercase", "max_hit_points"),
            ("UPPERCASE", "MAX_HIT_POINTS"),
            ("PascalCase", "MaxHitPoints"),
            ("camelCase", "maxHitPoints"),
            ("snake_case", "max_hit_points"),
            ("SCREAMING_SNAKE_CASE", "MAX_HIT_POINTS"),
            ("kebab-case", "max-hit-points"),
            ("SCREAMING-KEBAB-CASE", "MAX-HIT-POINTS"),
        ] {
            let found = Convention::of(convention).map(|own| own.apply("max_hit_points"));
            assert_eq!(found.as_deref(), Ok(key), "{convention}");
        }
        let error = Convention::of("Camel").err().unwrap_or_default();
        assert!(error.contains("camelCase"), "{error}");
    }
}
