//! What docs/grid-accounts.conf lets a worker do, and what it does not.

use super::*;
use async_nats::{ConnectOptions, Event as NatsEvent};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

pub const ACCOUNTS: &str = include_str!("../../../../docs/grid-accounts.conf");

/// A client of the account of clients.
pub fn grid_client(server: &Server, search: &str) -> NatsClient {
    NatsClient::start(&access_of(server, "client"), client_settings(search, 8), &mut |_| false).unwrap()
}

/// A connection of this user, and the errors that the server sends it.
pub async fn connect(server: &Server, user: &str) -> (async_nats::Client, UnboundedReceiver<String>) {
    let (sender, errors) = unbounded_channel();
    let options = ConnectOptions::with_user_and_password(user.into(), format!("{user}-secret"))
        .custom_inbox_prefix(format!("_INBOX_lambda6.{user}"))
        .event_callback(move |event| {
            let sender = sender.clone();
            async move {
                if let NatsEvent::ServerError(error) = event {
                    let _ = sender.send(error.to_string());
                }
            }
        });
    (options.connect(server.url()).await.unwrap(), errors)
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

/// Each of these would let a worker do more than take jobs and return results, or
/// speak and hear in the name of another owner. The server says for each that it is
/// refused; one that is let through makes the error of the next one come in its place.
#[test]
fn a_worker_can_do_nothing_else() {
    let server = Server::start(ACCOUNTS);
    let _client = grid_client(&server, "s");
    let publish = [
        "lambda6.jobs.s",
        "lambda6.abort",
        "lambda6.results.s.bob.one",
        "lambda6.results.s.alice",
        "lambda6.proofs.bob.id.0",
        "lambda6.workers.bob.one",
        "lambda6.workers.alice",
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
        "$JS.API.CONSUMER.INFO.lambda6_JOBS.workers",
        "$JS.API.CONSUMER.DURABLE.CREATE.lambda6_JOBS.workers",
        "$JS.API.CONSUMER.DELETE.lambda6_JOBS.workers",
        "$JS.API.CONSUMER.CREATE.lambda6_RESULTS",
        "$JS.API.CONSUMER.MSG.NEXT.lambda6_RESULTS.results-s",
        "$JS.ACK.lambda6_RESULTS.results-s.1.1.1.1.0",
        "_INBOX.somebody",
        "_INBOX_lambda6.bob.somebody",
    ];
    let subscribe = [
        "lambda6.results.s.alice.one",
        "lambda6.jobs.s",
        "lambda6.workers.*.*",
        "_INBOX.>",
        "_INBOX_lambda6.>",
        "_INBOX_lambda6.bob.>",
        "_INBOX_lambda6.*.one",
        "$JS.EVENT.>",
        "$JS.ACK.>",
        ">",
    ];
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (nats, mut errors) = connect(&server, "alice").await;
        for subject in publish {
            nats.publish(subject, "{}".into()).await.unwrap();
            nats.flush().await.unwrap();
            let error = refused(&mut errors).await.to_lowercase();
            assert!(error.contains(&format!("{:?}", subject.to_lowercase())), "{subject}: {error}");
        }
        for subject in subscribe {
            let _subscriber = nats.subscribe(subject).await.unwrap();
            nats.flush().await.unwrap();
            let error = refused(&mut errors).await.to_lowercase();
            assert!(error.contains(&format!("{:?}", subject.to_lowercase())), "{subject}: {error}");
        }
    });
}
