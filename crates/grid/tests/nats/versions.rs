//! Programs of other versions are told.

use super::*;

#[test]
fn a_worker_of_another_program_says_so_and_leaves_and_the_client_shows_it() {
    let server = Server::start("");
    let mut client = client(&server, "build", 8);
    let (make, begun) = answering(plain("i8h9"));
    let other = Worker::start(&server, "other", "test-2", make.clone());
    // It is there, but it is no worker for this client.
    loop {
        client.receive(Duration::from_millis(50)).unwrap();
        if let [worker] = &client.workers()[..] {
            assert_eq!(worker.trouble.as_deref(), Some("program test-2, not test-1"));
            break;
        }
    }
    assert_eq!(client.slots(), 1, "a job for nobody but those who will come");
    submit(&mut client, task(1, &[]));
    client.receive(Duration::ZERO).unwrap();
    let error = other.thread.join().unwrap().unwrap_err();
    assert_eq!(error, "the client is test-1 and this worker is test-2: they must be the same");
    // The job waits for one that can do it.
    let worker = Worker::start(&server, "right", BUILD, make);
    assert!(matches!(events(&mut client)[..], [Event::Answered { job: JobId(1), .. }]));
    worker.end().unwrap();
    assert_eq!(begun.into_iter().collect::<Vec<_>>(), [1]);
}

/// The unreadable messages come first, so that the worker and the client meet them
/// before the job that they can read.
#[test]
fn unreadable_messages_are_passed_over() {
    let server = Server::start("");
    let mut client = client(&server, "wire", 8);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let nats = async_nats::connect(server.url()).await.unwrap();
        let context = async_nats::jetstream::new(nats.clone());
        for (subject, text) in [
            ("lambda6.jobs.wire", r#"{"version": 99, "whatever": []}"#),
            ("lambda6.jobs.wire", "no JSON at all"),
            ("lambda6.results.wire.worker.one", r#"{"version": 99, "job": 1}"#),
            ("lambda6.results.wire.worker.one", r#"{"version": 2, "job": "one"}"#),
            ("lambda6.results.wire.worker.one", "no JSON at all"),
        ] {
            context.publish(subject, text.into()).await.unwrap().await.unwrap();
        }
        for text in ["no JSON at all", r#"{"search": 5}"#, ""] {
            nats.publish("lambda6.workers.worker.one", text.into()).await.unwrap();
            nats.publish("lambda6.abort", text.into()).await.unwrap();
        }
        nats.flush().await.unwrap();
    });
    let (make, _begun) = answering(plain("i8h9"));
    let worker = Worker::start(&server, "one", BUILD, make);
    let aside = |words: &'static str| {
        worker.await_news(move |news| matches!(news, News::Trouble(why) if why.contains(words)))
    };
    aside("a job is left to other workers: the message is of version 99, this program knows 2");
    aside("a job is left to other workers: the message cannot be read");
    submit(&mut client, task(1, &[]));
    assert!(matches!(events(&mut client)[..], [Event::Answered { job: JobId(1), .. }]));
    worker.end().unwrap();
}
