//! Proofs are browsed: whatever the defender tries, there is an answer, and it
//! wins within the length that the checker found.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use lambda6_api::{
    About, AnswerRequest, ApiError, Ceiling, Code, PositionSpec, Proof, Proofs, Puzzles, Service,
    SolveRequest, Stones, Where, Work,
};
use lambda6_search::{Clock, NoClock};
use proptest::{prelude::*, test_runner::TestRng};
use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

fn service() -> Service {
    let ceiling = Ceiling::default();
    Service::new(About::new(Where::Server, &ceiling, 1), ceiling)
}

fn proof_of(request: SolveRequest) -> Arc<Proof> {
    let service = service();
    let stop = AtomicBool::new(false);
    let mut work = Work { clock: &NoClock, stop: &stop, report: &mut |_| {} };
    let search = service.prepare("solve", &serde_json::to_vec(&request).unwrap()).unwrap().unwrap();
    let done = service.search(search, &mut work).unwrap();
    let done: serde_json::Value = serde_json::from_str(&done.data).unwrap();
    assert_eq!(done["verdict"], "win", "{done}");
    service.proofs.get(done["proof"]["id"].as_str().unwrap()).unwrap()
}

fn puzzle(id: &str) -> PositionSpec {
    let puzzle = Puzzles::all().puzzles.iter().find(|puzzle| puzzle.id == id).unwrap();
    PositionSpec { moves: puzzle.moves.clone(), ..PositionSpec::default() }
}

/// The winner's first move has been played.
fn after_the_key(id: &str) -> PositionSpec {
    let mut position = puzzle(id);
    let proof = proof_of(SolveRequest { position: position.clone(), ..SolveRequest::default() });
    position.moves.extend(proof.answer(&AnswerRequest::default()).unwrap().reply);
    position
}

fn winner(id: &str) -> &'static str {
    puzzle(id).position().unwrap().0.to_move().name()
}

/// Proofs with and without spare stones of the defender, and one in which the
/// defender begins.
static PROOFS: LazyLock<Vec<Arc<Proof>>> = LazyLock::new(|| {
    let request = |position, attacker: Option<&str>| SolveRequest {
        position,
        attacker: attacker.map(String::from),
        ..SolveRequest::default()
    };
    vec![
        proof_of(request(puzzle("1.1"), None)),
        proof_of(request(puzzle("3.1"), None)),
        proof_of(request(puzzle("4.1"), None)),
        proof_of(request(after_the_key("4.1"), Some(winner("4.1")))),
    ]
});

/// Plays random defences, good and bad, until the proof has won.
fn play_out(proof: &Proof, rng: &mut TestRng) {
    let mut request = AnswerRequest::default();
    let most = proof.doc().longest + 1;
    for _ in 0..=most {
        let doc = proof.answer(&request).unwrap_or_else(|e| panic!("{:?}: {e}", request.defences));
        if doc.status == "won" {
            return;
        }
        let game = &doc_game(proof);
        let stones = Stones { black: doc.black, white: doc.white, to_move: doc.to_move };
        let mut position = PositionSpec { game: Some(game.to_string()), start: Some(stones), moves: vec![] }
            .position()
            .unwrap()
            .0;
        // Mostly what the certificate knows by name, with spare stones anywhere.
        let mut defence = match rng.random_range(0..4) {
            0 => String::new(),
            1 if !doc.named.is_empty() => doc.named[rng.random_range(0..doc.named.len())].r#move.clone(),
            _ if !doc.defences.is_empty() => doc.defences[rng.random_range(0..doc.defences.len())].clone(),
            _ => String::new(),
        };
        if defence == "-" {
            defence.clear();
        }
        let zone: Vec<&String> = doc.zones.last().into_iter().flatten().collect();
        let mut placed = if defence.is_empty() { 0 } else { game.parse_move(&defence).unwrap().len() };
        while placed < 2 {
            let empty: Vec<String> = position
                .empty_squares()
                .map(|square| game.square_name(square))
                .filter(|name| rng.random_range(0..3) == 0 || zone.contains(&name))
                .collect();
            let name = &empty[rng.random_range(0..empty.len())];
            let there =
                game.parse_move(&defence).is_ok_and(|mv| mv.contains(game.parse_square(name).unwrap()));
            if !there {
                defence.push_str(name);
                placed += 1;
            }
        }
        position.play_partial(&game.parse_move(&defence).unwrap()).unwrap();
        request.defences.push(defence);
    }
    panic!("not won after {most} moves: {:?}", request.defences);
}

fn doc_game(proof: &Proof) -> lambda6_rules::Game {
    let game = proof.doc().game;
    let [m, n, k, p, q] = [game.m, game.n, game.k, game.p, game.q].map(u32::from);
    lambda6_rules::Game::new(m, n, k, p, q).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_the_defender_tries_is_answered(which in 0..4usize, mut rng in any::<prop::sample::Index>().prop_perturb(|_, rng| rng)) {
        play_out(&PROOFS[which], &mut rng);
    }
}

#[test]
fn zones_are_nested_and_hold_the_replies() {
    for proof in PROOFS.iter() {
        let doc = proof.answer(&AnswerRequest::default()).unwrap();
        for pair in doc.zones.windows(2) {
            assert!(pair[0].iter().all(|square| pair[1].contains(square)));
        }
        if let (Some(reply), Some(zone)) = (&doc.reply, doc.zones.first()) {
            assert!(zone.iter().any(|square| reply.contains(square.as_str())));
        }
    }
}

