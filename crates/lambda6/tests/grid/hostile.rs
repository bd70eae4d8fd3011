//! A search with a worker that lies about every job.

use super::{
    Process, Server,
    access::{ACCOUNTS, as_user},
    begin, check, status, worker,
};
use futures_util::StreamExt;
use lambda6_jobs::{Answer, JobProof, Status, wire::AnswerText};
use lambda6_rules::{Game, Side};
use lambda6_search::Method;
use serde_json::{Value, json};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::Duration,
};

/// Results of a job that are all false: it failed, a move wins at once, every move
/// loses. The proofs have the right names and prove nothing.
fn lies(job: &Value) -> Vec<Value> {
    let game = Game::CONNECT6;
    let proof =
        |attacker| JobProof { attacker, method: Method::Mutual, except: Vec::new(), replies: Vec::new() };
    let mv = game.parse_move("a1s19").unwrap();
    let mut answers = Vec::new();
    for side in Side::ALL {
        let win = Some(proof(side));
        answers.push((Answer::Best { mv, status: Status::Win(side), win }, proof(side)));
        answers.push((Answer::OthersLose { proof: proof(side) }, proof(side)));
        let moves = vec![(mv, Status::Stable)];
        answers.push((Answer::Defences { moves, proof: proof(side) }, proof(side)));
    }
    let result = |answer: Option<(Answer, JobProof)>| {
        let proof = answer.as_ref().map(|(_, proof)| json!({ "text": proof.text(game) }));
        json!({
            "version": job["version"], "build": job["build"], "job": job["task"]["id"], "key": job["key"],
            "attempt": job["task"]["attempt"], "nodes": 1, "millis": 1, "proof": proof,
            "failed": answer.is_none().then_some("it is too hard"),
            "answer": answer.map(|(answer, _)| AnswerText::new(game, &answer)),
        })
    };
    let mut lies = vec![result(None)];
    lies.extend(answers.into_iter().map(|answer| result(Some(answer))));
    lies
}

/// Takes jobs, lies about them and acknowledges them until it is told to stop.
async fn lie(url: &str, stop: &AtomicBool, lied: &AtomicU64) {
    let nats = async_nats::ConnectOptions::with_user_and_password("alice".into(), "alice-secret".into())
        .custom_inbox_prefix("_INBOX_lambda6.alice")
        .connect(url)
        .await
        .unwrap();
    let inbox = nats.new_inbox();
    let mut jobs = nats.subscribe(inbox.clone()).await.unwrap();
    while !stop.load(Ordering::Relaxed) {
        let request = r#"{"batch":1,"expires":200000000}"#;
        let subject = "$JS.API.CONSUMER.MSG.NEXT.lambda6_JOBS.workers";
        nats.publish_with_reply(subject, inbox.clone(), request.into()).await.unwrap();
        let Ok(Some(message)) = tokio::time::timeout(Duration::from_secs(1), jobs.next()).await else {
            continue;
        };
        let (Ok(job), Some(ack)) = (serde_json::from_slice::<Value>(&message.payload), message.reply) else {
            continue;
        };
        let subject = format!("lambda6.results.{}.alice.one", job["search"].as_str().unwrap());
        for lie in lies(&job) {
            nats.publish(subject.clone(), lie.to_string().into()).await.unwrap();
            lied.fetch_add(1, Ordering::Relaxed);
        }
        nats.publish(ack, "+ACK".into()).await.unwrap();
    }
}

/// False failures and proofs cost time. They do not end the search or change its
/// result while a worker of another owner is present.
#[test]
fn a_worker_that_lies_about_every_job_does_not_stop_a_search() {
    let server = Server::start(ACCOUNTS);
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut client = Process::start(as_user(&mut begin(&file, &url, "2000"), "client"));
    let honest = Process::start(as_user(&mut worker(&url, "one"), "bob"));
    honest.await_line(" begins");
    let (stop, lied) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        scope.spawn(|| tokio::runtime::Runtime::new().unwrap().block_on(lie(&url, &stop, &lied)));
        let status = client.child.wait().unwrap();
        stop.store(true, Ordering::Relaxed);
        assert!(status.success(), "{status}");
    });
    let lied = lied.into_inner();
    assert!(lied >= 50, "{lied} lies");
    assert!(status(&file)["value"].is_string());
    check(&file);
}
