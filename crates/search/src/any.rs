//! Victory by continuous threats: every move of the attacker makes a threat,
//! but some leave the defender stones to spare. In Connect6 these are the
//! single threats, and the search is called VCST.
//!
//! A spare stone can go anywhere. The search first lets the defender pass on it:
//! the win found then has a zone (see [`Zones`]), and only spare stones inside
//! the zone need an answer of their own. Most are answered by the same moves.

use crate::{
    Budget, Observer, Progress, Silent, Strategy, Verdict, Why, Win, Zones,
    forced::{Forced, Proof, add_base},
    full::{Defence, Options, Partners, Values, affordable, complete_within},
    table::{Known, Table},
};
use rules::{Game, Move, Side, Square, stone_key};
use rustc_hash::FxHashSet;
use threats::{Attack, Board, Defences, FreeStones, ThreatCount, ThreatMoves};

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct AnyOptions {
    /// How the defender meets threats: with each critical defence in turn, or
    /// with the squares of all at once. Spare stones come on top either way.
    pub defence: Defence,
    /// Try every move of the class, however hopeless, and never narrow. For
    /// small boards; only then can the search say that nothing of the class
    /// wins.
    pub exhaustive: bool,
}

/// How hard one round tries. Rounds follow each other with growing efforts until
/// the budget is used up.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Moves that leave the defender a spare stone, in one line.
    partial: u32,
    /// Moves tried in each search for full threats.
    full_nodes: u64,
    /// Moves with a spare stone tried in one position.
    width: usize,
    /// Full-threat moves tried in one position as a way to a partial one.
    lead: usize,
}

/// Measured on 1,000 positions from real games: of the 47 moves that win with one
/// partial move, 18 are the first by value and 42 among the first 40; so narrow
/// rounds come before wide ones, and deep ones only when all moves of the shallow
/// ones have failed.
const ROUNDS: [Effort; 13] = [
    Effort { partial: 0, full_nodes: 20_000, width: 0, lead: 0 },
    Effort { partial: 1, full_nodes: 200, width: 16, lead: 0 },
    Effort { partial: 1, full_nodes: 400, width: 60, lead: 0 },
    Effort { partial: 2, full_nodes: 100, width: 8, lead: 0 },
    Effort { partial: 1, full_nodes: 2_000, width: 1_000, lead: 0 },
    Effort { partial: 1, full_nodes: 200, width: 30, lead: 10 },
    Effort { partial: 3, full_nodes: 100, width: 6, lead: 0 },
    Effort { partial: 2, full_nodes: 400, width: 30, lead: 8 },
    Effort { partial: 3, full_nodes: 200, width: 12, lead: 8 },
    Effort { partial: 1, full_nodes: 400, width: 60, lead: 60 },
    Effort { partial: 2, full_nodes: 2_000, width: 200, lead: 40 },
    Effort { partial: 4, full_nodes: 400, width: 20, lead: 20 },
    Effort { partial: 6, full_nodes: 20_000, width: 1_000, lead: 1_000 },
];

/// Free stones tried with a full threat that leads to a partial one.
const LEAD_PARTNERS: usize = 12;

/// Moves of the attacker into a line up to which each one tried is reported: often
/// enough to be watched, too seldom to cost anything.
const REPORTED_PLIES: usize = 1;

/// One round that leaves nothing out.
const EVERYTHING: [Effort; 1] =
    [Effort { partial: u8::MAX as u32, full_nodes: u64::MAX, width: usize::MAX, lead: usize::MAX }];

/// The search. It keeps its memory between calls.
pub struct AnySearch {
    forced: Forced,
    attack: Attack,
    free: FreeStones,
    failed: Table,
    plies: Vec<Ply>,
    values: Values,
}

/// Memory for one move of the line.
#[derive(Default)]
struct Ply {
    moves: Vec<(u32, Move)>,
    threat_moves: ThreatMoves,
    squares: Vec<Square>,
}

struct Run<'s, 'b, 'o> {
    search: &'s mut AnySearch,
    board: &'s mut Board,
    attacker: Side,
    options: AnyOptions,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    effort: Effort,
    round: u64,
    line: Vec<Move>,
}

impl AnySearch {
    /// A search for boards of this game, with tables of about this many bytes.
    pub fn new(game: Game, table_bytes: usize) -> AnySearch {
        AnySearch {
            forced: Forced::new(game, table_bytes / 4 * 3),
            attack: Attack::new(game),
            free: FreeStones::new(game),
            failed: Table::with_bytes(table_bytes / 4),
            plies: Vec::new(),
            values: Values::new(game),
        }
    }

