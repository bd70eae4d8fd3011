//! Naive implementations of the definitions, with which the fast code is compared,
//! and positions for the comparison.

#![allow(dead_code, reason = "each test file uses a part of it")]

use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::Board;
use proptest::prelude::*;
use std::collections::BTreeSet;

pub type Set = BTreeSet<Square>;

/// Stones as a plain list, a side or nothing for every square.
#[derive(Clone)]
pub struct Naive {
    pub game: Game,
    pub squares: Vec<Option<Side>>,
    segments: Vec<Vec<Square>>,
}

impl Naive {
    pub fn new(game: Game) -> Naive {
        let mut segments = Vec::new();
        for square in game.squares() {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let segment: Option<Vec<_>> =
                    (0..i32::from(game.k())).map(|i| game.offset(square, dx * i, dy * i)).collect();
                segments.extend(segment);
            }
        }
        Naive { game, squares: vec![None; game.area()], segments }
    }

    /// The number of stones of `side` on a segment that the other side has none
    /// on.
    fn count(&self, side: Side, segment: &[Square]) -> Option<u8> {
        let on = |side| segment.iter().filter(|s| self.squares[s.index()] == Some(side)).count() as u8;
        (on(side.other()) == 0).then(|| on(side))
    }

    pub fn has_row(&self, side: Side) -> bool {
        self.segments.iter().any(|segment| self.count(side, segment) == Some(self.game.k()))
    }

    pub fn segments_with(&self, side: Side, count: u8) -> usize {
        self.segments.iter().filter(|segment| self.count(side, segment) == Some(count)).count()
    }

    /// The empty squares of each threat.
    pub fn threats(&self, side: Side) -> Vec<Set> {
        let (k, p) = (self.game.k(), self.game.p());
        self.segments
            .iter()
            .filter(|segment| self.count(side, segment).is_some_and(|count| k - count <= p))
            .map(|segment| segment.iter().copied().filter(|s| self.squares[s.index()].is_none()).collect())
            .collect()
    }

    /// All sets of at most p squares that meet every threat, and none of whose
    /// proper subsets does.
    pub fn critical_defences(&self, attacker: Side) -> Vec<Vec<Square>> {
        let threats = self.threats(attacker);
        let squares: Vec<Square> = threats.iter().flatten().copied().collect::<Set>().into_iter().collect();
        let meets = |set: &[Square]| threats.iter().all(|threat| set.iter().any(|s| threat.contains(s)));
        let mut found: Vec<Vec<Square>> = subsets(&squares, self.game.p().into())
            .into_iter()
            .filter(|set| meets(set))
            .filter(|set| {
                (0..set.len()).all(|i| {
                    let mut fewer = set.clone();
                    fewer.remove(i);
                    !meets(&fewer)
                })
            })
            .collect();
        found.sort();
        found
    }

    /// The least number of stones that meets all threats; None for more than p.
    pub fn threat_count(&self, attacker: Side) -> Option<usize> {
        self.critical_defences(attacker).iter().map(Vec::len).min()
    }

    /// The minimal sets among the sets of at most p empty squares that make at
    /// least `least` threats, contain a critical defence against the other side,
    /// and, if `most` is given, make no more than that.
    pub fn threat_sets(&mut self, side: Side, least: usize, candidates: &[Square]) -> Vec<Vec<Square>> {
        let defences = self.critical_defences(side.other());
        let mut found: Vec<Vec<Square>> = Vec::new();
        for set in subsets(candidates, self.game.p().into()) {
            let meets = defences.iter().any(|defence| defence.iter().all(|square| set.contains(square)));
            let minimal = !found.iter().any(|known| known.iter().all(|square| set.contains(square)));
            if !meets || !minimal {
                continue;
            }
            set.iter().for_each(|s| self.squares[s.index()] = Some(side));
            let made = self.threat_count(side).unwrap_or(usize::MAX);
            set.iter().for_each(|s| self.squares[s.index()] = None);
            if made >= least {
                found.push(set);
            }
        }
        found.sort();
        found
    }

    pub fn empty_squares(&self) -> Vec<Square> {
        self.game.squares().filter(|s| self.squares[s.index()].is_none()).collect()
    }
}

