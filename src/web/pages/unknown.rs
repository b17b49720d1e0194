//! Names that no game has: what was probably meant, with links to it.

use super::{address::Address, layout::Request};
use crate::{
    archive::{CountedName, NameKind},
    openings::{OpeningError, Openings},
    present::{FilterText, unknown_name::UnknownName},
    printable,
    web::{Asked, Failure},
};

/// A name that is not in the archive, or in no table of openings.
#[derive(Debug)]
pub(super) struct Unknown {
    /// Says so.
    pub(super) text: String,
    /// The names that are like it, what there is of each, and the page with it.
    pub(super) similar: Vec<(String, String, Address)>,
}

impl Unknown {
    /// The names of a filter that found no game.
    pub(super) fn of(
        asked: &Asked<'_>,
        request: &Request,
        filter: &FilterText,
    ) -> Result<Vec<Unknown>, Failure> {
        let unknown = filter.unknown_names(asked.archive)?;
        Ok(unknown.into_iter().map(|name| Unknown::new(request, name)).collect())
    }

    fn new(request: &Request, UnknownName { parameter, kind, name, similar }: UnknownName) -> Unknown {
        let words = request.words();
        let lacks = match kind {
            NameKind::Player => words.no_player,
            NameKind::Event => words.no_event,
            NameKind::Site => words.no_site,
        };
        let link = |similar: CountedName| {
            let whole = format!("\"{}\"", similar.name.replace('"', ""));
            let games = [Some(request.language.games(similar.games)), similar.years()];
            let about = games.into_iter().flatten().collect::<Vec<_>>().join(", ");
            let address = request.address.without(&["after"]).with(parameter, whole);
            (printable::line(&similar.name).into_owned(), about, address)
        };
        Unknown {
            text: format!("{lacks} “{}”.", printable::line(&name)),
            similar: similar.into_iter().map(link).collect(),
        }
    }

    /// The opening that was probably meant by an address that names none.
    pub(super) fn similar_opening(address: &Address) -> Option<(&'static str, Address)> {
        let openings = Openings::standard();
        let unknown = address.get("opening")?.split(';').find(|text| openings.search(text).is_empty())?;
        let OpeningError::Unknown { similar, .. } = openings.unknown(unknown) else { return None };
        similar.map(|name| (name, address.without(&["after"]).with("opening", name)))
    }
}
