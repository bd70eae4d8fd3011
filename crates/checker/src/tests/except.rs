//! Claims that leave out moves of the defender, against exhaustive search.

use super::{
    decided,
    oracle::{Oracle, Player, Random, Stop, TooLong, bits, to_move},
    text,
};
use crate::{Board, CheckError, Header, Method, Move, Reason, Replies, check, walk_except};

/// The oracle's player, with exceptions.
struct Excepting<'a>(Player<'a>, &'a Header);

impl Replies for Excepting<'_> {
    type Error = Stop;

    fn next(&mut self, number: u64, board: &Board) -> Result<Move, Stop> {
        self.0.next(number, board)
    }

    fn excepts(&mut self, stones: Move, _: &Board) -> Result<bool, Stop> {
        Ok(self.1.excepts(&stones))
    }
}

/// The smallest sets of at most p stones of the defender against which the attacker
/// does not win; none of them contains another.
fn unanswered(header: &Header, oracle: &mut Oracle) -> Result<Vec<Move>, TooLong> {
    let sides = [bits(header.black.iter().copied()), bits(header.white.iter().copied())];
    let (a, d) = (sides[header.attacker as usize], sides[header.attacker.other() as usize]);
    let mut found: Vec<u64> = Vec::new();
    for count in 0..=usize::from(header.game.p()) {
        for set in oracle.moves(a | d, count) {
            if found.iter().all(|known| known & !set != 0) && !oracle.wins(a, d | set, true)? {
                found.push(set);
            }
        }
    }
    Ok(found.into_iter().map(to_move).collect())
}

/// The walk with these exceptions, and the certificate's text if it succeeds.
fn walked(header: &Header, oracle: &mut Oracle, seed: u64) -> Result<String, Stop> {
    let mut random = Random::new(seed);
    let (attacker, random) = (header.attacker, &mut random);
    let player = Player { oracle, attacker, random, given: Vec::new(), tries: false };
    let mut source = Excepting(player, header);
    walk_except(header, &mut source)?;
    Ok(text(header, &source.0.given))
}

/// A claim with all exceptions that it needs is accepted. Without one of them it is not:
/// neither does the walk find replies, nor do those of the other claim serve.
#[test]
fn exceptions_are_those_of_the_claim_and_no_others() {
    let mut tried = [0; 4];
    for (seed, mut header, mut oracle, wins) in decided(40_000..41_000) {
        if wins || header.to_move == header.attacker {
            continue;
        }
        let Ok(except) = unanswered(&header, &mut oracle) else { continue };
        // With the empty set among them nothing is left to claim.
        if except.iter().any(|set| set.squares().is_empty()) {
            continue;
        }
        for method in Method::ALL {
            (header.method, header.except) = (method, except.clone());
            let certificate = match walked(&header, &mut oracle, seed) {
                Ok(certificate) => certificate,
                Err(Stop::TooLong) => continue,
                // The defender connects, which is one move too many to leave out.
                Err(Stop::Rejected(r)) if r.reason == Reason::DefenderConnects => continue,
                Err(other) => panic!("seed {seed}, {method}: {other:?}\n{header}"),
            };
            let checked = check(certificate.as_bytes()).unwrap();
            assert_eq!(checked.header.except, except, "seed {seed}");
            tried[usize::from(header.game.p())] += 1;
            for left_out in (0..except.len()).take(4) {
                header.except.remove(left_out);
                let found = walked(&header, &mut oracle, seed);
                assert!(found.is_err(), "seed {seed}, {method}, without {left_out}\n{header}");
                if !header.except.is_empty() {
                    let replies = certificate.split_once("\n\n").map_or("", |(_, replies)| replies);
                    header.replies = checked.summary.replies;
                    let false_claim = format!("{header}{replies}");
                    assert!(matches!(check(false_claim.as_bytes()), Err(CheckError::Rejected(_))));
                }
                header.except.insert(left_out, except[left_out]);
            }
        }
    }
    println!("{tried:?} claims with exceptions");
    assert!(tried[1..].iter().all(|&claims| claims > 50), "only {tried:?} claims");
}
