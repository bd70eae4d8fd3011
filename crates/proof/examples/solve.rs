//! Solves a Connect6 position given as moves and writes the certificate of the
//! win to standard output:
//!
//! `cargo run --example solve -- 'j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13'`

use lambda6_proof::{Budget, Class, Limits, Silent, Solver, SolverOptions, SystemClock, Verdict};
use lambda6_rules::{Game, Position};
use std::{error::Error, io, sync::atomic::AtomicBool, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1).ok_or("expected moves such as 'j10 i8h9 k11l10'")?;
    let mut position = Position::new(Game::CONNECT6);
    for text in moves.split_whitespace() {
        position.play(&position.game().parse_move(text)?)?;
    }
    let mut solver = Solver::new(position.game(), SolverOptions::for_class(Class::Vcst));
    // Ten seconds at most; another thread could set `stop` to end it earlier.
    let (clock, stop) = (SystemClock::start(), AtomicBool::new(false));
    let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
    let mut budget = Budget::new(limits, &clock, &stop);
    let report = solver.solve(&position, position.to_move(), &mut budget, &mut Silent)?;
    match report.verdict {
        Verdict::Win(win) => win.certificate().write(io::stdout().lock())?,
        Verdict::Unknown(why) => eprintln!("not proved: {why}"),
    }
    Ok(())
}