    /// Searches for a win of `attacker`. The board is left as it was.
    pub fn solve(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        options: AnyOptions,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Verdict {
        self.forced.forget();
        let mut run = Run::new(self, board, attacker, options, budget, observer);
        match run.rounds(to_move) {
            Ok(true) => Verdict::Win(Box::new(run.win(to_move))),
            Ok(false) if options.exhaustive && options.defence == Defence::Normal => {
                Verdict::Unknown(Why::Exhausted)
            }
            Ok(false) => Verdict::Unknown(Why::Narrowed),
            Err(why) => Verdict::Unknown(why),
        }
    }
}

impl AnySearch {
    /// The winning reply where `attacker` is to move: one that is known, or one
    /// that is found now.
    pub(crate) fn reply(
        &mut self,
        board: &mut Board,
        attacker: Side,
        options: AnyOptions,
        budget: &mut Budget<'_>,
    ) -> Result<Move, Why> {
        let key = board.key(attacker);
        if self.forced.get(key).is_none() {
            Run::new(self, board, attacker, options, budget, &mut Silent).rounds(attacker)?;
        }
        self.forced.get(key).map(|proof| proof.reply).ok_or(Why::Narrowed)
    }
}

impl<'s, 'b, 'o> Run<'s, 'b, 'o> {
    fn new(
        search: &'s mut AnySearch,
        board: &'s mut Board,
        attacker: Side,
        options: AnyOptions,
        budget: &'s mut Budget<'b>,
        observer: &'o mut dyn Observer,
    ) -> Run<'s, 'b, 'o> {
        search.forced.set_options(if options.exhaustive {
            Options { defence: Defence::Normal, partners: Partners::All }
        } else {
            Options::default()
        });
        let (effort, line) = (ROUNDS[0], Vec::new());
        Run { search, board, attacker, options, budget, observer, effort, round: 0, line }
    }

