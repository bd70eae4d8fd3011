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
use lambda6_rules::{Game, Outcome, Position, Side, Square, opening};
use lambda6_threats::{Row, ThreatCount};
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

Where a move is one stone, the rows are named as go-moku players do. A four is four stones of
five squares in a row, the fifth empty; it is open if two squares complete it. A three is three
stones of five squares, the others empty, with which one stone more makes a four; it is
open if one stone makes an open four. In a game of k in a row these are rows of k-1 and k-2.

Examples:
  lambda6 show TX-H9
  lambda6 show 'j10 i8h9 k11l10'
  lambda6 show game.sgf --at 7
  lambda6 show --game tic-tac-toe 'b2 a3' --ascii
  lambda6 show --game go-moku 'h8 i9 h9 h10 i8 g8 j7 k6'
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
    let legend = board::legend(loaded.position.game(), marks, charset);
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
    for (side, rows) in Side::ALL.into_iter().zip(marks.rows.iter().flatten()) {
        if !rows.is_empty() {
            let each = |row: &Row| format!("{} {}", row.name(), squares(game, &row.stones));
            fact(&format!("{side}'s rows"), rows.iter().map(each).collect::<Vec<_>>().join(", "));
        }
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

fn squares(game: Game, squares: &[Square]) -> String {
    squares.iter().map(|&square| game.square_name(square)).collect()
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
    rows: Option<RowsJson>,
    marks: BTreeMap<&'static str, Vec<String>>,
}

/// The number of threats of each side: p + 1 stands for more than p.
#[derive(Serialize)]
struct ThreatsJson {
    black: u8,
    white: u8,
}

/// The fours and threes of each side, the strongest first.
#[derive(Serialize)]
struct RowsJson {
    black: Vec<RowJson>,
    white: Vec<RowJson>,
}

#[derive(Serialize)]
struct RowJson {
    name: String,
    stones: Vec<String>,
    next: Vec<String>,
}

impl RowJson {
    fn of(game: Game, rows: &[Row]) -> Vec<RowJson> {
        let names = |squares: &[Square]| squares.iter().map(|&square| game.square_name(square)).collect();
        let json =
            |row: &Row| RowJson { name: row.name(), stones: names(&row.stones), next: names(&row.next) };
        rows.iter().map(json).collect()
    }
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
            rows: marks.rows.as_ref().map(|[black, white]| RowsJson {
                black: RowJson::of(game, black),
                white: RowJson::of(game, white),
            }),
            marks: marks.lists.iter().map(|list| (list.key, list.names(game))).collect(),
        }
    }
}
