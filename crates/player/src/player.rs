//! The player: the crate's entry point.

use crate::{
    Choice, Info, JobAnswer, Level, PlayError, Status,
    opening_book::OpeningBook,
    question::{Question, report_choice},
    search_thread::SearchThread,
    settings::{DEFAULT_NODES, root_settings},
    status_of,
    transposition_table::TranspositionTable,
};
use lambda6_rules::{Game, Move, Position, Square};
use lambda6_search::{
    Control, Limits, Observer,
    lambda::{LambdaOptions, LambdaSearch},
};
use lambda6_threats::Play;
use std::sync::Arc;

/// The settings of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// The level of play.
    pub level: Level,
    /// Search threads. With more than one the answer depends on timing.
    pub threads: usize,
    /// Memory for tables.
    pub table_bytes: usize,
    /// The seed of the levels with random errors.
    pub seed: u64,
    /// Whether the strongest level uses its opening book.
    pub openings: bool,
}

impl Default for PlayerOptions {
    fn default() -> PlayerOptions {
        PlayerOptions { level: Level::default(), threads: 1, table_bytes: 64 << 20, seed: 0, openings: true }
    }
}

/// Plays one game of the family at one level. It keeps its tables from move to
/// move, and may also be asked about unrelated positions.
pub struct Player {
    game: Game,
    pub(crate) options: PlayerOptions,
    pub(crate) thread: SearchThread,
    /// The VCST solver of the root and the principal variation.
    pub(crate) vcst: LambdaSearch,
    pub(crate) table: TranspositionTable,
    /// The position after the player's last move: what is new since then is the
    /// opponent's.
    after_own_move: Option<Position>,
    /// The opponent's last stones, if the caller has given them.
    last_move: Option<Move>,
    book: Arc<OpeningBook>,
}

