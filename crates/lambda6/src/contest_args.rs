//! Options, progress and documents that matches and tournaments share.

use crate::{
    input::Input,
    output,
    player_args::{OpeningArgs, PlayerArgs},
    progress,
    search_args::parse_seconds,
};
use anyhow::{Context, Result};
use lambda6_contest::{
    Contest, Entrant, Played, Standing, Time,
    openings::{self, Opening},
    referee::Terms,
    stats::{Sprt, Tally},
};
use lambda6_player::Level;
use lambda6_rules::Game;
use serde::Serialize;
use std::{ffi::OsStr, path::PathBuf, str, sync::atomic::AtomicBool, time::Duration};

/// How games are played.
#[derive(clap::Args)]
pub(crate) struct ContestArgs {
    /// Time control of all players: 1s, 300s+2s, 5000n, none, or same for the average
    /// time of the opponent
    #[arg(long, value_name = "TIME", default_value = "1s")]
    pub(crate) time: Time,

    /// The openings: dif, played, even (go-moku), empty, names such as X-K9,T-K11, or a file
    /// [default: dif, for go-moku even, for other games empty]
    #[arg(long, value_name = "SET")]
    openings: Option<String>,

    /// The game
    #[arg(long, value_name = "GAME", default_value = "connect6")]
    game: Game,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    parallel: u64,

    /// Do not end a game when the solver proves a win
    #[arg(long)]
    no_adjudicate: bool,

    /// Moves that the solver tries for such a proof
    #[arg(long, value_name = "N", default_value_t = 5000)]
    adjudicate_nodes: u64,

    /// End a game as a draw after N moves
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,

    /// Seconds by which a player may exceed its time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "0.1")]
    margin: Duration,

    /// Seconds after which a program without a clock counts as hanging
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "600")]
    patience: Duration,

    /// Keep the log, the records and the transcripts here; an existing log is
    /// continued
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    known: OpeningArgs,

    /// Do not report every game on standard error
    #[arg(long)]
    quiet: bool,
}

impl ContestArgs {
    /// The contest of these entrants.
    pub(crate) fn contest(
        &self,
        mut entrants: Vec<Entrant>,
        games: usize,
        sprt: Option<Sprt>,
    ) -> Result<Contest> {
        lambda6_contest::distinguish(&mut entrants);
        Ok(Contest {
            game: self.game,
            entrants,
            openings: self.openings()?,
            games,
            parallel: self.parallel as usize,
            terms: Terms {
                adjudicate: (!self.no_adjudicate).then_some(self.adjudicate_nodes),
                max_moves: self.max_moves,
                margin: self.margin,
                patience: self.patience,
                player: self.known.add_to(self.player.options(Level::default())),
            },
            sprt,
            seed: self.player.seed,
            directory: self.out.clone(),
        })
    }

    fn openings(&self) -> Result<Vec<Opening>> {
        match &self.openings {
            Some(set) => load_openings(set, self.game),
            None if self.game == Game::CONNECT6 => load_openings("dif", self.game),
            None => load_openings("even", self.game).or_else(|_| load_openings("empty", self.game)),
        }
    }

    /// Plays a contest and reports its games.
    pub(crate) fn play(&self, contest: &Contest, stop: &AtomicBool) -> Result<Standing> {
        run(contest, stop, self.quiet)
    }
}

/// Plays a contest, with a bar on a terminal and a line per game unless `quiet`.
pub(crate) fn run(contest: &Contest, stop: &AtomicBool, quiet: bool) -> Result<Standing> {
    let n = contest.entrants.len();
    let bar = progress::bar(contest.games * n * (n - 1) / 2, "games {msg}");
    bar.tick();
    let standing = contest.run(stop, &mut |played, standing| {
        bar.set_position(standing.played().len() as u64);
        if n == 2 {
            bar.set_message(points(&standing.tally(0, 1)));
        }
        if !quiet {
            bar.suspend(|| output::note(&game_line(played, standing)));
        }
    });
    Ok(standing?)
}

