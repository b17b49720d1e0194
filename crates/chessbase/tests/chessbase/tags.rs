use plybook_chess::rules::{BLACK_WINS, Outcome};
use plybook_chessbase::Remark;
use plybook_pgn::Warning;

use crate::{base::Base, game};

fn pairs(base: &Base) -> Vec<(String, String)> {
    game(base).game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn date(year: u32, month: u32, day: u32) -> [u8; 4] {
    (year << 9 | month << 5 | day).to_le_bytes()
}

#[test]
fn headers_become_the_tags_of_the_pgn_of_chessbase() {
    let mut base = Base::new();
    let white = base.name("cbp", &[(0, b"Karpov"), (30, b"Anatoly")]) as u8;
    let black = base.name("cbp", &[(0, b"Anonymous")]) as u8;
    let event: &[(usize, &[u8])] = &[
        (0, b"Linares 11th"),
        (40, b"Linares"),
        (70, &date(1993, 2, 23)),
        (74, &[3 | 0x40, 0, 43, 0, 18, 3, 13]),
    ];
    let event = base.name("cbt", event) as u8;
    let annotator = base.name("cbc", &[(0, b"Ftacnik,L")]) as u8;
    let source: &[(usize, &[u8])] = &[
        (0, b"CBM 034"),
        (25, b"ChessBase"),
        (41, &date(1993, 6, 1)),
        (45, &date(1993, 7, 0)),
        (49, &[2, 1]),
    ];
    let source = base.name("cbs", source) as u8;
    let team: &[(usize, &[u8])] = &[(0, b"Hamburg"), (45, &[2, 0, 0, 0, 1, 0xc9, 7, 0, 0, 53])];
    let team = base.name("cbe", team) as u8;
    let title = base.name("cbl", &[(200, b"Die Partie")]) as u8;
    let header = base.game("e4 255", &[(-1, 0x24, &[[0, 10, 252, 128], [0, 0, 11, 184]].concat())]);
    for (at, byte) in
        [(11, white), (14, black), (17, event), (20, annotator), (23, source), (27, 2), (29, 2), (30, 1)]
    {
        header[at] = byte;
    }
    let packed = 1993_u32 << 9 | 2 << 5 | 23;
    header[24..27].copy_from_slice(&packed.to_be_bytes()[1..]);
    header[31..39].copy_from_slice(&[2725_u16, 0, 52 << 7 | 3, 0b1001].map(u16::to_be_bytes).concat());
    let mut extra = vec![0; 120];
    extra[3] = team;
    extra[4..8].fill(255);
    extra[38..54].copy_from_slice(b"\0\x02\x02\0\x35abcdefghijk");
    extra[119] = title;
    base.extras.push(extra);
    let expected = [
        ("Event", "Linares 11th"),
        ("Site", "Linares"),
        ("Date", "1993.02.23"),
        ("Round", "2.1"),
        ("White", "Karpov, Anatoly"),
        ("Black", "Anonymous"),
        ("Result", "1-0"),
        ("ECO", "A51"),
        ("WhiteElo", "2725"),
        ("WhiteRatingType", "GER rapid"),
        ("Annotator", "Ftacnik,L"),
        ("EventDate", "1993.02.23"),
        ("EventType", "tourn (rapid)"),
        ("EventRounds", "13"),
        ("EventCountry", "ESP"),
        ("EventCategory", "18"),
        ("EventFlags", "complete"),
        ("SourceTitle", "CBM 034"),
        ("Source", "ChessBase"),
        ("SourceDate", "1993.06.01"),
        ("SourceVersion", "2"),
        ("SourceQuality", "1"),
        ("SourceVersionDate", "1993.07.??"),
        ("WhiteTeam", "Hamburg"),
        ("WhiteTeamCountry", "GER"),
        ("WhiteTeamNumber", "2"),
        ("WhiteTeamSeason", "1993/1994"),
        ("GameTitle", "Die Partie"),
        ("Medals", "best game, novelty"),
    ];
    assert_eq!(pairs(&base), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn unknown_values_are_those_of_the_roster() {
    let mut base = Base::new();
    base.game("e4 255", &[]);
    let expected = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ];
    assert_eq!(pairs(&base), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn forfeits_have_a_result_and_a_remark() {
    for (code, text, outcome) in [(4, "0-1", BLACK_WINS), (7, "0-0", Outcome::Unknown)] {
        let mut base = Base::new();
        base.game("255", &[])[27] = code;
        let decoded = game(&base);
        assert_eq!((decoded.game.tags.get("Result"), decoded.game.outcome), (Some(text), outcome));
        assert_eq!(decoded.game.tags.get("Termination"), Some("forfeit"));
        assert_eq!(decoded.remarks, [Remark::Forfeit]);
    }
}

#[test]
fn results_that_the_board_contradicts_are_kept_with_a_warning() {
    for (code, contradicts) in [(0, false), (2, true)] {
        let mut base = Base::new();
        base.game("f3 e5 g4 Qh4# 255", &[])[27] = code;
        let game = game(&base).game;
        assert_eq!(game.warnings.count(Warning::ResultContradictsBoard), u64::from(contradicts));
    }
}

#[test]
fn missing_files_leave_the_rest_and_are_remarked() {
    let mut base = Base::new();
    let white = base.name("cbp", &[(0, b"Tal")]) as u8;
    base.game("e4 255", &[(0, 0x03, &[1])])[11] = white;
    for (extension, remark) in
        [("cba", Remark::NoAnnotations), ("cbp", Remark::NoNames), ("cbt", Remark::NoNames)]
    {
        let mut files = base.files();
        files.remove(extension);
        let decoded = crate::read(&files).remove(0).unwrap();
        assert_eq!((decoded.remarks, decoded.game.moves.len()), (vec![remark], 1), "{extension}");
    }
    let mut files = base.files();
    files.remove("cbg");
    assert!(crate::open(&files).err().unwrap().to_string().contains(".cbg file"));
}
