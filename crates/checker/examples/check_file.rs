//! Checks a certificate and prints what it proves; stops after ten seconds.
//!
//! `cargo run --example check_file -- proof.txt`

use lambda6_checker::check_file;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: check_file FILE")?;
    let end = Instant::now() + Duration::from_secs(10);
    let checked = check_file(path, |_replies| match Instant::now() < end {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    })?;
    let (header, summary) = (checked.header, checked.summary);
    println!("{} wins with {} to move: {} replies", header.attacker, header.to_move, summary.replies);
    Ok(())
}
