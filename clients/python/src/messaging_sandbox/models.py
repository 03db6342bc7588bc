"""The types of the control plane: what the sandbox returns as classes, what is sent to it as dictionaries."""

# Made from the OpenAPI documents by scripts/generate.ts; edit those.
# ruff: noqa
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NotRequired, TypedDict

WIRE_NAMES: dict[str, str] = {"from_":"from","data_type":"data.type"}
"""Names of the documents that Python does not take."""
ClockMode = Literal["real", "frozen", "scaled", "auto"]
EventType = Literal["message.received", "message.status", "otp.verified", "template.status"]
MessageType = Literal["text", "image", "document", "interactive", "template"]
MessageStatus = Literal["accepted", "sent", "delivered", "read", "failed"]
Hand = Literal["command", "timeline"]
TemplateStatus = Literal["pending", "approved", "rejected", "paused", "deleted"]
LifecycleStatus = Literal["sent", "delivered", "read", "failed"]
TemplateCategory = Literal["marketing", "utility", "authentication"]
DeliveryState = Literal["pending", "delivered", "retrying", "held", "dropped", "failed"]
WebhookFault = Literal["delayed", "duplicated", "held_back", "dropped", "wrong_secret", "missing_signature", "malformed_signature", "truncated", "reformatted", "unknown_type", "huge", "forged", "simulated"]
WaitSubject = Literal["event", "delivery", "message", "request", "otp"]
RulePer = Literal["account", "recipient", "template", "endpoint"]
EVENT_TYPES: list[EventType] = ["message.received","message.status","otp.verified","template.status"]


@dataclass(frozen=True, kw_only=True)
class InfoLimits:
    """The most of everything that grows; sizes in bytes, the rest counts."""
    body_bytes: int
    """Size of a request body."""
    snapshot_bytes: int
    """Size of a snapshot that is uploaded."""
    scenario_chars: int
    """Characters of a scenario file."""
    journal: int
    """Journal entries per account."""
    journal_bytes: int
    """Memory of an account's journal."""
    events: int
    """Events per account."""
    event_bytes: int
    """Memory of an account's events with their deliveries."""
    accounts: int
    """Accounts."""
    sockets: int
    """Live streams open at once."""
    connections: int
    """Connections open at once, live streams included."""
    transfer_bytes: int
    """Memory of request bodies that are arriving and of responses that clients have not read, together."""
    sink_requests: int
    """Requests that the sinks of an account keep, the latest."""
    sink_bytes: int
    """Memory of those requests."""
    snapshots: int
    """Snapshots per account."""
    snapshot_memory_bytes: int
    """Memory of the snapshots of all accounts, if the sandbox runs without `--data`."""
    memory_bytes: int
    """Memory of all accounts together (`--memory-limit`)."""
    webhooks: int
    """Registered endpoints per account."""
    rules: int
    """Rules added at run time, per account."""
    attempts: int
    """Attempts that are kept of a delivery, the latest."""
    attempt_bytes: int
    """Memory of an account's attempts."""
    copies: int
    """Deliveries of one event to one endpoint."""


@dataclass(frozen=True, kw_only=True)
class InfoMagicNumber:
    suffix: str
    """The last two digits of `+1 AAA 555 01NN`."""
    name: str
    description: str


@dataclass(frozen=True, kw_only=True)
class InfoMagicTemplate:
    suffix: str
    """How the template's name ends."""
    name: str
    description: str


@dataclass(frozen=True, kw_only=True)
class InfoError:
    name: str
    channel_code: int
    message: str


@dataclass(frozen=True, kw_only=True)
class Info:
    """The sandbox, described."""
    name: Literal["messaging-sandbox"]
    version: str
    uptime_ms: int
    """Real time since the start, in milliseconds."""
    host: str
    """The address it listens on."""
    port: int
    """The port it listens on."""
    mode: Literal["memory", "data"]
    """Whether data outlives the process (`--data`)."""
    data_dir: str | None = None
    """The directory of `--data`, in mode `data` only."""
    node: str
    """Version of the JavaScript runtime."""
    limits: InfoLimits
    """The most of everything that grows; sizes in bytes, the rest counts."""
    magic_numbers: list[InfoMagicNumber]
    magic_templates: list[InfoMagicTemplate]
    errors: list[InfoError]
    """The failures that a message can end in."""


class ClockInputQuietRealInput(TypedDict):
    """With `auto`: time passes as on the machine, and jumps to the next job of any kind after so long a quiet, in which the application changed nothing and no response was awaited; a tenth of a second longer for each hour that it skips. An advance ends this: the clock is `frozen` from then on."""



class ClockInput(TypedDict):
    mode: NotRequired[ClockMode]
    now: NotRequired[datetime | str]
    scale: NotRequired[float]
    """Account time per real time, for `scaled`: 60 makes a minute pass per second."""
    quiet_real: NotRequired[ClockInputQuietRealInput]
    """With `auto`: time passes as on the machine, and jumps to the next job of any kind after so long a quiet, in which the application changed nothing and no response was awaited; a tenth of a second longer for each hour that it skips. An advance ends this: the clock is `frozen` from then on."""


class ScenarioInput(TypedDict):
    """Either `{"name"}` of a known scenario, or a whole scenario (`messaging-sandbox schema` prints its JSON Schema). A body with `name` alone is taken as the former."""
    name: NotRequired[str]
    """Its name."""


class ResetInput(TypedDict):
    keep: NotRequired[list[Literal["templates", "webhooks", "clock", "scenario"]]]
    """What stays."""
    clock: NotRequired[ClockInput]
    """How the clock starts, at any instant. It takes precedence over the clock of a scenario. What is left out is as for a new account."""
    scenario: NotRequired[str | ScenarioInput]


