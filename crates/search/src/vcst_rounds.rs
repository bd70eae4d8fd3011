//! Victory by continuous threats: every move of the attacker makes a threat,
//! but some leave the defender stones to spare. In Connect6 these are the
//! single threats, and the search is called VCST.
//!
//! A spare stone can go anywhere. The search first lets the defender pass on it:
//! the win found then has a zone (see [`Zones`]), and only spare stones inside
//! the zone need an answer of their own. Most are answered by the same moves.

use crate::{
    Budget, Method, Observer, Progress, Silent, Why, WinSearch, Zones,
    candidates::{MoveValues, affordable, complete_within},
    table::{Known, Table},
    vcdt::{Defence, Partners, VcdtOptions},
    vcdt_zones::{ZonedVcdt, ZonedWin},
    walk::{DefenderWalk, Defending, WalkOrder},
};
use lambda6_rules::{Game, Move, Side, Square, stone_key};
use lambda6_threats::{Attack, Board, Defences, FreeStones, Play, ThreatCount, ThreatMoves};

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct RoundsOptions {
    /// How the defender meets threats: with each critical defence in turn, or
    /// with the squares of all at once. Spare stones come on top either way.
    pub defence: Defence,
    /// Try every move of the class and leave nothing out. For small boards.
    /// Only then can the search conclude that no move of the class wins.
    pub exhaustive: bool,
}

/// The effort of one round. Rounds follow with growing efforts until the budget
/// is used up.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Moves that leave the defender a spare stone, in one line.
    partial: u32,
    /// Moves tried in each search for VCDT.
    vcdt_nodes: u64,
    /// Moves with a spare stone tried in one position.
    width: usize,
    /// Full-threat moves tried in one position as a way to a partial one.
    lead: usize,
}

/// Most winning moves rank high by value. Narrow rounds therefore come before
/// wide ones, and deep rounds come after all shallow rounds have failed.
const ROUNDS: [Effort; 13] = [
    Effort { partial: 0, vcdt_nodes: 20_000, width: 0, lead: 0 },
    Effort { partial: 1, vcdt_nodes: 200, width: 16, lead: 0 },
    Effort { partial: 1, vcdt_nodes: 400, width: 60, lead: 0 },
    Effort { partial: 2, vcdt_nodes: 100, width: 8, lead: 0 },
    Effort { partial: 1, vcdt_nodes: 2_000, width: 1_000, lead: 0 },
    Effort { partial: 1, vcdt_nodes: 200, width: 30, lead: 10 },
    Effort { partial: 3, vcdt_nodes: 100, width: 6, lead: 0 },
    Effort { partial: 2, vcdt_nodes: 400, width: 30, lead: 8 },
    Effort { partial: 3, vcdt_nodes: 200, width: 12, lead: 8 },
    Effort { partial: 1, vcdt_nodes: 400, width: 60, lead: 60 },
    Effort { partial: 2, vcdt_nodes: 2_000, width: 200, lead: 40 },
    Effort { partial: 4, vcdt_nodes: 400, width: 20, lead: 20 },
    Effort { partial: 6, vcdt_nodes: 20_000, width: 1_000, lead: 1_000 },
];

/// Free stones tried with a double threat that leads to a partial one.
const LEAD_PARTNERS: usize = 12;

/// Depth in the attacker's moves up to which each move tried is reported. Deeper
/// reports would be too frequent.
const REPORTED_PLIES: usize = 1;

/// One round that leaves nothing out.
const EVERYTHING: [Effort; 1] =
    [Effort { partial: u8::MAX as u32, vcdt_nodes: u64::MAX, width: usize::MAX, lead: usize::MAX }];

/// The search. It keeps its memory between calls.
pub struct VcstRounds {
    options: RoundsOptions,
    vcdt: ZonedVcdt,
    attack: Attack,
    free: FreeStones,
    failed: Table,
    plies: Vec<Ply>,
    values: MoveValues,
}

/// Memory for one move of the line.
#[derive(Default)]
struct Ply {
    moves: Vec<(u32, Move)>,
    threat_moves: ThreatMoves,
    squares: Vec<Square>,
}

struct Run<'s, 'b, 'o> {
    search: &'s mut VcstRounds,
    board: &'s mut Board,
    attacker: Side,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    effort: Effort,
    round: u64,
    line: Vec<Move>,
}

impl VcstRounds {
    /// A search for boards of this game, with tables of about this many bytes.
    pub fn new(game: Game, options: RoundsOptions, table_bytes: usize) -> VcstRounds {
        let vcdt = if options.exhaustive {
            VcdtOptions { defence: Defence::Normal, partners: Partners::All }
        } else {
            VcdtOptions::default()
        };
        VcstRounds {
            options,
            vcdt: ZonedVcdt::new(game, vcdt, table_bytes / 4 * 3),
            attack: Attack::new(game),
            free: FreeStones::new(game),
            failed: Table::with_bytes(table_bytes / 4),
            plies: Vec::new(),
            values: MoveValues::new(game),
        }
    }
}

