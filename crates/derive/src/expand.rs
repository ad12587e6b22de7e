//! Generates the implementation.

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{quote, quote_spanned};
use syn::{
    Data, DeriveInput, Error, Fields, GenericArgument, GenericParam, Ident, Lifetime, Path,
    PathArguments, Result, Type, ext::IdentExt, parse_quote, spanned::Spanned,
};

use crate::attributes::{Fallback, Field, Made, Struct};

/// Generates the implementation for a struct, or compile errors.
pub(crate) fn expand(input: TokenStream, gdvar: &str) -> TokenStream {
    let written = syn::parse(input).and_then(|input| record(&input, gdvar));
    written.unwrap_or_else(Error::into_compile_error).into()
}

fn record(input: &DeriveInput, gdvar: &str) -> Result<Tokens> {
    let attributes = Struct::of(&input.attrs)?;
    let gdvar: Path = match &attributes.gdvar {
        Some(path) => path.clone(),
        None => syn::parse_str(gdvar)?,
    };
    let fields = named(input)?;
    let mut keys: Vec<(String, Span)> = Vec::new();
    let mut readers = Vec::new();
    for field in &fields.named {
        let own = Field::of(&field.attrs)?;
        let Some(name) = &field.ident else { continue };
        if !own.skip {
            let (key, span) = match &own.rename {
                Some(rename) => (rename.value(), rename.span()),
                None => {
                    let plain = name.unraw().to_string();
                    let key = match attributes.rename_all {
                        Some(convention) => convention.apply(&plain),
                        None => plain,
                    };
                    (key, name.span())
                }
            };
            is_key(&key, &keys).map_err(|why| Error::new(span, why))?;
            keys.push((key, span));
        }
        readers.push(reader(name, &field.ty, &own, attributes.default, &gdvar));
    }
    if keys.is_empty() {
        let why = "a Record needs a field that has a key";
        return Err(Error::new(input.ident.span(), why));
    }
    let keys = keys.iter().map(|(key, _)| key);
    let default = attributes.default.then(|| {
        quote! { let default: Self = ::core::default::Default::default(); }
    });
    let (lifetime, mut generics) = lifetime(input)?;
    for parameter in &input.generics.params {
        if let GenericParam::Type(parameter) = parameter {
            let name = &parameter.ident;
            let bounds = &mut generics.make_where_clause().predicates;
            bounds.push(parse_quote!(#name: #gdvar::FromVariant<#lifetime>));
        }
    }
    let name = &input.ident;
    let (_, types, _) = input.generics.split_for_impl();
    let (parameters, _, bounds) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters #gdvar::Record<#lifetime> for #name #types #bounds {
            const KEYS: &'static [#gdvar::Key] = &#gdvar::Key::all([#(#keys),*]);

            #[inline(always)]
            fn read(
                fields: &mut impl #gdvar::Fields<#lifetime>,
            ) -> ::core::result::Result<Self, #gdvar::Mismatch> {
                #default
                ::core::result::Result::Ok(Self { #(#readers),* })
            }
        }
    })
}

/// Returns the fields of a struct with named fields.
fn named(input: &DeriveInput) -> Result<&syn::FieldsNamed> {
    let why = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Ok(fields),
            _ => {
                "a Record is a struct with named fields, which are the keys of a Dictionary; tuples are read from Arrays without it"
            }
        },
        Data::Enum(_) => {
            "a Record is a struct with named fields; read what tells the variants apart as a field, and match it in an implementation by hand (`Fields::refuse` for an unknown one)"
        }
        Data::Union(_) => "a Record is a struct with named fields",
    };
    Err(Error::new(input.ident.span(), why))
}

