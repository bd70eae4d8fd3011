"""Bad input raises an exception that names the argument, and never a panic."""

import math
import pathlib
import random

import lambda6
import numpy
import pytest
from lambda6 import CONNECT6, Certificate, Game, Player, Position, Record, check, solve, solve_many, svg, value, verify
from lambda6 import _processor
from lambda6.errors import CertificateError, InputError, RecordError, SearchError

THREE = Position.of_stones(black=["j10", "j12", "i11"])
WON = Position("a1 a2 b1 b2 c1", "tic-tac-toe")
HUGE = 10**30

FAULTS = [
    ("m", lambda: Game(65, 19, 6, 2, 1)),
    ("k", lambda: Game(19, 19, 1, 2, 1)),
    ("p", lambda: Game(19, 19, 6, 9, 1)),
    ("q", lambda: Game(19, 19, 6, 2, -1)),
    ("m", lambda: Game(HUGE, 19, 6, 2, 1)),
    ("game", lambda: Game.parse("chess")),
    ("square", lambda: CONNECT6.index("z99")),
    ("row", lambda: CONNECT6.square(19, 0)),
    ("column", lambda: CONNECT6.square(0, -1)),
    ("move", lambda: CONNECT6.stones("j10j10")),
    ("text", lambda: Position("j10 i8j10")),
    ("text", lambda: Position("\0")),
    ("game", lambda: Position("", "chess")),
    ("black[1]", lambda: Position.of_stones(black=["a1", "t20"])),
    ("stones", lambda: Position.of_stones(black=["a1"], white=["a1"])),
    ("to_move", lambda: Position.of_stones(to_move="red")),
    ("square", lambda: THREE.at("é")),
    ("move", lambda: THREE.play("a1")),
    ("move", lambda: THREE.play("a1j10")),
    ("move", lambda: WON.play("a3")),
    ("side", lambda: THREE.threats("Black ")),
    ("side", lambda: THREE.threat_moves("")),
    ("position", lambda: WON.threat_moves()),
    ("game", lambda: Position("", "19 19 6 8 1").threat_count("black")),
    ("text", lambda: Record.read(b"\xff\xfe\x00")),
    ("rows", lambda: Record.read("j10", rows="middle")),
    ("moves[1]", lambda: Record.of_moves(["j10", "j99"])),
    ("moves", lambda: Record.of_moves(["j10", "j10i9"])),
    ("after", lambda: Record.read("j10").position(2)),
    ("after", lambda: Record.read("j10").position(-1)),
    ("format", lambda: Record.read("j10").write("pdf")),
    ("class_", lambda: solve(THREE, class_="vcq")),
    ("attacker", lambda: solve(THREE, attacker="me")),
    ("time", lambda: solve(THREE, time=-1)),
    ("time", lambda: solve(THREE, time=math.nan)),
    ("time", lambda: solve(THREE, time=math.inf)),
    ("nodes", lambda: solve(THREE, nodes=-1)),
    ("nodes", lambda: solve(THREE, nodes=HUGE)),
    ("depth", lambda: solve(THREE, depth=HUGE)),
    ("threads", lambda: solve(THREE, threads=0)),
    ("memory", lambda: solve(THREE, memory=0)),
    ("memory", lambda: solve(THREE, memory=HUGE)),
    ("method", lambda: solve(THREE, method="magic")),
    ("position", lambda: solve(WON)),
    ("position", lambda: solve(Position())),
    ("positions[1]", lambda: solve_many([THREE, WON])),
    ("class_", lambda: solve_many([THREE], class_=["vcdt", "vcst"])),
    ("class_[0]", lambda: solve_many([THREE], class_=[None])),
    ("threads", lambda: solve_many([THREE], threads=0)),
    ("each", lambda: verify(THREE, each=-1)),
    ("each_nodes", lambda: verify(THREE, each_nodes=-1)),
    ("position", lambda: verify(WON)),
    ("text", lambda: Certificate.read("")),
    ("certificate", lambda: check("connect-proof 2\n")),
    ("certificate", lambda: check(b"\x28\xb5\x2f\xfd not zstd")),
    ("defences[0]", lambda: solve(THREE).certificate.walk("z1")),
    ("defences[1]", lambda: solve(THREE).certificate.walk("a1a2", "a1")),
    ("level", lambda: Player(level="grandmaster")),
    ("seed", lambda: Player(seed=-1)),
    ("position", lambda: Player("go-moku").choose(THREE)),
    ("position", lambda: Player("tic-tac-toe").choose(WON)),
    ("nodes", lambda: Player(memory=1).choose(THREE, nodes=0)),
    ("count", lambda: Player(memory=1).candidates(THREE, count=0)),
    ("game", lambda: value("9 9 6 2 1")),
    ("time", lambda: value("tic-tac-toe", time=-0.5)),
    ("board", lambda: lambda6.position_of_array(numpy.zeros((3, 3)))),
    ("board[0, 1]", lambda: lambda6.position_of_array([[0, 7, 0], [0] * 3, [0] * 3], game="tic-tac-toe")),
    ("positions", lambda: lambda6.boards([])),
    ("positions[1]", lambda: lambda6.boards([THREE, WON])),
    ("area[1]", lambda: svg.draw(THREE, area=("a1", "nowhere"))),
    ("marks", lambda: svg.draw(THREE, marks={"t20": "x"})),
    ("zones[0]", lambda: svg.draw(THREE, zones=[["t20"]])),
    ("cell", lambda: svg.draw(THREE, cell=0)),
]


