//! The records of the source.

/// The text of a record of `data/xelto`.
pub(super) fn text(name: &str) -> String {
    let path = format!("{}/../../data/xelto/{name}.xelto", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the records are part of the project")
}
