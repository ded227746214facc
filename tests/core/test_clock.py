"""The clock of budgets and of models' seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from nettrial.core import clock as module
from nettrial.core.clock import QUEUE, Clock


def spin(seconds: float) -> None:
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        pass


@pytest.mark.skipif(not QUEUE.exists(), reason="this system does not say how long threads wait")
def test_programs_beside_it_do_not_count() -> None:
    code = "while True: pass"
    others = [
        subprocess.Popen([sys.executable, "-c", code]) for _ in range(2 * (os.cpu_count() or 1))
    ]
    try:
        time.sleep(0.2)
        clock, processor = Clock(), time.process_time()
        spin(1.0)
        seconds, processor = clock.seconds(), time.process_time() - processor
    finally:
        for each in others:
            each.kill()
            each.wait()
    assert seconds < 0.9
    assert seconds == pytest.approx(processor, abs=0.05)


def test_waiting_for_something_else_counts() -> None:
    clock = Clock()
    time.sleep(0.05)
    assert clock.seconds() > 0.049
    assert clock.cores() < 0.5


@pytest.mark.parametrize(
    ("wall", "processor", "seconds", "why"),
    [
        (10.0, 4.0, 4.0, "other programs had the rest of the processor"),
        (10.0, 40.0, 10.0, "four threads at a time count once"),
        (10.0, 0.5, 10.0, "a service or a graphics card worked meanwhile"),
    ],
)
def test_where_the_system_does_not_say_how_long_threads_wait(
    monkeypatch: pytest.MonkeyPatch, wall: float, processor: float, seconds: float, why: str
) -> None:
    now = SimpleNamespace(
        perf_counter=lambda: 100.0, process_time=lambda: 7.0, thread_time=lambda: 0.0
    )
    monkeypatch.setattr(module, "time", now)
    monkeypatch.setattr(module, "QUEUE", Path("/none"))
    clock = Clock()
    now.perf_counter, now.process_time = (lambda: 100.0 + wall), (lambda: 7.0 + processor)
    assert clock.seconds() == pytest.approx(seconds), why
    assert clock.cores() == pytest.approx(processor / wall)
