"""What is sent: filters of lists, and rules. A type checker reports a misspelt key, and the sandbox rejects it."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, Required, TypedDict

from . import models as m

Duration = timedelta | str
Text = str | int
Status = m.MessageStatus | m.TemplateStatus | m.EndpointStatus
State = m.DeliveryState | m.OtpState


class Filter(TypedDict, total=False):
    """The fields of all lists. Each list takes those that its entries show; `data_status` stands for `data.status`."""

    id: Text
    type: Text
    status: Status | int | Sequence[Status]
    state: State | Sequence[State]
    error: Text
    direction: m.Direction | Sequence[m.Direction]
    to: Text
    from_: Text
    text: Text
    media_url: Text
    message_id: Text
    wamid: Text
    batch_id: Text
    otp_id: Text
    code: Text
    template: Text
    template_id: Text
    name: Text
    language: Text
    category: Text
    profile_name: Text
    rejection_reason: Text
    event: Text
    event_id: Text
    event_type: m.EventType
    webhook_id: Text
    url: Text
    alias: Text
    events: Text
    operation: Text
    method: Text
    path: Text
    fault: Text
    by: Text
    rule: Text
    when: Text
    active: bool
    valid: bool
    answered: Text
    signature_valid: bool
    search: Text
    data_type: Text
    data_status: Text
    data_to: Text
    data_from: Text
    data_text: Text
    data_name: Text
    after: int
    before: int
    limit: int
    order: Literal["asc", "desc"]


class Wait(Filter, total=False):
    """A filter, and how long to wait in real time: at most 60 seconds, by default 5."""

    timeout: Duration


class NewTemplate(TypedDict, total=False):
    name: Required[str]
    category: Required[Literal["marketing", "utility", "authentication"]]
    language: Required[str]
    body: str
    buttons: list[dict[str, Any]]


class Clock(TypedDict, total=False):
    mode: Literal["real", "frozen", "scaled", "auto"]
    now: datetime | str
    scale: float
    quiet_real: Duration
    learn: bool


class Reset(TypedDict, total=False):
    """The parts to keep, and the new start of the account: the name of a scenario, or a complete one."""

    keep: Sequence[str]
    ids: Literal["go_on", "restart"]
    clock: Clock
    scenario: str | Mapping[str, Any]


# Any field may be one value, several, or conditions.
RuleMatch = TypedDict(
    "RuleMatch",
    {
        "phone": Any, "type": Any, "template": Any, "language": Any, "category": Any, "text": Any, "name": Any, "body": Any,
        "url": Any, "events": Any, "event": Any, "status": Any, "alias": Any, "attempts": Any, "method": Any, "not": "RuleMatch",
    },
    total=False,
)  # fmt: skip


class Pick(TypedDict, total=False):
    calls: int | str
    every: int
    chance: str
    share: str


class Active(TypedDict, total=False):
    after: Duration
    before: Duration


class Respond(TypedDict, total=False):
    status: int
    code: str
    message: str
    body: Any
    headers: dict[str, str]
    retry_after: Duration
    latency_real: Duration
    fault_real: Literal["reset", "empty", "hang", "truncate", "garbage"]
    results: Literal["reversed"]
    accept: bool


class Refuse(TypedDict, total=False):
    code: str
    message: str


class LifecycleStep(TypedDict, total=False):
    sent: Duration
    delivered: Duration
    read: Duration
    failed: Duration
    error: str | int


class Review(TypedDict, total=False):
    status: Required[Literal["approved", "rejected", "pending"]]
    after: Duration
    because: str


class OtpSlot(TypedDict, total=False):
    code: str
    attempts: int
    expires: Duration


class WebhookSlot(TypedDict, total=False):
    """Faults of a delivery."""

    duplicate: int
    delay: str
    drop: bool
    hold_until: dict[str, str]
    signature: Literal["valid", "wrong_secret", "missing", "malformed"]
    body: str
    receiver: dict[str, str | int]


class InboundSlot(TypedDict, total=False):
    after: Duration
    text: str
    button: int


class Then(TypedDict, total=False):
    respond: Respond
    refuse: Refuse
    limit: str
    lifecycle: str | list[LifecycleStep]
    review: Review
    otp: OtpSlot
    webhook: WebhookSlot
    inbound: InboundSlot
    window: Literal["open", "closed"]


class RuleInput(TypedDict, total=False):
    id: str
    when: Required[
        Literal[
            "api.any", "message.send", "message.get", "otp.send", "otp.verify", "template.create", "template.get",
            "template.review", "webhook.create", "webhook.deliver",
        ]
    ]  # fmt: skip
    match: RuleMatch
    pick: Pick
    per: Literal["account", "phone", "template", "endpoint"]
    active: Active
    then: Required[Then]
