//! The atlas: what is known of the openings of Connect6.

use lambda6_rules::{Game, Position, Side, Square, Symmetry, opening};
use serde::Serialize;
use std::{collections::BTreeMap, sync::LazyLock};
use utoipa::ToSchema;

/// An opening: Black in the centre, White's two stones, and what is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AtlasEntry {
    /// In the DIF system, such as `TX-H9`.
    pub name: String,
    /// The first two moves.
    pub moves: Vec<String>,
    /// `open` (nothing known), `claimed` (by others, without a proof that can be checked),
    /// `solved` (by a job-level search of this server, which can write the proof) or `proved` (with
    /// a certificate).
    pub status: String,
    /// `black` or `white`, if one is known or claimed to win.
    pub winner: Option<String>,
    /// The winning third move, if it is known.
    pub third: Option<String>,
    /// Who says so.
    pub source: Option<String>,
    /// For `solved`, the name of the search.
    pub search: Option<String>,
}

/// The openings with both stones within four squares of the centre, and all
/// others of which something is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Atlas {
    /// Those of which something is known first, then by name.
    pub openings: Vec<AtlasEntry>,
}

const DATA: &str = include_str!("../data/atlas.tsv");

/// How far from the centre openings are listed of which nothing is known.
const NEAR: i32 = 4;

impl Atlas {
    /// The atlas that comes with the program.
    pub fn all() -> &'static Atlas {
        static ALL: LazyLock<Atlas> = LazyLock::new(Atlas::read);
        &ALL
    }

    fn read() -> Atlas {
        let game = Game::CONNECT6;
        let centre = game.square(9, 9);
        let mut entries: BTreeMap<String, AtlasEntry> = BTreeMap::new();
        let near: Vec<_> = (-NEAR..=NEAR)
            .flat_map(|dx| (-NEAR..=NEAR).map(move |dy| (dx, dy)))
            .filter_map(|(dx, dy)| game.offset(centre, dx, dy))
            .collect();
        for (i, &a) in near.iter().enumerate() {
            for &b in &near[i + 1..] {
                if let Some(name) = opening::name(a, b) {
                    entries.entry(name.clone()).or_insert_with(|| entry(game, name));
                }
            }
        }
        for line in DATA.lines().skip(1) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [name, status, winner, third, source] = columns[..] else { continue };
            let known = entries.entry(name.to_string()).or_insert_with(|| entry(game, name.to_string()));
            let given = |text: &str| (!text.is_empty()).then(|| text.to_string());
            known.status = status.to_string();
            known.winner = given(winner);
            known.third = given(third);
            known.source = given(source);
        }
        let mut atlas = Atlas { openings: entries.into_values().collect() };
        atlas.sort();
        atlas
    }

    fn sort(&mut self) {
        self.openings.sort_by_key(|entry| (entry.status == "open", entry.name.clone()));
    }

    /// Enters what a search has found: the winner of an opening, or the third move
    /// that wins for Black. Says whether the position was one of these.
    pub fn enter(&mut self, root: &Position, winner: Side, search: &str) -> bool {
        let Some((name, third)) = verdict(root, winner) else { return false };
        let game = root.game();
        let at = self.openings.iter().position(|entry| entry.name == name).unwrap_or_else(|| {
            self.openings.push(entry(game, name));
            self.openings.len() - 1
        });
        let known = &mut self.openings[at];
        if known.status != "proved" {
            known.status = "solved".to_string();
            known.winner = Some(winner.name().to_string());
            known.third = third.map(|squares| squares.iter().map(|&s| game.square_name(s)).collect());
            known.source = Some(format!("the search {search} of this server"));
            known.search = Some(search.to_string());
        }
        self.sort();
        true
    }
}

