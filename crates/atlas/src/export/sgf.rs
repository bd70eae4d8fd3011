//! A game record with a variation for each proved opening.

use crate::{Atlas, AtlasError};
use lambda6_rules::{
    Game,
    record::{Format, Record, WriteOptions},
};

/// The proved openings as variations, with what is known in comments.
pub fn sgf(atlas: &Atlas) -> Result<String, AtlasError> {
    let failed = |error: &dyn std::fmt::Display| AtlasError::Certificate {
        name: "the record".to_string(),
        problem: error.to_string(),
    };
    let mut record = Record::new(atlas.game());
    let first = record.add_child(record.root(), &[atlas.openings().centre()]);
    let first = first.map_err(|error| failed(&error))?;
    let (proved, all) = (atlas.proofs().count(), atlas.openings().all().len());
    record.set_comment(first, &format!("{proved} of {all} second moves are proved to lose."));
    for (number, proof) in atlas.proofs() {
        let opening = &atlas.openings().all()[number];
        let second = record.add_child(first, opening.white.squares()).map_err(|error| failed(&error))?;
        record.set_comment(second, &opening.name);
        let third = record.add_child(second, proof.third.squares()).map_err(|error| failed(&error))?;
        record.set_comment(
            third,
            &format!(
                "Black wins: {} replies, longest line {} moves of Black.\nsha256 {}",
                proof.replies, proof.longest, proof.sha256
            ),
        );
    }
    let format = if atlas.game() == Game::CONNECT6 { Format::Gm511 } else { Format::Gm511Pairs };
    let options = WriteOptions { lossy: true, ..WriteOptions::default() };
    let bytes = record.write(format, &options).map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}