#[test]
fn a_defender_who_lets_a_threat_stand_loses_at_once() {
    let proof = &PROOFS[0];
    let first = proof.answer(&AnswerRequest::default()).unwrap();
    assert_eq!((first.status.as_str(), first.moves.len()), ("open", 1));
    let after = proof.answer(&AnswerRequest { defences: vec!["-".into()] }).unwrap();
    assert_eq!((after.status.as_str(), after.moves.len()), ("won", 3));
    let over = proof.answer(&AnswerRequest { defences: vec!["-".into(), "a1".into()] }).unwrap_err();
    assert_eq!((over.code, over.field.as_deref()), (Code::BadRequest, Some("defences[1]")));
}

fn check(input: impl std::io::BufRead, ceiling: &Ceiling) -> Result<Proof, ApiError> {
    Proof::check(input, ceiling, &mut Proofs::new(ceiling.proofs).room(), &mut |_| Ok(()))
}

#[test]
fn broken_certificates_are_refused_with_the_place() {
    let text = String::from_utf8(PROOFS[1].text().to_vec()).unwrap();
    let check = |text: &str| check(text.as_bytes(), &Ceiling::default());
    assert!(check(&text).is_ok());
    let cut = text.trim_end().rsplit_once('\n').unwrap().0;
    let error = check(cut).err().unwrap();
    assert_eq!(error.code, Code::Rejected);
    assert!(error.message.contains("reply"), "{error}");
    for bad in ["", "connect-proof 1\n", "hello", "(;GM[511];B[jj])", "\u{28}\u{b5}/\u{fd}"] {
        assert_eq!(check(bad).err().unwrap().code, Code::BadRequest, "{bad:?}");
    }
    let small = Ceiling { certificate: 10, ..Ceiling::default() };
    let error = self::check(text.as_bytes(), &small).err().unwrap();
    assert_eq!(error.code, Code::TooLarge);
}

#[test]
fn a_proof_that_is_too_long_is_checked_but_not_browsed() {
    let text = PROOFS[1].text();
    let small = Ceiling { proofs: text.len() + 100, ..Ceiling::default() };
    let proof = check(text, &small).unwrap();
    assert!(PROOFS[1].bytes() > small.proofs && PROOFS[1].doc().browsable);
    assert!(!proof.doc().browsable);
    assert_eq!(proof.answer(&AnswerRequest::default()).unwrap_err().code, Code::TooLarge);
    let none = Ceiling { proofs: text.len() / 2, ..Ceiling::default() };
    assert_eq!(check(text, &none).err().unwrap().code, Code::Busy);
}

/// Gives a text in pieces of a few bytes, as a network may.
struct Pieces<'a>(&'a [u8]);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(3);
        self.0.read(&mut into[..most])
    }
}

#[test]
fn a_certificate_in_small_pieces_is_the_same_certificate() {
    let text = PROOFS[1].text();
    let proof = check(std::io::BufReader::with_capacity(2, Pieces(text)), &Ceiling::default()).unwrap();
    assert_eq!((proof.id(), proof.text()), (PROOFS[1].id(), text));
}

/// A clock that goes on by a second whenever it is read.
struct FastClock(AtomicU64);

impl Clock for FastClock {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn a_check_ends_when_its_time_is_over_or_its_caller_is_gone_and_gives_its_memory_back() {
    // Eight threats of eight squares: 8^8 defences to search.
    let endless = "connect-proof 1\ngame: 9 8 9 8 1\nblack: a1 a2 a3 a4 a5 a6 a7 a8\nwhite:\nto-move: white\n\
                   attacker: black\nmethod: mutual\nreplies: 1\n\na1\n";
    let ceiling = Ceiling { time: Duration::from_secs(2), ..Ceiling::default() };
    let (proofs, stop, mut looks) = (Proofs::new(ceiling.proofs), AtomicBool::new(false), 0);
    let work = Work { clock: &FastClock(AtomicU64::new(0)), stop: &stop, report: &mut |_| {} };
    let error = proofs.check(endless.as_bytes(), &ceiling, &work, &mut |_| {}).unwrap_err();
    assert_eq!(error.code, Code::Timeout);
    let work = Work { clock: &NoClock, stop: &stop, report: &mut |_| {} };
    let mut progress = |_| {
        looks += 1;
        stop.store(looks == 3, Ordering::Relaxed);
    };
    let error = proofs.check(endless.as_bytes(), &ceiling, &work, &mut progress).unwrap_err();
    assert_eq!((error.code, looks), (Code::Busy, 3));
    assert_eq!(proofs.bytes(), 0);
}

#[test]
fn defences_are_listed_by_how_long_they_resist() {
    let mut several = 0;
    for proof in PROOFS.iter() {
        let doc = proof.answer(&AnswerRequest::default()).unwrap();
        let keys: Vec<_> = doc.named.iter().map(|defence| (defence.longest, defence.replies)).collect();
        assert!(keys.is_sorted_by(|a, b| a >= b), "{keys:?}");
        assert!(doc.named.iter().all(|d| d.longest >= 1 && d.longest <= d.replies));
        // The reply that was given and the longest line behind it.
        let most = doc.named.first().map_or(0, |defence| u64::from(defence.longest));
        let given = u64::from(doc.reply.is_some());
        assert_eq!(given + most, proof.doc().longest);
        several += usize::from(doc.named.len() > 1);
    }
    assert!(several > 0);
}
