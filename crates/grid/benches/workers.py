"""Two workers against one, and what the client costs: threads, and workers over NATS.

    python3 crates/grid/benches/workers.py target/release/lambda6 [SECONDS] [JOB_NODES] [ROUNDS]

Each run works on the same opening for SECONDS (60) with jobs of JOB_NODES (200000) moves,
and is then stopped. One worker and two take turns for ROUNDS (2), because the machine's
speed changes. What counts is the moves that the jobs tried, as the search's file has them,
against the time that passed: what two workers do is compared with what one does. What the
machine allows is told first, by two runs of `lambda6 bench` side by side and one alone. The
client's processor time is that of its process (over NATS it does no job). Nothing else should
run on the machine. It needs nats-server, or NATS_SERVER.
"""

import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 60
NODES = sys.argv[3] if len(sys.argv) > 3 else "200000"
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 2
POSITION = ["j10 i8h12 l10k11", "--attacker", "black"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def run(directory, name, workers, url):
    """Works for a while; moves a second, seconds a job, jobs, the client's processor time."""
    file = os.path.join(directory, name + ".l6")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    others = []
    if url:
        for i in range(workers):
            worker = [PROGRAM, "worker", "--nats", url, "--grid", name, "--name", f"w{i}"]
            others.append(subprocess.Popen(worker, **quiet))
        where = ["--nats", url, "--grid", name]
    else:
        where = ["--threads", str(workers)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    command = [PROGRAM, "search", "start", file, *POSITION, "--job-nodes", NODES, "--quiet", *where]
    client = subprocess.Popen(command, **quiet)
    try:
        client.wait(SECONDS)
        sys.exit("the position is solved too soon: give less time or smaller jobs")
    except subprocess.TimeoutExpired:
        client.send_signal(signal.SIGINT)
    took = time.monotonic() - begin
    client.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    for worker in others:
        worker.kill()
        worker.wait()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    query = "SELECT count(*), sum(nodes), sum(millis) FROM jobs WHERE state = 'done'"
    jobs, nodes, millis = sqlite3.connect(file).execute(query).fetchone()
    if not jobs:
        sys.exit("no job was done: give more time")
    print(
        f"{name:12} {jobs:5} jobs of {millis / jobs / 1e3:.2f} s, {nodes / took:9.0f} moves a second"
        + (f", client {cpu:.2f} s of {took:.0f} s: {100 * cpu / took:.2f} %" if url else ""),
        flush=True,
    )
    return nodes / took


def machine():
    """How much more two processes do than one that have nothing to do with each other."""
    times = [0.0, 0.0]
    for _ in range(4 * ROUNDS):
        for n in (1, 2):
            begin = time.monotonic()
            runs = [subprocess.Popen([PROGRAM, "bench"], stdout=subprocess.DEVNULL) for _ in range(n)]
            for process in runs:
                process.wait()
            times[n - 1] += time.monotonic() - begin
    print(f"two processes do {2 * times[0] / times[1]:.2f} times as much as one", flush=True)


def compare(directory, what, url):
    """How much more two do than one, over all rounds."""
    speeds = [0.0, 0.0]
    for i in range(ROUNDS):
        for n in (1, 2):
            speeds[n - 1] += run(directory, f"{what}-{n}-{i}", n, url)
    print(f"two {what} do {speeds[1] / speeds[0]:.2f} times as much as one")


machine()
with tempfile.TemporaryDirectory() as directory:
    compare(directory, "threads", None)
    port = free_port()
    program = os.environ.get("NATS_SERVER", "nats-server")
    store = os.path.join(directory, "js")
    server = [program, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", store, "--log", os.devnull]
    server = subprocess.Popen(server)
    try:
        time.sleep(1)
        compare(directory, "workers", f"nats://127.0.0.1:{port}")
    finally:
        server.kill()
        server.wait()
