//! What a hostile worker can try with the rights of docs/grid-accounts.conf. Every
//! attack is also a check of itself: where it must fail, another test or a server
//! without accounts shows that it would be noticed if it did not.

use super::{
    permissions::{ACCOUNTS, connect, grid_client},
    *,
};
use async_nats::jetstream;
use futures_util::StreamExt;
use std::{collections::BTreeMap, sync::atomic::Ordering, time::Instant};

/// Clients and workers in one account, with the same permissions for a worker as
/// docs/grid-accounts.conf: reply subjects are not checked.
const ONE_ACCOUNT: &str = r#"
accounts { GRID { jetstream: enabled, users: [
  { user: "client", password: "client-secret" }
  { user: "alice", password: "alice-secret", permissions: {
    publish: { allow: [
      "$JS.API.CONSUMER.MSG.NEXT.lambda6_JOBS.workers", "$JS.ACK.lambda6_JOBS.workers.>",
      "$JS.API.DIRECT.GET.KV_lambda6.$KV.lambda6.*",
      "lambda6.results.*.alice.*", "lambda6.proofs.alice.*.*", "lambda6.workers.alice.*"
    ] }
    subscribe: { allow: [ "lambda6.abort", "_INBOX_lambda6.alice.>" ] }
  } }
] } }"#;

type Contents = BTreeMap<String, Vec<(String, Vec<u8>)>>;

/// The messages of every stream, without alice's own results and proofs.
async fn contents(context: &jetstream::Context) -> Contents {
    let mut contents = BTreeMap::new();
    let names: Vec<String> = context.stream_names().map(Result::unwrap).collect().await;
    for name in names {
        // A stream that is deleted meanwhile has none.
        let Ok(stream) = context.get_stream(&name).await else { continue };
        let state = stream.cached_info().state.clone();
        let mut messages = Vec::new();
        for sequence in state.first_sequence..=state.last_sequence {
            let Ok(message) = stream.get_raw_message(sequence).await else { continue };
            let subject = message.subject.to_string();
            if !subject.contains(".alice.") {
                messages.push((subject, message.payload.to_vec()));
            }
        }
        contents.insert(name, messages);
    }
    contents
}

/// Whether the attack of reply subjects has deleted a stream and written a job.
fn harmed(before: &Contents, after: &Contents) -> bool {
    !after.contains_key("lambda6_PROOFS") && after.get("lambda6_JOBS") != before.get("lambda6_JOBS")
}

/// Sends every request that a worker is allowed with every reply subject that would
/// do harm, again and again. The streams' contents before, and after `wait` or as soon
/// as harm is done.
async fn try_reply_subjects(server: &Server, wait: Duration) -> [Contents; 2] {
    let (admin, _) = connect(server, "client").await;
    let context = jetstream::new(admin);
    let before = contents(&context).await;
    let (alice, _) = connect(server, "alice").await;
    let requests = [
        "$JS.API.DIRECT.GET.KV_lambda6.$KV.lambda6.s",
        "$JS.API.DIRECT.GET.KV_lambda6.$KV.lambda6.x",
        "$JS.ACK.lambda6_JOBS.workers.9.99.99.1.0",
        "lambda6.results.s.alice.one",
        "lambda6.proofs.alice.id.0",
        "lambda6.workers.alice.one",
        "$JS.API.CONSUMER.MSG.NEXT.lambda6_JOBS.workers",
    ];
    let replies = [
        "lambda6.jobs.s",
        "lambda6.results.s.bob.one",
        "lambda6.proofs.bob.id.0",
        "$KV.lambda6.s",
        // Not the key that is read above: as long as it does not exist the answer is empty, as
        // a request to delete has to be.
        "$KV.lambda6.y",
        "$JS.API.STREAM.CREATE.mine",
        "$JS.API.STREAM.PURGE.lambda6_JOBS",
        "$JS.API.STREAM.DELETE.lambda6_PROOFS",
        "$JS.API.STREAM.DELETE.KV_lambda6",
        "$JS.API.CONSUMER.DELETE.lambda6_JOBS.workers",
    ];
    // The server carries requests out in its own time.
    let end = Instant::now() + wait;
    loop {
        for request in requests {
            for reply in replies {
                alice.publish_with_reply(request, reply, "".into()).await.unwrap();
            }
        }
        // The server has read all of them when it answers what was asked last.
        alice.flush().await.unwrap();
        alice.request("lambda6.results.s.alice.one", "last".into()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let after = contents(&context).await;
        if harmed(&before, &after) || Instant::now() >= end {
            return [before, after];
        }
    }
}

#[test]
fn reply_subjects_of_a_worker_reach_no_stream() {
    let attack = |config: &str, wait| {
        let server = Server::start(config);
        let mut client = grid_client(&server, "s");
        // One open job, which is in the queue and listed in the bucket.
        submit(&mut client, task(1, &[]));
        client.receive(Duration::ZERO).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let [before, after] = runtime.block_on(try_reply_subjects(&server, wait));
        assert_eq!((before.len(), before["lambda6_JOBS"].len()), (4, 1));
        (before, after)
    };
    // Without accounts the requests write and delete. How long that takes here says how
    // long to watch a server with accounts.
    let begin = Instant::now();
    let (before, after) = attack(ONE_ACCOUNT, Duration::from_secs(60));
    assert!(harmed(&before, &after), "{:?}", after.keys());
    let wait = Duration::from_millis(500).max(begin.elapsed());
    let (before, after) = attack(ACCOUNTS, wait);
    assert_eq!(before, after);
}

/// Runs until it is told to stop, and tells when it begins.
fn endless() -> (impl Fn() -> Pretend + Send + 'static, Receiver<u64>) {
    let (sender, begun) = mpsc::channel();
    let make = move || -> Pretend {
        let sender = sender.clone();
        Box::new(move |task, stop, nodes| {
            sender.send(task.id.0).unwrap();
            while !stop.load(Ordering::Relaxed) {
                nodes.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(5));
            }
            Err(ExecuteError::Stopped)
        })
    };
    (make, begun)
}