@dataclass(frozen=True, kw_only=True)
class AccountCounts:
    messages: int
    templates: int
    webhooks: int
    events: int
    requests: int


@dataclass(frozen=True, kw_only=True)
class Account:
    """One account and how much it holds."""
    seq: int
    key: str
    """The API key that names it."""
    created_at: datetime
    now: datetime
    clock_mode: ClockMode
    scenario: str | None
    """Name of the active scenario, or null."""
    counts: AccountCounts


class ForkInput(TypedDict):
    to: str
    """The API key of the new account."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    now: datetime
    mode: ClockMode
    scale: float
    """Account time per real time; 1 unless scaled."""
    quiet_real: str | None = None
    """With `auto`, when it was set: the quiet after which the clock jumps."""
    quiet: bool | None = None
    """With `quiet_real`: whether the application has been quiet for that long."""
    pending: int
    """Jobs that lie ahead."""
    next_due: datetime | None
    """When the next of them is due, or null."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """Something that will happen by itself."""
    seq: int
    job: str
    """What will happen, such as `message.status` or `delivery.attempt`."""
    subject: str
    """Id of the message, template, delivery, endpoint or step of the scenario that it happens to."""
    due: datetime
    about: str | None = None
    """The message, template, endpoint or scenario in a few words, such as `order_shipped`."""
    to: str | None = None
    """The customer."""
    status: str | None = None
    """The status that is reported, or that the event carries; the state of a template."""
    event_type: EventType | None = None
    """Of a delivery attempt."""
    webhook_id: str | None = None
    """The endpoint."""
    url: str | None = None
    """URL of the endpoint."""
    attempt: int | None = None
    """Number of the delivery attempt."""


class AdvanceInput(TypedDict):
    """Exactly one of `by`, `to` and `until`."""
    by: NotRequired[timedelta | str]
    """How far from now."""
    to: NotRequired[datetime | str]
    """Until when; not before now."""
    until: NotRequired[Literal["next", "idle"]]
    """`next`: to the next job. `idle`: until no job that shows progress is left."""
    max: NotRequired[timedelta | str]
    """With `until: idle`: longest duration; default: `7d`."""
    settle_real: NotRequired[timedelta | str]
    """Real time of quiet to wait for after each step, at most `60s`."""


@dataclass(frozen=True, kw_only=True)
class AdvanceResultRan:
    at: datetime
    job: str
    """Kind of job, such as `message.status`."""
    subject: str
    """Id of what it moved."""
    about: str | None = None
    """The message, template, endpoint or scenario in a few words, such as `order_shipped`."""
    to: str | None = None
    """The customer."""
    status: str | None = None
    """The status that is reported, or that the event carries; the state of a template."""
    event_type: EventType | None = None
    """Of a delivery attempt."""
    webhook_id: str | None = None
    """The endpoint."""
    url: str | None = None
    """URL of the endpoint."""
    attempt: int | None = None
    """Number of the delivery attempt."""


@dataclass(frozen=True, kw_only=True)
class AdvanceResult:
    now: datetime
    ran: list[AdvanceResultRan]
    """The jobs that ran, in order; the first ten thousand of them."""
    ran_total: int
    """How many ran in all."""
    deliveries: int
    """Attempts made and answered on the way."""
    pending: int
    """Jobs that still lie ahead."""
    stopped: bool | None = None
    """true when `DELETE /_sandbox/clock/advance` ended it on the way."""


class InteractiveReplyInput(TypedDict):
    """A quick-reply button."""
    id: str
    title: str


InboundInput = TypedDict("InboundInput", {
    "from": str,
    "type": NotRequired[Literal["text", "image", "document", "interactive"]],
    "text": NotRequired[str],
    "media_url": NotRequired[str],
    "interactive": NotRequired[InteractiveReplyInput],
    "profile_name": NotRequired[str],
    "settle": NotRequired[bool],
})



@dataclass(frozen=True, kw_only=True)
class InboundResult:
    message_id: str
    event_id: str
    window_closes_at: datetime


@dataclass(frozen=True, kw_only=True)
class CustomerWindow:
    open: bool
    """Whether free-form messages may be sent now."""
    closes_at: datetime | None
    """When it closes or closed; null if it never was open."""


@dataclass(frozen=True, kw_only=True)
class MessageGlimpse:
    """As much of a message as a list of conversations shows."""
    message_id: str
    seq: int
    direction: Literal["inbound", "outbound"]
    type: Literal["text", "image", "document", "interactive", "template"]
    text: str | None
    """The first 140 characters of its text, as the customer reads them; null if it has no text."""
    status: Literal["received", "accepted", "sent", "delivered", "read", "failed"]
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Customer:
    seq: int
    phone: str
    profile_name: str | None
    """Name in the channel, once known."""
    window: CustomerWindow
    last_inbound_at: datetime | None
    last_message: MessageGlimpse | None
    """The latest message of the conversation in either direction; null when there is none."""


@dataclass(frozen=True, kw_only=True)
class InteractiveReply:
    """A quick-reply button."""
    id: str
    title: str


@dataclass(frozen=True, kw_only=True)
class MessageInteractive:
    """Of an interactive message, as sent."""
    body: str
    buttons: list[InteractiveReply]


@dataclass(frozen=True, kw_only=True)
class MessageTemplate:
    """Of a template message, the template as it was when the message was sent."""
    name: str
    language: str
    category: Literal["marketing", "utility", "authentication"]
    body: str
    """With its placeholders."""
    buttons: list[dict[str, Any]] | None = None
    variables: list[str]


@dataclass(frozen=True, kw_only=True)
class MessageError:
    """Why a message failed."""
    code: str
    """Stable name."""
    message: str
    channel_code: int | None
    """The channel's own number, where it has one."""


