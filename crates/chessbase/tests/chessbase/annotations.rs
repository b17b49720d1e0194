use plybook_chessbase::Remark;

use crate::{
    base::{Annotation, Base},
    comments, game, text,
};

fn read(stored: &str, annotations: &[Annotation<'_>]) -> String {
    let mut base = Base::new();
    base.game(stored, annotations);
    text(&game(&base).game)
}

#[test]
fn texts_and_glyphs_belong_to_the_moves_of_their_numbers() {
    let items: &[Annotation<'_>] = &[
        (-1, 0x02, b"\0\0Before the game"),
        (0, 0x82, b"\0\x2aBefore"),
        (0, 0x02, b"\0\x35Nach"),
        (0, 0x03, &[1, 0, 14]),
        (1, 0x02, b"\0\0main"),
        (3, 0x82, b"\0\0opens the variation"),
        (4, 0x03, &[2]),
        (99, 0x82, b"\0\0before what is"),
        (99, 0x02, b"\0\0past the end\r\nof the\0line"),
    ];
    assert_eq!(
        read("e4 254 e5 Nf3 255 c5 Nf3 255", items),
        "{Before the game} {[%lang ENG] Before} 1. e4 $1 $14 {[%lang GER] Nach} 1... e5 {main} \
         ({opens the variation} 1... c5 2. Nf3 $2) 2. Nf3 {before what is} {past the end of the line} *"
    );
}

#[test]
fn squares_arrows_times_and_evaluations_are_commands() {
    let items: &[Annotation<'_>] = &[
        (-1, 0x16, &90_000_i32.to_be_bytes()),
        (-1, 0x26, &[0, 3, 0, 9, 0, 17, 0, 9, 255, 206, 1, 20, 0, 5]),
        (0, 0x04, &[2, 29, 4, 37]),
        (0, 0x05, &[3, 34, 36]),
        (0, 0x07, &[1, 2, 3, 0]),
        (1, 0x21, &[206, 255, 0, 0, 12, 0]),
    ];
    let mut base = Base::new();
    base.game("e4 e5 255", items);
    let game = game(&base).game;
    assert_eq!(
        text(&game),
        "{[%eval 0.17,9]} 1. e4 {[%csl Gd5,Re5]} {[%cal Ye2e4]} {[%emt 1:02:03]} {[%eval -0.50,9]} 1... e5 \
         {[%eval -0.50,12]} {[%eval #3,20]} *"
    );
    assert_eq!(game.tags.get("WhiteClock"), Some("0:15:00"));
}

/// A list of texts with the numbers of their languages.
fn list(texts: &[(u16, &str)]) -> Vec<u8> {
    let mut bytes = (texts.len() as u16).to_le_bytes().to_vec();
    for (language, text) in texts {
        bytes.extend(
            [&language.to_le_bytes()[..], &(text.len() as u16).to_le_bytes(), text.as_bytes()].concat(),
        );
    }
    bytes
}

#[test]
fn training_questions_are_readable_and_precede_the_move_they_ask_for() {
    let lists = [
        list(&[(0, "Which move?"), (1, "Welcher Zug?")]),
        list(&[(7, "No.")]),
        list(&[(7, "Look at e5.")]),
        list(&[]),
        vec![1, 32, 36, 0, 10],
        list(&[(7, "Yes!")]),
    ];
    let lists = lists.concat();
    let size = (lists.len() as u16 + 8).to_le_bytes();
    let question = [&[1, 0, 1][..], &size, &90_u32.to_le_bytes(), &10_u16.to_le_bytes(), &lists].concat();
    assert_eq!(
        read("d4 e5 e4 255", &[(2, 0x09, &question)]),
        "1. d4 e5 {[%training] [%lang ENG] Which move? [%lang GER] Welcher Zug? (90 seconds, 10 points) \
         | wrong: No. | hint: Look at e5. | answer e1e5 (10 points): Yes!} 2. e4 *"
    );
}

#[test]
fn quotations_are_readable_with_their_moves() {
    let name = |name: &str| [&[name.len() as u8], name.as_bytes(), &[0]].concat();
    let table = quotation_table();
    // e2 to e4, e7 to e5, and the end.
    let words: [u16; 3] = [33 | 35 << 6, 38 | 36 << 6, 0x4000];
    let moves = words.iter().enumerate().flat_map(|(count, word)| {
        let stored = |value: u8| (table.iter().position(|other| *other == value).unwrap() + count) as u8;
        word.to_be_bytes().map(stored)
    });
    let moves: Vec<u8> = moves.collect();
    let day: u32 = 1985 << 9 | 9 << 5 | 3;
    let header = [
        &[0, 0, 0, 2, 0, 0][..],
        &name("Karpov,Anatoly"),
        &name("Kasparov,"),
        &[2700_u16, 0, 21 << 7].map(u16::to_be_bytes).concat(),
        &name("WCh"),
        &name("Moscow"),
        &day.to_be_bytes(),
        &[0; 8],
        &[0, 1, 1, 0, 0],
    ];
    let quotation = [&header.concat()[..], &moves].concat();
    assert_eq!(
        read("d4 255", &[(0, 0x13, &quotation)]),
        "1. d4 {[%quotation] Karpov, Anatoly (2700) - Kasparov, 1/2-1/2, WCh, Moscow, 1985.09.03, round 1, A20: 1. e4 e5} *"
    );
}

fn quotation_table() -> [u8; 256] {
    let digits = "816bc397730b7eb8995605d472453e63c8ec49018d47dab587e69450f557c0ebfa425da28eb94a7a1d176de5c2854312\
             6c1455d160bc5f0ea01648a64ce7d9e3cfa120ea041bbd23dfff8c22688fbedb2cdc33a75e77f1b0f7abfeee89d0c980\
             e41e74a4b2ac4e02d83b4609c1d632a3c4ad58d513c5afb6f659293a7935242e212786d2f061342b5be9657106f3a918\
             b7ed9de10dca7507302a1078cb0cb45491e21a8bfd39f24dc73df4a5bf3f9f0092844bfbe840fc0fde53ba7f9a9003d3\
             cc44524f3c38938a88955c835a2fb17bf876676ab3c6cd2641256470bbef82086e2de037dd157c1c2866ae7d6f1faa31\
             9c19ce6936510a62969b989ed711a8f9";
    std::array::from_fn(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
}

#[test]
fn annotations_without_a_form_in_pgn_are_remarked_by_type() {
    let items: &[Annotation<'_>] = &[
        (0, 0x18, &[1]),
        (0, 0x18, &[2]),
        (0, 0x61, &[]),
        (0, 0x04, &[9, 29]),
        (0, 0x09, &[2, 0, 1]),
        (0, 0x02, &[0]),
    ];
    let mut base = Base::new();
    base.game("e4 255", items);
    let decoded = game(&base);
    assert_eq!(decoded.remarks, [0x02, 0x04, 0x09, 0x18, 0x61].map(Remark::Unknown));
    assert!(comments(&decoded.game).is_empty());
    let mut database = crate::open(&base.files()).unwrap();
    let encoding = database.encoding(None, || false).unwrap();
    let options = plybook_chessbase::DecodeOptions { encoding, keeps_unknown: true };
    let kept = database.read(1).unwrap().decode(options, &mut ()).unwrap().game;
    let kept: Vec<String> = comments(&kept).into_iter().map(|(_, text)| text).collect();
    assert_eq!(kept[..2], ["[%cba 18 01]", "[%cba 18 02]"]);
}
