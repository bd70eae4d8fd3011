//! The abilities and limits of this copy of the program.

use crate::{ApiError, PositionSpec, work::Ceiling};
use lambda6_player::Level;
use lambda6_proof::Class;
use lambda6_rules::{Game, record::Format};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where the engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Where {
    /// In a server, behind HTTP.
    Server,
    /// In the browser itself.
    Browser,
}

/// A named option of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClassDoc {
    /// The name as it is written in a request.
    pub name: String,
    /// The description for people.
    pub description: String,
}

/// Limits on what a request can ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LimitsDoc {
    /// Milliseconds of one search.
    pub time_ms: u64,
    /// MiB for the tables of one search.
    pub memory_mib: u64,
    /// Bytes of a certificate, unpacked.
    pub certificate_bytes: usize,
    /// Bytes of a record.
    pub record_bytes: usize,
    /// Searches at once; more wait their turn.
    pub searches: usize,
    /// Threads of one search, where it can use several.
    pub threads: usize,
}

/// The version, abilities and limits of this copy of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct About {
    /// Version of the program.
    pub version: String,
    /// Version of this interface.
    pub api: u32,
    /// Where the engine runs.
    pub engine: Where,
    /// The games that have a name.
    pub games: Vec<ClassDoc>,
    /// The levels of play, from the weakest.
    pub levels: Vec<ClassDoc>,
    /// The classes of forced wins it can search for, with their names in Connect6; `classes`
    /// tells those of another game.
    pub classes: Vec<ClassDoc>,
    /// The record formats it reads and writes.
    pub formats: Vec<String>,
    /// Whether it can run job-level searches.
    pub jobs: bool,
    /// The limits.
    pub limits: LimitsDoc,
}

impl About {
    /// The description of an engine that runs there, with these limits.
    pub fn new(engine: Where, ceiling: &Ceiling, searches: usize) -> About {
        let doc = |name: &str, description: &str| ClassDoc {
            name: name.to_string(),
            description: description.to_string(),
        };
        About {
            version: env!("CARGO_PKG_VERSION").to_string(),
            api: 1,
            engine,
            games: Game::NAMED.iter().map(|(name, game)| doc(name, &game.to_string())).collect(),
            levels: Level::ALL.iter().map(|level| doc(level.name(), level.description())).collect(),
            classes: classes(Game::CONNECT6),
            formats: Format::ALL.map(|format| format.name().to_string()).to_vec(),
            jobs: false,
            limits: LimitsDoc {
                time_ms: ceiling.time.as_millis() as u64,
                memory_mib: (ceiling.memory >> 20) as u64,
                certificate_bytes: ceiling.certificate,
                record_bytes: ceiling.record,
                searches,
                threads: ceiling.threads,
            },
        }
    }
}

/// A request for the classes of a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassesRequest {
    /// A name or the five numbers `m n k p q`; Connect6 if not given.
    #[serde(default)]
    pub game: Option<String>,
}

/// The classes of forced wins of a game, from the lowest order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Classes {
    /// Their names in this game, and what the attacker may play.
    pub classes: Vec<ClassDoc>,
}

impl ClassesRequest {
    pub(crate) fn answer(&self) -> Result<Classes, ApiError> {
        let game = PositionSpec { game: self.game.clone(), ..PositionSpec::default() }.game()?;
        Ok(Classes { classes: classes(game) })
    }
}

fn classes(game: Game) -> Vec<ClassDoc> {
    let doc =
        |class: Class| ClassDoc { name: class.name_in(game).to_string(), description: class.describe(game) };
    Class::ALL.map(doc).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_the_names_of_their_game() {
        let names = |game: &str| {
            let request = ClassesRequest { game: Some(game.to_string()) };
            request.answer().unwrap().classes.into_iter().map(|class| class.name).collect::<Vec<_>>()
        };
        assert_eq!(names("go-moku"), ["vcf", "vct", "lambda3", "lambda4", "lambda5"]);
        assert_eq!(names("20 20 5 1 1")[..2], ["vcf", "vct"]);
        assert_eq!(names("19 19 8 3 1")[..2], ["vcdt", "vcst"]);
        assert_eq!(
            ClassesRequest { game: Some("chess".to_string()) }.answer().unwrap_err().field.as_deref(),
            Some("game")
        );
    }
}
