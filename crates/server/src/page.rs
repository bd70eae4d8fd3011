//! The page's files, which are part of the binary.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::Response,
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

/// The page may run its own scripts and connect to this server, nothing else,
/// whatever the comment of a record contains.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Serves a file; the root is the page itself.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    // Files are looked up by name in a list, so no path leads outside.
    let Some(file) = Files::get(path) else {
        let mut response = Response::new(Body::from("there is nothing at this address\n"));
        *response.status_mut() = StatusCode::NOT_FOUND;
        return with_type(response, "text/plain; charset=utf-8");
    };
    let tag: String = file.metadata.sha256_hash().iter().take(12).map(|b| format!("{b:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|given| given.as_bytes() == tag.as_bytes());
    let mut response = match known {
        true => Response::new(Body::empty()),
        false => Response::new(Body::from(file.data.into_owned())),
    };
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let names_its_content = path.starts_with("assets/");
    let cache = if names_its_content { "public, max-age=31536000, immutable" } else { "no-cache" };
    let set = response.headers_mut();
    set.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    set.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        set.insert(header::ETAG, tag);
    }
    with_type(response, media_type(path))
}

fn with_type(mut response: Response, kind: &'static str) -> Response {
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