/// A set of openings by its name, or from a file.
pub(crate) fn load_openings(set: &str, game: Game) -> Result<Vec<Opening>> {
    if let Ok(openings) = openings::named(set, game) {
        return Ok(openings);
    }
    let path = std::path::Path::new(set);
    if !path.exists() {
        return openings::named(set, game).with_context(|| "--openings".to_string());
    }
    let input = Input::from_argument(OsStr::new(path))?;
    let text = str::from_utf8(&input.bytes).with_context(|| input.name.clone())?;
    openings::parse(text, game).with_context(|| input.name.clone())
}

fn points(tally: &Tally) -> String {
    format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses)
}

/// A line about a game.
fn game_line(played: &Played, standing: &Standing) -> String {
    let names = standing.names();
    let sides = [played.first, played.second];
    let [black, white] = if played.black == 0 { sides } else { [sides[1], sides[0]] };
    let result = match played.result.as_str() {
        "black" => "1-0",
        "white" => "0-1",
        _ => "1/2",
    };
    let failure = played.failure.as_ref().map(|text| format!(" ({text})")).unwrap_or_default();
    format!(
        "game {}: {} - {} {result} by {} in {} moves, opening {}; {} {}{failure}",
        standing.played().len(),
        names[black],
        names[white],
        played.reason.name(),
        played.moves.len(),
        played.opening,
        names[played.first],
        points(&standing.tally(played.first, played.second)),
    )
}

/// Times and failures of an entrant.
#[derive(Serialize)]
pub(crate) struct EntrantJson {
    pub(crate) name: String,
    pub(crate) terms: String,
    pub(crate) moves: u32,
    pub(crate) seconds_a_move: f64,
    pub(crate) longest_seconds: f64,
    pub(crate) failures: usize,
}

impl EntrantJson {
    pub(crate) fn of(contest: &Contest, standing: &Standing, one: usize) -> EntrantJson {
        let (moves, seconds, longest) = standing.time(one);
        EntrantJson {
            name: standing.names()[one].clone(),
            terms: contest.entrants[one].terms(),
            moves,
            seconds_a_move: seconds / f64::from(moves.max(1)),
            longest_seconds: longest,
            failures: standing.failures().filter(|(_, loser)| *loser == one).count(),
        }
    }

    pub(crate) fn text(&self) -> String {
        format!(
            "{:.3} s a move, longest {:.3} s, {} moves",
            self.seconds_a_move, self.longest_seconds, self.moves
        )
    }
}

/// A game that was lost by a failure.
#[derive(Serialize)]
pub(crate) struct FailureJson {
    game: usize,
    loser: String,
    reason: &'static str,
    failure: Option<String>,
    transcript: Option<String>,
}

/// The games that were lost by failures.
pub(crate) fn failures(standing: &Standing) -> Vec<FailureJson> {
    let failure = |(played, loser): (&Played, usize)| FailureJson {
        game: played.number + 1,
        loser: standing.names()[loser].clone(),
        reason: played.reason.name(),
        failure: played.failure.clone(),
        transcript: played.transcript.clone(),
    };
    standing.failures().map(failure).collect()
}

/// A line for each game that was lost by a failure.
pub(crate) fn failures_text(standing: &Standing) -> String {
    let line = |failure: FailureJson| {
        let text = failure.failure.unwrap_or_default();
        let kept = failure.transcript.map(|path| format!(" [{path}]")).unwrap_or_default();
        format!(
            "failure: game {}: {} lost by {}: {text}{kept}\n",
            failure.game, failure.loser, failure.reason
        )
    };
    failures(standing).into_iter().map(line).collect()
}

/// The number of games by the reason of their end.
pub(crate) fn reasons_text(standing: &Standing) -> String {
    let reasons: Vec<String> = standing.reasons().iter().map(|(name, n)| format!("{name} {n}")).collect();
    reasons.join(", ")
}
