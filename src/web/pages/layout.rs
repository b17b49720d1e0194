//! What all pages share: language, title, navigation; and the way from a request to a page.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use askama::Template;
use axum::{
    http::{
        HeaderMap, HeaderValue, StatusCode, Uri,
        header::{CONTENT_LANGUAGE, CONTENT_TYPE, LOCATION, VARY},
    },
    response::{IntoResponse, Response},
};

use super::{
    Address, Answer, Failure, Language, Messages, RequestContext, Result,
    editing::{DONE, Toast},
    games::RefusedPage,
};
use crate::{
    archive::NameKind,
    limits::MAX_CHOSEN_GAMES,
    openings::{OpeningError, Openings},
    printable,
    record::GameId,
    web::{
        AppState, Question,
        reply::{Missing, Refused, as_json, named},
    },
};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// A requested page, with what all pages show.
#[derive(Clone, Debug)]
pub(in crate::web) struct Page {
    pub(super) address: Address,
    pub(super) language: Language,
    pub(super) words: &'static Messages,
    /// Empty until the subject of the page is known.
    pub(super) title: String,
    /// Whether the archive can be edited.
    pub(super) edits: bool,
    /// A message about a change.
    pub(super) toast: Option<Toast>,
}

impl Page {
    pub(super) fn new(app: &AppState, uri: &Uri, headers: &HeaderMap) -> Page {
        let mut address = Address::of(uri);
        let chosen = address.get("lang").and_then(Language::of_tag);
        address.set("lang", chosen.map_or("", Language::tag));
        let language = chosen.unwrap_or_else(|| Language::accepted(headers));
        let (words, edits) = (language.words(), app.edits.is_some());
        Page { address, language, words, title: String::new(), edits, toast: None }
    }

    /// The same with the message that its URL names, which its links do not repeat.
    fn with_toast(&self, context: &RequestContext<'_>) -> Result<Page> {
        Ok(Page { toast: Toast::of(self, context)?, address: self.address.without(&[DONE]), ..self.clone() })
    }

    pub(super) fn titled(&self, title: &str) -> Page {
        Page { title: printable::line(title).into_owned(), ..self.clone() }
    }

    /// A link to another page that keeps the chosen language.
    pub(super) fn link(&self, path: impl Into<String>) -> Address {
        self.address.to(path, &["lang"])
    }

    /// The page of a game.
    pub(super) fn game_link(&self, id: GameId) -> Address {
        self.link(format!("/game/{id}"))
    }

    /// The page that edits a game, if the archive can be edited.
    pub(super) fn edit_link(&self, id: &GameId) -> Option<Address> {
        self.edits.then(|| self.address.to(format!("/edit/game/{id}"), &["lang", "in"]))
    }

    /// The page that removes the games of a list, if the archive can be edited and they are not too many.
    pub(super) fn remove_link(&self, list: &Address, games: &u64) -> Option<Address> {
        let can = self.edits && (1..=MAX_CHOSEN_GAMES).contains(games);
        let list = list.to_string();
        can.then(|| self.link("/edit/remove").with("all", 1).with("in", list.trim_start_matches('/')))
    }

    /// The message that no player, event or site has a name.
    pub(super) fn lacks(&self, kind: &NameKind) -> &'static str {
        match kind {
            NameKind::Player => self.words.no_player,
            NameKind::Event => self.words.no_event,
            NameKind::Site => self.words.no_site,
        }
    }

    /// The sections of the site, with their names.
    pub(super) fn sections(&self) -> [(&'static str, &'static str); 5] {
        let words = self.words;
        [
            ("/explorer", words.explorer),
            ("/games", words.games),
            ("/players", words.players),
            ("/events", words.events),
            ("/openings", words.all_openings),
        ]
    }

    /// Whether this page belongs to the section at a path: `/player/NAME` to `/players`, the start page to the explorer.
    pub(super) fn is_in(&self, path: &str) -> bool {
        let here = self.address.path();
        let one = path.strip_suffix('s').and_then(|kind| here.strip_prefix(kind));
        here == path || here == "/" && path == "/explorer" || one.is_some_and(|rest| rest.starts_with('/'))
    }

    /// The data of this page in a form, `json` or `csv`.
    pub(super) fn data(&self, form: &str) -> Address {
        self.address.without(&["lang"]).to_path(format!("{}.{form}", self.address.path()))
    }

    /// The language, if it was chosen explicitly.
    pub(super) fn chosen_language(&self) -> Option<&'static str> {
        self.address.get("lang").map(|_| self.language.tag())
    }

    /// This page in the other languages.
    pub(super) fn other_languages(&self) -> impl Iterator<Item = (Language, Address)> {
        let others = Language::ALL.into_iter().filter(|language| *language != self.language);
        others.map(|language| (language, self.address.with("lang", language.tag())))
    }
}

/// The opening that was probably meant, if a URL names an unknown one.
fn similar_opening(address: &Address) -> Option<(&'static str, Address)> {
    let openings = Openings::standard();
    let unknown = address.get("opening")?.split(';').find(|text| openings.search(text).is_empty())?;
    let OpeningError::Unknown { similar, .. } = openings.unknown(unknown) else { return None };
    similar.map(|name| (name, address.without(&["after"]).with("opening", name)))
}

