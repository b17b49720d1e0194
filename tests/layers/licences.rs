//! The licences of what plybook is built with, and what a package of the crate holds, as cargo sees them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use serde_json::Value;

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(project().join(name)).unwrap()
}

/// What cargo prints, with what it has on this machine.
fn cargo(arguments: &[&str]) -> String {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let output =
        cargo.args(arguments).args(["--locked", "--offline"]).current_dir(project()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The crates that are in the program on this system, each with what it says of its licence.
fn crates() -> BTreeMap<String, Option<String>> {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let mut arguments = vec!["metadata", "--format-version", "1", "--filter-platform", host];
    // Others may never have been fetched.
    arguments.extend(if cfg!(feature = "columns") { &["--features", "columns"][..] } else { &[] });
    let metadata: Value = serde_json::from_str(&cargo(&arguments)).unwrap();
    let by_id = |list: &Value| -> BTreeMap<String, Value> {
        list.as_array()
            .unwrap()
            .iter()
            .map(|item| (item["id"].as_str().unwrap().to_owned(), item.clone()))
            .collect()
    };
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let (mut found, mut seen) = (BTreeMap::new(), BTreeSet::new());
    let mut next = vec![metadata["resolve"]["root"].as_str().unwrap().to_owned()];
    while let Some(id) = next.pop() {
        let package = &packages[&id];
        let name = format!("{} {}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap());
        found.insert(name, package["license"].as_str().map(str::to_owned));
        for dependency in nodes[&id]["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            let id = dependency["pkg"].as_str().unwrap().to_owned();
            // Tests and what runs only while it is built are not part of it.
            if kinds.iter().any(|kind| kind["kind"].is_null()) && seen.insert(id.clone()) {
                next.push(id);
            }
        }
    }
    found
}

/// The licences that `deny.toml` allows.
fn allowed() -> BTreeSet<String> {
    let deny = read("deny.toml");
    let (_, list) = deny.split_once("allow = [").unwrap();
    let list = list.split(']').next().unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether a licence expression can be met with these licences alone. `/` is an old way to write OR; an exception
/// (WITH) takes nothing away.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = any(&words, allowed);
    assert!(rest.is_empty(), "{expression}");
    met
}

fn any<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = all(words, allowed);
    while let ["OR", after @ ..] = rest {
        let (right, after) = all(after, allowed);
        (met, rest) = (met || right, after);
    }
    (met, rest)
}

fn all<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = one(words, allowed);
    while let ["AND", after @ ..] = rest {
        let (right, after) = one(after, allowed);
        (met, rest) = (met && right, after);
    }
    (met, rest)
}

fn one<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    match words {
        ["(", inner @ ..] => match any(inner, allowed) {
            (met, [")", rest @ ..]) => (met, rest),
            (_, rest) => panic!("a parenthesis has no end before {rest:?}"),
        },
        [licence, "WITH", _, rest @ ..] | [licence, rest @ ..] => (allowed.contains(*licence), rest),
        [] => panic!("an expression ends too early"),
    }
}

#[test]
fn every_crate_in_the_program_has_a_licence_that_the_gpl_allows() {
    let (crates, allowed) = (crates(), allowed());
    assert!(crates.len() > 100 && allowed.len() > 5, "{} crates, {} licences", crates.len(), allowed.len());
    let is_fit = |licence: &Option<String>| licence.as_ref().is_some_and(|words| is_met(words, &allowed));
    let unfit: Vec<_> = crates.iter().filter(|(_, licence)| !is_fit(licence)).collect();
    assert!(unfit.is_empty(), "deny.toml does not allow {unfit:?}");
}

#[test]
fn licence_expressions_are_read_as_they_are_meant() {
    let allowed = ["MIT", "Zlib"].map(str::to_owned).into();
    for (expression, met) in [
        ("MIT", true),
        ("GPL-2.0-only", false),
        ("GPL-2.0-only OR MIT", true),
        ("GPL-2.0-only/MIT", true),
        ("MIT AND GPL-2.0-only", false),
        ("MIT AND Zlib", true),
        ("(GPL-2.0-only OR MIT) AND Zlib", true),
        ("(GPL-2.0-only OR MIT) AND SSPL-1.0", false),
        ("SSPL-1.0 AND MIT OR Zlib", true),
        ("MIT WITH LLVM-exception", true),
        ("SSPL-1.0 WITH LLVM-exception", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}
