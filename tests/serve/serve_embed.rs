//! Games in frames on other sites: which pages and which origins.
#![cfg(feature = "web")]

use crate::common::{
    Bench,
    html::Html,
    server::{Reply, Served},
};

const FRAME: &str = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n";

fn framers(reply: &Reply) -> &str {
    let policies: Vec<_> =
        reply.headers.iter().filter(|(name, _)| name == "content-security-policy").collect();
    assert_eq!(policies.len(), 1, "{reply:?}");
    policies[0].1.split_once("frame-ancestors ").unwrap().1
}

#[test]
fn only_games_for_frames_can_be_framed_and_only_by_the_given_origins() {
    let bench = Bench::with_games();
    let closed = Served::new(&bench, &[]);
    let one = Served::new(&bench, &["--embed", "https://club.example"]);
    let two = Served::new(&bench, &["--embed", "https://club.example", "--embed", "http://b.example:8080"]);
    for (served, expected, status) in [
        (&closed, "'none'", 403),
        (&one, "https://club.example", 200),
        (&two, "https://club.example http://b.example:8080", 200),
    ] {
        let reply = served.get_with("/embed/game/7?ply=24", FRAME);
        assert_eq!((framers(&reply), reply.status), (expected, status));
        assert_eq!(framers(&served.get("/embed/game/999")), expected);
        for path in [
            "/",
            "/game/7",
            "/embed",
            "/embed/",
            "/embed/game",
            "/embed/x",
            "/Embed/game/7",
            "//embed/game/7",
            "/embed%2Fgame/7",
            "/games",
            "/api/v1/games/7",
            "/api/v1/games/7.svg",
            "/prepare",
            "/nothing?/embed/game/7",
        ] {
            assert_eq!(framers(&served.get(path)), "'none'", "{path}");
            let framed = served.get_with(path, FRAME);
            assert_eq!((framers(&framed), framed.status), ("'none'", 403), "{path}");
        }
    }
    // Links from other sites lead to it as to other pages.
    assert_eq!(closed.get_with("/embed/game/7", &FRAME.replace("iframe", "document")).status, 200);
}

#[test]
fn a_game_for_frames_has_a_board_and_moves_and_no_header_and_no_script() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &["--embed", "https://club.example"]);
    let reply = served.get("/embed/game/7?ply=24&lang=de");
    assert!(reply.header("content-security-policy").unwrap().starts_with("default-src 'none'; style-src"));
    let html = Html::new(&reply.text());
    for name in ["script", "form", "header", "button", "iframe", "img"] {
        assert_eq!(html.named(name).count(), 0, "{name}");
    }
    let pieces = |html: &Html| html.named("use").cloned().collect::<Vec<_>>();
    assert_eq!(pieces(&html), pieces(&Html::new(&served.get("/api/v1/games/7.svg?ply=24").text())));
    let current: Vec<_> = html.tags().filter(|tag| tag.get("aria-current").is_some()).collect();
    assert_eq!(current.len(), 1);
    assert_eq!(current[0].get("href"), Some("/embed/game/7?lang=de&ply=24"));
    // Moves stay in the frame; the page of the game does not.
    for link in html.named("a") {
        let is_inside = link.get("href").unwrap().starts_with("/embed/game/7?");
        assert_eq!(link.get("target"), (!is_inside).then_some("_blank"), "{link:?}");
    }
    let plies = html.named("a").filter(|link| link.get("href").unwrap().contains("/embed/")).count();
    assert_eq!(plies, 4 + served.json("/api/v1/games/7")["plies"].as_u64().unwrap() as usize);
    let last = served.get("/embed/game/7?ply=9999").text();
    assert_eq!(pieces(&Html::new(&last)), pieces(&Html::new(&served.get("/api/v1/games/7.svg").text())));
    assert_eq!(served.get("/embed/game/7?ply=x").status, 400);
}

#[test]
fn an_origin_that_browsers_would_not_understand_is_refused() {
    let bench = Bench::with_games();
    for origin in [
        "",
        "*",
        "'self'",
        "club.example",
        "https://",
        "https://*.example",
        "https://club.example/",
        "https://club.example/a",
        "https://Club.example",
        "https://clüb.example",
        "https://a.example https://b.example",
        "https://a.example;script-src *",
        "https://a.example,b.example",
        "https://a.example:",
        "https://a.example:99999",
        "https://user@a.example",
        "ftp://a.example",
        "https:a.example",
        "null",
        "https://a.example\n",
        "https://a.example:8\r\nX: y",
    ] {
        let error = bench.refused_usage(&["serve", "--port", "0", "--embed", origin]);
        assert!(error.contains("expected an origin such as https://club.example"), "{origin:?}: {error}");
    }
}
