//! What one thread of the game-tree search works with: the board, its
//! evaluation, the VCDT solver, and memory that is kept from move to move.

use crate::generator::{Generator, SquareSet, ValuedMove};
use lambda6_rules::{Game, Move, Position, Side, Square};
use lambda6_search::{
    Budget, Control, Limits, Why,
    evaluation::Evaluation,
    lambda::LambdaSearch,
    vcdt::{Defence, Partners, VcdtOptions, VcdtSearch},
};
use lambda6_threats::{Board, Defences, Level, Play, ThreatCount, defence};

/// A limit was reached, or the caller asked the search to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Buffers for one ply of the tree, and its killer moves.
#[derive(Debug)]
pub struct Ply {
    pub moves: Vec<ValuedMove>,
    pub sets: Vec<Move>,
    pub defences: Defences,
    pub killers: [Move; 2],
}

impl Default for Ply {
    fn default() -> Ply {
        Ply { moves: Vec::new(), sets: Vec::new(), defences: Defences::default(), killers: [Move::NULL; 2] }
    }
}

/// Which threat search a cached result comes from. The numbers are part of the
/// cache key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ThreatSearch {
    Vcdt = 1,
    Vcst = 3,
}

/// The result of a threat search.
#[derive(Clone, Copy, Default)]
struct CachedResult {
    key: u64,
    /// The node limit of the search, or `u32::MAX` if it ran to its end.
    nodes: u32,
    /// The attacker's moves to the end; 0 for no win.
    moves: u16,
    used: bool,
}

/// Results of earlier threat searches. A new result replaces the old one.
struct ResultCache(Box<[CachedResult]>);

impl ResultCache {
    fn with_bytes(bytes: usize) -> ResultCache {
        let entries = (bytes / size_of::<CachedResult>()).clamp(1 << 8, 1 << 20);
        ResultCache(vec![CachedResult::default(); entries.next_power_of_two()].into())
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 24) as usize & (self.0.len() - 1)
    }

    /// The length of a known win, or 0 if a search of at least `nodes` nodes
    /// found none.
    fn get(&self, key: u64, nodes: u64) -> Option<u16> {
        let result = self.0[self.slot(key)];
        let settled = result.moves > 0 || u64::from(result.nodes) >= nodes;
        (result.used && result.key == key && settled).then_some(result.moves)
    }

    fn set(&mut self, result: CachedResult) {
        let slot = self.slot(result.key);
        self.0[slot] = result;
    }
}

/// The state of one search thread.
pub struct SearchThread {
    pub board: Board,
    pub evaluation: Evaluation,
    pub generator: Generator,
    pub plies: Vec<Ply>,
    vcdt: VcdtSearch,
    results: ResultCache,
    defences: Defences,
    /// Positions of the tree and nodes of the solvers so far.
    pub nodes: u64,
}

/// The most positions that a zone is gathered from.
const ZONE_POSITIONS: u32 = 600;

/// The most moves of a line whose length is counted.
const MAX_LENGTH: u32 = 40;

/// The solver's settings in the tree.
const VCDT_OPTIONS: VcdtOptions = VcdtOptions { defence: Defence::Normal, partners: Partners::Useful(12) };

impl Play for SearchThread {
    fn place(&mut self, side: Side, square: Square) {
        self.board.place(side, square);
        self.evaluation.place(side, square);
    }

    fn remove(&mut self, side: Side, square: Square) {
        self.board.remove(side, square);
        self.evaluation.remove(side, square);
    }
}

impl SearchThread {
    /// A thread with tables of about `table_bytes` bytes and an empty board.
    pub fn new(game: Game, table_bytes: usize) -> SearchThread {
        SearchThread {
            board: Board::new(game),
            evaluation: Evaluation::new(game),
            generator: Generator::default(),
            plies: Vec::new(),
            vcdt: VcdtSearch::new(game, table_bytes / 4 * 3),
            results: ResultCache::with_bytes(table_bytes / 4),
            defences: Defences::default(),
            nodes: 0,
        }
    }

    /// Changes the board to a position and resets the node count.
    pub fn set_up(&mut self, position: &Position) {
        self.nodes = 0;
        for square in position.game().squares() {
            let (here, there) = (self.board.at(square), position.at(square));
            if here != there {
                self.replace(square, here, there);
            }
        }
    }

    /// Whether the threat solvers can be used: with three stones a move there are
    /// too many threat moves.
    pub fn solves(&self) -> bool {
        self.board.game().p() <= 2
    }

    /// The number of moves in which `attacker`, to move, wins by VCDT, if a
    /// search of `nodes` nodes finds such a win.
    pub fn vcdt_length(
        &mut self,
        attacker: Side,
        nodes: u64,
        control: Control<'_>,
    ) -> Result<Option<u32>, Interrupted> {
        let moves = self.threat_search(ThreatSearch::Vcdt, attacker, nodes, control, |thread, budget| {
            thread.vcdt.wins(&mut thread.board, attacker, VCDT_OPTIONS, budget)
        })?;
        Ok((moves > 0).then_some(moves.into()))
    }

