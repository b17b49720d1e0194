//! The limits that all routes have in common.

use std::{any::Any, time::Duration};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    response::{IntoResponse, Response},
};
use tower_http::{catch_panic::CatchPanicLayer, timeout::RequestBodyDeadlineLayer};

use super::Failure;
use crate::limits::REQUEST_TIME;

/// The routes with the common limits: a panic becomes an error response, and no body is read. A route that accepts
/// bodies has its own `DefaultBodyLimit::max` layer, and the complete body must arrive within [`REQUEST_TIME`].
pub(super) fn bounded(routes: Router) -> Router {
    bounded_by(routes, REQUEST_TIME)
}

/// The same, with another time for a body.
pub(super) fn bounded_by(routes: Router, time: Duration) -> Router {
    routes.layer(DefaultBodyLimit::max(0)).layer(RequestBodyDeadlineLayer::new(time)).layer(catch_panic())
}

/// Makes an error response of a panic.
pub(super) fn catch_panic() -> CatchPanicLayer<fn(Box<dyn Any + Send>) -> Response> {
    // The panic has been logged.
    CatchPanicLayer::custom(|_| Failure::internal("a handler panicked").into_response())
}
