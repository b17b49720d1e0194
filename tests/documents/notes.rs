//! The table of notes in docs/importing.md, generated from the kinds. Set `PLYBOOK_WRITE=1` to write it.

use crate::conditions::check;
use plybook::pgn::Warning;

#[test]
fn the_table_of_notes_in_the_docs_is_complete() {
    let mut table = String::from("\n| key | note | `--strict` |\n|---|---|---|\n");
    for warning in Warning::ALL {
        let strict = if warning.is_repair() { "rejects" } else { "accepts" };
        let text = warning.text().replace('*', "\\*");
        table += &format!("| `{}` | {text} | {strict} |\n", warning.key());
    }
    check("docs/importing.md", "<!-- The notes, made from their kinds. -->\n", "\n<!-- -->", &table);
}