/// Workers hear what is sent to the subject of aborts in their account. A reply that
/// a worker directs there is no abort.
#[test]
fn replies_call_no_job_off() {
    let server = Server::start(ACCOUNTS);
    let mut client = grid_client(&server, "s");
    let (make, begun) = endless();
    let bob = Worker::start_with(access_of(&server, "bob"), "bob/one", BUILD, make);
    submit(&mut client, task(1, &[]));
    submit(&mut client, task(2, &["a1a2"]));
    client.receive(Duration::ZERO).unwrap();
    assert_eq!(begun.recv(), Ok(1));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (alice, _) = connect(&server, "alice").await;
        let mut heard = alice.subscribe("lambda6.abort").await.unwrap();
        alice.flush().await.unwrap();
        for (request, part) in [
            // The second job, the open jobs, and the stream's acknowledgement.
            ("$JS.API.CONSUMER.MSG.NEXT.lambda6_JOBS.workers", "\"task\""),
            ("$JS.API.DIRECT.GET.KV_lambda6.$KV.lambda6.s", "\"epoch\""),
            ("lambda6.results.s.alice.one", "\"seq\""),
        ] {
            alice.publish_with_reply(request, "lambda6.abort", "".into()).await.unwrap();
            let message = heard.next().await.unwrap();
            let text = String::from_utf8_lossy(&message.payload).to_string();
            assert!(text.contains(part), "{text}");
        }
    });
    // Bob still has the first job, and an abort of the client's ends it.
    client.send(Command::Abort(JobId(1))).unwrap();
    client.receive(Duration::ZERO).unwrap();
    let ended = bob.await_news(|news| matches!(news, News::CalledOff(_) | News::Returned(_)));
    assert_eq!(ended, News::CalledOff(1));
    // By now bob may have the second job, which has no end either.
    bob.stop.ask();
    bob.end().unwrap();
}

