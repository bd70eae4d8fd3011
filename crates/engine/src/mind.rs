//! Who thinks. The protocols do not care who it is: the tests put somebody
//! there whose moves never change.

use crate::Task;
use player::{Choice, PlayError, Player, PlayerOptions, Watch};
use search::SystemClock;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::AtomicBool,
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
}

/// Our player. It makes itself anew when the game changes.
pub struct PlayerMind {
    options: PlayerOptions,
    player: Option<(rules::Game, Player)>,
}

impl PlayerMind {
    /// A player with these options.
    pub fn new(options: PlayerOptions) -> PlayerMind {
        PlayerMind { options, player: None }
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
}
