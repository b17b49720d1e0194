//! Texts that are generated from the table of conditions: the types of Python's keywords, and the table of
//! docs/finding.md. Set `PLYBOOK_WRITE=1` to write them.

use std::{env, fs, path::Path};

use plybook::conditions::{CONDITIONS, Condition, ValueType};

/// The line width of the Python types.
const WIDTH: usize = 118;

/// Compares a part of a file, delimited by lines, with its expected content.
pub fn check(file: &str, begin: &str, end: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap();
    let from = text.find(begin).unwrap() + begin.len();
    let to = from + text[from..].find(end).unwrap();
    if env::var_os("PLYBOOK_WRITE").is_some() {
        fs::write(&path, [&text[..from], expected, &text[to..]].concat()).unwrap();
        return;
    }
    assert!(
        text[from..to] == *expected,
        "{file} is out of date: PLYBOOK_WRITE=1 cargo test --test documents"
    );
}

/// The help of a condition, with option names replaced by those of Python and the API.
fn help(condition: &Condition) -> String {
    let mut help = condition.help.replace("; - reads them from standard input", "");
    for other in CONDITIONS {
        help = help.replace(&format!("--{}", other.option()), &format!("`{}`", other.name));
    }
    help
}

fn python_type(condition: &Condition) -> String {
    match condition.kind {
        ValueType::Switch => "bool".to_owned(),
        ValueType::YesOrNo(..) => "bool | None".to_owned(),
        ValueType::Number => "int | None".to_owned(),
        ValueType::Numbers => "int | Sequence[int]".to_owned(),
        ValueType::Texts => "str | Sequence[str]".to_owned(),
        ValueType::Word => {
            let words = (condition.offers)().into_iter().map(|choice| format!("{:?}", choice.value));
            format!("Literal[{}] | None", words.collect::<Vec<_>>().join(", "))
        }
        ValueType::Text | ValueType::Codes if condition.value == "RANGE" => "str | int | None".to_owned(),
        ValueType::Text | ValueType::Codes | ValueType::Names(_) => "str | None".to_owned(),
    }
}

/// Wraps a text to the lines of a docstring.
fn docstring(text: &str) -> String {
    let mut lines = vec![String::from("    \"\"\"")];
    for word in format!("{text}.\"\"\"").split(' ') {
        let last = lines.last_mut().unwrap();
        if last.trim_end().len() + word.len() + 1 > WIDTH {
            lines.push(format!("    {word}"));
        } else {
            let space = if last.ends_with("\"\"\"") && last.trim() == "\"\"\"" { "" } else { " " };
            *last += &format!("{space}{word}");
        }
    }
    lines.join("\n")
}

#[test]
fn python_types_contain_every_condition() {
    let field = |condition: &Condition| {
        let help = docstring(&help(condition).replace('`', "``"));
        format!("    {}: {}\n{help}\n", condition.name, python_type(condition))
    };
    // Methods that take a position have it as an argument.
    let conditions = CONDITIONS.iter().filter(|condition| condition.name != "position");
    let fields: String = conditions.map(field).collect();
    let (begin, end) =
        ("    # The conditions, made from their table.\n", "    # The order and the number.\n");
    check("bindings/python/plybook.pyi", begin, end, &fields);
}

#[test]
fn the_table_of_conditions_in_the_docs_is_complete() {
    let mut table = String::from("\n| option | API, Python | meaning |\n|---|---|---|\n");
    for condition in CONDITIONS {
        let value = if condition.value.is_empty() { String::new() } else { format!(" {}", condition.value) };
        let mut options = format!("`--{}{value}`", condition.option());
        if let ValueType::YesOrNo(no, _) = condition.kind {
            options += &format!(", `--{no}`");
        }
        let help = condition.help.replace('|', "\\|").replace('*', "\\*");
        table += &format!("| {options} | `{}` | {help} |\n", condition.name);
    }
    check("docs/finding.md", "<!-- The conditions, made from their table. -->\n", "\n<!-- -->", &table);
}
