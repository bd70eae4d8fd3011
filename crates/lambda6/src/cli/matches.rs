//! `lambda6 match`: a match of two players, with statistics.

use super::Exit;
use crate::{
    contest_args::{self, ContestArgs, EntrantJson, FailureJson},
    interrupt, output,
    player_args::levels_help,
};
use anyhow::Result;
use lambda6_contest::{
    Contest, Entrant, Standing, Time, Who,
    stats::{Decision, Sprt, Tally},
};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf, sync::atomic::Ordering};

const AFTER_HELP: &str = concat!(
    "\
A and B are levels, or programs with their protocol: cloudict:/path/to/engine, gtp:,
gtp-pairs:, sau:, botzone:, gomocup:, with arguments. A program runs in its own directory.
Both play both colours of every opening. A player that crashes, plays an illegal move or exceeds its
time loses, and the transcript is kept. A win that the solver proves ends the game.

",
    levels_help!(),
    "
With --out the results are kept, and the same command plays the missing games. With --sprt
the match ends as soon as the test decides: exit code 0 if it accepts elo1, otherwise 1.
docs/MATCHES.md explains the figures.

Examples:
  lambda6 match strong kagami --games 40 --time 1s
  lambda6 match strong 'cloudict:/opt/cloudict/gameEngine' --a-time same --b-time none \\
      --b-send 'depth 6' --games 40 --out cloudict
  lambda6 match strong 'gtp:/opt/new/lambda6 engine --protocol gtp' --sprt 0,30 --games 2000
  lambda6 match club casual --time 2000n --openings X-K9,T-K11 --games 4 --json
  lambda6 match strong 'gomocup:/opt/rapfi/pbrain-rapfi' --game go-moku --openings empty"
);

/// Play a match of two players: SPRT, Elo, records
#[derive(clap::Args)]
#[command(name = "match", after_help = AFTER_HELP)]
pub(crate) struct Match {
    /// The first player: a level or PROTOCOL:COMMAND
    a: Who,

    /// The second player
    b: Who,

    /// The number of games; each opening is played in two successive games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Time control of A, if other than --time
    #[arg(long, value_name = "TIME")]
    a_time: Option<Time>,

    /// Time control of B, if other than --time
    #[arg(long, value_name = "TIME")]
    b_time: Option<Time>,

    /// A line to send to program A before every game; can be repeated
    #[arg(long, value_name = "LINE")]
    a_send: Vec<String>,

    /// A line to send to program B before every game; can be repeated
    #[arg(long, value_name = "LINE")]
    b_send: Vec<String>,

    /// Working directory of program A
    #[arg(long, value_name = "DIR")]
    a_dir: Option<PathBuf>,

    /// Working directory of program B
    #[arg(long, value_name = "DIR")]
    b_dir: Option<PathBuf>,

    /// Name of A
    #[arg(long, value_name = "NAME")]
    a_name: Option<String>,

    /// Name of B
    #[arg(long, value_name = "NAME")]
    b_name: Option<String>,

