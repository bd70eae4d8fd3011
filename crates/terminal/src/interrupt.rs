//! Ctrl-C: the first one stops the work, which prints what it has found; the second
//! one ends the program.

use anyhow::{Context, Result};
use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// The exit code by convention of a program that Ctrl-C ended.
const EXIT_INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C sets. To be called once.
pub fn stop_flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            process::exit(EXIT_INTERRUPTED);
        }
    })
    .context("signals cannot be handled")?;
    Ok(stop)
}
