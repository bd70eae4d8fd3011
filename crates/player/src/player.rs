//! The front door: a position in, a move out.

use crate::{
    Choice, JobAnswer, Level, OthersLose, PlayError, PlayLimits, Status, Watch,
    levels::{DEFAULT_NODES, shape},
    mind::Mind,
    openings::Openings,
    question::{Question, tell},
    status_of,
    table::Table,
};
use rules::{Game, Move, Position, Square};
use search::{
    Clock,
    lambda::{LambdaOptions, LambdaSearch},
};
use std::sync::{Arc, atomic::AtomicBool};

/// What a player is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// How well it plays.
    pub level: Level,
    /// Threads to search with. More than one makes the answer depend on timing.
    pub threads: usize,
    /// Memory for tables.
    pub table_bytes: usize,
    /// For the levels that leave something to chance.
    pub seed: u64,
    /// Whether the strongest level plays known openings without thought.
    pub openings: bool,
}

impl Default for PlayerOptions {
    fn default() -> PlayerOptions {
        PlayerOptions { level: Level::default(), threads: 1, table_bytes: 64 << 20, seed: 0, openings: true }
    }
}

/// Plays one game of the family at one level. It keeps its memory from move to
/// move, and may be asked about unrelated positions too.
pub struct Player {
    game: Game,
    pub(crate) options: PlayerOptions,
    pub(crate) mind: Mind,
    /// Looks for wins by single threats at the root.
    pub(crate) singles: LambdaSearch,
    pub(crate) table: Table,
    /// The position after our last move, to tell what the opponent added.
    left: Option<Position>,
    /// The opponent's last stones, when the caller has said so.
    told: Option<Move>,
    openings: Arc<Openings>,
}

