//! The thinker of a session: the player, or in tests a stand-in whose moves never
//! change.

use crate::{Task, Wanted, balance::balanced, completed};
use lambda6_player::{Choice, Info, JobAnswer, PlayError, Player, PlayerOptions, Status, WON};
use lambda6_rules::{Game, Move, Position};
use lambda6_search::{Control, Limits, Observer, Silent, SystemClock, runner};
use std::{sync::atomic::AtomicBool, time::Duration};

/// Chooses moves for a session.
pub trait Thinker: Send {
    /// The best moves, best first: at least one, at most `count`. When `stop` is
    /// set, the best found so far.
    fn think(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        observer: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, ThinkError>;

    /// Searches with the opponent to move, after a thought, until `stop` is set.
    /// The only effect is on the thinker's own memory; by default there is none.
    fn ponder(&mut self, position: &Position, stop: &AtomicBool) {
        let _ = (position, stop);
    }
}

/// Why a thinker has no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThinkError {
    /// The player refuses the question.
    #[error(transparent)]
    Player(#[from] PlayError),
    /// The search has panicked.
    #[error("the search broke down")]
    Panicked,
    /// The search has not ended though it was asked to.
    #[error("the search did not stop in time")]
    NotStopped,
}

/// A [`Player`] as thinker. It makes a new player when the game changes.
pub struct PlayerThinker {
    options: PlayerOptions,
    player: Option<Player>,
    ponders: bool,
}

/// The longest pondering, for programs whose other side is gone.
const LONGEST_PONDERING: Duration = Duration::from_secs(600);

impl PlayerThinker {
    /// A thinker with these options, without pondering.
    pub fn new(options: PlayerOptions) -> PlayerThinker {
        PlayerThinker { options, player: None, ponders: false }
    }

    /// Sets whether it ponders: searching in the opponent's time fills the tables
    /// for the next search.
    pub fn pondering(mut self, ponders: bool) -> PlayerThinker {
        self.ponders = ponders;
        self
    }

    /// Makes the player of this game now, so that the first move is not delayed.
    pub fn ready(mut self, game: Game) -> PlayerThinker {
        self.player = Some(Player::new(game, self.options));
        self
    }

    fn choices(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        observer: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, PlayError> {
        let Task { position, last, limits, wanted, excluded, table_bytes, .. } = task;
        let game = position.game();
        let most = table_bytes.unwrap_or(usize::MAX);
        let options = PlayerOptions { table_bytes: self.options.table_bytes.min(most), ..self.options };
        let clock = SystemClock::start();
        let player = match &mut self.player {
            Some(player) if player.game() == game && player.options() == options => player,
            other => {
                // The old tables must not take memory beside the new ones.
                *other = None;
                other.insert(Player::new(game, options))
            }
        };
        let control = Control::new(*limits, &clock, stop);
        player.set_last_move(*last);
        match *wanted {
            Wanted::Balance(balance) => Ok(vec![balanced(player, position, excluded, balance, control)?]),
            Wanted::Best(_) if !excluded.is_empty() => {
                choices_without_excluded(player, task, count, control, observer)
            }
            Wanted::Best(_) if count <= 1 => Ok(vec![player.choose(position, control, observer)?]),
            Wanted::Best(_) => player.candidates(position, control, observer, count),
        }
    }
}

/// The best moves that are not excluded.
fn choices_without_excluded(
    player: &mut Player,
    task: &Task,
    count: usize,
    control: Control<'_>,
    observer: &mut dyn Observer<Info>,
) -> Result<Vec<Choice>, PlayError> {
    let Task { position, excluded, last, .. } = task;
    if count > 1 {
        let mut choices = player.candidates(position, control, observer, count + excluded.len())?;
        choices.retain(|choice| !excluded.contains(&choice.mv));
        choices.truncate(count);
        if !choices.is_empty() {
            return Ok(choices);
        }
        player.set_last_move(*last);
    }
    let (win, nodes) = match player.job(position, excluded, control, observer)? {
        JobAnswer::Best(choice) => return Ok(vec![choice]),
        JobAnswer::OthersLose { win, nodes } => (win, nodes),
    };
    // Every move loses: the one that looks best.
    let moves = position.empty_squares().map(|square| completed(position, Move::single(square)));
    let mut moves: Vec<Move> = moves.filter(|mv| !excluded.contains(mv)).collect();
    player.rank(position, &mut moves);
    let mv = *moves.first().ok_or(PlayError::NothingLeft)?;
    let status = Status::Win(position.to_move().other());
    Ok(vec![Choice { mv, status, score: -WON, depth: 1, nodes, line: vec![mv], win: Some(win) }])
}

impl Thinker for PlayerThinker {
    fn think(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        observer: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, ThinkError> {
        // A panic in a search must not leave the other side without an answer.
        // The player is dropped: its state is not to be trusted.
        match runner::catch(|| self.choices(task, count, stop, observer)) {
            Ok(choices) => Ok(choices?),
            Err(_) => {
                self.player = None;
                Err(ThinkError::Panicked)
            }
        }
    }

    fn ponder(&mut self, position: &Position, stop: &AtomicBool) {
        let Some(player) = self.player.as_mut().filter(|player| player.game() == position.game()) else {
            return;
        };
        if !self.ponders || position.outcome().is_some() {
            return;
        }
        let limits = Limits { time: Some(LONGEST_PONDERING), ..Limits::default() };
        let clock = SystemClock::start();
        let body = || player.candidates(position, Control::new(limits, &clock, stop), &mut Silent, 1);
        // There is no answer to give, so an error does not matter; a panic drops
        // the player, as in `think`.
        if runner::catch(body).is_err() {
            self.player = None;
        }
    }
}
