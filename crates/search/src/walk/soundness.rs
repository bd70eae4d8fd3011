//! The walk against exhaustive search, as it is and with a fault in its zones:
//! the test must notice.

#[path = "../../../proof/tests/support/exhaustive.rs"]
mod exhaustive;

use super::{Answers, answer_all};
use crate::{Method, Zones, zones::fault::Narrowed};
use exhaustive::{Exhaustive, TooLong};
use lambda6_rules::{Game, Move, Position, Setup, Side, Square};
use lambda6_threats::Board;

/// Answers with moves that win by exhaustive search, so that whatever the walk
/// asks about is answered rightly: a false claim can only come of what it does
/// not ask about.
struct Player<'a> {
    oracle: &'a mut Exhaustive,
    attacker: Side,
    method: Method,
    /// Answers that may still be given.
    left: u32,
    /// The first answer, if not any that wins.
    first: Option<u64>,
}

#[derive(Debug, PartialEq, Eq)]
enum Stop {
    NotWon,
    TooLong,
}

impl From<TooLong> for Stop {
    fn from(_: TooLong) -> Stop {
        Stop::TooLong
    }
}

fn bits(board: &Board, side: Side) -> u64 {
    let stones = board.game().squares().filter(|&square| board.at(square) == Some(side));
    stones.fold(0, |bits, square| bits | 1 << square.index())
}

impl Answers for Player<'_> {
    type Answer = Zones;
    type Stop = Stop;

    fn attack(&mut self, board: &mut Board, _: &Move) -> Result<Zones, Stop> {
        self.left = self.left.checked_sub(1).ok_or(Stop::TooLong)?;
        let attacker = self.attacker;
        let (own, other) = (bits(board, attacker), bits(board, attacker.other()));
        let reply = match self.first.take() {
            Some(first) => self.oracle.value(own | first, other, false)?.then_some(first),
            None => self.oracle.winning(own, other)?,
        };
        let reply = reply.ok_or(Stop::NotWon)?;
        let squares: Vec<Square> =
            board.game().squares().filter(|square| reply >> square.index() & 1 != 0).collect();
        let reply = Move::new(&squares).ok_or(Stop::NotWon)?;
        reply.iter().for_each(|square| board.place(attacker, square));
        let zones = if board.has_row(attacker) {
            Ok(Zones::of_row(board, attacker))
        } else {
            answer_all(board, attacker, self.method, self).map(|(zones, _)| zones)
        };
        reply.iter().for_each(|square| board.remove(attacker, square));
        let mut zones = zones?;
        zones.add_move(&reply);
        Ok(zones)
    }

    fn zones(answer: &Zones) -> &Zones {
        answer
    }

    fn refuse(&self) -> Stop {
        Stop::NotWon
    }
}

/// xorshift64*, so that a failing seed can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end as u64) as usize
    }
}

/// A random position of a small game, the defender (White) to move. For each p
/// those games in which the defender's own segments matter: with k = p + 1 a
/// single stone threatens to connect, with k = p + 2 two moves make a row.
fn position(seed: u64) -> Option<Position> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let p = 1 + random.below(3);
    let (m, n, k) = match p {
        1 => (3 + random.below(2), 3 + random.below(2), 3),
        2 => (4 + random.below(2), 3 + random.below(2), 3 + random.below(2)),
        _ => (5 + random.below(2), 4 + random.below(2), 4),
    };
    let game = Game::new(m as u32, n as u32, k as u32, p as u32, 1).ok()?;
    let empty = [4, 6, 7][p - 1] + random.below([5, 6, 5][p - 1]);
    let mut squares: Vec<Square> = game.squares().collect();
    for i in (1..squares.len()).rev() {
        squares.swap(i, random.below(i + 1));
    }
    let share = 2 + random.below(6);
    let mut board = Board::new(game);
    if random.below(2) == 0 {
        return counter(&mut random, p);
    }
    for &square in squares.get(empty..)? {
        let side = if random.below(10) < share { Side::Black } else { Side::White };
        // Where a stone would end the game the other side's may not.
        for side in [side, side.other()] {
            board.place(side, square);
            if !(board.has_row(side) || side == Side::White && board.has_threat(side)) {
                break;
            }
            board.remove(side, square);
        }
    }
    let stones = |side| game.squares().filter(|&square| board.at(square) == Some(side)).collect();
    let setup = Setup { game, black: stones(Side::Black), white: stones(Side::White), to_move: Side::White };
    setup.position().ok().filter(|position| position.empty_count() >= p && position.outcome().is_none())
}

