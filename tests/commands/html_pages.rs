//! Pages of HTML that commands write.

use std::fs;

use crate::common::{
    Bench,
    bounded::bounded,
    data,
    html::{Html, Part, Tag, text_of},
    many_games, text,
};

/// Tags and comments that try to become markup, to leave an attribute, an element or the style, and to fetch something.
const HOSTILE: &str = "\
[Event \"<script>alert(1)</script>\"]
[Site \"</style><style>@import url(//evil.example)</style>\"]
[White \"\\\" onload=alert(1) x=\\\"\"]
[Black \"<img src=//evil.example/x onerror=alert(2)>\"]
[Result \"*\"]

{</title></p></article><base href=//evil.example>} 1. e4 {<svg onload=alert(3)> &lt; &#60;b>} ({<iframe src=x>} 1. d4)
1... e5 {<!-- --> \u{202e} ]]>} *
";

/// Reads a page, which may refer to nothing outside and have no script.
fn read(page: &str) -> Html {
    let html = Html::new(page);
    let policies = html.named("meta").filter(|tag| tag.get("http-equiv") == Some("Content-Security-Policy"));
    assert!(policies.count() == 1 && page.contains("default-src 'none'"), "{page}");
    assert_eq!(html.named("html").next().unwrap().get("lang"), Some("en"));
    assert_eq!(
        html.within(is("head"))
            .into_iter()
            .map(|head| Html { parts: head.to_vec() }.named("title").count())
            .sum::<usize>(),
        1
    );
    for tag in html.tags() {
        assert!(
            !["script", "link", "iframe", "img", "base", "object"].contains(&tag.name.as_str()),
            "{tag:?}"
        );
        for (name, value) in &tag.attributes {
            let is_inner =
                value.starts_with('#') || (name == "xmlns" && value == "http://www.w3.org/2000/svg");
            assert!(is_inner || !["href", "src", "xmlns", "style"].contains(&name.as_str()), "{tag:?}");
            assert!(!name.starts_with("on") && (is_inner || !value.contains("//")), "{tag:?}");
        }
    }
    let style = html.texts(|tag| tag.name == "style").concat();
    assert!(!style.contains("url(") && !style.contains("@import"), "{style}");
    html
}

fn is(name: &str) -> impl Fn(&Tag) -> bool {
    move |tag| tag.name == name
}

/// The captions and the pieces of the diagrams: each piece with its place.
fn diagrams(html: &Html) -> Vec<(String, Vec<Tag>)> {
    let figures = html.within(is("figure")).into_iter().map(|parts| Html { parts: parts.to_vec() });
    figures
        .map(|figure| (figure.texts(is("figcaption")).concat(), figure.named("use").cloned().collect()))
        .collect()
}

#[test]
fn every_list_report_and_game_is_a_page_of_one_file() {
    let bench = Bench::with_games();
    fs::write(bench.path("hostile.pgn"), HOSTILE).unwrap();
    bench.ok(&["import", "--quiet", "hostile.pgn"]);
    for command in [
        &["games"][..],
        &["games", "--columns", "white,event,site"],
        &["find", "1. e4"],
        &["names"],
        &["explore"],
        &["novelty", "16"],
        &["sql", "SELECT white, black, event, site FROM games"],
        &["report"],
        &["report", "--player", "*onload*"],
        &["report", "--event", "*script*"],
        &["prepare", "--against", "morphy"],
        &["repertoire", "hostile.pgn", "--as", "white"],
        &["repertoire", "hostile.pgn", "--as", "white", "--by-game"],
        &["export", "--diagrams", "1w"],
        &["show", "1", "--ply", "3"],
    ] {
        let output = bench.run(&[command, &["--force", "-o", "page.html"]].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {}", text(&output.stderr));
        let html = read(&fs::read_to_string(bench.path("page.html")).unwrap());
        assert!(html.texts(is("body")).concat().len() > 40, "{command:?}");
    }
}

#[test]
fn hostile_tags_and_comments_are_text() {
    let bench = Bench::new();
    fs::write(bench.path("hostile.pgn"), HOSTILE).unwrap();
    bench.ok(&["import", "--quiet", "hostile.pgn"]);
    let page = bench.ok(&["export", "--format", "html", "--diagrams", "comments", "--title", "</title><b>"]);
    let html = read(&page);
    assert_eq!(html.texts(is("title"))[0], "</title><b>");
    let shown = html.texts(is("article")).concat();
    for text in [
        "\" onload=alert(1) x=\" – <img src=//evil.example/x onerror=alert(2)>",
        "<script>alert(1)</script>, </style><style>@import url(//evil.example)</style>",
        "</title></p></article><base href=//evil.example>",
        "<svg onload=alert(3)> &lt; &#60;b>",
        "<iframe src=x>",
        "<!-- --> \\u{202e} ]]>",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}

#[test]
fn a_page_has_all_moves_comments_and_variations_in_their_order() {
    let bench = Bench::new();
    bench.ok(&["import", "--quiet", data("annotated.pgn").to_str().unwrap()]);
    let html = read(&bench.ok(&["show", "1", "--format", "html"]));
    let paragraphs = html.within(|tag| tag.name == "p" && tag.get("class").is_none());
    let page = paragraphs.into_iter().map(text_of).collect::<String>().replace('…', "...");
    let moves = bench.ok(&["show", "1", "--format", "moves"]);
    // The page leaves out the clocks, evaluations and shapes, and has signs for glyphs.
    let mut plain = moves.lines().skip(3).collect::<Vec<_>>().join(" ").replace(['{', '}'], " ");
    while let Some((before, after)) = plain.split_once("[%") {
        plain = format!("{before} {}", after.split_once(']').unwrap().1);
    }
    for (number, sign) in
        [(11, " ="), (18, " +−"), (1, "!"), (2, "?"), (3, "!!"), (4, "??"), (5, "!?"), (6, "?!")]
    {
        plain = plain.replace(&format!(" ${number} "), &format!("{sign} "));
    }
    // Move numbers are repeated at other places.
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        let is_number = |word: &&str| word.trim_end_matches('.').parse::<u32>().is_ok();
        words.filter(|word| !word.is_empty() && !is_number(word)).map(str::to_owned).collect()
    };
    assert_eq!(words(&page), words(&plain));
}

#[test]
fn diagrams_have_the_positions_of_their_moves() {
    let bench = Bench::with_games();
    let page =
        |more: &[&str]| read(&bench.ok(&[&["export", "--id", "14", "--format", "html"], more].concat()));
    for (asked, plies) in [
        ("20w,35b", &["20w", "35b"][..]),
        ("35b,20w,39,0", &["0", "20w", "35b"]),
        ("every 10", &["10b", "20b", "30b", "40b"]),
        ("-1", &["-1"]),
    ] {
        for flip in [&[][..], &["--flip"]] {
            let drawn = diagrams(&page(&[&["--diagrams", asked], flip].concat()));
            assert_eq!(drawn.len(), plies.len(), "{asked}");
            for ((caption, pieces), ply) in drawn.iter().zip(plies) {
                let svg = bench.ok(&[&["show", "14", "--ply", ply, "--format", "svg"], flip].concat());
                assert_eq!(*pieces, Html::new(&svg).named("use").cloned().collect::<Vec<_>>(), "{ply}");
                let (number, side) = ply.split_at(ply.len() - 1);
                let dots = if side == "b" { "…" } else { "." };
                let is_move = number.parse::<u32>().is_ok_and(|number| number > 0);
                assert!(
                    !is_move || caption.starts_with(&format!("after {number}{dots} ")),
                    "{ply}: {caption}"
                );
            }
        }
    }
    let annotated = Bench::new();
    annotated.ok(&["import", "--quiet", data("annotated.pgn").to_str().unwrap()]);
    let captions =
        diagrams(&read(&annotated.ok(&["show", "1", "--format", "html", "--diagrams", "comments"])));
    let after: Vec<&str> = captions.iter().map(|(caption, _)| caption.rsplit(' ').next().unwrap()).collect();
    // Not after moves whose comments have only a clock or an evaluation, nor in variations.
    assert_eq!(after, ["Nc3", "O-O-O", "Qxa1+", "Kd2", "Qxh1", "Qxc6+", "bxc6", "Ba6#"]);
}

#[test]
fn a_page_of_diagrams_has_no_moves_and_says_who_moves() {
    let bench = Bench::with_games();
    let html = read(&bench.ok(&[
        "export",
        "--limit",
        "3",
        "--format",
        "html",
        "--diagrams",
        "5w,5b",
        "--only-diagrams",
    ]));
    assert_eq!((html.named("article").count(), html.named("figure").count()), (0, 6));
    let (captions, _): (Vec<_>, Vec<_>) = diagrams(&html).into_iter().unzip();
    assert_eq!(
        captions[0],
        "Anderssen, Adolf – Kieseritzky, LionelLondon, casual game, London ENG, 1851.06.21, C33after 5. Bxb5; Black to move"
    );
    assert!(captions[1].ends_with("; White to move"), "{}", captions[1]);
    // The drawings of the pieces are there once.
    assert_eq!(html.tags().filter(|tag| tag.get("id") == Some("piece-P")).count(), 1);
}

#[test]
fn a_game_that_is_shorter_than_its_diagram_is_named() {
    let bench = Bench::with_games();
    let output = bench.run(&["export", "--id", "1..3", "--diagrams", "5w,20b,30w", "-o", "page.html"]);
    assert_eq!(output.status.code(), Some(0));
    let page = read(&fs::read_to_string(bench.path("page.html")).unwrap());
    assert_eq!((page.named("article").count(), diagrams(&page).len()), (3, 5));
    let expected = "\
plybook: game 1, Anderssen, Adolf – Kieseritzky, Lionel (London, casual game, London ENG, 1851.06.21, C33), has no diagram at 30w: it is shorter
plybook: game 2, Anderssen, Adolf – Dufresne, Jean (Berlin, casual game, Berlin GER, 1852, C52), has no diagram at 30w: it is shorter
plybook: game 3, Morphy, Paul – Duke of Brunswick and Count Isouard (Paris, consultation game at the Opera, Paris FRA, 1858, C41), has no diagram at 20b: it is shorter
";
    assert_eq!(text(&output.stderr), expected);
    let output = bench.run(&["export", "--diagrams", "99b", "--format", "html"]);
    assert!(text(&output.stderr).ends_with("more games are shorter; these are the first\n"));
    assert_eq!(text(&output.stderr).lines().count(), 21);
}

#[test]
fn a_page_of_diagrams_names_games_that_are_shorter() {
    let bench = Bench::with_games();
    let page = |ply: &str| {
        let command = ["export", "--id", "1..3", "--diagrams", ply, "--only-diagrams", "--format", "html"];
        diagrams(&read(&bench.ok(&command))).into_iter().map(|(caption, _)| caption).collect::<Vec<_>>()
    };
    let captions = page("20b");
    assert_eq!(captions.len(), 3, "{captions:?}");
    assert!(captions.iter().all(|caption| caption.contains(" – ")), "{captions:?}");
    let shorter = |caption: &&String| caption.ends_with("no position after 20 moves");
    assert_eq!(captions.iter().filter(shorter).count(), 1, "{captions:?}");
    assert!(page("60w")[0].ends_with("no position after White's move 60"), "{:?}", page("60w"));
    assert!(page("200")[0].ends_with("no position after 200 half-moves"), "{:?}", page("200"));
}

#[test]
fn the_text_after_a_diagram_begins_with_a_number() {
    let bench = Bench::with_games();
    let html = read(&bench.ok(&["export", "--id", "14", "--format", "html", "--diagrams", "20w,35b"]));
    let paragraphs: Vec<String> = html
        .within(|tag| tag.name == "p" && tag.get("class").is_none())
        .into_iter()
        .map(|parts| text_of(parts).trim().to_owned())
        .collect();
    assert!(paragraphs[1].starts_with("20… "), "{}", paragraphs[1]);
    assert!(paragraphs[2].starts_with("36. "), "{}", paragraphs[2]);
}

#[test]
fn a_move_and_its_number_in_a_table_are_one_word() {
    let bench = Bench::with_games();
    let page = bench.ok(&["prepare", "--against", "morphy", "--format", "html"]);
    for cell in ["1.\u{a0}e4</td>", "1...\u{a0}e5</td>"] {
        assert!(page.contains(cell), "{cell}: {page}");
    }
}

#[test]
fn options_of_pages_require_html_and_diagrams() {
    let bench = Bench::with_games();
    for (command, said) in [
        (&["export", "--diagrams", "20w"][..], "require --format html"),
        (&["show", "1", "--diagrams", "20w", "--format", "pgn"], "require --format html"),
        (&["export", "--format", "html", "--only-diagrams"], "requires --diagrams"),
        (&["export", "--title", "x"], "require --format html"),
        (&["export", "--format", "html", "--roster"], "--roster requires --format pgn"),
        (&["export", "--format", "html", "--variant", "xelto"], "have no PGN"),
    ] {
        let refused = bench.refused(command);
        assert!(refused.contains(said), "{command:?}: {refused}");
    }
    for wrong in ["every", "every 0", "x", "20x", ""] {
        bench.refused_usage(&["export", "--format", "html", "--diagrams", wrong]);
    }
}

#[test]
fn a_page_larger_than_the_memory_is_written() {
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), many_games(1_400)).unwrap();
    bench.run(&["import", "--quiet", "many.pgn"]);
    let command = ["export", "--format", "html", "--diagrams", "every 1"];
    assert_eq!(bounded(&bench, &command, "many diagrams").0, Some(0));
    assert!(fs::metadata(bench.path("out")).unwrap().len() > 256 << 20);
}

#[test]
fn a_page_with_no_games_is_complete_and_a_file_is_not_created() {
    let bench = Bench::with_games();
    let none = ["export", "--player", "nobody at all", "--format", "html"];
    let output = bench.run(&none);
    assert_eq!(output.status.code(), Some(1));
    assert!(read(&text(&output.stdout)).parts.contains(&Part::Close("html".to_owned())));
    assert_eq!(bench.run(&[&none[..], &["-o", "none.html"]].concat()).status.code(), Some(1));
    assert!(!bench.path("none.html").exists());
}

#[test]
fn a_list_says_above_itself_and_in_its_title_what_it_is() {
    let bench = Bench::with_games();
    for (command, expected) in [
        (&["games", "--player", "morphy", "--colour", "white"][..], "Games of Morphy, Paul as White"),
        (
            &["games", "--player", "morphy", "--date", "1850..1859", "--rated"],
            "Games of Morphy, Paul from 1850 to 1859: rated",
        ),
        (
            &["games", "--white", "*a*", "--black", "spassky; tal", "--date", "1970.."],
            "Games of *a* as White against spassky or tal as Black since 1970",
        ),
        (
            &["games", "--event", "<b>", "--elo", "2500..", "--result", "1-0"],
            "Games: event <b>, rating of both players 2500 or more, result 1-0",
        ),
        (
            &["games", "--eco", "B90..B99", "--plies", "..30", "--white-castles", "long"],
            "Games: ECO B90–B99, plies at most 30, White castles long",
        ),
        (&["games", "--limit", "20"], "Games"),
        (&["games", "--sample", "5", "--columns", "white"], "Games (a sample)"),
        (&["find", "1. e4", "--opponent", "anderssen"], "Games against Anderssen, Adolf: position 1. e4"),
        (&["find", "italian game", "--mirror"], "Games: position italian game, also with colours swapped"),
    ] {
        let output = bench.run(&[command, &["--format", "html"]].concat());
        let html = read(&String::from_utf8(output.stdout).unwrap());
        for name in ["h1", "title"] {
            assert_eq!(html.texts(is(name)), [expected], "{command:?}");
        }
        let games = match html.named("tr").count() - 1 {
            1 => "1 game".to_owned(),
            games => format!("{games} games"),
        };
        assert!(html.texts(is("p")).last().unwrap().starts_with(&games), "{command:?}");
    }
}

#[test]
fn a_list_for_readers_has_moves_and_dates_in_order_but_no_numbers_of_the_archive() {
    let bench = Bench::with_games();
    let heads =
        |command: &[&str]| read(&bench.ok(&[command, &["--format", "html"]].concat())).texts(is("th"));
    let game = ["White", "Elo", "Black", "Elo", "Result", "Date", "Event", "ECO", "Moves"];
    assert_eq!(heads(&["games"]), game);
    assert_eq!(heads(&["games", "--sort", "bytes"]), [&game[..], &["Bytes"]].concat());
    assert_eq!(heads(&["games", "--opening-names"]), [&game[..], &["Opening"]].concat());
    assert_eq!(heads(&["find", "1. e4"]), [&game[..], &["After move"]].concat());
    assert_eq!(heads(&["games", "--columns", "id,plies"]), ["id", "plies"]);
    let cells = |command: &[&str], place: usize| {
        let html = read(&bench.ok(&[command, &["--format", "html"]].concat()));
        let rows = html.within(is("tr")).into_iter().skip(1).map(<[Part]>::to_vec);
        rows.map(|parts| Html { parts }.texts(is("td"))[place].clone()).collect::<Vec<_>>()
    };
    for command in [&["games"][..], &["find", "1. e4"]] {
        let mut dates = cells(command, 5);
        // Games without a date come last.
        dates.retain(|date| !date.is_empty());
        assert!(dates.len() > 5 && dates.is_sorted(), "{dates:?}");
    }
    let by_id = bench.ok(&["games", "--format", "csv", "--columns", "white", "--limit", "5"]);
    let first: Vec<&str> = by_id.lines().skip(1).map(|cell| cell.trim_matches('"')).collect();
    assert_eq!(cells(&["games", "--limit", "5"], 0), first);
    assert_eq!(cells(&["games", "--sort", "id"], 0)[..5], first);
    let plies = bench.ok(&["games", "--format", "csv", "--columns", "plies", "--limit", "5"]);
    let moves: Vec<_> =
        plies.lines().skip(1).map(|plies| plies.parse::<u32>().unwrap().div_ceil(2)).collect();
    assert_eq!(cells(&["games", "--limit", "5"], 8), moves.iter().map(u32::to_string).collect::<Vec<_>>());
    assert_eq!(cells(&["find", "1. e4 e5 2. f4", "--limit", "1"], 9), ["2."]);
    assert_eq!(cells(&["find", "1. e4 e5", "--limit", "1"], 9), ["1…"]);
}

#[test]
fn the_box_of_a_wide_table_has_a_shadow_where_the_table_continues() {
    let html = read(&Bench::with_games().ok(&["games", "--format", "html"]));
    let style = html.texts(is("style")).concat();
    let table = style.split_once("overflow-x: auto").unwrap().1.split('}').next().unwrap();
    // What moves with the table covers the shadow at its ends.
    for (place, times) in [("no-repeat local", 2), ("no-repeat scroll", 2)] {
        assert_eq!(table.matches(place).count(), times, "{table}");
    }
}
