//! `lambda6 atlas`: which second moves lose, with proofs.

mod build;
mod certify;
mod check;
mod export;
mod show;
mod status;

use super::{Exit, run_command};
use crate::files;
use anyhow::{Context, Result};
use clap::Subcommand;
use lambda6_atlas::Atlas;
use lambda6_rules::Game;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Black's first stone is in the centre. An atlas says for each of White's answers, up to
symmetry, whether Black is proved to win, and keeps the certificates. It is a directory
that only grows; docs/ATLAS.md describes it.

Examples:
  lambda6 atlas status
  lambda6 atlas show TX-H9
  lambda6 atlas check --sample 100
  lambda6 atlas build --dir my-atlas --threads 2";

/// Prove which second moves lose, and look them up
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum AtlasCommand {
    Build(build::Build),
    Status(status::Status),
    Show(show::Show),
    Check(check::Check),
    Certify(certify::Certify),
    Export(export::Export),
}

impl AtlasCommand {
    pub(crate) fn run(&self) -> Result<Exit> {
        run_command!(self, AtlasCommand { Build, Status, Show, Check, Certify, Export })
    }
}

/// Which atlas.
#[derive(clap::Args)]
struct AtlasArgs {
    /// The game: connect6, go-moku or "m n k p q"
    #[arg(long, value_name = "GAME", default_value = "connect6")]
    game: Game,

    /// The directory of the atlas [default: atlas/GAME]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl AtlasArgs {
    fn directory(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(|| {
            let parameters = self.game.to_string().replace(' ', "-");
            PathBuf::from("atlas").join(self.game.name().unwrap_or(&parameters))
        })
    }

    /// The atlas, which must be there.
    fn load(&self) -> Result<Atlas> {
        let directory = self.directory();
        files::check_directory(&directory).context("no atlas: lambda6 atlas build makes one")?;
        Ok(Atlas::read(&directory, self.game)?)
    }
}

/// The number of the opening that is meant.
fn find(atlas: &Atlas, opening: &str) -> Result<usize> {
    atlas.openings().find(opening).with_context(|| {
        let name = &atlas.openings().all()[0].name;
        format!("{opening:?}: is no second move, expected one such as {name}")
    })
}
