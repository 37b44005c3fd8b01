"""The machine of a session by itself: no broker, no socket, no clock."""

from __future__ import annotations

import random

import pytest

from progressbus._commands import UNDER_WAY
from progressbus._fold import REMOVED, Fold, fraction, frames
from progressbus._frames import BROKER, encoded
from progressbus._generated import progressbus_pb2 as wire
from progressbus._identity import TaskId, task_id, ticket_id
from progressbus._ledger import KEPT_SUCCEEDED, Ledger
from progressbus._session import Session
from progressbus._state import TaskState

SUBSCRIPTION = b"\x01PBUS"
EPOCH = 7


class Machine:
    """A session whose broker and clock are the test."""

    def __init__(self) -> None:
        self.ledger = Ledger(lambda: None)
        self.session = Session(self.ledger, wire.Process(pid=1), "test")
        self.now = 100.0

    def begin(self, title: str, parent: TaskState | None = None) -> TaskState:
        task = TaskState(self.ledger, self.ledger.next_index(), self.now)
        task.title, task.parent = title, parent
        task.mark()
        return task

    def end(self, task: TaskState, state: wire.StatedState = wire.STATED_STATE_SUCCEEDED) -> None:
        task.final_amounts, task.ended, task.state = task.amounts(), self.now, state
        task.mark()

    def hear(self, **body: object) -> None:
        message = wire.BrokerFrame(epoch=EPOCH, **body)  # type: ignore[arg-type]
        self.session.control(encoded(BROKER, message), self.now)

    def meet(self) -> None:
        """Hello, welcome and subscription, and the keyframe that follows."""
        self.greet()
        self.session.subscription(SUBSCRIPTION, self.now)
        assert all(report.keyframe for report in self.reports())

    def greet(self) -> None:
        """Hello and welcome."""
        assert self.control()[0].HasField("hello")
        self.hear(welcome=wire.Welcome(version="1", heartbeat=1000, tick=50))

    def control(self) -> list[wire.ClientFrame]:
        self.session.take_marks(self.now)
        frames = []
        while (outgoing := self.session.next_control(self.now)) is not None:
            frames.append(wire.ClientFrame.FromString(outgoing.frame[8:]))
            outgoing.sent()
        return frames

    def reports(self, room: int = 1000) -> list[wire.Report]:
        """What a tick sends into a socket with room for so many frames."""
        self.now += 0.05
        self.session.take_marks(self.now)
        frames: list[wire.Report] = []
        while (report := self.session.next_report(self.now)) is not None and len(frames) < room:
            frames.append(wire.Report.FromString(report.frame[8:]))
            self.session.report_sent(report)
        self.session.tick_done(self.now)
        return frames


def test_tick_says_all_changes_in_one_frame_and_nothing_twice() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    parts = [machine.begin(f"Part {number}", job) for number in range(10)]
    (first,) = machine.reports()
    assert len(first.descriptions) == len(first.amount_index) == len(first.clock_index) == 11
    for _ in range(1000):
        for part in parts:
            part.completed += 1
            if not part.marked:
                part.mark()
    (second,) = machine.reports()
    assert list(second.completed) == [1000] * 10
    assert not second.descriptions
    assert machine.reports() == []


def test_full_socket_leaves_everything_marked() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    assert machine.reports(room=0) == []
    job.completed = 5
    job.mark()
    (report,) = machine.reports()
    assert (report.descriptions[0].title, list(report.completed)) == ("Job", [5])


def test_keyframe_says_everything_in_chunks_that_nothing_comes_between() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    tasks = [machine.begin("t" * 500, job) for _ in range(900)]
    for task in tasks:
        task.detail = "d" * 900
    machine.reports()
    machine.hear(places=wire.Places(index=[2, 99999], place=[7, 1], cell=[8, 1]))
    machine.hear(who=wire.Who())
    machine.hear(who=wire.Who())
    machine.greet()
    tasks[5].completed = 3
    tasks[5].mark()
    first = machine.reports(room=1)
    rest = machine.reports()
    chunks = [report for report in first + rest if report.keyframe]
    count = len(chunks)
    assert [report.keyframe_chunk for report in chunks] == list(range(count))
    assert [report.keyframe_last for report in chunks] == [False] * (count - 1) + [True]
    assert first + rest == chunks
    described = [line for report in chunks for line in report.descriptions]
    assert [line.index for line in described] == list(range(1, 902))
    assert (described[1].place, described[1].cell) == (7, 8)
    assert sum(len(report.states) for report in chunks) == 901
    assert max(report.ByteSize() for report in chunks) < 1 << 16


