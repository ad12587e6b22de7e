//! Parses and prints a [`NodePath`].

use std::{convert::Infallible, fmt, str::FromStr};

use gdvar_text::Builder;
use gdvar_write::Target;

use crate::{Dialect, Variant, text::Text, variant::NodePath};

impl FromStr for NodePath {
    type Err = Infallible;

    /// Parses a path as the engines do: names end at slashes, sub-names follow colons. Every text is
    /// a path. Empty names are dropped. The whole path is empty if a sub-name other than the last is
    /// empty ([`docs/FORMAT.md` §4.5]), or if the text contains a NUL, which no engine can hold.
    ///
    /// ```
    /// use gdvar::tree::{NodePath, Text};
    ///
    /// let path: NodePath = "/root/Player:position:x".parse()?;
    /// assert!(path.absolute);
    /// assert_eq!(path.names, ["root", "Player"].map(Text::from));
    /// assert_eq!(path.subnames, ["position", "x"].map(Text::from));
    /// assert_eq!(path.to_string(), "/root/Player:position:x");
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    ///
    /// [`docs/FORMAT.md` §4.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#45-nodepath
    fn from_str(text: &str) -> Result<NodePath, Infallible> {
        let mut bytes = Builder::new(Target::GODOT_4);
        let path = bytes.node_path(text.as_bytes()).ok().and_then(|()| {
            let value = Variant::from_slice(&bytes.bytes, Dialect::GODOT_4).ok()?;
            NodePath::try_from(value).ok()
        });
        Ok(path.unwrap_or_default())
    }
}

impl fmt::Display for NodePath {
    /// Prints the text that Godot 4's `String(path)` gives: `/root/Player:position`. It parses to
    /// the same path, unless a name is empty or contains `/` or `:`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.absolute {
            f.write_str("/")?;
        }
        for (n, name) in self.names.iter().enumerate() {
            if n > 0 {
                f.write_str("/")?;
            }
            write!(f, "{name}")?;
        }
        // Godot 4 omits a single sub-name that is empty.
        if let [single] = &*self.subnames {
            if *single == Text::default() {
                return Ok(());
            }
        }
        for name in &self.subnames {
            write!(f, ":{name}")?;
        }
        Ok(())
    }
}
