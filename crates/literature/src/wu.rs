//! V_Wu: the verifier of 2006, with which Connect(6,2,3) was solved first.
//!
//! The attacker has one move of any kind, and VCDT from then on: the win against a
//! pass of the defender must be one by VCDT, and so must those against a single
//! stone and against a whole move. Each of these wins has one zone, and the
//! defender's next stone must lie in it. That is the walk of [`Method::Rzop`] with
//! replies of one kind: of the zones that it keeps, the one that counts where `u`
//! stones are left is the u-th. So a win has a certificate of that method, and
//! every win of V_Wu is one of V_C6.

use lambda6_rules::{Game, Move, Side, Square};
use lambda6_search::{
    Budget, Method, Observer, Progress, Why, WinSearch,
    lambda::AttackerMoves,
    vcdt::{Defence, Partners, VcdtOptions},
    vcdt_zones::ZonedVcdt,
    walk::{DefenderWalk, Defending, WalkOrder},
};
use lambda6_threats::{Board, Play};

/// Moves tried in each search for VCDT, round after round. Most first moves fail
/// against a pass, and most wins are found with few moves.
const ROUNDS: [u64; 4] = [400, 4_000, 40_000, 400_000];

/// The search. It keeps its memory between calls.
pub struct WuSearch {
    vcdt: ZonedVcdt,
    moves: AttackerMoves,
    /// What the first move may be: from 2 on one that makes a threat, from 3 on
    /// any.
    order: u8,
    /// The first move of the win that was found, and where it was found.
    first: Option<(u64, Move)>,
}

impl WuSearch {
    /// A search for boards of this game, with tables of about this many bytes.
    pub fn new(game: Game, order: u8, partners: Partners, table_bytes: usize) -> WuSearch {
        let options = VcdtOptions { defence: Defence::Normal, partners };
        WuSearch {
            vcdt: ZonedVcdt::new(game, options, table_bytes),
            moves: AttackerMoves::new(game, order),
            order,
            first: None,
        }
    }
}

impl WinSearch for WuSearch {
    fn search(
        &mut self,
        board: &mut Board,
        to_move: Side,
        attacker: Side,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Why> {
        self.vcdt.forget();
        self.first = None;
        let mut run = Run { search: self, board, attacker, budget, observer, nodes: 0, cut: false };
        match run.rounds(to_move)? {
            true => Ok(()),
            false if run.budget.limits().depth.is_some() => Err(Why::Depth),
            false => Err(Why::Narrowed),
        }
    }

    fn reply(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Result<Move, Why> {
        let key = board.key(attacker);
        if let Some((_, first)) = self.first.filter(|&(of, _)| of == key) {
            return Ok(first);
        }
        let nodes = ROUNDS[ROUNDS.len() - 1];
        if self.vcdt.get(key).is_none() && self.vcdt.wins(board, attacker, nodes, None, budget)? {
            self.vcdt.zones(board, attacker, budget)?;
        }
        self.vcdt.get(key).map(|win| win.reply).ok_or(Why::Narrowed)
    }
}

struct Run<'s, 'b, 'o> {
    search: &'s mut WuSearch,
    board: &'s mut Board,
    attacker: Side,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    /// Moves tried in each search for VCDT of this round.
    nodes: u64,
    /// Such a search did not come to its end.
    cut: bool,
}

impl Play for Run<'_, '_, '_> {
    fn place(&mut self, side: Side, square: Square) {
        self.board.place(side, square);
    }

    fn remove(&mut self, side: Side, square: Square) {
        self.board.remove(side, square);
    }
}

impl Run<'_, '_, '_> {
    fn rounds(&mut self, to_move: Side) -> Result<bool, Why> {
        let mut moves = None;
        for nodes in ROUNDS {
            (self.nodes, self.cut) = (nodes, false);
            let won = if to_move == self.attacker {
                self.attack(&mut moves)?
            } else {
                self.defend(self.budget.limits().depth)?
            };
            // More moves change nothing where no search wanted them.
            if won || !self.cut {
                return Ok(won);
            }
        }
        Ok(false)
    }

    /// The attacker to move: VCDT, or one move of any kind before it.
    fn attack(&mut self, moves: &mut Option<Vec<Move>>) -> Result<bool, Why> {
        let depth = self.budget.limits().depth;
        if self.vcdt_wins(depth)? {
            return Ok(true);
        }
        if self.search.order < 2 || depth.is_some_and(|most| most < 2) {
            return Ok(false);
        }
        let (attacker, order) = (self.attacker, self.search.order);
        let moves = match moves {
            Some(moves) => moves,
            None => moves.insert(self.search.moves.moves(self.board, attacker, order, self.budget)?),
        };
        for mv in moves.iter() {
            self.budget.count()?;
            self.report(mv);
            if self.play(attacker, mv, |run| run.defend(depth.map(|most| most - 1)))? {
                self.search.first = Some((self.board.key(attacker), *mv));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The defender to move: whether VCDT wins against everything that matters.
    /// Passes come before single stones and these before whole moves, the most
    /// disturbing of each first: what fails mostly fails early.
    fn defend(&mut self, depth: Option<u32>) -> Result<bool, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let mut walk = match DefenderWalk::begin(self.board, attacker, Method::Rzop, WalkOrder::Ranked) {
            Defending::Escapes => return Ok(false),
            Defending::Beaten(_) => return Ok(true),
            Defending::Walk(walk) => walk,
        };
        self.search.moves.disturbs_anew();
        while let Some(question) = walk.next_question() {
            let zones = self.play(defender, question.stones, |run| {
                let won = run.vcdt_wins(depth)?;
                won.then(|| run.search.vcdt.zones(run.board, attacker, run.budget)).transpose()
            })?;
            let Some(zones) = zones else { return Ok(false) };
            let Run { search, board, .. } = self;
            walk.answer(question, board, &zones, &mut |square| {
                search.moves.disturbs(board, attacker, square)
            });
        }
        Ok(true)
    }

    fn vcdt_wins(&mut self, depth: Option<u32>) -> Result<bool, Why> {
        if self.search.vcdt.get(self.board.key(self.attacker)).is_some() {
            return Ok(true);
        }
        let before = self.budget.nodes();
        let won = self.search.vcdt.wins(self.board, self.attacker, self.nodes, depth, self.budget)?;
        self.cut |= !won && self.budget.nodes() - before >= self.nodes;
        Ok(won)
    }

    fn report(&mut self, mv: &Move) {
        self.observer.report(&Progress {
            depth: 1,
            nodes: self.budget.nodes(),
            elapsed: self.budget.elapsed(),
            line: vec![*mv],
            numbers: None,
            left: None,
        });
    }
}
