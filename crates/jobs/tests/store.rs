//! A search in a file: read back as it was, and safe from kill -9.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use lambda6_jobs::{
    Change, Client, Command, End, Event, MemoryStore, NodeId, OrderError, OrderState, Patience, PolicyName,
    Request, Settings, SqliteStore, Steer, Store, StoreError, Value,
    simulate::{Oracle, Synthetic, TreeShape},
};
use lambda6_rules::Side;
use lambda6_search::Limits;
use lambda6_search::Method;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{self, Stdio},
    thread,
    time::Duration,
};

fn settings(game: &Synthetic) -> Settings {
    Settings {
        root: game.root(),
        attacker: Side::Black,
        policy: PolicyName::default(),
        limits: Limits { nodes: Some(7), ..Limits::default() },
        verify: false,
        method: Method::Mutual,
        build: "test".to_string(),
    }
}

/// Opens a search that nobody works on. While another test starts a process, that
/// has our files for a moment, and our locks with them.
fn open(path: &Path) -> SqliteStore {
    loop {
        match SqliteStore::open(path) {
            Err(StoreError::Locked { .. }) => thread::sleep(Duration::from_millis(5)),
            opened => return opened.unwrap(),
        }
    }
}

/// Does one job after the other; calls `after` when each is stored.
fn work<S: Store>(
    game: &Synthetic,
    store: S,
    most: usize,
    mut after: impl FnMut(&Client<S, &Synthetic>),
) -> S {
    let mut client = Client::open(store, game, Patience::default()).unwrap();
    let mut commands = client.resubmit(Duration::ZERO);
    for _ in 0..most {
        commands.extend(client.fill(Duration::ZERO, 1).unwrap());
        let Some(command) = commands.pop() else { break };
        let Command::Submit(task) = command else { continue };
        let answer = game.ask(&task).answer.unwrap();
        let worker = "me".to_string();
        let event = Event::Answered { job: task.id, worker, answer, nodes: 1, millis: 1 };
        commands.extend(client.handle(Duration::ZERO, event).unwrap());
        after(&client);
    }
    client.into_store()
}

#[test]
fn a_file_holds_what_memory_would() {
    let directory = tempfile::tempdir().unwrap();
    for seed in 0..8 {
        let game = Synthetic::new(seed, TreeShape::SMALL);
        let path = directory.path().join(format!("{seed}.l6"));
        SqliteStore::create(&path, &settings(&game)).unwrap();
        let memory = work(&game, MemoryStore::new(settings(&game)), 60, |_| {});
        let file = work(&game, open(&path), 60, |_| {});
        let ended = file.ended().unwrap();
        assert_eq!(ended, memory.ended().unwrap());
        drop(file);
        let file = open(&path);
        assert_eq!(*file.settings(), settings(&game));
        // What ended is only counted.
        let counts = |change: &Change| !matches!(change, Change::Ended { .. });
        let stored: Vec<Change> = file.changes().unwrap().into_iter().filter(counts).collect();
        let kept: Vec<Change> = memory.changes().into_iter().filter(counts).collect();
        assert_eq!(stored, kept, "seed {seed}");
        for change in stored {
            if let Change::Own { proof: Some(id), .. } | Change::Others { proof: id, .. } = change {
                assert_eq!(file.proof(&id).unwrap(), memory.proof(&id).unwrap());
            }
        }
    }
}

#[test]
fn one_process_works_and_others_look_and_leave_orders() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("search.l6");
    let game = Synthetic::new(3, TreeShape::SMALL);
    SqliteStore::create(&path, &settings(&game)).unwrap();
    assert!(SqliteStore::create(&path, &settings(&game)).is_err());
    let store = open(&path);
    let error = SqliteStore::open(&path).err().unwrap().to_string();
    assert!(error.ends_with("another process is working on this search"), "{error}");
    let visitor = SqliteStore::visit(&path).unwrap();
    let order = Steer::Pause(NodeId::ROOT);
    let id = visitor.leave_order(&order).unwrap();
    assert_eq!(store.waiting_orders().unwrap(), [(id, Request::Steer(order.clone()))]);
    store.close_order(id, &OrderState::Refused("no".to_string())).unwrap();
    assert!(visitor.waiting_orders().unwrap().is_empty());
    // A process that works on the search and does not answer.
    let unanswered = SqliteStore::give_order(&path, &order, Duration::from_millis(50));
    assert!(matches!(unanswered, Err(OrderError::NoAnswer { .. })), "{unanswered:?}");
    assert!(SqliteStore::give_stop(&path, Duration::from_millis(50)).is_err());
    let waiting: Vec<Request> =
        store.waiting_orders().unwrap().into_iter().map(|(_, request)| request).collect();
    assert_eq!(waiting, [Request::Steer(order.clone()), Request::Stop]);
    drop(store);
    // Nobody works on it: the order is carried out at once.
    SqliteStore::give_order(&path, &order, Duration::ZERO).unwrap();
    assert!(open(&path).load().unwrap().tree().node(NodeId::ROOT).paused);
    assert!(!SqliteStore::give_stop(&path, Duration::ZERO).unwrap());
    let missing = SqliteStore::give_order(&path, &Steer::Pause(NodeId(99)), Duration::ZERO);
    assert!(matches!(missing, Err(OrderError::Steer(_))), "{missing:?}");
}

