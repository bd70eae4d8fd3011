//! `lambda6 verify`: the defender's moves that are not refuted.

use super::Answer;
use crate::{
    interrupt,
    json::GameJson,
    output,
    position_arg::{PositionArgs, position_help},
    search_args::{MAX_MEMORY_MIB, available, parse_seconds},
};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rules::{Game, Move, Position};
use search::{
    Limits, Method, SystemClock, Why,
    lambda::LambdaOptions,
    verify::{Fate, Incomplete, Verified, verify},
};
use serde::Serialize;
use std::{thread, time::Duration};

const AFTER_HELP: &str = concat!(
    position_help!(),
    "
The defender is the side to move. Each move of the defender that matters is tried with a
search for the other side's win; what is left is listed. A set of stones with `...` stands
for all moves that contain it and whose other stones lie outside the zone of the win.
Exit code 0: every move is refuted. 1: some are not. 2: an error.

Examples:
  lambda6 verify 'j10 h8l8 j9k10' --order 2 --each 0.5
  lambda6 verify position.txt --json
  lambda6 verify 'j10 h8l8 j9k10' --order 2 --move k9l9"
);

/// List the defender's moves that are not refuted, and why the others lose
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Verify {
    #[command(flatten)]
    position: PositionArgs,

    /// The highest order of the attacker's moves: 2 for threats, 3 and 4 for moves
    /// that threaten to win
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    order: u8,

    /// Seconds for each of the defender's moves
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    each: Duration,

    /// Moves tried for each of the defender's moves
    #[arg(long, value_name = "N")]
    each_nodes: Option<u64>,

    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Tell only what becomes of this move
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,

    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_MIB))]
    memory: u64,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<Answer> {
        let position = self.position.load()?.position;
        let game = position.game();
        let asked = match &self.mv {
            Some(text) => {
                let mv = game.parse_move(text)?.sorted();
                position.clone().play(&mv)?;
                Some(mv)
            }
            None => None,
        };
        let found = self.verify(&position)?;
        let (text, json) = match &asked {
            Some(mv) => {
                let fate = found.fate(&position, mv);
                (asked_text(game, mv, fate), Some(MoveJson::new(game, mv, fate)))
            }
            None => (found_text(&position, &found), None),
        };
        if self.json {
            match json {
                Some(json) => output::json("verify-move", json)?,
                None => output::json("verify", VerifyJson::new(&position, &found))?,
            }
        } else {
            output::text(&text)?;
        }
        let won = asked.map_or(found.is_win(), |mv| !matches!(found.fate(&position, &mv), Fate::Open));
        Ok(if won { Answer::Yes } else { Answer::No })
    }

    fn verify(&self, position: &Position) -> Result<Verified> {
        let stop = interrupt::stop_flag()?;
        let bytes = available(self.memory)?;
        let options =
            LambdaOptions { order: self.order, method: Method::Mutual, threads: self.threads.into() };
        let each = Limits { nodes: self.each_nodes, time: Some(self.each), ..Limits::default() };
        let whole = Limits { time: self.time, ..Limits::default() };
        // Hidden where standard error is not a terminal.
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            spinner.set_style(style);
        }
        spinner.enable_steady_tick(Duration::from_millis(100));
        let game = position.game();
        let mut watch = |stones: &Move, left: usize| {
            spinner.set_message(format!("at {}, {left} left beside it", name(game, stones)));
        };
        let work =
            || verify(position, options, bytes, (each, whole), &SystemClock::start(), &stop, &mut watch);
        // Lines can be long.
        let found = thread::scope(|scope| {
            let thread = thread::Builder::new()
                .stack_size(crate::search_thread::STACK_BYTES)
                .spawn_scoped(scope, work)?;
            match thread.join() {
                Ok(found) => Ok(found?),
                Err(_) => bail!("the search broke down"),
            }
        });
        spinner.finish_and_clear();
        found
    }
}

fn name(game: Game, stones: &Move) -> String {
    if stones.is_empty() { "a pass".to_string() } else { game.move_name(stones) }
}

