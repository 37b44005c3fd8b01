"""The frames of Protocol/vectors, as far as they concern a reporting client."""

from __future__ import annotations

import json
import os
import stat
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from harness import REPOSITORY, Bench, eventually

from progressbus._frames import (
    BROKER,
    CLIENT,
    REPORT,
    BadFrame,
    WrongMajor,
    decoded_broker_frame,
    encoded,
)
from progressbus._generated import progressbus_pb2 as wire
from progressbus._identity import TaskId, task_id, ticket_id
from progressbus._spool import spool_file, write_spool

VECTORS = REPOSITORY / "Protocol/vectors"


def vectors(folder: str, concerns: Callable[[dict[str, Any]], bool] = lambda _: True) -> list[Any]:
    found = [json.loads(path.read_text()) for path in sorted((VECTORS / folder).glob("*.json"))]
    found = [vector for vector in found if concerns(vector)]
    assert found, f"no vectors in {VECTORS / folder}"
    return [pytest.param(vector, id=vector["name"]) for vector in found]


def frame(parts: list[Any]) -> bytes:
    return b"".join(
        bytes.fromhex(part) if isinstance(part, str) else bytes.fromhex(part["hex"]) * part["times"]
        for part in parts
    )


@pytest.mark.parametrize("vector", vectors("accepted"))
def test_accepted_frame_has_its_meaning_and_is_encoded_again(vector: dict[str, Any]) -> None:
    data = frame(vector["frame"])
    name = vector["message"].removeprefix("progressbus.v1.")
    message = json_format.ParseDict(
        vector["meaning"], getattr(wire, name)(), ignore_unknown_fields=True
    )
    if vector["kind"] == BROKER:
        decoded = decoded_broker_frame(data)
    else:
        decoded = getattr(wire, name).FromString(data[8:])
    decoded.DiscardUnknownFields()
    assert decoded == message
    if vector["kind"] in (REPORT, CLIENT):
        assert type(decoded).FromString(encoded(vector["kind"], message)[8:]) == message
        assert encoded(vector["kind"], message)[:8] == data[:5] + b"\0" + data[6:7] + b"\0"


def concerns_reporting(vector: dict[str, Any]) -> bool:
    """Other frames are a broker's to refuse, and some bodies are a viewer's."""
    if vector["name"] in ("broker-found-path", "broker-found-hits", "broker-states"):
        return False
    return vector["kind"] == BROKER or str(vector["name"]).startswith(
        ("frame-", "header-", "body-")
    )


@pytest.mark.parametrize("vector", vectors("rejected", concerns_reporting))
def test_rejected_frame_is_refused_in_words(vector: dict[str, Any]) -> None:
    with pytest.raises((BadFrame, WrongMajor)) as error:
        decoded_broker_frame(frame(vector["frame"]))
    assert str(error.value)


@pytest.mark.parametrize("vector", vectors("spool", lambda vector: "frames" in vector))
def test_spool_file_is_written_as_the_vectors_are(vector: dict[str, Any]) -> None:
    """Those that must be taken in; the others are a broker's to refuse."""
    data = bytes.fromhex("".join(vector["file"]))
    frames, offset = [], 8
    while length := struct.unpack_from(">I", data, offset)[0]:
        frames.append(data[offset + 4 : offset + 4 + length])
        offset += 4 + length
    for content, meaning in zip(frames, vector["frames"], strict=True):
        expected = json_format.ParseDict(meaning, wire.ClientFrame())
        assert wire.ClientFrame.FromString(content[8:]) == expected
    assert spool_file(frames) == data


def test_broker_takes_in_the_spool_file_of_the_vectors(empty_bench: Bench) -> None:
    vector = json.loads((VECTORS / "spool/spool-job.json").read_text())
    empty_bench.spool.parent.mkdir(mode=0o700)
    data = bytes.fromhex("".join(vector["file"]))
    assert write_spool(empty_bench.spool, 0x0123456789ABCDEF, data)
    (path,) = empty_bench.spool.iterdir()
    assert (path.name, stat.S_IMODE(path.stat().st_mode)) == ("028q5cu4qnjff.spool", 0o600)
    empty_bench.start_broker()
    eventually(lambda: not path.exists(), "the broker takes the file")
    assert empty_bench.job("Back up photos")["state"] == "succeeded"


def test_spool_is_not_written_where_others_could_read_it(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    assert not write_spool(tmp_path / "open", 1, b"x")
    os.symlink(tmp_path, tmp_path / "link")
    assert not write_spool(tmp_path / "link", 1, b"x")
    assert not write_spool(tmp_path / "no/such/spool", 1, b"x")
    assert not list((tmp_path / "open").iterdir())


def test_task_id_is_written_as_in_the_protocol() -> None:
    identity = TaskId(100, 0x0123456789ABCDEF)
    assert str(identity) == "2s-028q5cu4qnjff"
    assert task_id("2s-028q5cu4qnjff") == identity
    assert ticket_id(identity.ticket) == identity


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "2s",
        "0-028q5cu4qnjff",
        "02-028q5cu4qnjff",
        "2S-028q5cu4qnjff",
        "2s-w",
        "1-" + "v" * 13,
    ],
)
def test_wrong_task_id_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="is no task id"):
        task_id(text)
