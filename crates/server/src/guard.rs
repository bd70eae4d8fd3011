//! Who may ask.
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
//! A server that others can reach wants a token in every request to the
//! interface. No browser adds it by itself, so the same holds there.

use crate::{App, problem::Problem};
use api::Code;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// Lets requests through whose host is ours. For everything, the page included.
pub(crate) async fn host(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if app.options.is_local() && !is_local_host(authority(&request)) {
        return Problem::new(Code::Forbidden, "the Host header names another machine").into_response();
    }
    next.run(request).await
}

/// Lets requests through that come from our own page, or from no page, and that
/// know the token. For the interface.
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
    if request.method() == Method::POST && !has_plain_type(headers) {
        let message = "expected Content-Type application/json or application/octet-stream";
        return Some(Problem::new(Code::BadRequest, message));
    }
    let token = app.options.token.as_ref()?;
    let given = text("authorization").and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    (!token.is(given)).then(|| Problem::new(Code::Unauthorized, "a token is needed, and this is not it"))
}

fn has_plain_type(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    matches!(kind, "application/json" | "application/octet-stream")
}

/// The host and port that the client asked for.
fn authority(request: &Request) -> Option<&str> {
    match request.headers().get(header::HOST) {
        Some(host) => host.to_str().ok(),
        None => request.uri().authority().map(|authority| authority.as_str()),
    }
}

/// The port may be another: it may have been forwarded.
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
