//! Chooses the win against the null move by the costs of the squares in its
//! zones.
//!
//! The first moves are those of plans. The last two are chosen among the moves of the
//! real positions, where the defender has one defence on the board and not all of them: there
//! are more such moves, and each is compared by its exact zones.

use super::{
    move_zones::{CounterLines, ZonePair, taken_by_last, zones_of},
    plan_graph::{PlanGraph, PlanMove, PlanNodeId},
    square_set::SquareSet,
};
use lambda6_rules::{Move, Side};
use lambda6_search::{Budget, Candidates, How, VcdtMoves, Why, vcdt::Partners};
use lambda6_threats::{Board, Defences, Play, ThreatCount};

/// Free stones tried as partners of a square that makes a double threat alone.
const PARTNERS: usize = 5;

/// Moves compared in a position with two moves to go. Fewer cost replies; more cost
/// time and save little.
const MOST_BEFORE_LAST: usize = 8;

/// What squares cost in the zones of the win.
pub(super) struct ZonePrices {
    /// By square: its cost in the first zone. Negative if the proof gains by it.
    pub(super) first: Vec<i32>,
    /// The cost of a square that only the second zone has.
    pub(super) second: i32,
}

impl ZonePrices {
    fn of_first<const W: usize>(&self, squares: SquareSet<W>) -> i64 {
        squares.iter().map(|square| i64::from(self.first[square.index()])).sum()
    }

    fn of_zones<const W: usize>(&self, zones: &ZonePair<W>) -> i64 {
        let only_second = zones.second.minus(&zones.first).count();
        self.of_first(zones.first) + i64::from(self.second) * i64::from(only_second)
    }
}

/// A move with at most two to go. If it does not end the line: the moves that end it after each
/// defence.
struct EndingMove<const W: usize> {
    reply: Move,
    zones: ZonePair<W>,
    lasts: Vec<Vec<LastMove<W>>>,
}

/// A move that ends the line, with its zones.
type LastMove<const W: usize> = (Move, ZonePair<W>);

/// Finds the win against the null move.
pub(super) struct NullWin<'g, 'b, const W: usize> {
    pub(super) graph: &'g PlanGraph<W>,
    pub(super) generator: &'g mut VcdtMoves,
    pub(super) attacker: Side,
    pub(super) prices: &'g ZonePrices,
    pub(super) budget: &'g mut Budget<'b>,
}

impl<const W: usize> NullWin<'_, '_, W> {
    /// The replies of the win in the order of the walk. None where a defence refutes a plan.
    pub(super) fn find(mut self, board: &mut Board) -> Result<Option<Vec<Move>>, Why> {
        let (root, depth) = (self.graph.root(), self.graph.depth);
        let mut replies = Vec::new();
        let found = self.lay_out(board, root, depth, &mut ZonePair::EMPTY.clone(), &mut replies)?;
        Ok(found.then_some(replies))
    }

