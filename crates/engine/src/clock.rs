//! How long an engine may think: what it was started with, and what the other
//! side says about time.

use player::{PlayLimits, TimeControl};
use rules::{Position, Side};
use std::time::Duration;

/// The times of both sides, for an engine may be asked to play either.
#[derive(Clone, Debug)]
pub struct Clock {
    /// From the command line: used until the other side says something.
    default: TimeControl,
    told: Option<Told>,
    left: [Duration; 2],
    /// What is left of a period, and for how many answers.
    period: [Option<(Duration, u32)>; 2],
    depth: Option<u32>,
}

/// Time as GTP tells it: an amount for the game, then periods.
#[derive(Clone, Copy, Debug)]
struct Told {
    main: Duration,
    period: Duration,
    stones: u32,
}

/// Kept back of a period for the way there and back.
const LAG: Duration = Duration::from_millis(50);

impl Clock {
    /// Thinks as `default` says until told otherwise.
    pub fn new(default: TimeControl) -> Clock {
        let left = [default.start(); 2];
        Clock { default, told: None, left, period: [None; 2], depth: None }
    }

    /// A new game: the clocks start afresh.
    pub fn restart(&mut self) {
        let start = self.told.map_or(self.default.start(), |told| told.main);
        self.left = [start; 2];
        self.period = [None; 2];
    }

    /// Looks at most so many moves ahead.
    pub fn set_depth(&mut self, depth: Option<u32>) {
        self.depth = depth;
    }

    /// GTP's `time_settings`: seconds for the game, then periods of so many
    /// seconds for so many answers. A period without answers means no limit.
    pub fn settings(&mut self, main: u32, period: u32, stones: u32) {
        let unlimited = period > 0 && stones == 0;
        self.told = (!unlimited).then(|| Told {
            main: Duration::from_secs(main.into()),
            period: Duration::from_secs(period.into()),
            stones,
        });
        self.restart();
    }

    /// GTP's `time_left`: seconds left, of the game if `stones` is 0, else of a
    /// period with so many answers to go.
    pub fn set_left(&mut self, side: Side, seconds: u32, stones: u32) {
        let left = Duration::from_secs(seconds.into());
        if stones == 0 {
            self.left[side.index()] = left;
            self.period[side.index()] = None;
            if self.told.is_none() {
                self.told = Some(Told { main: left, period: Duration::ZERO, stones: 0 });
                self.left[side.other().index()] = left;
            }
        } else {
            self.left[side.index()] = Duration::ZERO;
            self.period[side.index()] = Some((left, stones));
        }
    }

    /// This side has used so much.
    pub fn spent(&mut self, side: Side, time: Duration) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(time);
        if self.told.is_none()
            && let TimeControl::Game { increment, .. } = self.default
        {
            *left += increment;
        }
        if let Some((left, stones)) = &mut self.period[side.index()] {
            *left = left.saturating_sub(time);
            *stones -= 1;
            if *stones == 0 {
                self.period[side.index()] = None;
            }
        }
    }

    /// What to spend on the next answer.
    pub fn limits(&self, side: Side, position: &Position) -> PlayLimits {
        let left = self.left[side.index()];
        let each = |time: Duration, stones: u32| {
            let share = time / stones.max(1);
            share.saturating_sub(LAG.min(share / 4))
        };
        let limits = match (self.period[side.index()], self.told) {
            (Some((time, stones)), _) => {
                PlayLimits { time: Some(each(time, stones)), ..PlayLimits::default() }
            }
            (None, None) => self.default.allot(left, position),
            (None, Some(told)) => {
                let game = TimeControl::Game { main: told.main, increment: Duration::ZERO };
                let of_game = game.allot(left, position).time.unwrap_or_default();
                let of_period = if told.stones > 0 { each(told.period, told.stones) } else { Duration::ZERO };
                PlayLimits { time: Some(of_game.max(of_period)), ..PlayLimits::default() }
            }
        };
        PlayLimits { depth: self.depth, ..limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Game;

    fn seconds(clock: &Clock, side: Side) -> f64 {
        clock.limits(side, &Position::new(Game::CONNECT6)).time.unwrap().as_secs_f64()
    }

    #[test]
    fn the_command_line_holds_until_something_is_told() {
        let mut clock = Clock::new(TimeControl::PerMove(Duration::from_secs(5)));
        assert!((4.0..=5.0).contains(&seconds(&clock, Side::Black)));
        clock.settings(0, 10, 1);
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
        clock.settings(0, 1, 0);
        assert!((4.0..=5.0).contains(&seconds(&clock, Side::Black)));
        let nodes = Clock::new(TimeControl::Nodes(700));
        let limits = nodes.limits(Side::White, &Position::new(Game::CONNECT6));
        assert_eq!((limits.nodes, limits.time), (Some(700), None));
    }

    #[test]
    fn a_game_is_never_overdrawn_whatever_is_spent() {
        let mut clock = Clock::new(TimeControl::Nodes(1));
        clock.settings(60, 0, 0);
        let mut left = 60.0;
        for _ in 0..100 {
            let next = seconds(&clock, Side::White);
            assert!(next < left);
            left -= next;
            clock.spent(Side::White, Duration::from_secs_f64(next));
        }
        // Black has not used any.
        assert!(seconds(&clock, Side::Black) > seconds(&clock, Side::White));
        clock.restart();
        assert_eq!(seconds(&clock, Side::Black), seconds(&clock, Side::White));
    }

    #[test]
    fn periods_are_shared_among_their_answers() {
        let mut clock = Clock::new(TimeControl::Nodes(1));
        clock.settings(0, 30, 3);
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
        clock.set_left(Side::Black, 4, 2);
        assert!((1.5..2.0).contains(&seconds(&clock, Side::Black)));
        clock.spent(Side::Black, Duration::from_secs(3));
        assert!((0.5..1.0).contains(&seconds(&clock, Side::Black)));
        clock.spent(Side::Black, Duration::from_secs(3));
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
        clock.set_left(Side::Black, 0, 0);
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
    }

    #[test]
    fn time_left_alone_makes_a_game_clock() {
        let mut clock = Clock::new(TimeControl::PerMove(Duration::from_secs(100)));
        clock.set_left(Side::Black, 10, 0);
        assert!(seconds(&clock, Side::Black) < 10.0);
        clock.set_left(Side::Black, 0, 0);
        assert_eq!(seconds(&clock, Side::Black), 0.0);
    }
}
