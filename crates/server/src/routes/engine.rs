//! The routes of positions, records, searches, proofs, puzzles and openings.

use super::{Name, jobs};
use crate::{
    App,
    body::{Document, Record, Upload, Whole},
    problem::Problem,
    searches::Events,
};
use axum::{
    body::{Body, Bytes},
    extract::{Query, State, rejection::QueryRejection},
    http::header,
    response::{IntoResponse, Response},
};
use lambda6_api::{
    About, AnalyseDoc, AnalyseRequest, AnswerDoc, AnswerRequest, Atlas, ChoiceDoc, Classes, ClassesRequest,
    Code, EvaluateDoc, EvaluateRequest, JudgeDoc, JudgeRequest, PlayRequest, PositionDoc, PositionSpec,
    Proof, ProofDoc, Puzzles, RecordDoc, ReviewDoc, ReviewFileRequest, ReviewRequest, ServiceAnswer,
    SolveDoc, SolveRequest, VerifyDoc, VerifyRequest, WriteRequest,
};
use serde::Deserialize;
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(about))
        .routes(routes!(classes))
        .routes(routes!(position))
        .routes(routes!(record_read))
        .routes(routes!(record_write))
        .routes(routes!(play))
        .routes(routes!(analyse))
        .routes(routes!(evaluate))
        .routes(routes!(review))
        .routes(routes!(review_record))
        .routes(routes!(review_page))
        .routes(routes!(solve))
        .routes(routes!(verify))
        .routes(routes!(check))
        .routes(routes!(proof))
        .routes(routes!(proof_answer))
        .routes(routes!(puzzles))
        .routes(routes!(judge))
        .routes(routes!(atlas))
}

/// A response, or the error in its place.
pub(super) type Reply = Result<Response, Problem>;

/// Answers a request that needs no search, on a thread that may block.
async fn answer(app: Arc<App>, path: String, game: Option<String>, body: Whole) -> Reply {
    let _turn = app.answers.acquire().await.map_err(|_| Problem::bug())?;
    let service = Arc::clone(&app.service);
    let work = tokio::task::spawn_blocking(move || service.answer(&path, game.as_deref(), &body));
    let ServiceAnswer { kind, bytes } = work.await.map_err(|_| Problem::bug())??;
    Ok(([(header::CONTENT_TYPE, kind)], Body::from(bytes)).into_response())
}

/// Answers a request without a body.
async fn answer_get(app: Arc<App>, path: &str) -> Reply {
    let body = Whole::empty(&app);
    answer(app, path.to_string(), None, body).await
}

fn search(app: &App, path: &str, body: &Whole) -> Result<Events, Problem> {
    let search = app.service.prepare(path, body)?.ok_or_else(Problem::bug)?;
    let service = Arc::clone(&app.service);
    app.searches.run(Box::new(move |work| service.search(search, work)))
}

/// The version, abilities and limits of this server
#[utoipa::path(get, path = "/about", tag = "engine", responses((status = 200, body = About)))]
async fn about(State(app): State<Arc<App>>) -> Reply {
    answer_get(app, "about").await
}

/// The classes of forced wins of a game
#[utoipa::path(post, path = "/classes", tag = "engine", request_body = ClassesRequest,
    responses((status = 200, body = Classes)))]
async fn classes(State(app): State<Arc<App>>, Document(body): Document) -> Reply {
    answer(app, "classes".to_string(), None, body).await
}

/// Threats, defences and threat cells of a position
#[utoipa::path(post, path = "/position", tag = "positions", request_body = PositionSpec,
    responses((status = 200, body = PositionDoc)))]
async fn position(State(app): State<Arc<App>>, Document(body): Document) -> Reply {
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
    responses((status = 200, body = RecordDoc)))]
async fn record_read(
    State(app): State<Arc<App>>,
    query: Result<Query<ReadQuery>, QueryRejection>,
    Record(body): Record,
) -> Reply {
    let Query(query) = query.map_err(|e| Problem::new(Code::BadRequest, &e.body_text()))?;
    answer(app, "record/read".to_string(), query.game, body).await
}

/// Write a record in any format
#[utoipa::path(post, path = "/record/write", tag = "records", request_body = WriteRequest,
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream", description = "The file")))]
async fn record_write(State(app): State<Arc<App>>, Record(body): Record) -> Reply {
    answer(app, "record/write".to_string(), None, body).await
}

/// A move of the engine's
#[utoipa::path(post, path = "/play", tag = "searches", request_body = PlayRequest,
    responses((status = 200, body = ChoiceDoc, content_type = "text/event-stream")))]
async fn play(State(app): State<Arc<App>>, Document(body): Document) -> Result<Events, Problem> {
    search(&app, "play", &body)
}

/// The best moves with their scores
#[utoipa::path(post, path = "/analyse", tag = "searches", request_body = AnalyseRequest,
    responses((status = 200, body = AnalyseDoc, content_type = "text/event-stream")))]
