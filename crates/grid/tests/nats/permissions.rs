//! What docs/grid-permissions.conf lets a worker do, and what it does not.

use super::*;
use async_nats::{ConnectOptions, Event as NatsEvent};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const PERMISSIONS: &str = include_str!("../../../../docs/grid-permissions.conf");

fn client_access(server: &Server) -> Access {
    let user = Some(("client".to_string(), "client-secret".to_string()));
    Access { user, ..access(server) }
}

/// The next subject that the server refused.
async fn refused(errors: &mut UnboundedReceiver<String>) -> String {
    loop {
        let error = errors.recv().await.unwrap();
        if error.to_lowercase().contains("permissions violation") {
            return error;
        }
    }
}

/// Each of these would let a worker do more than take jobs and return results. The
/// server says for each that it is refused; one that was let through would make the
/// answer to the next one come in its place.
#[test]
fn a_worker_can_do_nothing_else() {
    let server = Server::start(PERMISSIONS);
    let build = BUILD.to_string();
    let lease = Duration::from_secs(1);
    let grid = Grid::default();
    NatsClient::start(&client_access(&server), grid, "s".to_string(), build, Game::CONNECT6, lease, 8)
        .unwrap();
    let publish = [
        "lambda6.jobs.s",
        "lambda6.abort",
        "$KV.lambda6.s",
        "$JS.API.INFO",
        "$JS.API.STREAM.CREATE.mine",
        "$JS.API.STREAM.UPDATE.lambda6_JOBS",
        "$JS.API.STREAM.DELETE.lambda6_JOBS",
        "$JS.API.STREAM.PURGE.lambda6_JOBS",
        "$JS.API.STREAM.PURGE.KV_lambda6",
        "$JS.API.STREAM.INFO.lambda6_JOBS",
        "$JS.API.STREAM.MSG.GET.KV_lambda6",
        "$JS.API.STREAM.MSG.GET.lambda6_JOBS",
        "$JS.API.STREAM.MSG.DELETE.lambda6_JOBS",
        "$JS.API.STREAM.MSG.GET.lambda6_RESULTS",
        "$JS.API.STREAM.MSG.GET.lambda6_PROOFS",
        "$JS.API.STREAM.MSG.DELETE.lambda6_PROOFS",
        "$JS.API.CONSUMER.CREATE.lambda6_JOBS",
        "$JS.API.CONSUMER.DURABLE.CREATE.lambda6_JOBS.workers",
        "$JS.API.CONSUMER.DELETE.lambda6_JOBS.workers",
        "$JS.API.CONSUMER.CREATE.lambda6_RESULTS",
        "$JS.API.CONSUMER.MSG.NEXT.lambda6_RESULTS.client-s",
        "$JS.ACK.lambda6_RESULTS.client-s.1.1.1.1.0",
        "_INBOX.somebody",
    ];
    let subscribe =
        ["lambda6.results.s", "lambda6.jobs.s", "lambda6.workers.*", "_INBOX.>", "$JS.EVENT.>", ">"];
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (sender, mut errors) = unbounded_channel();
        let options = ConnectOptions::with_user_and_password("worker".into(), "worker-secret".into())
            .event_callback(move |event| {
                let sender = sender.clone();
                async move {
                    if let NatsEvent::ServerError(error) = event {
                        let _ = sender.send(error.to_string());
                    }
                }
            });
        let nats = options.connect(server.url()).await.unwrap();
        for subject in publish {
            nats.publish(subject, "{}".into()).await.unwrap();
            nats.flush().await.unwrap();
            let error = refused(&mut errors).await.to_lowercase();
            assert!(error.contains(&subject.to_lowercase()), "{subject}: {error}");
        }
        for subject in subscribe {
            let _subscriber = nats.subscribe(subject).await.unwrap();
            nats.flush().await.unwrap();
            let error = refused(&mut errors).await.to_lowercase();
            assert!(error.contains(&subject.to_lowercase()), "{subject}: {error}");
        }
    });
}
