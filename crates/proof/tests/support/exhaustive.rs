//! Which positions of small games a side wins, by trying every move of both
//! sides: no threats, no zones, the rules alone.

#![allow(dead_code, reason = "each test uses a part of it")]

use lambda6_rules::{Game, Position, Side, Square};
use rustc_hash::FxHashMap;

/// The search was too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

/// One game's segments, and what is known of its positions.
pub struct Exhaustive {
    board: u64,
    p: u32,
    segments: Vec<u64>,
    /// The attacker's stones, the defender's, whether the attacker is to move.
    known: FxHashMap<(u64, u64, bool), bool>,
    /// Positions that may still be looked at.
    left: u64,
}

impl Exhaustive {
    /// For boards of at most 64 squares.
    pub fn new(game: Game) -> Exhaustive {
        let bit = |square: Square| 1u64 << square.index();
        let mut segments = Vec::new();
        for square in game.squares() {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let squares = (0..i32::from(game.k())).map(|i| game.offset(square, dx * i, dy * i));
                segments.extend(squares.map(|s| s.map(bit)).sum::<Option<u64>>());
            }
        }
        let board = if game.area() == 64 { u64::MAX } else { (1 << game.area()) - 1 };
        Exhaustive { board, p: game.p().into(), segments, known: FxHashMap::default(), left: 0 }
    }

    /// Whether `attacker` wins, looking at no more than so many positions.
    pub fn wins(&mut self, position: &Position, attacker: Side, most: u64) -> Result<bool, TooLong> {
        let bits = |side| position.stones(side).fold(0u64, |bits, square| bits | 1 << square.index());
        self.restart(most);
        self.value(bits(attacker), bits(attacker.other()), position.to_move() == attacker)
    }

    /// Forgets everything and allows so many positions.
    pub fn restart(&mut self, most: u64) {
        self.known.clear();
        self.left = most;
    }

    /// Whether the attacker wins. Nobody has a row yet.
    pub fn value(&mut self, attacker: u64, defender: u64, attacks: bool) -> Result<bool, TooLong> {
        let (own, other) = if attacks { (attacker, defender) } else { (defender, attacker) };
        let connects = |segment: &u64| segment & other == 0 && (segment & !own).count_ones() <= self.p;
        if self.segments.iter().any(connects) {
            return Ok(attacks);
        }
        // No row is left to the attacker.
        if self.segments.iter().all(|segment| segment & defender != 0) {
            return Ok(false);
        }
        let empty = self.board & !attacker & !defender;
        // A move that fills the board without a row: a draw.
        if empty.count_ones() <= self.p {
            return Ok(false);
        }
        if let Some(&known) = self.known.get(&(attacker, defender, attacks)) {
            return Ok(known);
        }
        self.left = self.left.checked_sub(1).ok_or(TooLong)?;
        let mut won = !attacks;
        for mv in sets(empty, self.p) {
            let (attacker, defender) =
                if attacks { (attacker | mv, defender) } else { (attacker, defender | mv) };
            if self.value(attacker, defender, !attacks)? == attacks {
                won = attacks;
                break;
            }
        }
        self.known.insert((attacker, defender, attacks), won);
        Ok(won)
    }

    /// The attacker's stones of a winning move, if there is one.
    pub fn winning(&mut self, attacker: u64, defender: u64) -> Result<Option<u64>, TooLong> {
        let empty = self.board & !attacker & !defender;
        let own = |segment: &&u64| *segment & defender == 0;
        if let Some(segment) = self
            .segments
            .iter()
            .filter(own)
            .find(|&segment| (segment & !attacker).count_ones() <= self.p && segment & !attacker != 0)
        {
            return Ok(Some(segment & !attacker));
        }
        for mv in sets(empty, self.p) {
            if self.value(attacker | mv, defender, false)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

/// All sets of so many of the squares.
pub fn sets(squares: u64, size: u32) -> Vec<u64> {
    fn collect(squares: u64, size: u32, chosen: u64, list: &mut Vec<u64>) {
        if size == 0 {
            list.push(chosen);
            return;
        }
        let mut rest = squares;
        while rest != 0 {
            let square = rest & rest.wrapping_neg();
            rest ^= square;
            collect(rest, size - 1, chosen | square, list);
        }
    }
    let mut list = Vec::new();
    collect(squares, size, 0, &mut list);
    list
}
