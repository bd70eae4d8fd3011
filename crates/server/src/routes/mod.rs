//! The routes of the interface, version 1, and of the page.

mod engine;
mod jobs;

use crate::{
    App, Options, guard,
    openapi::{Document, openapi},
    page,
    problem::Problem,
};
use axum::{
    Router,
    extract::{FromRequestParts, Path, Request, State},
    http::{HeaderValue, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use lambda6_api::Code;
use std::sync::Arc;
use tower_http::{catch_panic::CatchPanicLayer, set_header::SetResponseHeaderLayer};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

/// The interface with its description.
pub(crate) fn interface() -> OpenApiRouter<Arc<App>> {
    let routes =
        OpenApiRouter::with_openapi(Document::openapi()).merge(engine::routes()).merge(jobs::routes());
    OpenApiRouter::new().nest("/api/v1", routes)
}

/// Everything that is served, for these options.
pub fn router(options: Options) -> Router {
    router_of(App::new(options))
}

pub(crate) fn router_of(app: Arc<App>) -> Router {
    let (interface, _) = interface().split_for_parts();
    let description: Arc<str> = openapi().into();
    let interface = interface
        .route(
            "/api/v1/openapi.json",
            axum::routing::get(move || async move {
                ([(header::CONTENT_TYPE, "application/json")], description.to_string())
            }),
        )
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::caller));
    let header = |name, value| SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value));
    interface
        .fallback(axum::routing::get(page::file))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::host))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), in_time))
        .layer(CatchPanicLayer::custom(|_| Problem::bug().into_response()))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::CACHE_CONTROL, "no-store"))
        .layer(header(header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
        .with_state(app)
}

/// Ends a request that is not answered in time. A stream is answered when it
/// begins.
async fn in_time(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(app.options.answer_time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::new(Code::Timeout, "no answer within the time allowed").into_response(),
    }
}

/// The one parameter of a path.
struct Name(String);

impl FromRequestParts<Arc<App>> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Name, Problem> {
        let name = Path::<String>::from_request_parts(parts, app).await;
        name.map(|Path(name)| Name(name)).map_err(|e| Problem::new(Code::BadRequest, &e.body_text()))
    }
}
