//! Errors: collected while the stages go on, reported together, each at the user's own tokens.

mod catalogue;
mod origin;

pub use catalogue::Refusal;
pub use origin::Origin;

/// The refusals of one function.
#[derive(Default)]
pub struct Diagnostics {
    errors: Vec<syn::Error>,
}

impl Diagnostics {
    /// Records a refusal at `origin`; the caller goes on with a placeholder.
    pub fn refuse(&mut self, origin: Origin, refusal: Refusal) {
        self.errors.push(syn::Error::new_spanned(origin, refusal.text()));
    }

    /// Records an error of syn's own.
    pub fn syntax(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// Takes over the refusals of a part of the work.
    pub fn append(&mut self, other: Diagnostics) {
        self.errors.extend(other.errors);
    }

    /// Whether nothing was refused.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// All errors as `compile_error!`s, in the order of the source, each message once per place.
    pub fn into_tokens(self) -> proc_macro2::TokenStream {
        let mut seen = std::collections::BTreeSet::new();
        self.errors
            .into_iter()
            .filter(|error| seen.insert((format!("{:?}", error.span()), error.to_string())))
            .map(syn::Error::into_compile_error)
            .collect()
    }
}