/// All subsets with at most `most` elements, the smaller ones first, each sorted.
pub fn subsets(squares: &[Square], most: usize) -> Vec<Vec<Square>> {
    let mut all = vec![vec![]];
    let mut last = vec![vec![]];
    for _ in 0..most {
        let mut next = Vec::new();
        for set in &last {
            let from = set.last().map_or(0, |s| squares.iter().position(|t| t == s).unwrap() + 1);
            for &square in &squares[from..] {
                let mut more: Vec<Square> = set.clone();
                more.push(square);
                next.push(more);
            }
        }
        all.extend(next.iter().cloned());
        last = next;
    }
    all
}

/// Stones that make no row: those of `stones` that can be placed one after the
/// other.
pub fn place_all(game: Game, stones: &[(u8, u8, bool)]) -> (Naive, Board) {
    let mut naive = Naive::new(game);
    let mut board = Board::new(game);
    for &(col, row, black) in stones {
        if col >= game.cols() || row >= game.rows() {
            continue;
        }
        let square = game.square(col, row);
        let side = if black { Side::Black } else { Side::White };
        if board.is_empty(square) {
            board.place(side, square);
            if board.has_row_through(side, square) {
                board.remove(side, square);
            } else {
                naive.squares[square.index()] = Some(side);
            }
        }
    }
    (naive, board)
}

/// Stones scattered over the whole board, or crowded as in real games.
pub fn stones(game: Game, most: usize) -> impl Strategy<Value = Vec<(u8, u8, bool)>> {
    let anywhere = (0..game.cols(), 0..game.rows(), any::<bool>());
    let side = game.cols().min(game.rows()).min(9);
    let (x, y) = ((game.cols() - side) / 2, (game.rows() - side) / 2);
    let crowded = (x..x + side, y..y + side, any::<bool>());
    // Runs of one colour make threats likely.
    let run = (0..game.cols(), 0..game.rows(), any::<bool>(), 0..4usize, 1..5u8).prop_map(
        |(col, row, black, direction, len)| {
            let (dx, dy) = [(1u8, 0), (0, 1), (1, 1), (1, 255u8)][direction];
            (0..len)
                .map(|i| (col.wrapping_add(dx.wrapping_mul(i)), row.wrapping_add(dy.wrapping_mul(i)), black))
                .collect::<Vec<_>>()
        },
    );
    let single = prop_oneof![anywhere, crowded].prop_map(|stone| vec![stone]);
    proptest::collection::vec(prop_oneof![4 => single, 1 => run], 0..most)
        .prop_map(|parts| parts.into_iter().flatten().collect())
}

pub fn lists(moves: &[Move]) -> Vec<Vec<Square>> {
    let mut lists: Vec<Vec<Square>> = moves.iter().map(|mv| mv.sorted().squares().to_vec()).collect();
    lists.sort();
    lists
}

/// The games that the tests play: Connect6, and small and odd ones.
pub fn games() -> Vec<Game> {
    [
        (19, 19, 6, 2, 1),
        (9, 9, 6, 2, 1),
        (15, 15, 5, 1, 1),
        (7, 6, 4, 1, 1),
        (6, 6, 4, 2, 1),
        (5, 5, 3, 2, 1),
        (6, 6, 6, 3, 1),
        (5, 4, 4, 3, 2),
        (8, 8, 5, 2, 1),
        (10, 7, 7, 2, 1),
        (9, 9, 8, 2, 1),
        (4, 4, 5, 2, 1),
        (59, 59, 6, 2, 1),
        (3, 12, 4, 1, 1),
    ]
    .into_iter()
    .map(|(m, n, k, p, q)| Game::new(m, n, k, p, q).unwrap())
    .collect()
}