/// The opening that is decided when this side wins this position, and the third
/// move that does it, as the opening's name has the stones.
fn verdict(root: &Position, winner: Side) -> Option<(String, Option<[Square; 2]>)> {
    let game = root.game();
    let centre = game.square(9, 9);
    let white: Vec<Square> = root.stones(Side::White).collect();
    let black: Vec<Square> = root.stones(Side::Black).filter(|&square| square != centre).collect();
    let &[a, b] = &white[..] else { return None };
    if game != Game::CONNECT6 || !root.has(Side::Black, centre) {
        return None;
    }
    let name = opening::name(a, b)?;
    match (&black[..], root.to_move(), winner) {
        ([], Side::Black, _) => Some((name, None)),
        (&[c, d], Side::White, Side::Black) => {
            let named = opening::squares(&name).ok()?;
            let turn = Symmetry::of(game).find(|turn| {
                let turned = [turn.apply(game, a), turn.apply(game, b)];
                turned == named || turned == [named[1], named[0]]
            })?;
            Some((name, Some([turn.apply(game, c), turn.apply(game, d)])))
        }
        _ => None,
    }
}

fn entry(game: Game, name: String) -> AtlasEntry {
    let white: String = opening::squares(&name)
        .map(|squares| squares.iter().map(|&square| game.square_name(square)).collect())
        .unwrap_or_default();
    AtlasEntry {
        moves: vec!["j10".to_string(), white],
        name,
        status: "open".to_string(),
        winner: None,
        third: None,
        source: None,
        search: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_is_listed_once_under_its_name_and_can_be_played() {
        let atlas = Atlas::all();
        let game = Game::CONNECT6;
        let mut forms = std::collections::HashSet::new();
        for entry in &atlas.openings {
            let squares = opening::squares(&entry.name).unwrap();
            assert_eq!(opening::name(squares[0], squares[1]).as_deref(), Some(entry.name.as_str()));
            let mut position = Position::new(game);
            for text in entry.moves.iter().chain(&entry.third) {
                position.play(&game.parse_move(text).unwrap()).unwrap();
            }
            let mut opening = Position::new(game);
            entry.moves.iter().for_each(|mv| opening.play(&game.parse_move(mv).unwrap()).unwrap());
            assert!(forms.insert(opening.canonical().0), "{}", entry.name);
        }
        assert_eq!(atlas.openings[0].status, "claimed");
        assert!(atlas.openings.len() > 400, "{}", atlas.openings.len());
    }

    #[test]
    fn no_opening_is_called_proved_without_a_certificate() {
        assert!(Atlas::all().openings.iter().all(|entry| entry.status != "proved"));
    }

    fn position(moves: &str) -> Position {
        let mut position = Position::new(Game::CONNECT6);
        for text in moves.split(' ') {
            position.play(&Game::CONNECT6.parse_move(text).unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn what_a_search_finds_is_entered_under_the_name_of_the_opening() {
        let mut atlas = Atlas::all().clone();
        let find = |atlas: &Atlas, name: &str| {
            atlas.openings.iter().find(|entry| entry.name == name).cloned().unwrap()
        };
        // TX-H9 with k11l10, mirrored: the move comes back as the name has it.
        assert!(atlas.enter(&position("j10 k8l9 i11h10"), Side::Black, "mirrored"));
        let found = find(&atlas, "TX-H9");
        assert_eq!((found.status.as_str(), found.search.as_deref()), ("solved", Some("mirrored")));
        let mut opening = position(&found.moves.join(" "));
        opening.play(&Game::CONNECT6.parse_move(&found.third.unwrap()).unwrap()).unwrap();
        assert_eq!(opening.canonical().0, position("j10 k8l9 i11h10").canonical().0);
        // An opening that was not listed.
        let far = opening::name(Game::CONNECT6.square(0, 0), Game::CONNECT6.square(18, 0)).unwrap();
        assert!(atlas.openings.iter().all(|entry| entry.name != far));
        assert!(atlas.enter(&position("j10 a1s1"), Side::Black, "far"));
        assert_eq!(find(&atlas, &far).winner.as_deref(), Some("black"));
        // A third move that loses says nothing of the opening; other positions nothing at all.
        let before = atlas.clone();
        assert!(!atlas.enter(&position("j10 k8l9 a1s1"), Side::White, "x"));
        assert!(!atlas.enter(&position("j10 k8l9 i11h10 a1b1"), Side::Black, "x"));
        assert!(!atlas.enter(&position("a1 k8l9"), Side::Black, "x"));
        assert_eq!(atlas, before);
    }
}
