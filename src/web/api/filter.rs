//! Which games: the parameters of lists and exports, which are those of the filters of the command line.

use crate::{
    chess::Variant,
    conditions::FilterText,
    record::fen,
    request::{self, RequestError},
    web::{Failure, parameters::Parameters},
};

/// Reads the filter of an address; `own` are the parameters that are none of it. The position is the end of a line, as on
/// the routes of the explorer.
pub(in crate::web) fn filter(parameters: &Parameters, own: &[&str]) -> Result<FilterText, Failure> {
    let wrong = |error: RequestError| Failure::BadRequest(error.to_string());
    let mut filter = FilterText::default();
    let of_filter = |name: &str| !own.contains(&name) && !["fen", "play"].contains(&name);
    for (name, text) in parameters.iter().filter(|(name, text)| of_filter(name) && !text.is_empty()) {
        match name {
            "limit" | "offset" => {
                let why = "only /api/v1/games takes a part of the games, by limit and after";
                return Err(Failure::BadRequest(format!("{name}: {why}")));
            }
            "sort" => filter.sort = Some(text.to_owned()),
            "desc" => filter.desc = parameters.switch(name)?,
            name => filter.set(name, text).map_err(wrong)?,
        }
    }
    if ["fen", "play"].into_iter().any(|name| parameters.text(name).is_some()) {
        let variant = match filter.get("variant") {
            Some(text) => request::variant(text).map_err(wrong)?,
            None => Variant::Standard,
        };
        if let Some(position) = parameters.line(variant)?.last() {
            filter.set("position", &fen(position)).map_err(wrong)?;
        }
    }
    Ok(filter)
}
