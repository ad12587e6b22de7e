//! Whole objects in a save: engines refuse the save that holds one, unless the game allows it.

use gdvar_edit::Edit;
use gdvar_view::{Document, Event, Objects};

/// Returns the note about an edit that puts the first whole object into a value. `None` if it puts none there, or if one
/// is there already.
pub(crate) fn first(edit: &Edit<'_>) -> Option<&'static str> {
    let options = edit.document().options();
    let mut new = edit.new_values();
    let puts_one = new.any(|value| is_in(Document::with_options(value, options)));
    (puts_one && !is_in(edit.document())).then_some(NOTE)
}

/// What a game must do to read whole objects.
pub(crate) const NOTE: &str = "a whole object, which the game reads only if it allows objects: \
    get_var(true), bytes_to_var_with_objects; without that, the engine refuses the value around it too";

/// Returns `true` if there is a whole object in the document.
pub(crate) fn is_in(document: Document<'_>) -> bool {
    let mut events = document.with_objects(Objects::Inert).events();
    while let Ok(Some(event)) = events.try_next() {
        if let Event::Value(value) | Event::Begin(value) = event {
            if value.as_object().is_some_and(|one| one.class().is_some()) {
                return true;
            }
        }
    }
    false
}
