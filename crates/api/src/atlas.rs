//! The atlas: what is known of the openings of Connect6.

use rules::{Game, opening};
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
    /// `open` (nothing known), `claimed` (by others, without a proof that can be checked) or
    /// `proved` (with a certificate).
    pub status: String,
    /// `black` or `white`, if one is known or claimed to win.
    pub winner: Option<String>,
    /// The winning third move, if it is known.
    pub third: Option<String>,
    /// Who says so.
    pub source: Option<String>,
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
        let mut openings: Vec<_> = entries.into_values().collect();
        openings.sort_by_key(|entry| (entry.status == "open", entry.name.clone()));
        Atlas { openings }
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Position;

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
}
