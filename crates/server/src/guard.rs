//! Admits requests by host, site and token.
//!
//! A server on this machine's own address needs no password, but any web site
//! that the user visits can make the browser send requests to it. Three checks
//! keep those out:
//!
//! - the `Host` must be a name of this machine: a site whose name was made to
//!   point here (DNS rebinding) still sends its own name;
//! - the `Origin` must be the server itself, where the browser sends one, and
//!   `Sec-Fetch-Site` must not tell of another site;
//! - the interface takes no form that a page can submit without asking: bodies
//!   are JSON or bytes, never forms or plain text.
//!
//! A server that other machines can reach requires a token in every request to
//! the interface. No browser adds it by itself, so other sites are kept out there
//! as well.

use crate::{App, problem::Problem};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use lambda6_api::{ApiError, Code};
use std::sync::Arc;

/// Admits requests to a host that is this machine. For every request, the page
/// included.
pub(crate) async fn host(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if app.options.is_local() && !is_local_host(authority(&request)) {
        return Problem::new(Code::Forbidden, "the Host header names another machine").into_response();
    }
    next.run(request).await
}

/// Admits requests of our own page or of no page, with the token. For the
/// interface.
pub(crate) async fn caller(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let refused = refusal(&app, &request);
    match refused {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    }
}

fn refusal(app: &App, request: &Request) -> Option<Problem> {
    let headers = request.headers();
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(origin) = text("origin") {
        let ours = origin.split_once("://").is_some_and(|(scheme, rest)| {
            matches!(scheme, "http" | "https") && Some(rest) == authority(request)
        });
        if !ours {
            return Some(Problem::new(Code::Forbidden, "the request comes from another site"));
        }
    }
    if text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return Some(Problem::new(Code::Forbidden, "the request comes from another site"));
    }
    let token = app.options.token.as_ref()?;
    let given = text("authorization").and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    (!token.is(given)).then(|| Problem::new(Code::Unauthorized, "a token is needed, and this is not it"))
}

/// Refuses the media types that a page can send to another site without asking
/// the server for permission. For every body that is read.
pub(crate) fn media_type(headers: &HeaderMap) -> Result<(), ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if matches!(kind, "application/json" | "application/octet-stream") {
        return Ok(());
    }
    let message = "expected Content-Type application/json or application/octet-stream";
    Err(ApiError::new(Code::BadRequest, message))
}

/// The host and port that the client asked for.
fn authority(request: &Request) -> Option<&str> {
    match request.headers().get(header::HOST) {
        Some(host) => host.to_str().ok(),
        None => request.uri().authority().map(|authority| authority.as_str()),
    }
}

/// Whether an authority names this machine. Any port is accepted: it may be
/// forwarded.
fn is_local_host(authority: Option<&str>) -> bool {
    let Some(authority) = authority else { return false };
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => authority,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::is_local_host;

    #[test]
    fn only_names_of_this_machine_are_local() {
        for name in ["localhost", "localhost:6006", "127.0.0.1:1", "[::1]:6006", "[::1]"] {
            assert!(is_local_host(Some(name)), "{name}");
        }
        for name in ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:6006", "0.0.0.0:1"]
        {
            assert!(!is_local_host(Some(name)), "{name}");
        }
        assert!(!is_local_host(None));
    }
}
