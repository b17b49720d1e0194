//! Which games: the parameters of lists and exports, which are those of the filters of the command line.

use serde_json::{Map, Value};

use crate::{
    chess::Variant,
    present::{FilterText, request},
    record::fen,
    web::{Failure, parameters::Parameters},
};

/// Reads the filter of an address; `own` are the parameters that are none of it. The position is the end of a line, as on
/// the routes of the explorer.
pub(in crate::web) fn filter(parameters: &Parameters, own: &[&str]) -> Result<FilterText, Failure> {
    let mut fields = Map::new();
    let of_filter = |name: &str| !own.contains(&name) && !["fen", "play"].contains(&name);
    for (name, text) in parameters.iter().filter(|(name, text)| of_filter(name) && !text.is_empty()) {
        let value = match name {
            "limit" | "offset" => {
                let why = "only /api/v1/games takes a part of the games, by limit and after";
                return Err(Failure::BadRequest(format!("{name}: {why}")));
            }
            "desc" | "casual" | "mirror" | "any_file" | "board_only" | "en_passant" => {
                Value::Bool(parameters.switch(name)?)
            }
            "min_plies" | "checks" => Value::from(parameters.number(name)?),
            "within" => Value::from_iter(parameters.number(name)?),
            // Of several the last counts, as everywhere.
            "material" | "pattern" | "then" | "not_pattern" | "tag" | "comment" => Value::from_iter([text]),
            _ => Value::String(text.to_owned()),
        };
        fields.insert(if name == "color" { "colour" } else { name }.to_owned(), value);
    }
    let mut filter: FilterText = serde_json::from_value(Value::Object(fields))
        .map_err(|error| Failure::BadRequest(error.to_string()))?;
    if ["fen", "play"].into_iter().any(|name| parameters.text(name).is_some()) {
        let variant = match &filter.variant {
            Some(text) => request::variant(text).map_err(|error| Failure::BadRequest(error.to_string()))?,
            None => Variant::Standard,
        };
        filter.position = parameters.line(variant)?.last().map(fen);
    }
    Ok(filter)
}