impl WinSearch for VcstRounds {
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        self.vcdt.forget();
        let RoundsOptions { exhaustive, defence } = self.options;
        match Run::new(self, board, attacker, budget, observer).rounds(to_move)? {
            true => Ok(()),
            false if exhaustive && defence == Defence::Normal => Err(Why::Exhausted),
            false => Err(Why::Narrowed),
        }
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        let key = board.key(attacker);
        if self.vcdt.get(key).is_none() {
            Run::new(self, board, attacker, budget, &mut Silent).rounds(attacker)?;
        }
        self.vcdt.get(key).map(|win| win.reply).ok_or(Why::Narrowed)
    }
}

impl Play for Run<'_, '_, '_> {
    fn place(&mut self, side: Side, square: Square) {
        self.board.place(side, square);
    }

    fn remove(&mut self, side: Side, square: Square) {
        self.board.remove(side, square);
    }
}

impl<'s, 'b, 'o> Run<'s, 'b, 'o> {
    fn new(
        search: &'s mut VcstRounds,
        board: &'s mut Board,
        attacker: Side,
        budget: &'s mut Budget<'b>,
        observer: &'o mut dyn Observer,
    ) -> Run<'s, 'b, 'o> {
        Run { search, board, attacker, budget, observer, effort: ROUNDS[0], round: 0, line: Vec::new() }
    }

    fn rounds(&mut self, to_move: Side) -> Result<bool, Why> {
        let rounds: &[Effort] = if self.search.options.exhaustive { &EVERYTHING } else { &ROUNDS };
        for (round, &effort) in rounds.iter().enumerate() {
            self.effort = effort;
            self.round = round as u64 + 1;
            self.search.failed.new_search();
            self.report();
            let won = if to_move == self.attacker {
                self.attack(0, effort.partial, None)? && self.zones().map(|_| true)?
            } else {
                // A defender to move who faces no threat has as many spare
                // stones as after a move without a threat.
                self.defend(0, effort.partial.saturating_add(1))?.is_some()
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
            line: self.line.clone(),
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
        if self.search.vcdt.get(key).is_some() {
            return Ok(true);
        }
        // A failure holds for the round and for the options it was met with.
        let options = u64::from(self.search.options.exhaustive) * 2 + self.search.options.defence as u64;
        let fail_key = key ^ (self.round * 4 + options).wrapping_mul(0xd1b5_4a32_d192_ed03);
        if let Some(Known::Fail { depth, .. }) = self.search.failed.get(fail_key)
            && u32::from(depth) >= partial
        {
            return Ok(false);
        }
        if self.vcdt_wins()? {
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
        let known = like.and_then(|like| self.search.vcdt.get(self.key() ^ like));
        let Some(mv) = known.map(|proof| proof.reply) else { return Ok(false) };
        if !mv.iter().all(|square| self.board.is_empty(square)) {
            return Ok(false);
        }
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let threatens = |board: &mut Board| board.has_threat(attacker) && !board.has_threat(defender);
        let threatens = self.board.play(attacker, mv, threatens);
        Ok(threatens && self.wins_with(&mv, ply, partial)?)
    }

    /// Whether VCDT wins. Its zones are computed later, if the win is of use.
    fn vcdt_wins(&mut self) -> Result<bool, Why> {
        self.search.vcdt.wins(self.board, self.attacker, self.effort.vcdt_nodes, None, self.budget)
    }

    /// The zones of a win that was found.
    fn zones(&mut self) -> Result<Zones, Why> {
        self.search.vcdt.zones(self.board, self.attacker, self.budget)
    }

    /// Tries the moves that leave a spare stone, and double threats that may lead
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
        let VcstRounds { options: RoundsOptions { exhaustive, .. }, attack, free, values, .. } =
            &mut *self.search;
        values.forget();
        here.moves.clear();
        let budget = &*self.budget;
        let go_on = &mut || budget.goes_on();
        if attack.threat_moves_while(board, attacker, &mut here.threat_moves, go_on).is_break() {
            return Err(budget.why_ended());
        }
        let p = usize::from(board.game().p());
        if *exhaustive {
            here.squares.clear();
            here.squares.extend(board.game().squares().filter(|&square| board.is_empty(square)));
        } else {
            free.find(board, attacker, &mut here.squares);
            here.squares.truncate(affordable(here.squares.len(), p - 1));
        }
        for set in &here.threat_moves.partial {
            // The partner is valued with the stones that make the threat on the
            // board.
            board.play(attacker, set, |board| {
                values.forget();
                let own: u32 = set.iter().map(|square| values.of(board, attacker, square)).sum();
                complete_within(*set, &here.squares, p, budget, &mut |mv| {
                    let with: u32 =
                        mv.iter().skip(set.len()).map(|square| values.of(board, attacker, square)).sum();
                    here.moves.push((own + with, mv.sorted()));
                })
            })?;
        }
        values.forget();
        here.moves.sort_unstable_by_key(|&(score, mv)| (std::cmp::Reverse(score), mv));
        here.moves.dedup_by_key(|(_, mv)| *mv);
        here.moves.truncate(self.effort.width);
        if self.effort.lead > 0 {
            let mut lead: Vec<(u32, Move)> = Vec::new();
            let most = if *exhaustive { usize::MAX } else { LEAD_PARTNERS };
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

    /// Whether a move wins against every defence, spare stones included. The win
    /// is remembered.
    fn wins_with(&mut self, mv: &Move, ply: usize, partial: u32) -> Result<bool, Why> {
        let key = self.key();
        self.line.push(*mv);
        if ply <= REPORTED_PLIES {
            self.report();
        }
        let zones = self.play(self.attacker, mv, |run| run.defend(ply, partial));
        self.line.pop();
        let Some(mut zones) = zones? else { return Ok(false) };
        zones.add_move(mv);
        self.search.vcdt.remember(key, ZonedWin { reply: *mv, zones });
        Ok(true)
    }

    /// The defender to move: the zones if the attacker wins.
    fn defend(&mut self, ply: usize, partial: u32) -> Result<Option<Zones>, Why> {
        // The search uses the simplest method. A certificate may use a stricter
        // one, which asks fewer questions.
        let walk = match DefenderWalk::begin(self.board, self.attacker, Method::Rzop, WalkOrder::Checker) {
            Defending::Escapes => return Ok(None),
            Defending::Beaten(zones) => return Ok(Some(zones)),
            Defending::Walk(walk) => walk,
        };
        let mut defences = Defences::default();
        defences.find(self.board, self.attacker);
        let left = if defences.count().at_least(self.board.game().p()) { partial } else { partial - 1 };
        if self.search.options.defence == Defence::Conservative {
            return self.defend_conservatively(&defences, walk.into_zones(), ply, left);
        }
        // Most moves that fail are refuted by a defence with the spare stones
        // passed on, so every defence is tried that way before spare stones are
        // considered.
        for defence in walk.waiting_stones() {
            if !self.wins_after(&defence, ply, left, None)? {
                return Ok(None);
            }
        }
        self.answer(walk, ply, left)
    }

    /// Gives the defender the squares of all defences at once and spare stones
    /// beside them. Sound, because every move that meets the threats has fewer
    /// stones.
    fn defend_conservatively(
        &mut self,
        defences: &Defences,
        zones: Zones,
        ply: usize,
        partial: u32,
    ) -> Result<Option<Zones>, Why> {
        let mut squares = Vec::new();
        defences.conservative(&mut squares);
        let spare = match defences.count() {
            ThreatCount::Exactly(threats) => self.board.game().p() - threats,
            ThreatCount::More => 0,
        };
        let (attacker, null) = (self.attacker, [(Move::NULL, usize::from(spare))]);
        self.play(attacker.other(), squares, |run| {
            if run.board.has_row(attacker.other()) {
                return Ok(None);
            }
            let walk = DefenderWalk::from_questions(zones, attacker, Method::Rzop, WalkOrder::Checker, null);
            run.answer(walk, ply, partial)
        })
    }

    /// Answers all questions of a walk: the zones if each has an answer.
    fn answer(&mut self, mut walk: DefenderWalk, ply: usize, partial: u32) -> Result<Option<Zones>, Why> {
        let defender = self.attacker.other();
        while let Some(question) = walk.next_question() {
            let stones = question.stones;
            // The same stones without the last one have been answered.
            let like = stones.squares().last().map(|&square| stone_key(defender, square));
            if !self.wins_after(&stones, ply, partial, like)? {
                return Ok(None);
            }
            let zones = self.play(defender, stones, |run| run.zones())?;
            walk.answer(question, self.board, &zones, &mut |_| 0);
        }
        Ok(Some(walk.into_zones()))
    }

    /// Whether the attacker wins after this defence, with spare stones passed on.
    fn wins_after(
        &mut self,
        defence: &Move,
        ply: usize,
        partial: u32,
        like: Option<u64>,
    ) -> Result<bool, Why> {
        self.line.push(*defence);
        let won = self.play(self.attacker.other(), defence, |run| run.attack(ply + 1, partial, like));
        self.line.pop();
        won
    }
}
