//! What tells that two records may be of one game: its own address or id, or its players, event, date and round.

use plybook_chess::chess::{Date, Tags};
use twox_hash::XxHash3_64;

use super::tags::is_unknown;

/// Bits of the hash of an identity by which an archive finds games.
// With the id of a game a key takes less than four bytes. Of a million games, one in 270 has the hash of another's
// identity by chance; then the two games are compared in vain.
pub const IDENTITY_BITS: u32 = 28;

/// The identities of a game, as hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identities {
    /// Of its own address or id.
    pub address: Option<u64>,
    /// Of its players, event, date and round, if all are known.
    pub meeting: Option<u64>,
}

impl Identities {
    /// The identities of a game with these tag pairs.
    pub fn of(tags: &Tags) -> Identities {
        let tags = IdentityTags::of(tags);
        Identities { address: tags.address(), meeting: tags.meeting() }
    }

    /// Those that there are, shortened to [`IDENTITY_BITS`].
    pub fn short(&self) -> impl Iterator<Item = u32> {
        let known = [self.address, self.meeting].into_iter().flatten();
        known.map(|hash| (hash >> (u64::BITS - IDENTITY_BITS)) as u32)
    }

    /// Whether two records have the same address.
    pub fn have_address_in_common(&self, other: &Identities) -> bool {
        self.address.is_some() && self.address == other.address
    }

    /// Whether two records have the same players, event, date and round.
    pub fn have_meeting_in_common(&self, other: &Identities) -> bool {
        self.meeting.is_some() && self.meeting == other.meeting
    }
}

/// The values of the tags that identities consist of.
#[derive(Default)]
struct IdentityTags<'a> {
    game_url: Option<&'a str>,
    chapter_url: Option<&'a str>,
    site: Option<&'a str>,
    game_id: Option<&'a str>,
    link: Option<&'a str>,
    white: Option<&'a str>,
    black: Option<&'a str>,
    event: Option<&'a str>,
    date: Option<&'a str>,
    round: Option<&'a str>,
}

impl<'a> IdentityTags<'a> {
    // One pass, since each game of an import has its identities: looking up ten tags takes several times as long.
    fn of(tags: &'a Tags) -> IdentityTags<'a> {
        let mut found = IdentityTags::default();
        for (name, value) in tags.iter() {
            let to = match name {
                "GameURL" => &mut found.game_url,
                "ChapterURL" => &mut found.chapter_url,
                "Site" => &mut found.site,
                "GameId" => &mut found.game_id,
                "Link" => &mut found.link,
                "White" => &mut found.white,
                "Black" => &mut found.black,
                "Event" => &mut found.event,
                "Date" => &mut found.date,
                "Round" => &mut found.round,
                _ => continue,
            };
            *to = Some(value);
        }
        found
    }

    /// The hash of a game's own address or id, from the first of these tags that has one:
    ///
    /// | tag | id | site |
    /// |---|---|---|
    /// | `GameURL`, `ChapterURL`, `Site` of a study | last segment | Lichess, broadcasts and studies |
    /// | `GameId`, `Site` | 8 letters or digits | Lichess, games |
    /// | `Link` | `live` or `daily`, and a number | Chess.com |
    fn address(&self) -> Option<u64> {
        let chapter = [self.game_url, self.chapter_url, self.site].into_iter().flatten().find_map(chapter);
        if let Some(id) = chapter {
            return Some(hash(&[b"chapter", id.as_bytes()]));
        }
        if let Some(id) = self.game_id.and_then(game).or_else(|| game_at(self.site?)) {
            return Some(hash(&[b"game", id.as_bytes()]));
        }
        self.link.and_then(chess_com).map(|id| hash(&[b"chess.com", id.as_bytes()]))
    }

    /// The hash of players, event, date and round, if all are known.
    fn meeting(&self) -> Option<u64> {
        let date = self.date?;
        let known = [self.white?, self.black?, self.event?, date, self.round?];
        if known.into_iter().any(is_unknown) || date.contains('?') || Date::parse(date).is_none() {
            return None;
        }
        Some(hash(&known.map(|value| value.as_bytes().trim_ascii())))
    }
}

/// What follows a host in an address.
fn path_on<'a>(address: &'a str, host: &str) -> Option<&'a str> {
    let address =
        address.strip_prefix("https://").or_else(|| address.strip_prefix("http://")).unwrap_or(address);
    let address = address.strip_prefix("www.").unwrap_or(address);
    let path = address.strip_prefix(host)?.strip_prefix('/')?;
    path.split(['?', '#']).next()
}

/// The id of a chapter: the last segment of the address of a broadcast's game or of a study's chapter.
fn chapter(address: &str) -> Option<&str> {
    let path = path_on(address, "lichess.org")?.trim_end_matches('/');
    let (folder, id) = path.rsplit_once('/')?;
    let is_of_study = folder.starts_with("study/") || folder.starts_with("broadcast/");
    (is_of_study && game(id) == Some(id)).then_some(id)
}

/// The id of a game in its address.
fn game_at(address: &str) -> Option<&str> {
    let first = path_on(address, "lichess.org")?.split('/').next()?;
    // Pages whose names are as long as an id.
    game(first).filter(|id| !matches!(*id, "analysis" | "practice"))
}

/// The id of a game at the beginning of a text: 8 letters or digits. The 4 more that a player sees are not part of it.
fn game(text: &str) -> Option<&str> {
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if matches!(length, 8 | 12) { text.get(..8) } else { None }
}

/// Kind and number of a game, as in `live/7` and `daily/7`.
fn chess_com(address: &str) -> Option<&str> {
    let path = path_on(address, "chess.com")?;
    let path = path.strip_prefix("analysis/").unwrap_or(path);
    let at = path.find("live/").or_else(|| path.find("daily/"))?;
    if !matches!(path.get(..at)?, "" | "game/") {
        return None;
    }
    let rest = path.get(at..)?;
    let slash = rest.find('/')? + 1;
    let digits = rest.get(slash..)?.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| rest.get(..slash + digits))?
}

fn hash(parts: &[&[u8]]) -> u64 {
    // In one text, because a hasher of a stream allocates and fills larger buffers than this one.
    let mut text = Vec::with_capacity(128);
    for part in parts {
        text.extend_from_slice(part);
        // Never part of UTF-8, so that no two lists of parts are the same bytes.
        text.push(0xff);
    }
    XxHash3_64::oneshot(&text)
}
