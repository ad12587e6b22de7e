//! Parses `#[record(…)]` on a struct and on its fields.

use syn::{
    Attribute, Error, ExprPath, LitStr, Path, Result, Type, meta::ParseNestedMeta, spanned::Spanned,
};

use crate::rename::Convention;

/// What `#[record(…)]` says about a struct.
#[derive(Default)]
pub(crate) struct Struct {
    pub(crate) rename_all: Option<Convention>,
    pub(crate) default: bool,
    pub(crate) gdvar: Option<Path>,
}

/// What `#[record(…)]` says about a field.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) rename: Option<LitStr>,
    pub(crate) default: Option<Fallback>,
    pub(crate) skip: bool,
    pub(crate) made: Option<Made>,
}

/// How a field is made from a value of another type.
pub(crate) enum Made {
    /// By `TryFrom` of this type.
    From(Box<Type>),
    /// By this function, whose parameter is the type that is read.
    By(Box<ExprPath>),
}

/// The value of a field whose key is missing.
pub(crate) enum Fallback {
    /// From `Default`.
    Trait,
    /// From this function.
    Function(Box<ExprPath>),
}

impl Struct {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Struct> {
        let mut all = Struct::default();
        each(attributes, |meta| {
            if meta.path.is_ident("rename_all") {
                let name: LitStr = meta.value()?.parse()?;
                let convention = Convention::of(&name.value());
                let convention = convention.map_err(|why| Error::new(name.span(), why))?;
                return once(&mut all.rename_all, convention, &meta);
            }
            if meta.path.is_ident("crate") {
                let path: LitStr = meta.value()?.parse()?;
                return once(&mut all.gdvar, path.parse()?, &meta);
            }
            if meta.path.is_ident("default") {
                all.default = true;
                return Ok(());
            }
            Err(unknown(
                &meta,
                "`rename_all = \"…\"`, `default` and `crate = \"…\"`",
            ))
        })?;
        Ok(all)
    }
}

impl Field {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Field> {
        let mut all = Field::default();
        each(attributes, |meta| {
            if meta.path.is_ident("rename") {
                return once(&mut all.rename, meta.value()?.parse()?, &meta);
            }
            if meta.path.is_ident("default") {
                let default = if meta.input.peek(syn::Token![=]) {
                    let path: LitStr = meta.value()?.parse()?;
                    Fallback::Function(Box::new(path.parse()?))
                } else {
                    Fallback::Trait
                };
                return once(&mut all.default, default, &meta);
            }
            if meta.path.is_ident("skip") || meta.path.is_ident("skip_deserializing") {
                all.skip = true;
                return Ok(());
            }
            if meta.path.is_ident("try_from") {
                let ty: LitStr = meta.value()?.parse()?;
                return once(&mut all.made, Made::From(Box::new(ty.parse()?)), &meta);
            }
            if meta.path.is_ident("with") {
                let path: LitStr = meta.value()?.parse()?;
                return once(&mut all.made, Made::By(Box::new(path.parse()?)), &meta);
            }
            Err(unknown(
                &meta,
                "`rename = \"…\"`, `default`, `default = \"…\"`, `skip`, `try_from = \"…\"` and `with = \"…\"`",
            ))
        })?;
        if let (true, Some(rename)) = (all.skip, &all.rename) {
            let why = "a skipped field has no key: drop `rename` or `skip`";
            return Err(Error::new(rename.span(), why));
        }
        if let (true, Some(made)) = (all.skip, &all.made) {
            let span = match made {
                Made::From(ty) => ty.span(),
                Made::By(path) => path.span(),
            };
            let why = "a skipped field is not read: drop `skip`, or `try_from` and `with`";
            return Err(Error::new(span, why));
        }
        Ok(all)
    }
}

/// Calls `take` for each entry of `#[record(…)]`.
fn each(
    attributes: &[Attribute],
    mut take: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let own = |attribute: &&Attribute| attribute.path().is_ident("record");
    for attribute in attributes.iter().filter(own) {
        attribute.parse_nested_meta(&mut take)?;
    }
    Ok(())
}

fn once<T>(place: &mut Option<T>, value: T, meta: &ParseNestedMeta<'_>) -> Result<()> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(meta.error("the attribute repeats or contradicts an earlier one")),
    }
}

fn unknown(meta: &ParseNestedMeta<'_>, known: &str) -> Error {
    let name = meta.path.get_ident().map(ToString::to_string);
    let name = name.unwrap_or_default();
    meta.error(format!(
        "`{name}` is not an attribute of record here; these are: {known}"
    ))
}
