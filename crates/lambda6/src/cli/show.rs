//! `lambda6 show`: draws a position.

use super::Exit;
use crate::{
    board::{self, Charset},
    json::{GameJson, OutcomeJson, StonesJson},
    marks::Marks,
    output,
    position_arg::{Loaded, PositionArgs, position_help},
};
use anyhow::Result;
use lambda6_rules::{Game, Outcome, Position, Side, opening};
use lambda6_threats::ThreatCount;
use serde::Serialize;
use std::collections::BTreeMap;

const AFTER_HELP: &str = concat!(
    position_help!(),
    "
A threat is k squares in a row without a stone of the other side, of which at most
p are empty. The number of threats is the least number of stones that meets them
all. The squares of threats are marked b and w, those of the least sets that meet
the threats against the side to move +, and those on which a single stone of the
side to move makes a threat 1, or 2 for two threats and more.

Examples:
  lambda6 show TX-H9
  lambda6 show 'j10 i8h9 k11l10'
  lambda6 show game.sgf --at 7
  lambda6 show --game tic-tac-toe 'b2 a3' --ascii
  echo 'j10 i8h9' | lambda6 show - --json"
);

/// Draw a position with its threats, defences and threat cells
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Show {
    #[command(flatten)]
    position: PositionArgs,

    /// Draw with ASCII characters only
    #[arg(long, conflicts_with = "json")]
    ascii: bool,

    /// Print one line of JSON instead of a drawing
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(&self) -> Result<Exit> {
        let loaded = self.position.load()?;
        let marks = Marks::of(&loaded.position, loaded.moves.last());
        output::either(self.json, "show", ShowJson::of(&loaded, &marks), || {
            drawing(&loaded, &marks, Charset::new(self.ascii))
        })?;
        Ok(Exit::Yes)
    }
}

/// The board, followed by one fact per line.
fn drawing(loaded: &Loaded, marks: &Marks, charset: Charset) -> String {
    let board = board::draw(&loaded.position, marks, charset);
    let legend = board::legend(marks, charset);
    let facts: String =
        facts(loaded, marks).into_iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("{board}\n{legend}\n\n{facts}")
}

fn facts(loaded: &Loaded, marks: &Marks) -> Vec<(String, String)> {
    let position = &loaded.position;
    let game = position.game();
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| facts.push((name.to_string(), value));
    fact(
        "game",
        match game.name() {
            Some(name) => format!("{game} ({name})"),
            None => game.to_string(),
        },
    );
    let count = |side| position.stone_count(side);
    fact("stones", format!("{} black, {} white", count(Side::Black), count(Side::White)));
    if let Some(last) = loaded.moves.last() {
        fact("moves", format!("{}, last {}", loaded.moves.len(), game.move_name(last)));
    }
    if let Some(name) = opening_name(loaded) {
        fact("opening", name);
    }
    match position.outcome() {
        Some(Outcome::Win(side)) => fact("result", format!("{side} has won")),
        Some(Outcome::Draw) => fact("result", "draw, the board is full".to_string()),
        None => {
            let stones = position.stones_to_place();
            let plural = if stones == 1 { "" } else { "s" };
            fact("to move", format!("{}, {stones} stone{plural}", position.to_move()));
        }
    }
    if let Some(counts) = marks.threats {
        let [black, white] = counts.map(count_name);
        fact("threats", format!("{black} of black's, {white} of white's"));
    }
    for list in &marks.lists {
        if let Some(title) = &list.title {
            fact(title, list.names(game).join(" "));
        }
    }
    if let Some(mv) = &loaded.left_out {
        fact("note", format!("the record ends within a move: {} is left out", game.move_name(mv)));
    }
    if let Err(unreachable) = position.reachable() {
        fact("note", unreachable.to_string());
    }
    facts
}

fn count_name(count: ThreatCount) -> String {
    match count {
        ThreatCount::Exactly(0) => "none".to_string(),
        ThreatCount::Exactly(count) => count.to_string(),
        ThreatCount::More => "more than can be met".to_string(),
    }
}

/// The name of the opening, if the game began in the centre of the Connect6 board. A
/// setup has one only if it is the opening position itself.
fn opening_name(loaded: &Loaded) -> Option<String> {
    let position = &loaded.position;
    if position.game() != Game::CONNECT6 {
        return None;
    }
    let (first, reply) = match &loaded.moves[..] {
        [first, reply, ..] if loaded.starts_empty() => (first.squares().to_vec(), reply.squares().to_vec()),
        _ => (position.stones(Side::Black).collect(), position.stones(Side::White).collect()),
    };
    let centre = Game::CONNECT6.square(9, 9);
    match (&first[..], &reply[..]) {
        (&[first], &[a, b]) if first == centre => opening::name(a, b),
        _ => None,
    }
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct ShowJson {
    game: GameJson,
    #[serde(flatten)]
    stones: StonesJson,
    stones_to_place: usize,
    start: Option<StonesJson>,
    moves: Vec<String>,
    left_out: Option<String>,
    opening: Option<String>,
    outcome: Option<OutcomeJson>,
    reachable: bool,
    threats: Option<ThreatsJson>,
    marks: BTreeMap<&'static str, Vec<String>>,
}

/// The number of threats of each side: p + 1 stands for more than p.
#[derive(Serialize)]
struct ThreatsJson {
    black: u8,
    white: u8,
}

impl ShowJson {
    fn of(loaded: &Loaded, marks: &Marks) -> ShowJson {
        let position: &Position = &loaded.position;
        let game = position.game();
        let outcome = position.outcome();
        ShowJson {
            game: game.into(),
            stones: StonesJson::of(position),
            stones_to_place: if outcome.is_some() { 0 } else { position.stones_to_place() },
            start: (!loaded.starts_empty()).then(|| StonesJson::of(&loaded.start)),
            moves: loaded.moves.iter().map(|mv| game.move_name(mv)).collect(),
            left_out: loaded.left_out.as_ref().map(|mv| game.move_name(mv)),
            opening: opening_name(loaded),
            outcome: outcome.map(OutcomeJson::from),
            reachable: position.reachable().is_ok(),
            threats: marks.threats.map(|counts| {
                let [black, white] = counts.map(|count| match count {
                    ThreatCount::Exactly(count) => count,
                    ThreatCount::More => game.p() + 1,
                });
                ThreatsJson { black, white }
            }),
            marks: marks.lists.iter().map(|list| (list.key, list.names(game))).collect(),
        }
    }
}
