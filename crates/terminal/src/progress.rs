//! Progress on standard error: spinners and bars, hidden where that is not a
//! terminal. They disappear when they are dropped.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::time::Duration;

/// The time between two pictures of a spinner.
const TICK: Duration = Duration::from_millis(100);

/// A spinner with the time and a message, for work of unknown length.
pub fn spinner() -> ProgressBar {
    let spinner = styled(ProgressBar::new_spinner(), "{spinner} {elapsed} {msg}");
    spinner.enable_steady_tick(TICK);
    spinner
}

/// A bar for a number of steps. `after` is the template of what follows the count,
/// such as `{msg}`.
pub fn bar(steps: usize, after: &str) -> ProgressBar {
    let template = format!("{{elapsed}} [{{bar:40}}] {{pos}}/{{len}} {after}");
    styled(ProgressBar::new(steps as u64), &template)
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_finish(ProgressFinish::AndClear)
}
