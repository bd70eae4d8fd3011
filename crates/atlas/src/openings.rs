//! The second moves of a game, up to symmetry.

use lambda6_rules::{Game, Move, Position, Side, Square, Symmetry, opening};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// One second move, with the first in the centre of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// In Connect6 the name of the DIF system, otherwise the move.
    pub name: String,
    /// White's stones, the nearer one first.
    pub white: Move,
    /// How far from the centre its stones are, in steps of a king, the nearer one first.
    pub distances: [u8; 2],
}

/// All second moves of a game.
#[derive(Clone, Debug)]
pub struct Openings {
    game: Game,
    centre: Square,
    all: Vec<Opening>,
    by_name: FxHashMap<String, usize>,
}

/// The game has no list of second moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an atlas is made for games with one or two stones a move, one on the first, and a centre; not for {0}"
)]
pub struct NoOpenings(pub Game);

impl Openings {
    /// Those of this game, the farthest from the centre first: they are the easiest to win
    /// against.
    pub fn of(game: Game) -> Result<Openings, NoOpenings> {
        let even = |side: u8| side.is_multiple_of(2);
        if game.p() > 2 || game.q() != 1 || even(game.cols()) || even(game.rows()) || game.area() < 9 {
            return Err(NoOpenings(game));
        }
        let centre = game.square(game.cols() / 2, game.rows() / 2);
        let others: Vec<Square> = game.squares().filter(|&square| square != centre).collect();
        let moves: Vec<Move> = match game.p() {
            1 => others.iter().map(|&square| Move::single(square)).collect(),
            _ => {
                let pairs = others.iter().enumerate();
                pairs.flat_map(|(i, &a)| others[i + 1..].iter().map(move |&b| Move::pair(a, b))).collect()
            }
        };
        let symmetries: Vec<Symmetry> = Symmetry::of(game).collect();
        let image = |symmetry: Symmetry, mv: &Move| symmetry.apply_to_move(game, mv);
        let mut all: Vec<Opening> = Vec::new();
        for mv in moves {
            let Some(least) = symmetries.iter().map(|&s| image(s, &mv)).min() else { continue };
            if least == mv.sorted() {
                all.push(Opening::new(game, centre, &mv));
            }
        }
        all.sort_by(|a, b| {
            let rank = |opening: &Opening| (Reverse(opening.distances), opening.white.sorted());
            rank(a).cmp(&rank(b))
        });
        let by_name = all.iter().enumerate().map(|(i, opening)| (opening.name.clone(), i)).collect();
        Ok(Openings { game, centre, all, by_name })
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The square of the first stone.
    pub fn centre(&self) -> Square {
        self.centre
    }

    /// All of them, in the order in which they are tried.
    pub fn all(&self) -> &[Opening] {
        &self.all
    }

    /// The number of the opening that has this name, or these moves in any orientation.
    pub fn find(&self, text: &str) -> Option<usize> {
        let text = text.trim();
        let upper = text.to_ascii_uppercase();
        let named = [text, &upper].into_iter().find_map(|name| self.by_name.get(name));
        named.copied().or_else(|| {
            let white = match opening::squares(text) {
                Ok([a, b]) if self.game == Game::CONNECT6 => Move::pair(a, b),
                _ => self.game.parse_move(text.split_whitespace().last()?).ok()?,
            };
            self.of_white(&white).map(|(number, _)| number)
        })
    }

    /// The number of the opening in which White's stones are these, and the symmetry that leads
    /// from them to the opening's own.
    pub fn of_white(&self, white: &Move) -> Option<(usize, Symmetry)> {
        Symmetry::of(self.game).find_map(|symmetry| {
            let turned = symmetry.apply_to_move(self.game, white);
            let name = name(self.game, self.centre, &turned)?;
            let &number = self.by_name.get(&name)?;
            (self.all[number].white.sorted() == turned.sorted()).then_some((number, symmetry))
        })
    }

    /// The position after the second move.
    pub fn position(&self, number: usize) -> Position {
        let mut position = Position::new(self.game);
        let played = position.play(&Move::single(self.centre));
        let played = played.and_then(|()| position.play(&self.all[number].white));
        debug_assert!(played.is_ok(), "the squares are different and nobody has connected");
        position
    }

    /// The position after the third move, if its squares are free.
    pub fn after(&self, number: usize, third: &Move) -> Option<Position> {
        let mut position = self.position(number);
        position.play(third).ok()?;
        debug_assert_eq!(position.to_move(), Side::White);
        Some(position)
    }
}

impl Opening {
    fn new(game: Game, centre: Square, mv: &Move) -> Opening {
        let name = name(game, centre, mv).unwrap_or_else(|| game.move_name(&mv.sorted()));
        let mut white: Vec<Square> = mv.iter().collect();
        if let (Game::CONNECT6, Ok(named)) = (game, opening::squares(&name)) {
            white = named.to_vec();
        }
        let distance = |&square: &Square| {
            let ((x, y), (cx, cy)) = (game.col_row(square), game.col_row(centre));
            x.abs_diff(cx).max(y.abs_diff(cy))
        };
        white.sort_by_key(distance);
        let distances = [distance(&white[0]), distance(&white[white.len() - 1])];
        let white = Move::new(&white).unwrap_or(*mv);
        Opening { name, white, distances }
    }

