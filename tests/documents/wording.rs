//! Everything that plybook says to people, in one list: `PLYBOOK_WRITE=1 cargo test --test documents wording` writes it to
//! `target/tmp/texts.txt` for reading. Phrases that made plybook read like a translation must not come back.

use std::{fmt::Write, fs, path::Path};

use crate::{
    common::{Bench, listed_commands},
    docs_support::project,
};

/// Where a text is, and the text on one line.
type Text = (String, String);

/// A phrase that is rejected, what to write instead, and the contexts in which it is ordinary English.
const PHRASES: &[(&str, &str, &[&str])] = &[
    ("so many", "N, at most N, at least N", &[]),
    ("anew", "again, from scratch", &[]),
    ("is told", "is reported", &[]),
    ("are told", "are reported", &[]),
    ("tells", "reports, prints, shows", &["tells apart", "fingerprint tells whether"]),
    ("is no", "is not a valid", &["there is no", "is no longer", "is no larger", "is no other"]),
    ("stands", "is, appears, is stored", &["stands for"]),
    ("stand in", "are in", &[]),
    (
        "behind",
        "after",
        &[
            "tables behind the views",
            "behind a link",
            "behind a reverse proxy",
            "behind a proxy",
            "behind nginx",
        ],
    ),
    ("beside", "next to, in addition to", &[]),
    ("for ever", "permanently", &[]),
    ("goes on", "continues", &[]),
    ("go on with", "continue", &[]),
    ("comes to", "reaches", &[]),
    ("comes back to", "returns to", &[]),
    (
        "has not",
        "must have",
        &["has not been", "has not changed", "has not yet", "has not finished", "has not proved"],
    ),
    ("may be left out", "is optional", &[]),
    ("in silence", "silently", &[]),
    ("without a word", "silently", &[]),
    ("looked for", "searched for", &[]),
    ("looked through", "scanned", &[]),
    ("made of", "built from", &[]),
    ("is lacking", "is missing", &[]),
    ("is asked", "is queried", &[]),
    ("asked for", "requested", &[]),
    ("asks for", "requires, requests", &["a test asks for it", "source asks for"]),
    ("knows", "supports, recognizes", &[]),
    ("speaks of", "refers to", &[]),
    ("of one moment", "from the same snapshot", &[]),
    ("handed out", "released", &[]),
    ("mend", "fix, repair", &[]),
    ("alike", "equal, the same", &[]),
    ("sound game", "intact game", &[]),
    ("unsound", "corrupt", &[]),
    ("bits a game", "bits per game", &[]),
    ("bytes a game", "bytes per game", &[]),
    ("games a second", "games per second", &[]),
    ("a ply each", "per ply", &[]),
    ("positions running", "consecutive positions", &[]),
    ("unpacked", "decompressed", &[]),
    ("whoever", "users who", &[]),
    ("there is none", "it does not exist, is missing", &[]),
    ("that has none", "without", &[]),
    ("is wanted", "is requested", &[]),
    ("are wanted", "are requested", &[]),
    ("at one's", "", &[]),
    ("one's own", "your", &[]),
    ("there is no answer", "what is wrong, and what to do", &[]),
    ("folder", "directory", &["catalogue {folder}"]),
    ("picture", "image, diagram", &["words.picture", "picture|safe", "\"picture\"", "image picture png"]),
    ("turn the board", "flip board", &[]),
];

/// The help of a command and of those below it.
fn help(bench: &Bench, above: &[String], texts: &mut Vec<Text>) {
    let mut command: Vec<&str> = above.iter().map(String::as_str).collect();
    command.push("--help");
    let help = bench.ok(&command);
    texts.extend(help.split("\n\n").map(|text| (format!("plybook {}", command.join(" ")), one_line(text))));
    for name in listed_commands(&help) {
        self::help(bench, &[above, &[name]].concat(), texts);
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Files below a directory whose names have one of these ends.
fn files(directory: &Path, ends: &[&str], found: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["target", "tests", "node_modules", "dist"].contains(&name) {
            files(&path, ends, found);
        } else if ends.iter().any(|end| name.ends_with(end)) && name != "tests.rs" {
            found.push(path.strip_prefix(project()).unwrap().to_str().unwrap().to_owned());
        }
    }
}

/// The strings of a source that have words, without those of its tests.
fn strings(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap();
    let (mut rest, mut strings) = (source, Vec::new());
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, from) = rest.split_at(at);
        let end = if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if from.starts_with('"') {
            let hashes = before.len() - before.trim_end_matches('#').len();
            let is_raw = before[..at - hashes].ends_with('r');
            let end = if is_raw { raw_end(from, hashes) } else { escaped_end(from) };
            strings.push(one_line(&from[1..end - 1].replace("\\n", " ").replace("\\\n", " ")));
            end
        } else if from.starts_with("'\\''") || from.starts_with("'\"'") {
            from[1..].find("'").map_or(1, |end| end + 2).max(3)
        } else {
            1
        };
        rest = &from[end.min(from.len())..];
    }
    strings.retain(|text| text.split(' ').filter(|word| word.chars().all(char::is_alphabetic)).count() >= 2);
    strings
}