@pytest.mark.parametrize("field, fault", FAULTS, ids=lambda value: value if isinstance(value, str) else "")
def test_an_error_names_the_argument(field, fault):
    with pytest.raises((InputError, OSError)) as caught:
        fault()
    error = caught.value
    if isinstance(error, OSError):
        assert field in str(error)
    else:
        assert error.field == field and error.reason
        assert str(error).startswith(f"{field}: ")
        assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    "field, fault",
    [
        ("text", lambda: Position(7)),
        ("position", lambda: solve("j10")),
        ("nodes", lambda: solve(THREE, nodes="many")),
        ("time", lambda: solve(THREE, time="long")),
        ("game", lambda: value(3)),
        ("progress", lambda: solve(THREE, progress=5)),
        ("move", lambda: THREE.play(None)),
        ("black", lambda: Position.of_stones(black="j10")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_type_names_the_argument(field, fault):
    with pytest.raises(TypeError, match=field):
        fault()


def test_a_record_error_has_its_place():
    with pytest.raises(RecordError) as caught:
        Position("j10 i8h9\nk11h9")
    assert (caught.value.line, caught.value.column) == (2, 1)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    for reader in [Record.load, Certificate.load]:
        with pytest.raises(FileNotFoundError):
            reader(tmp_path / "missing")
    with pytest.raises(OSError):
        solve(THREE).certificate.save(tmp_path / "missing" / "win.proof")


def test_errors_have_a_common_base():
    for error in [InputError, RecordError, CertificateError, SearchError]:
        assert issubclass(error, lambda6.errors.Lambda6Error)


def test_damaged_input_never_panics():
    """Cuts and changes texts at random; a panic would be no Exception of these kinds."""
    chance = random.Random(7)
    proof = solve(THREE, class_="vcdt").certificate.text.encode()
    sources = [
        (Certificate.read, proof),
        (check, proof),
        (Record.read, b"(;FF[4]PB[Ada];B[j10]C[centre];W[i11k11](;B[a1b1])(;B[k9l9]))"),
        (lambda text: Position(text.decode("utf-8", "replace")), THREE.setup.encode()),
    ]
    refused = 0
    for _ in range(400):
        reader, good = chance.choice(sources)
        text = bytearray(good[: chance.randrange(1, len(good) + 1)])
        for _ in range(chance.randrange(4)):
            text[chance.randrange(len(text))] = chance.randrange(256)
        try:
            reader(bytes(text))
        except InputError:
            refused += 1
    assert refused > 100


def test_old_processors_are_refused_before_the_extension_is_loaded(tmp_path):
    assert _processor.lacks_avx2("x86_64", "flags\t\t: fpu sse2\n")
    assert not _processor.lacks_avx2("x86_64", "flags\t\t: fpu avx2 bmi2\n")
    assert not _processor.lacks_avx2("aarch64", "Features\t: fp asimd\n")
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags\t: sse2\n")
    _processor.refuse_old(pathlib.Path(tmp_path / "missing"))
    if lambda6._processor.platform.machine() == "x86_64":
        with pytest.raises(ImportError, match="AVX2"):
            _processor.refuse_old(cpuinfo)
