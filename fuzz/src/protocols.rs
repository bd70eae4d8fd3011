//! Conversations of any bytes with the engine.

use lambda6_engine::{
    Session, Step, Task, ThinkError, Thinker, Thought, Wanted,
    analysis::Request,
    botzone::{Botzone, botzone_game, parse_response},
    cloudict::Cloudict,
    completed, coords,
    gomocup::Gomocup,
    gtp::{Gtp, Response},
    sau::Sau,
};
use lambda6_player::{Choice, Info, Status, TimeControl};
use lambda6_rules::{Game, Move, record::Rows};
use lambda6_search::{Observer, Silent};
use std::{collections::VecDeque, sync::atomic::AtomicBool, time::Duration};

/// Plays the first empty squares.
struct First;

impl Thinker for First {
    fn think(
        &mut self,
        task: &Task,
        _: usize,
        _: &AtomicBool,
        _: &mut dyn Observer<Info>,
    ) -> Result<Vec<Choice>, ThinkError> {
        let mv = completed(&task.position, Move::NULL);
        let mut line = vec![mv];
        if let Wanted::Balance(balance) = task.wanted {
            let squares = task.position.empty_squares().map(Move::single);
            line = squares.take(balance.moves).collect();
        }
        Ok(vec![Choice { mv, status: Status::Stable, score: 0, depth: 0, nodes: 0, line, win: None }])
    }
}

/// Talks to a session, a line at a time. Whatever comes, it must not panic; it
/// thinks of legal positions only, and what it says is whole lines.
fn talk(mut session: impl Session, text: &str) {
    let mut task: Option<Task> = None;
    let mut steps = Vec::new();
    let mut lines: VecDeque<&str> = text.split('\n').take(200).collect();
    while let Some(line) = lines.pop_front() {
        if task.is_some() && !session.is_urgent(line) {
            steps.extend(answer(&mut session, task.take()));
        }
        steps.extend(session.line(line));
        let mut again = false;
        for step in steps.drain(..) {
            match step {
                Step::Think(next) => {
                    assert!(next.position.outcome().is_none());
                    task = Some(next);
                }
                Step::Quit => return,
                Step::Say(text) | Step::Note(text) => assert!(!text.contains('\0')),
                Step::Stop | Step::StopAndQuit => {}
                Step::Again => again = true,
            }
        }
        if again {
            // What is asked once more finds nobody thinking: it cannot go on for ever.
            steps = answer(&mut session, task.take());
            lines.push_front(line);
        }
    }
    answer(&mut session, task);
}

fn answer(session: &mut impl Session, task: Option<Task>) -> Vec<Step> {
    let Some(task) = task else { return Vec::new() };
    let found = First.think(&task, 1, &AtomicBool::new(false), &mut Silent);
    session.thought(Thought::new(found, Duration::from_millis(10)))
}

/// The first byte picks a protocol and a game, the rest is what is said.
pub fn session(bytes: &[u8]) {
    let Some((pick, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest).replace('\0', " ");
    let time = TimeControl::PerMove(Duration::from_secs(1));
    let games = [Game::CONNECT6, Game::TIC_TAC_TOE, Game::new(7, 1, 3, 2, 1).unwrap_or(Game::CONNECT6)];
    let game = games[usize::from(pick / 8) % games.len()];
    match pick % 6 {
        0 => talk(Gtp::new(game, time, false), &text),
        1 => talk(Gtp::new(game, time, true), &text),
        2 => talk(Sau::new(game, time, "lambda6"), &text),
        3 => talk(Cloudict::new(game, time, "lambda6"), &text),
        4 => talk(Botzone::new(game, time, pick % 4 == 0), &text),
        _ => talk(Gomocup::new(time), &text),
    }
}

/// Queries of the analysis, answers of other engines, and squares in every
/// spelling.
pub fn query(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok((Request::Query(query), _)) = Request::parse(&text) {
        assert!(query.position.outcome().is_none());
        assert!(query.max_candidates > 0);
    }
    let lines: Vec<String> = text.lines().map(str::to_string).collect();
    let _ = Response::parse(&lines);
    let _ = parse_response(botzone_game(), &text);
    let game = Game::CONNECT6;
    for rows in [Rows::FromTop, Rows::FromBottom] {
        if let Ok(mv) = coords::parse_letters(game, rows, &text) {
            assert_eq!(coords::parse_letters(game, rows, &coords::letters(game, rows, &mv)), Ok(mv));
        }
    }
    if let Ok(mv) = coords::parse_gtp_move(game, &text) {
        assert_eq!(coords::parse_gtp_move(game, &coords::gtp_move(game, &mv)), Ok(mv));
    }
}