#[test]
fn files_that_are_no_searches_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x");
    let refused = |path: &Path| SqliteStore::visit(path).err().unwrap().to_string();
    assert!(!refused(&path).is_empty());
    for content in [&b""[..], b"j10 i8h9", &[0; 5000]] {
        fs::write(&path, content).unwrap();
        assert!(refused(&path).contains(path.to_str().unwrap()));
        assert_eq!(fs::read(&path).unwrap(), content, "it was changed");
    }
    // The error of a file that was changed by hand names the table and the row.
    let game = Synthetic::new(3, TreeShape::SMALL);
    for (sql, place) in [
        ("UPDATE nodes SET move = 'zz' WHERE id = 1", "table nodes, row 1: move: "),
        ("UPDATE nodes SET move = 'a32b32' WHERE id = 2", "table nodes, row 2"),
        ("UPDATE nodes SET status = 'B9' WHERE id = 1", "table nodes, row 1: status: "),
        ("UPDATE settings SET value = 'red' WHERE name = 'attacker'", "table settings, row attacker: "),
        ("DELETE FROM settings WHERE name = 'policy'", "table settings, row policy: is missing"),
        ("PRAGMA user_version = 99", "has tables of version 99, this program knows 2"),
    ] {
        let path = directory.path().join("broken.l6");
        let _ = fs::remove_file(&path);
        SqliteStore::create(&path, &settings(&game)).unwrap();
        drop(work(&game, open(&path), 20, |_| {}));
        let db = rusqlite::Connection::open(&path).unwrap();
        db.execute_batch(sql).unwrap();
        drop(db);
        let error = refused(&path);
        // A move that is there twice may hit another row first.
        assert!(
            error.contains(place) || (sql.contains("a32b32") && error.contains("table nodes")),
            "{error}"
        );
    }
}

/// The process that is killed: works on the search of a file and says after every
/// job what is stored.
#[test]
fn child() {
    let Some(path) = env::var_os("STORE_TEST_FILE") else { return };
    let game = Synthetic::new(env::var("STORE_TEST_SEED").unwrap().parse().unwrap(), TreeShape::SMALL);
    work(&game, open(Path::new(&path)), usize::MAX, |client| {
        let done = client.store().ended().unwrap().get(&End::Done).copied().unwrap_or(0);
        let solved = client.search().tree().iter().filter(|(_, node)| node.value().is_some()).count();
        let line = format!("stored {done} {} {solved}\n", client.search().tree().len());
        std::io::stdout().write_all(line.as_bytes()).unwrap();
    });
    std::io::stdout().write_all(b"finished\n").unwrap();
}

/// Kills the process a moment after it has stored so many jobs; whether it was
/// done before.
fn killed(path: &Path, seed: u64, after: u64, moment: Duration) -> (bool, [u64; 3]) {
    let mut child = process::Command::new(env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env("STORE_TEST_FILE", path)
        .env("STORE_TEST_SEED", seed.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut count, mut last, mut finished) = (0, [0; 3], false);
    if after == 0 {
        // Perhaps before it has opened the file.
        thread::sleep(4 * moment);
        child.kill().unwrap();
    }
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        finished |= line.contains("finished");
        if let Some(at) = line.find("stored ") {
            let numbers: Vec<u64> = line[at + 7..].split(' ').map(|n| n.parse().unwrap()).collect();
            last = [numbers[0], numbers[1], numbers[2]];
            count += 1;
            if count == after {
                thread::sleep(moment);
                // SIGKILL, on Unix.
                child.kill().unwrap();
                break;
            }
        }
    }
    child.wait().unwrap();
    (finished, last)
}

#[test]
fn kill_9_loses_nothing_and_counts_nothing_twice() {
    let kills: u64 = env::var("STORE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    // Where in the file it hits is chance anyway, but the worlds are the same.
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let (mut done, mut seed) = (0, 0);
    while done < kills {
        seed += 1;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("search.l6");
        let game = Synthetic::new(seed, TreeShape::SMALL);
        SqliteStore::create(&path, &settings(&game)).unwrap();
        let whole = work(&game, MemoryStore::new(settings(&game)), usize::MAX, |_| {});
        loop {
            // Anywhere within some jobs: a commit takes about a millisecond.
            let moment = Duration::from_micros(random.random_range(0..5000));
            let (finished, said) = killed(&path, seed, random.random_range(0..5), moment);
            done += 1;
            let store = open(&path);
            let search = store.load().unwrap();
            let jobs = store.ended().unwrap().get(&End::Done).copied().unwrap_or(0);
            let solved = search.tree().iter().filter(|(_, node)| node.value().is_some()).count() as u64;
            let now = [jobs, search.tree().len() as u64, solved];
            assert!(now.iter().zip(said).all(|(now, said)| *now >= said), "{now:?} after {said:?}");
            if finished || search.value().is_some() {
                break;
            }
        }
        // The same jobs in the same order, as if nobody had been killed.
        let store = open(&path);
        assert_eq!(store.load().unwrap().value(), Some(Value::Win(game.winner(&game.root()))));
        let counts = |change: &Change| !matches!(change, Change::Ended { .. });
        let stored: Vec<Change> = store.changes().unwrap().into_iter().filter(counts).collect();
        assert_eq!(stored, whole.changes().into_iter().filter(counts).collect::<Vec<_>>(), "seed {seed}");
        assert_eq!(store.ended().unwrap(), whole.ended().unwrap(), "seed {seed}");
    }
}