async fn analyse(State(app): State<Arc<App>>, Document(body): Document) -> Result<Events, Problem> {
    search(&app, "analyse", &body)
}

/// Who stands better after each move of a game
#[utoipa::path(post, path = "/evaluate", tag = "searches", request_body = EvaluateRequest,
    responses((status = 200, body = EvaluateDoc, content_type = "text/event-stream")))]
async fn evaluate(State(app): State<Arc<App>>, Document(body): Document) -> Result<Events, Problem> {
    search(&app, "evaluate", &body)
}

/// A review of a game: who stood better where, mistakes, missed forced wins
#[utoipa::path(post, path = "/review", tag = "reviews", request_body = ReviewRequest,
    responses((status = 200, body = ReviewDoc, content_type = "text/event-stream")))]
async fn review(State(app): State<Arc<App>>, Record(body): Record) -> Result<Events, Problem> {
    search(&app, "review", &body)
}

/// Write a review into the record of the game
#[utoipa::path(post, path = "/review/record", tag = "reviews", request_body = ReviewFileRequest,
    responses((status = 200, body = RecordDoc)))]
async fn review_record(State(app): State<Arc<App>>, Record(body): Record) -> Reply {
    answer(app, "review/record".to_string(), None, body).await
}

/// Write a review as one page that needs no network
#[utoipa::path(post, path = "/review/page", tag = "reviews", request_body = ReviewFileRequest,
    responses((status = 200, body = String, content_type = "text/html", description = "The page")))]
async fn review_page(State(app): State<Arc<App>>, Record(body): Record) -> Reply {
    answer(app, "review/page".to_string(), None, body).await
}

/// A forced win with its proof
#[utoipa::path(post, path = "/solve", tag = "searches", request_body = SolveRequest,
    responses((status = 200, body = SolveDoc, content_type = "text/event-stream")))]
async fn solve(State(app): State<Arc<App>>, Document(body): Document) -> Result<Events, Problem> {
    search(&app, "solve", &body)
}

/// The defender's moves that are not known to lose
#[utoipa::path(post, path = "/verify", tag = "searches", request_body = VerifyRequest,
    responses((status = 200, body = VerifyDoc, content_type = "text/event-stream")))]
async fn verify(State(app): State<Arc<App>>, Document(body): Document) -> Result<Events, Problem> {
    search(&app, "verify", &body)
}

/// Check a certificate, plain or compressed with zstd, and keep it for browsing
#[utoipa::path(post, path = "/proofs", tag = "proofs",
    request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "The certificate"),
    responses((status = 200, body = ProofDoc, content_type = "text/event-stream")))]
async fn check(State(app): State<Arc<App>>, mut upload: Upload) -> Result<Events, Problem> {
    let service = Arc::clone(&app.service);
    app.checks.run(Box::new(move |work| {
        let checked = service.check(&mut upload, work);
        upload.discard();
        checked
    }))
}

/// The text of a proof, which is not copied for every client that reads it.
struct Text(Arc<Proof>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.0.text()
    }
}

/// The text of a certificate
#[utoipa::path(get, path = "/proofs/{id}", tag = "proofs", params(("id" = String, Path, description = "From a ProofDoc")),
    responses((status = 200, body = String, content_type = "text/plain")))]
async fn proof(State(app): State<Arc<App>>, Name(id): Name) -> Reply {
    let text = Bytes::from_owner(Text(app.service.proofs.get(&id)?));
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], Body::from(text)).into_response())
}

/// The attacker's answer to the defender's moves
#[utoipa::path(post, path = "/proofs/{id}/answer", tag = "proofs", params(("id" = String, Path, description = "From a ProofDoc")),
    request_body = AnswerRequest, responses((status = 200, body = AnswerDoc)))]
async fn proof_answer(State(app): State<Arc<App>>, Name(id): Name, Document(body): Document) -> Reply {
    // A name with a slash would be another path.
    app.service.proofs.get(&id)?;
    answer(app, format!("proofs/{id}/answer"), None, body).await
}

/// The puzzles
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", responses((status = 200, body = Puzzles)))]
async fn puzzles(State(app): State<Arc<App>>) -> Reply {
    answer_get(app, "puzzles").await
}

/// Judge an attempt at a puzzle
#[utoipa::path(post, path = "/puzzles/judge", tag = "puzzles", request_body = JudgeRequest,
    responses((status = 200, body = JudgeDoc, content_type = "text/event-stream")))]
async fn judge(State(app): State<Arc<App>>, Document(body): Document) -> Result<Events, Problem> {
    search(&app, "puzzles/judge", &body)
}

/// The openings of Connect6 and what is known of them
#[utoipa::path(get, path = "/atlas", tag = "atlas", responses((status = 200, body = Atlas)))]
async fn atlas(State(app): State<Arc<App>>) -> Reply {
    match app.jobs {
        Some(_) => jobs::json(&jobs::blocking(&app, |jobs| Ok(jobs.atlas())).await?),
        None => answer_get(app, "atlas").await,
    }
}
