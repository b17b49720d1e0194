//! The filter parameters of lists and exports, which are those of the command line.

use serde::Serialize;

use crate::{
    chess::Variant,
    conditions::FilterText,
    present::names::UnknownName,
    record::fen,
    request,
    web::{Failure, RequestContext, Result, parameters::Parameters},
};

/// Reads the filter from a URL; `own` are the route's other parameters. The position is the end of a line, as on the
/// explorer routes.
pub(in crate::web) fn filter(parameters: &Parameters, own: &[&str]) -> Result<FilterText> {
    let mut filter = FilterText::default();
    let of_filter = |name: &str| !own.contains(&name) && !["fen", "play"].contains(&name);
    for (name, text) in parameters.iter().filter(|(name, text)| of_filter(name) && !text.is_empty()) {
        match name {
            "limit" | "offset" => {
                let why = "limit and after are parameters of /api/v1/games only";
                return Err(Failure::invalid(name, why));
            }
            "sort" => filter.sort = Some(text.to_owned()),
            "desc" => filter.desc = parameters.switch(name)?,
            name => filter.set(name, text)?,
        }
    }
    if ["fen", "play"].into_iter().any(|name| parameters.text(name).is_some()) {
        let variant = match filter.get("variant") {
            Some(text) => request::variant(text)?,
            None => Variant::Standard,
        };
        if let Some(position) = parameters.line(variant)?.last() {
            filter.set("position", &fen(position))?;
        }
    }
    Ok(filter)
}

/// An answer about the games of a filter. If no game matches, it includes the names in the filter that no game has.
#[derive(Serialize)]
pub(super) struct Found<T> {
    #[serde(flatten)]
    found: T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown_names: Vec<UnknownName>,
}

impl<T> Found<T> {
    pub(super) fn new(
        found: T,
        games: u64,
        context: &RequestContext<'_>,
        filter: &FilterText,
    ) -> Result<Found<T>> {
        let unknown_names = if games == 0 { filter.unknown_names(context.archive)? } else { Vec::new() };
        Ok(Found { found, unknown_names })
    }
}
