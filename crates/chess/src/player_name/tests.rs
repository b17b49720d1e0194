use proptest::prelude::*;

use super::{NameReadings, OneOf, PlayerPattern, same_player};

#[test]
fn spellings_of_one_name_match() {
    for (pattern, name) in [
        ("Adams, Michael", "Adams,Mi"),
        ("Adams, Michael", "Adams, M"),
        ("Adams, Mi", "Adams, Michael"),
        ("Nielsen, Peter Heine", "Nielsen,PH"),
        ("Nielsen, Peter Heine", "Nielsen,P"),
        ("nielsen, ph", "Nielsen,PH"),
        ("PH Nielsen", "Nielsen, Peter Heine"),
        ("Sokolov, Andrei", "Sokolov,And1"),
        ("Andrei Sokolov", "Sokolov,And1"),
        ("Hübner, Robert", "Huebner,R"),
        ("Hübner, Robert", "Hubner,R"),
        ("Huebner", "Hübner, Robert"),
        ("Hu\u{308}bner", "Huebner,R"),
        ("Ågård, Jens", "Aagaard,J"),
        ("Ågård, Jens", "Agard,J"),
        ("Đurić, S", "Djuric,S"),
        ("Đurić, S", "Duric,Stefan"),
        ("Sørensen", "Soerensen,B"),
        ("Maxime Lagrave", "Vachier Lagrave,M"),
        ("Vachier-Lagrave, Maxime", "VachierLagrave,M"),
        ("Vachier-Lagrave, Maxime", "Maxime Lagrave"),
        ("Wiel, John van der", "Van der Wiel,J"),
        ("John van der Wiel", "Van der Wiel,J"),
        ("Van der Wiel, John", "Wiel, John van der"),
        ("Van Wely, L", "Vanwely,L"),
        ("O'Kelly", "O Kelly de Galway,A"),
        ("OKelly", "O'Kelly de Galway,A"),
    ] {
        assert!(same_player(name, pattern), "{pattern:?} is {name:?}");
    }
}

#[test]
fn names_match_without_comma_titles_and_other_names() {
    for (pattern, name) in [
        ("Liren Ding", "Ding,L"),
        ("Ding Liren", "Ding,L"),
        ("Torre, Carlos", "Carlos Torre Repetto"),
        ("Carlsen", "Carlsen,M"),
        ("carlsen m", "Carlsen,Magnus"),
        ("Carlsen,", "Carlsen,Magnus"),
        ("Magnus Carlsen", "carlsen, magnus"),
        ("Zhou, Jianchao", "Zhou, Jian-chao"),
        ("Fischer, Robert James", "Fischer, Robert"),
        ("Fischer", "Fischer, R.J."),
        ("Fischer, R.J.", "Fischer, Robert James"),
        ("GM Adams, M.", "Adams, Michael"),
        ("Dr. Tarrasch", "Tarrasch, Siegbert"),
        ("Adams, Michael (2700)", "Adams,Mi"),
        ("Adams", "Adams,Mi/Short,N"),
        ("Short, Nigel", "Adams,Mi & Short,N"),
        ("Short & Adams", "Adams,Mi & Short,N"),
        ("De, L", "De,Li"),
        ("Stockfish 15", "Stockfish 15"),
        ("Stockfish", "Stockfish 15"),
        ("garry kasparov", "Garry Kasparov"),
        ("G Kasparov", "Garry Kasparov"),
        ("ARB", "ARB"),
        ("Каспаров", "Kasparov, Garry"),
        ("kasparov, garri", "Каспаров, Гарри"),
        ("Каспаров, Г", "Каспаров, Гарри"),
        ("羽生善治", "羽生善治"),
        ("adams mi*", "Adams,Mi"),
        ("adams mi*", "Adams, Michael"),
        ("*garry*", "Kasparov, Garry"),
        ("vachier-*", "Vachier Lagrave,M"),
        ("kaspar*", "Каспаров, Гарри"),
        ("\"reti, richard\"", "Réti, Richard"),
        ("\"A;B\"", "a;b"),
        ("kasparov; karpov, a", "Karpov,Anatoly"),
        ("?", "?"),
        ("", ""),
    ] {
        assert!(same_player(name, pattern), "{pattern:?} is {name:?}");
    }
}

