//! The names of files and ranks, and digits, drawn as strokes: the image must look the same on systems without fonts.

use std::fmt::Write;

/// The box in which a letter is drawn.
const WIDTH: f64 = 4.0;
const HEIGHT: f64 = 6.0;

/// Writes a letter around a centre, scaled by a factor. Letters without a drawing are skipped.
pub(super) fn write(svg: &mut String, letter: char, (x, y): (f64, f64), scale: f64) -> std::fmt::Result {
    let (left, top) = (x - scale * WIDTH / 2.0, y - scale * HEIGHT / 2.0);
    match strokes(letter) {
        Some(strokes) => {
            writeln!(svg, r#"<path transform="translate({left:.1} {top:.1}) scale({scale})" d="{strokes}"/>"#)
        }
        None => Ok(()),
    }
}

fn strokes(letter: char) -> Option<&'static str> {
    Some(match letter {
        '0' => "M2 0C-.1 0-.1 6 2 6S4.1 0 2 0z",
        '1' => "M.9 1.4 2.3.2V6",
        '2' => "M.6 1.6C.6-.5 3.6-.5 3.6 1.7 3.6 3.2.5 4.5.5 6H3.7",
        '3' => {
            "M.6 1C1 .1 3.4-.3 3.4 1.5 3.4 2.8 2.2 2.9 1.6 2.9 2.4 2.9 3.7 3.1 3.7 4.4 3.7 6.5.9 6.4.4 5.2"
        }
        '4' => "M2.9 6V.2L.4 4.2H3.9",
        '5' => "M3.4.2H1L.8 2.8C1.6 2 3.7 2.1 3.7 4.1 3.7 6.5.9 6.4.4 5.3",
        '6' => "M3.3.2C1.2.6.5 2.6.5 4.2.5 6.6 3.7 6.6 3.7 4.2 3.7 2 .9 2 .6 3.8",
        '7' => "M.4.2H3.7C2.4 2 1.7 4 1.6 6",
        '8' => "M2 2.8C.3 2.7.3.1 2.05.1S3.8 2.7 2 2.8C-.1 2.9-.1 6 2.05 6S4.2 2.9 2 2.8z",
        '9' => "M.7 5.8C2.8 5.4 3.5 3.4 3.5 1.8 3.5-.6.3-.6.3 1.8.3 4 3.1 4 3.4 2.2",
        'a' => "M3.5 2.2V6M3.5 3.4C3 1.8.5 1.7.5 4.1S3 6.4 3.5 4.8",
        'b' => "M.6 0V6M.6 3.4C1.1 1.8 3.6 1.7 3.6 4.1S1.1 6.4.6 4.8",
        'c' => "M3.4 3C2.7 1.7.5 1.8.5 4.1S2.7 6.5 3.4 5.2",
        'd' => "M3.5 0V6M3.5 3.4C3 1.8.5 1.7.5 4.1S3 6.4 3.5 4.8",
        'e' => "M.6 4.1H3.6C3.6 1.6.5 1.6.5 4.1S3 6.4 3.5 5.1",
        'f' => "M3.3.4C2.3-.2 1.6.5 1.6 1.6V6M.6 2.4H3",
        'g' => "M3.5 2.2V6.2C3.5 7.9 1.3 7.9.7 7M3.5 3.4C3 1.8.5 1.7.5 4.1S3 6.4 3.5 4.8",
        'h' => "M.6 0V6M.6 3.6C1.2 1.8 3.5 1.6 3.5 3.8V6",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_and_digit_is_drawn() {
        for letter in ('a'..='h').chain('0'..='9') {
            let mut svg = String::new();
            write(&mut svg, letter, (8.0, 8.0), 1.0).unwrap();
            assert!(svg.contains(" d=\"M"), "{letter}");
        }
    }
}
