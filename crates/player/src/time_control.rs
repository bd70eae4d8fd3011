//! Time controls: what a game allows for thinking.

use lambda6_rules::Position;
use lambda6_search::Limits;
use std::{fmt, str::FromStr, time::Duration};

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A fixed time for each move.
    PerMove(Duration),
    /// A time for the whole game, with an increment for each move.
    Game {
        /// The time at the start.
        main: Duration,
        /// The time added after each move.
        increment: Duration,
    },
    /// A number of positions for each move: repeatable on every machine.
    Nodes(u64),
}

/// Time that is not used, for the delay between the caller's clock and the search
/// on a busy machine.
const MARGIN: Duration = Duration::from_millis(60);

impl TimeControl {
    /// The clock at the start of the game.
    pub fn start(&self) -> Duration {
        match *self {
            TimeControl::PerMove(time) => time,
            TimeControl::Game { main, .. } => main,
            TimeControl::Nodes(_) => Duration::MAX,
        }
    }

    /// The limits of the next move with `remaining` on the clock. Controls by
    /// move and by nodes do not depend on `remaining`.
    pub fn allot(&self, remaining: Duration, position: &Position) -> Limits {
        match *self {
            TimeControl::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            TimeControl::PerMove(time) => {
                Limits { time: Some(time.saturating_sub(margin(time))), ..Limits::default() }
            }
            TimeControl::Game { increment, .. } => {
                // Most games are decided within 25 moves a side; after that a
                // fixed share of what is left never runs out.
                let p = usize::from(position.game().p());
                let stones = position.game().area() - position.empty_count();
                let played = stones / (2 * p).max(1);
                let to_come = 25usize.saturating_sub(played).max(8) as u32;
                let share = remaining / to_come + increment * 4 / 5;
                let most = (remaining / 3).saturating_sub(MARGIN);
                Limits { time: Some(share.min(most)), ..Limits::default() }
            }
        }
    }
}

fn margin(time: Duration) -> Duration {
    MARGIN.min(time / 10)
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a time control: expected 1s or 500ms a move, 300s+2s a game, or 5000n nodes a move")]
pub struct TimeControlParseError(String);

impl FromStr for TimeControl {
    type Err = TimeControlParseError;

    /// `1s`, `1.5s`, `500ms` or `2m` a move; `300s+2s` a game with increment
    /// (`300s+0s` for none); `5000n` nodes a move.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlParseError> {
        let control = if let Some((main, increment)) = text.split_once('+') {
            duration(main)
                .zip(duration(increment))
                .map(|(main, increment)| TimeControl::Game { main, increment })
        } else if let Some(nodes) = text.strip_suffix('n') {
            nodes.parse().ok().filter(|&nodes| nodes > 0).map(TimeControl::Nodes)
        } else {
            duration(text).filter(|time| !time.is_zero()).map(TimeControl::PerMove)
        };
        control.ok_or_else(|| TimeControlParseError(text.chars().take(30).collect()))
    }
}

fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = [("ms", 0.001), ("s", 1.0), ("m", 60.0)]
        .into_iter()
        .find_map(|(suffix, unit)| text.strip_suffix(suffix).map(|number| (number, unit)))?;
    let plain = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds = number.parse::<f64>().ok().filter(|_| plain)? * unit;
    // At most a year, far below the overflow of a duration.
    (seconds <= 366.0 * 86_400.0).then(|| Duration::try_from_secs_f64(seconds).ok())?
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::PerMove(time) => write!(f, "{}s", time.as_secs_f64()),
            TimeControl::Game { main, increment } => {
                write!(f, "{}s+{}s", main.as_secs_f64(), increment.as_secs_f64())
            }
            TimeControl::Nodes(nodes) => write!(f, "{nodes}n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Game;

    #[test]
    fn controls_round_trip_through_text() {
        for text in ["1s", "0.5s", "300s+2s", "5000n"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("500ms".parse(), Ok(TimeControl::PerMove(Duration::from_millis(500))));
        assert_eq!("2m".parse(), Ok(TimeControl::PerMove(Duration::from_secs(120))));
        for text in
            ["", "s", "1", "0s", "0n", "-1s", "1e9s", "nans", "infs", "1s+", "+1s", "99999999999s", "1.2.3s"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_game_clock_never_runs_out() {
        let position = Position::new(Game::CONNECT6);
        for increment in [0, 100, 2_000] {
            let increment = Duration::from_millis(increment);
            let control = TimeControl::Game { main: Duration::from_secs(60), increment };
            let mut remaining = control.start();
            for _ in 0..200 {
                let spent = control.allot(remaining, &position).time.unwrap();
                remaining = remaining.checked_sub(spent).expect("time is left") + increment;
            }
        }
    }
}
