from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StatedState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STATED_STATE_RUNNING: _ClassVar[StatedState]
    STATED_STATE_PAUSED: _ClassVar[StatedState]
    STATED_STATE_SUCCEEDED: _ClassVar[StatedState]
    STATED_STATE_FAILED: _ClassVar[StatedState]
    STATED_STATE_CANCELLED: _ClassVar[StatedState]

class Style(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STYLE_BAR: _ClassVar[Style]
    STYLE_SPINNER: _ClassVar[Style]

class Verb(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERB_UNKNOWN: _ClassVar[Verb]
    VERB_CANCEL: _ClassVar[Verb]
    VERB_PAUSE: _ClassVar[Verb]
    VERB_RESUME: _ClassVar[Verb]
    VERB_DISMISS: _ClassVar[Verb]

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNKNOWN: _ClassVar[Outcome]
    OUTCOME_ACCEPTED: _ClassVar[Outcome]
    OUTCOME_REFUSED: _ClassVar[Outcome]
    OUTCOME_UNSUPPORTED: _ClassVar[Outcome]
    OUTCOME_GONE: _ClassVar[Outcome]
    OUTCOME_NO_ANSWER: _ClassVar[Outcome]

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNKNOWN: _ClassVar[Role]
    ROLE_VIEWER: _ClassVar[Role]
    ROLE_REPORTER: _ClassVar[Role]
    ROLE_CONTROLLER: _ClassVar[Role]
    ROLE_ADMIN: _ClassVar[Role]

class BindingKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BINDING_KIND_UNKNOWN: _ClassVar[BindingKind]
    BINDING_KIND_HOLDER: _ClassVar[BindingKind]
    BINDING_KIND_CHILD: _ClassVar[BindingKind]
    BINDING_KIND_INERT: _ClassVar[BindingKind]

class ShownState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHOWN_STATE_WAITING: _ClassVar[ShownState]
    SHOWN_STATE_RUNNING: _ClassVar[ShownState]
    SHOWN_STATE_PAUSED: _ClassVar[ShownState]
    SHOWN_STATE_CANCELLING: _ClassVar[ShownState]
    SHOWN_STATE_SUCCEEDED: _ClassVar[ShownState]
    SHOWN_STATE_FAILED: _ClassVar[ShownState]
    SHOWN_STATE_CANCELLED: _ClassVar[ShownState]
    SHOWN_STATE_LOST: _ClassVar[ShownState]
STATED_STATE_RUNNING: StatedState
STATED_STATE_PAUSED: StatedState
STATED_STATE_SUCCEEDED: StatedState
STATED_STATE_FAILED: StatedState
STATED_STATE_CANCELLED: StatedState
STYLE_BAR: Style
STYLE_SPINNER: Style
VERB_UNKNOWN: Verb
VERB_CANCEL: Verb
VERB_PAUSE: Verb
VERB_RESUME: Verb
VERB_DISMISS: Verb
OUTCOME_UNKNOWN: Outcome
OUTCOME_ACCEPTED: Outcome
OUTCOME_REFUSED: Outcome
OUTCOME_UNSUPPORTED: Outcome
OUTCOME_GONE: Outcome
OUTCOME_NO_ANSWER: Outcome
ROLE_UNKNOWN: Role
ROLE_VIEWER: Role
ROLE_REPORTER: Role
ROLE_CONTROLLER: Role
ROLE_ADMIN: Role
BINDING_KIND_UNKNOWN: BindingKind
BINDING_KIND_HOLDER: BindingKind
BINDING_KIND_CHILD: BindingKind
BINDING_KIND_INERT: BindingKind
SHOWN_STATE_WAITING: ShownState
SHOWN_STATE_RUNNING: ShownState
SHOWN_STATE_PAUSED: ShownState
SHOWN_STATE_CANCELLING: ShownState
SHOWN_STATE_SUCCEEDED: ShownState
SHOWN_STATE_FAILED: ShownState
SHOWN_STATE_CANCELLED: ShownState
SHOWN_STATE_LOST: ShownState

class TaskRef(_message.Message):
    __slots__ = ("index", "session")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    index: int
    session: int
    def __init__(self, index: _Optional[int] = ..., session: _Optional[int] = ...) -> None: ...

class Process(_message.Message):
    __slots__ = ("host", "pid", "command", "boot_id", "pid_namespace", "start_time", "exit_status", "exit_signal")
    HOST_FIELD_NUMBER: _ClassVar[int]
    PID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    BOOT_ID_FIELD_NUMBER: _ClassVar[int]
    PID_NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    EXIT_STATUS_FIELD_NUMBER: _ClassVar[int]
    EXIT_SIGNAL_FIELD_NUMBER: _ClassVar[int]
    host: str
    pid: int
    command: str
    boot_id: str
    pid_namespace: str
    start_time: int
    exit_status: int
    exit_signal: int
    def __init__(self, host: _Optional[str] = ..., pid: _Optional[int] = ..., command: _Optional[str] = ..., boot_id: _Optional[str] = ..., pid_namespace: _Optional[str] = ..., start_time: _Optional[int] = ..., exit_status: _Optional[int] = ..., exit_signal: _Optional[int] = ...) -> None: ...

class Description(_message.Message):
    __slots__ = ("index", "parent", "ticket", "is_ticket", "title", "unit", "key", "share", "expected_children", "total_is_estimate", "style", "background", "tint", "cancellable", "pausable", "consequence", "expected_gap", "place", "cell", "begun", "host")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    IS_TICKET_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_CHILDREN_FIELD_NUMBER: _ClassVar[int]
    TOTAL_IS_ESTIMATE_FIELD_NUMBER: _ClassVar[int]
    STYLE_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_FIELD_NUMBER: _ClassVar[int]
    TINT_FIELD_NUMBER: _ClassVar[int]
    CANCELLABLE_FIELD_NUMBER: _ClassVar[int]
    PAUSABLE_FIELD_NUMBER: _ClassVar[int]
    CONSEQUENCE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_GAP_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    CELL_FIELD_NUMBER: _ClassVar[int]
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    index: int
    parent: TaskRef
    ticket: TaskRef
    is_ticket: bool
    title: str
    unit: str
    key: str
    share: int
    expected_children: int
    total_is_estimate: bool
    style: Style
    background: bool
    tint: str
    cancellable: bool
    pausable: bool
    consequence: str
    expected_gap: float
    place: int
    cell: int
    begun: float
    host: str
    def __init__(self, index: _Optional[int] = ..., parent: _Optional[_Union[TaskRef, _Mapping]] = ..., ticket: _Optional[_Union[TaskRef, _Mapping]] = ..., is_ticket: bool = ..., title: _Optional[str] = ..., unit: _Optional[str] = ..., key: _Optional[str] = ..., share: _Optional[int] = ..., expected_children: _Optional[int] = ..., total_is_estimate: bool = ..., style: _Optional[_Union[Style, str]] = ..., background: bool = ..., tint: _Optional[str] = ..., cancellable: bool = ..., pausable: bool = ..., consequence: _Optional[str] = ..., expected_gap: _Optional[float] = ..., place: _Optional[int] = ..., cell: _Optional[int] = ..., begun: _Optional[float] = ..., host: _Optional[str] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("elapsed", "active", "since_advance")
    ELAPSED_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SINCE_ADVANCE_FIELD_NUMBER: _ClassVar[int]
    elapsed: int
    active: int
    since_advance: int
    def __init__(self, elapsed: _Optional[int] = ..., active: _Optional[int] = ..., since_advance: _Optional[int] = ...) -> None: ...

class StateChange(_message.Message):
    __slots__ = ("index", "state")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    index: int
    state: StatedState
    def __init__(self, index: _Optional[int] = ..., state: _Optional[_Union[StatedState, str]] = ...) -> None: ...

class Fold(_message.Message):
    __slots__ = ("parent", "succeeded", "failed", "cancelled", "share", "weighted_high", "weighted_low", "sums", "removed", "below")
    PARENT_FIELD_NUMBER: _ClassVar[int]
    SUCCEEDED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    WEIGHTED_HIGH_FIELD_NUMBER: _ClassVar[int]
    WEIGHTED_LOW_FIELD_NUMBER: _ClassVar[int]
    SUMS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    BELOW_FIELD_NUMBER: _ClassVar[int]
    parent: TaskRef
    succeeded: int
    failed: int
    cancelled: int
    share: int
    weighted_high: int
    weighted_low: int
    sums: _containers.RepeatedCompositeFieldContainer[UnitSum]
    removed: _containers.RepeatedScalarFieldContainer[int]
    below: PartBelow
    def __init__(self, parent: _Optional[_Union[TaskRef, _Mapping]] = ..., succeeded: _Optional[int] = ..., failed: _Optional[int] = ..., cancelled: _Optional[int] = ..., share: _Optional[int] = ..., weighted_high: _Optional[int] = ..., weighted_low: _Optional[int] = ..., sums: _Optional[_Iterable[_Union[UnitSum, _Mapping]]] = ..., removed: _Optional[_Iterable[int]] = ..., below: _Optional[_Union[PartBelow, _Mapping]] = ...) -> None: ...

class PartBelow(_message.Message):
    __slots__ = ("waiting", "running", "lost", "live", "advancing", "stalled", "troubles", "alarms", "active_workers", "unmoved_workers", "children", "unfinished_children", "failed_children", "lost_children", "running_children", "running_share", "running_weighted_high", "running_weighted_low", "mute_share")
    WAITING_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    LIVE_FIELD_NUMBER: _ClassVar[int]
    ADVANCING_FIELD_NUMBER: _ClassVar[int]
    STALLED_FIELD_NUMBER: _ClassVar[int]
    TROUBLES_FIELD_NUMBER: _ClassVar[int]
    ALARMS_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_WORKERS_FIELD_NUMBER: _ClassVar[int]
    UNMOVED_WORKERS_FIELD_NUMBER: _ClassVar[int]
    CHILDREN_FIELD_NUMBER: _ClassVar[int]
    UNFINISHED_CHILDREN_FIELD_NUMBER: _ClassVar[int]
    FAILED_CHILDREN_FIELD_NUMBER: _ClassVar[int]
    LOST_CHILDREN_FIELD_NUMBER: _ClassVar[int]
    RUNNING_CHILDREN_FIELD_NUMBER: _ClassVar[int]
    RUNNING_SHARE_FIELD_NUMBER: _ClassVar[int]
    RUNNING_WEIGHTED_HIGH_FIELD_NUMBER: _ClassVar[int]
    RUNNING_WEIGHTED_LOW_FIELD_NUMBER: _ClassVar[int]
    MUTE_SHARE_FIELD_NUMBER: _ClassVar[int]
    waiting: int
    running: int
    lost: int
    live: int
    advancing: int
    stalled: int
    troubles: int
    alarms: int
    active_workers: int
    unmoved_workers: int
    children: int
    unfinished_children: int
    failed_children: int
    lost_children: int
    running_children: int
    running_share: int
    running_weighted_high: int
    running_weighted_low: int
    mute_share: int
    def __init__(self, waiting: _Optional[int] = ..., running: _Optional[int] = ..., lost: _Optional[int] = ..., live: _Optional[int] = ..., advancing: _Optional[int] = ..., stalled: _Optional[int] = ..., troubles: _Optional[int] = ..., alarms: _Optional[int] = ..., active_workers: _Optional[int] = ..., unmoved_workers: _Optional[int] = ..., children: _Optional[int] = ..., unfinished_children: _Optional[int] = ..., failed_children: _Optional[int] = ..., lost_children: _Optional[int] = ..., running_children: _Optional[int] = ..., running_share: _Optional[int] = ..., running_weighted_high: _Optional[int] = ..., running_weighted_low: _Optional[int] = ..., mute_share: _Optional[int] = ...) -> None: ...

class UnitSum(_message.Message):
    __slots__ = ("unit", "completed", "total")
    UNIT_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    unit: str
    completed: int
    total: int
    def __init__(self, unit: _Optional[str] = ..., completed: _Optional[int] = ..., total: _Optional[int] = ...) -> None: ...

class LogLine(_message.Message):
    __slots__ = ("task", "text", "time")
    TASK_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    text: str
    time: float
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., text: _Optional[str] = ..., time: _Optional[float] = ...) -> None: ...

class Report(_message.Message):
    __slots__ = ("credential", "sequence", "keyframe", "keyframe_chunk", "keyframe_last", "amount_index", "completed", "total", "detail_index", "detail", "clock_index", "elapsed", "active", "since_advance", "descriptions", "states", "folds", "logs", "probe")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    KEYFRAME_FIELD_NUMBER: _ClassVar[int]
    KEYFRAME_CHUNK_FIELD_NUMBER: _ClassVar[int]
    KEYFRAME_LAST_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_INDEX_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_INDEX_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    CLOCK_INDEX_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    SINCE_ADVANCE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    FOLDS_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    PROBE_FIELD_NUMBER: _ClassVar[int]
    credential: bytes
    sequence: int
    keyframe: int
    keyframe_chunk: int
    keyframe_last: bool
    amount_index: _containers.RepeatedScalarFieldContainer[int]
    completed: _containers.RepeatedScalarFieldContainer[int]
    total: _containers.RepeatedScalarFieldContainer[int]
    detail_index: _containers.RepeatedScalarFieldContainer[int]
    detail: _containers.RepeatedScalarFieldContainer[str]
    clock_index: _containers.RepeatedScalarFieldContainer[int]
    elapsed: _containers.RepeatedScalarFieldContainer[int]
    active: _containers.RepeatedScalarFieldContainer[int]
    since_advance: _containers.RepeatedScalarFieldContainer[int]
    descriptions: _containers.RepeatedCompositeFieldContainer[Description]
    states: _containers.RepeatedCompositeFieldContainer[StateChange]
    folds: _containers.RepeatedCompositeFieldContainer[Fold]
    logs: _containers.RepeatedCompositeFieldContainer[LogLine]
    probe: int
    def __init__(self, credential: _Optional[bytes] = ..., sequence: _Optional[int] = ..., keyframe: _Optional[int] = ..., keyframe_chunk: _Optional[int] = ..., keyframe_last: bool = ..., amount_index: _Optional[_Iterable[int]] = ..., completed: _Optional[_Iterable[int]] = ..., total: _Optional[_Iterable[int]] = ..., detail_index: _Optional[_Iterable[int]] = ..., detail: _Optional[_Iterable[str]] = ..., clock_index: _Optional[_Iterable[int]] = ..., elapsed: _Optional[_Iterable[int]] = ..., active: _Optional[_Iterable[int]] = ..., since_advance: _Optional[_Iterable[int]] = ..., descriptions: _Optional[_Iterable[_Union[Description, _Mapping]]] = ..., states: _Optional[_Iterable[_Union[StateChange, _Mapping]]] = ..., folds: _Optional[_Iterable[_Union[Fold, _Mapping]]] = ..., logs: _Optional[_Iterable[_Union[LogLine, _Mapping]]] = ..., probe: _Optional[int] = ...) -> None: ...

class ClientFrame(_message.Message):
    __slots__ = ("credential", "hello", "heartbeat", "endings", "sync", "redeem", "goodbye", "snapshot", "find", "command", "command_answer", "probe", "detached", "access", "fleet_pages", "fleet_rows", "fleet_answer", "fleet_session")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    ENDINGS_FIELD_NUMBER: _ClassVar[int]
    SYNC_FIELD_NUMBER: _ClassVar[int]
    REDEEM_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    FIND_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ANSWER_FIELD_NUMBER: _ClassVar[int]
    PROBE_FIELD_NUMBER: _ClassVar[int]
    DETACHED_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    FLEET_PAGES_FIELD_NUMBER: _ClassVar[int]
    FLEET_ROWS_FIELD_NUMBER: _ClassVar[int]
    FLEET_ANSWER_FIELD_NUMBER: _ClassVar[int]
    FLEET_SESSION_FIELD_NUMBER: _ClassVar[int]
    credential: bytes
    hello: Hello
    heartbeat: Heartbeat
    endings: Endings
    sync: Sync
    redeem: Redeem
    goodbye: Goodbye
    snapshot: SnapshotRequest
    find: Find
    command: CommandRequest
    command_answer: CommandAnswer
    probe: Probe
    detached: DetachedRequest
    access: AccessRequest
    fleet_pages: FleetPages
    fleet_rows: FleetRows
    fleet_answer: FleetAnswer
    fleet_session: FleetSession
    def __init__(self, credential: _Optional[bytes] = ..., hello: _Optional[_Union[Hello, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., endings: _Optional[_Union[Endings, _Mapping]] = ..., sync: _Optional[_Union[Sync, _Mapping]] = ..., redeem: _Optional[_Union[Redeem, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ..., snapshot: _Optional[_Union[SnapshotRequest, _Mapping]] = ..., find: _Optional[_Union[Find, _Mapping]] = ..., command: _Optional[_Union[CommandRequest, _Mapping]] = ..., command_answer: _Optional[_Union[CommandAnswer, _Mapping]] = ..., probe: _Optional[_Union[Probe, _Mapping]] = ..., detached: _Optional[_Union[DetachedRequest, _Mapping]] = ..., access: _Optional[_Union[AccessRequest, _Mapping]] = ..., fleet_pages: _Optional[_Union[FleetPages, _Mapping]] = ..., fleet_rows: _Optional[_Union[FleetRows, _Mapping]] = ..., fleet_answer: _Optional[_Union[FleetAnswer, _Mapping]] = ..., fleet_session: _Optional[_Union[FleetSession, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("session", "process", "client", "viewer", "time", "broker")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    PROCESS_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    VIEWER_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    BROKER_FIELD_NUMBER: _ClassVar[int]
    session: int
    process: Process
    client: str
    viewer: bool
    time: float
    broker: int
    def __init__(self, session: _Optional[int] = ..., process: _Optional[_Union[Process, _Mapping]] = ..., client: _Optional[str] = ..., viewer: bool = ..., time: _Optional[float] = ..., broker: _Optional[int] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("sequence",)
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    def __init__(self, sequence: _Optional[int] = ...) -> None: ...

class Endings(_message.Message):
    __slots__ = ("sequence", "endings", "folds")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ENDINGS_FIELD_NUMBER: _ClassVar[int]
    FOLDS_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    endings: _containers.RepeatedCompositeFieldContainer[Ending]
    folds: _containers.RepeatedCompositeFieldContainer[Fold]
    def __init__(self, sequence: _Optional[int] = ..., endings: _Optional[_Iterable[_Union[Ending, _Mapping]]] = ..., folds: _Optional[_Iterable[_Union[Fold, _Mapping]]] = ...) -> None: ...

class Ending(_message.Message):
    __slots__ = ("description", "state", "reason", "completed", "total", "detail", "clock", "time", "owner")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    description: Description
    state: StatedState
    reason: str
    completed: int
    total: int
    detail: str
    clock: Clock
    time: float
    owner: str
    def __init__(self, description: _Optional[_Union[Description, _Mapping]] = ..., state: _Optional[_Union[StatedState, str]] = ..., reason: _Optional[str] = ..., completed: _Optional[int] = ..., total: _Optional[int] = ..., detail: _Optional[str] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., time: _Optional[float] = ..., owner: _Optional[str] = ...) -> None: ...

class Sync(_message.Message):
    __slots__ = ("request", "sequence")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    request: int
    sequence: int
    def __init__(self, request: _Optional[int] = ..., sequence: _Optional[int] = ...) -> None: ...

class Redeem(_message.Message):
    __slots__ = ("index", "ticket", "known")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    index: int
    ticket: TaskRef
    known: Binding
    def __init__(self, index: _Optional[int] = ..., ticket: _Optional[_Union[TaskRef, _Mapping]] = ..., known: _Optional[_Union[Binding, _Mapping]] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("sequence",)
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    def __init__(self, sequence: _Optional[int] = ...) -> None: ...

class SnapshotRequest(_message.Message):
    __slots__ = ("request", "topic", "cursor", "max_rows", "max_bytes")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    MAX_ROWS_FIELD_NUMBER: _ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    request: int
    topic: str
    cursor: bytes
    max_rows: int
    max_bytes: int
    def __init__(self, request: _Optional[int] = ..., topic: _Optional[str] = ..., cursor: _Optional[bytes] = ..., max_rows: _Optional[int] = ..., max_bytes: _Optional[int] = ...) -> None: ...

class FleetPages(_message.Message):
    __slots__ = ("pages", "trouble")
    PAGES_FIELD_NUMBER: _ClassVar[int]
    TROUBLE_FIELD_NUMBER: _ClassVar[int]
    pages: _containers.RepeatedScalarFieldContainer[int]
    trouble: str
    def __init__(self, pages: _Optional[_Iterable[int]] = ..., trouble: _Optional[str] = ...) -> None: ...

class FleetRows(_message.Message):
    __slots__ = ("broker", "host", "rows", "removed", "unheard", "left")
    BROKER_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    UNHEARD_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    broker: int
    host: str
    rows: _containers.RepeatedCompositeFieldContainer[Row]
    removed: _containers.RepeatedCompositeFieldContainer[TaskRef]
    unheard: float
    left: bool
    def __init__(self, broker: _Optional[int] = ..., host: _Optional[str] = ..., rows: _Optional[_Iterable[_Union[Row, _Mapping]]] = ..., removed: _Optional[_Iterable[_Union[TaskRef, _Mapping]]] = ..., unheard: _Optional[float] = ..., left: bool = ...) -> None: ...

class FleetAnswer(_message.Message):
    __slots__ = ("broker", "refusal", "snapshot", "found", "command_result", "detached", "number")
    BROKER_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    COMMAND_RESULT_FIELD_NUMBER: _ClassVar[int]
    DETACHED_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    broker: int
    refusal: Refusal
    snapshot: SnapshotChunk
    found: Found
    command_result: CommandResult
    detached: DetachedAnswer
    number: int
    def __init__(self, broker: _Optional[int] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., snapshot: _Optional[_Union[SnapshotChunk, _Mapping]] = ..., found: _Optional[_Union[Found, _Mapping]] = ..., command_result: _Optional[_Union[CommandResult, _Mapping]] = ..., detached: _Optional[_Union[DetachedAnswer, _Mapping]] = ..., number: _Optional[int] = ...) -> None: ...

class FleetSession(_message.Message):
    __slots__ = ("broker", "session", "frame")
    BROKER_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    broker: int
    session: int
    frame: bytes
    def __init__(self, broker: _Optional[int] = ..., session: _Optional[int] = ..., frame: _Optional[bytes] = ...) -> None: ...

class Find(_message.Message):
    __slots__ = ("request", "text", "search")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    request: int
    text: str
    search: Search
    def __init__(self, request: _Optional[int] = ..., text: _Optional[str] = ..., search: _Optional[_Union[Search, _Mapping]] = ...) -> None: ...

class Search(_message.Message):
    __slots__ = ("filter", "job", "after", "backwards")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    JOB_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    BACKWARDS_FIELD_NUMBER: _ClassVar[int]
    filter: str
    job: TaskRef
    after: TaskRef
    backwards: bool
    def __init__(self, filter: _Optional[str] = ..., job: _Optional[_Union[TaskRef, _Mapping]] = ..., after: _Optional[_Union[TaskRef, _Mapping]] = ..., backwards: bool = ...) -> None: ...

class CommandRequest(_message.Message):
    __slots__ = ("request", "verb", "target", "timeout")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    VERB_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    request: int
    verb: Verb
    target: TaskRef
    timeout: int
    def __init__(self, request: _Optional[int] = ..., verb: _Optional[_Union[Verb, str]] = ..., target: _Optional[_Union[TaskRef, _Mapping]] = ..., timeout: _Optional[int] = ...) -> None: ...

class CommandAnswer(_message.Message):
    __slots__ = ("delivery", "outcome", "text")
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    delivery: int
    outcome: Outcome
    text: str
    def __init__(self, delivery: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., text: _Optional[str] = ...) -> None: ...

class Probe(_message.Message):
    __slots__ = ("request",)
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    request: int
    def __init__(self, request: _Optional[int] = ...) -> None: ...

class DetachedRequest(_message.Message):
    __slots__ = ("request_id", "begin", "update", "advance", "end")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    BEGIN_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    ADVANCE_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    request_id: bytes
    begin: DetachedBegin
    update: DetachedUpdate
    advance: DetachedAdvance
    end: DetachedEnd
    def __init__(self, request_id: _Optional[bytes] = ..., begin: _Optional[_Union[DetachedBegin, _Mapping]] = ..., update: _Optional[_Union[DetachedUpdate, _Mapping]] = ..., advance: _Optional[_Union[DetachedAdvance, _Mapping]] = ..., end: _Optional[_Union[DetachedEnd, _Mapping]] = ...) -> None: ...

class DetachedBegin(_message.Message):
    __slots__ = ("title", "parent", "share", "total", "unit", "key", "detail", "expect_every")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    EXPECT_EVERY_FIELD_NUMBER: _ClassVar[int]
    title: str
    parent: str
    share: int
    total: int
    unit: str
    key: str
    detail: str
    expect_every: float
    def __init__(self, title: _Optional[str] = ..., parent: _Optional[str] = ..., share: _Optional[int] = ..., total: _Optional[int] = ..., unit: _Optional[str] = ..., key: _Optional[str] = ..., detail: _Optional[str] = ..., expect_every: _Optional[float] = ...) -> None: ...

class DetachedUpdate(_message.Message):
    __slots__ = ("task", "completed", "total", "detail", "title")
    TASK_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    completed: int
    total: int
    detail: str
    title: str
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., completed: _Optional[int] = ..., total: _Optional[int] = ..., detail: _Optional[str] = ..., title: _Optional[str] = ...) -> None: ...

class DetachedAdvance(_message.Message):
    __slots__ = ("task", "by")
    TASK_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    by: int
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., by: _Optional[int] = ...) -> None: ...

class DetachedEnd(_message.Message):
    __slots__ = ("task", "state", "reason")
    TASK_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    state: StatedState
    reason: str
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., state: _Optional[_Union[StatedState, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class AccessRequest(_message.Message):
    __slots__ = ("request", "join", "renew", "invite", "revoke", "members", "renew_broker")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    JOIN_FIELD_NUMBER: _ClassVar[int]
    RENEW_FIELD_NUMBER: _ClassVar[int]
    INVITE_FIELD_NUMBER: _ClassVar[int]
    REVOKE_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    RENEW_BROKER_FIELD_NUMBER: _ClassVar[int]
    request: int
    join: Join
    renew: Renew
    invite: Invite
    revoke: Revoke
    members: MembersRequest
    renew_broker: RenewBroker
    def __init__(self, request: _Optional[int] = ..., join: _Optional[_Union[Join, _Mapping]] = ..., renew: _Optional[_Union[Renew, _Mapping]] = ..., invite: _Optional[_Union[Invite, _Mapping]] = ..., revoke: _Optional[_Union[Revoke, _Mapping]] = ..., members: _Optional[_Union[MembersRequest, _Mapping]] = ..., renew_broker: _Optional[_Union[RenewBroker, _Mapping]] = ...) -> None: ...

class Join(_message.Message):
    __slots__ = ("key", "name")
    KEY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    name: str
    def __init__(self, key: _Optional[bytes] = ..., name: _Optional[str] = ...) -> None: ...

class Renew(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    def __init__(self, key: _Optional[bytes] = ...) -> None: ...

class RenewBroker(_message.Message):
    __slots__ = ("take",)
    TAKE_FIELD_NUMBER: _ClassVar[int]
    take: bytes
    def __init__(self, take: _Optional[bytes] = ...) -> None: ...

class Invite(_message.Message):
    __slots__ = ("key", "role", "uses", "seconds")
    KEY_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    role: Role
    uses: int
    seconds: int
    def __init__(self, key: _Optional[bytes] = ..., role: _Optional[_Union[Role, str]] = ..., uses: _Optional[int] = ..., seconds: _Optional[int] = ...) -> None: ...

class Revoke(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class MembersRequest(_message.Message):
    __slots__ = ("skip",)
    SKIP_FIELD_NUMBER: _ClassVar[int]
    skip: int
    def __init__(self, skip: _Optional[int] = ...) -> None: ...

class BrokerFrame(_message.Message):
    __slots__ = ("epoch", "refusal", "who", "welcome", "endings_journalled", "sync_reached", "binding", "places", "goodbye_accepted", "snapshot", "found", "command", "command_result", "probe", "detached", "access", "fleet_question", "fleet_session", "next_key")
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    ENDINGS_JOURNALLED_FIELD_NUMBER: _ClassVar[int]
    SYNC_REACHED_FIELD_NUMBER: _ClassVar[int]
    BINDING_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    COMMAND_RESULT_FIELD_NUMBER: _ClassVar[int]
    PROBE_FIELD_NUMBER: _ClassVar[int]
    DETACHED_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    FLEET_QUESTION_FIELD_NUMBER: _ClassVar[int]
    FLEET_SESSION_FIELD_NUMBER: _ClassVar[int]
    NEXT_KEY_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    refusal: Refusal
    who: Who
    welcome: Welcome
    endings_journalled: EndingsJournalled
    sync_reached: SyncReached
    binding: Binding
    places: Places
    goodbye_accepted: GoodbyeAccepted
    snapshot: SnapshotChunk
    found: Found
    command: CommandDelivery
    command_result: CommandResult
    probe: ProbeAnswer
    detached: DetachedAnswer
    access: AccessAnswer
    fleet_question: FleetQuestion
    fleet_session: FleetSession
    next_key: bytes
    def __init__(self, epoch: _Optional[int] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., who: _Optional[_Union[Who, _Mapping]] = ..., welcome: _Optional[_Union[Welcome, _Mapping]] = ..., endings_journalled: _Optional[_Union[EndingsJournalled, _Mapping]] = ..., sync_reached: _Optional[_Union[SyncReached, _Mapping]] = ..., binding: _Optional[_Union[Binding, _Mapping]] = ..., places: _Optional[_Union[Places, _Mapping]] = ..., goodbye_accepted: _Optional[_Union[GoodbyeAccepted, _Mapping]] = ..., snapshot: _Optional[_Union[SnapshotChunk, _Mapping]] = ..., found: _Optional[_Union[Found, _Mapping]] = ..., command: _Optional[_Union[CommandDelivery, _Mapping]] = ..., command_result: _Optional[_Union[CommandResult, _Mapping]] = ..., probe: _Optional[_Union[ProbeAnswer, _Mapping]] = ..., detached: _Optional[_Union[DetachedAnswer, _Mapping]] = ..., access: _Optional[_Union[AccessAnswer, _Mapping]] = ..., fleet_question: _Optional[_Union[FleetQuestion, _Mapping]] = ..., fleet_session: _Optional[_Union[FleetSession, _Mapping]] = ..., next_key: _Optional[bytes] = ...) -> None: ...

class FleetQuestion(_message.Message):
    __slots__ = ("broker", "snapshot", "find", "command", "detached", "number")
    BROKER_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    FIND_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    DETACHED_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    broker: int
    snapshot: SnapshotRequest
    find: Find
    command: CommandRequest
    detached: DetachedRequest
    number: int
    def __init__(self, broker: _Optional[int] = ..., snapshot: _Optional[_Union[SnapshotRequest, _Mapping]] = ..., find: _Optional[_Union[Find, _Mapping]] = ..., command: _Optional[_Union[CommandRequest, _Mapping]] = ..., detached: _Optional[_Union[DetachedRequest, _Mapping]] = ..., number: _Optional[int] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("code", "sentence", "request", "major", "minor", "index")
    CODE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    MAJOR_FIELD_NUMBER: _ClassVar[int]
    MINOR_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    code: int
    sentence: str
    request: int
    major: int
    minor: int
    index: int
    def __init__(self, code: _Optional[int] = ..., sentence: _Optional[str] = ..., request: _Optional[int] = ..., major: _Optional[int] = ..., minor: _Optional[int] = ..., index: _Optional[int] = ...) -> None: ...

class Who(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("version", "heartbeat", "tick", "settling", "uptime", "minor", "sequence")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    SETTLING_FIELD_NUMBER: _ClassVar[int]
    UPTIME_FIELD_NUMBER: _ClassVar[int]
    MINOR_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    version: str
    heartbeat: int
    tick: int
    settling: bool
    uptime: float
    minor: int
    sequence: int
    def __init__(self, version: _Optional[str] = ..., heartbeat: _Optional[int] = ..., tick: _Optional[int] = ..., settling: bool = ..., uptime: _Optional[float] = ..., minor: _Optional[int] = ..., sequence: _Optional[int] = ...) -> None: ...

class EndingsJournalled(_message.Message):
    __slots__ = ("sequence",)
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    def __init__(self, sequence: _Optional[int] = ...) -> None: ...

class SyncReached(_message.Message):
    __slots__ = ("request",)
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    request: int
    def __init__(self, request: _Optional[int] = ...) -> None: ...

class Binding(_message.Message):
    __slots__ = ("index", "kind", "task", "attempt")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    index: int
    kind: BindingKind
    task: TaskRef
    attempt: int
    def __init__(self, index: _Optional[int] = ..., kind: _Optional[_Union[BindingKind, str]] = ..., task: _Optional[_Union[TaskRef, _Mapping]] = ..., attempt: _Optional[int] = ...) -> None: ...

class Places(_message.Message):
    __slots__ = ("index", "place", "cell")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    CELL_FIELD_NUMBER: _ClassVar[int]
    index: _containers.RepeatedScalarFieldContainer[int]
    place: _containers.RepeatedScalarFieldContainer[int]
    cell: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, index: _Optional[_Iterable[int]] = ..., place: _Optional[_Iterable[int]] = ..., cell: _Optional[_Iterable[int]] = ...) -> None: ...

class GoodbyeAccepted(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SnapshotChunk(_message.Message):
    __slots__ = ("request", "topic", "sequence", "rows", "cursor", "last", "totals", "attention", "states", "logs", "settling", "time", "hosts", "unheard")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    ATTENTION_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    SETTLING_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    UNHEARD_FIELD_NUMBER: _ClassVar[int]
    request: int
    topic: str
    sequence: int
    rows: _containers.RepeatedCompositeFieldContainer[Row]
    cursor: bytes
    last: bool
    totals: Totals
    attention: _containers.RepeatedCompositeFieldContainer[TaskRef]
    states: bytes
    logs: _containers.RepeatedCompositeFieldContainer[LogLine]
    settling: bool
    time: float
    hosts: Hosts
    unheard: bool
    def __init__(self, request: _Optional[int] = ..., topic: _Optional[str] = ..., sequence: _Optional[int] = ..., rows: _Optional[_Iterable[_Union[Row, _Mapping]]] = ..., cursor: _Optional[bytes] = ..., last: bool = ..., totals: _Optional[_Union[Totals, _Mapping]] = ..., attention: _Optional[_Iterable[_Union[TaskRef, _Mapping]]] = ..., states: _Optional[bytes] = ..., logs: _Optional[_Iterable[_Union[LogLine, _Mapping]]] = ..., settling: bool = ..., time: _Optional[float] = ..., hosts: _Optional[_Union[Hosts, _Mapping]] = ..., unheard: bool = ...) -> None: ...

class Found(_message.Message):
    __slots__ = ("request", "tasks", "searched")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    SEARCHED_FIELD_NUMBER: _ClassVar[int]
    request: int
    tasks: _containers.RepeatedCompositeFieldContainer[FoundTask]
    searched: Searched
    def __init__(self, request: _Optional[int] = ..., tasks: _Optional[_Iterable[_Union[FoundTask, _Mapping]]] = ..., searched: _Optional[_Union[Searched, _Mapping]] = ...) -> None: ...

class Searched(_message.Message):
    __slots__ = ("hits", "looked", "reached")
    HITS_FIELD_NUMBER: _ClassVar[int]
    LOOKED_FIELD_NUMBER: _ClassVar[int]
    REACHED_FIELD_NUMBER: _ClassVar[int]
    hits: int
    looked: int
    reached: TaskRef
    def __init__(self, hits: _Optional[int] = ..., looked: _Optional[int] = ..., reached: _Optional[_Union[TaskRef, _Mapping]] = ...) -> None: ...

class FoundTask(_message.Message):
    __slots__ = ("task", "job", "title", "key", "slot", "path", "place")
    TASK_FIELD_NUMBER: _ClassVar[int]
    JOB_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    job: TaskRef
    title: str
    key: str
    slot: int
    path: _containers.RepeatedCompositeFieldContainer[TaskRef]
    place: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., job: _Optional[_Union[TaskRef, _Mapping]] = ..., title: _Optional[str] = ..., key: _Optional[str] = ..., slot: _Optional[int] = ..., path: _Optional[_Iterable[_Union[TaskRef, _Mapping]]] = ..., place: _Optional[_Iterable[int]] = ...) -> None: ...

class CommandDelivery(_message.Message):
    __slots__ = ("delivery", "verb", "index")
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    VERB_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    delivery: int
    verb: Verb
    index: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, delivery: _Optional[int] = ..., verb: _Optional[_Union[Verb, str]] = ..., index: _Optional[_Iterable[int]] = ...) -> None: ...

class CommandResult(_message.Message):
    __slots__ = ("request", "session", "process", "outcome", "text", "last", "asked")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    PROCESS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    request: int
    session: int
    process: Process
    outcome: Outcome
    text: str
    last: bool
    asked: int
    def __init__(self, request: _Optional[int] = ..., session: _Optional[int] = ..., process: _Optional[_Union[Process, _Mapping]] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., text: _Optional[str] = ..., last: bool = ..., asked: _Optional[int] = ...) -> None: ...

class ProbeAnswer(_message.Message):
    __slots__ = ("request", "hosts", "other_hosts", "trouble")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    OTHER_HOSTS_FIELD_NUMBER: _ClassVar[int]
    TROUBLE_FIELD_NUMBER: _ClassVar[int]
    request: int
    hosts: _containers.RepeatedCompositeFieldContainer[FleetHost]
    other_hosts: int
    trouble: str
    def __init__(self, request: _Optional[int] = ..., hosts: _Optional[_Iterable[_Union[FleetHost, _Mapping]]] = ..., other_hosts: _Optional[int] = ..., trouble: _Optional[str] = ...) -> None: ...

class FleetHost(_message.Message):
    __slots__ = ("name", "unheard")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UNHEARD_FIELD_NUMBER: _ClassVar[int]
    name: str
    unheard: float
    def __init__(self, name: _Optional[str] = ..., unheard: _Optional[float] = ...) -> None: ...

class DetachedAnswer(_message.Message):
    __slots__ = ("request_id", "task", "code", "sentence")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    request_id: bytes
    task: TaskRef
    code: int
    sentence: str
    def __init__(self, request_id: _Optional[bytes] = ..., task: _Optional[_Union[TaskRef, _Mapping]] = ..., code: _Optional[int] = ..., sentence: _Optional[str] = ...) -> None: ...

class AccessAnswer(_message.Message):
    __slots__ = ("request", "code", "sentence", "member", "members", "invitations", "last", "refused", "addresses", "renews")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    ADDRESSES_FIELD_NUMBER: _ClassVar[int]
    RENEWS_FIELD_NUMBER: _ClassVar[int]
    request: int
    code: int
    sentence: str
    member: Member
    members: _containers.RepeatedCompositeFieldContainer[Member]
    invitations: _containers.RepeatedCompositeFieldContainer[OpenInvitation]
    last: bool
    refused: int
    addresses: _containers.RepeatedCompositeFieldContainer[RefusedAddress]
    renews: int
    def __init__(self, request: _Optional[int] = ..., code: _Optional[int] = ..., sentence: _Optional[str] = ..., member: _Optional[_Union[Member, _Mapping]] = ..., members: _Optional[_Iterable[_Union[Member, _Mapping]]] = ..., invitations: _Optional[_Iterable[_Union[OpenInvitation, _Mapping]]] = ..., last: bool = ..., refused: _Optional[int] = ..., addresses: _Optional[_Iterable[_Union[RefusedAddress, _Mapping]]] = ..., renews: _Optional[int] = ...) -> None: ...

class Member(_message.Message):
    __slots__ = ("name", "role", "key", "since", "expires")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    name: str
    role: Role
    key: bytes
    since: int
    expires: int
    def __init__(self, name: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., key: _Optional[bytes] = ..., since: _Optional[int] = ..., expires: _Optional[int] = ...) -> None: ...

class OpenInvitation(_message.Message):
    __slots__ = ("name", "role", "uses", "expires", "by")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    name: str
    role: Role
    uses: int
    expires: int
    by: str
    def __init__(self, name: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., uses: _Optional[int] = ..., expires: _Optional[int] = ..., by: _Optional[str] = ...) -> None: ...

class RefusedAddress(_message.Message):
    __slots__ = ("address", "count", "last")
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    address: str
    count: int
    last: int
    def __init__(self, address: _Optional[str] = ..., count: _Optional[int] = ..., last: _Optional[int] = ...) -> None: ...

class Row(_message.Message):
    __slots__ = ("task", "sequence", "description", "progress")
    TASK_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    sequence: int
    description: RowDescription
    progress: RowProgress
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., sequence: _Optional[int] = ..., description: _Optional[_Union[RowDescription, _Mapping]] = ..., progress: _Optional[_Union[RowProgress, _Mapping]] = ...) -> None: ...

class RowDescription(_message.Message):
    __slots__ = ("parent", "job", "key", "slot", "place", "cell", "title", "unit", "style", "background", "tint", "cancellable", "pausable", "consequence", "share", "attempt", "process", "expected_children", "depth", "expected_gap", "orphan", "earlier_attempts", "host", "elsewhere")
    PARENT_FIELD_NUMBER: _ClassVar[int]
    JOB_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    CELL_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    STYLE_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_FIELD_NUMBER: _ClassVar[int]
    TINT_FIELD_NUMBER: _ClassVar[int]
    CANCELLABLE_FIELD_NUMBER: _ClassVar[int]
    PAUSABLE_FIELD_NUMBER: _ClassVar[int]
    CONSEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    PROCESS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_CHILDREN_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_GAP_FIELD_NUMBER: _ClassVar[int]
    ORPHAN_FIELD_NUMBER: _ClassVar[int]
    EARLIER_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    ELSEWHERE_FIELD_NUMBER: _ClassVar[int]
    parent: TaskRef
    job: TaskRef
    key: str
    slot: int
    place: int
    cell: int
    title: str
    unit: str
    style: Style
    background: bool
    tint: str
    cancellable: bool
    pausable: bool
    consequence: str
    share: int
    attempt: int
    process: Process
    expected_children: int
    depth: int
    expected_gap: float
    orphan: bool
    earlier_attempts: int
    host: str
    elsewhere: bool
    def __init__(self, parent: _Optional[_Union[TaskRef, _Mapping]] = ..., job: _Optional[_Union[TaskRef, _Mapping]] = ..., key: _Optional[str] = ..., slot: _Optional[int] = ..., place: _Optional[int] = ..., cell: _Optional[int] = ..., title: _Optional[str] = ..., unit: _Optional[str] = ..., style: _Optional[_Union[Style, str]] = ..., background: bool = ..., tint: _Optional[str] = ..., cancellable: bool = ..., pausable: bool = ..., consequence: _Optional[str] = ..., share: _Optional[int] = ..., attempt: _Optional[int] = ..., process: _Optional[_Union[Process, _Mapping]] = ..., expected_children: _Optional[int] = ..., depth: _Optional[int] = ..., expected_gap: _Optional[float] = ..., orphan: bool = ..., earlier_attempts: _Optional[int] = ..., host: _Optional[str] = ..., elsewhere: bool = ...) -> None: ...

class Counts(_message.Message):
    __slots__ = ("waiting", "running", "succeeded", "failed", "cancelled", "lost")
    WAITING_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    SUCCEEDED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    waiting: int
    running: int
    succeeded: int
    failed: int
    cancelled: int
    lost: int
    def __init__(self, waiting: _Optional[int] = ..., running: _Optional[int] = ..., succeeded: _Optional[int] = ..., failed: _Optional[int] = ..., cancelled: _Optional[int] = ..., lost: _Optional[int] = ...) -> None: ...

class Hosts(_message.Message):
    __slots__ = ("hosts", "others", "other_hosts", "partial")
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    OTHER_HOSTS_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_FIELD_NUMBER: _ClassVar[int]
    hosts: _containers.RepeatedCompositeFieldContainer[HostCounts]
    others: Counts
    other_hosts: int
    partial: bool
    def __init__(self, hosts: _Optional[_Iterable[_Union[HostCounts, _Mapping]]] = ..., others: _Optional[_Union[Counts, _Mapping]] = ..., other_hosts: _Optional[int] = ..., partial: bool = ...) -> None: ...

class HostCounts(_message.Message):
    __slots__ = ("host", "counts")
    HOST_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    host: str
    counts: Counts
    def __init__(self, host: _Optional[str] = ..., counts: _Optional[_Union[Counts, _Mapping]] = ...) -> None: ...

class RowProgress(_message.Message):
    __slots__ = ("state", "stalled", "silent", "needs_attention", "indeterminate", "total_is_estimate", "fraction", "display_fraction", "completed", "total", "rate", "seconds_left", "begun", "ended", "active", "advanced", "detail", "reason", "exit_status", "exit_signal", "counts", "attention", "children_left_out", "note", "sums", "total_before")
    STATE_FIELD_NUMBER: _ClassVar[int]
    STALLED_FIELD_NUMBER: _ClassVar[int]
    SILENT_FIELD_NUMBER: _ClassVar[int]
    NEEDS_ATTENTION_FIELD_NUMBER: _ClassVar[int]
    INDETERMINATE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_IS_ESTIMATE_FIELD_NUMBER: _ClassVar[int]
    FRACTION_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_FRACTION_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    RATE_FIELD_NUMBER: _ClassVar[int]
    SECONDS_LEFT_FIELD_NUMBER: _ClassVar[int]
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    ADVANCED_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    EXIT_STATUS_FIELD_NUMBER: _ClassVar[int]
    EXIT_SIGNAL_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    ATTENTION_FIELD_NUMBER: _ClassVar[int]
    CHILDREN_LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    SUMS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_BEFORE_FIELD_NUMBER: _ClassVar[int]
    state: ShownState
    stalled: bool
    silent: bool
    needs_attention: bool
    indeterminate: bool
    total_is_estimate: bool
    fraction: float
    display_fraction: float
    completed: int
    total: int
    rate: float
    seconds_left: float
    begun: float
    ended: float
    active: float
    advanced: float
    detail: str
    reason: str
    exit_status: int
    exit_signal: int
    counts: Counts
    attention: int
    children_left_out: int
    note: str
    sums: _containers.RepeatedCompositeFieldContainer[UnitSum]
    total_before: int
    def __init__(self, state: _Optional[_Union[ShownState, str]] = ..., stalled: bool = ..., silent: bool = ..., needs_attention: bool = ..., indeterminate: bool = ..., total_is_estimate: bool = ..., fraction: _Optional[float] = ..., display_fraction: _Optional[float] = ..., completed: _Optional[int] = ..., total: _Optional[int] = ..., rate: _Optional[float] = ..., seconds_left: _Optional[float] = ..., begun: _Optional[float] = ..., ended: _Optional[float] = ..., active: _Optional[float] = ..., advanced: _Optional[float] = ..., detail: _Optional[str] = ..., reason: _Optional[str] = ..., exit_status: _Optional[int] = ..., exit_signal: _Optional[int] = ..., counts: _Optional[_Union[Counts, _Mapping]] = ..., attention: _Optional[int] = ..., children_left_out: _Optional[int] = ..., note: _Optional[str] = ..., sums: _Optional[_Iterable[_Union[UnitSum, _Mapping]]] = ..., total_before: _Optional[int] = ...) -> None: ...

class Removed(_message.Message):
    __slots__ = ("task", "reason")
    TASK_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    task: TaskRef
    reason: str
    def __init__(self, task: _Optional[_Union[TaskRef, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class Totals(_message.Message):
    __slots__ = ("jobs", "tasks", "needing_attention", "highest_slot", "sessions", "version", "uptime", "refused", "unattached")
    JOBS_FIELD_NUMBER: _ClassVar[int]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    NEEDING_ATTENTION_FIELD_NUMBER: _ClassVar[int]
    HIGHEST_SLOT_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    UPTIME_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    UNATTACHED_FIELD_NUMBER: _ClassVar[int]
    jobs: Counts
    tasks: Counts
    needing_attention: int
    highest_slot: int
    sessions: int
    version: str
    uptime: float
    refused: int
    unattached: int
    def __init__(self, jobs: _Optional[_Union[Counts, _Mapping]] = ..., tasks: _Optional[_Union[Counts, _Mapping]] = ..., needing_attention: _Optional[int] = ..., highest_slot: _Optional[int] = ..., sessions: _Optional[int] = ..., version: _Optional[str] = ..., uptime: _Optional[float] = ..., refused: _Optional[int] = ..., unattached: _Optional[int] = ...) -> None: ...

class Update(_message.Message):
    __slots__ = ("epoch", "sequence", "previous", "time", "settling", "rows", "removed", "totals", "attention", "states", "logs", "hosts", "unheard")
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SETTLING_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    ATTENTION_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    UNHEARD_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    sequence: int
    previous: int
    time: float
    settling: bool
    rows: _containers.RepeatedCompositeFieldContainer[Row]
    removed: _containers.RepeatedCompositeFieldContainer[Removed]
    totals: Totals
    attention: _containers.RepeatedCompositeFieldContainer[TaskRef]
    states: bytes
    logs: _containers.RepeatedCompositeFieldContainer[LogLine]
    hosts: Hosts
    unheard: bool
    def __init__(self, epoch: _Optional[int] = ..., sequence: _Optional[int] = ..., previous: _Optional[int] = ..., time: _Optional[float] = ..., settling: bool = ..., rows: _Optional[_Iterable[_Union[Row, _Mapping]]] = ..., removed: _Optional[_Iterable[_Union[Removed, _Mapping]]] = ..., totals: _Optional[_Union[Totals, _Mapping]] = ..., attention: _Optional[_Iterable[_Union[TaskRef, _Mapping]]] = ..., states: _Optional[bytes] = ..., logs: _Optional[_Iterable[_Union[LogLine, _Mapping]]] = ..., hosts: _Optional[_Union[Hosts, _Mapping]] = ..., unheard: bool = ...) -> None: ...

class FleetRecord(_message.Message):
    __slots__ = ("broker", "life", "sequence", "host", "time", "row", "question", "answer", "session")
    BROKER_FIELD_NUMBER: _ClassVar[int]
    LIFE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    broker: int
    life: int
    sequence: int
    host: str
    time: float
    row: Row
    question: FleetQuestion
    answer: FleetAnswer
    session: FleetSession
    def __init__(self, broker: _Optional[int] = ..., life: _Optional[int] = ..., sequence: _Optional[int] = ..., host: _Optional[str] = ..., time: _Optional[float] = ..., row: _Optional[_Union[Row, _Mapping]] = ..., question: _Optional[_Union[FleetQuestion, _Mapping]] = ..., answer: _Optional[_Union[FleetAnswer, _Mapping]] = ..., session: _Optional[_Union[FleetSession, _Mapping]] = ...) -> None: ...
