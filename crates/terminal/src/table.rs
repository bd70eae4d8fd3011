//! Tables of positions and games: one row per line, cells separated by tabs. The first
//! line may name the columns. The moves are in the column `moves`, otherwise in the
//! last one.

use crate::input::{Input, Origin};
use anyhow::{Result, anyhow, bail};
use lambda6_rules::{
    Game, Move, Position,
    record::{self, ReadOptions},
};
use std::ffi::OsString;

/// A table.
#[derive(Debug)]
pub struct Table {
    /// Its name in error messages.
    name: String,
    /// The names of the columns in lower case; empty if the file has none.
    header: Vec<String>,
    rows: Vec<Row>,
}

/// One line of a table.
#[derive(Debug)]
pub struct Row {
    /// The line in the file, counted from 1.
    pub line: usize,
    cells: Vec<String>,
}

/// A game, or the moves to a position.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    start: Position,
    /// The moves from the start.
    pub moves: Vec<Move>,
}

impl Line {
    /// The position after this many moves.
    pub fn position(&self, moves: usize) -> Result<Position> {
        let mut position = self.start.clone();
        for mv in &self.moves[..moves] {
            position.play(mv)?;
        }
        Ok(position)
    }
}

impl Table {
    /// Reads a table. Empty lines and lines that begin with `#` are skipped.
    pub fn read(input: Input) -> Result<Table> {
        let name = input.name;
        let text = match String::from_utf8(input.bytes) {
            Ok(text) => text,
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
                bail!("{name}: line {line}: is not UTF-8, expected a table with tabs");
            }
        };
        let text = text.trim_start_matches('\u{feff}');
        let mut rows: Vec<Row> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(i, line)| Row { line: i + 1, cells: line.split('\t').map(str::to_string).collect() })
            .collect();
        let Some(first) = rows.first() else {
            bail!("{name}: is empty, expected a table of positions");
        };
        let header = if is_header(first) {
            rows.remove(0).cells.iter().map(|cell| cell.trim().to_ascii_lowercase()).collect()
        } else {
            Vec::new()
        };
        Ok(Table { name, header, rows })
    }

    /// Reads the table that an argument names or, without one, a table of the
    /// program, which messages call `name`.
    pub fn of(set: Option<&OsString>, name: &str, embedded: &str) -> Result<Table> {
        Table::read(match set {
            Some(set) => Input::from_argument(set)?,
            None => {
                let (name, bytes) = (name.to_string(), embedded.as_bytes().to_vec());
                Input { name, bytes, origin: Origin::File }
            }
        })
    }

    /// Its name in error messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The lines without the header.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The cell of the column of this name; `None` if the table has no such column or
    /// the row ends before it.
    pub fn cell<'a>(&self, row: &'a Row, column: &str) -> Option<&'a str> {
        let index = self.header.iter().position(|name| name == column)?;
        row.cells.get(index).map(|cell| cell.trim())
    }

    /// The same for a column that is required.
    pub fn required<'a>(&self, row: &'a Row, column: &str) -> Result<&'a str> {
        if !self.header.iter().any(|name| name == column) {
            bail!("{}: line 1: expected a column named {column:?}", self.name);
        }
        self.cell(row, column).ok_or_else(|| self.short_row(row, column))
    }

    /// An error about a cell.
    pub fn error(&self, row: &Row, column: &str, what: impl std::fmt::Display) -> anyhow::Error {
        let index = self.header.iter().position(|name| name == column).unwrap_or(0);
        self.at(row, row.start(index), what)
    }

    /// An error about a place in a row.
    fn at(&self, row: &Row, column: usize, what: impl std::fmt::Display) -> anyhow::Error {
        anyhow!("{}: line {}, column {column}: {what}", self.name, row.line)
    }

    fn short_row(&self, row: &Row, column: &str) -> anyhow::Error {
        self.at(row, row.start(row.cells.len()), format!("the row ends before its cell {column:?}"))
    }

    /// The moves of a row.
    pub fn line(&self, row: &Row, game: Game) -> Result<Line> {
        let index = match self.header.iter().position(|name| name == "moves") {
            Some(index) if index >= row.cells.len() => return Err(self.short_row(row, "moves")),
            Some(index) => index,
            None => row.cells.len() - 1,
        };
        let cell = &row.cells[index];
        let start = row.start(index);
        if cell.trim().is_empty() {
            return Err(self.at(row, start, "expected moves such as \"j10 i8h9\""));
        }
        let options = ReadOptions { game: Some(game), ..ReadOptions::default() };
        let record = record::read(cell.as_bytes(), &options).map_err(|error| {
            let column = error.place.map_or(0, |place| place.column - 1);
            self.at(row, start + column, error.fault)
        })?;
        Ok(Line { start: record.position_at(Some(0))?, moves: record.main_line() })
    }

    /// The position after the moves of a row.
    pub fn position(&self, row: &Row, game: Game) -> Result<Position> {
        let line = self.line(row, game)?;
        line.position(line.moves.len())
    }

    /// An error about the position of a row, at the place of its moves.
    pub fn error_in_moves(&self, row: &Row, what: impl std::fmt::Display) -> anyhow::Error {
        let index = self.header.iter().position(|name| name == "moves").unwrap_or(row.cells.len() - 1);
        self.at(row, row.start(index), what)
    }
}

