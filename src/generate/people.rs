//! Generated players and towns. Each is an unbounded number that determines its name.

use super::random::mix;

/// Parts of names, separated by spaces: in each list as many as a power of two.
const FIRST: &str = "Ab Al And Bar Ber Bog Cas Dan Del Dor Fed Gar Gel Hor Iv Jan Kar Kor Lar Mar Mik Nov \
     Ol Pet Ros Sal Tar Tim Ul Vas Yak Zim";
const MIDDLE: &str = "a ad al an ar as ev el en er i ic il in ir is o ob ol om on or os ov u ul un ur us \
     ya ay ei";
const LAST: &str = "berg dez enko ers hof ini kin man nen off ov rez sen sky son vic";
const GIVEN: &str = "Adam Alan Alexander Anatoly Anna Antonio Boris Bruno Carlos Christian Daniel David \
     Dmitry Elena Emil Erik Eva Evgeny Fabio Felix Frank Georg Gregory Hans Helena Henrik \
     Igor Irina Ivan Jaime Jan Johan John Jorge Josef Juan Karel Klaus Laszlo Lena Luis \
     Maria Mark Martin Michael Mikhail Miguel Natalia Nikola Oleg Olga Pablo Paul Pavel \
     Peter Rafael Robert Sergey Stefan Thomas Vera Victor Vladimir Yuri";
const TOWN: &str = "burg field grad ham holm ia ingen ino mouth os ow stad ton vik ville zia";
const COUNTRIES: &str = "ARG ARM AUT BEL BRA BUL CAN CHN CRO CUB CZE DEN ENG ESP FRA GEO GER GRE HUN IND ISL \
     ISR ITA NED NOR POL ROU RUS SRB SWE UKR USA";

/// Takes the low bits of a number to choose a word.
fn choose(number: &mut u64, words: &'static str) -> &'static str {
    let count = words.split(' ').count() as u64;
    let place = (*number % count) as usize;
    *number /= count;
    words.split(' ').nth(place).unwrap_or_default()
}

/// Permutes the low 20 bits of a number, so that consecutive numbers get different names.
fn scattered(number: u64) -> u64 {
    const LOW: u64 = (1 << 20) - 1;
    let low = (number & LOW).wrapping_mul(0x9_e375) & LOW;
    number & !LOW | ((low ^ low >> 11).wrapping_mul(0xb_f585) & LOW)
}

/// The name with a number, and one of some given names if there are any.
fn name(number: u64, last: &'static str, given: &'static str) -> (String, &'static str) {
    let mut rest = scattered(number);
    let mut name = choose(&mut rest, FIRST).to_owned();
    name += choose(&mut rest, MIDDLE);
    let (last, given) = (choose(&mut rest, last), choose(&mut rest, given));
    while rest > 0 {
        name += choose(&mut rest, MIDDLE);
    }
    (name + last, given)
}

/// The name of a player. Nearly half have only an initial, so some names stand for several players.
pub(super) fn player(number: u64) -> String {
    let (name, given) = name(number, LAST, GIVEN);
    if mix(number) % 5 < 2 { name + "," + given.get(..1).unwrap_or(given) } else { name + ", " + given }
}

/// The rating of a player; the most frequent players are the best.
pub(super) fn rating(number: u64, head: u64) -> u64 {
    let group = u64::from((number / head + 1).ilog2());
    2_640 + mix(number) % 90 - 70 * group.min(20)
}

/// The name of a town and its country.
pub(super) fn town(number: u64) -> (String, &'static str) {
    let (name, _) = name(number, TOWN, "");
    (name, choose(&mut mix(number), COUNTRIES))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn scattering_gives_each_number_once() {
        let numbers: HashSet<u64> = (0..1 << 20).map(scattered).collect();
        assert_eq!(numbers.len(), 1 << 20);
        assert!(scattered(5 << 20) >= 5 << 20);
    }

    #[test]
    fn names_look_like_names() {
        assert_eq!(player(0), "Ababerg,A");
        assert_eq!(town(0).0, "Ababurg");
        assert!((1_000..3_000).contains(&rating(1 << 40, 64)));
    }
}
