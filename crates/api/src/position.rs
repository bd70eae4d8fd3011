//! What can be said of a position without a search: threats, defences, threat
//! cells.

use crate::{
    ApiError, GameDoc, PositionSpec, Stones,
    notation::{move_name, square_names},
};
use lambda6_rules::{Game, Move, Outcome, Position, Side, opening};
use lambda6_threats::{
    Board, Defences, Row, ThreatCount, defence, rows,
    sight::{self, MAX_COUNTED_P},
};
use serde::Serialize;
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// The number of threats of each side: the least number of stones that meets
/// them all; p + 1 stands for more than one move can meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Threats {
    /// Black's.
    pub black: u8,
    /// White's.
    pub white: u8,
}

/// A row of one side as go-moku players name it. A four is four stones of five squares in a row,
/// the fifth empty; open if two squares complete it. A three is three of five with which one stone
/// more makes a four; open if it makes an open four. With k in a row: k - 1 and k - 2 stones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RowDoc {
    /// `open four`, `four`, `open three` or `three` in go-moku.
    pub name: String,
    /// Its stones.
    pub stones: Vec<String>,
    /// Where one stone more completes it or, of a three, makes the best four of it.
    pub next: Vec<String>,
}

impl RowDoc {
    fn of(game: Game, row: &Row) -> RowDoc {
        RowDoc {
            name: row.name(),
            stones: square_names(game, &row.stones),
            next: square_names(game, &row.next),
        }
    }
}

/// A position and its threats. Sets of squares are written like moves; the lists
/// are empty when the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PositionDoc {
    /// The game.
    pub game: GameDoc,
    /// Black's squares.
    pub black: Vec<String>,
    /// White's squares.
    pub white: Vec<String>,
    /// `black` or `white`.
    pub to_move: String,
    /// How many stones the next move has; 0 when the game is over.
    pub stones_to_place: usize,
    /// `black`, `white`, `draw`, or nothing while the game goes on.
    pub outcome: Option<String>,
    /// Whether a game can have these numbers of stones with this side to move.
    pub reachable: bool,
    /// The opening's name in Connect6.
    pub opening: Option<String>,
    /// Nothing when the game is over or a move has more than 4 stones.
    pub threats: Option<Threats>,
    /// The empty squares of each threat of Black's.
    pub black_threats: Vec<String>,
    /// The empty squares of each threat of White's.
    pub white_threats: Vec<String>,
    /// The critical defences of the side to move.
    pub defences: Vec<String>,
    /// Where one black stone makes one threat.
    pub black_single_cells: Vec<String>,
    /// Where one black stone makes two threats or more.
    pub black_double_cells: Vec<String>,
    /// Where one white stone makes one threat.
    pub white_single_cells: Vec<String>,
    /// Where one white stone makes two threats or more.
    pub white_double_cells: Vec<String>,
    /// Black's fours and threes, the strongest first, in games with one stone a move.
    pub black_rows: Vec<RowDoc>,
    /// White's.
    pub white_rows: Vec<RowDoc>,
    /// The stones of the row that won.
    pub winning_row: Vec<String>,
}

impl PositionDoc {
    /// The document of a position.
    pub fn of(spec: &PositionSpec) -> Result<PositionDoc, ApiError> {
        let (position, moves) = spec.position()?;
        let opening = if spec.start.is_none() { opening_name(position.game(), &moves) } else { None };
        Ok(PositionDoc::describe(&position, opening))
    }

    fn describe(position: &Position, opening: Option<String>) -> PositionDoc {
        let game = position.game();
        let outcome = position.outcome();
        let Stones { black, white, to_move } = Stones::of(position);
        let mut doc = PositionDoc {
            game: game.into(),
            black,
            white,
            to_move,
            stones_to_place: if outcome.is_some() { 0 } else { position.stones_to_place() },
            outcome: outcome.map(|outcome| outcome_name(outcome).to_string()),
            reachable: position.reachable().is_ok(),
            opening,
            threats: None,
            black_threats: Vec::new(),
            white_threats: Vec::new(),
            defences: Vec::new(),
            black_single_cells: Vec::new(),
            black_double_cells: Vec::new(),
            white_single_cells: Vec::new(),
            white_double_cells: Vec::new(),
            black_rows: Vec::new(),
            white_rows: Vec::new(),
            winning_row: square_names(game, &sight::winning_row(position).unwrap_or_default()),
        };
        if outcome.is_none() {
            doc.add_threats(position);
        }
        doc
    }

