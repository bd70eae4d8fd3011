//! `lambda6 tournament`: a round robin.

use super::Exit;
use crate::{
    contest_args::{self, ContestArgs, EntrantJson, FailureJson},
    interrupt, output,
    player_args::levels_help,
};
use anyhow::{Result, bail};
use lambda6_contest::{Contest, Entrant, Ranked, Standing, Who};
use serde::Serialize;
use std::{collections::BTreeMap, sync::atomic::Ordering};

const AFTER_HELP: &str = concat!(
    "\
The players are levels or programs, as for `lambda6 match`, which explains the other options
too. Each plays N games against each. The table has the points of the row against the column;
ratings are Elo with an average of 0.

",
    levels_help!(),
    "
Examples:
  lambda6 tournament novice casual club --games 10 --time 200ms
  lambda6 tournament defense kagami strong 'cloudict:/opt/cloudict/gameEngine' --time none
  lambda6 tournament novice casual --games 2 --time 500n --json"
);

/// Play a round robin: cross table and ratings
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Tournament {
    /// The players: levels or PROTOCOL:COMMAND
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<Who>,

    /// Games of each pair of players; each opening is played in two successive games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    #[command(flatten)]
    contest: ContestArgs,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Tournament {
    pub(crate) fn run(&self) -> Result<Exit> {
        if self.players.len() > 64 {
            bail!("{} players are too many: expected 2 to 64", self.players.len());
        }
        let entrants = self.players.iter().map(|who| Entrant::new(who.clone(), self.contest.time)).collect();
        let contest = self.contest.contest(entrants, self.games as usize, None)?;
        let stop = interrupt::stop_flag()?;
        let standing = self.contest.play(&contest, &stop)?;
        let document = TournamentJson::new(&contest, &standing);
        output::either(self.json, "tournament", document, || table(&contest, &standing))?;
        let n = self.players.len();
        let whole = standing.played().len() >= contest.games * n * (n - 1) / 2;
        Ok(if stop.load(Ordering::Relaxed) && !whole { Exit::No } else { Exit::Yes })
    }
}

fn table(contest: &Contest, standing: &Standing) -> String {
    let ranking = standing.ranking();
    let width = standing.names().iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text =
        format!("{:>3} {:<width$} {:>6} {:>6} {:>11} {:>7}", "", "player", "elo", "+/-", "points", "%");
    for place in 1..=ranking.len() {
        text += &format!(" {place:>6}");
    }
    text.push('\n');
    for (place, Ranked { entrant, points, games, rating }) in ranking.iter().enumerate() {
        let of = format!("{points}/{games}");
        let part = 100.0 * points / (*games).max(1) as f64;
        let name = &standing.names()[*entrant];
        text += &format!(
            "{:>3} {name:<width$} {:>6.0} {:>6.0} {of:>11} {part:>6.1}%",
            place + 1,
            rating.elo,
            rating.error
        );
        for other in ranking.iter().map(|ranked| ranked.entrant) {
            let points = standing.tally(*entrant, other).points();
            let cell = if other == *entrant { "-".to_string() } else { points.to_string() };
            text += &format!(" {cell:>6}");
        }
        text.push('\n');
    }
    text.push('\n');
    for Ranked { entrant, .. } in ranking {
        let entrant = EntrantJson::of(contest, standing, entrant);
        text += &format!("time: {}: {}\n", entrant.name, entrant.text());
    }
    text += &format!("ended by: {}\n", contest_args::reasons_text(standing));
    text + &contest_args::failures_text(standing)
}

/// The document that `--json` prints; docs/MATCHES.md describes it.
#[derive(Serialize)]
struct TournamentJson {
    games: usize,
    players: Vec<PlayerJson>,
    reasons: BTreeMap<&'static str, usize>,
    failures: Vec<FailureJson>,
}

#[derive(Serialize)]
struct PlayerJson {
    #[serde(flatten)]
    entrant: EntrantJson,
    elo: f64,
    error: f64,
    points: f64,
    games: u64,
    /// Wins, draws and losses against each player, in the order of the list.
    against: Vec<Option<[u64; 3]>>,
}

impl TournamentJson {
    fn new(contest: &Contest, standing: &Standing) -> TournamentJson {
        let ranking = standing.ranking();
        let against = |i: usize, j: usize| {
            let tally = standing.tally(i, j);
            (i != j).then_some([tally.wins, tally.draws, tally.losses])
        };
        let players = ranking.iter().map(|&Ranked { entrant, points, games, rating }| PlayerJson {
            entrant: EntrantJson::of(contest, standing, entrant),
            elo: rating.elo,
            error: rating.error,
            points,
            games,
            against: ranking.iter().map(|other| against(entrant, other.entrant)).collect(),
        });
        TournamentJson {
            games: standing.played().len(),
            players: players.collect(),
            reasons: standing.reasons(),
            failures: contest_args::failures(standing),
        }
    }
}
