//! Classes of moves: the orders that the attacker may use, with the names that players of
//! the game know.

use lambda6_rules::Game;
use std::{fmt, str::FromStr};

/// Which moves the attacker may use: those of an order and of lower ones.
///
/// A move of order r must win, when the defender passes on u stones, by moves of order
/// r - u at most. A move of order r therefore makes `p + 1 - r` threats at least. With one
/// stone a move (go-moku) order 1 is a four and order 2 also a three; with two (Connect6)
/// order 1 is a double threat, order 2 also a single one, order 3 also a quiet move that
/// threatens to win by double threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Class {
    /// Order 1: VCDT in Connect6, VCF in go-moku.
    Vcdt,
    /// Order 2: VCST in Connect6, VCT in go-moku.
    #[default]
    Vcst,
    /// Order 3.
    Lambda3,
    /// Order 4.
    Lambda4,
    /// Order 5.
    Lambda5,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 5] = [Class::Vcdt, Class::Vcst, Class::Lambda3, Class::Lambda4, Class::Lambda5];

    /// The name in Connect6, which does for every game.
    pub fn name(self) -> &'static str {
        match self {
            Class::Vcdt => "vcdt",
            Class::Vcst => "vcst",
            Class::Lambda3 => "lambda3",
            Class::Lambda4 => "lambda4",
            Class::Lambda5 => "lambda5",
        }
    }

    /// The name in this game.
    pub fn name_in(self, game: Game) -> &'static str {
        match (self, game.p()) {
            (Class::Vcdt, 1) => "vcf",
            (Class::Vcst, 1) => "vct",
            _ => self.name(),
        }
    }

    /// Reads a name; an error gives the names in this game.
    pub fn parse_in(text: &str, game: Game) -> Result<Class, ClassParseError> {
        text.parse().map_err(|error: ClassParseError| ClassParseError { game: Some(game), ..error })
    }

    /// The class of the next higher order.
    pub fn next(self) -> Option<Class> {
        Class::of_order(self.order() + 1)
    }

    /// The highest order of a move.
    pub fn order(self) -> u8 {
        self as u8 + 1
    }

    /// The class of moves up to this order, if there is one.
    pub fn of_order(order: u8) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.order() == order)
    }

    /// What the attacker may play in this game, in words.
    pub fn describe(self, game: Game) -> String {
        let (p, k, order) = (game.p(), game.k(), self.order());
        if p == 1 && k > 3 && order <= 2 {
            let (four, three) = (rows(k - 1), rows(k - 2));
            return match order {
                1 => four,
                _ => format!(
                    "{four} and {three}: a move that threatens to win by {}",
                    Class::Vcdt.name_in(game)
                ),
            };
        }
        let lower = |order| Class::of_order(order).unwrap_or(Class::Vcdt).name_in(game);
        if order > p {
            // A quiet move: the defender may pass on all stones.
            return format!(
                "any move that threatens to win by {} when the defender passes",
                lower(order - p)
            );
        }
        let threats = p + 1 - order;
        let s = if threats == 1 { "" } else { "s" };
        let spare = match order {
            1 => String::from("the defender has no stone to spare"),
            _ => format!(
                "and that threaten to win by {} when the defender passes on a spare stone",
                lower(order - 1)
            ),
        };
        let comma = if order == 1 { ":" } else { "," };
        format!("moves that make {threats} threat{s} or more{comma} {spare}")
    }
}

/// Rows of so many stones, as players call them.
fn rows(stones: u8) -> String {
    match stones {
        2 => "twos".to_string(),
        3 => "threes".to_string(),
        4 => "fours".to_string(),
        5 => "fives".to_string(),
        more => format!("rows of {more}"),
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a class of moves: expected {}", expected(*game))]
pub struct ClassParseError {
    /// The text, or its beginning.
    pub text: String,
    /// The game whose names were expected; those of all games if it is not known.
    pub game: Option<Game>,
}

fn expected(game: Option<Game>) -> String {
    match game {
        None => "vcf or vcdt, vct or vcst, lambda3, lambda4 or lambda5".to_string(),
        Some(game) => {
            let [first, second, third, fourth, fifth] = Class::ALL.map(|class| class.name_in(game));
            format!("{first}, {second}, {third}, {fourth} or {fifth}")
        }
    }
}

impl FromStr for Class {
    type Err = ClassParseError;

    /// Reads the names of all games: `vcf` and `vcdt` are both order 1.
    fn from_str(text: &str) -> Result<Class, ClassParseError> {
        match text {
            "vcf" => return Ok(Class::Vcdt),
            "vct" => return Ok(Class::Vcst),
            _ => {}
        }
        Class::ALL
            .into_iter()
            .find(|class| class.name() == text)
            .ok_or_else(|| ClassParseError { text: text.chars().take(20).collect(), game: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_game_and_all_are_read() {
        let (go_moku, three) = (Game::GO_MOKU, Game::new(15, 15, 6, 3, 1).unwrap());
        assert_eq!(
            Class::ALL.map(|class| class.name_in(go_moku)),
            ["vcf", "vct", "lambda3", "lambda4", "lambda5"]
        );
        assert_eq!(Class::Vcst.name_in(Game::CONNECT6), "vcst");
        for game in [go_moku, three, Game::CONNECT6] {
            for (class, order) in Class::ALL.into_iter().zip(1..) {
                assert_eq!(class.name_in(game).parse(), Ok(class));
                assert_eq!((class.order(), Class::of_order(order)), (order, Some(class)));
            }
        }
        let error = |text: &str, game| Class::parse_in(text, game).unwrap_err().to_string();
        assert!(
            "vcq"
                .parse::<Class>()
                .unwrap_err()
                .to_string()
                .ends_with("vct or vcst, lambda3, lambda4 or lambda5")
        );
        assert!(error("vcq", go_moku).ends_with("expected vcf, vct, lambda3, lambda4 or lambda5"));
        assert!(error("vcq", Game::CONNECT6).ends_with("expected vcdt, vcst, lambda3, lambda4 or lambda5"));
        assert_eq!((Class::Vcdt.next(), Class::Lambda5.next()), (Some(Class::Vcst), None));
    }

    #[test]
    fn words_follow_the_stones_of_a_move() {
        let three = Game::new(15, 15, 6, 3, 1).unwrap();
        assert!(Class::Vcdt.describe(Game::CONNECT6).starts_with("moves that make 2 threats or more"));
        assert!(
            Class::Vcst
                .describe(Game::CONNECT6)
                .contains("1 threat or more, and that threaten to win by vcdt")
        );
        assert!(Class::Lambda3.describe(Game::CONNECT6).contains("win by vcdt"));
        assert_eq!(Class::Vcdt.describe(Game::GO_MOKU), "fours");
        assert!(
            Class::Vcst
                .describe(Game::GO_MOKU)
                .starts_with("fours and threes: a move that threatens to win by vcf")
        );
        let of_k = |k| Class::Vcst.describe(Game::new(15, 15, k, 1, 1).unwrap());
        assert!(of_k(4).starts_with("threes and twos") && of_k(6).starts_with("fives and fours"));
        assert!(Class::Vcst.describe(Game::TIC_TAC_TOE).contains("win by vcf when the defender passes"));
        assert!(Class::Lambda3.describe(Game::GO_MOKU).contains("win by vct"));
        assert!(Class::Vcdt.describe(three).starts_with("moves that make 3 threats"));
        assert!(
            Class::Lambda3.describe(three).contains("1 threat or more, and that threaten to win by vcst")
        );
        assert!(Class::Lambda4.describe(three).contains("win by vcdt"));
    }
}
