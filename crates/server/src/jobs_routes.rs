//! The part of the interface that is about job-level searches.

use crate::{
    App,
    jobs::{
        Jobs, Seen,
        docs::{GoRequest, JobsList, NewJobs, SteerRequest, TreeNews},
    },
    problem::Problem,
    routes::{Asked, Whole},
    searches::{Events, kept_alive},
};
use api::{Answer, ApiError, Code, Event, Proof, ProofDoc, from_json};
use axum::{
    body::Body,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, sse},
};
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio_stream::{StreamExt, wrappers::IntervalStream};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

/// How often watchers are told what is new.
const LOOK_EVERY: Duration = Duration::from_millis(400);

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(go))
        .routes(routes!(stop))
        .routes(routes!(steer))
        .routes(routes!(events))
        .routes(routes!(certify))
}

fn jobs_of(app: &App) -> Result<Arc<Jobs>, Problem> {
    let none = || Problem::new(Code::Unavailable, "this server keeps no job-level searches");
    app.jobs.clone().ok_or_else(none)
}

/// Runs something that reads and writes files.
pub(crate) async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(Arc<Jobs>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let jobs = jobs_of(app)?;
    let broken = || Problem::new(Code::Internal, "the program made a mistake: please report it");
    tokio::task::spawn_blocking(move || work(jobs)).await.map_err(|_| broken())?
}

pub(crate) fn json(answer: &impl serde::Serialize) -> Asked {
    let Answer { kind, bytes } = Answer::json(answer)?;
    Ok(([(header::CONTENT_TYPE, kind)], Body::from(bytes)).into_response())
}

/// Nothing to say but that it was done.
#[derive(serde::Serialize, ToSchema)]
struct Done {
    /// Always true.
    done: bool,
}

/// The job-level searches
#[utoipa::path(get, path = "/jobs", tag = "jobs", responses((status = 200, body = JobsList), (status = 501, body = ApiError)))]
async fn list(State(app): State<Arc<App>>) -> Asked {
    json(&blocking(&app, |jobs| Ok(jobs.list())).await?)
}

/// Begin a job-level search, with worker threads of the server
#[utoipa::path(post, path = "/jobs", tag = "jobs", request_body = NewJobs, responses((status = 200, body = Done), (status = 400, body = ApiError), (status = 503, body = ApiError)))]
async fn create(State(app): State<Arc<App>>, Whole(body): Whole) -> Asked {
    let request: NewJobs = from_json(&body)?;
    blocking(&app, move |jobs| jobs.create(&request)).await?;
    json(&Done { done: true })
}

/// Go on with a job-level search
#[utoipa::path(post, path = "/jobs/{name}/go", tag = "jobs", params(("name" = String, Path)), request_body = GoRequest, responses((status = 200, body = Done), (status = 404, body = ApiError), (status = 503, body = ApiError)))]
async fn go(State(app): State<Arc<App>>, Path(name): Path<String>, Whole(body): Whole) -> Asked {
    let request: GoRequest = from_json(&body)?;
    blocking(&app, move |jobs| {
        let hands = jobs.hands(request.workers.as_deref(), request.threads)?;
        jobs.go(&name, hands)
    })
    .await?;
    json(&Done { done: true })
}

/// Stop a job-level search; everything that was found is kept
#[utoipa::path(post, path = "/jobs/{name}/stop", tag = "jobs", params(("name" = String, Path)), responses((status = 200, body = Done), (status = 404, body = ApiError)))]
async fn stop(State(app): State<Arc<App>>, Path(name): Path<String>) -> Asked {
    blocking(&app, move |jobs| jobs.stop(&name)).await?;
    json(&Done { done: true })
}

/// Suggest or forbid a move, force a node, pause a subtree
#[utoipa::path(post, path = "/jobs/{name}/steer", tag = "jobs", params(("name" = String, Path)), request_body = SteerRequest, responses((status = 200, body = Done), (status = 400, body = ApiError), (status = 404, body = ApiError)))]
async fn steer(State(app): State<Arc<App>>, Path(name): Path<String>, Whole(body): Whole) -> Asked {
    let request: SteerRequest = from_json(&body)?;
    blocking(&app, move |jobs| jobs.steer(&name, &request)).await?;
    json(&Done { done: true })
}

/// Watch a job-level search: events `tree`, the first with all nodes, the next with what is new
#[utoipa::path(get, path = "/jobs/{name}/events", tag = "jobs", params(("name" = String, Path)), responses((status = 200, body = TreeNews, content_type = "text/event-stream"), (status = 404, body = ApiError)))]
async fn events(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Events, Problem> {
    let place = app.searches.place()?;
    let mut seen = Seen::default();
    // The first look tells whether there is anything to watch.
    let (first, looked) = {
        let name = name.clone();
        blocking(&app, move |jobs| {
            let news = jobs.news(&name, &mut seen)?;
            Ok((news, seen))
        })
        .await?
    };
    let jobs = jobs_of(&app)?;
    let state = Arc::new(std::sync::Mutex::new(looked));
    let first = tokio_stream::iter(first.map(Ok));
    let later = IntervalStream::new(tokio::time::interval(LOOK_EVERY)).then(move |_| {
        let (jobs, state, name) = (Arc::clone(&jobs), Arc::clone(&state), name.clone());
        async move {
            let look = move || {
                let mut seen = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                jobs.news(&name, &mut seen).map_err(|problem| problem.0)
            };
            let broken = |_| Err(ApiError::internal("the program made a mistake: please report it"));
            tokio::task::spawn_blocking(look).await.unwrap_or_else(broken)
        }
    });
    let later = later.filter_map(|news| news.transpose());
    let events = first.chain(later).map(move |news| {
        let _ = &place;
        let event = match news {
            Ok(news) => Event::new("tree", &news),
            Err(error) => Event::new("error", &error),
        };
        Ok::<_, Infallible>(sse::Event::default().event(event.name).data(event.data))
    });
    Ok(kept_alive(Box::pin(events)))
}

/// One certificate for a solved search, kept for browsing
#[utoipa::path(post, path = "/jobs/{name}/certify", tag = "jobs", params(("name" = String, Path)), responses((status = 200, body = ProofDoc, content_type = "text/event-stream"), (status = 404, body = ApiError), (status = 503, body = ApiError)))]
async fn certify(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Events, Problem> {
    let (jobs, desk) = (jobs_of(&app)?, Arc::clone(&app.desk));
    app.searches.run(Box::new(move |work| {
        let text = jobs.certificate(&name, work.stop)?;
        let proof = Arc::new(Proof::check(text, &desk.ceiling, work.stop, &mut |_| {})?);
        let doc = proof.doc();
        desk.proofs.insert(proof);
        Ok(Event::new("done", &doc))
    }))
}