@dataclass(frozen=True, kw_only=True)
class MessageHistory:
    status: MessageStatus
    at: datetime
    error: MessageError | None = None
    by: Hand | None = None


@dataclass(frozen=True, kw_only=True)
class Explain:
    """Which of them decided what became of it, and why. Precedence is header, rule, magic, default. Where a command or the timeline moved it otherwise, `text` begins with that and then says what the plan was; `by` stays the plan's."""
    by: Literal["header", "rule", "magic", "default"]
    """`header` is the caller who asked for this one thing: the header `X-Sandbox-Prefer`, the call itself, or a step of the scenario's timeline."""
    id: str | None = None
    """The id of the rule, or of the magic number such as `magic-21`; `timeline` for a step of it."""
    file: str | None = None
    """The scenario file that holds the rule."""
    line: int | None = None
    """Its line there."""
    text: str
    """One sentence."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """An outbound message as stored, with its content as the customer sees it."""
    id: str
    """The `message_id` under the name that all records have."""
    message_id: str
    seq: int
    wamid: str | None
    """Identifier on the channel."""
    direction: Literal["outbound"]
    from_: str
    """The account's own number."""
    to: str
    type: MessageType
    status: MessageStatus
    text: str | None
    """The text that the customer reads, with variables and code filled in; null if it has no text."""
    media_url: str | None = None
    """Of an image or document."""
    interactive: MessageInteractive | None = None
    """Of an interactive message, as sent."""
    template: MessageTemplate | None = None
    """Of a template message, the template as it was when the message was sent."""
    batch_id: str | None = None
    """The batch it was sent in."""
    otp_id: str | None = None
    """The one-time code it carries."""
    error: MessageError | None
    """Why it failed, or null."""
    created_at: datetime
    history: list[MessageHistory]
    """Every state it was in, in order."""
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class InboundMessageHistory:
    status: Literal["received"]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class InboundMessage:
    """A message that the customer wrote."""
    id: str
    """The `message_id` under the name that all records have."""
    message_id: str
    seq: int
    wamid: str
    """Identifier on the channel."""
    direction: Literal["inbound"]
    from_: str
    to: str
    """The account's own number."""
    type: Literal["text", "image", "document", "interactive"]
    status: Literal["received"]
    text: str | None
    """The words, or the title of the button tapped; null for bare media."""
    media_url: str | None = None
    interactive: InteractiveReply | None = None
    profile_name: str | None
    error: Any | None
    """What a customer writes does not fail."""
    created_at: datetime
    history: list[InboundMessageHistory]
    explain: Explain


class WindowInput(TypedDict):
    """Exactly one of `open` and `closes_at`."""
    open: NotRequired[bool]
    """true: open from now for 24 hours. false: closed now."""
    closes_at: NotRequired[datetime | str]
    """When it shall close; in the past means closed."""
    settle: NotRequired[bool]


class MessageStatusInput(TypedDict):
    status: Literal["sent", "delivered", "read", "failed"]
    """The state that the channel reports."""
    error: NotRequired[str | int]
    """With `failed`: name or channel number of the failure."""
    settle: NotRequired[bool]


@dataclass(frozen=True, kw_only=True)
class TemplateEntry:
    """A state of a template, and the instant at which it comes into it."""
    status: TemplateStatus
    at: datetime
    by: Hand | None = None


@dataclass(frozen=True, kw_only=True)
class Template:
    """A template as stored."""
    id: str
    seq: int
    name: str
    category: Literal["marketing", "utility", "authentication"]
    language: str
    body: str | None
    """Text with its placeholders; null for an authentication template without one."""
    text: str
    """What it says, placeholders and all: the body, or what stands in for it."""
    buttons: list[dict[str, Any]]
    """As submitted."""
    status: TemplateStatus
    template_type: Literal["standard"]
    rejection_reason: str | None
    created_at: datetime
    history: list[TemplateEntry]
    """Every state it was in, in order."""
    planned: list[TemplateEntry]
    """What the platform owner will do by itself, soonest first: the review of a pending template, and what a scenario has in store for later."""
    explain: Explain


class ReviewInput(TypedDict):
    decision: Literal["approved", "rejected"]
    reason: NotRequired[str]
    """The `rejection_reason`, with `rejected`; default: a general one."""
    settle: NotRequired[bool]


class TemplateStatusInput(TypedDict):
    status: Literal["paused", "approved", "deleted"]
    settle: NotRequired[bool]


@dataclass(frozen=True, kw_only=True)
class Otp:
    """A one-time code with its code."""
    otp_id: str
    seq: int
    to: str
    code: str
    state: Literal["active", "verified", "locked", "expired"]
    """`active` may still be verified; `verified` is spent; `locked` had too many wrong codes; `expired` came to its end at `expires_at`."""
    attempts_remaining: int
    """Wrong codes that are still forgiven."""
    template: str
    """Name of the authentication template it was sent with."""
    message_id: str
    """The message that carried it."""
    created_at: datetime
    expires_at: datetime
    verified_at: datetime | None
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class InboundReply:
    """Quick-reply button that the customer tapped."""
    id: str
    """Id of the button."""
    title: str
    """Text of the button."""


@dataclass(frozen=True, kw_only=True)
class MessageReceivedData:
    """Message that a customer sent to the account."""
    message_id: str
    wamid: str
    from_: str
    to: str
    """Number of the account."""
    type: Literal["text", "image", "document", "interactive"]
    """Type of the message."""
    text: str | None = None
    """Text of a `text` message."""
    media_url: str | None = None
    """URL of the file of an `image` or `document` message."""
    interactive: InboundReply | None = None
    profile_name: str
    """Name that the customer shows on the channel."""
    timestamp: datetime