#[test]
fn other_forms_of_a_given_name_match() {
    for (pattern, name) in [
        ("Kasparov, Garry", "Kasparov, Gary"),
        ("garri kasparov", "Gary Kasparov"),
        ("Каспаров, Гарри", "Kasparov, Gary"),
        ("bobby fischer", "Fischer, Robert James"),
        ("bobby fischer", "Fischer,R"),
        ("Fischer, Robert", "Fischer, Bobby"),
        ("mikhail tal", "Tal, Mihail"),
        ("misha tal", "Tal, Mihail"),
        ("viktor korchnoi", "Korchnoi, Victor"),
        ("vishy anand", "Anand,V"),
        ("sasha grischuk", "Grischuk,A"),
    ] {
        assert!(same_player(name, pattern), "{pattern:?} is {name:?}");
    }
    for (pattern, name) in [
        ("Hübner, Robert", "Huebner,B"),
        ("Fischer, Bobby", "Fischer,M"),
        ("garry", "Gary"),
        ("Gary, S", "Garry,S"),
        ("mike basman", "Mikhail Basman"),
    ] {
        assert!(!same_player(name, pattern), "{pattern:?} is not {name:?}");
    }
}

#[test]
fn names_of_different_players_do_not_match() {
    for (pattern, name) in [
        ("Adams, Michael", "Rohde, Michael A"),
        ("Adams, Michael", "Brooks, Michael A"),
        ("Adams, Michael", "Adams,Ma"),
        ("Adams, Michael", "Adams, Mark"),
        ("Adams, Michael", "Adamson, Michael"),
        ("Adams, Michael", "Adams"),
        ("Petrosian, Tigran V", "Petrosian,TL"),
        ("Wang Yue", "Wang Yu"),
        ("Wang Hao", "Wang Haoran"),
        ("Wang Hao", "Wang,Haoran"),
        ("De, L", "De la Paz,F"),
        ("De, L", "De la Paz"),
        ("Van, L", "Van Wely,L"),
        ("M", "Adams,M"),
        ("Michael", "Adams, Michael"),
        ("Fischer, R.J.", "Fischer"),
        ("Stockfish 1", "Stockfish 15"),
        ("Stockfish 15", "Stockfish 1"),
        ("kasparov", "Kasparova"),
        ("Carlsen, Magnus", "Carlsen,H"),
        ("Peter, K", "Kovacs, Peter"),
        ("Hübner, Robert", "Hebner,R"),
        ("Short & Adams", "Adams,Mi"),
        ("Wim, A", "A"),
        ("易", "意"),
        ("kas*sov", "Kasparov"),
        ("garry*", "Kasparov, Garry"),
        ("\"kasparov\"", "Kasparov, Garry"),
        ("", "Kasparov, Garry"),
        ("?", "Kasparov, Garry"),
    ] {
        assert!(!same_player(name, pattern), "{pattern:?} is not {name:?}");
    }
}

#[test]
fn titles_are_distinguished_from_names() {
    assert!(same_player("Im, Yong", "Im"));
    assert!(same_player("Wim van der Wijk", "wim van der wijk"));
    assert!(same_player("IM Bellin, R", "Bellin, Robert"));
}

#[test]
fn long_texts_are_compared_quickly() {
    let long = "a ".repeat(100_000);
    assert!(!same_player(&long, &format!("{long}, b")));
    assert!(!same_player(&"(".repeat(100_000), "a"));
}

#[test]
fn names_that_differ_by_a_letter_are_similar() {
    for (pattern, name, expected) in [
        ("Karpov, Anatoly", "Karpov, Anatola", true),
        ("Anatoly Karpov", "Karpov, Anatola", true),
        ("Kasparov, Garry", "Kasparov, Gary", false),
        ("Kasparov, Garry", "Kasparow,G", true),
        ("kasparov", "Kasparova,T", true),
        ("Kasparov, Garry", "Kasparov,G", false),
        ("Kasparov, Garry", "Kasparov, Sergey", false),
        ("Kasparov, Garry", "Kasparov", false),
        ("Adams, Michael", "Rohde, Michael A", false),
        ("Wang Hao", "Wang Hai", false),
        ("Stockfish 1", "Stockfish 15", false),
        ("tal", "Tall, J", false),
        ("", "", false),
    ] {
        assert_eq!(PlayerPattern::new(pattern).is_similar_to(name), expected, "{pattern:?} {name:?}");
    }
}

proptest! {
    #[test]
    fn names_rejected_by_their_letters_do_not_match(
        pattern in "[abAö]{1,5}([ ,'-]{1,2}[abA]{1,4}){0,2}",
        name in "[abAä]{1,5}([ ,.-]{1,2}[abB]{1,4}){0,2}",
    ) {
        let spelled = |one: &OneOf| match one {
            OneOf::People(sought) => sought.spelled.fits(&NameReadings::new(&name)),
            other => panic!("{other:?}"),
        };
        let prepared = PlayerPattern::new(&pattern);
        prop_assert_eq!(prepared.fits(&name), prepared.0.iter().any(spelled));
    }
}
