//! What workers claim is true, what is false is refused, and a solved tree gives
//! one certificate that the checker accepts.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use lambda6_jobs::{
    Answer, Checked, Client, Command, Event, Execute, JobId, JobProof, Judge, Kind, MemoryStore, Patience,
    PolicyName, Settings, Status, Task, Value, Worker, WorkerOptions, certify,
};
use lambda6_player::Level;
use lambda6_rules::{Game, Move, Outcome, Position, Setup, Side, Square};
use lambda6_search::Limits;
use lambda6_search::Method;
use proptest::prelude::*;
use std::{
    collections::{HashMap, VecDeque},
    sync::atomic::{AtomicBool, AtomicU64},
    time::Duration,
};

fn worker() -> Worker {
    Worker::new(WorkerOptions { table_bytes: 4 << 20, level: Level::Casual })
}

fn task(position: &Position, excluded: Vec<Move>, kind: Kind, method: Method) -> Task {
    Task {
        id: JobId(1),
        attempt: 1,
        kind,
        position: position.clone(),
        excluded,
        limits: Limits { nodes: Some(3000), ..Limits::default() },
        method,
    }
}

/// All moves of a position.
fn moves(position: &Position) -> Vec<Move> {
    let squares: Vec<Square> = position.empty_squares().collect();
    let mut sets = vec![Move::NULL];
    for _ in 0..position.stones_to_place() {
        let longer = |set: &Move| {
            let set = *set;
            let after = move |square: &&Square| set.squares().last().is_none_or(|last| *square > last);
            let with = move |&square: &Square| Move::new(&[set.squares(), &[square]].concat()).unwrap();
            squares.iter().filter(after).map(with).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    sets
}

/// Who wins, by trying everything.
fn value(position: &Position, known: &mut HashMap<Position, Value>) -> Value {
    match position.outcome() {
        Some(Outcome::Win(side)) => return Value::Win(side),
        Some(Outcome::Draw) => return Value::Draw,
        None => {}
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let mover = position.to_move();
    let mut best = Value::Win(mover.other());
    for mv in moves(position) {
        let mut after = position.clone();
        after.play(&mv).unwrap();
        match value(&after, known) {
            Value::Win(side) if side == mover => {
                best = Value::Win(mover);
                break;
            }
            Value::Draw => best = Value::Draw,
            Value::Win(_) => {}
        }
    }
    known.insert(position.clone(), best);
    best
}

/// A position of a small game with few empty squares.
fn position(game: Game, stones: &[u8], to_move: Side) -> Option<Position> {
    let mut setup = Setup { game, black: Vec::new(), white: Vec::new(), to_move };
    for (square, stone) in game.squares().zip(stones) {
        match stone {
            0..=3 => setup.black.push(square),
            4..=7 => setup.white.push(square),
            _ => {}
        }
    }
    let position = setup.position().ok()?;
    (4..=8).contains(&position.empty_count()).then_some(position)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.min(2000), ..Default::default() })]

    /// Every claim of a worker that the judge accepts is true, whatever is
    /// excluded and whatever is asked.
    #[test]
    fn what_is_believed_is_true(
        stones in prop::collection::vec(0u8..12, 20),
        black in any::<bool>(),
        verify in any::<bool>(),
        exclude in 0usize..5,
        method in 0usize..4,
        shape in 0usize..3,
    ) {
        let [m, n, k, p] = [[5, 4, 4, 2], [4, 5, 3, 1], [5, 4, 4, 1]][shape];
        let game = Game::new(m, n, k, p, p).unwrap();
        let to_move = if black { Side::Black } else { Side::White };
        let Some(position) = position(game, &stones, to_move) else { return Ok(()) };
        let excluded: Vec<Move> = moves(&position).into_iter().take(exclude).collect();
        let kind = if verify { Kind::Verify } else { Kind::Best };
        let task = task(&position, excluded.clone(), kind, Method::ALL[method]);
        let answer = worker().execute(&task, &AtomicBool::new(false), &AtomicU64::new(0));
        let Ok(answer) = answer else {
            // There is always something to say, unless nothing is left.
            prop_assert!(position.outcome().is_some() || moves(&position).len() == excluded.len(), "{answer:?}");
            return Ok(());
        };
        prop_assert_eq!(Checked.check(&task, &answer), Ok(()));
        let mut known = HashMap::new();
        let mut after = |mv: &Move| {
            let mut after = position.clone();
            after.play(mv).unwrap();
            value(&after, &mut known)
        };
        match answer {
            Answer::Best { win: None, .. } => {}
            Answer::Best { mv, .. } => prop_assert_eq!(after(&mv), Value::Win(to_move)),
            Answer::OthersLose { .. } => {
                for mv in moves(&position).iter().filter(|mv| !excluded.contains(mv)) {
                    prop_assert_eq!(after(mv), Value::Win(to_move.other()));
                }
            }
            Answer::Defences { moves: left, .. } => {
                for mv in moves(&position).iter().filter(|mv| left.iter().all(|(other, _)| other != *mv)) {
                    prop_assert_eq!(after(mv), Value::Win(to_move.other()));
                }
            }
        }
    }
}

fn played(moves: &str) -> Position {
    let mut position = Position::new(Game::CONNECT6);
    for text in moves.split_whitespace() {
        position.play(&Game::CONNECT6.parse_move(text).unwrap()).unwrap();
    }
    position
}