    fn add_threats(&mut self, position: &Position) {
        let game = position.game();
        let mut board = Board::from_position(position);
        for (side, list) in [(Side::Black, &mut self.black_rows), (Side::White, &mut self.white_rows)] {
            list.extend(rows(&board, side).iter().map(|row| RowDoc::of(game, row)));
        }
        for (side, list) in [(Side::Black, &mut self.black_threats), (Side::White, &mut self.white_threats)] {
            let mut sets = BTreeSet::new();
            defence::for_each_threat(&board, side, |threat| {
                sets.insert(*threat);
            });
            list.extend(sets.iter().map(|set| game.move_name(&set.sorted())));
        }
        if game.p() > MAX_COUNTED_P {
            return;
        }
        let mut defences = Defences::default();
        defences.find(&board, position.to_move().other());
        self.defences.extend(defences.iter().map(|defence| move_name(game, defence)));
        let count = |side| match defence::count(&board, side) {
            ThreatCount::Exactly(count) => count,
            ThreatCount::More => game.p() + 1,
        };
        self.threats = Some(Threats { black: count(Side::Black), white: count(Side::White) });
        for (side, single, double) in [
            (Side::Black, &mut self.black_single_cells, &mut self.black_double_cells),
            (Side::White, &mut self.white_single_cells, &mut self.white_double_cells),
        ] {
            let cells = sight::threat_cells(&mut board, side);
            single.extend(square_names(game, &cells.single));
            double.extend(square_names(game, &cells.double));
        }
    }
}

pub(crate) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(side) => side.name(),
        Outcome::Draw => "draw",
    }
}

/// The name of the opening with which a game of Connect6 began.
pub(crate) fn opening_name(game: Game, moves: &[Move]) -> Option<String> {
    let [first, second, ..] = moves else { return None };
    let centre = game.parse_square("j10").ok()?;
    match (game == Game::CONNECT6, first.squares(), second.squares()) {
        (true, &[black], &[a, b]) if black == centre => opening::name(a, b),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(json: &str) -> PositionDoc {
        PositionDoc::of(&serde_json::from_str(json).unwrap()).unwrap()
    }

    #[test]
    fn threats_defences_and_cells_are_seen() {
        let doc = look(r#"{"moves":["a1","j10k10","b1c1","l10s19","d1s1"]}"#);
        assert_eq!(doc.black_threats, ["e1f1"]);
        assert_eq!(doc.defences, ["e1", "f1"]);
        assert_eq!(doc.threats, Some(Threats { black: 1, white: 0 }));
        assert!(doc.white_double_cells.contains(&"i10".to_string()));
        assert!(doc.white_single_cells.contains(&"g10".to_string()));
        assert_eq!((doc.stones_to_place, doc.outcome), (2, None));
    }

    #[test]
    fn rows_of_go_moku_have_their_names() {
        let doc = look(r#"{"game":"go-moku","moves":["h8","a1","h9","b1","h10","c1"]}"#);
        let [three] = &doc.black_rows[..] else { panic!("{:?}", doc.black_rows) };
        assert_eq!((three.name.as_str(), three.stones.len()), ("open three", 3));
        assert_eq!(three.next, ["h11", "h7"]);
        assert_eq!(doc.white_rows[0].name, "three");
        assert!(look(r#"{"moves":["a1","j10k10","b1c1","l10s19","d1s1"]}"#).black_rows.is_empty());
    }

    #[test]
    fn a_won_game_shows_its_row_and_nothing_else() {
        let doc = look(r#"{"game":"tic-tac-toe","moves":["a1","a2","b1","b2","c1"]}"#);
        assert_eq!(doc.winning_row, ["a1", "b1", "c1"]);
        assert_eq!(doc.outcome.as_deref(), Some("black"));
        assert!(doc.black_threats.is_empty() && doc.white_threats.is_empty());
    }

    #[test]
    fn openings_have_their_names_only_from_the_empty_board() {
        assert_eq!(look(r#"{"moves":["j10","i8h9"]}"#).opening.as_deref(), Some("TX-H9"));
        assert_eq!(look(r#"{"moves":["k10","i8h9"]}"#).opening, None);
    }
}