    fn rounds(&mut self, to_move: Side) -> Result<bool, Why> {
        let rounds: &[Effort] = if self.options.exhaustive { &EVERYTHING } else { &ROUNDS };
        for (round, &effort) in rounds.iter().enumerate() {
            self.effort = effort;
            self.round = round as u64 + 1;
            self.search.failed.new_search();
            self.report();
            let won = if to_move == self.attacker {
                self.attack(0, effort.partial, None)? && self.note().map(|_| true)?
            } else {
                // A defender to move who is not threatened is as free as one
                // who was left all stones by a move of the line.
                !self.board.has_row(self.attacker.other())
                    && !self.board.has_threat(self.attacker.other())
                    && self.defend(0, effort.partial.saturating_add(1))?.is_some()
            };
            if won {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn key(&self) -> u64 {
        self.board.key(self.attacker)
    }

    fn report(&mut self) {
        self.observer.report(&Progress {
            depth: self.effort.partial,
            nodes: self.budget.nodes(),
            elapsed: self.budget.elapsed(),
            line: &self.line,
            numbers: None,
            left: None,
        });
    }

    /// The attacker to move, with at most `partial` moves that leave a spare
    /// stone. A win is in `proved` afterwards.
    ///
    /// If a position that differs by the keys `like` has been won, its moves are
    /// tried first.
    fn attack(&mut self, ply: usize, partial: u32, like: Option<u64>) -> Result<bool, Why> {
        let key = self.key();
        if self.search.forced.get(key).is_some() {
            return Ok(true);
        }
        // A failure holds for the round and for the options it was met with.
        let options = u64::from(self.options.exhaustive) * 2 + self.options.defence as u64;
        let fail_key = key ^ (self.round * 4 + options).wrapping_mul(0xd1b5_4a32_d192_ed03);
        if let Some(Known::Fail { depth, .. }) = self.search.failed.get(fail_key)
            && u32::from(depth) >= partial
        {
            return Ok(false);
        }
        if self.full_threats()? {
            return Ok(true);
        }
        let won = partial > 0 && (self.try_known(ply, partial, like)? || self.try_moves(ply, partial)?);
        if !won {
            self.search.failed.set(fail_key, Known::Fail { depth: partial as u8, cut: true });
        }
        Ok(won)
    }

    /// Tries the move that won a position like this one.
    fn try_known(&mut self, ply: usize, partial: u32, like: Option<u64>) -> Result<bool, Why> {
        let known = like.and_then(|like| self.search.forced.get(self.key() ^ like));
        let Some(mv) = known.map(|proof| proof.reply) else { return Ok(false) };
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if !mv.iter().all(|square| self.board.is_empty(square)) {
            return Ok(false);
        }
        mv.iter().for_each(|square| self.board.place(attacker, square));
        let threatens = self.board.has_threat(attacker) && !self.board.has_threat(defender);
        mv.iter().for_each(|square| self.board.remove(attacker, square));
        Ok(threatens && self.wins_with(&mv, ply, partial)?)
    }

    /// Whether full threats win. Their positions are noted later, if the win is
    /// of use.
    fn full_threats(&mut self) -> Result<bool, Why> {
        self.search.forced.wins(self.board, self.attacker, self.effort.full_nodes, None, self.budget)
    }

    /// Notes a win, with its zones.
    fn note(&mut self) -> Result<Zones, Why> {
        self.search.forced.note(self.board, self.attacker, self.budget)
    }

    /// Tries the moves that leave a spare stone, and full threats that may lead
    /// to one.
    fn try_moves(&mut self, ply: usize, partial: u32) -> Result<bool, Why> {
        if self.search.plies.len() <= ply {
            self.search.plies.resize_with(ply + 1, Ply::default);
        }
        let mut here = std::mem::take(&mut self.search.plies[ply]);
        let mut won = self.generate(&mut here).map(|()| false);
        for &(_, mv) in &here.moves {
            if won != Ok(false) {
                break;
            }
            won = self.budget.count().and_then(|()| self.wins_with(&mv, ply, partial));
        }
        self.search.plies[ply] = here;
        won
    }

    fn generate(&mut self, here: &mut Ply) -> Result<(), Why> {
        let attacker = self.attacker;
        let board = &mut *self.board;
        let AnySearch { attack, free, values, .. } = &mut *self.search;
        values.forget();
        here.moves.clear();
        let budget = &*self.budget;
        let go_on = &mut || budget.goes_on();
        if attack.threat_moves_while(board, attacker, &mut here.threat_moves, go_on).is_break() {
            return Err(budget.why_ended());
        }
        let p = usize::from(board.game().p());
        if self.options.exhaustive {
            here.squares.clear();
            here.squares.extend(board.game().squares().filter(|&square| board.is_empty(square)));
        } else {
            free.find(board, attacker, &mut here.squares);
            here.squares.truncate(affordable(here.squares.len(), p - 1));
        }
        for set in &here.threat_moves.partial {
            // The partner is judged with the stones that threaten on the board.
            set.iter().for_each(|square| board.place(attacker, square));
            values.forget();
            let own: u32 = set.iter().map(|square| values.of(board, attacker, square)).sum();
            let done = complete_within(*set, &here.squares, p, budget, &mut |mv| {
                let with: u32 =
                    mv.iter().skip(set.len()).map(|square| values.of(board, attacker, square)).sum();
                here.moves.push((own + with, mv.sorted()));
            });
            set.iter().for_each(|square| board.remove(attacker, square));
            done?;
        }
        values.forget();
        here.moves.sort_unstable_by_key(|&(score, mv)| (std::cmp::Reverse(score), mv));
        here.moves.dedup_by_key(|(_, mv)| *mv);
        here.moves.truncate(self.effort.width);
        if self.effort.lead > 0 {
            let mut lead: Vec<(u32, Move)> = Vec::new();
            let most = if self.options.exhaustive { usize::MAX } else { LEAD_PARTNERS };
            let partners = &here.squares[..here.squares.len().min(most)];
            for set in &here.threat_moves.full {
                let own: u32 = set.iter().map(|square| values.of(board, attacker, square)).sum();
                complete_within(*set, partners, p, budget, &mut |mv| lead.push((own, mv)))?;
            }
            lead.sort_unstable_by_key(|&(score, mv)| (std::cmp::Reverse(score), mv));
            lead.truncate(self.effort.lead);
            here.moves.extend(lead);
        }
        Ok(())
    }

    /// Whether a move wins against every defence, spare stones included. Notes
    /// the win.
    fn wins_with(&mut self, mv: &Move, ply: usize, partial: u32) -> Result<bool, Why> {
        let attacker = self.attacker;
        let key = self.key();
        mv.iter().for_each(|square| self.board.place(attacker, square));
        self.line.push(*mv);
        if ply <= REPORTED_PLIES {
            self.report();
        }
        let zones = self.defend(ply, partial);
        self.line.pop();
        mv.iter().for_each(|square| self.board.remove(attacker, square));
        let Some(mut zones) = zones? else { return Ok(false) };
        zones.add_move(mv);
        self.search.forced.remember(key, Proof { reply: *mv, zones });
        Ok(true)
    }

    /// The defender to move: the zones if the attacker wins.
    fn defend(&mut self, ply: usize, partial: u32) -> Result<Option<Zones>, Why> {
        let mut defences = Defences::default();
        defences.find(self.board, self.attacker);
        let mut zones = Zones::empty(self.board.game());
        // With no threat there is nothing to meet: the empty set meets it.
        let mut all: Vec<Move> = defences.iter().copied().collect();
        match defences.count() {
            ThreatCount::Exactly(0) => all.push(Move::NULL),
            ThreatCount::More => {
                add_base(&mut zones, self.board, self.attacker);
                return Ok(Some(zones));
            }
            ThreatCount::Exactly(_) => add_base(&mut zones, self.board, self.attacker),
        }
        let p = self.board.game().p();
        let left = if defences.count().at_least(p) { partial } else { partial - 1 };
        if self.options.defence == Defence::Conservative {
            return self.defend_conservatively(&defences, zones, ply, left);
        }
        // Passing on the spare stones refutes most moves that fail: every
        // defence is tried that way before any zone is gone through.
        for defence in &all {
            if !self.after(defence, ply, left, None)? {
                return Ok(None);
            }
        }
        let mut met = FxHashSet::default();
        for defence in &all {
            let spare = usize::from(p) - defence.len();
            if !self.sub(*defence, spare, &mut zones, &mut met, ply, left)? {
                return Ok(None);
            }
        }
        Ok(Some(zones))
    }

    /// All squares of all defences at once, and spare stones beside them: every
    /// move that meets the threats has fewer stones than that.
    fn defend_conservatively(
        &mut self,
        defences: &Defences,
        mut zones: Zones,
        ply: usize,
        partial: u32,
    ) -> Result<Option<Zones>, Why> {
        let mut squares = Vec::new();
        defences.conservative(&mut squares);
        let spare = match defences.count() {
            ThreatCount::Exactly(threats) => self.board.game().p() - threats,
            ThreatCount::More => 0,
        };
        let defender = self.attacker.other();
        squares.iter().for_each(|&square| self.board.place(defender, square));
        let won = if self.board.has_row(defender) {
            Ok(false)
        } else {
            self.sub(Move::NULL, usize::from(spare), &mut zones, &mut FxHashSet::default(), ply, partial)
        };
        squares.iter().for_each(|&square| self.board.remove(defender, square));
        Ok(won?.then_some(zones))
    }

    /// Every move of the defender that contains `defence` and up to `spare`
    /// stones more: false when one is not
    /// refuted, else adds the zones.
    fn sub(
        &mut self,
        defence: Move,
        spare: usize,
        zones: &mut Zones,
        met: &mut FxHashSet<Move>,
        ply: usize,
        partial: u32,
    ) -> Result<bool, Why> {
        if !met.insert(defence) {
            return Ok(true);
        }
        // The defence without its last stone has been won already.
        let last = defence.squares().last();
        let like = last.map(|&square| stone_key(self.attacker.other(), square));
        if !self.after(&defence, ply, partial, like)? {
            return Ok(false);
        }
        let null = self.zones_after(&defence)?;
        zones.union_shifted(&null, spare);
        if spare == 0 {
            return Ok(true);
        }
        let squares: Vec<Square> =
            null.empty_squares(self.board, spare).filter(|&square| !defence.contains(square)).collect();
        for square in squares {
            let mut more = defence;
            more.push(square);
            if !self.sub(more, spare - 1, zones, met, ply, partial)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the attacker wins after this defence, with spare stones passed on.
    fn after(&mut self, defence: &Move, ply: usize, partial: u32, like: Option<u64>) -> Result<bool, Why> {
        let defender = self.attacker.other();
        defence.iter().for_each(|square| self.board.place(defender, square));
        self.line.push(*defence);
        let won = self.attack(ply + 1, partial, like);
        self.line.pop();
        defence.iter().for_each(|square| self.board.remove(defender, square));
        won
    }

    /// The zones of the win after this defence.
    fn zones_after(&mut self, defence: &Move) -> Result<Zones, Why> {
        let defender = self.attacker.other();
        defence.iter().for_each(|square| self.board.place(defender, square));
        let zones = self.note();
        defence.iter().for_each(|square| self.board.remove(defender, square));
        zones
    }

    fn win(&mut self, to_move: Side) -> Win {
        let mut strategy = Strategy::default();
        for (key, proof) in self.search.forced.iter() {
            strategy.insert(key, proof.reply, 0);
        }
        let line = strategy.longest_line(self.board, to_move, self.attacker);
        Win { line, strategy, certificate: None }
    }
}
