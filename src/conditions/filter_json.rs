//! Conditions as a JSON object, for bindings to other languages.

use serde_json::{Map, Value};

use super::{Condition, FilterText, condition::ValueType};

impl TryFrom<Map<String, Value>> for FilterText {
    type Error = String;

    fn try_from(fields: Map<String, Value>) -> Result<FilterText, String> {
        let mut text = FilterText::default();
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_null()) {
            take(&mut text, &name, value)?;
        }
        Ok(text)
    }
}

fn take(text: &mut FilterText, name: &str, value: Value) -> Result<(), String> {
    let wrong = |error: serde_json::Error| format!("{name}: {error}");
    match name {
        "sort" => text.sort = Some(serde_json::from_value(value).map_err(wrong)?),
        "desc" => text.desc = serde_json::from_value(value).map_err(wrong)?,
        "limit" => text.limit = Some(serde_json::from_value(value).map_err(wrong)?),
        "offset" => text.offset = serde_json::from_value(value).map_err(wrong)?,
        name => {
            let condition = Condition::named(name).map_err(|error| error.to_string())?;
            match value {
                Value::Array(values) if matches!(condition.kind, ValueType::Texts | ValueType::Numbers) => {
                    for value in values {
                        set(text, condition, value)?;
                    }
                }
                value => set(text, condition, value)?,
            }
        }
    }
    Ok(())
}

fn set(text: &mut FilterText, condition: &Condition, value: Value) -> Result<(), String> {
    let is_switch = matches!(condition.kind, ValueType::Switch | ValueType::YesOrNo(..));
    let value = match value {
        Value::String(value) if !is_switch => value,
        // Other languages pass `date=1984` as a number.
        Value::Number(number) if !is_switch => number.to_string(),
        Value::Bool(value) if is_switch => value.to_string(),
        other => {
            let wanted = if is_switch { "true or false" } else { "a string or a number" };
            return Err(format!("{}: invalid type: {other}, expected {wanted}", condition.name));
        }
    };
    text.set(condition.name, &value).map_err(|error| error.to_string())
}
