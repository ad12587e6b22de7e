//! [`Paths`]: walks over a value and everything in it in linear time, and knows the path of each value.

use gdvar_view::{Error, Event, Events, Kind, Role, SimpleKey, Step, StrRef, VariantRef};

/// A walk that knows its path, in the notation of [`gdvar_view::Path`]. The path has no `$`, except for the outermost
/// value.
pub(crate) struct Paths<'a> {
    events: Events<'a>,
    path: String,
    /// `true` if the step to a StringName key differs from the step to a String key.
    exact: bool,
    levels: Vec<OpenContainer>,
}

struct OpenContainer {
    /// The length of the path to the container.
    path: usize,
    /// The number of children so far. Keys are not counted.
    begun: u32,
}

/// What the walk returns next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathEvent<'a> {
    /// A value, or a container whose children follow.
    Value(VariantRef<'a>),
    /// A key of a Dictionary; its value follows. If the key is a container, its contents are skipped.
    Key(VariantRef<'a>),
    /// The name of a property; its value follows.
    Property(StrRef<'a>),
}

impl<'a> Paths<'a> {
    /// Starts at `value`, whose path is `path`.
    pub(crate) fn new(value: VariantRef<'a>, path: &str) -> Paths<'a> {
        Paths {
            events: value.events(),
            path: path.to_owned(),
            exact: false,
            levels: Vec::new(),
        }
    }

    /// Writes the step to a StringName key as `[&"name"]`, so that it differs from the step to a String. Writes the
    /// step to a key with a byte order mark as the number of its pair.
    pub(crate) fn exact(self) -> Paths<'a> {
        Paths {
            exact: true,
            ..self
        }
    }

    /// Returns the path of the last value. For a key or a property name, returns the path of its value.
    pub(crate) fn path(&self) -> &str {
        if self.path.is_empty() {
            "$"
        } else {
            &self.path
        }
    }

    /// Skips the contents of the container that was returned last.
    pub(crate) fn pass(&mut self) -> Result<(), Error> {
        self.levels.pop();
        self.events.pass_children()
    }

    /// Returns the next value, key or property name. `None` at the end.
    pub(crate) fn try_next(&mut self) -> Result<Option<PathEvent<'a>>, Error> {
        loop {
            let Some(event) = self.events.try_next()? else {
                return Ok(None);
            };
            match event {
                Event::End => {
                    self.levels.pop();
                }
                Event::Property(name) => {
                    self.begin(&name_step(name));
                    return Ok(Some(PathEvent::Property(name)));
                }
                Event::Value(value) | Event::Begin(value) => {
                    let role = self.events.role();
                    let begins = matches!(event, Event::Begin(_));
                    if role == Role::Key {
                        let pair = self.levels.last().map_or(0, |level| level.begun);
                        let step = match value.as_text() {
                            // Engines drop the mark when they read, so a path cannot have it.
                            Some(text) if self.exact && text.with_mark() != text => {
                                Step::PairValue(pair).to_string()
                            }
                            Some(text) if self.exact && value.kind() == Kind::StringName => {
                                Step::StringName(&escaped(text)).to_string()
                            }
                            _ => key_step(value, pair),
                        };
                        self.begin(&step);
                        if begins {
                            self.events.pass_children()?;
                        }
                        return Ok(Some(PathEvent::Key(value)));
                    }
                    if role == Role::Element {
                        let n = self.levels.last().map_or(0, |level| level.begun);
                        self.begin(&format!("[{n}]"));
                    }
                    if begins {
                        self.open();
                    }
                    return Ok(Some(PathEvent::Value(value)));
                }
            }
        }
    }

    fn open(&mut self) {
        self.levels.push(OpenContainer {
            path: self.path.len(),
            begun: 0,
        });
    }

    /// Replaces the last step of the path by `step`.
    fn begin(&mut self, step: &str) {
        if let Some(level) = self.levels.last_mut() {
            level.begun += 1;
            self.path.truncate(level.path);
        }
        let step = match step.strip_prefix('.') {
            Some(name) if self.path.is_empty() => name,
            _ => step,
        };
        self.path.push_str(step);
    }
}

/// Returns the step to the value under a key. `pair` is the number of the pair, used if the key has no step of its own.
pub(crate) fn key_step(key: VariantRef<'_>, pair: u32) -> String {
    if let Some(text) = key.as_text() {
        return match text.to_str() {
            Ok(_) => name_step(text),
            Err(_) => Step::PairValue(pair).to_string(),
        };
    }
    match (key.as_i64(), SimpleKey::of(key)) {
        (Some(int), _) => Step::Index(int).to_string(),
        (_, Some(key)) => Step::Key(key).to_string(),
        _ => Step::PairValue(pair).to_string(),
    }
}

/// Returns the step to a property, or to the value under a text key.
pub(crate) fn name_step(name: StrRef<'_>) -> String {
    Step::Name(&escaped(name)).to_string()
}

fn escaped(name: StrRef<'_>) -> String {
    let text = String::from_utf8_lossy(name.as_bytes());
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