@dataclass(frozen=True, kw_only=True)
class MessageStatusData:
    """Message whose status changed."""
    message_id: str
    wamid: str
    to: str
    type: MessageType
    status: LifecycleStatus
    error: MessageError | None
    """Reason of the failure; null unless the status is `failed`."""
    timestamp: datetime


@dataclass(frozen=True, kw_only=True)
class OtpVerifiedData:
    """One-time code that the customer verified."""
    otp_id: str
    to: str
    verified_at: datetime


@dataclass(frozen=True, kw_only=True)
class TemplateStatusData:
    """Template on which the platform owner decided."""
    template_id: str
    name: str
    language: str
    category: TemplateCategory
    status: Literal["approved", "rejected"]
    """Decision of the platform owner."""
    rejection_reason: str | None
    """Explanation of the reviewer; null unless the template was rejected."""
    timestamp: datetime


@dataclass(frozen=True, kw_only=True)
class Event:
    """One fact, as its receivers see it, with its place in the log."""
    id: str
    seq: int
    type: EventType
    created_at: datetime
    data: MessageReceivedData | MessageStatusData | OtpVerifiedData | TemplateStatusData
    """The payload; its shape by type is in the API plane's document, under `webhooks`."""
    explain: Explain | None = None


class WebhookSlotHoldUntilInput(TypedDict):
    """Keep it back until the message it tells of has reached this state, so that events arrive out of order."""
    status: Literal["sent", "delivered", "read", "failed"]


class WebhookSlotReceiverInput(TypedDict):
    """What counts as the outcome. The receiver is not contacted, unless `contacted` is true."""
    simulate: Literal["refused", "timeout", "reset"] | int
    """`refused`, `timeout`, `reset`, or an HTTP status."""
    contacted: NotRequired[bool]
    """The receiver gets the request all the same, and what it responds does not count."""


class WebhookSlotInput(TypedDict):
    """How to bend a delivery, in the words of a scenario's `webhook` slot. Delays are account time."""
    duplicate: NotRequired[int]
    """How many extra copies with the same id follow."""
    delay: NotRequired[str]
    """How long the first attempt waits: a duration, or a range such as `2s..8s` (drawn by the seed)."""
    drop: NotRequired[bool]
    """Never deliver it; the delivery reads `dropped`."""
    hold_until: NotRequired[WebhookSlotHoldUntilInput]
    """Keep it back until the message it tells of has reached this state, so that events arrive out of order."""
    signature: NotRequired[Literal["valid", "wrong_secret", "missing", "malformed"]]
    """Which signature it carries."""
    body: NotRequired[Literal["exact", "truncate", "reformatted", "unknown_type", "huge", "forged"]]
    """The fault of the bytes: truncated, unusual but valid JSON spacing and escapes, an unknown type, very large, or other content under the same id."""
    forged_copy: NotRequired[Literal["before", "after"]]
    """One more request with the event's id, other content and a wrong signature, a second before or after the delivery. It is never retried."""
    receiver: NotRequired[WebhookSlotReceiverInput]
    """What counts as the outcome. The receiver is not contacted, unless `contacted` is true."""


class EmitInput(TypedDict):
    type: EventType
    data: NotRequired[dict[str, Any]]
    """Fields of the payload that matter, by the schema of the event's type (`webhooks` of `/_sandbox/openapi/api.json`), which may have others beside them; the rest is filled in."""
    webhook_id: NotRequired[str]
    """Only to this endpoint, subscribed or not."""
    webhook: NotRequired[WebhookSlotInput]
    settle: NotRequired[bool]


@dataclass(frozen=True, kw_only=True)
class AttemptRequest:
    url: str
    headers: dict[str, str | list[str]]
    body: str
    """The bytes sent, as text."""
    truncated: bool | None = None
    """true when there was more and the account holds no more."""


@dataclass(frozen=True, kw_only=True)
class AttemptResponse:
    headers: dict[str, str | list[str]]
    body: str
    """What came back, its first 64 KB."""
    truncated: bool | None = None
    """true when there was more."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One HTTP request of a delivery."""
    number: int
    """Counted from 1."""
    at: datetime
    status: int | None
    """What it answered; null without an answer."""
    duration_ms: float
    """Real time it took, in milliseconds."""
    trigger: Literal["schedule", "redelivery"]
    """Whether the retry schedule or a redelivery caused it."""
    error: str | None = None
    """Why it failed, as a stable name such as `connection_refused`; absent when it succeeded."""
    reason: str | None = None
    """The same as a sentence."""
    hint: str | None = None
    """What to try."""
    explain: Explain | None = None
    """Which rule or call spoiled it; absent when none did."""
    faults: list[WebhookFault] | None = None
    """What was done to it; absent when nothing was."""
    sent_to: str
    """The URL really used: another than the registered one where a route, the sink or the tunnel replaced it."""
    plain: bool
    """true when a local receiver was spoken to in plain HTTP."""
    request: AttemptRequest
    response: AttemptResponse | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One event owed to one endpoint."""
    id: str
    seq: int
    event_id: str
    event_type: EventType
    webhook_id: str
    url: str
    """As registered."""
    state: DeliveryState
    attempts: list[Attempt]
    next_attempt_at: datetime | None
    created_at: datetime
    payload: str | None
    """The event as its bytes go out, or would have gone out."""
    faults: list[WebhookFault] | None = None
    """What was done to it and to its attempts; absent when nothing was."""
    explain: Explain | None = None


@dataclass(frozen=True, kw_only=True)
class EmitResult:
    event: Event
    deliveries: list[Delivery]
    """What is owed because of this call; empty when no endpoint is subscribed."""


class RedeliverEventInput(TypedDict):
    webhook_id: NotRequired[str]
    """Only to this endpoint, subscribed or not."""
    webhook: NotRequired[WebhookSlotInput]
    settle: NotRequired[bool]


class RedeliverDeliveryInput(TypedDict):
    webhook: NotRequired[WebhookSlotInput]
    settle: NotRequired[bool]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A registered webhook, with its secret."""
    id: str
    seq: int
    url: str
    alias: str | None = None
    """Its name in the scenario."""
    events: list[EventType]
    secret: str
    status: Literal["active", "paused"]
    pause_reason: str | None = None
    """Why, when paused."""
    failing_since: datetime | None
    """When the current unbroken run of failures began, or null. The endpoint is paused 24 h later."""
    created_at: datetime
    updated_at: datetime


