//! Which failures of workers count against a job.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use lambda6_jobs::{
    Answer, Checked, Client, Command, Event, JOB_LIMITS, JobId, JobProof, MemoryStore, Patience, PolicyName,
    Settings, Status, WorkerInfo,
};
use lambda6_rules::{Game, Position};
use lambda6_search::Method;
use std::time::Duration;

/// A client with one job, and the workers of these names present.
fn client(workers: &[&str]) -> (Client<MemoryStore, Checked>, JobId) {
    let mut root = Position::new(Game::CONNECT6);
    root.play(&Game::CONNECT6.parse_move("j10").unwrap()).unwrap();
    let settings = Settings {
        attacker: root.to_move(),
        root,
        policy: PolicyName::default(),
        limits: JOB_LIMITS,
        verify: true,
        method: Method::default(),
        build: "test".to_string(),
    };
    let mut client = Client::open(MemoryStore::new(settings), Checked, Patience::default()).unwrap();
    let info = |name: &&str| WorkerInfo { name: name.to_string(), job: None, nodes: 0, trouble: None };
    client.set_workers(&workers.iter().map(info).collect::<Vec<_>>());
    let commands = client.fill(Duration::ZERO, 1).unwrap();
    let [Command::Submit(task)] = &commands[..] else { panic!("{commands:?}") };
    (client, task.id)
}

/// A failure, or an answer that is not believed.
fn lie(job: JobId, worker: &str, answered: bool) -> Event {
    let worker = worker.to_string();
    if !answered {
        return Event::Failed { job, worker, why: "too hard".to_string() };
    }
    let (side, mv) = (lambda6_rules::Side::White, Game::CONNECT6.parse_move("a1a2").unwrap());
    let proof =
        JobProof { attacker: side, method: Method::default(), except: Vec::new(), replies: Vec::new() };
    let answer = Answer::Best { mv, status: Status::Win(side), win: Some(proof) };
    Event::Answered { job, worker, answer, nodes: 1, millis: 1 }
}

/// How many failures of these workers, in turn, a job survives; at most 100.
fn survived(present: &[&str], failing: &[&str]) -> usize {
    let (mut client, job) = client(present);
    let mut workers = failing.iter().cycle();
    let mut lies = 0;
    while lies < 100 && client.search().running_job(job).is_some() {
        let commands =
            client.handle(Duration::ZERO, lie(job, workers.next().unwrap(), lies % 2 == 0)).unwrap();
        assert_eq!(commands.len(), 1, "{commands:?}");
        lies += 1;
    }
    lies
}

#[test]
fn one_owner_cannot_have_a_job_set_aside_while_another_is_present() {
    assert_eq!(survived(&["alice/1", "alice/2", "bob/1"], &["alice/1", "alice/2"]), 100);
}

#[test]
fn a_job_at_which_all_owners_fail_is_set_aside() {
    let attempts = Patience::default().attempts as usize;
    assert_eq!(survived(&["alice/1", "alice/2"], &["alice/1", "alice/2"]), attempts);
    assert_eq!(survived(&["alice/1", "bob/1"], &["alice/1", "bob/1"]), attempts);
    // Threads of the client itself.
    assert_eq!(survived(&["thread-1", "thread-2"], &["thread-1"]), attempts);
    // Nothing is known of who is present.
    assert_eq!(survived(&[], &["alice/1"]), attempts);
}
