//! The search field of the header: what people type into it leads to what they mean.
#![cfg(feature = "web")]

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Bench, html::Html, server::Served};

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

fn served() -> (Bench, Served) {
    let bench = Bench::with_games();
    bench.ok(&["index"]);
    let served = Served::new(&bench, &[]);
    (bench, served)
}

/// The suggestions for a text: each kind with its hits.
fn suggested(served: &Served, text: &str) -> Vec<(String, Vec<Value>)> {
    let found = served.json(&format!("/api/v1/suggest?q={}", encoded(text)));
    let groups = found["groups"].as_array().unwrap().iter();
    let group = |group: &Value| {
        (group["kind"].as_str().unwrap().to_owned(), group["hits"].as_array().unwrap().clone())
    };
    groups.map(group).collect()
}

#[test]
fn what_is_clear_is_opened_at_once() {
    let (_bench, served) = served();
    let najdorf = "e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6";
    let mate = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq -";
    let mate_at = format!("./explorer?fen={}+0+1", mate.replace(' ', "+"));
    for (text, place) in [
        ("1. e4 c5", "./explorer?play=e2e4,c7c5"),
        ("e4 c5", "./explorer?play=e2e4,c7c5"),
        ("1.e4 c5!? 2.", "./explorer?play=e2e4,c7c5"),
        (" e2e4,e7e5 ", "./explorer?play=e2e4,e7e5"),
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", &format!("./explorer?play={najdorf}")),
        ("e4 e5 Nf3 Nf6 Bc4 Bc5 0-0", "./explorer?play=e2e4,e7e5,g1f3,g8f6,f1c4,f8c5,e1g1"),
        (mate, &mate_at),
        ("7", "./game/7"),
        ("#7", "./game/7"),
        ("tata steel", "./event/Tata%20Steel"),
    ] {
        let reply = served.get(&format!("/search?q={}", encoded(text)));
        assert_eq!((reply.status, reply.header("location")), (303, Some(place)), "{text}");
        let reply = served.get(&format!("/search?lang=de&q={}", encoded(text)));
        assert!(reply.header("location").unwrap().contains("?lang=de"), "{text}");
    }
}

#[test]
fn what_may_mean_several_things_is_listed_with_the_best_kind_first() {
    let (_bench, served) = served();
    for (text, kinds, first) in [
        ("morphy", &["player", "opening"][..], "Morphy"),
        ("paul morphy", &["player"], "Morphy"),
        ("najdorf var", &["opening"], "Sicilian Defense: Najdorf Variation"),
        ("B90", &["opening"], "Sicilian Defense: Najdorf Variation"),
        ("sicilian dragon", &["opening"], "Sicilian Defense: "),
        ("ruy lop", &["opening"], "Ruy Lopez"),
        ("1. e4 c5", &["position"], "1. e4 c5"),
        ("12", &["game"], ""),
        // Not legal, no position, no game: nothing of it is a name.
        ("1. e5 c4", &[], ""),
        ("8/8/8/8/8/8/8/8 w - -", &[], ""),
        ("99999999", &[], ""),
        ("99999999999999999999999999", &[], ""),
        ("", &[], ""),
        ("  ", &[], ""),
        ("\"'<>&;*\u{202e}\u{0}", &[], ""),
    ] {
        let found = suggested(&served, text);
        let seen: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
        assert!(seen.starts_with(kinds) && seen.is_empty() == kinds.is_empty(), "{text}: {seen:?}");
        let name = found.first().map_or("", |(_, hits)| hits[0]["name"].as_str().unwrap());
        assert!(name.starts_with(first), "{text}: {name}");
        let status = served.get(&format!("/search?q={}", encoded(text))).status;
        assert!([200, 303].contains(&status), "{text}: {status}");
    }
}

#[test]
fn the_games_of_hits_are_those_that_the_lists_find() {
    let (bench, served) = served();
    let (mut checked, mut seen) = (0, BTreeMap::new());
    for text in ["morphy", "an", "fischer", "sicilian", "mem"] {
        let html = Html::new(&served.get(&format!("/search?q={text}")).text());
        for link in html.named("a").filter_map(|tag| tag.get("href")) {
            let Some((kind, name)) = link.trim_start_matches('/').split_once('/') else { continue };
            if ["player", "event"].contains(&kind) {
                seen.insert(link.to_owned(), (kind.to_owned(), percent_decoded(name)));
            }
        }
        for (kind, hits) in suggested(&served, text) {
            for hit in hits.iter().filter(|_| kind == "player") {
                let name = format!("\"{}\"", hit["name"].as_str().unwrap());
                let games = bench.ok(&["games", "--player", &name, "--format", "ids"]).lines().count();
                let about = hit["about"].as_str().unwrap();
                let counted = about.rsplit(" · ").next().unwrap().split(' ').next().unwrap();
                assert_eq!(counted, games.to_string(), "{hit}");
                checked += 1;
            }
        }
    }
    assert!(checked > 3, "{checked}");
    for (link, (kind, name)) in seen {
        let found = bench.ok(&["games", &format!("--{kind}"), &format!("\"{name}\""), "--format", "ids"]);
        assert!(!found.is_empty(), "{link}");
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut parts = text.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn an_unknown_name_leads_to_similar_ones_and_to_what_can_be_entered() {
    let (_bench, served) = served();
    let page = served.get("/search?q=Morfy").text();
    assert!(
        page.contains("Nothing is called “<bdi>Morfy</bdi>”") && page.contains("/player/Morphy"),
        "{page}"
    );
    let page = served.get("/search?q=zzzzqqqq").text();
    assert!(page.contains("Nothing is called") && page.contains("the number of a game"), "{page}");
    for path in ["/search", "/search?q="] {
        assert!(served.get(path).text().contains("the number of a game"), "{path}");
    }
    let page = served.get("/search?q=%3Cscript%3Ealert(1)%3C/script%3E%E2%80%AE").text();
    // Only the field has the text as it was typed.
    assert!(!page.contains("<script>") && page.matches('\u{202e}').count() == 1, "{page}");
}
