//! The defender's walk of the searches asks what the checker's walk asks, question
//! by question, for all methods and for one, two and three stones a move.

mod support;

use lambda6_proof::{Certificate, Method, Why, Zones};
use lambda6_rules::{Game, Move, Position, Setup, Side, Square};
use lambda6_search::{
    connecting,
    walk::{Answers, answer_all},
};
use lambda6_threats::{Board, Play, ThreatCount, defence};
use proptest::prelude::*;
use std::cell::RefCell;
use support::{Case, Role, Small, cases, exhaustive::Exhaustive, run, sharp_cases};

/// Answers with the replies of a certificate and notes the boards it is asked on.
struct Replay<'a> {
    attacker: Side,
    method: Method,
    replies: std::slice::Iter<'a, Move>,
    boards: Vec<u64>,
}

/// There is no reply left, or the defender is not beaten.
#[derive(Debug)]
struct Misfit;

impl Answers for Replay<'_> {
    type Answer = Zones;
    type Stop = Misfit;

    fn attack(&mut self, board: &mut Board, _: &Move) -> Result<Zones, Misfit> {
        self.boards.push(board.key(self.attacker));
        let reply = *self.replies.next().ok_or(Misfit)?;
        let (attacker, method) = (self.attacker, self.method);
        let mut zones = board.play(attacker, reply, |board| {
            if board.has_row(attacker) {
                return Ok(Zones::of_row(board, attacker));
            }
            answer_all(board, attacker, method, self).map(|(zones, _)| zones)
        })?;
        zones.add_move(&reply);
        Ok(zones)
    }

    fn zones(answer: &Zones) -> &Zones {
        answer
    }

    fn refuse(&self) -> Misfit {
        Misfit
    }
}

/// The boards on which our walk asks for a reply; all replies are used up.
fn asked(certificate: &Certificate) -> Result<Vec<u64>, Misfit> {
    let (attacker, method) = (certificate.attacker(), certificate.method());
    let mut board = Board::from_position(certificate.position());
    let replies = certificate.replies().iter();
    let mut replay = Replay { attacker, method, replies, boards: Vec::new() };
    if certificate.position().to_move() == attacker {
        replay.attack(&mut board, &Move::NULL)?;
    } else {
        answer_all(&mut board, attacker, method, &mut replay)?;
    }
    if replay.replies.next().is_some() { Err(Misfit) } else { Ok(replay.boards) }
}

/// The games, with the least and the largest number of empty squares: with k = p + 1 a
/// stone of the defender's threatens to connect, with more it takes two moves.
fn games() -> Vec<Small> {
    [
        (4, 4, 3, 1, 4, 9),
        (5, 4, 4, 1, 5, 10),
        (5, 4, 3, 2, 6, 11),
        (5, 5, 4, 2, 6, 11),
        (5, 4, 4, 3, 7, 11),
        (6, 5, 4, 3, 7, 12),
        (6, 5, 5, 3, 7, 12),
    ]
    .into_iter()
    .map(|(m, n, k, p, low, high)| (Game::new(m, n, k, p, 1).expect("a game"), low, high))
    .collect()
}

fn bits(board: &Board, side: Side) -> u64 {
    let stones = board.game().squares().filter(|&square| board.at(square) == Some(side));
    stones.fold(0, |bits, square| bits | 1 << square.index())
}

/// A certificate whose replies win by exhaustive search, if there is one.
fn certified(case: &Case, method: Method, oracle: &mut Exhaustive) -> Option<Certificate> {
    oracle.restart(20_000);
    let mut reply = |board: &mut Board| {
        if let Some(row) = connecting(board, case.attacker) {
            return Ok(row);
        }
        let (own, other) = (bits(board, case.attacker), bits(board, case.attacker.other()));
        let won = oracle.winning(own, other).ok().flatten().ok_or(Why::Nodes)?;
        let stones = board.game().squares().filter(|square| won >> square.index() & 1 != 0);
        Ok(stones.fold(Move::NULL, Move::with))
    };
    Certificate::walk(&case.position, case.attacker, method, &mut reply).ok()
}