    /// The group it is counted in: by the distance of the nearer stone, and where both are near,
    /// of the farther one.
    pub fn group(&self) -> Group {
        match self.distances {
            [near, _] if near >= 4 => Group::Far,
            [_, far] if far >= 4 => Group::OneNear,
            [_, far] if far >= 3 => Group::BothNear,
            _ => Group::BothNext,
        }
    }
}

/// Openings by the distance of White's stones from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// All stones four steps or more away.
    Far,
    /// One stone within three steps.
    OneNear,
    /// All stones within three steps, not all within two.
    BothNear,
    /// All stones within two steps.
    BothNext,
}

impl Group {
    /// All groups, the easiest first.
    pub const ALL: [Group; 4] = [Group::Far, Group::OneNear, Group::BothNear, Group::BothNext];

    /// What the group holds, in words.
    pub fn text(self, game: Game) -> &'static str {
        match (self, game.p()) {
            (Group::Far, 1) => "four steps or more from the centre",
            (Group::Far, _) => "both stones four steps or more from the centre",
            (Group::OneNear, _) => "one stone within three steps of the centre",
            (Group::BothNear, 1) => "three steps from the centre",
            (Group::BothNear, _) => "both stones within three steps, not both within two",
            (Group::BothNext, 1) => "within two steps of the centre",
            (Group::BothNext, _) => "both stones within two steps",
        }
    }
}

/// The name of the opening with these stones of White, in their orientation.
fn name(game: Game, centre: Square, white: &Move) -> Option<String> {
    match (game, white.squares()) {
        (Game::CONNECT6, &[a, b]) => opening::name(a, b),
        (_, squares) if squares.contains(&centre) => None,
        _ => Some(game.move_name(&white.sorted())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Burnside's lemma counts 8,262 pairs beside the centre of 19x19, and the groups of the
    /// squares within two and three steps are counted in the same way.
    #[test]
    fn connect6_has_8262_second_moves() {
        let openings = Openings::of(Game::CONNECT6).unwrap();
        let counts = Group::ALL.map(|group| openings.all().iter().filter(|o| o.group() == group).count());
        assert_eq!(counts, [6192, 1908, 118, 44]);
        for (i, opening) in openings.all().iter().enumerate() {
            assert_eq!(openings.find(&opening.name), Some(i));
            assert_eq!(openings.of_white(&opening.white).map(|(number, _)| number), Some(i));
        }
    }

    #[test]
    fn go_moku_has_35_second_moves() {
        let openings = Openings::of(Game::GO_MOKU).unwrap();
        assert_eq!(openings.all().len(), 35);
        assert_eq!(openings.all()[0].name, "a15");
        let near = openings.all().iter().filter(|opening| opening.distances[0] < 3).count();
        assert_eq!(near, 5);
    }

    #[test]
    fn an_opening_is_found_in_every_orientation() {
        let openings = Openings::of(Game::CONNECT6).unwrap();
        let number = openings.find("TX-H9").unwrap();
        for text in ["tx-h9", "i8h9", "j10 i8h9", "h9i8", "k12l11", "l9k8"] {
            assert_eq!(openings.find(text), Some(number), "{text}");
        }
        assert_eq!(openings.find("j10j11"), None);
        assert_eq!(openings.find("nonsense"), None);
        assert!(Openings::of(Game::new(10, 10, 5, 1, 1).unwrap()).is_err());
    }
}
