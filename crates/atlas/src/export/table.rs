//! One row for each opening.

use crate::Atlas;
use serde::Serialize;
use std::fmt::Write as _;

/// What a table says of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableRow {
    /// Its name.
    pub name: String,
    /// The first two moves.
    pub moves: Vec<String>,
    /// `black` if Black is proved to win, `open` otherwise.
    pub verdict: &'static str,
    /// The move that wins.
    pub third: Option<String>,
    /// Replies in the certificate.
    pub replies: Option<u64>,
    /// Black's moves in its longest line.
    pub longest: Option<u64>,
    /// Moves tried.
    pub spent: u64,
    /// The digest of the certificate's text.
    pub sha256: Option<String>,
}

/// The row of one opening.
pub fn row(atlas: &Atlas, number: usize) -> TableRow {
    let game = atlas.game();
    let (opening, row) = (&atlas.openings().all()[number], atlas.row(number));
    let proved = row.proved;
    TableRow {
        name: opening.name.clone(),
        moves: vec![game.square_name(atlas.openings().centre()), game.move_name(&opening.white)],
        verdict: if proved.is_some() { "black" } else { "open" },
        third: proved.map(|proved| game.move_name(&proved.third)),
        replies: proved.map(|proved| proved.replies),
        longest: proved.map(|proved| proved.longest),
        spent: row.spent,
        sha256: proved.map(|proved| proved.sha256.to_string()),
    }
}

/// The rows of all openings, in their order.
pub fn table(atlas: &Atlas) -> Vec<TableRow> {
    (0..atlas.openings().all().len()).map(|number| row(atlas, number)).collect()
}

/// The same as a table with tabs.
pub fn tsv(atlas: &Atlas) -> String {
    let mut text = String::from("name\tmoves\tverdict\tthird\treplies\tlongest\tspent\tsha256\n");
    for row in table(atlas) {
        let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let TableRow { name, moves, verdict, third, replies, longest, spent, sha256 } = row;
        let (moves, third) = (moves.join(" "), third.unwrap_or_default());
        let (replies, longest, sha256) = (number(replies), number(longest), sha256.unwrap_or_default());
        let _ =
            writeln!(text, "{name}\t{moves}\t{verdict}\t{third}\t{replies}\t{longest}\t{spent}\t{sha256}");
    }
    text
}
