"""Solver, prover and player for Connect6 and the games Connect(m,n,k,p,q).

Squares are named ``j10``, moves ``i8h9`` (the stones of a move run together), sides ``black`` and
``white``. Input that is wrong raises an exception of :mod:`lambda6.errors` that names the argument.

>>> import lambda6
>>> position = lambda6.Position("j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13")
>>> result = lambda6.solve(position)
>>> result.proved, result.line[0]
(True, 'h14m9')
>>> lambda6.check(result.certificate.text)
<Checked: white wins with white to move, 61 replies>
"""

from . import _processor as _processor  # first: it refuses processors on which the rest cannot run
from . import errors, svg
from ._boards import boards, position_of_array
from ._lambda6 import (
    VERSION as __version__,
    Certificate,
    Checked,
    Choice,
    Game,
    Player,
    Position,
    Progress,
    Puzzle,
    Record,
    RecordNode,
    Refutation,
    Row,
    SolveResult,
    Thinking,
    ThreatCells,
    ThreatMoves,
    Value,
    Verification,
    Walk,
    check,
    puzzles,
    solve,
    value,
    verify,
)
from ._many import solve_many

CONNECT6: Game = Game.parse("connect6")
GO_MOKU: Game = Game.parse("go-moku")
TIC_TAC_TOE: Game = Game.parse("tic-tac-toe")

__all__ = [
    "CONNECT6",
    "GO_MOKU",
    "TIC_TAC_TOE",
    "Certificate",
    "Checked",
    "Choice",
    "Game",
    "Player",
    "Position",
    "Progress",
    "Puzzle",
    "Record",
    "RecordNode",
    "Refutation",
    "Row",
    "SolveResult",
    "Thinking",
    "ThreatCells",
    "ThreatMoves",
    "Value",
    "Verification",
    "Walk",
    "__version__",
    "boards",
    "check",
    "errors",
    "position_of_array",
    "puzzles",
    "solve",
    "solve_many",
    "svg",
    "value",
    "verify",
]
