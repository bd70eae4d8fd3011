//! The thinker of a session: the player, or in tests a stand-in whose moves never
//! change.

use crate::Task;
use lambda6_player::{Choice, PlayError, PlayObserver, Player, PlayerOptions};
use lambda6_rules::{Game, Position};
use lambda6_search::{Control, Limits, Silent, SystemClock, runner};
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
        observer: &mut dyn PlayObserver,
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
        observer: &mut dyn PlayObserver,
    ) -> Result<Vec<Choice>, PlayError> {
        let Task { position, last, limits } = task;
        let game = position.game();
        let player = match &mut self.player {
            Some(player) if player.game() == game => player,
            other => other.insert(Player::new(game, self.options)),
        };
        let clock = SystemClock::start();
        let control = Control::new(*limits, &clock, stop);
        player.set_last_move(*last);
        if count <= 1 {
            Ok(vec![player.choose(position, control, observer)?])
        } else {
            player.candidates(position, control, observer, count)
        }
    }
}

impl Thinker for PlayerThinker {
    fn think(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        observer: &mut dyn PlayObserver,
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