#[test]
fn forged_presences_bring_few_jobs() {
    let server = Server::start(ACCOUNTS);
    let mut client = grid_client(&server, "s");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (alice, _) = connect(&server, "alice").await;
        for worker in 0..20_000 {
            let presence =
                format!(r#"{{"version":2,"build":"{BUILD}","job":null,"nodes":0,"leaving":false}}"#);
            let subject = format!("lambda6.workers.alice.forged-{worker}");
            alice.publish(subject, presence.into()).await.unwrap();
        }
        alice.flush().await.unwrap();
    });
    let (make, _begun) = answering(plain("i8h9"));
    let bob = Worker::start_with(access_of(&server, "bob"), "bob/one", BUILD, make);
    // The client believes in a few of alice's workers, and in bob's.
    while !client.workers().iter().any(|worker| worker.name == "bob/one") {
        client.receive(Duration::from_millis(20)).unwrap();
    }
    assert_eq!(client.slots(), 16 + 1 + 1);
    assert_eq!(client.workers().len(), 1024 + 1);
    submit(&mut client, task(1, &[]));
    let events = events(&mut client);
    let [Event::Answered { job: JobId(1), worker, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!(worker, "bob/one");
    bob.end().unwrap();
}

/// A worker can acknowledge the job of another one: subjects of acknowledgements can
/// be guessed. The client misses the job in the queue and sends it again.
#[test]
fn a_job_whose_acknowledgement_is_stolen_is_sent_again() {
    let server = Server::start(ACCOUNTS);
    let mut client = grid_client(&server, "s");
    let (sender, begun) = mpsc::channel();
    let (stolen, wait) = mpsc::channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    // Bob hands the job back after alice has acknowledged it.
    let make = move || -> Pretend {
        let (sender, wait, mut first) = (sender.clone(), wait.clone(), true);
        Box::new(move |task, _, _| {
            sender.send(task.id.0).unwrap();
            if std::mem::take(&mut first) {
                wait.lock().unwrap().recv().unwrap();
                return Err(ExecuteError::Stopped);
            }
            Ok(plain("i8h9"))
        })
    };
    let bob = Worker::start_with(access_of(&server, "bob"), "bob/one", BUILD, make);
    submit(&mut client, task(1, &[]));
    client.receive(Duration::ZERO).unwrap();
    assert_eq!(begun.recv(), Ok(1));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (alice, _) = connect(&server, "alice").await;
        for sequence in 1..10 {
            let ack = format!("$JS.ACK.lambda6_JOBS.workers.1.{sequence}.{sequence}.1.0");
            alice.publish(ack, "+ACK".into()).await.unwrap();
        }
        alice.flush().await.unwrap();
        let (admin, _) = connect(&server, "client").await;
        let context = jetstream::new(admin);
        while !contents(&context).await["lambda6_JOBS"].is_empty() {}
    });
    stolen.send(()).unwrap();
    let events = events(&mut client);
    assert!(matches!(events[..], [Event::Answered { job: JobId(1), .. }]), "{events:?}");
    assert_eq!(begun.recv(), Ok(1));
    bob.end().unwrap();
}

/// Whoever may delete streams: the client creates them again and sends its open jobs.
#[test]
fn a_client_creates_missing_streams_again() {
    let server = Server::start("");
    let mut client = client(&server, "s", 8);
    submit(&mut client, task(1, &[]));
    client.receive(Duration::ZERO).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(server.url()).await.unwrap());
        for stream in ["lambda6_JOBS", "lambda6_RESULTS", "lambda6_PROOFS", "KV_lambda6"] {
            context.delete_stream(stream).await.unwrap();
        }
    });
    let (make, _begun) = answering(plain("i8h9"));
    let worker = Worker::start(&server, "one", BUILD, make);
    let events = events(&mut client);
    assert!(matches!(events[..], [Event::Answered { job: JobId(1), .. }]), "{events:?}");
    worker.end().unwrap();
}

/// Counts and texts that would break a sum, a database or a terminal.
#[test]
fn a_result_is_made_harmless() {
    let server = Server::start(ACCOUNTS);
    let mut client = grid_client(&server, "s");
    let asked = task(1, &[]);
    let key = asked.key(BUILD).0;
    submit(&mut client, asked);
    client.receive(Duration::ZERO).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (alice, _) = connect(&server, "alice").await;
        let huge = u64::MAX;
        let result = |rest: &str| {
            format!(
                r#"{{"version":2,"build":"{BUILD}","job":1,"key":"{key}","attempt":1,"nodes":{huge},"millis":{huge},{rest}}}"#
            )
        };
        let why = r"\u001b[2J".to_string() + &"x".repeat(100_000);
        let failed = result(&format!(r#""answer":null,"failed":"{why}","proof":null"#));
        let answer = r#"{"answer":"best","move":"i8h9","status":"stable","proof":null}"#;
        let answered = result(&format!(r#""answer":{answer},"failed":null,"proof":null"#));
        for text in [failed, answered] {
            alice.request("lambda6.results.s.alice.one", text.into()).await.unwrap();
        }
    });
    let failed = events(&mut client);
    let [Event::Failed { job: JobId(1), worker, why }] = &failed[..] else { panic!("{failed:?}") };
    assert_eq!(worker, "alice/one");
    assert!(why.len() <= 200 && why.starts_with("[2Jx"), "{why}");
    let answered = events(&mut client);
    let [Event::Answered { nodes, millis, .. }] = answered[..] else { panic!("{answered:?}") };
    assert_eq!((nodes, millis), (1 << 40, 1 << 40));
}
