//! The texts of games appear on a page as text and as nothing else; and no path leads out of the table of files.
#![cfg(feature = "web")]

use std::{fs, io::Read};

use flate2::read::GzDecoder;

use crate::common::{
    Bench,
    html::{Html, Part},
    server::Served,
};

/// Texts that a page could misinterpret.
const HOSTILE: [&str; 12] = [
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "--><svg onload=alert(1)>",
    "</span></div><form action=https://evil.example><input name=x>",
    "&lt;b&gt; &amp; &#60;i&#62; &",
    "{{ 7*7 }} {% raw %} ${7*7}",
    "\u{202e}gnp.exe\u{2066}\u{200f}\u{200b}",
    "a\u{1b}[31m\u{7}\u{0}\u{85}b",
    "</data></table></body></html>",
];

/// A PGN in which every text is hostile.
fn games() -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\u{0}', "");
    let long = "w".repeat(10_000);
    let all = HOSTILE.iter().copied().chain([long.as_str()]);
    let game = |(number, text): (usize, &str)| {
        let tag = quoted(text);
        let names = [
            "Event",
            "Site",
            "Round",
            "White",
            "Black",
            "Annotator",
            "Opening",
            "Link",
            "WhiteElo",
            "TimeControl",
        ];
        let tags: String = names.iter().map(|name| format!("[{name} \"{tag}\"]\n")).collect();
        let comment = text.replace(['{', '}', '\u{0}'], "");
        format!(
            "{tags}[Result \"*\"]\n\n{{{comment}}} 1. e4 $1 {{{comment} {number} [%clk {comment}] [%eval {comment}]}} ( 1. d4 {{{comment}}} ) *\n\n"
        )
    };
    all.enumerate().map(game).collect()
}

/// The names of elements on plybook's pages.
const ELEMENTS: [&str; 71] = [
    "html", "head", "meta", "title", "link", "script", "body", "a", "header", "nav", "ul", "li", "button",
    "main", "footer", "p", "dialog", "h1", "h2", "dl", "dt", "dd", "kbd", "form", "div", "svg", "defs", "g",
    "use", "rect", "path", "circle", "line", "text", "polygon", "polyline", "table", "caption", "thead",
    "tbody", "tfoot", "tr", "th", "td", "abbr", "span", "bdi", "data", "section", "label", "input", "select",
    "option", "datalist", "details", "summary", "symbol", "ellipse", "br", "pre", "small", "strong", "em",
    "code", "ol", "h3", "fieldset", "legend", "i", "b", "textarea",
];

/// A page without any element or attribute that plybook did not write.
fn assert_is_harmless(served: &Served, path: &str) -> Html {
    let reply = served.get(path);
    let text = reply.text();
    let html = Html::new(&text);
    for tag in html.tags() {
        assert!(ELEMENTS.contains(&tag.name.as_str()), "{path}: {tag:?}");
        assert!(
            tag.attributes.iter().all(|(name, _)| !name.starts_with("on") && name != "autofocus"),
            "{tag:?}"
        );
        assert!(
            tag.name != "script" || tag.get("src").is_some_and(|src| src.starts_with("/assets/")),
            "{tag:?}"
        );
        assert!(
            tag.get("style").is_none_or(|style| style.starts_with("width:") && style.len() < 16),
            "{tag:?}"
        );
        for name in ["href", "src", "action", "formaction"] {
            let Some(to) = tag.get(name) else { continue };
            let is_ours = to.is_empty()
                || to.starts_with('#')
                || to.starts_with("data:image/svg+xml,%3Csvg")
                || to.starts_with('/') && !to.starts_with("//");
            let is_web = to.starts_with("https://") && tag.get("rel") == Some("noopener noreferrer");
            assert!(is_ours || is_web, "{path}: {tag:?}");
        }
    }
    // Typed text stays in its field unchanged.
    let typed = html.named("input").filter_map(|tag| tag.get("value"));
    let text = typed.fold(text.replace("&#38;", "&"), |text, value| text.replace(value, ""));
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{path}: a control character");
    assert!(
        !text.contains(['\u{202e}', '\u{2066}', '\u{200f}', '\u{200b}']),
        "{path}: a character that nobody sees"
    );
    let heads = reply.headers.iter().map(|(name, value)| format!("{name}: {value}"));
    assert!(heads.clone().all(|head| !head.contains("alert")), "{path}: {:?}", heads.collect::<Vec<_>>());
    html
}

#[test]
fn text_of_games_is_text_on_every_page() {
    let bench = Bench::new();
    fs::write(bench.path("hostile.pgn"), games()).unwrap();
    let report = bench.import(&["hostile.pgn"]);
    assert_eq!(report["stored"], HOSTILE.len() + 1, "{report}");
    let served = Served::new(&bench, &[]);
    for path in [
        "/",
        "/explorer?play=e2e4",
        "/games",
        "/about",
        "/players",
        "/events",
        "/player/*",
        "/event/*",
        "/event/*?year=0",
        "/opening/King's%20Pawn%20Game",
        "/prepare?opponent=*",
        "/search?q=alert",
        "/game/3?in=games%3Fevent%3D*",
    ] {
        assert_is_harmless(&served, path);
    }
    for (number, hostile) in HOSTILE.iter().enumerate() {
        let html = assert_is_harmless(&served, &format!("/game/{}?ply=1", number + 1));
        // Visible text is on the page unchanged.
        if !hostile.contains(|c: char| c.is_control() || ['\u{202e}', '\u{200b}'].contains(&c)) {
            let tags = html.text("tags");
            assert_eq!(tags.matches(hostile).count(), 10, "{hostile}: {tags}");
        }
    }
}

