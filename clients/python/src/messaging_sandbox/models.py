"""What the sandbox returns. The document of the control plane describes each field; fields that are not here are left out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Headers = dict[str, str | list[str]]
MessageStatus = Literal["received", "accepted", "sent", "delivered", "read", "failed"]
TemplateStatus = Literal["pending", "approved", "rejected", "paused", "deleted"]
EndpointStatus = Literal["active", "paused"]
DeliveryState = Literal["pending", "delivered", "retrying", "held", "dropped", "failed"]
OtpState = Literal["active", "verified", "locked", "expired"]
EventType = Literal["message.received", "message.status", "otp.verified", "template.status"]
Direction = Literal["inbound", "outbound"]


@dataclass(frozen=True, kw_only=True)
class Clock:
    now: datetime
    mode: str
    scale: float
    pending: int
    next_due: datetime | None


@dataclass(frozen=True, kw_only=True)
class Job:
    at: datetime | None = None
    due: datetime | None = None
    job: str
    subject: str
    about: str | None = None


@dataclass(frozen=True, kw_only=True)
class AdvanceResult:
    now: datetime
    ran: list[Job]
    ran_total: int
    deliveries: int
    pending: int


@dataclass(frozen=True, kw_only=True)
class IdleResult:
    now: datetime
    pending: int


@dataclass(frozen=True, kw_only=True)
class Explain:
    """Why something went as it did: the request header, rule, magic value or default that decided."""

    by: str
    id: str | None = None
    file: str | None = None
    line: int | None = None
    text: str


@dataclass(frozen=True, kw_only=True)
class Window:
    open: bool
    closes_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Customer:
    seq: int
    phone: str
    profile_name: str | None
    window: Window
    last_inbound_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class InboundResult:
    message_id: str
    event_id: str
    window_closes_at: datetime


@dataclass(frozen=True, kw_only=True)
class SentTemplate:
    name: str
    language: str
    category: str
    body: str
    buttons: list[dict[str, Any]] | None = None
    variables: list[str]


@dataclass(frozen=True, kw_only=True)
class Failure:
    code: str
    message: str
    channel_code: int | None


@dataclass(frozen=True, kw_only=True)
class Step:
    """A state that a message or a template reached."""

    status: str
    at: datetime
    error: Failure | None = None
    by: str | None = None


@dataclass(frozen=True, kw_only=True)
class Message:
    """A message of the account or, with the direction `inbound`, of a customer."""

    id: str
    message_id: str
    batch_id: str | None = None
    otp_id: str | None = None
    seq: int
    wamid: str | None
    direction: Direction
    from_: str
    to: str
    profile_name: str | None = None
    type: str
    status: MessageStatus
    text: str | None
    media_url: str | None = None
    interactive: dict[str, Any] | None = None
    template: SentTemplate | None = None
    error: Failure | None
    created_at: datetime
    history: list[Step]
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class Template:
    id: str
    seq: int
    name: str
    category: str
    language: str
    body: str | None
    text: str
    buttons: list[dict[str, Any]]
    status: TemplateStatus
    rejection_reason: str | None
    created_at: datetime
    history: list[Step]
    planned: list[Step]
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class Otp:
    otp_id: str
    seq: int
    to: str
    code: str
    state: OtpState
    attempts_remaining: int
    template: str
    message_id: str
    created_at: datetime
    expires_at: datetime
    verified_at: datetime | None
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class EventData:
    """The data of an event; which fields it has depends on the type of the event."""

    message_id: str | None = None
    otp_id: str | None = None
    template_id: str | None = None
    wamid: str | None = None
    from_: str | None = None
    to: str | None = None
    type: str | None = None
    status: str | None = None
    text: str | None = None
    media_url: str | None = None
    interactive: dict[str, Any] | None = None
    profile_name: str | None = None
    error: Failure | None = None
    name: str | None = None
    language: str | None = None
    category: str | None = None
    rejection_reason: str | None = None
    timestamp: datetime | None = None
    verified_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Event:
    id: str
    seq: int
    type: EventType
    created_at: datetime
    data: EventData
    explain: Explain | None = None


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A request or a response of an attempt or a call. Lists show no bodies."""

    url: str | None = None
    query: str | None = None
    headers: Headers
    body: Any = None
    truncated: bool = False