/// A position with a row for White to strike back on: one stone more than a move
/// has is missing, so that a stone to spare makes it a threat. Above it a wall, and
/// above that squares for Black to win on.
fn counter(random: &mut Random, p: usize) -> Option<Position> {
    let k = p + 1 + random.below(2).max(usize::from(p == 1));
    let (m, n) = (k + random.below(2), 5);
    let game = Game::new(m as u32, n as u32, k as u32, p as u32, 1).ok()?;
    let mut board = Board::new(game);
    let open = 4 + random.below(5);
    let share = 4 + random.below(5);
    let mut squares: Vec<Square> = game.squares().take(m * (n - 2)).collect();
    for i in (1..squares.len()).rev() {
        squares.swap(i, random.below(i + 1));
    }
    let wall: Vec<Square> = game.squares().skip(m * (n - 2)).take(m).collect();
    let row: Vec<Square> = game.squares().skip(m * (n - 1)).collect();
    row[..k - p - 1].iter().for_each(|&square| board.place(Side::White, square));
    row[k..].iter().for_each(|&square| board.place(Side::Black, square));
    for &square in wall.iter().chain(squares.get(open..)?) {
        let side = if random.below(10) < share { Side::Black } else { Side::White };
        for side in [side, side.other()] {
            board.place(side, square);
            if !(board.has_row(side) || side == Side::White && board.has_threat(side)) {
                break;
            }
            board.remove(side, square);
        }
    }
    let stones = |side| game.squares().filter(|&square| board.at(square) == Some(side)).collect();
    let setup = Setup { game, black: stones(Side::Black), white: stones(Side::White), to_move: Side::White };
    setup.position().ok().filter(|position| position.empty_count() >= p && position.outcome().is_none())
}

/// Claims of the walk by p: false ones and true ones.
fn claims(seeds: std::ops::Range<u64>) -> ([u32; 4], [u32; 4]) {
    let (mut falsely, mut truly) = ([0; 4], [0; 4]);
    for seed in seeds {
        let Some(position) = position(seed) else { continue };
        let mut oracle = Exhaustive::new(position.game());
        let Ok(won) = oracle.wins(&position, Side::Black, 5_000) else { continue };
        let method = Method::ALL[seed as usize / 7 % 4];
        let p = usize::from(position.game().p());
        let oracle = &mut oracle;
        let mut player = Player { oracle, attacker: Side::Black, method, left: 3_000, first: None };
        let mut board = Board::from_position(&position);
        match answer_all(&mut board, Side::Black, method, &mut player) {
            Ok(_) if won => truly[p] += 1,
            Ok(_) => falsely[p] += 1,
            Err(Stop::TooLong) => {}
            Err(Stop::NotWon) => assert!(!won, "seed {seed}: not asked rightly"),
        }
    }
    (falsely, truly)
}

#[test]
fn the_walk_claims_wins_and_nothing_else() {
    let (falsely, truly) = claims(0..12_000);
    println!("{truly:?} wins claimed");
    assert_eq!(falsely, [0; 4]);
    assert!(truly[1..].iter().all(|&wins| wins > 100), "{truly:?}");
}

/// Moves of one stone only: among random positions with two or three stones a
/// move none was found in 60,000 on which answers that win by exhaustive search make
/// the walk claim too much, even without any counter-segments.
#[test]
fn a_zone_that_is_too_narrow_by_one_stone_is_noticed() {
    let _fault = Narrowed::by(1);
    let (falsely, _) = claims(0..12_000);
    println!("{falsely:?} wins claimed falsely");
    assert!(falsely[1] > 0, "{falsely:?}");
}

/// The same with two and three stones a move, where it takes more room. A row of
/// squares, and beside it threats that leave the defender one stone. The answer to
/// a pass on that one wins whatever stone the defender puts where it threatens, but
/// not against one that makes a threat elsewhere: there the defender's own segments
/// need one stone more than a move has.
#[test]
fn a_zone_that_is_too_narrow_by_one_stone_is_noticed_with_more_stones_a_move() {
    let mut noticed = [0; 4];
    let lines = include_str!("../../tests/data/counter_lines.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [game, "black", "white", squares, answer, refutes] = words[..] else { panic!("{line}") };
        let game: Game = game.parse().unwrap();
        let stones = |stone| {
            game.squares().zip(squares.chars()).filter(|&(_, c)| c == stone).map(|(s, _)| s).collect()
        };
        let setup = Setup { game, black: stones('x'), white: stones('o'), to_move: Side::White };
        let mut board = Board::from_position(&setup.position().unwrap());
        let set = |text| game.parse_move(text).unwrap();
        let mut oracle = Exhaustive::new(game);
        oracle.restart(1_000_000);
        // White must fill the bottom row, and plays the stone that refutes.
        let forced = game.squares().skip(usize::from(game.cols())).filter(|&square| board.is_empty(square));
        let defence: Vec<Square> = forced.chain(set(refutes).iter()).collect();
        defence.iter().for_each(|&square| board.place(Side::White, square));
        let (black, white) = (bits(&board, Side::Black), bits(&board, Side::White));
        assert_eq!((defence.len(), oracle.value(black, white, true)), (game.p().into(), Ok(false)), "{line}");
        defence.iter().for_each(|&square| board.remove(Side::White, square));
        for method in Method::ALL {
            let mut claims = |less: usize| {
                let _fault = Narrowed::by(less);
                let first = set(answer).iter().fold(0, |bits, square| bits | 1 << square.index());
                let (oracle, first) = (&mut oracle, Some(first));
                let mut player = Player { oracle, attacker: Side::Black, method, left: 3_000, first };
                answer_all(&mut board, Side::Black, method, &mut player).map(|_| ())
            };
            assert_eq!(claims(0), Err(Stop::NotWon), "{line}");
            assert_eq!(claims(1), Ok(()), "{line}");
        }
        noticed[usize::from(game.p())] += 1;
    }
    assert!(noticed[2] > 0 && noticed[3] > 0, "{noticed:?}");
}
