"""Buses with keys: joining, reporting, and being refused."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import PROGRAM, REPOSITORY, eventually

from progressbus import _keys

VECTORS = REPOSITORY / "Protocol/vectors/invitations"


class Team:
    """A broker with keys, and homes of people."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.log = directory / "broker.log"
        for _ in range(20):
            self.port = random.randrange(20_000, 32_000)
            with self.log.open("wb") as log:
                self.broker = subprocess.Popen(
                    [
                        *(PROGRAM, "broker", "--endpoint", f"tcp://127.0.0.1:{self.port}"),
                        *("--bus", "team", "--linger", "600", "--idle-exit", "300"),
                    ],
                    env=self.environment("anna"),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            eventually(
                lambda: "listening" in self.log.read_text() or self.broker.poll() is not None,
                "the broker listens or ends",
            )
            if self.broker.poll() is None:
                return
        raise AssertionError("no three free ports")

    def environment(self, person: str) -> dict[str, str]:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PROGRESSBUS_")
        }
        return environment | {
            "XDG_CONFIG_HOME": str(self.directory / person),
            "PROGRESSBUS_STATE": str(self.directory / "state"),
            "PROGRESSBUS_ENDPOINT": "team",
        }

    def program(self, *arguments: str) -> str:
        """Runs the program as anna, the admin."""
        return subprocess.run(
            [PROGRAM, *arguments],
            env=self.environment("anna"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
        ).stdout.strip()

    def python(self, person: str, code: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code],
            env=self.environment(person) | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def join(self, person: str, *options: str) -> subprocess.CompletedProcess[str]:
        token = self.program("invite", *(options or ("--role", "reporter")))
        return self.join_by(person, token)

    def join_by(self, person: str, token: str) -> subprocess.CompletedProcess[str]:
        code = f"import progressbus; print(progressbus.join(member={person!r}, replace=True))"
        process = self.python(person, code, PROGRESSBUS_INVITATION=token)
        output, errors = process.communicate(timeout=60)
        return subprocess.CompletedProcess([], process.returncode, output, errors)

    def server(self, person: str) -> bytes:
        """The broker's key, as a person's file has it."""
        text = (self.directory / person / "progressbus/buses/team").read_text()
        return bytes.fromhex(text.split("server ", 1)[1].split("\n", 1)[0])

    def completed(self, title: str) -> int | None:
        status = self.program("status", "--json")
        jobs = json.loads(status)["jobs"] if status else []
        return next((job["completed"] for job in jobs if job["title"] == title), None)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    team = Team(tmp_path)
    yield team
    team.broker.kill()
    team.broker.wait()


WORKER = """
import logging, sys, progressbus
logging.basicConfig(stream=sys.stderr)
with progressbus.job("Encode", total=10) as job:
    for _ in sys.stdin:
        job.advance()
        progressbus.default_bus().sync(10)
        print("said", flush=True)
"""


def say(worker: subprocess.Popen[str]) -> None:
    """Has it do one more step, and say so."""
    assert worker.stdin is not None and worker.stdout is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    assert worker.stdout.readline() == "said\n"


def test_a_member_reports_and_its_key_is_its_own(team: Team) -> None:
    joined = team.join("ben")
    assert (joined.returncode, joined.stdout) == (0, "team\n"), joined.stderr
    path = team.directory / "ben/progressbus/buses/team"
    assert path.stat().st_mode & 0o777 == 0o600
    worker = team.python("ben", WORKER)
    say(worker)
    eventually(lambda: team.completed("Encode") == 1, "the step is seen")
    _, errors = worker.communicate(timeout=30)
    assert worker.returncode == 0, errors
    # The program reads what was written here.
    members = json.loads(team.program("members", "--json"))["members"]
    assert [(member["name"], member["role"]) for member in members][1:] == [("ben", "reporter")]


def test_whoever_is_revoked_goes_on_in_vain_and_reports_again_after_joining(team: Team) -> None:
    team.join("ben")
    worker = team.python("ben", WORKER)
    say(worker)
    team.program("revoke", "ben")
    say(worker)
    assert team.completed("Encode") == 1
    team.join("ben")
    say(worker)
    eventually(lambda: team.completed("Encode") == 3, "it is let in again", patience=60)
    _, errors = worker.communicate(timeout=30)
    assert worker.returncode == 0 and "no member's" in errors, errors


def test_an_invitation_that_is_used_up_or_damaged_is_refused_in_words(team: Team) -> None:
    token = team.program("invite", "--role", "reporter")
    assert team.join_by("ben", token).returncode == 0
    late = team.join_by("cora", token)
    assert "PermissionError: The invitation has been used" in late.stderr
    assert "ValueError: this invitation is damaged" in team.join_by("cora", token[:-3]).stderr
    assert "ValueError: this is no invitation" in team.join_by("cora", "hello").stderr


def test_an_invitation_is_not_used_up_where_the_key_cannot_be_kept(team: Team) -> None:
    token = team.program("invite", "--role", "reporter")
    (team.directory / "ben").write_text("")
    assert "NotADirectoryError" in team.join_by("ben", token).stderr
    (team.directory / "ben").unlink()
    assert team.join_by("ben", token).returncode == 0


def test_another_brokers_key_is_said_and_nothing_is_reported(team: Team) -> None:
    team.join("ben")
    path = team.directory / "ben/progressbus/buses/team"
    text = path.read_text()
    server = next(line for line in text.split("\n") if line.startswith("server"))
    path.write_text(text.replace(server, "server " + "ab" * 32))
    worker = team.python("ben", WORKER)
    assert worker.stdin is not None
    time.sleep(2)  # three handshakes
    _, errors = worker.communicate("1\n", timeout=60)
    assert worker.returncode == 0 and "is not the broker of the bus team" in errors, errors


def test_whoever_has_no_key_is_told_and_the_work_goes_on(team: Team) -> None:
    address = f"tcp://127.0.0.1:{team.port}"
    worker = team.python("ben", WORKER, PROGRESSBUS_ENDPOINT=address)
    assert worker.stdin is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    assert worker.stdout is not None and worker.stdout.readline() == "said\n"
    _, errors = worker.communicate(timeout=60)
    assert worker.returncode == 0 and "speaks with members alone" in errors, errors


def test_a_file_that_others_may_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    key = bytes(range(32))
    membership = _keys.Membership("team", "tcp://h:70", key, key, key, "ben", "viewer")
    _keys.write(membership)
    assert _keys.read("team") == membership
    assert key.hex() not in repr(membership) and str(key) not in repr(membership)
    path = _keys.path_of("team")
    path.chmod(0o640)
    with pytest.raises(ValueError, match="others may read"):
        _keys.read("team")
    path.with_name("link").symlink_to(path)
    with pytest.raises(ValueError, match="cannot be read"):
        _keys.read("link")
    with pytest.raises(ValueError, match="there is no bus"):
        _keys.read("other")


@pytest.mark.parametrize("path", sorted(VECTORS.iterdir()), ids=lambda path: path.stem)
def test_invitations_are_read_as_the_protocol_says(path: Path) -> None:
    vector = json.loads(path.read_text())
    if "error" in vector:
        with pytest.raises(ValueError):
            _keys.invitation(vector["token"])
        return
    read = _keys.invitation(f" {vector['token']}\n")
    assert (read.bus, read.address) == (vector["bus"], vector["address"])
    assert (read.server.hex(), read.secret.hex()) == (vector["server"], vector["secret"])


def test_a_worker_follows_the_broker_to_its_next_key(team: Team) -> None:
    team.join("ben")
    team.join("away")
    worker = team.python("ben", WORKER)
    say(worker)
    former = team.server("ben")
    team.program("renew", "--broker")
    eventually(
        lambda: "next-server " in (team.directory / "ben/progressbus/buses/team").read_text(),
        "the worker is told",
    )
    assert team.server("ben") == former
    # Who joins in between knows both keys from the beginning.
    team.join("cora")
    team.program("renew", "--broker", "--now")
    say(worker)
    eventually(lambda: team.completed("Encode") == 2, "it reports to the next key", patience=30)
    eventually(lambda: team.server("ben") != former, "its file says it")
    assert "next-server" not in (team.directory / "ben/progressbus/buses/team").read_text()
    cora = team.python("cora", WORKER.replace("Encode", "Of cora"))
    say(cora)
    eventually(lambda: team.completed("Of cora") == 1, "so does who has joined in between")
    for process in (worker, cora):
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0 and "cannot report" not in errors, errors
    away = team.python("away", WORKER.replace("sync(10)", "sync(3)"))
    say(away)
    _, errors = away.communicate(timeout=30)
    assert away.returncode == 0 and "join anew" in errors, errors