#[test]
fn false_claims_are_refused() {
    let position = played("j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13");
    let task = task(&position, vec![Game::CONNECT6.parse_move("a1b1").unwrap()], Kind::Best, Method::Mutual);
    let answer = worker().execute(&task, &AtomicBool::new(false), &AtomicU64::new(0)).unwrap();
    let Answer::Best { mv, status, win: Some(proof) } = answer.clone() else { panic!("{answer:?}") };
    assert_eq!(Checked.check(&task, &answer), Ok(()));
    let refused = |answer: Answer| Checked.check(&task, &answer).unwrap_err().to_string();
    let with = |proof: JobProof| Answer::Best { mv, status, win: Some(proof) };
    let mut short = proof.clone();
    short.replies.pop();
    assert!(refused(with(short)).starts_with("the proof fails"));
    let mut long = proof.clone();
    long.replies.push(mv);
    assert!(refused(with(long)).contains("the walk does not ask for"));
    let mut other = proof.clone();
    other.attacker = other.attacker.other();
    assert!(refused(with(other)).contains("the side to move should win"));
    let mut except = proof.clone();
    except.except.push(Move::NULL);
    assert!(refused(with(except)).contains("the side to move should win against everything"));
    // Nothing is claimed by a proof that excepts everything.
    let everything =
        JobProof { attacker: position.to_move().other(), except: vec![Move::NULL], ..proof.clone() };
    let empty = JobProof { replies: Vec::new(), ..everything };
    assert!(refused(Answer::OthersLose { proof: empty }).contains("leaves out a move that is not known"));
    let known = Answer::Best { mv: task.excluded[0], status: Status::Stable, win: None };
    assert!(refused(known).contains("is known already"));
    let occupied = Game::CONNECT6.parse_move("j10a2").unwrap();
    let illegal = Answer::Best { mv: occupied, status: Status::Stable, win: None };
    assert!(refused(illegal).contains("cannot be played"));
}

/// A search with real jobs, one after the other; how many it took.
fn solve(settings: &Settings, most: usize) -> (Client<MemoryStore, Checked>, usize) {
    let store = MemoryStore::new(settings.clone());
    let mut client = Client::open(store, Checked, Patience::default()).unwrap();
    let mut worker = worker();
    let mut queue: VecDeque<Command> = VecDeque::new();
    for jobs in 0..most {
        queue.extend(client.fill(Duration::ZERO, 2).unwrap());
        let Some(command) = queue.pop_front() else { return (client, jobs) };
        let Command::Submit(task) = command else { continue };
        let answer = worker.execute(&task, &AtomicBool::new(false), &AtomicU64::new(0));
        let event = match answer {
            Ok(answer) => {
                Event::Answered { job: task.id, worker: "me".to_string(), answer, nodes: 1, millis: 1 }
            }
            Err(error) => Event::Failed { job: task.id, worker: "me".to_string(), why: error.to_string() },
        };
        queue.extend(client.handle(Duration::ZERO, event).unwrap());
    }
    (client, most)
}

/// What was done before changes neither an answer nor the moves it took.
#[test]
fn an_answer_depends_on_its_task_alone() {
    let tasks = ["j10 k11k10 k9i11 l8l10", "j10 k11k10 k9i11 l8l10 i9j9"].map(|moves| {
        let position = played(moves);
        [Kind::Best, Kind::Verify].map(|kind| task(&position, Vec::new(), kind, Method::Mutual))
    });
    let ask = |worker: &mut Worker, task: &Task| {
        let nodes = AtomicU64::new(0);
        let answer = worker.execute(task, &AtomicBool::new(false), &nodes).unwrap();
        (answer, nodes.into_inner())
    };
    let mut experienced = worker();
    for task in tasks.as_flattened() {
        ask(&mut experienced, task);
    }
    for task in tasks.as_flattened() {
        assert_eq!(ask(&mut experienced, task), ask(&mut worker(), task));
    }
}

/// Jobs so short that none solves it alone: the certificate is put together from
/// the tree and from the proofs of many jobs.
#[test]
fn a_solved_tree_gives_one_certificate_that_the_checker_accepts() {
    for (&(position, attacker, nodes), verify) in POSITIONS.iter().flat_map(|p| [(p, false), (p, true)]) {
        let root = match position.contains(':') {
            true => Setup::parse(position).unwrap().position().unwrap(),
            false => played(position),
        };
        let settings = Settings {
            root,
            attacker,
            policy: PolicyName::default(),
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            verify,
            method: Method::Mutual,
            build: "test".to_string(),
        };
        let (client, jobs) = solve(&settings, 400);
        let search = client.search();
        assert_eq!(search.value(), Some(Value::Win(attacker)), "{position}: {jobs} jobs, verify {verify}");
        assert!(search.tree().len() > 2, "{position}: {jobs} jobs, verify {verify}");
        let mut nobody = |_: &Position, _| None;
        let certificate = certify(search.tree(), client.store(), Method::Mutual, &mut nobody).unwrap();
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        let checked = lambda6_checker::check(&text[..]).unwrap();
        assert_eq!(checked.summary.replies, certificate.replies().len() as u64);
    }
}

/// A position, who wins it, and the moves that a job may try.
const POSITIONS: &[(&str, Side, u64)] = &[
    ("j10 k9i9 j9k10 i10j11 l11i8 m12h7 k12l10 g8f7", Side::Black, 1000),
    ("j10 i11h10 i9k11 g9h8 f8m13 n14f10 e11l14 h9h11 h12h7", Side::White, 1000),
];