impl Row {
    /// The column of the line in which a cell begins, counted from 1.
    fn start(&self, cell: usize) -> usize {
        1 + self.cells.iter().take(cell).map(|cell| cell.chars().count() + 1).sum::<usize>()
    }
}

/// Whether a line names columns: one of them is `moves`, or the last cell does not
/// begin like a move.
fn is_header(row: &Row) -> bool {
    if row.cells.iter().any(|cell| cell.trim().eq_ignore_ascii_case("moves")) {
        return true;
    }
    let last = row.cells.last().map_or("", |cell| cell.trim_start());
    let letters = last.bytes().take_while(u8::is_ascii_alphabetic).count();
    let after = last.as_bytes().get(letters);
    let is_move = (1..=2).contains(&letters) && after.is_some_and(u8::is_ascii_digit);
    !is_move && !last.starts_with(|first: char| first.is_ascii_digit() || "(;{".contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Table> {
        let bytes = text.as_bytes().to_vec();
        Table::read(Input { name: "set.tsv".to_string(), bytes, origin: Origin::File })
    }

    fn lines(text: &str) -> Result<Vec<Line>> {
        let table = table(text)?;
        table.rows().iter().map(|row| table.line(row, Game::CONNECT6)).collect()
    }

    #[test]
    fn moves_are_found_by_name_or_at_the_end() {
        let expected = lines("j10 i8h9\n").unwrap();
        for text in [
            "moves\tid\nj10 i8h9\t7\n",
            "id\tmoves\r\n7\tj10 i8h9\r\n",
            "id\tline\n7\tj10 i8h9\n",
            "# a comment\n\n7\tj10 i8h9",
            "gid\tMoves\tnote\n7\tj10 i8h9\n",
        ] {
            assert_eq!(lines(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn errors_name_file_line_and_column() {
        for (text, message) in [
            ("", "set.tsv: is empty, expected a table of positions"),
            (
                "id\tmoves\n7\tj10 i8j10\n",
                "set.tsv: line 2, column 7: move 2: j10 is occupied by a black stone",
            ),
            ("id\tmoves\n7\n", "set.tsv: line 2, column 3: the row ends before its cell \"moves\""),
            ("id\tmoves\n7\t \n", "set.tsv: line 2, column 3: expected moves"),
            ("é\tmoves\né\tj10 t20\n", "set.tsv: line 2, column 7: t20 is off the 19x19 board"),
        ] {
            let error = lines(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn columns_are_found_by_name() {
        let table = table("Result\tmoves\nBWin\tj10\n").unwrap();
        let row = &table.rows()[0];
        assert_eq!(table.cell(row, "result"), Some("BWin"));
        assert_eq!(table.cell(row, "class"), None);
        assert!(table.required(row, "class").unwrap_err().to_string().contains("column named \"class\""));
    }
}