fn incomplete(why: Incomplete) -> String {
    match why {
        Incomplete::Connects => "the defender can connect, so that no other move matters".to_string(),
        Incomplete::Full => "the defender's move fills the board: a draw".to_string(),
        Incomplete::Pass => "the attacker was not shown to win when the defender passes, so nothing is \
                             known of any move"
            .to_string(),
        Incomplete::Ended(why) => format!("not all moves were tried: {why}"),
    }
}

fn found_text(position: &Position, found: &Verified) -> String {
    let game = position.game();
    let mut text = format!(
        "defender: {}\nnot refuted: {}{}\nsets refuted: {}\nnodes: {}\ntime: {:.3} s\n",
        position.to_move(),
        found.open.len(),
        if found.incomplete.is_some() { " so far" } else { "" },
        found.refuted.len(),
        found.nodes,
        found.elapsed.as_secs_f64(),
    );
    if let Some(why) = found.incomplete {
        text += &format!("incomplete: {}\n", incomplete(why));
    }
    for mv in &found.open {
        text += &format!("open {}\n", game.move_name(mv));
    }
    for refuted in &found.refuted {
        let more = if refuted.spare > 0 { " ..." } else { "" };
        let (stones, reply) = (name(game, &refuted.stones), game.move_name(&refuted.reply));
        text += &format!("lost {stones}{more}: {reply}\n");
    }
    text
}

fn asked_text(game: Game, mv: &Move, fate: Fate<'_>) -> String {
    let asked = game.move_name(mv);
    match fate {
        Fate::Open => format!("{asked}: not refuted\n"),
        Fate::Unmet(row) => format!("{asked}: leaves the attacker a row: {}\n", game.move_name(&row)),
        Fate::Refuted(refuted) if refuted.spare == 0 => {
            format!("{asked}: loses to {}\n", game.move_name(&refuted.reply))
        }
        Fate::Refuted(refuted) => format!(
            "{asked}: loses to {}, as {} does: the other stones lie outside the zone of that win\n",
            game.move_name(&refuted.reply),
            name(game, &refuted.stones),
        ),
    }
}

#[derive(Serialize)]
struct VerifyJson {
    game: GameJson,
    defender: &'static str,
    win: bool,
    incomplete: Option<&'static str>,
    open: Vec<String>,
    refuted: Vec<RefutedJson>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct RefutedJson {
    stones: String,
    spare: usize,
    reply: String,
}

impl VerifyJson {
    fn new(position: &Position, found: &Verified) -> VerifyJson {
        let game = position.game();
        VerifyJson {
            game: game.into(),
            defender: position.to_move().name(),
            win: found.is_win(),
            incomplete: found.incomplete.map(|why| match why {
                Incomplete::Connects => "connects",
                Incomplete::Full => "full",
                Incomplete::Pass => "pass",
                Incomplete::Ended(why) => Why::name(why),
            }),
            open: found.open.iter().map(|mv| game.move_name(mv)).collect(),
            refuted: found
                .refuted
                .iter()
                .map(|refuted| RefutedJson {
                    stones: game.move_name(&refuted.stones),
                    spare: refuted.spare,
                    reply: game.move_name(&refuted.reply),
                })
                .collect(),
            nodes: found.nodes,
            seconds: found.elapsed.as_secs_f64(),
        }
    }
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    refuted: bool,
    reply: Option<String>,
    by: Option<String>,
}

impl MoveJson {
    fn new(game: Game, mv: &Move, fate: Fate<'_>) -> MoveJson {
        let (reply, by) = match fate {
            Fate::Open => (None, None),
            Fate::Unmet(row) => (Some(row), None),
            Fate::Refuted(refuted) => (Some(refuted.reply), Some(refuted.stones)),
        };
        MoveJson {
            mv: game.move_name(mv),
            refuted: reply.is_some(),
            reply: reply.map(|reply| game.move_name(&reply)),
            by: by.map(|stones| game.move_name(&stones)),
        }
    }
}