def test_child_of_a_chunk_that_waits_is_named_by_the_fold_it_goes_into() -> None:
    """Else the chunk would bring it back, running for ever."""
    machine = Machine()
    job = machine.begin("Job")
    tasks = [machine.begin("Short", job) for _ in range(KEPT_SUCCEEDED + 3)]
    machine.greet()
    machine.session.subscription(SUBSCRIPTION, machine.now)
    assert len(machine.reports(room=1)) == 1
    for task in reversed(tasks):
        machine.end(task)
    machine.session.take_marks(machine.now)
    chunks = [report for report in machine.reports() if report.keyframe]
    described = {line.index for report in chunks for line in report.descriptions}
    assert job.fold is not None
    assert set(job.fold.removed) & described == {task.index for task in tasks[-3:]}


def test_ending_is_repeated_until_it_is_acknowledged_in_its_conversation() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    machine.end(job)
    (frame,) = machine.control()
    assert frame.endings.endings[0].state == wire.STATED_STATE_SUCCEEDED
    machine.hear(who=wire.Who())
    assert machine.control()[0].HasField("hello")
    machine.hear(welcome=wire.Welcome(heartbeat=1000, tick=50))
    # An acknowledgement of the conversation before means nothing any more.
    machine.hear(endings_journalled=wire.EndingsJournalled(sequence=frame.endings.sequence))
    assert machine.ledger.tasks
    machine.now += 0.01
    (again,) = machine.control()
    assert again.endings.sequence > frame.endings.sequence
    machine.hear(endings_journalled=wire.EndingsJournalled(sequence=again.endings.sequence))
    assert not machine.ledger.tasks
    assert [report.keyframe for report in machine.reports()] == [2]
    assert machine.session.has_said_everything


