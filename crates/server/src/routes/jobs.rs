//! The routes of job-level searches.

use super::{Name, engine::Reply};
use crate::{
    App,
    body::Document,
    jobs::{
        Jobs, Seen,
        documents::{GoRequest, JobsList, NewJobs, SteerRequest, TreeNews},
    },
    problem::Problem,
    searches::{Events, kept_alive},
};
use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, sse},
};
use lambda6_api::{Code, Event, ProofDoc, ServiceAnswer, from_json};
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio_stream::{StreamExt, wrappers::IntervalStream};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The time between two events of a stream.
const LOOK_EVERY: Duration = Duration::from_millis(400);

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
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
pub(super) async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(Arc<Jobs>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let jobs = jobs_of(app)?;
    tokio::task::spawn_blocking(move || work(jobs)).await.map_err(|_| Problem::bug())?
}

pub(super) fn json(answer: &impl serde::Serialize) -> Reply {
    let ServiceAnswer { kind, bytes } = ServiceAnswer::json(answer)?;
    Ok(([(header::CONTENT_TYPE, kind)], Body::from(bytes)).into_response())
}

/// The request was carried out.
#[derive(serde::Serialize, ToSchema)]
struct Done {
    /// Always true.
    done: bool,
}

/// The job-level searches
#[utoipa::path(get, path = "/jobs", tag = "jobs", responses((status = 200, body = JobsList)))]
async fn list(State(app): State<Arc<App>>) -> Reply {
    json(&blocking(&app, |jobs| Ok(jobs.list())).await?)
}

/// Begin a job-level search, with worker threads of the server
#[utoipa::path(post, path = "/jobs", tag = "jobs", request_body = NewJobs, responses((status = 200, body = Done)))]
async fn create(State(app): State<Arc<App>>, Document(body): Document) -> Reply {
    let request: NewJobs = from_json(&body)?;
    blocking(&app, move |jobs| jobs.create(&request)).await?;
    json(&Done { done: true })
}

/// Go on with a job-level search
#[utoipa::path(post, path = "/jobs/{name}/go", tag = "jobs", params(("name" = String, Path)), request_body = GoRequest, responses((status = 200, body = Done)))]
async fn go(State(app): State<Arc<App>>, Name(name): Name, Document(body): Document) -> Reply {
    let request: GoRequest = from_json(&body)?;
    blocking(&app, move |jobs| {
        let workers = jobs.worker_kind(request.workers.as_deref(), request.threads)?;
        jobs.go(&name, workers)
    })
    .await?;
    json(&Done { done: true })
}

/// Stop a job-level search; everything that was found is kept
#[utoipa::path(post, path = "/jobs/{name}/stop", tag = "jobs", params(("name" = String, Path)), responses((status = 200, body = Done)))]
async fn stop(State(app): State<Arc<App>>, Name(name): Name, _: Document) -> Reply {
    blocking(&app, move |jobs| jobs.stop(&name)).await?;
    json(&Done { done: true })
}

/// Suggest or forbid a move, force a node, pause a subtree
#[utoipa::path(post, path = "/jobs/{name}/steer", tag = "jobs", params(("name" = String, Path)), request_body = SteerRequest, responses((status = 200, body = Done)))]
async fn steer(State(app): State<Arc<App>>, Name(name): Name, Document(body): Document) -> Reply {
    let request: SteerRequest = from_json(&body)?;
    blocking(&app, move |jobs| jobs.steer(&name, &request)).await?;
    json(&Done { done: true })
}

/// Watch a job-level search: events `tree`, the first with all nodes, the next with what is new
#[utoipa::path(get, path = "/jobs/{name}/events", tag = "jobs", params(("name" = String, Path)), responses((status = 200, body = TreeNews, content_type = "text/event-stream")))]
async fn events(State(app): State<Arc<App>>, Name(name): Name) -> Result<Events, Problem> {
    let place = app.searches.place()?;
    let mut seen = Seen::default();
    // The first look fails if there is no such search.
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
                jobs.news(&name, &mut seen)
            };
            tokio::task::spawn_blocking(look).await.unwrap_or_else(|_| Err(Problem::bug()))
        }
    });
    let later = later.filter_map(|news| news.transpose());
    let events = first.chain(later).map(move |news| {
        let _ = &place;
        let event = match news {
            Ok(news) => Event::new("tree", &news),
            Err(Problem(error)) => Event::new("error", &error),
        };
        Ok::<_, Infallible>(sse::Event::default().event(event.name).data(event.data))
    });
    Ok(kept_alive(Box::pin(events)))
}

/// One certificate for a solved search, kept for browsing
#[utoipa::path(post, path = "/jobs/{name}/certify", tag = "jobs", params(("name" = String, Path)), responses((status = 200, body = ProofDoc, content_type = "text/event-stream")))]
async fn certify(State(app): State<Arc<App>>, Name(name): Name, _: Document) -> Result<Events, Problem> {
    let (jobs, service) = (jobs_of(&app)?, Arc::clone(&app.service));
    app.searches.run(Box::new(move |work| service.check(&jobs.certificate(&name, work.stop)?[..], work)))
}