#[test]
fn text_of_urls_is_text_on_every_page() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    let quoted = |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02x}")).collect() };
    for hostile in HOSTILE {
        let text = quoted(hostile);
        for path in [
            format!("/games?player={text}"),
            format!("/games?event={text}&sort=date"),
            format!("/games?after={text}"),
            format!("/games?{text}={text}"),
            format!("/games?result={text}"),
            format!("/explorer?player={text}&opponent={text}"),
            format!("/explorer?san={text}"),
            format!("/explorer?fen={text}"),
            format!("/explorer?play={text}"),
            format!("/explorer?variant={text}"),
            format!("/explorer?lang={text}"),
            format!("/?flip={text}"),
            format!("/game/1?ply={text}&at={text}"),
            format!("/game/1?lang={text}&x={text}"),
            format!("/game/{text}"),
            format!("/editor?fen={text}&lang={text}"),
            format!("/about?{text}={text}"),
            format!("/players?q={text}&page={text}"),
            format!("/events?q={text}"),
            format!("/openings?q={text}"),
            format!("/player/{text}"),
            format!("/event/{text}?year={text}&round={text}"),
            format!("/opening/{text}"),
            format!("/prepare?opponent={text}&since={text}"),
            format!("/report?player={text}&colour=white"),
            format!("/search?q={text}"),
            format!("/game/1?in=games%3Fplayer%3D{text}"),
            format!("/game/1?in={text}"),
        ] {
            assert_is_harmless(&served, &path);
        }
    }
}

#[test]
fn only_web_urls_are_links_and_reveal_nothing_about_the_reader() {
    let bench = Bench::new();
    let sites = [
        ("https://lichess.org/abcdefgh", true),
        ("http://example.org/a?b=c&d=e", true),
        ("javascript:alert(1)//https://x", false),
        ("data:text/html,<b>", false),
        ("//evil.example/", false),
        ("https://a b", false),
        ("Paris", false),
    ];
    let games: String = sites
        .iter()
        .map(|(site, _)| format!("[Site \"{site}\"]\n[Other \"https://x.example\"]\n\n1. e4 *\n\n"))
        .collect();
    fs::write(bench.path("a.pgn"), games).unwrap();
    bench.import(&["a.pgn"]);
    let served = Served::new(&bench, &[]);
    for (id, (site, is_link)) in (1..).zip(sites) {
        let html = Html::new(&served.get(&format!("/game/{id}")).text());
        let tags = Html { parts: html.within(|tag| tag.get("id") == Some("tags")).pop().unwrap().to_vec() };
        let links: Vec<_> = tags.named("a").collect();
        assert_eq!(links.len(), usize::from(is_link), "{site}");
        for link in links {
            assert_eq!((link.get("href"), link.get("rel")), (Some(site), Some("noopener noreferrer")));
        }
        assert!(
            tags.parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains(site))),
            "{site}"
        );
    }
}

#[test]
fn pages_and_data_are_compressed_for_clients_that_accept_it_unless_the_archive_can_be_edited() {
    let bench = Bench::with_games();
    let gzip = "Accept-Encoding: gzip, br\r\n";
    let served = Served::new(&bench, &[]);
    for path in ["/", "/players", "/games?player=morphy", "/api/v1/games", "/players.csv"] {
        let (plain, packed) = (served.get(path), served.get_with(path, gzip));
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert!(packed.body.len() < plain.body.len(), "{path}");
        let mut unpacked = Vec::new();
        GzDecoder::new(&*packed.body).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == plain.body, "{path}");
        // A cache must not give one for the other.
        assert_ne!(plain.header("etag"), packed.header("etag"), "{path}");
        for reply in [&plain, &packed] {
            assert!(reply.all("vary").contains("Accept-Encoding"), "{path}");
        }
        let tag = packed.header("etag").unwrap();
        let again = served.get_with(path, &format!("{gzip}If-None-Match: {tag}\r\n"));
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
    }
    // What fits into a packet is sent as it is.
    assert_eq!(served.get_with("/health", gzip).header("content-encoding"), None);
    drop(served);
    let served = Served::new(&bench, &["--edit"]);
    assert_eq!(served.get_with("/players", gzip).header("content-encoding"), None);
}

#[test]
fn files_of_the_page_are_cached_permanently_and_no_path_leads_out_of_their_table() {
    let bench = Bench::with_games();
    let served = Served::new(&bench, &[]);
    let html = Html::new(&served.get("/about").text());
    let paths: Vec<&str> = html
        .tags()
        .flat_map(|tag| ["src", "href"].map(|name| tag.get(name)))
        .flatten()
        .filter(|to| to.starts_with("/assets/"))
        .collect();
    assert_eq!(paths.len(), 4, "{paths:?}");
    for path in paths {
        let (plain, packed) = (served.get(path), served.get_with(path, "Accept-Encoding: br, gzip\r\n"));
        for reply in [&plain, &packed] {
            assert_eq!((reply.status, reply.header("vary")), (200, Some("Accept-Encoding")), "{path}");
            assert_eq!(reply.header("cache-control"), Some("public, max-age=31536000, immutable"));
            assert!(reply.header("content-security-policy").is_some());
        }
        assert_eq!(plain.header("content-encoding"), None);
        if packed.header("content-encoding") == Some("gzip") {
            assert!(packed.body.starts_with(&[0x1f, 0x8b]) && packed.body.len() < plain.body.len(), "{path}");
        } else {
            assert_eq!(packed.body, plain.body);
        }
    }
    for path in [
        "/assets/",
        "/assets/app.js",
        "/assets/../Cargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/%5c..%5cCargo.toml",
        "/assets/app.js%00",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "//assets/app.js",
        "/assets/..",
        "/assets/.",
    ] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
}