def test_another_major_version_stops_the_session_in_words(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    machine.meet()
    data = bytearray(encoded(BROKER, wire.BrokerFrame(epoch=1)))
    data[4] = 2
    machine.session.control(bytes(data), machine.now)
    machine.session.control(bytes(data), machine.now)
    assert machine.session.has_stopped
    assert caplog.text.count("version 2") == 1
    machine.begin("Job")
    assert machine.reports() == []
    assert machine.control() == []


def test_refusal_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    machine.meet()
    for _ in range(3):
        machine.hear(refusal=wire.Refusal(code=10, sentence="too many tasks; end some"))
    assert caplog.text.count("too many tasks; end some") == 1
    assert not machine.session.has_stopped


def test_children_that_nobody_heard_of_are_folded_unmentioned() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    for _ in range(500):
        machine.end(machine.begin("Short", job))
    machine.session.take_marks(machine.now)
    (fold,) = machine.ledger.changed_folds
    assert (fold.succeeded, fold.removed) == (500 - KEPT_SUCCEEDED, [])
    assert len(machine.ledger.tasks) == KEPT_SUCCEEDED + 1


def test_children_that_were_shown_are_folded_oldest_first_and_named_until_acknowledged() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    for _ in range(KEPT_SUCCEEDED + 3):
        task = machine.begin("Short", job)
        machine.reports()
        machine.end(task)
    machine.session.take_marks(machine.now)
    machine.now += 1
    sent = [frame.endings for frame in machine.control() if frame.HasField("endings")]
    assert [list(fold.removed) for frame in sent for fold in frame.folds] == [[2, 3, 4]]
    for frame in sent:
        machine.hear(endings_journalled=wire.EndingsJournalled(sequence=frame.sequence))
    fold = job.fold
    assert fold is not None
    assert (fold.removed, fold.is_settled) == ([], True)


def test_fold_sums_no_more_units_than_a_frame_may_hold() -> None:
    ledger = Ledger(lambda: None)
    fold = Fold(TaskState(ledger, 1, 0))
    for number in range(20):
        child = TaskState(ledger, 2 + number, 0)
        child.completed, child.unit, child.state = 1, f"u{number}", wire.STATED_STATE_SUCCEEDED
        assert fold.takes(child)
        fold.add(child)
    assert fold.succeeded == 20
    assert list(fold.sums) == [f"u{number}" for number in range(16)]


def test_fold_does_not_take_shares_beyond_what_a_frame_may_hold() -> None:
    ledger = Ledger(lambda: None)
    fold = Fold(TaskState(ledger, 1, 0))
    fold.share = (1 << 63) - 1
    assert not fold.takes(TaskState(ledger, 2, 0))


def test_folds_that_name_too_many_go_into_several_frames() -> None:
    ledger = Ledger(lambda: None)
    folds = [Fold(TaskState(ledger, index, 0)) for index in range(1, 5)]
    for fold, count in zip(folds, (REMOVED - 96, 96, 1, REMOVED), strict=True):
        fold.removed = list(range(count))
    assert frames(folds, 40) == [folds[:2], folds[2:3], folds[3:]]
    assert frames(folds[:3], 1) == [folds[:1], folds[1:2], folds[2:3]]
    assert frames([], 40) == []


def test_fold_adds_exactly() -> None:
    ledger = Ledger(lambda: None)
    fold = Fold(TaskState(ledger, 1, 0))
    for completed, total, state in (
        (1, 3, wire.STATED_STATE_FAILED),
        (5, 4, wire.STATED_STATE_CANCELLED),
    ):
        child = TaskState(ledger, 2, 0)
        child.completed, child.total, child.state, child.share, child.unit = (
            completed,
            total,
            state,
            3,
            "x",
        )
        fold.add(child)
    third = (2 * (1 << 50) + 3) // 6
    assert fold.weighted == 3 * third + 3 * (1 << 50)
    assert (fold.share, fold.failed, fold.cancelled, fold.sums) == (6, 1, 1, {"x": [6, 8]})


def test_fraction_is_that_of_the_protocol() -> None:
    one = 1 << 50
    assert fraction(0, 0, succeeded=False) == one
    assert fraction(3, -1, succeeded=False) == 0
    assert fraction(3, -1, succeeded=True) == one
    assert fraction(1, 2, succeeded=False) == one // 2
    assert fraction(15, 10, succeeded=False) == one


@pytest.mark.parametrize("seed", range(200))
def test_mutated_frames_of_a_broker_do_no_harm(seed: int) -> None:
    machine = Machine()
    machine.meet()
    machine.begin("Job")
    machine.reports()
    chance = random.Random(seed)
    bodies: list[dict[str, object]] = [
        {"places": wire.Places(index=[1], place=[1], cell=[1])},
        {"binding": wire.Binding(index=1, kind=wire.BINDING_KIND_HOLDER, attempt=1)},
        {"command": wire.CommandDelivery(delivery=1, verb=wire.VERB_CANCEL, index=[1])},
        {"refusal": wire.Refusal(code=3, sentence="no")},
        {"endings_journalled": wire.EndingsJournalled(sequence=1)},
        {"welcome": wire.Welcome(heartbeat=1000, tick=50)},
    ]
    for _ in range(20):
        message = wire.BrokerFrame(epoch=EPOCH, **chance.choice(bodies))  # type: ignore[arg-type]
        data = bytearray(encoded(BROKER, message))
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        machine.session.control(bytes(data[: chance.randrange(1, len(data) + 1)]), machine.now)
        machine.control()
        machine.reports()


def redeemer(machine: Machine) -> TaskState:
    task = machine.begin("Upload")
    task.ticket_id = TaskId(1, 9)
    machine.meet()
    machine.control()
    return task


def bind(machine: Machine, task: TaskState, kind: int, attempt: int = 0) -> None:
    ticket = wire.TaskRef(index=1, session=9)
    machine.hear(
        binding=wire.Binding(index=task.index, kind=kind, task=ticket, attempt=attempt)  # type: ignore[arg-type]
    )


def test_newest_binding_counts_and_an_unknown_kind_is_none() -> None:
    """The ticket turns out to be none, or a broker without a journal knows another holder."""
    machine = Machine()
    task = redeemer(machine)
    bind(machine, task, 9)
    assert task.binding is None
    bind(machine, task, wire.BINDING_KIND_HOLDER, attempt=1)
    bind(machine, task, wire.BINDING_KIND_CHILD)
    assert task.binding is not None
    assert task.binding.kind == wire.BINDING_KIND_CHILD
    task.completed = 3
    task.mark()
    assert [list(report.completed) for report in machine.reports()] == [[3]]
    machine.session.subscription(b"\x00PBUS", machine.now)
    assert not machine.control()
    assert not machine.reports()
    machine.session.subscription(SUBSCRIPTION, machine.now)
    assert machine.control()[0].HasField("hello")
    message = wire.BrokerFrame(epoch=8, welcome=wire.Welcome(version="1", heartbeat=1000, tick=50))
    machine.session.control(encoded(BROKER, message), machine.now)
    (redeem,) = [frame.redeem for frame in machine.control() if frame.HasField("redeem")]
    assert redeem.known.kind == wire.BINDING_KIND_CHILD


def test_superseded_attempt_is_asked_to_cancel_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    machine = Machine()
    task = redeemer(machine)
    bind(machine, task, wire.BINDING_KIND_HOLDER, attempt=1)
    called: list[bool] = []
    task.handlers.append((wire.VERB_CANCEL, lambda: called.append(True)))
    task.cancellable = True
    other = machine.begin("Other")
    for index in (task.index, task.index, other.index, 99):
        machine.hear(refusal=wire.Refusal(code=22, index=index, sentence="attempt 2 has begun"))
    assert caplog.text.count("attempt 2 has begun") == 1
    assert task.cancel_asked
    assert not other.cancel_asked
    assert len(machine.session.commands.calls) == 1
    assert not [frame for frame in machine.control() if frame.HasField("command_answer")]


def test_ticket_that_is_none_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    task = redeemer(machine)
    bind(machine, task, wire.BINDING_KIND_CHILD)
    for _ in range(2):
        machine.hear(refusal=wire.Refusal(code=16, index=task.index, sentence="no ticket"))
    assert caplog.text.count("no ticket") == 1
    assert not task.cancel_asked


@pytest.mark.parametrize("has_sentence", [True, False])
def test_ticket_that_cannot_be_used_is_said_once_in_the_brokers_words(
    has_sentence: bool, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Machine()
    task = redeemer(machine)
    for _ in range(2):
        if has_sentence:
            machine.hear(refusal=wire.Refusal(code=15, index=task.index, sentence="too often"))
        bind(machine, task, wire.BINDING_KIND_INERT)
    assert caplog.text.count("'Upload' cannot be used") == 1
    assert ("too often" in caplog.text) == has_sentence
    assert ("new ticket" in caplog.text) != has_sentence
    assert "succeeded" not in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        "2S-028q5cu4qnjff",
        "2s-028Q5CU4QNJFF",
        "02s-028q5cu4qnjff",
        "+2s-028q5cu4qnjff",
        "2_s-028q5cu4qnjff",
        "2s-0028q5cu4qnjff",
        "2s-28q5cu4qnjff",
        "2s-g28q5cu4qnjff",
        "2s-0000000000000",
        "0-028q5cu4qnjff",
        "zzzzzzzzzzzzz-028q5cu4qnjff",
        "2s-028q5cu4qnjff-",
        "\u0662s-028q5cu4qnjff",
    ],
)
def test_names_of_tasks_have_one_spelling(text: str) -> None:
    assert str(task_id("2s-028q5cu4qnjff")) == "2s-028q5cu4qnjff"
    with pytest.raises(ValueError, match="is no task id"):
        task_id(text)
    with pytest.raises(ValueError, match="is no t"):
        ticket_id(f"pbt1-{text}")
    with pytest.raises(ValueError, match="is no ticket"):
        ticket_id("PBT1-2s-028q5cu4qnjff")


