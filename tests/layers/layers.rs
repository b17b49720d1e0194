//! The fences of the house, read from the sources: who may import whom, which crate is named where, how long files
//! and functions may be, and that every codec is in its list.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The layers from the lowest to the highest: what stands in one line may import what stands above it, and itself.
/// Folders of one line import each other only where the other stands before.
const LAYERS: [&[&str]; 15] = [
    &[
        "limits",
        "counts",
        "printable",
        "case_fold",
        "name_pattern",
        "name_start",
        "near_name",
        "player_name",
        "files",
        "bits",
        "columns",
    ],
    &["rules"],
    &["xelto", "chess", "openings"],
    &[
        "codec",
        "model",
        "chess_rules",
        "encodings",
        "sources",
        "pgn",
        "scid",
        "chessbase",
        "generate",
        "proofgame",
    ],
    &["record"],
    &["functions"],
    &["position_index", "trail", "recording"],
    &["archive"],
    &["query", "import", "stats", "report", "export", "edit"],
    &["parts"],
    &["request"],
    &["conditions"],
    &["present"],
    &["web"],
    &["cli"],
];

/// Crates that one folder alone may name.
const ONLY_IN: [(&str, &[&str]); 35] = [
    ("any_ascii", &["case_fold"]),
    ("strsim", &["near_name"]),
    ("resvg", &["present"]),
    ("rusqlite", &["archive"]),
    ("parquet", &["columns"]),
    ("arrow_array", &["columns"]),
    ("arrow_ipc", &["columns"]),
    ("arrow_schema", &["columns"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli"]),
    ("indicatif", &["cli"]),
    ("crossterm", &["cli"]),
    ("terminal_size", &["cli"]),
    ("ctrlc", &["cli"]),
    ("signal_hook", &["cli"]),
    ("rustyline", &["cli"]),
    ("axum", &["web"]),
    ("hyper", &["web"]),
    ("hyper_util", &["web"]),
    ("tower_http", &["web"]),
    ("tokio", &["web"]),
    ("form_urlencoded", &["web"]),
    ("askama", &["web"]),
    ("pgn_reader", &["pgn"]),
    ("num_bigint", &["bits"]),
    ("flate2", &["sources", "web"]),
    ("bzip2", &["sources"]),
    ("liblzma", &["sources"]),
    ("encoding_rs", &["sources"]),
    ("chardetng", &["sources"]),
    ("oem_cp", &["sources"]),
    ("zstd", &["codec", "sources"]),
    ("ruzstd", &["codec"]),
    ("zip", &["sources"]),
    (
        "rayon",
        &[
            "archive",
            "position_index",
            "import",
            "query",
            "stats",
            "present",
            "pgn",
            "proofgame",
            "cli",
            "columns",
        ],
    ),
];

/// Most lines of a file, and of a function.
const FILE: usize = 400;
const FUNCTION: usize = 60;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of sources: the program's own, and one of each member of the workspace.
fn roots() -> Vec<PathBuf> {
    let members = fs::read_dir(project().join("crates")).unwrap();
    let members = members.map(|member| member.unwrap().path().join("src"));
    [project().join("src")].into_iter().chain(members).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.extension().is_some_and(|end| end == "rs") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// Every file with its layer, which is its folder, its name or its member, and its text.
fn sources() -> Vec<(String, String, String)> {
    let of = |path: PathBuf| {
        let name = path.strip_prefix(project()).unwrap().to_str().unwrap().replace('\\', "/");
        (layer(&name), name, fs::read_to_string(path).unwrap())
    };
    roots().iter().flat_map(|root| files(root)).map(of).collect()
}

/// `chess` of `crates/chess/src/chess/date.rs`, `pgn` of `crates/pgn/src/nag.rs`, `cli` of `src/cli/info.rs`.
fn layer(name: &str) -> String {
    let (before, inside) = name.split_once("src/").unwrap();
    let first = inside.split('/').next().unwrap().trim_end_matches(".rs");
    match before.strip_prefix("crates/") {
        Some(member) if rank(first).is_none() => member.trim_end_matches('/').to_owned(),
        _ => first.to_owned(),
    }
}

/// The code of a file: no comments, no examples, no tests at its end.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn is_test(name: &str) -> bool {
    name.ends_with("/tests.rs") || name.contains("/tests/")
}

/// The modules at the root of the crate that a code names: `crate::a`, and those in `use crate::{a, b::c}`.
fn imported(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let path = |text: &str| code.match_indices(text).map(|(at, _)| at).collect::<Vec<_>>();
    assert!(path("super::super::super").is_empty(), "a path that leads out of its folder");
    for at in path("crate::") {
        let rest = &code[at + "crate::".len()..];
        let word = |text: &str| -> String {
            text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
        };
        let Some(group) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        // The first word of every item on the outermost level of the braces.
        let (mut depth, mut begins) = (0, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && c.is_ascii_alphabetic() => {
                    found.push(word(&group[at..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    found
}

fn rank(layer: &str) -> Option<(usize, usize)> {
    LAYERS.iter().zip(0..).find_map(|(row, level)| {
        let place = row.iter().position(|name| *name == layer)?;
        Some((level, place))
    })
}

#[test]
fn imports_only_point_down() {
    let mut wrong = Vec::new();
    for (layer, name, text) in sources() {
        if matches!(layer.as_str(), "lib" | "main") || name.ends_with("src/lib.rs") || is_test(&name) {
            continue;
        }
        let own = rank(&layer).unwrap_or_else(|| panic!("{name}: {layer:?} is in no layer, see LAYERS"));
        for other in imported(&code(&text)) {
            // What is no layer is an item of the root, which nothing but macros is.
            if let Some(other_rank) = rank(&other).filter(|_| other != layer)
                && other_rank > own
            {
                wrong.push(format!("{name} imports {other}"));
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_crate_is_named_in_its_own_layer_only() {
    for (layer, name, text) in sources() {
        for (krate, layers) in ONLY_IN {
            let names = code(&text).lines().any(|line| names_crate(line, krate));
            assert!(!names || layers.contains(&layer.as_str()), "{name} names {krate}");
        }
    }
}

/// Whether a line of code names a crate, not a module of that name.
fn names_crate(line: &str, krate: &str) -> bool {
    line.match_indices(krate).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + krate.len()..]);
        let is_imported =
            before.trim_start().strip_prefix("use ").is_some_and(|path| matches!(path, "" | "::"))
                && [";", " as ", "::"].iter().any(|end| after.starts_with(end));
        let last = before.trim_end_matches("::").chars().next_back();
        let is_root = !before.ends_with("::") || last.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let is_path = is_root
            && after.starts_with("::")
            && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        is_imported || is_path
    })
}

#[test]
fn sql_is_written_in_the_archive_only() {
    for (layer, name, text) in sources() {
        let words = ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE ", "\"CREATE ", "\"PRAGMA "];
        let has_sql = words.iter().any(|word| code(&text).contains(word));
        assert!(!has_sql || layer == "archive", "{name} has SQL");
    }
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = sources()
        .into_iter()
        .map(|(_, name, text)| (text.lines().count(), name))
        .filter(|(lines, _)| *lines > FILE)
        .map(|(lines, name)| format!("{name}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_file_is_a_module() {
    for path in roots().iter().flat_map(|root| files(root)) {
        let (folder, name) = (path.parent().unwrap(), path.file_stem().unwrap().to_str().unwrap());
        // `folder/mod.rs` and `folder.rs` are the module `folder`.
        let (folder, name) = match name {
            "lib" | "main" => continue,
            "mod" => (folder.parent().unwrap(), folder.file_name().unwrap().to_str().unwrap()),
            name => (folder, name),
        };
        let parents = [folder.join("mod.rs"), folder.with_extension("rs"), folder.join("lib.rs")];
        let is_named = |parent: &PathBuf| {
            let text = fs::read_to_string(parent).unwrap_or_default();
            text.lines().any(|line| line.trim_end().ends_with(&format!("mod {name};")))
        };
        assert!(parents.iter().any(is_named), "{}: no module has this file", path.display());
    }
}

#[test]
fn no_function_is_too_long() {
    let mut long = Vec::new();
    for (_, name, text) in sources() {
        // Heads whose bodies have not begun, and functions whose bodies have not ended: their indents and lines.
        let mut head: Option<(usize, usize)> = None;
        let mut begun: Vec<(usize, usize)> = Vec::new();
        for (line, text) in text.lines().enumerate() {
            let indent = text.len() - text.trim_start().len();
            let words = text.trim();
            let starts =
                ["fn ", "const fn ", "async fn ", "unsafe fn "].iter().any(|start| words.starts_with(start));
            let is_head = starts || words.starts_with("pub") && words.contains(" fn ");
            head = if is_head { Some((indent, line)) } else { head };
            if words.ends_with('{') {
                begun.extend(head.take());
            } else if words.ends_with(';') || words.ends_with('}') {
                head = None;
            }
            if words == "}"
                && let Some((_, first)) = begun.pop_if(|(begin, _)| *begin == indent)
                && line - first + 1 > FUNCTION
            {
                long.push(format!("{name}:{}: {} lines", first + 1, line - first + 1));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// The patterns of the parameters of a function, which begins with its name.
fn patterns(function: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut found) = (0, 0, Vec::new());
    for (at, c) in function.char_indices() {
        let (before, after) = (&function[..at], &function[at + c.len_utf8()..]);
        match c {
            '>' if before.ends_with(['-', '=']) => {}
            '(' | '<' | '[' | '{' => depth += 1,
            ')' if depth == 1 => break,
            ')' | '>' | ']' | '}' => depth -= 1,
            ':' if depth == 1 && !before.ends_with(':') && !after.starts_with(':') => {
                found.push(&function[begin..at]);
            }
            _ => {}
        }
        if depth == 1 && matches!(c, '(' | '<' | ',') {
            begin = at + 1;
        }
    }
    found
}

/// Whether a pattern takes a tuple apart, other than `()`; `Path(name)` is a struct.
fn has_tuple(pattern: &str) -> bool {
    pattern.match_indices('(').any(|(at, _)| {
        !pattern[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) && !pattern[at..].starts_with("()")
    })
}

#[test]
fn no_parameter_of_a_function_is_a_tuple_pattern() {
    let is_tuple = |function: &str| patterns(function).into_iter().any(has_tuple);
    for tuple in
        ["a((b, c): (u8, u8)", "a<T>(b: T, (c, _): T", "a(B { c: (d, e), f }: B", "a(\n    &(b, c): &T"]
    {
        assert!(is_tuple(tuple), "{tuple}");
    }
    for other in ["a(b: (u8, u8)", "a<F: Fn((u8, T)) -> T>(Path(b): Path<F>, (): ()", "a(b: c::D) -> (E, F)"]
    {
        assert!(!is_tuple(other), "{other}");
    }
    let mut found = Vec::new();
    for (_, name, text) in sources() {
        let code = code(&text);
        let functions = code.match_indices(" fn ").chain(code.match_indices("\nfn "));
        let functions = functions.map(|(at, start)| &code[at + start.len()..]);
        for function in functions.filter(|function| is_tuple(function)) {
            found.push(format!("{name}: {}", function.split(['(', '<']).next().unwrap()));
        }
    }
    assert!(found.is_empty(), "use a struct, or several parameters:\n{}", found.join("\n"));
}

#[test]
fn every_file_of_a_codec_is_in_the_list() {
    let lists = [
        ("crates/chess/src/codec/game", "mod.rs"),
        ("crates/encodings/src", "lib.rs"),
        ("crates/xelto/src/codec", "mod.rs"),
    ];
    for (folder, list) in lists {
        let folder = project().join(folder);
        let list = fs::read_to_string(folder.join(list)).unwrap();
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let module = file.file_stem().unwrap().to_str().unwrap();
            let is_codec =
                text.lines().any(|line| line.starts_with("pub const ") && line.contains("Codec = "));
            assert!(
                !is_codec || list.contains(&format!("{module}::")),
                "{}: not in the list",
                file.display()
            );
        }
    }
    // Those that archives may hold are in the list of `id`.
    let id = fs::read_to_string(project().join("crates/chess/src/codec/id.rs")).unwrap();
    for (_, name, text) in sources() {
        if text.contains("MoveReader<P> for Reader") {
            let module = Path::new(&name).file_stem().unwrap().to_str().unwrap();
            assert!(id.contains(&format!(" game::{module}::Reader")), "{name}: it has no number");
        }
    }
}
