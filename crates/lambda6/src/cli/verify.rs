//! `lambda6 verify`: the defender's moves that are not refuted.

use super::Exit;
use crate::{
    interrupt,
    json::GameJson,
    output,
    position_arg::{PositionArgs, position_help},
    progress,
    search_args::{available, classes_help, parse_mib, parse_seconds},
};
use anyhow::Result;
use indicatif::ProgressBar;
use lambda6_proof::{
    Certificate, Class,
    verify::{DefenceVerifier, Fate, Incomplete, Verified},
};
use lambda6_rules::{Game, Move, Position};
use lambda6_search::{Budget, Limits, Observer, Progress, SystemClock, Why, lambda::LambdaOptions, runner};
use serde::Serialize;
use std::{path::PathBuf, time::Duration};

const BEFORE_CLASSES: &str = concat!(
    position_help!(),
    "
The defender is the side to move. For each relevant move of the defender the attacker's win
is searched; the moves that are not refuted are listed. A set of stones with `...` stands for
all moves that contain it and whose other stones lie outside the relevance zone of the win.
A position or move is reported as lost only with a certificate that the checker has accepted;
--proof writes it.

"
);

const AFTER_CLASSES: &str = "
Exit code 0: every move is refuted. 1: some are not. 2: an error.

Examples:
  lambda6 verify 'j10 h8l8 j9k10' --order 2 --each 0.5
  lambda6 verify position.txt --json
  lambda6 verify 'j10 h8l8 j9k10' --order 2 --move k9l9 --proof k9l9.proof
  lambda6 verify --game go-moku 'h8 i9 h9 h10 i8' --class vct";

fn after_help() -> String {
    format!("{BEFORE_CLASSES}{}{AFTER_CLASSES}", classes_help())
}

/// List the defender's moves that are not refuted, and why the others lose
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Verify {
    #[command(flatten)]
    position: PositionArgs,

    /// The moves that the attacker may use; below is what they mean in each game
    /// [default: vcst, in go-moku vct]
    #[arg(long, value_name = "CLASS")]
    class: Option<Class>,

    /// The same by its number: the highest order of the attacker's moves
    #[arg(long, value_name = "N", conflicts_with = "class", value_parser = clap::value_parser!(u8).range(1..=5))]
    order: Option<u8>,

    /// Seconds for each of the defender's moves
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    each: Duration,

    /// Moves tried for each of the defender's moves
    #[arg(long, value_name = "N")]
    each_nodes: Option<u64>,

    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// Report only on this move
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,

    /// Threads of the search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Memory for tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = parse_mib())]
    memory: u64,

    /// Write the certificate to this file, compressed if its name ends in .zst: of
    /// the move of --move, or of the position if every move loses
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,

    /// Replace the file of --proof if it exists
    #[arg(long, requires = "proof")]
    force: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The result, and the certificate of the move or position in question.
struct Told {
    found: Verified,
    certificate: Option<Certificate>,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<Exit> {
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
        if let Some(path) = &self.proof {
            output::check_writable(path, self.force)?;
        }
        let Told { found, certificate } = self.verify(&position, asked.as_ref())?;
        let written = match (&self.proof, &certificate) {
            (Some(path), Some(certificate)) => output::certificate(path, certificate, self.force),
            _ => Ok(()),
        };
        let loses = certificate.is_some();
        match &asked {
            Some(mv) => {
                let fate = if loses { found.fate(&position, mv) } else { Fate::Open };
                let document = MoveJson::new(game, mv, fate);
                output::either(self.json, "verify-move", document, || asked_text(game, mv, fate))?;
            }
            None => output::either(self.json, "verify", VerifyJson::new(&position, &found), || {
                found_text(&position, &found)
            })?,
        }
        // The result is printed even if the file cannot be written.
        written?;
        Ok(if loses { Exit::Yes } else { Exit::No })
    }

    fn order(&self) -> u8 {
        self.order.unwrap_or_else(|| self.class.unwrap_or_default().order())
    }

    /// Verifies the position. A move in question is reported as lost only with a
    /// certificate of the position after it.
    fn verify(&self, position: &Position, asked: Option<&Move>) -> Result<Told> {
        let stop = interrupt::stop_flag()?;
        let bytes = available(self.memory)?;
        let options =
            LambdaOptions { order: self.order(), threads: self.threads.into(), ..LambdaOptions::default() };
        let each = Limits { nodes: self.each_nodes, time: Some(self.each), ..Limits::default() };
        let whole = Limits { time: self.time, ..Limits::default() };
        let spinner = progress::spinner();
        let mut show = Spinning { spinner: &spinner, game: position.game() };
        runner::run("verify", || -> Result<Told> {
            let clock = SystemClock::start();
            let mut budget = Budget::new(whole, &clock, &stop);
            let mut verifier = DefenceVerifier::new(position, options, bytes, each)?;
            let found = verifier.verify(&mut budget, &mut show)?;
            let certificate = match asked {
                None => found.certificate.clone(),
                Some(mv) => match found.fate(position, mv) {
                    Fate::Open => None,
                    // There is no certificate if the search ran out of its limits.
                    Fate::Refuted(_) | Fate::Unmet(_) => verifier.certify_move(mv, &mut budget).ok(),
                },
            };
            Ok(Told { found, certificate })
        })?
    }
}

/// Shows the stones that are tried.
struct Spinning<'a> {
    spinner: &'a ProgressBar,
    game: Game,
}

impl Observer for Spinning<'_> {
    fn report(&mut self, progress: &Progress) {
        if let [stones] = &progress.line[..] {
            let left = progress.left.unwrap_or_default();
            self.spinner.set_message(format!("at {}, {left} sets left", name(self.game, stones)));
        }
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