impl Player {
    /// A player of this game.
    pub fn new(game: Game, options: PlayerOptions) -> Player {
        let bytes = options.table_bytes;
        Player {
            game,
            options,
            mind: Mind::new(game, bytes / 4),
            singles: singles(game, bytes / 4),
            table: Table::with_bytes(bytes / 2),
            left: None,
            told: None,
            openings: Openings::of(game),
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// What it is made of.
    pub fn options(&self) -> PlayerOptions {
        self.options
    }

    /// Forgets the game so far.
    pub fn reset(&mut self) {
        self.left = None;
        self.told = None;
        self.forget();
    }

    /// Tells the player which stones the opponent placed last, for the next
    /// question only. In a game it finds out by itself; asked about a position
    /// out of the blue it cannot, and the defensive strategy needs to know.
    pub fn set_last_move(&mut self, mv: Option<Move>) {
        self.told = mv;
    }

    /// The best move within the limits.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: &PlayLimits,
        clock: &dyn Clock,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<Choice, PlayError> {
        self.refuse(position, limits)?;
        let choice = match self.known(position) {
            Some(choice) => {
                tell(&choice, choice.nodes, clock, watch);
                choice
            }
            None => {
                let choices = self.candidates(position, limits, clock, stop, watch, 1)?;
                choices.into_iter().next().ok_or(PlayError::NothingLeft)?
            }
        };
        let mut after = position.clone();
        // Always legal; if not, the opponent's next stones stay unknown.
        self.left = after.play(&choice.mv).is_ok().then_some(after);
        Ok(choice)
    }

    /// Says why a question cannot be answered, if so.
    fn refuse(&self, position: &Position, limits: &PlayLimits) -> Result<(), PlayError> {
        if position.game() != self.game {
            return Err(PlayError::OtherGame { expected: self.game, found: position.game() });
        }
        if let Some(outcome) = position.outcome() {
            return Err(PlayError::GameOver(outcome));
        }
        if limits.nodes == Some(0) || limits.depth == Some(0) {
            return Err(PlayError::Limits("at least one node and one move ahead are needed"));
        }
        Ok(())
    }

    /// The reply that is known in the opening. It is a move to play and no
    /// analysis: a win is claimed where it is searched, with its certificate.
    fn known(&mut self, position: &Position) -> Option<Choice> {
        if !self.options.openings || self.options.level != Level::Strong {
            return None;
        }
        let known = self.openings.reply(position)?;
        self.mind.set_up(position);
        // A few games say little about the odds, and no number of them all.
        let points = f64::from(known.points).clamp(0.02, 0.98);
        let score = (1000.0 * (points / (1.0 - points)).ln()) as i32;
        let status = status_of(score, position.to_move(), &self.mind.field);
        Some(Choice {
            mv: known.reply,
            status,
            score,
            depth: 0,
            nodes: 1,
            line: vec![known.reply],
            win: None,
        })
    }

    /// The best `count` moves, the best first: for analysis.
    pub fn candidates(
        &mut self,
        position: &Position,
        limits: &PlayLimits,
        clock: &dyn Clock,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
        count: usize,
    ) -> Result<Vec<Choice>, PlayError> {
        self.answer(position, &[], limits, clock, stop, watch, count.max(1))
    }

    /// The job J(n, C): the best move outside a list, or a proof that all of
    /// those lose. They are said to lose only when the whole position is proved
    /// lost; where a move of the list holds, the best of the others is answered,
    /// with a status and a score that say how bad it is.
    pub fn job(
        &mut self,
        position: &Position,
        excluded: &[Move],
        limits: &PlayLimits,
        clock: &dyn Clock,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<JobAnswer, PlayError> {
        let choices = self.answer(position, excluded, limits, clock, stop, watch, 1)?;
        let choice = choices.into_iter().next().ok_or(PlayError::NothingLeft)?;
        Ok(match choice {
            Choice { status: Status::Win(winner), win: Some(win), nodes, .. }
                if winner != position.to_move() =>
            {
                JobAnswer::OthersLose { proof: OthersLose { wins: vec![(Move::NULL, win)] }, nodes }
            }
            choice => JobAnswer::Best(choice),
        })
    }

    /// Puts whole moves in order by a glance at the position after each, without
    /// any search: the one that looks best for the side to move first.
    pub fn rank(&mut self, position: &Position, moves: &mut [Move]) {
        self.mind.set_up(position);
        let (mover, field) = (position.to_move(), &mut self.mind.field);
        moves.sort_by_cached_key(|mv| {
            mv.iter().for_each(|square| field.place(mover, square));
            let of_opponent = field.evaluate(mover.other());
            mv.iter().for_each(|square| field.remove(mover, square));
            of_opponent
        });
    }

    #[allow(clippy::too_many_arguments, reason = "the questions of the public methods, all in one")]
    fn answer(
        &mut self,
        position: &Position,
        excluded: &[Move],
        limits: &PlayLimits,
        clock: &dyn Clock,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
        count: usize,
    ) -> Result<Vec<Choice>, PlayError> {
        self.refuse(position, limits)?;
        let last = self.last_stones(position);
        let mut limits = *limits;
        if limits == PlayLimits::default() {
            limits.nodes = Some(DEFAULT_NODES);
        }
        if limits.nodes.is_some() {
            // The same question must get the same answer.
            self.forget();
        }
        self.mind.set_up(position);
        let side = position.to_move();
        let stones = position.stones_to_place();
        let mut question = Question { player: self, position, excluded, limits, clock, stop };
        let ready = question.at_once(side, stones);
        if let Some(choice) = ready.filter(|choice| !excluded.contains(&choice.mv)) {
            question.tell(&choice, watch);
            return Ok(vec![choice]);
        }
        let choices = match question.player.options.level {
            Level::Defense => question.defense(&last, count),
            Level::Kagami => question.kagami(&last, count),
            _ => question.tree(count, watch),
        };
        if let (Some(best), None) = (choices.first(), shape(self.options.level)) {
            let nodes = self.mind.nodes;
            tell(best, nodes, clock, watch);
        }
        if choices.is_empty() { Err(PlayError::NothingLeft) } else { Ok(choices) }
    }

    /// Forgets what earlier questions have left in the tables.
    fn forget(&mut self) {
        let bytes = self.options.table_bytes;
        self.mind = Mind::new(self.game, bytes / 4);
        self.singles = singles(self.game, bytes / 4);
        self.table.clear();
    }

    /// The stones that the opponent placed last, as far as they can be told:
    /// what the caller said, or what is new since our last move, or all of the
    /// opponent's stones when they are no more than a move.
    fn last_stones(&mut self, position: &Position) -> Vec<Square> {
        let theirs = position.to_move().other();
        if let Some(mv) = self.told.take()
            && mv.iter().all(|square| square.index() < self.game.area() && position.has(theirs, square))
        {
            return mv.squares().to_vec();
        }
        let p = usize::from(self.game.p());
        let stones: Vec<Square> = position.stones(theirs).collect();
        if stones.len() <= p {
            return stones;
        }
        let Some(left) = &self.left else { return Vec::new() };
        let same_game = left.to_move() == theirs
            && left.stone_count(theirs) + p >= stones.len()
            && left.stones(theirs).all(|square| position.has(theirs, square))
            && position.stones(theirs.other()).all(|square| left.has(theirs.other(), square));
        if same_game { stones.into_iter().filter(|&s| !left.has(theirs, s)).collect() } else { Vec::new() }
    }
}

/// The search by proof numbers for wins with single threats.
fn singles(game: Game, bytes: usize) -> LambdaSearch {
    LambdaSearch::new(game, LambdaOptions { order: 2, ..LambdaOptions::default() }, bytes)
}
