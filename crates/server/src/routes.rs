//! The interface, version 1.

use crate::{App, Options, guard, jobs_routes, page, problem::Problem, searches::Events};
use api::{
    About, AnalyseDoc, AnalyseRequest, Answer, AnswerDoc, AnswerRequest, ApiError, Atlas, ChoiceDoc, Code,
    EvaluateDoc, EvaluateRequest, JudgeDoc, JudgeRequest, PlayProgress, PlayRequest, PositionDoc,
    PositionSpec, ProofDoc, Puzzles, Question, RecordDoc, SolveDoc, SolveProgress, SolveRequest, StandDoc,
    WriteRequest,
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, FromRequest, Path, Query, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use std::sync::Arc;
use tower_http::{catch_panic::CatchPanicLayer, set_header::SetResponseHeaderLayer, timeout::TimeoutLayer};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};

/// Bytes of a JSON request. Records have a limit of their own.
const MAX_JSON: usize = 1 << 20;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "lambda6",
        description = "Connect6 and its family: positions, records, play, analysis, forced wins and \
            proofs. Searches answer with server-sent events: `queued` while they wait for their turn, \
            `progress` now and then, and at the end `done` with the answer or `error`. Closing the \
            connection stops the search.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(PlayProgress, SolveProgress, StandDoc)),
    modifiers(&Bearer)
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("Needed when the server listens on an address that others can reach."))
            .build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

fn interface(options: &Options) -> OpenApiRouter<Arc<App>> {
    let ceiling = options.ceiling;
    let limit = |bytes: usize| DefaultBodyLimit::max(bytes);
    let small = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(about))
        .routes(routes!(position))
        .routes(routes!(play))
        .routes(routes!(analyse))
        .routes(routes!(evaluate))
        .routes(routes!(solve))
        .routes(routes!(proof))
        .routes(routes!(proof_answer))
        .routes(routes!(puzzles))
        .routes(routes!(judge))
        .routes(routes!(atlas))
        .merge(jobs_routes::routes())
        .layer(limit(MAX_JSON));
    // A record as a document is longer than its text.
    let records = OpenApiRouter::new()
        .routes(routes!(record_read))
        .routes(routes!(record_write))
        .layer(limit(ceiling.record.saturating_mul(4)));
    let certificates = OpenApiRouter::new().routes(routes!(check)).layer(limit(ceiling.certificate));
    OpenApiRouter::new().nest("/api/v1", small.merge(records).merge(certificates))
}

/// The description of the interface.
pub fn openapi() -> String {
    let (_, mut document) = interface(&Options::default()).split_for_parts();
    let info = Document::openapi();
    document.info = info.info;
    document.to_pretty_json().unwrap_or_default()
}

/// Everything that is served, for these options.
pub fn router(options: Options) -> Router {
    router_of(App::new(options))
}

pub(crate) fn router_of(app: Arc<App>) -> Router {
    let (interface, _) = interface(&app.options).split_for_parts();
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
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, app.options.patience))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::new(Code::Internal, "the program made a mistake: please report it").into_response()
        }))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::CACHE_CONTROL, "no-store"))
        .layer(header(header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
        .with_state(app)
}

pub(crate) type Asked = Result<Response, Problem>;

/// A body that was read whole; if not, the reason in our own words.
pub(crate) struct Whole(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Whole {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Whole, Problem> {
        match Bytes::from_request(request, state).await {
            Ok(bytes) => Ok(Whole(bytes)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Problem::new(Code::TooLarge, "the request is longer than is allowed here"))
            }
            Err(rejection) => Err(Problem::new(Code::BadRequest, &rejection.body_text())),
        }
    }
}

/// Answers a question that takes no search, on a thread that may take its time.
async fn answer(app: Arc<App>, path: String, query: Option<String>, body: Bytes) -> Asked {
    let broken = || Problem::new(Code::Internal, "the program made a mistake: please report it");
    let _turn = app.answers.acquire().await.map_err(|_| broken())?;
    let desk = Arc::clone(&app.desk);
    let work = tokio::task::spawn_blocking(move || desk.answer(&path, query.as_deref(), &body));
    let Answer { kind, bytes } = work.await.map_err(|_| broken())??;
    Ok(([(header::CONTENT_TYPE, kind)], Body::from(bytes)).into_response())
}

fn search(app: &App, path: &str, body: &[u8]) -> Result<Events, Problem> {
    let question = Question::parse(path, body)?;
    let question = question.ok_or_else(|| Problem::new(Code::Internal, "not a search"))?;
    app.searches.start(Arc::clone(&app.desk), question)
}

/// What this server is and can do
#[utoipa::path(get, path = "/about", tag = "engine", responses((status = 200, body = About), (status = 401, body = ApiError)))]
async fn about(State(app): State<Arc<App>>) -> Asked {
    answer(app, "about".to_string(), None, Bytes::new()).await
}

/// Threats, defences and threat cells of a position
#[utoipa::path(post, path = "/position", tag = "positions", request_body = PositionSpec, responses((status = 200, body = PositionDoc), (status = 400, body = ApiError)))]
async fn position(State(app): State<Arc<App>>, Whole(body): Whole) -> Asked {
    answer(app, "position".to_string(), None, body).await
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ReadQuery {
    /// The game, where the record does not say: a name or `m n k p q`.
    game: Option<String>,
}

/// Read a record in any format
#[utoipa::path(post, path = "/record/read", tag = "records", params(ReadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "The file"),
    responses((status = 200, body = RecordDoc), (status = 400, body = ApiError), (status = 413, body = ApiError)))]
