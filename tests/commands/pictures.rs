//! Images of boards, drawn by the command.

use std::fs;

use crate::common::{Bench, data, text};

const LAST: [&str; 2] = ["#cdd26a", "#aaa23a"];

#[test]
fn every_piece_stands_on_its_square() {
    let bench = Bench::new();
    // a8 is at the top left; when flipped, at the bottom right.
    let board = |more: &[&str]| {
        bench.ok(&[&["board", "r7/8/8/8/8/8/8/4K2k w - -", "--format", "svg"], more].concat())
    };
    let uses = |svg: &str| -> Vec<String> {
        let mut lines: Vec<_> = svg.lines().filter(|line| line.contains("<use")).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let expected = |squares: [(char, i32, i32); 3], margin: i32| {
        let mut lines = squares.map(|(piece, column, row)| {
            format!(r##"<use href="#piece-{piece}" x="{}" y="{}"/>"##, margin + 45 * column, 45 * row)
        });
        lines.sort();
        lines
    };
    let bare = board(&["--no-coordinates"]);
    assert_eq!(uses(&bare), expected([('r', 0, 0), ('K', 4, 7), ('k', 7, 7)], 0));
    assert_eq!((bare.matches("<path transform").count(), bare.matches("id=\"piece-").count()), (0, 3));
    let flipped = board(&["--flip"]);
    assert_eq!(uses(&flipped), expected([('r', 7, 7), ('K', 3, 0), ('k', 0, 0)], 16));
    // Eight files and eight ranks have their coordinates.
    assert_eq!(flipped.matches("<path transform").count(), 16);
    assert!(board(&["--size", "96"]).contains(r#" width="96" height="96""#));
}

#[test]
fn pieces_in_hand_are_drawn() {
    let svg = Bench::new().ok(&["board", "4k3/8/8/8/8/8/8/4K3[QQn] w - -", "--format", "svg"]);
    assert_eq!((svg.matches("#piece-Q").count(), svg.matches("#piece-n").count()), (1, 1));
    assert!(svg.contains("viewBox=\"0 0 376 440\""));
}

#[test]
fn a_game_shows_the_last_move_and_the_shapes_of_its_comments() {
    let bench = Bench::new();
    let pgn = "[Event \"x\"]\n\n1. e4 {[%csl Gd5,Re5][%cal Ge4d5,Xe4e5,Bg1g1,Ge9e4] good} e5 2. Qh5 Nf6 3. Qxf7+ *\n";
    fs::write(bench.path("x.pgn"), pgn).unwrap();
    bench.ok(&["import", "x.pgn"]);
    let show = |ply: &str, more: &[&str]| {
        bench.ok(&[&["show", "1", "--ply", ply, "--format", "svg"], more].concat())
    };
    let first = show("1", &[]);
    assert_eq!(LAST.map(|colour| first.matches(colour).count()), [2, 0]);
    // Two circles, and an arrow that points nowhere; one arrow: the others are invalid.
    assert_eq!(
        (first.matches("<circle").count(), first.matches("<polygon").count()),
        (3 + crown_circles(), 1)
    );
    let drawn = show("2", &["--shape", "e2e4", "--shape", "Yd4"]);
    assert_eq!((drawn.matches("<polygon").count(), drawn.matches("#15781b").count()), (1, 1));
    assert!(drawn.contains("#d98a00"));
    // The king in check.
    assert_eq!((show("5", &[]).matches("#d00").count(), show("4", &[]).matches("#d00").count()), (1, 0));
    let refused = usage(&bench, &["show", "1", "--format", "svg", "--shape", "Qe4"]);
    assert!(refused.contains("an arrow is a colour"), "{refused}");
}

/// The error of an invalid command line.
fn usage(bench: &Bench, arguments: &[&str]) -> String {
    let run = bench.run(arguments);
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
    text(&run.stderr)
}

/// The circles in the drawings of the pieces themselves: the crown of the black queen.
fn crown_circles() -> usize {
    5
}

#[test]
fn pixels_show_the_same_as_the_svg() {
    let bench = Bench::new();
    let png = |size: &str| -> Vec<u8> {
        let output = format!("{size}.png");
        bench.ok(&["board", "8/8/8/8/8/8/8/K6k w - -", "--format", "png", "--size", size, "-o", &output]);
        fs::read(bench.path(&output)).unwrap()
    };
    for size in ["16", "400", "4096"] {
        let bytes = png(size);
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{size}");
        let width = u32::from_be_bytes(bytes[16..20].try_into().unwrap());
        assert_eq!(width.to_string(), size);
    }
    for size in ["15", "4097", "x"] {
        assert!(usage(&bench, &["board", "e4", "--format", "png", "--size", size]).contains("size"));
    }
    // An existing file is not overwritten, and a pipe gets the same bytes.
    assert!(bench.refused(&["board", "e4", "--format", "png", "-o", "400.png"]).contains("--force"));
    let piped = bench.run(&["board", "8/8/8/8/8/8/8/K6k w - -", "--format", "png", "--size", "400"]);
    assert_eq!(piped.stdout, fs::read(bench.path("400.png")).unwrap());
}

#[test]
fn the_print_theme_has_no_colour_and_every_mark_is_a_line() {
    let bench = Bench::with_games();
    let draw = |arguments: &[&str]| bench.ok(&[arguments, &["--format", "svg"]].concat());
    // The last move of this game gives check.
    let game = ["show", "1", "--ply", "43", "--shape", "Re1e4", "--shape", "Bd5"];
    let [coloured, print] = ["brown", "print"].map(|theme| draw(&[&game[..], &["--theme", theme]].concat()));
    assert_eq!(coloured, draw(&game));
    assert!(!is_grey(&coloured) && is_grey(&print));
    // 32 dark squares are hatched, 32 are white; the board and two squares of the last move have frames.
    let count = |text: &str| print.matches(text).count();
    assert_eq!((count("fill=\"url(#hatching)\"/>"), count("height=\"45\" fill=\"#fff\"/>")), (32, 32));
    assert_eq!((count("<rect"), count("stroke-dasharray"), count("id=\"hatching\"")), (64 + 3, 1, 1));
    assert!(is_grey(&draw(&["board", "4k3/8/8/8/8/8/8/4K3[QQn] w - -", "--theme", "print"])));
    let refused = usage(&bench, &["board", "e4", "--theme", "blue"]);
    assert!(refused.contains("[possible values: brown, print]"), "{refused}");
}

/// Whether all colours of an image are black, white or grey.
fn is_grey(svg: &str) -> bool {
    let colours = svg.split("=\"#").skip(1).filter_map(|rest| rest.split('"').next());
    colours.filter(|colour| !colour.starts_with("piece-")).all(|colour| {
        let parts: Vec<&[u8]> = colour.as_bytes().chunks(colour.len() / 3).collect();
        parts.iter().all(|part| *part == parts[0])
    })
}

#[test]
fn a_game_that_is_not_chess_has_no_image() {
    let bench = Bench::new();
    bench.ok(&["import", data("xelto").to_str().unwrap()]);
    assert!(bench.refused(&["show", "1", "--format", "svg"]).contains("image"));
}

#[test]
fn an_impossible_position_is_drawn_in_text_too() {
    let text = Bench::new().ok(&["board", "--ascii", "kkkkkkkk/8/8/8/8/8/8/P6P w - -"]);
    assert!(text.starts_with("8  k  k  k  k  k  k  k  k \n7  . "), "{text}");
}
