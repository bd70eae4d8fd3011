//! What one thread of the search works with: the board, the threat solver for
//! double threats, and memory that is kept from move to move.

use crate::{
    field::Field,
    moves::{Appealing, Generator, SquareSet},
};
use rules::{Game, Move, Position, Side};
use search::{
    Budget, Clock, Limits, Why,
    full::{Defence, FullSearch, Options, Partners},
    lambda::LambdaSearch,
};
use std::sync::atomic::AtomicBool;
use threats::{Board, Defences, Level, ThreatCount, defence};

/// The search must end: the time is up, the nodes are used or the caller says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halt;

/// What ends a search.
#[derive(Clone, Copy)]
pub struct Fuse<'a> {
    /// The time and the nodes that may be used. The depth is not looked at.
    pub limits: Limits,
    /// The caller's clock.
    pub clock: &'a dyn Clock,
    /// The caller's signal.
    pub stop: &'a AtomicBool,
}

/// Memory for one level of the tree.
#[derive(Debug)]
pub struct Ply {
    pub moves: Vec<Appealing>,
    pub sets: Vec<Move>,
    pub defences: Defences,
    pub killers: [Move; 2],
}

impl Default for Ply {
    fn default() -> Ply {
        Ply { moves: Vec::new(), sets: Vec::new(), defences: Defences::default(), killers: [Move::NULL; 2] }
    }
}

/// Searches for threats that were made before.
#[derive(Clone, Copy, Default)]
struct Asked {
    key: u64,
    /// Moves that the search was given.
    nodes: u32,
    /// The attacker's moves to the end; 0 for no win.
    moves: u16,
    known: bool,
}

/// The memory of one thread.
pub struct Mind {
    pub board: Board,
    pub field: Field,
    pub generator: Generator,
    pub plies: Vec<Ply>,
    full: FullSearch,
    asked: Box<[Asked]>,
    defences: Defences,
    /// Positions and solver moves so far.
    pub nodes: u64,
}

/// Positions that a zone is gathered from, at most.
const ZONE_POSITIONS: u32 = 600;

/// The solver's settings in the tree.
const OPTIONS: Options = Options { defence: Defence::Normal, partners: Partners::Useful(12) };

impl Mind {
    /// With tables of about this many bytes.
    pub fn new(game: Game, table_bytes: usize) -> Mind {
        let asked = (table_bytes / 4 / size_of::<Asked>()).clamp(1 << 8, 1 << 20);
        Mind {
            board: Board::new(game),
            field: Field::new(game),
            generator: Generator::default(),
            plies: Vec::new(),
            full: FullSearch::new(game, table_bytes / 4 * 3),
            asked: vec![Asked::default(); asked.next_power_of_two()].into(),
            defences: Defences::default(),
            nodes: 0,
        }
    }

    /// Goes to a position.
    pub fn set_up(&mut self, position: &Position) {
        self.nodes = 0;
        for square in position.game().squares() {
            let (here, there) = (self.board.at(square), position.at(square));
            if here != there {
                if let Some(side) = here {
                    self.board.remove(side, square);
                    self.field.remove(side, square);
                }
                if let Some(side) = there {
                    self.board.place(side, square);
                    self.field.place(side, square);
                }
            }
        }
    }

    /// Plays the stones of a move.
    pub fn place(&mut self, side: Side, mv: &Move) {
        for square in mv.iter() {
            self.board.place(side, square);
            self.field.place(side, square);
        }
    }

    /// Takes them back.
    pub fn remove(&mut self, side: Side, mv: &Move) {
        for square in mv.iter().rev() {
            self.board.remove(side, square);
            self.field.remove(side, square);
        }
    }

    /// Whether the solver for double threats can be used: with three stones a
    /// move there are too many of them.
    pub fn solves(&self) -> bool {
        self.board.game().p() <= 2
    }

    /// The number of moves in which `attacker`, to move, wins by double threats,
    /// as far as a search of so many moves can tell.
    pub fn double_threats(
        &mut self,
        attacker: Side,
        nodes: u64,
        fuse: &Fuse<'_>,
    ) -> Result<Option<u32>, Halt> {
        if !self.solves() {
            return Ok(None);
        }
        let key = self.question(attacker, 1);
        if let Some(moves) = self.answer(key, nodes) {
            return Ok((moves > 0).then_some(moves.into()));
        }
        let limits = Limits { nodes: Some(nodes), time: fuse.limits.time, depth: None };
        let mut budget = Budget::new(limits, fuse.clock, fuse.stop);
        let won = self.full.wins(&mut self.board, attacker, OPTIONS, &mut budget);
        self.nodes += budget.nodes();
        let (won, tried) = match won {
            Ok(won) => (won, u32::MAX),
            Err(Why::Time | Why::Stopped) => return Err(Halt),
            Err(_) => (false, nodes.min(u64::from(u32::MAX)) as u32),
        };
        let moves = if won { self.length(attacker, fuse)? } else { 0 };
        self.note(Asked { key, nodes: tried, moves: moves as u16, known: true });
        Ok(won.then_some(moves))
    }