class EndpointInput(TypedDict):
    url: str
    """Must be https. A local server that speaks plain HTTP is reached all the same."""
    events: list[EventType]
    """Which events to deliver. A kind named twice counts once."""
    secret: NotRequired[str]
    """What deliveries are signed with; made up unless given."""


class EndpointStatusInput(TypedDict):
    status: Literal["active", "paused"]


@dataclass(frozen=True, kw_only=True)
class RefusedCallRequest:
    headers: dict[str, str | list[str]]
    query: str | None = None
    """What stood after the `?`."""


@dataclass(frozen=True, kw_only=True)
class RefusedCall:
    """One call that was rejected before it had an account."""
    seq: int
    """Number of the call among all refused calls of this process."""
    id: str
    """The value of `X-Sandbox-Request`."""
    at: datetime
    """Machine time, because accounts differ in theirs."""
    method: str
    path: str
    """Without the query."""
    status: int
    error: str
    """Error code of the response."""
    message: str
    """Message of the response."""
    request: RefusedCallRequest


@dataclass(frozen=True, kw_only=True)
class JournalRequestRequest:
    headers: dict[str, str | list[str]]
    query: str | None = None
    """What stood after the `?`."""
    body: Any
    """The JSON sent; its text if it was none; null without a body."""


@dataclass(frozen=True, kw_only=True)
class JournalRequestResponse:
    """Null when a fault kept it back."""
    headers: dict[str, str | list[str]]
    body: Any
    """The JSON answered; text if it was none; null without a body."""
    truncated: bool | None = None
    """true of an answer of more than 1 MB: `body` is its beginning."""


@dataclass(frozen=True, kw_only=True)
class JournalRequest:
    """One call to the API plane."""
    id: str
    """The value of `X-Sandbox-Request`."""
    seq: int
    at: datetime
    operation: str | None
    """Its operationId, or null for a path that is none."""
    method: str
    path: str
    """Without the query."""
    status: int | None
    """Null when a fault kept the answer back."""
    duration_ms: float
    """Real time, in milliseconds."""
    request: JournalRequestRequest
    response: JournalRequestResponse | None
    """Null when a fault kept it back."""
    warnings: list[str]
    """What was let pass and should not be relied on, a sentence each."""
    error: str | None = None
    """The error code it was refused with."""
    fault: str | None = None
    """The fault that struck the socket, such as `reset`."""
    explain: Explain | None = None


@dataclass(frozen=True, kw_only=True)
class RequestCount:
    count: int


@dataclass(frozen=True, kw_only=True)
class IdleResult:
    idle: bool
    now: datetime
    pending: int
    """Jobs that lie ahead."""


@dataclass(frozen=True, kw_only=True)
class RuleLastHit:
    """What it last decided, or null."""
    at: datetime
    subject: str
    """Id of the message, call or delivery that it struck."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule in force, and how often it decided something."""
    id: str
    seq: int
    when: str
    match: dict[str, Any] | None = None
    pick: dict[str, Any] | None = None
    per: RulePer | None = None
    active: dict[str, Any] | None = None
    then: dict[str, Any]
    hits: int
    """How often it decided something."""
    last_hit: RuleLastHit | None
    """What it last decided, or null."""
    file: str | None = None
    """The scenario file that holds it, if one does."""
    line: int | None = None


