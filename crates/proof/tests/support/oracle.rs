//! Which positions of small games a side wins with moves of a class, by trying
//! every move of both sides. No zones, no critical defences, no order of moves:
//! the definitions, written out.

use lambda6_rules::{Game, Side, Square};
use rustc_hash::FxHashMap;

/// The moves that the attacker may use, by the threats they leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// At least `p` threats.
    Full,
    /// At least one.
    Any,
    /// None: all moves.
    All,
}

/// The stones of a position as bits, a bit a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones {
    pub attacker: u64,
    pub defender: u64,
}

/// The search was too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

/// One game's lines, and what is known of its positions.
pub struct Oracle {
    board: u64,
    p: usize,
    lines: Vec<u64>,
    known: FxHashMap<(Stones, Class), bool>,
    /// Moves that may still be tried.
    left: u64,
}

impl Oracle {
    /// For boards of at most 64 squares.
    pub fn new(game: Game) -> Oracle {
        let mut lines = Vec::new();
        for square in game.squares() {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let line: Option<Vec<Square>> =
                    (0..i32::from(game.k())).map(|i| game.offset(square, dx * i, dy * i)).collect();
                lines.extend(line.map(|line| line.iter().fold(0, |bits, s| bits | 1u64 << s.index())));
            }
        }
        let board = if game.area() == 64 { u64::MAX } else { (1 << game.area()) - 1 };
        Oracle { board, p: game.p().into(), lines, known: FxHashMap::default(), left: 0 }
    }

    /// Forgets what it knows and allows so many moves to be tried.
    pub fn restart(&mut self, moves: u64) {
        self.known.clear();
        self.left = moves;
    }

    /// The empty squares of the lines that one side can fill in a move.
    fn threats(&self, own: u64, other: u64) -> Vec<u64> {
        let open = self.lines.iter().filter(|&line| line & other == 0).map(|line| line & !own);
        open.filter(|need| need.count_ones() as usize <= self.p).collect()
    }

    /// Whether one side can fill a line in a move.
    pub fn connects(&self, own: u64, other: u64) -> bool {
        self.lines.iter().any(|line| line & other == 0 && (line & !own).count_ones() as usize <= self.p)
    }

    /// Whether there are at least so many threats: no smaller set of squares
    /// meets them all.
    pub fn at_least(&self, own: u64, other: u64, count: usize) -> bool {
        let threats = self.threats(own, other);
        let empty = self.board & !own & !other;
        (0..count).all(|size| !sets(empty, size).any(|set| threats.iter().all(|threat| threat & set != 0)))
    }

    /// The moves of a class. Those that let the other side connect are none.
    pub fn moves(&self, stones: Stones, class: Class) -> Vec<u64> {
        let Stones { attacker, defender } = stones;
        let least = match class {
            Class::Full => self.p,
            Class::Any => 1,
            Class::All => 0,
        };
        sets(self.board & !attacker & !defender, self.p)
            .filter(|mv| least == 0 || self.connects(attacker | mv, defender))
            .filter(|mv| !self.connects(defender, attacker | mv))
            .filter(|mv| self.at_least(attacker | mv, defender, least))
            .collect()
    }

    /// Whether the attacker, to move, wins: connects now, or has a move of the
    /// class after which she wins whatever the defender does.
    pub fn attack(&mut self, stones: Stones, class: Class) -> Result<bool, TooLong> {
        let Stones { attacker, defender } = stones;
        if self.connects(attacker, defender) {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(&(stones, class)) {
            return Ok(known);
        }
        let mut won = false;
        for mv in self.moves(stones, class) {
            if self.every_defence(Stones { attacker: attacker | mv, defender }, class)? {
                won = true;
                break;
            }
        }
        self.known.insert((stones, class), won);
        Ok(won)
    }

    /// Whether the attacker wins with the defender to move. A defender who can
    /// connect does. One who has fewer than `p` squares left fills the board,
    /// and nobody wins.
    pub fn defend(&mut self, stones: Stones, class: Class) -> Result<bool, TooLong> {
        Ok(!self.connects(stones.defender, stones.attacker) && self.every_defence(stones, class)?)
    }

    fn every_defence(&mut self, stones: Stones, class: Class) -> Result<bool, TooLong> {
        let Stones { attacker, defender } = stones;
        let empty = self.board & !attacker & !defender;
        if (empty.count_ones() as usize) < self.p {
            return Ok(false);
        }
        for mv in sets(empty, self.p) {
            self.left = self.left.checked_sub(1).ok_or(TooLong)?;
            if !self.attack(Stones { attacker, defender: defender | mv }, class)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// All sets of `size` of the squares.
pub fn sets(squares: u64, size: usize) -> impl Iterator<Item = u64> {
    let mut list: Vec<u64> = Vec::new();
    collect(squares, size, 0, &mut list);
    list.into_iter()
}

fn collect(squares: u64, size: usize, chosen: u64, list: &mut Vec<u64>) {
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

/// The bits of a list of squares.
pub fn bits(squares: impl Iterator<Item = Square>) -> u64 {
    squares.fold(0, |bits, square| bits | 1 << square.index())
}

/// The stones of a position, seen from the attacker's side.
pub fn stones(position: &lambda6_rules::Position, attacker: Side) -> Stones {
    Stones { attacker: bits(position.stones(attacker)), defender: bits(position.stones(attacker.other())) }
}
