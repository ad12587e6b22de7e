//! Edits of parts of values: `pos.x`, `ids[3]`.

use gdvar_view::VariantRef;

use super::{
    op::{Action, TargetPath},
    resolver::Resolver,
};
use crate::{
    check,
    error::{EditErrorKind, Error},
    packed_texts::PackedTexts,
    part,
};

impl<'a: 'e, 'e> Resolver<'a, 'e> {
    /// Sets the parts of a value without children. Returns the paths that do not lead to a part of
    /// it.
    pub(super) fn parts(
        &mut self,
        owner: VariantRef<'a>,
        targets: Vec<TargetPath<'e>>,
    ) -> Result<Vec<TargetPath<'e>>, Error> {
        let mut others = Vec::new();
        let steps = targets.iter().filter_map(|target| target.step);
        let texts = PackedTexts::of(owner, steps);
        for target in targets {
            let path = self.paths.get(target.path);
            let steps = path.and_then(|path| path.steps().get(target.taken..));
            let refuse = |kind| Error::new(target.edit, owner.offset(), kind);
            let replaced = match (target.action, steps) {
                (Action::Set(new), Some(steps)) => {
                    let new = check::value(new, self.options, 0).map_err(refuse)?;
                    part::replace(owner, texts.as_ref(), steps, new)
                }
                (_, Some(steps)) if part::find(owner, texts.as_ref(), steps).is_some() => {
                    let kind = owner.kind();
                    return Err(refuse(EditErrorKind::PartStays { kind }));
                }
                _ => None,
            };
            let Some(replaced) = replaced else {
                others.push(target);
                continue;
            };
            for (span, bytes) in replaced.map_err(refuse)? {
                self.splice(target.edit, span, owner.depth(), bytes.into(), None);
            }
        }
        Ok(others)
    }
}