fn raw_end(from: &str, hashes: usize) -> usize {
    let close = format!("\"{}", "#".repeat(hashes));
    1 + from[1..].find(&close).expect("a raw string ends") + 1
}

fn escaped_end(from: &str) -> usize {
    let mut is_escaped = false;
    let end = from[1..].char_indices().find(|(_, char)| {
        let is_end = *char == '"' && !is_escaped;
        is_escaped = *char == '\\' && !is_escaped;
        is_end
    });
    end.expect("a string ends").0 + 2
}

/// All texts: help, messages, pages of the documentation, and texts of the web pages and of Python.
fn texts() -> Vec<Text> {
    let mut texts = Vec::new();
    help(&Bench::new(), &[], &mut texts);
    help(&Bench::new(), &["filters".to_owned()], &mut texts);
    let mut sources = Vec::new();
    for directory in ["src", "crates", "bindings"] {
        files(&project().join(directory), &[".rs"], &mut sources);
    }
    for name in &sources {
        let source = fs::read_to_string(project().join(name)).unwrap();
        texts.extend(strings(&source).into_iter().map(|text| (name.clone(), text)));
    }
    let mut prose = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "CHANGELOG.md".to_owned()];
    for directory in ["docs", "bindings", "crates", "cluster", "templates", "web/src"] {
        files(&project().join(directory), &[".md", ".pyi", ".html", "words.en.json"], &mut prose);
    }
    for name in &prose {
        let text = fs::read_to_string(project().join(name)).unwrap();
        texts.extend(text.split("\n\n").map(|paragraph| (name.clone(), one_line(paragraph))));
    }
    texts
}

/// Where a phrase is in a text, as words of their own, outside the contexts in which it is accepted.
fn contains(text: &str, phrase: &str, contexts: &[&str]) -> bool {
    let text = text.to_lowercase();
    let is_word = |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        let is_whole = !is_word(before.chars().next_back()) && !is_word(after.chars().next());
        is_whole
            && !contexts.iter().any(|context| {
                context.match_indices(phrase).any(|(skip, _)| {
                    at.checked_sub(skip)
                        .and_then(|from| text.get(from..))
                        .is_some_and(|from| from.starts_with(context))
                })
            })
    })
}

#[test]
fn no_text_has_a_phrase_that_reads_like_a_translation() {
    let texts = texts();
    assert!(texts.len() > 3000, "{}", texts.len());
    if std::env::var_os("PLYBOOK_WRITE").is_some() {
        let list: String = texts.iter().map(|(name, text)| format!("{name}: {text}\n")).collect();
        fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("texts.txt"), list).unwrap();
    }
    let mut hits = String::new();
    for (name, text) in &texts {
        for (phrase, instead, contexts) in PHRASES {
            if contains(text, phrase, contexts) {
                let _ = writeln!(
                    hits,
                    "{name}: \"{phrase}\" ({instead}): {}",
                    text.chars().take(300).collect::<String>()
                );
            }
        }
    }
    assert!(hits.is_empty(), "{} phrases:\n{hits}", hits.lines().count());
}

#[test]
fn a_phrase_is_found_as_words_outside_its_contexts() {
    assert!(contains("It is told so.", "is told", &[]));
    assert!(contains("IS TOLD", "is told", &[]));
    assert!(!contains("this told", "is told", &[]));
    assert!(!contains("there is no game", "is no", &["there is no"]));
    assert!(contains("there is no game: that is no game", "is no", &["there is no"]));
    assert_eq!(
        strings("let a = \"two words\"; // \"not this one\"\nlet b = r#\"a \"b\" c\"#; let c = '\"';"),
        ["two words", "a \"b\" c"]
    );
}
