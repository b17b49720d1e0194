//! What all pages have: language, title, links to the other pages; and the way from a request to a page.

use askama::Template;
use axum::{
    http::{
        HeaderMap, HeaderValue, Uri,
        header::{CONTENT_LANGUAGE, CONTENT_TYPE, VARY},
    },
    response::{IntoResponse, Response},
};

use super::{address::Address, language::Language, unknown::Unknown, words::Words};
use crate::{
    printable,
    web::{Answer, AppState, Asked, Failure, Question, assets::Asset},
};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// A request for a page.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) address: Address,
    pub(super) language: Language,
}

/// What all pages show.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) language: Language,
    pub(super) words: &'static Words,
    pub(super) title: String,
    pub(super) address: Address,
    pub(super) assets: &'static [Asset],
}

impl Request {
    fn new(uri: &Uri, headers: &HeaderMap) -> Request {
        let mut address = Address::of(uri);
        let chosen = address.get("lang").and_then(Language::of_tag);
        address.set("lang", chosen.map_or("", Language::tag));
        Request { language: chosen.unwrap_or_else(|| Language::accepted(headers)), address }
    }

    pub(super) fn words(&self) -> &'static Words {
        self.language.words()
    }

    /// The frame of a page with a title.
    pub(super) fn page(&self, title: &str) -> Page {
        Page {
            language: self.language,
            words: self.words(),
            title: printable::line(title).into_owned(),
            address: self.address.clone(),
            assets: Asset::all(),
        }
    }

    /// Another page, in a language that was chosen.
    pub(super) fn link(&self, path: impl Into<String>) -> Address {
        self.address.to(path, &["lang"])
    }
}

impl Page {
    /// The pages to which each leads, with their names.
    pub(super) fn sections(&self) -> [(&'static str, &'static str); 5] {
        let words = self.words;
        [
            ("/explorer", words.explorer),
            ("/games", words.games),
            ("/report", words.report),
            ("/editor", words.editor),
            ("/about", words.about),
        ]
    }

    pub(super) fn is_at(&self, path: &str) -> bool {
        self.address.path() == path
    }

    pub(super) fn link(&self, path: &str) -> Address {
        self.address.to(path, &["lang"])
    }

    /// The language, if it was chosen by hand.
    pub(super) fn chosen_language(&self) -> Option<&'static str> {
        self.address.get("lang").map(|_| self.language.tag())
    }

    /// This page in the other languages.
    pub(super) fn other_languages(&self) -> impl Iterator<Item = (Language, Address)> {
        let others = Language::ALL.into_iter().filter(|language| *language != self.language);
        others.map(|language| (language, self.address.with("lang", language.tag())))
    }
}

/// A page that says why there is none.
#[derive(Template)]
#[template(path = "failure.html")]
struct FailurePage {
    page: Page,
    why: String,
    /// An opening that may have been meant, and the page with it.
    opening: Option<(&'static str, Address)>,
}

/// The response to a request for a page: what `write` says of the archive, which must depend on the request alone.
pub(super) async fn respond(
    question: Question,
    write: impl FnOnce(&AppState, &Asked<'_>, &Request) -> Result<String, Failure> + Send + 'static,
) -> Response {
    let Question { app, address, headers } = question;
    let request = Request::new(&address, &headers);
    let (asked_in, again) = (request.language, request.clone());
    let question = format!("{} {address}", asked_in.tag());
    let answer = app.respond_to(&question, &headers, move |app, asked| {
        Ok(Answer::new(HTML, write(app, asked, &request)?.into_bytes()))
    });
    let mut response = answer.await;
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        response = with_page(response, &again, &failure);
    }
    let headers = response.headers_mut();
    headers.insert(VARY, const { HeaderValue::from_static("Accept-Language") });
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(asked_in.tag()));
    response
}

/// The same response with a page in the place of a line of text.
fn with_page(response: Response, request: &Request, failure: &Failure) -> Response {
    let page = request.page(request.words().failed);
    let why = match failure {
        Failure::BadRequest(why) => why.into(),
        other => other.text(),
    };
    let why = printable::line(&why).into_owned();
    let opening = Unknown::similar_opening(&request.address);
    let Ok(html) = (FailurePage { page, why, opening }).render() else { return response };
    let (mut head, _) = response.into_parts();
    head.headers.insert(CONTENT_TYPE, HTML);
    (head, html).into_response()
}

/// A page as HTML.
pub(super) fn rendered(page: &impl Template) -> Result<String, Failure> {
    page.render().map_err(|error| Failure::Internal(error.to_string()))
}