    /// End the match when a sequential test decides it: elo0,elo1 or
    /// elo0,elo1,alpha,beta
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    #[command(flatten)]
    contest: ContestArgs,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Match {
    pub(crate) fn run(&self) -> Result<Exit> {
        let entrant =
            |who: &Who, time: Option<Time>, send: &[String], dir: &Option<PathBuf>, name: &Option<String>| {
                let mut entrant = Entrant::new(who.clone(), time.unwrap_or(self.contest.time));
                entrant.send = send.to_vec();
                entrant.directory.clone_from(dir);
                if let Some(name) = name {
                    entrant.name.clone_from(name);
                }
                entrant
            };
        let entrants = vec![
            entrant(&self.a, self.a_time, &self.a_send, &self.a_dir, &self.a_name),
            entrant(&self.b, self.b_time, &self.b_send, &self.b_dir, &self.b_name),
        ];
        let contest = self.contest.contest(entrants, self.games as usize, self.sprt)?;
        let stop = interrupt::stop_flag()?;
        let standing = self.contest.play(&contest, &stop)?;
        let document = MatchJson::new(&contest, &standing);
        output::either(self.json, "match", &document, || document.text(&contest, &standing))?;
        let stopped = stop.load(Ordering::Relaxed) && standing.played().len() < contest.games;
        Ok(match standing.decision() {
            Some(Decision::H1) => Exit::Yes,
            Some(Decision::H0 | Decision::Open) => Exit::No,
            None if stopped => Exit::No,
            None => Exit::Yes,
        })
    }
}

/// An Elo difference with its interval. Infinite numbers are `null`.
#[derive(Serialize)]
struct EloJson {
    difference: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct SprtJson {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    low: f64,
    high: f64,
    decision: Decision,
}

/// The document that `--json` prints; docs/MATCHES.md describes it.
#[derive(Serialize)]
struct MatchJson {
    a: EntrantJson,
    b: EntrantJson,
    planned: usize,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    score: f64,
    interval: (f64, f64),
    elo: EloJson,
    los: f64,
    as_black: [u64; 3],
    as_white: [u64; 3],
    sprt: Option<SprtJson>,
    reasons: BTreeMap<&'static str, usize>,
    failures: Vec<FailureJson>,
}

fn three(tally: &Tally) -> [u64; 3] {
    [tally.wins, tally.draws, tally.losses]
}

impl MatchJson {
    fn new(contest: &Contest, standing: &Standing) -> MatchJson {
        let tally = standing.tally(0, 1);
        let elo = tally.elo();
        let sprt = standing.sprt().map(|sprt| SprtJson {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            llr: sprt.llr(&tally),
            low: sprt.bounds().0,
            high: sprt.bounds().1,
            decision: sprt.decide(&tally),
        });
        MatchJson {
            a: EntrantJson::of(contest, standing, 0),
            b: EntrantJson::of(contest, standing, 1),
            planned: contest.games,
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pairs: tally.pairs,
            score: tally.score(),
            interval: tally.interval(),
            elo: EloJson { difference: elo.difference, low: elo.low, high: elo.high },
            los: tally.los(),
            as_black: three(&standing.tally_with(0, 1, 0)),
            as_white: three(&standing.tally_with(0, 1, 1)),
            sprt,
            reasons: standing.reasons(),
            failures: contest_args::failures(standing),
        }
    }

    fn text(&self, contest: &Contest, standing: &Standing) -> String {
        let counts = |[wins, draws, losses]: [u64; 3]| format!("+{wins} ={draws} -{losses}");
        let mut text =
            format!("{} against {}: {} of {} games\n", self.a.name, self.b.name, self.games, contest.games);
        text += &format!(
            "score: {} ({:.1} %, 95 % interval {:.1} to {:.1} %)\n",
            counts([self.wins, self.draws, self.losses]),
            100.0 * self.score,
            100.0 * self.interval.0,
            100.0 * self.interval.1
        );
        text += &format!("black: {}\nwhite: {}\n", counts(self.as_black), counts(self.as_white));
        text += &format!(
            "pairs: {} {} {} {} {} (0 to 2 points)\n",
            self.pairs[0], self.pairs[1], self.pairs[2], self.pairs[3], self.pairs[4]
        );
        text += &format!(
            "elo: {:+.0} (95 % interval {:+.0} to {:+.0})\n",
            self.elo.difference, self.elo.low, self.elo.high
        );
        text += &format!("los: {:.1} %\n", 100.0 * self.los);
        if let Some(sprt) = &self.sprt {
            let decision = match sprt.decision {
                Decision::Open => "open",
                Decision::H0 => "H0 accepted",
                Decision::H1 => "H1 accepted",
            };
            text += &format!(
                "sprt: {decision}, llr {:.2} ({:.2}, {:.2}) for [{}, {}]\n",
                sprt.llr, sprt.low, sprt.high, sprt.elo0, sprt.elo1
            );
        }
        for entrant in [&self.a, &self.b] {
            text += &format!("time: {}: {}\n", entrant.name, entrant.text());
        }
        text += &format!("ended by: {}\n", contest_args::reasons_text(standing));
        text + &contest_args::failures_text(standing)
    }
}
