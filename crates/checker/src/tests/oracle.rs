//! Small games decided by exhaustive search, with no zones.

use crate::{Board, Game, Header, Method, Move, Rejection, Replies, Side, Square};
use std::collections::HashMap;

/// A small generator of random numbers (xorshift64*), so that a failing seed can
/// be run again.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end as u64) as usize
    }
}

/// Which positions of a game a side wins, by exhaustive search: boards of at
/// most 64 squares, as bits.
pub(crate) struct Oracle {
    area: usize,
    p: usize,
    lines: Vec<u64>,
    /// Attacker's stones, defender's stones, whether the attacker moves.
    known: HashMap<(u64, u64, bool), bool>,
    /// How many positions may still be searched.
    budget: usize,
}

/// The search was too long.
#[derive(Debug)]
pub(crate) struct TooLong;

impl Oracle {
    pub(crate) fn new(game: Game, budget: usize) -> Oracle {
        let (m, n, k) = (i32::from(game.m()), i32::from(game.n()), i32::from(game.k()));
        let mut lines = Vec::new();
        for (y, x) in (0..n).flat_map(|y| (0..m).map(move |x| (y, x))) {
            for (dy, dx) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let (end_y, end_x) = (y + dy * (k - 1), x + dx * (k - 1));
                if end_y < n && (0..m).contains(&end_x) {
                    lines.push((0..k).fold(0, |line, i| line | 1 << ((y + dy * i) * m + x + dx * i)));
                }
            }
        }
        Oracle { area: game.area(), p: usize::from(game.p()), lines, known: HashMap::new(), budget }
    }

    /// Whether the side can fill a line with at most p stones.
    fn connects(&self, own: u64, other: u64) -> bool {
        self.lines.iter().any(|line| line & other == 0 && (line & !own).count_ones() as usize <= self.p)
    }

    /// Whether a line is full of these stones.
    pub(crate) fn filled(&self, own: u64) -> bool {
        self.lines.iter().any(|line| line & !own == 0)
    }

    /// All sets of exactly `count` empty squares.
    pub(crate) fn moves(&self, taken: u64, count: usize) -> Vec<u64> {
        let mut sets = vec![vec![0u64]];
        sets.resize(count + 1, Vec::new());
        for bit in (0..self.area).map(|i| 1u64 << i).filter(|bit| taken & bit == 0) {
            for size in (0..count).rev() {
                let grown: Vec<u64> = sets[size].iter().map(|set| set | bit).collect();
                sets[size + 1].extend(grown);
            }
        }
        sets.swap_remove(count)
    }

    /// Whether the attacker wins.
    pub(crate) fn wins(&mut self, a: u64, d: u64, attacker_moves: bool) -> Result<bool, TooLong> {
        let (mover, other) = if attacker_moves { (a, d) } else { (d, a) };
        if self.filled(other) {
            return Ok(!attacker_moves);
        } else if self.connects(mover, other) {
            return Ok(attacker_moves);
        } else if self.area - ((a | d).count_ones() as usize) < self.p {
            return Ok(false);
        } else if let Some(&value) = self.known.get(&(a, d, attacker_moves)) {
            return Ok(value);
        }
        self.budget = self.budget.checked_sub(1).ok_or(TooLong)?;
        let mut value = !attacker_moves;
        for mv in self.moves(a | d, self.p) {
            let (a, d) = if attacker_moves { (a | mv, d) } else { (a, d | mv) };
            if self.wins(a, d, !attacker_moves)? == attacker_moves {
                value = attacker_moves;
                break;
            }
        }
        self.known.insert((a, d, attacker_moves), value);
        Ok(value)
    }

    /// A winning move of the attacker, if there is one: of all sizes if it
    /// connects.
    fn winning(&mut self, a: u64, d: u64, random: &mut Random) -> Result<Option<u64>, TooLong> {
        let mut moves: Vec<u64> = (1..=self.p).flat_map(|count| self.moves(a | d, count)).collect();
        let start = random.below(moves.len().max(1));
        moves.rotate_left(start);
        for mv in moves {
            let complete = mv.count_ones() as usize == self.p;
            if self.filled(a | mv) || complete && self.wins(a | mv, d, false)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

pub(crate) fn bits(squares: impl IntoIterator<Item = Square>) -> u64 {
    squares.into_iter().fold(0, |set, s| set | 1 << s)
}

pub(crate) fn to_move(bits: u64) -> Move {
    let squares: Vec<Square> = (0..64).filter(|s| bits >> s & 1 == 1).collect();
    Move::new(&squares).expect("at most p squares")
}

/// Answers with random winning moves where there are some, and where there is
/// none with random moves, if it tries at all: an attacker who makes the most of
/// any hole in the walk.
pub(crate) struct Player<'a> {
    pub(crate) oracle: &'a mut Oracle,
    pub(crate) attacker: Side,
    pub(crate) random: &'a mut Random,
    pub(crate) given: Vec<Move>,
    pub(crate) tries: bool,
}

#[derive(Debug)]
pub(crate) enum Stop {
    Rejected(Rejection),
    GivenUp,
    TooLong,
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Stop {
        Stop::Rejected(rejection)
    }
}

impl From<TooLong> for Stop {
    fn from(_: TooLong) -> Stop {
        Stop::TooLong
    }
}

impl Replies for Player<'_> {
    type Error = Stop;

    fn next(&mut self, number: u64, board: &Board) -> Result<Move, Stop> {
        if number > 20_000 {
            return Err(Stop::TooLong);
        }
        let (a, d) = (bits(board.stones(self.attacker)), bits(board.stones(self.attacker.other())));
        let chosen = match self.oracle.winning(a, d, self.random)? {
            Some(mv) => mv,
            None if self.tries => {
                let moves = self.oracle.moves(a | d, self.oracle.p);
                if moves.is_empty() { 0 } else { moves[self.random.below(moves.len())] }
            }
            None => return Err(Stop::GivenUp),
        };
        self.given.push(to_move(chosen));
        Ok(to_move(chosen))
    }
}

/// A random position of a random small game. Half of them are crowded: games of
/// all kinds, short to search. The others are those in which zones matter most:
/// few stones, most of them the attacker's, and the defender to move.
pub(crate) fn random_header(random: &mut Random) -> Header {
    let p = 1 + random.below(3);
    let open = random.below(2) == 0;
    let (m, n, k) = if open {
        (p + 2 + random.below(2), 4.min(p + 2) + random.below(2), p + 2)
    } else {
        let (m, n) = (3 + random.below(4), 3 + random.below(4));
        (m, n, (3 + random.below(m.max(n) - 2)).max(p + 1).min(m.max(n)))
    };
    let game = Game::new(m as u64, n as u64, k as u64, p as u64, 1).expect("a small game");
    let area = game.area();
    let (least, more) = if open { ([6, 13, 12][p - 1], [6, 5, 4][p - 1]) } else { (p + 1, [9, 8, 7][p - 1]) };
    let empties = (least + random.below(more)).min(area);
    let mut squares: Vec<Square> = (0..area as Square).collect();
    for i in (1..area).rev() {
        squares.swap(i, random.below(i + 1));
    }
    let share = if open { 5 + random.below(4) } else { 3 + random.below(5) };
    let (black, white) = squares[empties..].iter().partition(|_| random.below(10) < share);
    let mut side = || if !open && random.below(2) == 0 { Side::Black } else { Side::White };
    let (to_move, attacker) = (side(), side().other());
    Header { game, black, white, to_move, attacker, method: Method::Rzop, replies: 0, except: Vec::new() }
}