/// Compares the two walks on a certificate. Whether it has more than one reply.
fn compare(certificate: &Certificate) -> Result<bool, TestCaseError> {
    let (position, method) = (certificate.position(), certificate.method());
    let mut theirs = Vec::new();
    certificate
        .for_each_reply(|board, _| theirs.push(board.key(certificate.attacker())))
        .expect("the checker accepted it before");
    let ours = asked(certificate);
    prop_assert!(ours.is_ok(), "{method}: our walk does not fit: {}", position.setup());
    let several = theirs.len() > 1;
    prop_assert_eq!(ours.unwrap_or_default(), theirs, "{}: {}", method, position.setup());
    Ok(several)
}

/// Certificates with more than one reply, by stones a move and method.
type Seen = [[u32; 4]; 3];

fn note(seen: &RefCell<Seen>, certificate: &Certificate) -> Result<(), TestCaseError> {
    let method = Method::ALL.iter().position(|&method| method == certificate.method()).unwrap_or(0);
    let several = compare(certificate)?;
    seen.borrow_mut()[usize::from(certificate.position().game().p()) - 1][method] += u32::from(several);
    Ok(())
}

/// The middles of five patterns, see [`three_stones`].
const MIDDLES: [(u8, u8); 5] = [(5, 5), (19, 5), (12, 12), (5, 19), (19, 19)];

/// Three stones a move, White to move. Around each of five squares Black has four stones
/// on the row and on the column: a stone there makes two threats that no single stone
/// meets. White's three stones spoil three of the five, and the other two win. On the
/// small boards of the other tests games with three stones are over at once.
fn three_stones() -> Position {
    let game = Game::new(25, 25, 8, 3, 1).expect("a game");
    let around = |(x, y): (u8, u8)| {
        let steps = [-2, -1, 1, 2];
        let row = steps.map(|step| game.offset(game.square(x, y), step, 0));
        let column = steps.map(|step| game.offset(game.square(x, y), 0, step));
        row.into_iter().chain(column).flatten()
    };
    let black = MIDDLES.into_iter().flat_map(around).collect();
    Setup { game, black, white: Vec::new(), to_move: Side::White }.position().expect("a position")
}

/// Connects, or makes more threats than can be met by stones in three of the middles.
fn overwhelm(board: &mut Board, attacker: Side) -> Result<Move, Why> {
    if let Some(row) = connecting(board, attacker) {
        return Ok(row);
    }
    let game = board.game();
    let middles = MIDDLES.map(|(x, y)| game.square(x, y));
    let free: Vec<Square> = middles.into_iter().filter(|&square| board.is_empty(square)).collect();
    // Where only two are left the third stone is any.
    let filler = game.squares().find(|&square| board.is_empty(square) && !free.contains(&square));
    for (i, &a) in free.iter().enumerate() {
        for (j, &b) in free.iter().enumerate().skip(i + 1) {
            for &c in filler.iter().chain(&free[j + 1..]) {
                let mv = Move::single(a).with(b).with(c);
                let won = board.play(attacker, mv, |board| {
                    defence::count(board, attacker) == ThreatCount::More
                        && !board.has_threat(attacker.other())
                });
                if won {
                    return Ok(mv);
                }
            }
        }
    }
    Err(Why::Exhausted)
}

#[test]
fn the_walk_asks_what_the_checker_asks() {
    let seen: RefCell<Seen> = RefCell::default();
    let small = |case: Case| {
        let mut oracle = Exhaustive::new(case.position.game());
        for method in Method::ALL {
            if let Some(certificate) = certified(&case, method, &mut oracle) {
                note(&seen, &certificate)?;
            }
        }
        Ok(())
    };
    for role in [Role::Attacker, Role::Defender] {
        run(2_000, cases(games(), role), small);
        run(1_000, sharp_cases(games(), role), small);
    }
    for method in Method::ALL {
        let mut reply = |board: &mut Board| overwhelm(board, Side::Black);
        let certificate = Certificate::walk(&three_stones(), Side::Black, method, &mut reply);
        note(&seen, &certificate.expect("Black wins")).expect("one walk");
    }
    let seen = seen.into_inner();
    println!("certificates by stones a move and method: {seen:?}");
    assert!(seen[..2].iter().flatten().all(|&count| count > 5), "one-sided: {seen:?}");
    assert_eq!(seen[2], [1; 4]);
}
