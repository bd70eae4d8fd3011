"""The exceptions of lambda6.

>>> from lambda6 import Position
>>> from lambda6.errors import InputError
>>> try:
...     Position("j10").play("t20")
... except InputError as error:
...     print(error.field, "|", error.reason)
move | t20 is off the 19x19 board

A value of the wrong type raises TypeError, which names the argument too, and a file that
cannot be read OSError.
"""

from __future__ import annotations

__all__ = ["CertificateError", "InputError", "Lambda6Error", "RecordError", "SearchError"]


class Lambda6Error(Exception):
    """The base of all exceptions of lambda6."""


class InputError(Lambda6Error, ValueError):
    """An argument is wrong."""

    #: The argument, or the part of it, such as ``positions[3]``.
    field: str
    #: What is wrong with it.
    reason: str

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(field, reason)
        self.field = field
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


class RecordError(InputError):
    """A text is not the record of a game."""

    #: The place in the text, from 1, where there is one.
    line: int | None
    column: int | None

    def __init__(self, field: str, reason: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(field, reason)
        self.args = (field, reason, line, column)
        self.line = line
        self.column = column


class CertificateError(InputError):
    """A text is not a certificate, or the checker rejects it."""

    #: The reply at which it was rejected, from 1; None if it could not be read.
    reply: int | None

    def __init__(self, field: str, reason: str, reply: int | None = None) -> None:
        super().__init__(field, reason)
        self.args = (field, reason, reply)
        self.reply = reply

    def __str__(self) -> str:
        place = "" if self.reply is None else f"reply {self.reply}: "
        return f"{self.field}: {place}{self.reason}"


class SearchError(Lambda6Error, RuntimeError):
    """A search could not be run, or did not answer."""
