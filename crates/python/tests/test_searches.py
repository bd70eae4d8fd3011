"""Searches, proofs, the player and values."""

import os
import pickle
import signal
import threading
import time

import lambda6
import pytest
from lambda6 import Certificate, Game, Player, Position, check, solve, solve_many, value, verify
from lambda6.errors import CertificateError

PUZZLE = Position("j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13")
THREE = Position.of_stones(black=["j10", "j12", "i11"])
# Nothing is proved here for a long time.
OPENING = Position("j10 i11k12")


def long_search(**options):
    """A search that does not end by itself within the test."""
    return solve(OPENING, class_="lambda3", **options)


def test_a_win_comes_with_a_certificate_that_the_checker_accepts():
    result = solve(PUZZLE)
    assert result and result.proved and result.why is None
    assert result.attacker == "white"
    checked = check(result.certificate.text)
    assert (checked.attacker, checked.replies) == ("white", result.certificate.replies)
    # The line can be played, and wins.
    position = PUZZLE
    for move in result.line:
        position = position.play(move, partial=True)
    assert position.outcome == "white"
    assert result.length == (len(result.line) + 1) // 2


def test_a_search_that_proves_nothing_says_why():
    assert solve(PUZZLE, class_="vcdt").why == "exhausted"
    assert long_search(nodes=100).why == "nodes"
    result = long_search(time=0.05)
    assert (result.why, bool(result), result.certificate, result.line) == ("time", False, None, [])


def test_progress_is_told_and_can_end_a_search():
    reports = []

    def progress(report):
        reports.append(report)
        return len(reports) < 3

    assert long_search(progress=progress).why == "stopped"
    assert len(reports) == 3
    assert reports[0].nodes <= reports[-1].nodes and reports[-1].line


def test_an_exception_of_progress_ends_the_search():
    def progress(report):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        long_search(progress=progress)


@pytest.mark.parametrize(
    "work",
    [
        long_search,
        lambda: solve_many([OPENING] * 4, class_="lambda3", time=600, threads=2),
        lambda: verify(OPENING, class_="lambda3", each=600),
        lambda: Player(level="strong", openings=False).choose(OPENING, time=600),
        lambda: value(Game(8, 8, 5, 1, 1)),
    ],
    ids=["solve", "solve_many", "verify", "player", "value"],
)
def test_ctrl_c_ends_the_work(work):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    timer.join()


def test_other_threads_run_during_a_search():
    counted = []
    done = threading.Event()

    def count():
        while not done.wait(0.001):
            counted.append(None)

    thread = threading.Thread(target=count)
    thread.start()
    long_search(time=0.5)
    done.set()
    thread.join()
    assert len(counted) > 10


def test_certificates_are_written_and_read(tmp_path):
    certificate = solve(PUZZLE).certificate
    for name in ["win.proof", "win.proof.zst"]:
        path = tmp_path / name
        certificate.save(path)
        read = Certificate.load(path)
        assert read.text == certificate.text
        assert (read.attacker, read.replies, read.method, read.position) == ("white", 61, "mutual", PUZZLE)
        assert check(path.read_bytes()).replies == 61
    assert (tmp_path / "win.proof.zst").stat().st_size < (tmp_path / "win.proof").stat().st_size
    assert pickle.loads(pickle.dumps(certificate)).text == certificate.text


def test_a_proof_that_is_changed_is_rejected():
    text = solve(PUZZLE).certificate.text
    head, replies = text.split("\n\n", 1)
    first, rest = replies.split("\n", 1)
    assert first == "h14m9"
    for damaged in [f"{head}\n\na1a2\n{rest}", text + "a1a2\n", text.rsplit("\n", 2)[0] + "\n"]:
        for reader in [check, Certificate.read]:
            with pytest.raises(CertificateError) as caught:
                reader(damaged)
            assert caught.value.reply


def test_a_walk_answers_every_move():
    walk = solve(PUZZLE).certificate.walk()
    assert (walk.reply, walk.status, walk.defences) == ("h14m9", "open", ["j9", "l9"])
    assert walk.defend("-").status == "won"
    # A stone that matters and one that lies outside the zones: the second makes no difference.
    assert walk.defend("j9a19").reply == walk.defend("j9").reply
    assert all(set(small) <= set(large) for small, large in zip(walk.zones, walk.zones[1:]))
    assert "zone" not in repr(walk) and walk._repr_svg_().count("fill-opacity") == 3
    zones = walk.zones_array()
    assert zones.shape == (3, 19, 19)
    assert [int(zone.sum()) for zone in zones] == [len(zone) for zone in walk.zones]
    line = walk
    while line.status == "open":
        line = line.defend(line.defences[0])
    assert line.status in ("unstoppable", "won")


def test_verify_lists_what_is_not_refuted():
    three = Position.of_stones(black=["j10", "j12", "i11"], to_move="white")
    found = verify(three, each=10)
    assert found and found.open == []
    assert check(found.certificate.text).to_move == "white"
    first = found.refuted[0]
    assert (first.stones, bool(first.zone), first.certificate.attacker) == ("-", True, "black")
    assert found.reply_to("a1s1") == first.reply
    two = verify(Position("j10 a1a19 j11j12"), each_nodes=200)
    assert not two and (two.open or two.incomplete)


def test_many_positions_are_solved_in_order():
    seen = []
    results = solve_many(
        [PUZZLE, THREE, OPENING], class_=["vcst", "vcdt", "vcdt"], progress=lambda *done: seen.append(done)
    )
    assert [bool(result) for result in results] == [True, True, False]
    assert results[0].certificate.text == solve(PUZZLE).certificate.text
    assert seen[-1] == (3, 3)
    assert solve_many([]) == []


def test_many_positions_can_be_stopped():
    results = solve_many([OPENING] * 8, class_="lambda3", time=600, progress=lambda done, total: False, threads=1)
    assert len(results) == 8 and not any(results)


def test_the_bar_ends_with_the_work(capsys):
    solve_many([THREE] * 5, class_="vcdt", progress=True)
    shown = capsys.readouterr().err
    assert "5/5" in shown and shown.endswith("\n")


@pytest.mark.parametrize("level", ["defense", "novice", "casual", "kagami", "club", "strong"])
def test_every_level_plays_a_legal_move(level):
    player = Player(level=level, memory=1)
    choice = player.choose(Position("j10 i11k12 l8m9"), nodes=500)
    after = Position("j10 i11k12 l8m9").play(choice.move)
    assert after.to_move == "black" and 0 <= choice.chance <= 1
    assert Player(level=level, memory=1).choose(Position("j10 i11k12 l8m9"), nodes=500).move == choice.move


def test_a_player_proves_the_win_it_claims():
    choice = Player(memory=4).choose(THREE, nodes=100_000)
    assert choice.winner == "black"
    assert check(choice.certificate.text).attacker == "black"
    best = Player(level="club", memory=1).candidates(OPENING, count=3, nodes=300)
    assert len(best) == 3 and best[0].score >= best[-1].score


def test_values_of_small_games_are_known():
    # Tic-tac-toe is a draw; with three in a row on 4x4 the first player wins at once.
    assert value("tic-tac-toe").winner == "draw"
    assert value(Game(4, 4, 3, 1, 1)).winner == "black"
    ended = value(Game(8, 8, 5, 1, 1), time=0.05)
    assert (ended.winner, ended.why) == (None, "time")


def test_a_search_ends_soon_after_its_time():
    begin = time.monotonic()
    long_search(time=0.1)
    # The bound is far above what a busy machine needs; a search without it takes hours.
    assert time.monotonic() - begin < 60