    /// Whether `attacker`, to move, wins by single threats, as far as a search of
    /// so many moves can tell.
    pub fn single_threats(
        &mut self,
        singles: &mut LambdaSearch,
        attacker: Side,
        nodes: u64,
        fuse: &Fuse<'_>,
    ) -> Result<bool, Halt> {
        if !self.solves() {
            return Ok(false);
        }
        let key = self.question(attacker, 3);
        if let Some(moves) = self.answer(key, nodes) {
            return Ok(moves > 0);
        }
        let limits = Limits { nodes: Some(nodes), time: fuse.limits.time, depth: None };
        let mut budget = Budget::new(limits, fuse.clock, fuse.stop);
        let won = singles.winning_move(&self.board, attacker, &mut budget);
        self.nodes += budget.nodes();
        let (won, tried) = match won {
            Ok(won) => (won.is_some(), u32::MAX),
            Err(Why::Time | Why::Stopped) => return Err(Halt),
            Err(_) => (false, nodes.min(u64::from(u32::MAX)) as u32),
        };
        self.note(Asked { key, nodes: tried, moves: won.into(), known: true });
        Ok(won)
    }

    /// The key of a question about `attacker`'s threats.
    fn question(&self, attacker: Side, kind: u64) -> u64 {
        self.board.key(attacker) ^ (attacker.index() as u64 + kind).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 24) as usize & (self.asked.len() - 1)
    }

    /// The moves of a win that is known, 0 for none that so many moves find.
    fn answer(&self, key: u64, nodes: u64) -> Option<u16> {
        let asked = self.asked[self.slot(key)];
        let settled = asked.moves > 0 || u64::from(asked.nodes) >= nodes;
        (asked.known && asked.key == key && settled).then_some(asked.moves)
    }

    fn note(&mut self, asked: Asked) {
        let slot = self.slot(asked.key);
        self.asked[slot] = asked;
    }

    /// A budget for finding the replies of a win that is known.
    fn replies<'a>(fuse: &Fuse<'a>) -> Budget<'a> {
        let limits = Limits { nodes: Some(2_000), time: fuse.limits.time, depth: None };
        Budget::new(limits, fuse.clock, fuse.stop)
    }

    /// The winning move of double threats that were found.
    pub fn attack(&mut self, attacker: Side, fuse: &Fuse<'_>) -> Option<Move> {
        self.full.reply(&mut self.board, attacker, OPTIONS, &mut Mind::replies(fuse)).ok()
    }

    /// The moves of a win against the first defence each time.
    fn length(&mut self, attacker: Side, fuse: &Fuse<'_>) -> Result<u32, Halt> {
        let mut budget = Mind::replies(fuse);
        let mut placed: Vec<(Side, Move)> = Vec::new();
        let mut moves = 0;
        while moves < 40 {
            let reply = match self.full.reply(&mut self.board, attacker, OPTIONS, &mut budget) {
                Ok(reply) => reply,
                Err(_) => break,
            };
            reply.iter().for_each(|square| self.board.place(attacker, square));
            placed.push((attacker, reply));
            moves += 1;
            if self.board.has_row(attacker) {
                break;
            }
            self.defences.find(&self.board, attacker);
            let Some(&defence) = self.defences.iter().next() else {
                moves += 1;
                break;
            };
            defence.iter().for_each(|square| self.board.place(attacker.other(), square));
            placed.push((attacker.other(), defence));
        }
        for (side, mv) in placed.into_iter().rev() {
            mv.iter().for_each(|square| self.board.remove(side, square));
        }
        self.nodes += budget.nodes();
        Ok(moves.max(1))
    }

    /// The squares on which a stone of the other side can disturb the double
    /// threats with which `attacker`, to move, wins: those of the attacker's
    /// moves and threats, and those from which the defender could strike back.
    /// A move without a stone there changes nothing, unless its stones make a
    /// threat together. `None` when the win is too large to look through.
    pub fn zone(&mut self, attacker: Side, fuse: &Fuse<'_>) -> Option<SquareSet> {
        let mut zone = SquareSet::new(self.board.game().area());
        let mut left = ZONE_POSITIONS;
        let mut budget = Mind::replies(fuse);
        let complete = self.zone_from(attacker, &mut zone, &mut left, &mut budget);
        self.nodes += budget.nodes();
        complete.then_some(zone)
    }

    fn zone_from(
        &mut self,
        attacker: Side,
        zone: &mut SquareSet,
        left: &mut u32,
        budget: &mut Budget<'_>,
    ) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let Ok(reply) = self.full.reply(&mut self.board, attacker, OPTIONS, budget) else { return false };
        let defender = attacker.other();
        reply.iter().for_each(|square| self.board.place(attacker, square));
        reply.iter().for_each(|square| zone.insert(square));
        let mut complete = true;
        if !self.board.has_row(attacker) {
            add_threats_and_counters(&self.board, attacker, zone);
            let mut defences = Defences::default();
            defences.find(&self.board, attacker);
            if defences.count() != ThreatCount::More {
                for defence in defences.iter() {
                    defence.iter().for_each(|square| self.board.place(defender, square));
                    complete = complete && self.zone_from(attacker, zone, left, budget);
                    defence.iter().for_each(|square| self.board.remove(defender, square));
                }
            }
        }
        reply.iter().for_each(|square| self.board.remove(attacker, square));
        complete
    }
}

/// Adds the squares of the attacker's threats and those where a stone of the
/// defender makes a threat.
pub fn add_threats_and_counters(board: &Board, attacker: Side, zone: &mut SquareSet) {
    defence::for_each_threat(board, attacker, |threat| threat.iter().for_each(|square| zone.insert(square)));
    let defender = attacker.other();
    let game = board.game();
    for line in board.hot_lines(defender, Level::Cell).iter() {
        let windows = board.windows_needing(defender, line, game.p() + 1);
        let empty = board.empty_on(line);
        for position in 0..64u32 {
            let reaches =
                (0..u32::from(game.k())).any(|i| position >= i && windows >> (position - i) & 1 != 0);
            if empty >> position & 1 != 0 && reaches {
                zone.insert(board.geometry().square(line, position));
            }
        }
    }
}
