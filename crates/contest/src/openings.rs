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
    #[error(
        "{0:?} is no set of openings: expected dif, played, even, empty, names such as X-K9,T-K11 or a file"
    )]
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
    /// The set is for go-moku, on boards from 15x15.
    #[error("the set is for go-moku on boards from 15x15, the game is {0:?}")]
    NotGoMoku(Game),
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

/// Openings of go-moku, five stones in the middle of a board of 15x15, after which `strong` with
/// 40,000 nodes gives either side 44 to 56 percent. They were drawn at random.
const EVEN: [&str; 20] = [
    "g9 e10 f6 f8 h10",
    "g8 e9 d8 j8 l10",
    "g8 i10 l12 i6 k4",
    "i7 k8 l5 j5 h4",
    "g8 i9 i11 k9 j11",
    "h7 k8 h4 f5 j4",
    "g7 f9 i10 i7 e10",
    "h8 i6 g6 l7 d5",
    "h7 e9 k9 j9 f5",
    "i9 i11 g6 k8 f11",
    "g7 g10 h8 d10 d5",
    "h7 f8 g8 f10 e11",
    "g9 j12 i12 g8 d7",
    "h7 h5 k9 i11 i8",
    "h8 k7 e10 h5 k9",
    "g9 i6 j8 k6 h5",
    "g8 d6 f7 d9 i9",
    "g9 d10 e10 h8 i6",
    "h9 h6 h12 j7 i5",
    "h7 g7 d9 g6 d6",
];

/// The side of the board that [`EVEN`] is written for.
const EVEN_SIDE: u8 = 15;

/// The even openings in the middle of this board; `None` if the game is not go-moku.
fn even(game: Game) -> Option<Vec<Opening>> {
    let (cols, rows) = (game.cols().checked_sub(EVEN_SIDE)?, game.rows().checked_sub(EVEN_SIDE)?);
    let shift = |mv: Move| {
        let square = mv.squares().first()?;
        let (col, row) = Game::GO_MOKU.col_row(*square);
        Some(Move::single(game.square(col + cols / 2, row + rows / 2)))
    };
    let opening = |line: &&str| {
        let moves = line.split(' ').map(|text| shift(Game::GO_MOKU.parse_move(text).ok()?));
        Some(Opening { name: line.replace(' ', ""), moves: moves.collect::<Option<_>>()? })
    };
    (game.k() == 5 && game.p() == 1).then(|| EVEN.iter().filter_map(opening).collect())
}

/// The opening without moves.
fn empty() -> Opening {
    Opening { name: "empty".to_string(), moves: Vec::new() }
}

/// A built-in set, or openings by their names with commas between them.
pub fn named(set: &str, game: Game) -> Result<Vec<Opening>, OpeningSetError> {
    let names: Vec<&str> = match set {
        "empty" => return Ok(vec![empty()]),
        "even" => return even(game).ok_or(OpeningSetError::NotGoMoku(game)),
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
    fn the_openings_of_go_moku_are_different_and_fit_larger_boards() {
        for side in [15, 20] {
            let game = Game::new(side, side, 5, 1, 1).unwrap();
            let openings = named("even", game).unwrap();
            let keys: HashSet<u64> =
                openings.iter().map(|opening| opening.position(game).unwrap().canonical().0.key()).collect();
            assert_eq!((openings.len(), keys.len()), (EVEN.len(), EVEN.len()));
        }
        assert!(matches!(named("even", Game::CONNECT6), Err(OpeningSetError::NotGoMoku(_))));
        assert!(named("even", Game::new(14, 15, 5, 1, 1).unwrap()).is_err());
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