    /// Appends the replies of a win from the position on the board, which has this node in the graph
    /// of plans, and adds its zones. False where there is none.
    fn lay_out(
        &mut self,
        board: &mut Board,
        node: PlanNodeId,
        depth: u8,
        zones: &mut ZonePair<W>,
        replies: &mut Vec<Move>,
    ) -> Result<bool, Why> {
        if depth <= 2 {
            let endings = self.endings(board, depth)?;
            return Ok(self.choose(&endings, zones, replies));
        }
        let moves = self.graph.moves(node).iter();
        let Some(mv) = moves.min_by_key(|mv| self.least_cost(mv, &zones.first)) else { return Ok(false) };
        let attacker = self.attacker;
        board.play(attacker, mv.reply, |board| {
            if board.has_threat(attacker.other()) {
                return Ok(false);
            }
            zones.add(&zones_of(board, attacker, &mv.reply));
            replies.push(mv.reply);
            let mut defences = Defences::default();
            defences.find(board, attacker);
            for defence in defences.iter() {
                let found = board.play(attacker.other(), defence, |board| {
                    self.lay_out(board, mv.next, depth - 1, zones, replies)
                })?;
                if !found {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// A lower bound of the cost of a move: everything after it is assumed to add only
    /// squares of negative cost.
    fn least_cost(&self, mv: &PlanMove<W>, before: &SquareSet<W>) -> i64 {
        let new = mv.zone.minus(before);
        if mv.is_last() {
            return self.prices.of_first(new);
        }
        let later = self.graph.reach(mv.next).minus(&new).minus(before);
        let gain = later.iter().map(|square| i64::from(self.prices.first[square.index()].min(0)));
        self.prices.of_first(new) + gain.sum::<i64>()
    }

    /// The moves to choose from with one or two moves to go.
    fn endings(&mut self, board: &mut Board, depth: u8) -> Result<Vec<EndingMove<W>>, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let mut theirs = Defences::default();
        theirs.find(board, defender);
        let lasts = self.lasts(board, &theirs)?;
        let mut endings: Vec<EndingMove<W>> =
            lasts.into_iter().map(|(reply, zones)| EndingMove { reply, zones, lasts: Vec::new() }).collect();
        if depth == 1 || theirs.count() == ThreatCount::More {
            return Ok(endings);
        }
        let mut candidates = Candidates::default();
        let how = How { partners: Partners::Useful(PARTNERS), killer: None };
        self.generator.fill(board, attacker, &theirs, how, self.budget, &mut candidates)?;
        for reply in (0..candidates.len()).map(|i| candidates.get(i)) {
            if endings.len() >= MOST_BEFORE_LAST {
                break;
            }
            self.budget.count()?;
            endings.extend(board.play(attacker, reply, |board| self.before_last(board, reply))?);
        }
        Ok(endings)
    }

    /// A move that is on the board, if every defence leaves a move that ends the line.
    fn before_last(&mut self, board: &mut Board, reply: Move) -> Result<Option<EndingMove<W>>, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if board.has_threat(defender) {
            return Ok(None);
        }
        let mut defences = Defences::default();
        defences.find(board, attacker);
        let mut lasts = Vec::new();
        for defence in defences.iter() {
            let after = board.play(defender, defence, |board| {
                let mut theirs = Defences::default();
                theirs.find(board, defender);
                self.lasts(board, &theirs)
            })?;
            if after.is_empty() {
                return Ok(None);
            }
            lasts.push(after);
        }
        // A move that cannot be met is among those that end the line.
        let is_met = !lasts.is_empty();
        Ok(is_met.then(|| EndingMove { reply, zones: zones_of(board, attacker, &reply), lasts }))
    }

    /// The moves that end the line: they make more threats than the defender can meet.
    fn lasts(&mut self, board: &Board, theirs: &Defences) -> Result<Vec<LastMove<W>>, Why> {
        let counter_lines = CounterLines::find(board, self.attacker.other());
        let mut lasts = Vec::new();
        self.generator.attack.all_overwhelming(board, self.attacker, theirs, usize::MAX, |reply, threats| {
            let first = taken_by_last(board, &reply, threats);
            let mut zones = ZonePair { first, second: SquareSet::EMPTY };
            counter_lines.add_to(&mut zones, board, &reply);
            lasts.push((reply, zones));
        });
        for _ in 0..lasts.len() {
            self.budget.count()?;
        }
        Ok(lasts)
    }

    /// Appends the cheapest moves, given these zones, and adds their zones. False if a
    /// position has no move.
    fn choose(&self, endings: &[EndingMove<W>], zones: &mut ZonePair<W>, replies: &mut Vec<Move>) -> bool {
        let with = |before: &ZonePair<W>, more: &ZonePair<W>| {
            let mut all = *before;
            all.add(more);
            all
        };
        let mut best: Option<(i64, ZonePair<W>, Vec<Move>)> = None;
        for ending in endings {
            let (mut after, mut moves) = (with(zones, &ending.zones), vec![ending.reply]);
            for lasts in &ending.lasts {
                let cost = |last: &&LastMove<W>| self.prices.of_zones(&with(&after, &last.1));
                let Some((reply, last)) = lasts.iter().min_by_key(cost) else { continue };
                moves.push(*reply);
                after.add(last);
            }
            let cost = self.prices.of_zones(&after);
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, after, moves));
            }
        }
        let Some((_, after, moves)) = best else { return false };
        *zones = after;
        replies.extend(moves);
        true
    }
}
