//! `connect-check FILE...`: says of each certificate whether it proves its claim.

use lambda6_checker::{CheckError, check_file};
use std::{ops::ControlFlow, process::ExitCode};

const HELP: &str = "\
connect-check FILE...

Checks certificates of wins in the games Connect(m,n,k,p,q), as text or
compressed with zstd. Prints one line for each.

Exit status: 0 all are valid, 1 one was rejected, 2 one could not be read.
";

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.iter().any(|file| file == "--help" || file == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    } else if files.is_empty() {
        eprint!("{HELP}");
        return ExitCode::from(2);
    }
    let mut status = 0;
    for file in files {
        let name = file.display();
        match check_file(&file, |_| ControlFlow::Continue(())) {
            Ok(checked) => {
                let (header, summary) = (checked.header, checked.summary);
                let (attacker, method, to_move) = (header.attacker, header.method, header.to_move);
                let (replies, longest) = (summary.replies, summary.longest);
                let except = match header.except.len() {
                    0 => String::new(),
                    sets => format!(" except after moves with one of {sets} sets of stones"),
                };
                println!(
                    "{name}: valid: {attacker} wins, {to_move} to move{except} \
                     ({method}, {replies} replies, {longest} moves deep)"
                );
            }
            Err(CheckError::Rejected(rejection)) => {
                println!("{name}: rejected: {rejection}");
                status = status.max(1);
            }
            Err(error) => {
                println!("{name}: unreadable: {error}");
                status = status.max(2);
            }
        }
    }
    ExitCode::from(status)
}