@dataclass(frozen=True, kw_only=True)
class ScenarioProblem:
    """One fault of a scenario, with its place."""
    file: str | None = None
    """The file, or the name given for it."""
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1."""
    path: str
    """Where in the scenario, such as `rules[0].then.respond.status`."""
    code: str
    """Stable name of the kind of fault."""
    message: str
    """One sentence."""
    found: str | None = None
    """What stands there."""
    allowed: str | None = None
    """What may stand there."""
    suggestion: str | None = None
    """The nearest word that is known."""
    fixed: str | None = None
    """The line as it is right, where that is known. Two lines where a key is missing."""
    example: str | None = None
    """An example of a valid value, if the intended one is unknown."""


@dataclass(frozen=True, kw_only=True)
class ActiveScenario:
    name: str | None
    """Null when none is active."""
    description: str | None
    file: str | None
    """The file it came from, or null."""
    activated_at: datetime | None
    """The instant that its offsets count from, or null."""
    ends_at: datetime | None
    """When everything that it plans has happened: its timeline, its checks and the ends of its rules. Or null."""
    scenario: dict[str, Any] | None
    """The whole scenario, what it extends merged in."""
    source: str | None
    """Its text, as written."""
    rules: list[Rule]
    """In the order in which they are asked."""
    warnings: list[ScenarioProblem]


@dataclass(frozen=True, kw_only=True)
class KnownScenario:
    seq: int
    name: str
    description: str | None
    file: str
    active: bool
    """Whether it moves this account now."""
    valid: bool
    """Whether it can be activated."""
    problems: list[ScenarioProblem] | None = None
    """Its faults, when it cannot."""


@dataclass(frozen=True, kw_only=True)
class ScenarioCheck:
    valid: bool
    name: str | None
    warnings: list[ScenarioProblem]


@dataclass(frozen=True, kw_only=True)
class ScenarioText:
    """A scenario file with its text."""
    seq: int
    name: str
    description: str | None
    file: str
    active: bool
    """Whether it moves this account now."""
    valid: bool
    """Whether it can be activated."""
    problems: list[ScenarioProblem] | None = None
    """Its faults, when it cannot."""
    source: str
    """Its text, as written."""


class RuleInput(TypedDict):
    """A rule as a scenario file writes it; the scenario language says in detail what each part may hold."""
    id: NotRequired[str]
    """Named in every explanation; given when missing."""
    when: str
    match: NotRequired[dict[str, Any]]
    pick: NotRequired[dict[str, Any]]
    per: NotRequired[RulePer]
    active: NotRequired[dict[str, Any]]
    then: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class AddedRuleLastHit:
    """What it last decided, or null."""
    at: datetime
    subject: str
    """Id of the message, call or delivery that it struck."""


@dataclass(frozen=True, kw_only=True)
class AddedRule:
    """The rule, and what in it is allowed but hardly meant."""
    id: str
    seq: int
    when: str
    match: dict[str, Any] | None = None
    pick: dict[str, Any] | None = None
    per: RulePer | None = None
    active: dict[str, Any] | None = None
    then: dict[str, Any]
    hits: int
    """How often it decided something."""
    last_hit: AddedRuleLastHit | None
    """What it last decided, or null."""
    file: str | None = None
    """The scenario file that holds it, if one does."""
    line: int | None = None
    warnings: list[ScenarioProblem]


@dataclass(frozen=True, kw_only=True)
class SnapshotInfo:
    seq: int
    name: str
    taken_at: datetime
    size_bytes: int
    """Of its JSON."""


class SnapshotNameInput(TypedDict):
    name: str


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A whole account as JSON. What is inside `state` belongs to the store and may change with `version`."""
    version: int
    """Of the format; older ones load."""
    name: str
    taken_at: datetime
    state: dict[str, Any]
    """Records, clock, scenario, pending jobs and retries."""


class SnapshotInput(TypedDict):
    """A whole account as JSON. What is inside `state` belongs to the store and may change with `version`."""
    version: int
    """Of the format; older ones load."""
    name: str
    taken_at: datetime | str
    state: dict[str, Any]
    """Records, clock, scenario, pending jobs and retries."""


@dataclass(frozen=True, kw_only=True)
class SinkAnswer:
    received: int
    signature_valid: bool | None


class SinkResponseInput(TypedDict):
    """One answer of the sink."""
    status: int
    delay: NotRequired[timedelta | str]
    """Real time to wait before it, at most 60s."""
    times: NotRequired[int]
    """Number of requests; default: all further ones."""


class SinkInput(TypedDict):
    respond: list[SinkResponseInput]


@dataclass(frozen=True, kw_only=True)
class SinkResponse:
    """One answer of the sink."""
    status: int
    delay: timedelta | None = None
    """Real time to wait before it, at most 60s."""
    times: int | None = None
    """Number of requests; default: all further ones."""


@dataclass(frozen=True, kw_only=True)
class Sink:
    name: str
    respond: list[SinkResponse]


@dataclass(frozen=True, kw_only=True)
class SinkRequest:
    """A request that the sink took."""
    seq: int
    at: datetime
    method: str
    path: str
    """As in `https://sink.sandbox/NAME…`."""
    headers: dict[str, str | list[str]]
    body: str
    """The exact bytes, as text."""
    json: Any | None = None
    """The body parsed, if it is JSON."""
    signature_valid: bool | None
    answered: int
    """The status it was answered with."""


@dataclass(frozen=True, kw_only=True)
class CoverageItem:
    group: str
    name: str
    hits: int
    hint: str
    """The call, magic number or scenario that would exercise it."""


@dataclass(frozen=True, kw_only=True)
class Coverage:
    total: int
    covered: int
    """How many of them have hits."""
    items: list[CoverageItem]


@dataclass(frozen=True, kw_only=True)
class HttpArchive:
    """HTTP Archive 1.2."""
    log: dict[str, Any]
    """Its creator and its entries."""


