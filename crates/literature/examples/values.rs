//! Prints the values of small games, read as lines `m n k p q` from the standard
//! input: `values [seconds for each [bytes of table]]`.

use lambda6_literature::small_games::value;
use lambda6_rules::Game;
use lambda6_search::{Budget, Limits, SystemClock};
use std::{error::Error, io::BufRead, sync::atomic::AtomicBool, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().map_or(Ok(20), |text| text.parse())?;
    let table = args.next().map_or(Ok(64 << 20), |text| text.parse())?;
    let stop = AtomicBool::new(false);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().take(5).collect();
        let Ok(game) = words.join(" ").parse::<Game>() else { continue };
        let clock = SystemClock::start();
        let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
        let mut budget = Budget::new(limits, &clock, &stop);
        let found = value(game, table, &mut budget)?;
        println!("{game} {} {} {:.3}", found.name(), budget.nodes(), budget.elapsed().as_secs_f64());
    }
    Ok(())
}
