//! Clocks and time controls in games.

/// The seconds of a clock: `0:09:58`, `9:58`, `0:00:12.4`.
pub(super) fn seconds(text: &str) -> Option<u32> {
    let mut sum = 0_u32;
    for part in text.trim().split(':') {
        let whole = part.split('.').next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        sum = sum.checked_mul(60)?.checked_add(whole.parse().ok()?)?;
    }
    Some(sum)
}

/// A clock as players see it: `9:58`, `1:09:58`.
pub(super) fn clock(seconds: u32) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{rest:02}") } else { format!("{minutes}:{rest:02}") }
}

/// The seconds that each player has at the start, from a time control: `600+10`, `40/7200:3600`.
pub(super) fn at_start(control: &str) -> Option<u32> {
    let first = control.split(':').next()?;
    let time = first.split_once('/').map_or(first, |(_, time)| time);
    time.split('+').next()?.parse().ok().filter(|seconds| *seconds > 0)
}

/// A time control in minutes and seconds, if it is one for the whole game.
pub(super) fn control(text: &str) -> Option<String> {
    let (time, more) = text.split_once('+').unwrap_or((text, "0"));
    let (time, more): (u32, u32) = (time.parse().ok()?, more.parse().ok()?);
    let time = if time >= 60 && time % 60 == 0 { format!("{} min", time / 60) } else { format!("{time} s") };
    Some(if more > 0 { format!("{time} + {more} s") } else { time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_shortened() {
        for (text, number, shown) in [
            ("0:09:58", Some(598), "9:58"),
            ("1:09:58", Some(4198), "1:09:58"),
            ("0:00:12.4", Some(12), "0:12"),
            ("9:58", Some(598), "9:58"),
            ("", None, ""),
            ("-1:00", None, ""),
            ("99999999999", None, ""),
            ("99999999:0:0", None, ""),
        ] {
            assert_eq!(seconds(text), number, "{text}");
            assert_eq!(seconds(text).map(clock).unwrap_or_default(), shown);
        }
    }

    #[test]
    fn time_controls_are_written_in_minutes() {
        assert_eq!(control("600+10").as_deref(), Some("10 min + 10 s"));
        assert_eq!(control("30").as_deref(), Some("30 s"));
        assert_eq!((control("40/7200:3600"), control("-")), (None, None));
        assert_eq!(
            [at_start("600+10"), at_start("40/7200:3600"), at_start("?")],
            [Some(600), Some(7200), None]
        );
    }
}