    /// Whether a search of `nodes` nodes finds a win of `attacker`, to move, by
    /// VCST.
    pub fn wins_by_vcst(
        &mut self,
        vcst: &mut LambdaSearch,
        attacker: Side,
        nodes: u64,
        control: Control<'_>,
    ) -> Result<bool, Interrupted> {
        let moves = self.threat_search(ThreatSearch::Vcst, attacker, nodes, control, |thread, budget| {
            vcst.winning_move(&thread.board, attacker, budget).map(|won| won.is_some())
        })?;
        Ok(moves > 0)
    }

    /// The length of a win that `solve` finds with `nodes` nodes, 0 for none, by
    /// way of the cache. The length of a VCST win is not counted: it is 1.
    fn threat_search(
        &mut self,
        which: ThreatSearch,
        attacker: Side,
        nodes: u64,
        control: Control<'_>,
        solve: impl FnOnce(&mut SearchThread, &mut Budget<'_>) -> Result<bool, Why>,
    ) -> Result<u16, Interrupted> {
        if !self.solves() {
            return Ok(0);
        }
        let salt = (attacker.index() as u64 + which as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let key = self.board.key(attacker) ^ salt;
        if let Some(moves) = self.results.get(key, nodes) {
            return Ok(moves);
        }
        let limits = Limits { nodes: Some(nodes), time: control.limits.time, depth: None };
        let mut budget = control.with(limits).budget();
        let found = solve(self, &mut budget);
        self.nodes += budget.nodes();
        let (won, searched) = match found {
            Ok(won) => (won, u32::MAX),
            Err(Why::Time | Why::Stopped) => return Err(Interrupted),
            Err(_) => (false, nodes.min(u64::from(u32::MAX)) as u32),
        };
        let moves = match which {
            _ if !won => 0,
            ThreatSearch::Vcdt => self.length(attacker, control) as u16,
            ThreatSearch::Vcst => 1,
        };
        self.results.set(CachedResult { key, nodes: searched, moves, used: true });
        Ok(moves)
    }

    /// A budget for finding the replies of a known win.
    fn reply_budget<'a>(control: Control<'a>) -> Budget<'a> {
        control.with(Limits { nodes: Some(2_000), time: control.limits.time, depth: None }).budget()
    }

    /// The first move of a known VCDT win.
    pub fn vcdt_move(&mut self, attacker: Side, control: Control<'_>) -> Option<Move> {
        let mut budget = SearchThread::reply_budget(control);
        self.vcdt.reply(&mut self.board, attacker, VCDT_OPTIONS, &mut budget).ok()
    }

    /// The attacker's moves in a known VCDT win when the defender always plays
    /// the first defence: an estimate of the win's length.
    fn length(&mut self, attacker: Side, control: Control<'_>) -> u32 {
        let mut budget = SearchThread::reply_budget(control);
        let mut placed: Vec<(Side, Move)> = Vec::new();
        let mut moves = 0;
        while moves < MAX_LENGTH {
            let Ok(reply) = self.vcdt.reply(&mut self.board, attacker, VCDT_OPTIONS, &mut budget) else {
                break;
            };
            self.board.place_all(attacker, reply);
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
            self.board.place_all(attacker.other(), defence);
            placed.push((attacker.other(), defence));
        }
        for (side, mv) in placed.into_iter().rev() {
            self.board.remove_all(side, mv);
        }
        self.nodes += budget.nodes();
        moves.max(1)
    }

    /// The squares on which a stone of the defender can disturb a known VCDT win
    /// of `attacker`, to move: those of the attacker's moves and threats, and
    /// those where the defender could make a counter-threat. A move without a
    /// stone there changes nothing, unless its stones make a threat together.
    /// `None` when the win has too many positions.
    pub fn zone(&mut self, attacker: Side, control: Control<'_>) -> Option<SquareSet> {
        let mut zone = SquareSet::new(self.board.game().area());
        let mut left = ZONE_POSITIONS;
        let mut budget = SearchThread::reply_budget(control);
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
        let Ok(reply) = self.vcdt.reply(&mut self.board, attacker, VCDT_OPTIONS, budget) else {
            return false;
        };
        reply.iter().for_each(|square| zone.insert(square));
        self.play(attacker, reply, |thread| {
            if thread.board.has_row(attacker) {
                return true;
            }
            add_threats_and_counters(&thread.board, attacker, zone);
            let mut defences = Defences::default();
            defences.find(&thread.board, attacker);
            let mut zone_after = |defence: &Move| {
                thread
                    .play(attacker.other(), defence, |thread| thread.zone_from(attacker, zone, left, budget))
            };
            defences.count() == ThreatCount::More || defences.iter().all(&mut zone_after)
        })
    }
}

/// Adds the squares of the attacker's threats and those where a stone of the
/// defender makes a threat.
fn add_threats_and_counters(board: &Board, attacker: Side, zone: &mut SquareSet) {
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