/// Returns the lifetime of the bytes, and the generic parameters of the implementation.
fn lifetime(input: &DeriveInput) -> Result<(Lifetime, syn::Generics)> {
    let mut generics = input.generics.clone();
    let mut lifetimes = input.generics.lifetimes();
    if let Some(own) = lifetimes.next() {
        if let Some(second) = lifetimes.next() {
            let why = "a Record has one lifetime, the lifetime of the bytes that it borrows from";
            return Err(Error::new(second.lifetime.span(), why));
        }
        return Ok((own.lifetime.clone(), generics));
    }
    let lifetime = Lifetime::new("'gdvar", Span::call_site());
    generics.params.insert(0, parse_quote!(#lifetime));
    Ok((lifetime, generics))
}

/// Generates the code that reads one field.
fn reader(name: &Ident, ty: &Type, own: &Field, whole: bool, gdvar: &Path) -> Tokens {
    let span = ty.span();
    let fallback = match &own.default {
        Some(Fallback::Function(path)) => Some(quote! { #path }),
        Some(Fallback::Trait) => {
            Some(quote_spanned! { span=> <#ty as ::core::default::Default>::default })
        }
        None if whole => Some(quote! { || default.#name }),
        None if own.skip => {
            Some(quote_spanned! { span=> <#ty as ::core::default::Default>::default })
        }
        None => None,
    };
    let inner = inner_of_option(ty);
    let (read, make) = match &own.made {
        None => (quote! { #ty }, None),
        Some(Made::From(from)) => {
            let wanted = inner.unwrap_or(ty);
            let why = format!("the value is not a valid {}", shown(wanted));
            let make = quote_spanned! { span=>
                ::core::result::Result::map_err(
                    <#wanted as ::core::convert::TryFrom<#from>>::try_from(read),
                    |_| #why,
                )
            };
            (quote! { #from }, Some(make))
        }
        Some(Made::By(path)) => (quote! { _ }, Some(quote_spanned! { span=> #path(read) })),
    };
    // Turns `read` into the field, or returns the reason of the refusal with the key and the offset.
    let made = make.map(|make| {
        quote! {
            match #make {
                ::core::result::Result::Ok(made) => made,
                ::core::result::Result::Err(why) => {
                    return ::core::result::Result::Err(#gdvar::Fields::refuse(fields, why));
                }
            }
        }
    });
    let optional = match (&made, inner) {
        (None, _) => quote_spanned! { span=> #gdvar::Fields::optional::<#ty>(fields)? },
        (Some(made), None) => quote_spanned! { span=>
            match #gdvar::Fields::optional::<#read>(fields)? {
                ::core::option::Option::Some(read) => ::core::option::Option::Some(#made),
                ::core::option::Option::None => ::core::option::Option::None,
            }
        },
        // A value under the key, or null.
        (Some(made), Some(_)) => quote_spanned! { span=>
            match #gdvar::Fields::optional::<::core::option::Option<#read>>(fields)? {
                ::core::option::Option::Some(::core::option::Option::Some(read)) => {
                    ::core::option::Option::Some(::core::option::Option::Some(#made))
                }
                ::core::option::Option::Some(::core::option::Option::None) => {
                    ::core::option::Option::Some(::core::option::Option::None)
                }
                ::core::option::Option::None => ::core::option::Option::None,
            }
        },
    };
    let value = match (own.skip, fallback) {
        (true, fallback) => quote! { (#fallback)() },
        (false, Some(fallback)) => {
            quote! { ::core::option::Option::unwrap_or_else(#optional, #fallback) }
        }
        // A missing key counts as null.
        (false, None) if inner.is_some() => quote! { ::core::option::Option::flatten(#optional) },
        (false, None) => match made {
            None => quote_spanned! { span=> #gdvar::Fields::next::<#ty>(fields)? },
            Some(made) => quote_spanned! { span=> {
                let read = #gdvar::Fields::next::<#read>(fields)?;
                #made
            } },
        },
    };
    quote! { #name: #value }
}

/// Returns the source text of a type, for messages.
fn shown(ty: &Type) -> String {
    quote! { #ty }.to_string().replace(' ', "")
}

/// Returns `T` of a type that is written as an `Option<T>`.
fn inner_of_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let is_option = path.qself.is_none() && last.ident == "Option";
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if is_option => Some(inner),
        _ => None,
    }
}

/// Checks that engines can read the key and that no other field has it.
fn is_key(key: &str, others: &[(String, Span)]) -> std::result::Result<(), String> {
    if key.contains('\0') {
        return Err("no engine reads a key with a NUL".to_owned());
    }
    if key.starts_with('\u{feff}') {
        return Err("no engine reads a byte order mark at the start of a key".to_owned());
    }
    if others.iter().any(|(other, _)| other == key) {
        return Err(format!("another field has the key {key:?} already"));
    }
    Ok(())
}
