//! Who thinks. The protocols do not care who it is: the tests put somebody
//! there whose moves never change.

use crate::Task;
use player::{Choice, PlayError, PlayLimits, Player, PlayerOptions, Unwatched, Watch};
use rules::Position;
use search::SystemClock;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::AtomicBool,
    time::Duration,
};

/// Somebody who chooses moves.
pub trait Mind: Send {
    /// The best moves, the best first: at least one, at most `count`. When `stop`
    /// is set, the best found so far.
    fn think(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<Vec<Choice>, String>;

    /// Called with the opponent to move, after a thought, and ended by `stop` as
    /// soon as there is something else to do. Nothing but the mind's own memory
    /// comes of it, so it may just as well do nothing.
    fn ponder(&mut self, position: &Position, stop: &AtomicBool) {
        let _ = (position, stop);
    }
}

/// Our player. It makes itself anew when the game changes.
pub struct PlayerMind {
    options: PlayerOptions,
    player: Option<(rules::Game, Player)>,
    ponders: bool,
}

/// A program that nobody talks to any more does not think for ever.
const LONGEST_PONDERING: Duration = Duration::from_secs(600);

impl PlayerMind {
    /// A player with these options.
    pub fn new(options: PlayerOptions) -> PlayerMind {
        PlayerMind { options, player: None, ponders: false }
    }

    /// Thinks while the opponent does: the search of the opponent's move leaves
    /// in the table what the next search begins with.
    pub fn pondering(mut self, ponders: bool) -> PlayerMind {
        self.ponders = ponders;
        self
    }

    /// Gets ready for this game, so that the first move has no more to do than
    /// the others.
    pub fn ready(mut self, game: rules::Game) -> PlayerMind {
        self.player = Some((game, Player::new(game, self.options)));
        self
    }

    fn choices(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<Vec<Choice>, PlayError> {
        let Task { position, last, limits } = task;
        let game = position.game();
        if self.player.as_ref().is_none_or(|(other, _)| *other != game) {
            self.player = Some((game, Player::new(game, self.options)));
        }
        let Some((_, player)) = &mut self.player else { return Err(PlayError::NothingLeft) };
        let clock = SystemClock::start();
        player.set_last_move(*last);
        if count <= 1 {
            Ok(vec![player.choose(position, limits, &clock, stop, watch)?])
        } else {
            player.candidates(position, limits, &clock, stop, watch, count)
        }
    }
}

impl Mind for PlayerMind {
    fn think(
        &mut self,
        task: &Task,
        count: usize,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<Vec<Choice>, String> {
        // A fault in a search must not leave the other side without an answer.
        // What it left behind is thrown away.
        let body = AssertUnwindSafe(|| self.choices(task, count, stop, watch));
        match catch_unwind(body) {
            Ok(Ok(choices)) if choices.is_empty() => Err("the player found no move".to_string()),
            Ok(Ok(choices)) => Ok(choices),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => {
                self.player = None;
                Err("the search broke down".to_string())
            }
        }
    }

    fn ponder(&mut self, position: &Position, stop: &AtomicBool) {
        let Some((_, player)) = self.player.as_mut().filter(|(game, _)| *game == position.game()) else {
            return;
        };
        if !self.ponders || position.outcome().is_some() {
            return;
        }
        let limits = PlayLimits { time: Some(LONGEST_PONDERING), ..PlayLimits::default() };
        let clock = SystemClock::start();
        let body = || player.candidates(position, &limits, &clock, stop, &mut Unwatched, 1);
        // There is no answer to give, so an error is none; a fault costs the
        // memory, as in `think`.
        if catch_unwind(AssertUnwindSafe(body)).is_err() {
            self.player = None;
        }
    }
}