@dataclass(frozen=True, kw_only=True)
class VerdictCheck:
    passed: bool
    at: str
    """When it was judged: `finish` or an offset."""
    that: str
    """What was looked at, such as `requests`."""
    expected: str
    """What the scenario asked for, in words."""
    found: str
    """What there was, in words."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    scenario: str
    """The scenario that was judged."""
    passed: bool
    """Whether all checks passed and the application took part."""
    reason: Literal["no_calls"] | None = None
    """Why the verdict is not passed, whatever the checks say. `no_calls`: since the activation the application made no call and no delivery was attempted."""
    note: str | None = None
    """What to know about the result if the application made no call; left out otherwise."""
    warnings: list[str] | None = None
    """Steps of the timeline that could not be made and were passed over, a sentence each; left out when there are none."""
    checks: list[VerdictCheck]


@dataclass(frozen=True, kw_only=True)
class AccountsVerdictAccountCheck:
    passed: bool
    at: str
    """When it was judged: `finish` or an offset."""
    that: str
    """What was looked at, such as `requests`."""
    expected: str
    """What the scenario asked for, in words."""
    found: str
    """What there was, in words."""


@dataclass(frozen=True, kw_only=True)
class AccountsVerdictAccount:
    scenario: str
    """The scenario that was judged."""
    passed: bool
    """Whether all checks passed and the application took part."""
    reason: Literal["no_calls"] | None = None
    """Why the verdict is not passed, whatever the checks say. `no_calls`: since the activation the application made no call and no delivery was attempted."""
    note: str | None = None
    """What to know about the result if the application made no call; left out otherwise."""
    warnings: list[str] | None = None
    """Steps of the timeline that could not be made and were passed over, a sentence each; left out when there are none."""
    checks: list[AccountsVerdictAccountCheck]
    account: str
    """The key of the account."""


@dataclass(frozen=True, kw_only=True)
class AccountsVerdict:
    passed: bool
    """Whether every account passed."""
    accounts: list[AccountsVerdictAccount]
    """The verdict on each account that has a scenario, in the order in which the accounts were created."""


class TemplateButtonInput(TypedDict):
    """Button of a template. Further properties are kept."""
    type: Literal["quick_reply", "url", "phone_number", "copy_code"]
    """Action of the button."""
    text: str
    """Text of the button."""
    url: NotRequired[str]
    """Target of a `url` button."""
    phone_number: NotRequired[str]
    """Number that a `phone_number` button calls."""
    code: NotRequired[str]
    """Text that a `copy_code` button copies."""


class CreateTemplateRequestInput(TypedDict):
    """Template to submit."""
    name: str
    category: TemplateCategory
    language: str
    body: NotRequired[str]
    """Text with the placeholders `{{1}}`, `{{2}}` and so on, numbered from 1 without a gap. Required unless the category is `authentication`."""
    buttons: NotRequired[list[TemplateButtonInput]]
    """Buttons below the body."""


@dataclass(frozen=True, kw_only=True)
class WebhookRegistration:
    """Endpoint that was registered, with its secret."""
    webhook_id: str
    url: str
    """URL of the endpoint."""
    events: list[EventType]
    """Types of events that are delivered."""
    secret: str
    """Key of the signatures. No other response shows it."""
    status: Literal["active"]
    """Status of the endpoint."""


class HandsetFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    message_id: str | int
    """The message that it is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: Literal["inbound", "outbound"]
    """`outbound` is what the application sent; `inbound` is what customers wrote. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message."""
    status: Literal["accepted", "sent", "delivered", "read", "failed", "received"]
    """The status."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    otp_id: str | int
    """The one-time code."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class HandsetWait(TypedDict, total=False):
    id: str | int
    """The id."""
    message_id: str | int
    """The message that it is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: Literal["inbound", "outbound"]
    """`outbound` is what the application sent; `inbound` is what customers wrote. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message."""
    status: Literal["accepted", "sent", "delivered", "read", "failed", "received"]
    """The status."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    otp_id: str | int
    """The one-time code."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class MessageFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    message_id: str | int
    """The message that it is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: Literal["inbound", "outbound"]
    """`outbound` is what the application sent; `inbound` is what customers wrote. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message."""
    status: Literal["accepted", "sent", "delivered", "read", "failed", "received"]
    """The status."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class MessageWait(TypedDict, total=False):
    id: str | int
    """The id."""
    message_id: str | int
    """The message that it is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: Literal["inbound", "outbound"]
    """`outbound` is what the application sent; `inbound` is what customers wrote. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message."""
    status: Literal["accepted", "sent", "delivered", "read", "failed", "received"]
    """The status."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class TemplateFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    name: str | int
    """The name; `*` stands for any characters."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    status: Literal["pending", "approved", "rejected", "paused", "deleted"]
    """The status."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class TemplateWait(TypedDict, total=False):
    id: str | int
    """The id."""
    name: str | int
    """The name; `*` stands for any characters."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    status: Literal["pending", "approved", "rejected", "paused", "deleted"]
    """The status."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class OtpFilter(TypedDict, total=False):
    otp_id: str | int
    """The one-time code."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    code: str | int
    """The code itself."""
    state: Literal["active", "verified", "locked", "expired"]
    """The state."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    message_id: str | int
    """The message that it is about."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class OtpWait(TypedDict, total=False):
    otp_id: str | int
    """The one-time code."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    code: str | int
    """The code itself."""
    state: Literal["active", "verified", "locked", "expired"]
    """The state."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    message_id: str | int
    """The message that it is about."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class EventFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    type: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """The type of the event."""
    message_id: str | int
    """The message that it is about."""
    wamid: str | int
    """The channel's id of the message."""
    from_: str | int
    """The sender, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    status: Literal["sent", "delivered", "read", "failed", "approved", "rejected"]
    """The status."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    profile_name: str | int
    """The name of the customer; `*` stands for any characters."""
    otp_id: str | int
    """The one-time code."""
    template_id: str | int
    """The template that the event is about."""
    name: str | int
    """The name; `*` stands for any characters."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    error: str | int
    """The code of the error."""
    data_type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message in the data of the event."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class EventWait(TypedDict, total=False):
    id: str | int
    """The id."""
    type: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """The type of the event."""
    message_id: str | int
    """The message that it is about."""
    wamid: str | int
    """The channel's id of the message."""
    from_: str | int
    """The sender, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    to: str | int
    """The recipient, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    status: Literal["sent", "delivered", "read", "failed", "approved", "rejected"]
    """The status."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    profile_name: str | int
    """The name of the customer; `*` stands for any characters."""
    otp_id: str | int
    """The one-time code."""
    template_id: str | int
    """The template that the event is about."""
    name: str | int
    """The name; `*` stands for any characters."""
    language: str | int
    """The language of the template; case does not count, and `_` stands for `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    error: str | int
    """The code of the error."""
    data_type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message in the data of the event."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class DeliveryFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    event: str | int
    """The id of the event, or its type."""
    event_id: str | int
    """The id of the event."""
    event_type: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """The type of the event."""
    webhook_id: str | int
    """The endpoint."""
    url: str | int
    """The URL; `*` stands for any characters."""
    state: Literal["pending", "delivered", "retrying", "held", "dropped", "failed"]
    """The state."""
    status: str | int
    """The HTTP status of any of its attempts, or a class such as `4xx`."""
    error: str | int
    """The code of a failed attempt."""
    message_id: str | int
    """The message that it is about."""
    to: str | int
    """The recipient in the data of the event, in E.164."""
    from_: str | int
    """The sender in the data of the event, in E.164."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class DeliveryWait(TypedDict, total=False):
    id: str | int
    """The id."""
    event: str | int
    """The id of the event, or its type."""
    event_id: str | int
    """The id of the event."""
    event_type: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """The type of the event."""
    webhook_id: str | int
    """The endpoint."""
    url: str | int
    """The URL; `*` stands for any characters."""
    state: Literal["pending", "delivered", "retrying", "held", "dropped", "failed"]
    """The state."""
    status: str | int
    """The HTTP status of any of its attempts, or a class such as `4xx`."""
    error: str | int
    """The code of a failed attempt."""
    message_id: str | int
    """The message that it is about."""
    to: str | int
    """The recipient in the data of the event, in E.164."""
    from_: str | int
    """The sender in the data of the event, in E.164."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class WebhookFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    url: str | int
    """The URL; `*` stands for any characters."""
    alias: str | int
    """How a scenario calls the endpoint."""
    events: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """An event type that the endpoint has subscribed to."""
    status: Literal["active", "paused"]
    """The status."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class WebhookWait(TypedDict, total=False):
    id: str | int
    """The id."""
    url: str | int
    """The URL; `*` stands for any characters."""
    alias: str | int
    """How a scenario calls the endpoint."""
    events: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """An event type that the endpoint has subscribed to."""
    status: Literal["active", "paused"]
    """The status."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class RequestFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    operation: Literal["sendMessage", "getMessage", "sendOtp", "verifyOtp", "createTemplate", "getTemplate", "listTemplates", "createWebhook", "listWebhooks", "deleteWebhook", "message.send", "message.get", "otp.send", "otp.verify", "template.create", "template.get", "template.list", "webhook.create", "webhook.list", "webhook.delete"]
    """The operation, as an operationId of the API plane (`sendMessage`) or as a hook of the scenario language (`message.send`)."""
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
    """The HTTP method."""
    path: str | int
    """The path called, exact or with `*` for any characters, such as `/v1/messages/*`."""
    status: str | int
    """The HTTP status, or a class such as `4xx`."""
    to: str | int
    """A recipient in the body, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message in the body."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    name: str | int
    """The name in the body; `*` stands for any characters."""
    otp_id: str | int
    """The one-time code."""
    url: str | int
    """The URL; `*` stands for any characters."""
    error: str | int
    """The code of the error."""
    fault: str | int
    """The fault that was injected."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class RequestWait(TypedDict, total=False):
    id: str | int
    """The id."""
    operation: Literal["sendMessage", "getMessage", "sendOtp", "verifyOtp", "createTemplate", "getTemplate", "listTemplates", "createWebhook", "listWebhooks", "deleteWebhook", "message.send", "message.get", "otp.send", "otp.verify", "template.create", "template.get", "template.list", "webhook.create", "webhook.list", "webhook.delete"]
    """The operation, as an operationId of the API plane (`sendMessage`) or as a hook of the scenario language (`message.send`)."""
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
    """The HTTP method."""
    path: str | int
    """The path called, exact or with `*` for any characters, such as `/v1/messages/*`."""
    status: str | int
    """The HTTP status, or a class such as `4xx`."""
    to: str | int
    """A recipient in the body, in E.164. The `+` may be written `%2B`, as it is, or left out."""
    type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message in the body."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    name: str | int
    """The name in the body; `*` stands for any characters."""
    otp_id: str | int
    """The one-time code."""
    url: str | int
    """The URL; `*` stands for any characters."""
    error: str | int
    """The code of the error."""
    fault: str | int
    """The fault that was injected."""
    by: Literal["header", "rule", "magic", "default"]
    """Who decided about it."""
    rule: str | int
    """The rule or magic number that decided about it."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class ScenarioFilter(TypedDict, total=False):
    name: str | int
    """The name; `*` stands for any characters."""
    active: bool
    """Whether the scenario is active."""
    valid: bool
    """Whether the file can be loaded."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class ScenarioWait(TypedDict, total=False):
    name: str | int
    """The name; `*` stands for any characters."""
    active: bool
    """Whether the scenario is active."""
    valid: bool
    """Whether the file can be loaded."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class RuleFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    when: str | int
    """The hook of the rule."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class RuleWait(TypedDict, total=False):
    id: str | int
    """The id."""
    when: str | int
    """The hook of the rule."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class SnapshotFilter(TypedDict, total=False):
    name: str | int
    """The name; `*` stands for any characters."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class SnapshotWait(TypedDict, total=False):
    name: str | int
    """The name; `*` stands for any characters."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class SinkFilter(TypedDict, total=False):
    method: str | int
    """The HTTP method."""
    path: str | int
    """The path called, exact or with `*` for any characters, such as `/v1/messages/*`."""
    answered: str | int
    """The HTTP status that the sink answered, or a class such as `4xx`."""
    signature_valid: bool
    """Whether the signature is valid."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this; the way to read on with `order=desc`."""
    limit: int
    """At most this many entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then to be passed as `before`."""


class SinkWait(TypedDict, total=False):
    method: str | int
    """The HTTP method."""
    path: str | int
    """The path called, exact or with `*` for any characters, such as `/v1/messages/*`."""
    answered: str | int
    """The HTTP status that the sink answered, or a class such as `4xx`."""
    signature_valid: bool
    """Whether the signature is valid."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""
