//! Edits of parts of values: `pos.x`, `ids[3]`.

use gdvar_view::VariantRef;

use super::{
    Resolver,
    op::{Act, Goal},
};
use crate::{
    check,
    error::{EditErrorKind, Error},
    part,
};

impl<'a: 'e, 'e> Resolver<'a, 'e> {
    /// Sets the parts of a value that has no children; returns the goals that lead to no part.
    pub(super) fn parts(
        &mut self,
        owner: VariantRef<'a>,
        goals: Vec<Goal<'e>>,
    ) -> Result<Vec<Goal<'e>>, Error> {
        let mut others = Vec::new();
        for goal in goals {
            let path = self.paths.get(goal.path);
            let steps = path.and_then(|path| path.steps().get(goal.taken..));
            let refuse = |kind| Error::new(goal.edit, owner.offset(), kind);
            let replaced = match (goal.act, steps) {
                (Act::Set(new), Some(steps)) => {
                    let new = check::value(new, self.options, 0).map_err(refuse)?;
                    part::replace(owner, steps, new)
                }
                (_, Some(steps)) if part::is_one(owner, steps) => {
                    let kind = owner.kind();
                    return Err(refuse(EditErrorKind::PartStays { kind }));
                }
                _ => None,
            };
            let Some(replaced) = replaced else {
                others.push(goal);
                continue;
            };
            for (span, bytes) in replaced.map_err(refuse)? {
                self.splice(goal.edit, span, owner.depth(), bytes.into(), None);
            }
        }
        Ok(others)
    }
}
