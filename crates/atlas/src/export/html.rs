//! One page for a browser, which needs nothing else.

use super::table;
use crate::Atlas;
use lambda6_rules::{Square, Symmetry};

const PAGE: &str = include_str!("page.html");

/// The page.
pub fn html(atlas: &Atlas) -> String {
    let game = atlas.game();
    let title = format!("Second moves of {game}");
    let counts = atlas.counts();
    let groups: Vec<_> =
        counts.iter().map(|(group, counts)| (group.text(game), counts.all, counts.proved)).collect();
    // Where each symmetry takes each square, so that the page finds an opening in any orientation.
    let turns: Vec<Vec<usize>> = Symmetry::of(game)
        .map(|turn| (0..game.area()).map(|i| turn.apply(game, Square::new(i)).index()).collect())
        .collect();
    let rows = table(atlas);
    let data = serde_json::json!({
        "cols": game.cols(),
        "rows": game.rows(),
        "stones": game.p(),
        "centre": atlas.openings().centre().index(),
        "groups": groups,
        "turns": turns,
        "openings": rows.iter().zip(atlas.openings().all()).map(|(row, opening)| {
            let white: Vec<usize> = opening.white.iter().map(Square::index).collect();
            let third: Vec<usize> = atlas
                .row(atlas.openings().find(&row.name).unwrap_or_default())
                .proved
                .map_or(Vec::new(), |proved| proved.third.iter().map(Square::index).collect());
            serde_json::json!([row.name, white, third, row.replies, row.longest, row.spent])
        }).collect::<Vec<_>>(),
    });
    // Nothing in the data can end the script: names and numbers only.
    PAGE.replace("TITLE", &title).replace("\"DATA\"", &data.to_string())
}