/// An error page.
#[derive(Template)]
#[template(path = "failure.html")]
struct FailurePage {
    page: Page,
    why: String,
    /// An opening that may have been meant, and the page with it.
    opening: Option<(&'static str, Address)>,
}

/// The response to a request of a page or of its data. What `write` returns must depend only on the request and the
/// archive.
pub(in crate::web) async fn respond_with(
    question: Question,
    write: impl Fn(&RequestContext<'_>, &Page) -> Result<Answer> + Send + 'static,
) -> Response {
    // A form without a script has sent both ends of a range: the URL that readers see and copy has one parameter.
    if let Some(joined) = Address::joined(&question.address) {
        return redirect(&joined);
    }
    let Question { app, address, headers } = question;
    let page = Page::new(&app, &address, &headers);
    let again = page.clone();
    let question = format!("{} {address}", page.language.tag());
    let answer = app
        .respond(&app.long, &question, &headers, move |context| write(context, &page.with_toast(context)?));
    finished(answer.await, &again)
}

/// The same for a page that is shown to one browser only: it is not cached.
pub(in crate::web) async fn respond_uncached(
    question: Question,
    write: impl Fn(&RequestContext<'_>, &Page) -> Result<Answer> + Send + 'static,
) -> Response {
    let page = Page::new(&question.app, &question.address, &question.headers);
    respond_fresh(&question.app, page, write).await
}

/// The same for a page with other parameters than those of its URL.
pub(super) async fn respond_fresh(
    app: &Arc<AppState>,
    page: Page,
    write: impl Fn(&RequestContext<'_>, &Page) -> Result<Answer> + Send + 'static,
) -> Response {
    let again = page.clone();
    let question = format!("uncached {}", app.uncached.fetch_add(1, Relaxed));
    let answer =
        app.respond_uncached(&app.long, question, move |context| write(context, &page.with_toast(context)?));
    finished(answer.await, &again)
}

/// The page for a URL that leads nowhere.
pub(in crate::web) fn no_page(question: &Question) -> Response {
    failed(question, Missing::Url.into())
}

/// The page for a request that fails before the archive is queried.
pub(super) fn failed(question: &Question, failure: Failure) -> Response {
    finished(failure.into_response(), &Page::new(&question.app, &question.address, &question.headers))
}

/// A redirect to a page.
pub(super) fn redirect(address: &Address) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, address.to_string())]).into_response()
}

/// A response with its language, and with a page if it is a failure.
fn finished(mut response: Response, page: &Page) -> Response {
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        // Programs that request data do not get a page.
        response = match page.address.path() {
            path if path.ends_with(".json") => as_json(response),
            path if path.ends_with(".csv") => response,
            _ => with_page(response, page, &failure),
        };
    }
    let headers = response.headers_mut();
    headers.append(VARY, const { HeaderValue::from_static("Accept-Language") });
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(page.language.tag()));
    response
}

/// The same response with an error page as its body.
fn with_page(response: Response, page: &Page, failure: &Failure) -> Response {
    let opening = similar_opening(&page.address);
    let page = page.titled(heading(failure, page.words));
    let why = reason(failure, page.language);
    match failure {
        Failure::BadRequest(_) | Failure::Refused { .. } if page.address.path() == "/games" => {
            with_body(response, &RefusedPage::new(page, why, opening))
        }
        _ => with_body(response, &FailurePage { why, page, opening }),
    }
}

/// The same response with a page as its body.
pub(super) fn with_body(response: Response, page: &impl Template) -> Response {
    let Ok(html) = page.render() else { return response };
    let (mut head, _) = response.into_parts();
    head.headers.insert(CONTENT_TYPE, HTML);
    (head, html).into_response()
}

/// What is wrong, in one line below the heading.
pub(super) fn reason(failure: &Failure, language: Language) -> String {
    let why = match failure {
        Failure::BadRequest(why) | Failure::BadPgn(why) => why.clone(),
        Failure::Refused { name, why } => named(name, language.refused(why)),
        Failure::TooLarge => language.words().large_own_pgn.to_owned(),
        other => language.said(other),
    };
    printable::line(&why).into_owned()
}

/// The heading of an error page.
pub(super) fn heading(failure: &Failure, words: &'static Messages) -> &'static str {
    match failure {
        Failure::Refused { why: Refused::NoChoice, .. } => words.edit_no_choice,
        Failure::BadRequest(_) | Failure::Refused { .. } => words.bad_request,
        Failure::BadPgn(_) | Failure::TooLarge => words.bad_own_pgn,
        Failure::NotFound(_) => words.not_found,
        Failure::Conflict(_) => words.edit_conflict,
        Failure::Busy | Failure::Unwanted => words.busy,
        Failure::TooSlow => words.too_slow,
        Failure::Damaged(_) | Failure::DamagedIndex(_) | Failure::Internal(_) => words.server_error,
    }
}

/// A page as an answer.
pub(super) fn answer(page: &impl Template) -> Result<Answer> {
    Ok(Answer::new(HTML, page.render().map_err(Failure::internal)?.into_bytes()))
}
