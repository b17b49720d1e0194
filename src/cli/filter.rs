//! The filters that `games`, `export` and `stats` share.

use anyhow::bail;
use clap::{Args, ValueEnum};

use crate::{
    archive::{Filter, GameKind, Sort},
    chess::Variant,
    rules::Outcome,
};

/// Which games. Names match without regard to case or accents; `*` stands for any letters, and a name without
/// `*` also fits where it is the beginning ("kasparov" finds "Kasparov, Garry").
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub(super) struct FilterArgs {
    /// White or Black
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The colour that --player had
    #[arg(long, alias = "color", requires = "player")]
    colour: Option<Colour>,
    /// The other player
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// The event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The site
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// The date: 1984, 1984.05, 1984..1990, 1984.05.01.. or ..1990
    #[arg(long, value_name = "RANGE")]
    date: Option<String>,
    /// The ratings of both players: 2500.., 2400..2600
    #[arg(long, value_name = "RANGE", alias = "rating")]
    elo: Option<String>,
    /// The rating of White
    #[arg(long, value_name = "RANGE")]
    white_elo: Option<String>,
    /// The rating of Black
    #[arg(long, value_name = "RANGE")]
    black_elo: Option<String>,
    /// The result: 1-0, 0-1, 1/2-1/2 (or draw) or *
    #[arg(long, allow_hyphen_values = true)]
    result: Option<String>,
    /// The opening code: B90, B90..B99, B9 or B
    #[arg(long, value_name = "RANGE")]
    eco: Option<String>,
    /// The number of plies: 40, 20..60, ..30
    #[arg(long, value_name = "RANGE")]
    plies: Option<String>,
    /// The variant, such as Standard or Chess960; or Xelto
    #[arg(long)]
    variant: Option<String>,
    /// The file the game was imported from
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// The ids: 7, 100..200
    #[arg(long, value_name = "RANGE")]
    id: Option<String>,
    /// What to sort by
    #[arg(long, value_enum, default_value_t = SortArg::Id)]
    sort: SortArg,
    /// Sort the other way round
    #[arg(long)]
    desc: bool,
    /// At most so many games
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Without the first so many games
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colour {
    White,
    Black,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SortArg {
    Id,
    Date,
    White,
    Black,
    Event,
    Site,
    Elo,
    Eco,
    Result,
    Plies,
    Bytes,
}

impl From<SortArg> for Sort {
    fn from(sort: SortArg) -> Sort {
        match sort {
            SortArg::Id => Sort::Id,
            SortArg::Date => Sort::Date,
            SortArg::White => Sort::White,
            SortArg::Black => Sort::Black,
            SortArg::Event => Sort::Event,
            SortArg::Site => Sort::Site,
            SortArg::Elo => Sort::Elo,
            SortArg::Eco => Sort::Eco,
            SortArg::Result => Sort::Result,
            SortArg::Plies => Sort::Plies,
            SortArg::Bytes => Sort::Bytes,
        }
    }
}

impl FilterArgs {
    pub(super) fn filter(&self) -> anyhow::Result<Filter> {
        let (mut white, mut black) = (self.white.clone(), self.black.clone());
        let mut player = self.player.clone();
        if let Some(colour) = self.colour {
            let (side, name) = match colour {
                Colour::White => (&mut white, "--white"),
                Colour::Black => (&mut black, "--black"),
            };
            if side.is_some() {
                bail!("--player with this --colour and {name} cannot both be given");
            }
            *side = player.take();
        }
        let elo = |range: &Option<String>| range.as_deref().map(Filter::numbers::<u32>).transpose();
        Ok(Filter {
            player,
            opponent: self.opponent.clone(),
            white,
            black,
            event: self.event.clone(),
            site: self.site.clone(),
            source: self.source.clone(),
            date: self.date.as_deref().map(Filter::dates).transpose()?,
            elo: elo(&self.elo)?,
            white_elo: elo(&self.white_elo)?,
            black_elo: elo(&self.black_elo)?,
            eco: self.eco.as_deref().map(Filter::eco_codes).transpose()?,
            result: self.result.as_deref().map(result).transpose()?,
            plies: elo(&self.plies)?,
            kind: self.variant.as_deref().map(kind).transpose()?,
            chess: false,
            ids: self.id.as_deref().map(Filter::numbers::<i64>).transpose()?,
            sort: self.sort.into(),
            descending: self.desc,
            limit: self.limit,
            offset: self.offset,
        })
    }
}

fn result(text: &str) -> anyhow::Result<Outcome> {
    let text = match text {
        "draw" | "=" | "1/2" => "1/2-1/2",
        "white" => "1-0",
        "black" => "0-1",
        other => other,
    };
    Outcome::from_ascii(text.as_bytes())
        .map_err(|_| anyhow::anyhow!("{text:?} is no result; write 1-0, 0-1, 1/2-1/2 or *"))
}

/// A variant of chess.
pub(super) fn variant(text: &str) -> anyhow::Result<Variant> {
    kind(text)?.variant().ok_or_else(|| anyhow::anyhow!("{text} is no variant of chess"))
}

fn kind(text: &str) -> anyhow::Result<GameKind> {
    GameKind::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = GameKind::all().map(GameKind::name).collect();
        let names = names.join(", ");
        anyhow::anyhow!("{text:?} is no variant plybook knows; it knows {names}")
    })
}
