//! Jobs and results: once where once will do, again where it must be.

use super::*;
use lambda6_jobs::JobProof;
use lambda6_rules::Side;
use std::sync::atomic::Ordering;

#[test]
fn large_proofs_travel_in_parts() {
    let server = Server::start("");
    let mut client = client(&server, "large", 8);
    // Some 900 KB: more than a message may have, in two parts.
    let replies: Vec<Move> = (0..150_000).map(|i| mv(["i8h9", "k11l10", "a1b2"][i % 3])).collect();
    let proof = JobProof { attacker: Side::White, method: Method::Mutual, except: Vec::new(), replies };
    let answer = Answer::Best { mv: mv("i8h9"), status: Status::Win(Side::White), win: Some(proof) };
    let (make, _begun) = answering(answer.clone());
    let worker = Worker::start(&server, "one", BUILD, make);
    submit(&mut client, task(1, &[]));
    let events = events(&mut client);
    let [Event::Answered { job: JobId(1), answer: got, worker: name, .. }] = &events[..] else {
        panic!("{} events", events.len())
    };
    assert_eq!(name, "worker/one");
    assert!(*got == answer, "the proof has changed on its way");
    worker.end().unwrap();
}

#[test]
fn a_job_that_is_called_off_is_stopped_or_never_begun() {
    let server = Server::start("");
    let mut client = client(&server, "off", 8);
    let (sender, begun) = mpsc::channel();
    // Works until it is told to stop.
    let make = move || -> Pretend {
        let sender = sender.clone();
        Box::new(move |task, stop, nodes| {
            sender.send(task.id.0).unwrap();
            while task.id.0 == 1 && !stop.load(Ordering::Relaxed) {
                nodes.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(5));
            }
            if task.id.0 == 1 { Err(ExecuteError::Stopped) } else { Ok(plain("i8h9")) }
        })
    };
    let worker = Worker::start(&server, "one", BUILD, make);
    submit(&mut client, task(1, &[]));
    submit(&mut client, task(2, &["a1a2"]));
    client.receive(Duration::ZERO).unwrap();
    assert_eq!(begun.recv(), Ok(1));
    // The first is at work and the second waits: both are called off, the third is not.
    client.send(Command::Abort(JobId(1))).unwrap();
    client.send(Command::Abort(JobId(2))).unwrap();
    submit(&mut client, task(3, &["a1a3"]));
    let events = events(&mut client);
    assert!(matches!(events[..], [Event::Answered { job: JobId(3), .. }]), "{events:?}");
    assert_eq!(begun.recv(), Ok(3));
    worker.end().unwrap();
}

#[test]
fn what_is_worked_on_or_done_is_not_asked_for_again_when_the_client_starts_again() {
    let server = Server::start("");
    let mut first = client(&server, "again", 8);
    submit(&mut first, task(1, &[]));
    submit(&mut first, task(2, &["a1a2"]));
    submit(&mut first, task(3, &["a1a3"]));
    first.receive(Duration::ZERO).unwrap();
    // The client is gone; one job is done, two wait.
    drop(first);
    let (make, begun) = answering(plain("i8h9"));
    let settings = settings("one", BUILD, Some(1));
    let done = make.clone();
    work(
        &access(&server),
        &Grid::default(),
        &settings,
        move || Program(done()),
        &Stop::default(),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(begun.recv(), Ok(1));
    // The next one asks for the first two, and not for the third.
    let mut second = client(&server, "again", 8);
    submit(&mut second, task(1, &[]));
    submit(&mut second, task(2, &["a1a2"]));
    let mut answered = Vec::new();
    let worker = Worker::start(&server, "two", BUILD, make);
    while answered.len() < 2 {
        answered.extend(events(&mut second));
    }
    submit(&mut second, task(4, &["a1a4"]));
    answered.extend(events(&mut second));
    let jobs: Vec<u64> = answered
        .iter()
        .map(|event| match event {
            Event::Answered { job, .. } => job.0,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(jobs, [1, 2, 4]);
    worker.end().unwrap();
    assert_eq!(begun.into_iter().collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn an_answer_to_another_question_is_not_taken() {
    let server = Server::start("");
    let mut first = client(&server, "other", 8);
    submit(&mut first, task(1, &[]));
    first.receive(Duration::ZERO).unwrap();
    drop(first);
    // Another client of the same name means something else by job 1.
    let mut second = client(&server, "other", 8);
    submit(&mut second, task(1, &["i8h9"]));
    let (make, begun) = answering(plain("k11l10"));
    second.receive(Duration::ZERO).unwrap();
    let worker = Worker::start(&server, "one", BUILD, make);
    let events = events(&mut second);
    assert!(matches!(events[..], [Event::Answered { job: JobId(1), .. }]), "{events:?}");
    worker.end().unwrap();
    assert_eq!(begun.into_iter().collect::<Vec<_>>(), [1], "the old job was not taken out of the queue");
}

#[test]
fn a_job_that_nobody_survives_is_given_up() {
    let server = Server::start("");
    let mut client = client(&server, "poison", 2);
    submit(&mut client, task(7, &[]));
    client.receive(Duration::ZERO).unwrap();
    // Its counter stands still, and so its lease runs out.
    let make = || -> Pretend {
        Box::new(|_, stop, _| {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(5));
            }
            Err(ExecuteError::Stopped)
        })
    };
    let workers: Vec<Worker> =
        ["one", "two", "three"].iter().map(|name| Worker::start(&server, name, BUILD, make)).collect();
    let events = events(&mut client);
    let [Event::GivenUp { job: JobId(7), why }] = &events[..] else { panic!("{events:?}") };
    assert_eq!(why, "given up after 2 deliveries");
    for worker in workers {
        worker.stop.ask();
        worker.end().unwrap();
    }
}
