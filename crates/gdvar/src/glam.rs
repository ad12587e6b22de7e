//! The types of glam from and to [`Variant`] (features `glam-033` and `glam-034`).

use gdvar_wire::for_glam;

use crate::{Variant, try_from::by_way_of};

#[cfg(feature = "glam-033")]
for_glam!(by_way_of, glam_033);
#[cfg(feature = "glam-034")]
for_glam!(by_way_of, glam_034);
