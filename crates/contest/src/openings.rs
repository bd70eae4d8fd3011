//! The openings of a contest's games.

use lambda6_rules::{
    Game, Move, Position,
    record::{ReadOptions, read_any},
};

/// The moves that are played before the players think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its name in reports.
    pub name: String,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Why a set of openings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningSetError {
    /// There is no set of this name.
    #[error("{0:?} is no set of openings: expected dif, played, empty, names such as X-K9,T-K11 or a file")]
    NoSuchSet(String),
    /// A line of a file is not an opening.
    #[error("line {line}: {text}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        text: String,
    },
    /// The file has no opening.
    #[error("there is no opening in it")]
    Empty,
    /// The set is for another game.
    #[error("the set is for {expected:?}, the game is {found:?}")]
    OtherGame {
        /// The set's game.
        expected: Game,
        /// The contest's game.
        found: Game,
    },
}

/// Openings of Connect6 with White's stones within two steps of the centre. Left
/// out are those that are known to be lost for White and those with both stones so
/// close together that Black is free on the other side.
const DIF: [&str; 32] = [
    "TT-L9", "TT-L11", "TT-K12", "X-L8", "X-L9", "T-J12", "TX-L11", "TT-J12", "T-L11", "TX-I12", "XX-L12",
    "TX-L12", "TT-L10", "T-J11", "T-K8", "TT-L12", "TX-K12", "T-K10", "T-L10", "X-K11", "T-L12", "X-L11",
    "X-L10", "T-K11", "TX-L9", "T-L8", "X-K8", "X-K9", "TX-L8", "TX-K8", "T-L9", "T-K9",
];

/// Balanced openings of Connect6 from games of people: in 17 to 1,817 games of
/// each, Black won 31 to 56 percent. Matches from these depend little on colour.
const PLAYED: [&str; 20] = [
    "X-K9", "T-K11", "X-L10", "T-K10", "X-J8", "X-K8", "TT-L10", "T-L11", "T-L10", "TT-L12", "X-K11",
    "X-L11", "T-J8", "TX-K8", "X-L8", "T-J11", "X-L9", "X-I8", "T-J12", "TT-J12",
];

/// The opening without moves.
fn empty() -> Opening {
    Opening { name: "empty".to_string(), moves: Vec::new() }
}

/// A built-in set, or openings by their names with commas between them.
pub fn named(set: &str, game: Game) -> Result<Vec<Opening>, OpeningSetError> {
    let names: Vec<&str> = match set {
        "empty" => return Ok(vec![empty()]),
        "dif" => DIF.to_vec(),
        "played" => PLAYED.to_vec(),
        _ => set.split(',').map(str::trim).collect(),
    };
    let no_set = || OpeningSetError::NoSuchSet(set.chars().take(60).collect());
    if game != Game::CONNECT6 {
        return Err(OpeningSetError::OtherGame { expected: Game::CONNECT6, found: game });
    }
    names
        .into_iter()
        .map(|name| {
            let squares = lambda6_rules::opening::squares(name).map_err(|_| no_set())?;
            let moves = vec![Move::single(game.square(9, 9)), Move::pair(squares[0], squares[1])];
            Ok(Opening { name: name.to_ascii_uppercase(), moves })
        })
        .collect()
}

/// A set from a file: one opening a line, as a name or a list of moves; another
/// name may come before it with a tab between them. `#` begins a comment, `empty`
/// is the opening without moves.
pub fn parse(text: &str, game: Game) -> Result<Vec<Opening>, OpeningSetError> {
    let mut openings = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or("").trim();
        if content.is_empty() {
            continue;
        }
        let wrong = |text: String| OpeningSetError::Line { line, text };
        let (name, moves) = content.split_once('\t').unwrap_or((content, content));
        if moves.trim() == "empty" {
            openings.push(Opening { name: name.trim().to_string(), ..empty() });
            continue;
        }
        let options = ReadOptions { game: Some(game), rows: None };
        let record = read_any(moves.as_bytes(), &options).map_err(|error| wrong(error.to_string()))?;
        if record.has_setup() {
            return Err(wrong("expected moves from the empty board".to_string()));
        }
        let moves = record.main_line();
        let position = record.position_at(None).map_err(|error| wrong(error.to_string()))?;
        if position.outcome().is_some() {
            return Err(wrong("the game is over".to_string()));
        }
        openings.push(Opening { name: name.trim().to_string(), moves });
    }
    if openings.is_empty() { Err(OpeningSetError::Empty) } else { Ok(openings) }
}

impl Opening {
    /// The position after it; `None` if a move is illegal.
    pub fn position(&self, game: Game) -> Option<Position> {
        let mut position = Position::new(game);
        self.moves.iter().all(|mv| position.play(mv).is_ok()).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Openings that are proved to be lost must not decide matches.
    const LOST: [&str; 7] = ["TX-H9", "TX-H8", "TX-H12", "XX-L8", "T-K12", "XX-J6", "I7-G9"];

    #[test]
    fn the_built_in_openings_are_different_and_not_known_to_be_lost() {
        let game = Game::CONNECT6;
        let key = |opening: &Opening| opening.position(game).unwrap().canonical().0.key();
        for set in ["dif", "played"] {
            let openings = named(set, game).unwrap();
            let keys: HashSet<u64> = openings.iter().map(key).collect();
            assert!(openings.len() >= 20 && keys.len() == openings.len());
            for opening in &openings {
                let [_, mv] = opening.moves[..] else { panic!("{}", opening.name) };
                let name = lambda6_rules::opening::name(mv.squares()[0], mv.squares()[1]);
                assert_eq!(name.as_deref(), Some(opening.name.as_str()));
            }
            for lost in named(&LOST.join(","), game).unwrap() {
                assert!(!keys.contains(&key(&lost)), "{}", lost.name);
            }
        }
    }

    #[test]
    fn files_have_names_moves_and_comments() {
        let text = "# a set\nX-K9\nmine\tj10 i8h9 k11l10 # a line\n\nempty\n";
        let openings = parse(text, Game::CONNECT6).unwrap();
        let names: Vec<&str> = openings.iter().map(|opening| opening.name.as_str()).collect();
        assert_eq!(names, ["X-K9", "mine", "empty"]);
        assert_eq!(openings.iter().map(|opening| opening.moves.len()).collect::<Vec<_>>(), [2, 3, 0]);
    }

    #[test]
    fn lines_that_are_no_openings_are_refused() {
        for (text, line) in [("j10\nj10 j10", 2), ("\n\nX-", 3), ("to-move: white", 1)] {
            let error = parse(text, Game::CONNECT6).unwrap_err();
            assert!(matches!(error, OpeningSetError::Line { line: at, .. } if at == line), "{text}: {error}");
        }
        assert_eq!(parse("# nothing", Game::CONNECT6), Err(OpeningSetError::Empty));
        assert!(matches!(named("nosuch", Game::CONNECT6), Err(OpeningSetError::NoSuchSet(_))));
        assert!(matches!(named("dif", Game::GO_MOKU), Err(OpeningSetError::OtherGame { .. })));
        assert_eq!(named("empty", Game::GO_MOKU).unwrap().len(), 1);
    }
}
