//! The syntax of GTP's commands and responses.

use std::fmt::Write as _;

/// A command line of GTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number that the response repeats.
    pub id: Option<u32>,
    /// The command's name.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<String>,
}

impl Command {
    /// Reads a line. `None` for an empty line or a comment. Control characters
    /// are dropped and tabs become spaces, as the specification demands.
    pub fn parse(line: &str) -> Option<Command> {
        let text: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_ascii_control())
            .take_while(|&c| c != '#')
            .collect();
        let mut words = text.split_ascii_whitespace();
        let first = words.next()?;
        let id = Some(first).filter(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let id = id.and_then(|word| word.parse().ok());
        let name = match id {
            // A number without a command: the empty name is unknown.
            Some(_) => words.next().unwrap_or(""),
            None => first,
        };
        Some(Command { id, name: name.to_string(), arguments: words.map(str::to_string).collect() })
    }

    /// Writes the command as a line.
    pub fn write(&self) -> String {
        let mut line = self.id.map(|id| format!("{id} ")).unwrap_or_default();
        line += &self.name;
        for argument in &self.arguments {
            let _ = write!(line, " {argument}");
        }
        line
    }
}

/// The response to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The command's number.
    pub id: Option<u32>,
    /// Whether the command succeeded.
    pub ok: bool,
    /// The result, or the error message.
    pub text: String,
}

impl Response {
    /// Writes the response without the line feed that ends it: an empty line
    /// follows its last line.
    pub fn write(&self) -> String {
        let mark = if self.ok { '=' } else { '?' };
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        // An empty line would end the response too soon.
        let lines: Vec<&str> = self.text.lines().filter(|line| !line.trim().is_empty()).collect();
        let gap = if lines.is_empty() {
            ""
        } else if self.ok && self.text.starts_with('\n') {
            "\n"
        } else {
            " "
        };
        format!("{mark}{id}{gap}{}\n", lines.join("\n"))
    }

    /// Reads a response from its lines, without the empty line at the end.
    pub fn parse(lines: &[String]) -> Option<Response> {
        let first = lines.first()?;
        let (ok, rest) = match first.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, first.strip_prefix('?')?),
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let id = rest[..digits].parse().ok();
        let mut text = rest[digits..].trim().to_string();
        for line in &lines[1..] {
            text.push('\n');
            text.push_str(line);
        }
        Some(Response { id, ok, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_numbers_comments_and_stray_characters() {
        let command = |line: &str| Command::parse(line).unwrap();
        assert_eq!(command("play b K10").arguments, ["b", "K10"]);
        assert_eq!(
            command("12 name # who?"),
            Command { id: Some(12), name: "name".into(), arguments: vec![] }
        );
        assert_eq!(command("\x07na\x01me\t7\r").name, "name");
        assert_eq!(command("7").name, "");
        // Too large for a number, so it is the name.
        assert_eq!(command("99999999999 name").name, "99999999999");
        for line in ["", "   ", "\t\r", "# a comment", "  # another"] {
            assert_eq!(Command::parse(line), None, "{line:?}");
        }
        assert_eq!(command("3 play w A1,B2").write(), "3 play w A1,B2");
    }

    #[test]
    fn responses_read_back_and_never_end_early() {
        let response = |id, ok, text: &str| Response { id, ok, text: text.to_string() };
        for (response, text) in [
            (response(None, true, ""), "=\n"),
            (response(Some(3), true, "K10"), "=3 K10\n"),
            (response(None, false, "illegal move"), "? illegal move\n"),
            (response(Some(1), true, "a\nb"), "=1 a\nb\n"),
        ] {
            assert_eq!(response.write(), text);
            let lines: Vec<String> = text.lines().map(str::to_string).collect();
            assert_eq!(Response::parse(&lines), Some(response));
        }
        assert_eq!(response(None, true, "a\n\n b").write(), "= a\n b\n");
        assert_eq!(Response::parse(&["garbage".into()]), None);
        assert_eq!(Response::parse(&[]), None);
    }
}