def test_ending_waits_a_tick_and_not_for_a_tick_without_reports() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    for number in range(6):  # the broker acknowledges nothing, and 16 frames may be open
        child = machine.begin(f"Part {number}", job)
        job.completed = number
        job.mark()
        machine.end(child)
        # There is something to report at every tick, and the next tick is always to come.
        machine.now += 0.001  # and no sum is rounded below it
        machine.reports()
        (frame,) = machine.control()
        assert [row.description.title for row in frame.endings.endings] == [f"Part {number}"]
        machine.end(machine.begin("Gathered", job))
        assert machine.control() == []
        machine.now += 0.051
        assert len(machine.control()) == 1


def test_requests_whose_handlers_have_not_returned_are_not_more_than_a_limit() -> None:
    machine = Machine()
    machine.meet()
    job = machine.begin("Job")
    job.pausable = True
    called: list[str] = []
    job.handlers.append((wire.VERB_PAUSE, lambda: called.append("pause")))
    job.handlers.append((wire.VERB_RESUME, lambda: called.append("resume")))
    machine.reports()
    verbs = [wire.VERB_PAUSE, wire.VERB_RESUME] * 100

    def ask(first: int) -> list[wire.CommandAnswer]:
        for number, verb in enumerate(verbs, start=first):
            machine.hear(
                command=wire.CommandDelivery(delivery=number, verb=verb, index=[job.index])
            )
        return [
            frame.command_answer for frame in machine.control() if frame.HasField("command_answer")
        ]

    answers = ask(1)
    assert [answer.delivery for answer in answers] == list(range(1, 201))
    accepted = [answer for answer in answers if answer.outcome == wire.OUTCOME_ACCEPTED]
    assert len(accepted) == len(machine.session.commands.calls) == UNDER_WAY
    assert {answer.outcome for answer in answers[UNDER_WAY:]} == {wire.OUTCOME_REFUSED}
    assert answers[-1].text == "too many requests at a time"
    while machine.session.commands.calls:
        machine.session.commands.calls.popleft().run()
    assert called == ["pause", "resume"] * (UNDER_WAY // 2)
    assert [answer.outcome for answer in ask(201)[:UNDER_WAY]] == [
        wire.OUTCOME_ACCEPTED
    ] * UNDER_WAY
