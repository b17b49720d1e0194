use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray, BinaryViewArray, StringViewArray},
        datatypes::Int64Type,
        record_batch::RecordBatch,
    },
    logical_expr::Accumulator,
    prelude::SessionContext,
};

use super::{explore::Tally, *};
use crate::session;

/// 1. e4 e5 and more, as far as its bytes go: the game of plybook's documentation.
const GAME: &str = "DFDD4F0702";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn ask(query: &str) -> Result<Vec<RecordBatch>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { session::in_process()?.sql(query).await?.collect().await })
}

fn text(query: &str) -> String {
    ask(query).unwrap()[0].column(0).as_string_view().value(0).to_owned()
}

fn number(query: &str) -> i64 {
    ask(query).unwrap()[0].column(0).as_primitive::<Int64Type>().value(0)
}

#[test]
fn example_bytes_match_the_documentation() {
    let bytes = 8_712_609_247_u64.to_le_bytes();
    let digits: String = bytes[..5].iter().map(|byte| format!("{byte:02X}")).collect();
    assert_eq!(digits, GAME);
}

#[test]
fn every_function_is_registered() {
    let context = SessionContext::new_with_state(session::state(session::config()).unwrap());
    let state = context.state();
    for name in FUNCTIONS.iter().map(|function| function.name).chain(["positions"]) {
        assert!(state.scalar_functions().contains_key(name), "{name}");
    }
    assert!(state.aggregate_functions().contains_key("explore"));
}

#[test]
fn functions_accept_constants_and_columns() {
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(text(&format!("SELECT fen(X'{GAME}', 1)")), e4);
    assert_eq!(text(&format!("SELECT fen(moves, 1) FROM (VALUES (X'{GAME}'), (NULL)) AS games(moves)")), e4);
    assert_eq!(
        number(&format!("SELECT count(fen(moves, 1)) FROM (VALUES (X'{GAME}'), (NULL)) AS games(moves)")),
        1
    );
    assert_eq!(number(&format!("SELECT reaches(X'{GAME}', '{e4}')")), 1);
    assert_eq!(number(&format!("SELECT position_key(X'{GAME}', 1) - position_key('{e4}')")), 0);
    assert_eq!(number("SELECT same_player('Tal, Mikhail', 'tal')"), 1);
    // Any integer and any text will do.
    assert_eq!(text(&format!("SELECT san(X'{GAME}', arrow_cast(1, 'UInt8'))")), "e4");
    assert_eq!(
        text("SELECT material(arrow_cast('8/5k2/1p6/1r6/8/R4PPQ/5K2/8 w - -', 'LargeUtf8'))"),
        "KQRPP KRP"
    );
}

#[test]
fn invalid_arguments_are_rejected_with_a_reason() {
    for (query, why) in [
        ("SELECT fen('e4', 1)", "moves must be a blob"),
        ("SELECT fen(X'01')", "use fen(moves, ply, start, variant)"),
        ("SELECT plies(X'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF')", "cannot replay"),
        ("SELECT explore(X'01')", "use explore(moves, fen"),
        ("SELECT positions()", "use positions(moves"),
        ("SELECT plies([1])", "plies takes integers, text and blobs"),
        ("SELECT explore(X'DFDD4F0702', '8/8')", "invalid FEN"),
    ] {
        let error = ask(query).unwrap_err().to_string();
        assert!(error.contains(why), "{query}: {error}");
    }
}

#[test]
fn positions_match_fen() {
    let positions = format!("SELECT X'{GAME}' AS moves, unnest(positions(X'{GAME}')) AS p");
    let plies = number(&format!("SELECT plies(X'{GAME}')"));
    let query = format!(
        "SELECT count(*) FROM ({positions}) WHERE p['fen'] = fen(moves, p['ply']) \
         AND p['key'] = position_key(p['fen']) AND p['san'] IS NOT DISTINCT FROM san(moves, p['ply'])"
    );
    assert!(plies > 2);
    assert_eq!(number(&query), plies + 1);
    assert_eq!(number("SELECT count(*) FROM (SELECT unnest(positions(NULL)))"), 0);
}

#[test]
fn merged_partial_counts_equal_the_total() {
    let blob: Vec<u8> = 8_712_609_247_u64.to_le_bytes()[..5].to_vec();
    let games = |number: usize| -> ArrayRef {
        Arc::new(BinaryViewArray::from_iter((0..number).map(|game| (game % 5 != 4).then_some(&blob))))
    };
    let fens =
        |number: usize| -> ArrayRef { Arc::new(StringViewArray::from_iter_values(vec![START; number])) };
    let table = |parts: &[usize]| {
        let mut all = Tally::default();
        for &part in parts {
            let mut one = Tally::default();
            one.update_batch(&[games(part), fens(part)]).unwrap();
            let state = one.state().unwrap().remove(0).to_array().unwrap();
            all.merge_batch(&[state]).unwrap();
        }
        all.evaluate().unwrap()
    };
    assert_eq!(table(&[5, 10, 0, 5]), table(&[20]));
    let list = table(&[20]).to_array().unwrap();
    let rows = list.as_list::<i32>().value(0);
    let counted = rows.as_struct().column_by_name("games").unwrap().as_primitive::<Int64Type>();
    assert_eq!((counted.len(), counted.value(0)), (1, 16));
}
