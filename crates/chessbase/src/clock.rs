//! Times and evaluations as PGN writes them.

use std::fmt::Write;

use crate::bytes::Bytes;

/// Hours, minutes and seconds.
pub(crate) fn clock(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The time spent on a move.
pub(crate) fn time_spent(data: &[u8]) -> Option<String> {
    let [hours, minutes, seconds, ..] = *data else { return None };
    Some(clock(u64::from(hours) * 3600 + u64::from(minutes) * 60 + u64::from(seconds)))
}

/// A clock in hundredths of a second.
pub(crate) fn clock_of(data: &[u8]) -> Option<String> {
    let hundredths = u64::try_from(Bytes(data).i32()?).ok()?;
    Some(clock(hundredths / 100))
}

/// An evaluation in pawns, or the moves to a mate; positive if White is better. A depth follows it.
pub(crate) fn evaluation(value: i32, is_mate: bool, depth: u16) -> String {
    let mut text = match is_mate {
        true => format!("#{value}"),
        // Written without floating point, so that it is exact.
        false => {
            let sign = if value < 0 { "-" } else { "" };
            format!("{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
        }
    };
    if depth > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, ",{depth}");
    }
    text
}

/// The evaluation of a single position.
pub(crate) fn single_evaluation(data: &[u8]) -> Option<String> {
    let mut bytes = Bytes(data);
    let (value, kind, depth) = (bytes.i16_le()?, bytes.i16_le()?, bytes.i16_le()?);
    let is_mate = match kind {
        0 => false,
        1 => true,
        _ => return None,
    };
    Some(evaluation(i32::from(value), is_mate, u16::try_from(depth).unwrap_or(0)))
}

/// The evaluations of the start position and of the position after each move of the main line.
pub(crate) fn evaluations(data: &[u8]) -> Option<Vec<Option<String>>> {
    let mut bytes = Bytes(data);
    let count = bytes.u16()?;
    (0..count).map(|_| next_evaluation(&mut bytes)).collect()
}

fn next_evaluation(bytes: &mut Bytes<'_>) -> Option<Option<String>> {
    let (kind, depth, value) = (bytes.u8()?, bytes.u8()?, i32::from(bytes.i16()?));
    Some(match kind {
        0 => Some(evaluation(value, false, u16::from(depth))),
        // It counts plies, of which the last one mates.
        1 => Some(evaluation(value.signum() * ((value.abs() + 1) / 2), true, u16::from(depth))),
        _ => None,
    })
}

/// The time control of a game as in PGN: moves, seconds and increments of up to three periods.
pub(crate) fn time_control(data: &[u8]) -> Option<String> {
    let mut bytes = Bytes(data);
    let mut periods = Vec::new();
    for _ in 0..3 {
        let (time, increment, moves) = (bytes.i32()?, bytes.i32()?, bytes.u16()?);
        bytes.u8()?;
        let [time, increment] = [time, increment].map(|time| u32::try_from(time).unwrap_or(0) / 100);
        if time == 0 && increment == 0 {
            continue;
        }
        let moves = if matches!(moves, 0 | REST) { String::new() } else { format!("{moves}/") };
        let increment = if increment > 0 { format!("+{increment}") } else { String::new() };
        periods.push(format!("{moves}{time}{increment}"));
    }
    (!periods.is_empty()).then(|| periods.join(":"))
}

/// The number of moves of a period that lasts to the end of the game.
const REST: u16 = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_pawns_or_moves_for_white() {
        let texts =
            [(17, false, 23), (-5, false, 0), (0, false, 9), (-1234, false, 1), (3, true, 0), (-3, true, 20)]
                .map(|(value, is_mate, depth)| evaluation(value, is_mate, depth));
        assert_eq!(texts, ["0.17,23", "-0.05", "0.00,9", "-12.34,1", "#3", "#-3,20"]);
        let data = [0, 4, 0, 20, 0, 17, 1, 9, 0, 5, 1, 9, 255, 252, 255, 0, 0, 0];
        let expected = [Some("0.17,20"), Some("#3,9"), Some("#-2,9"), None];
        assert_eq!(evaluations(&data).unwrap(), expected.map(|text| text.map(str::to_owned)));
        assert_eq!((evaluations(&data[..10]), single_evaluation(&[0; 5])), (None, None));
        assert_eq!(single_evaluation(&[206, 255, 0, 0, 12, 0]).as_deref(), Some("-0.50,12"));
    }

    #[test]
    fn time_controls_are_written_as_in_pgn() {
        let period = |time: i32, increment: i32, moves: u16| {
            [&time.to_be_bytes()[..], &increment.to_be_bytes(), &moves.to_be_bytes(), &[0]].concat()
        };
        let data = [period(720_000, 3000, 40), period(180_000, 3000, 1000), period(0, 0, 0)].concat();
        assert_eq!(time_control(&data).as_deref(), Some("40/7200+30:1800+30"));
        assert_eq!((time_control(&data[..20]), time_control(&[0; 33])), (None, None));
    }
}