impl Player {
    /// A player of this game.
    pub fn new(game: Game, options: PlayerOptions) -> Player {
        let bytes = options.table_bytes;
        Player {
            game,
            options,
            thread: SearchThread::new(game, bytes / 4),
            vcst: vcst_search(game, bytes / 4),
            table: TranspositionTable::with_bytes(bytes / 2),
            after_own_move: None,
            last_move: None,
            book: OpeningBook::built_in(game),
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The settings.
    pub fn options(&self) -> PlayerOptions {
        self.options
    }

    /// Forgets the game so far.
    pub fn reset(&mut self) {
        self.after_own_move = None;
        self.last_move = None;
        self.clear_tables();
    }

    /// Sets the stones that the opponent placed last, for the next question only.
    /// The defensive strategy needs them. In a game the player finds them by
    /// itself; in an unrelated position it cannot.
    pub fn set_last_move(&mut self, mv: Option<Move>) {
        self.last_move = mv;
    }

    /// The best move within the limits.
    pub fn choose(
        &mut self,
        position: &Position,
        control: Control<'_>,
        observer: &mut dyn Observer<Info>,
    ) -> Result<Choice, PlayError> {
        self.check(position, &control.limits)?;
        let choice = match self.book_choice(position) {
            Some(choice) => {
                report_choice(&choice, choice.nodes, control, observer);
                choice
            }
            None => {
                let choices = self.candidates(position, control, observer, 1)?;
                choices.into_iter().next().ok_or(PlayError::NothingLeft)?
            }
        };
        let mut after = position.clone();
        // The move is legal; if not, the opponent's next stones stay unknown.
        self.after_own_move = after.play(&choice.mv).is_ok().then_some(after);
        Ok(choice)
    }

    /// Checks that the question can be answered.
    fn check(&self, position: &Position, limits: &Limits) -> Result<(), PlayError> {
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

    /// The reply of the opening book. It is a move to play, not an analysis: wins
    /// are claimed only by a search, with a certificate.
    fn book_choice(&mut self, position: &Position) -> Option<Choice> {
        if !self.options.openings || self.options.level != Level::Strong {
            return None;
        }
        let reply = self.book.reply(position)?;
        self.thread.set_up(position);
        // A reply that won all or none of its games still has finite odds.
        let points = f64::from(reply.points).clamp(0.02, 0.98);
        let score = (1000.0 * (points / (1.0 - points)).ln()) as i32;
        let status = status_of(score, position.to_move(), &self.thread.evaluation);
        Some(Choice { mv: reply.mv, status, score, depth: 0, nodes: 1, line: vec![reply.mv], win: None })
    }

    /// The best `count` moves, best first, for analysis.
    pub fn candidates(
        &mut self,
        position: &Position,
        control: Control<'_>,
        observer: &mut dyn Observer<Info>,
        count: usize,
    ) -> Result<Vec<Choice>, PlayError> {
        self.answer(position, &[], control, observer, count.max(1))
    }

    /// The job J(n, C): the best move that is not excluded, or a proof that all
    /// those moves lose. The proof is that of the whole position; where an
    /// excluded move holds, the answer is the best of the others, with the status
    /// and the score of a losing move.
    pub fn job(
        &mut self,
        position: &Position,
        excluded: &[Move],
        control: Control<'_>,
        observer: &mut dyn Observer<Info>,
    ) -> Result<JobAnswer, PlayError> {
        let choices = self.answer(position, excluded, control, observer, 1)?;
        let choice = choices.into_iter().next().ok_or(PlayError::NothingLeft)?;
        Ok(match choice {
            Choice { status: Status::Win(winner), win: Some(win), nodes, .. }
                if winner != position.to_move() =>
            {
                JobAnswer::OthersLose { win, nodes }
            }
            choice => JobAnswer::Best(choice),
        })
    }

    /// Sorts moves by the static evaluation of the position after each, the best
    /// for the side to move first.
    pub fn rank(&mut self, position: &Position, moves: &mut [Move]) {
        self.thread.set_up(position);
        let (mover, evaluation) = (position.to_move(), &mut self.thread.evaluation);
        moves.sort_by_cached_key(|mv| evaluation.play(mover, mv, |after| after.evaluate(mover.other())));
    }

    fn answer(
        &mut self,
        position: &Position,
        excluded: &[Move],
        control: Control<'_>,
        observer: &mut dyn Observer<Info>,
        count: usize,
    ) -> Result<Vec<Choice>, PlayError> {
        self.check(position, &control.limits)?;
        let last = self.last_stones(position);
        let mut control = control;
        if control.limits == Limits::default() {
            control.limits.nodes = Some(DEFAULT_NODES);
        }
        if control.limits.nodes.is_some() {
            // The same question must get the same answer.
            self.clear_tables();
        }
        self.thread.set_up(position);
        let mut question = Question { player: self, position, excluded, control };
        let ready = question.without_search();
        if let Some(choice) = ready.filter(|choice| !excluded.contains(&choice.mv)) {
            question.report(&choice, observer);
            return Ok(vec![choice]);
        }
        let choices = match question.player.options.level {
            Level::Defense => question.by_defense(&last, count),
            Level::Kagami => question.by_kagami(&last, count),
            _ => question.by_tree(count, observer),
        };
        if let (Some(best), None) = (choices.first(), root_settings(self.options.level)) {
            report_choice(best, self.thread.nodes, control, observer);
        }
        if choices.is_empty() { Err(PlayError::NothingLeft) } else { Ok(choices) }
    }

    /// Clears the tables that earlier questions have filled.
    fn clear_tables(&mut self) {
        let bytes = self.options.table_bytes;
        self.thread = SearchThread::new(self.game, bytes / 4);
        self.vcst = vcst_search(self.game, bytes / 4);
        self.table.clear();
    }

    /// The stones that the opponent placed last, if they can be found: those that
    /// the caller has given, those that are new since the player's last move, or
    /// all of the opponent's stones if they are no more than a move.
    fn last_stones(&mut self, position: &Position) -> Vec<Square> {
        let theirs = position.to_move().other();
        if let Some(mv) = self.last_move.take()
            && mv.iter().all(|square| square.index() < self.game.area() && position.has(theirs, square))
        {
            return mv.squares().to_vec();
        }
        let p = usize::from(self.game.p());
        let stones: Vec<Square> = position.stones(theirs).collect();
        if stones.len() <= p {
            return stones;
        }
        let Some(before) = &self.after_own_move else { return Vec::new() };
        let same_game = before.to_move() == theirs
            && before.stone_count(theirs) + p >= stones.len()
            && before.stones(theirs).all(|square| position.has(theirs, square))
            && position.stones(theirs.other()).all(|square| before.has(theirs.other(), square));
        if same_game { stones.into_iter().filter(|&s| !before.has(theirs, s)).collect() } else { Vec::new() }
    }
}

/// A VCST solver.
fn vcst_search(game: Game, bytes: usize) -> LambdaSearch {
    LambdaSearch::new(game, LambdaOptions { order: 2, ..LambdaOptions::default() }, bytes)
}