async fn record_read(State(app): State<Arc<App>>, query: Query<ReadQuery>, Whole(body): Whole) -> Asked {
    answer(app, "record/read".to_string(), query.0.game, body).await
}

/// Write a record in any format
#[utoipa::path(post, path = "/record/write", tag = "records", request_body = WriteRequest,
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream", description = "The file"), (status = 400, body = ApiError)))]
async fn record_write(State(app): State<Arc<App>>, Whole(body): Whole) -> Asked {
    answer(app, "record/write".to_string(), None, body).await
}

/// A move of the engine's; events as described above, with PlayProgress
#[utoipa::path(post, path = "/play", tag = "searches", request_body = PlayRequest,
    responses((status = 200, body = ChoiceDoc, content_type = "text/event-stream"), (status = 400, body = ApiError), (status = 503, body = ApiError)))]
async fn play(State(app): State<Arc<App>>, Whole(body): Whole) -> Result<Events, Problem> {
    search(&app, "play", &body)
}

/// The best moves with their scores; events as described above, with PlayProgress
#[utoipa::path(post, path = "/analyse", tag = "searches", request_body = AnalyseRequest,
    responses((status = 200, body = AnalyseDoc, content_type = "text/event-stream"), (status = 400, body = ApiError), (status = 503, body = ApiError)))]
async fn analyse(State(app): State<Arc<App>>, Whole(body): Whole) -> Result<Events, Problem> {
    search(&app, "analyse", &body)
}

/// Who stands better after each move of a game; a StandDoc for each position
#[utoipa::path(post, path = "/evaluate", tag = "searches", request_body = EvaluateRequest,
    responses((status = 200, body = EvaluateDoc, content_type = "text/event-stream"), (status = 400, body = ApiError), (status = 503, body = ApiError)))]
async fn evaluate(State(app): State<Arc<App>>, Whole(body): Whole) -> Result<Events, Problem> {
    search(&app, "evaluate", &body)
}

/// A forced win with its proof; events as described above, with SolveProgress
#[utoipa::path(post, path = "/solve", tag = "searches", request_body = SolveRequest,
    responses((status = 200, body = SolveDoc, content_type = "text/event-stream"), (status = 400, body = ApiError), (status = 503, body = ApiError)))]
async fn solve(State(app): State<Arc<App>>, Whole(body): Whole) -> Result<Events, Problem> {
    search(&app, "solve", &body)
}

/// Check a certificate, plain or compressed with zstd, and keep it for browsing
#[utoipa::path(post, path = "/proofs", tag = "proofs",
    request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "The certificate"),
    responses((status = 200, body = ProofDoc, content_type = "text/event-stream"), (status = 413, body = ApiError), (status = 503, body = ApiError)))]
async fn check(State(app): State<Arc<App>>, Whole(body): Whole) -> Result<Events, Problem> {
    search(&app, "proofs", &body)
}

/// The text of a certificate
#[utoipa::path(get, path = "/proofs/{id}", tag = "proofs", params(("id" = String, Path, description = "From a ProofDoc")),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = ApiError)))]
async fn proof(State(app): State<Arc<App>>, Path(id): Path<String>) -> Asked {
    answer(app, format!("proofs/{}", plain(&id)?), None, Bytes::new()).await
}

/// The attacker's answer to the defender's moves
#[utoipa::path(post, path = "/proofs/{id}/answer", tag = "proofs", params(("id" = String, Path, description = "From a ProofDoc")),
    request_body = AnswerRequest,
    responses((status = 200, body = AnswerDoc), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
async fn proof_answer(State(app): State<Arc<App>>, Path(id): Path<String>, Whole(body): Whole) -> Asked {
    answer(app, format!("proofs/{}/answer", plain(&id)?), None, body).await
}

/// The puzzles
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", responses((status = 200, body = Puzzles)))]
async fn puzzles(State(app): State<Arc<App>>) -> Asked {
    answer(app, "puzzles".to_string(), None, Bytes::new()).await
}

/// Judge an attempt at a puzzle
#[utoipa::path(post, path = "/puzzles/judge", tag = "puzzles", request_body = JudgeRequest,
    responses((status = 200, body = JudgeDoc, content_type = "text/event-stream"), (status = 400, body = ApiError), (status = 503, body = ApiError)))]
async fn judge(State(app): State<Arc<App>>, Whole(body): Whole) -> Result<Events, Problem> {
    search(&app, "puzzles/judge", &body)
}

/// The openings of Connect6 and what is known of them
#[utoipa::path(get, path = "/atlas", tag = "atlas", responses((status = 200, body = Atlas)))]
async fn atlas(State(app): State<Arc<App>>) -> Asked {
    if app.jobs.is_some() {
        return jobs_routes::json(&jobs_routes::blocking(&app, |jobs| Ok(jobs.atlas())).await?);
    }
    answer(app, "atlas".to_string(), None, Bytes::new()).await
}

/// A name that is nothing but a name.
fn plain(id: &str) -> Result<&str, Problem> {
    let is_plain = !id.is_empty() && id.bytes().all(|b| b.is_ascii_hexdigit());
    is_plain.then_some(id).ok_or_else(|| Problem::new(Code::NotFound, "no such proof is here"))
}