@dataclass(frozen=True, kw_only=True)
class Attempt:
    number: int
    at: datetime
    status: int | None
    duration_ms: float
    trigger: str
    error: str | None = None
    reason: str | None = None
    hint: str | None = None
    explain: Explain | None = None
    faults: list[str] | None = None
    sent_to: str
    request: Exchange
    response: Exchange | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    id: str
    seq: int
    event_id: str
    event_type: EventType
    webhook_id: str
    url: str
    state: DeliveryState
    attempts: list[Attempt]
    next_attempt_at: datetime | None
    created_at: datetime
    payload: str | None
    faults: list[str] | None = None
    explain: Explain | None = None


@dataclass(frozen=True, kw_only=True)
class EmitResult:
    event: Event
    deliveries: list[Delivery]


@dataclass(frozen=True, kw_only=True)
class WebhookRegistration:
    webhook_id: str
    url: str
    events: list[str]
    secret: str
    status: EndpointStatus


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    id: str
    seq: int
    url: str
    alias: str | None = None
    events: list[str]
    secret: str
    status: EndpointStatus
    pause_reason: str | None = None
    failing_since: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class JournalRequest:
    id: str
    seq: int
    at: datetime
    operation: str | None
    method: str
    path: str
    status: int | None
    duration_ms: float
    request: Exchange
    response: Exchange | None
    warnings: list[str]
    error: str | None = None
    fault: str | None = None
    explain: Explain | None = None


@dataclass(frozen=True, kw_only=True)
class SinkRequest:
    seq: int
    at: datetime
    method: str
    path: str
    headers: Headers
    body: str
    json: Any = None
    signature_valid: bool | None
    answered: int


@dataclass(frozen=True, kw_only=True)
class SnapshotInfo:
    seq: int
    name: str
    taken_at: datetime
    size_bytes: int


@dataclass(frozen=True, kw_only=True)
class Hit:
    at: datetime
    subject: str


@dataclass(frozen=True, kw_only=True)
class Rule:
    id: str
    seq: int
    when: str
    match: dict[str, Any] | None = None
    pick: dict[str, Any] | None = None
    per: str | None = None
    active: dict[str, Any] | None = None
    then: dict[str, Any]
    hits: int
    last_hit: Hit | None
    warnings: list[dict[str, Any]] | None = None


@dataclass(frozen=True, kw_only=True)
class ActiveScenario:
    name: str | None
    description: str | None
    file: str | None
    activated_at: datetime | None
    ends_at: datetime | None
    scenario: dict[str, Any] | None
    rules: list[Rule]
    warnings: list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class KnownScenario:
    name: str
    description: str | None
    file: str
    active: bool
    valid: bool
    problems: list[dict[str, Any]] | None = None


@dataclass(frozen=True, kw_only=True)
class Check:
    passed: bool
    at: str
    that: str
    because: str | None = None
    expected: str
    found: str


@dataclass(frozen=True, kw_only=True)
class PlayEnd:
    at: str
    because: str
    still_due: list[str]
    idle_real_ms: int | None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    scenario: str
    passed: bool
    reason: str | None = None
    note: str | None = None
    warnings: list[str] | None = None
    checks: list[Check]
    ended: PlayEnd | None = None


@dataclass(frozen=True, kw_only=True)
class Played:
    ended: PlayEnd | None
    verdict: Verdict
    notes: list[str]


@dataclass(frozen=True, kw_only=True)
class CoverageItem:
    group: str
    name: str
    hits: int
    hint: str


@dataclass(frozen=True, kw_only=True)
class Coverage:
    total: int
    covered: int
    items: list[CoverageItem]


@dataclass(frozen=True, kw_only=True)
class ScenarioCheck:
    name: str | None = None
    warnings: list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Info:
    """The sandbox itself. `started_at` is the time of its machine."""

    version: str
    started_at: datetime
    uptime_ms: int
    mode: str
    data_dir: str | None = None
    limits: dict[str, int]
