"""The types of the control plane: what the sandbox returns as classes, what is sent to it as dictionaries."""

# Made from the OpenAPI documents and the scenario language by scripts/generate.ts; edit those.
# ruff: noqa
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NotRequired, TypedDict

WIRE_NAMES: dict[str, str] = {"from_":"from","data_type":"data.type","data_message_id":"data.message_id","data_wamid":"data.wamid","data_from":"data.from","data_to":"data.to","data_status":"data.status","data_text":"data.text","data_media_url":"data.media_url","data_profile_name":"data.profile_name","data_otp_id":"data.otp_id","data_template_id":"data.template_id","data_name":"data.name","data_language":"data.language","data_category":"data.category","data_rejection_reason":"data.rejection_reason"}
"""Names of the documents that Python does not take."""
TemplateCategory = Literal["marketing", "utility", "authentication"]
EventType = Literal["message.received", "message.status", "otp.verified", "template.status"]
ClockMode = Literal["real", "frozen", "scaled", "auto"]
RulePer = Literal["account", "recipient", "template", "endpoint"]
DeliveryState = Literal["pending", "delivered", "retrying", "held", "dropped", "failed"]
WebhookFault = Literal["delayed", "duplicated", "held_back", "dropped", "wrong_secret", "missing_signature", "malformed_signature", "truncated", "reformatted", "unknown_type", "huge", "forged", "simulated"]
MessageType = Literal["text", "image", "document", "interactive", "template"]
LifecycleStatus = Literal["sent", "delivered", "read", "failed"]
MessageStatus = Literal["accepted", "sent", "delivered", "read", "failed"]
Hand = Literal["command", "timeline"]
TemplateStatus = Literal["pending", "approved", "rejected", "paused", "deleted"]
EVENT_TYPES: list[EventType] = ["message.received","message.status","otp.verified","template.status"]


class AdvanceInput(TypedDict):
    """Exactly one of `by`, `to` and `until`."""
    by: NotRequired[timedelta | str]
    """Duration to advance by."""
    to: NotRequired[datetime | str]
    """Instant to advance to; not before now."""
    until: NotRequired[Literal["next", "idle"]]
    """`next`: to the next job. `idle`: until no job that shows progress is left."""
    max: NotRequired[timedelta | str]
    """With `until: idle`: longest duration; default: `7d`."""
    settle_real: NotRequired[timedelta | str]
    """Real time of quiet to await after each step, at most `60s`."""


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


class WebhookSlotHoldUntilInput(TypedDict):
    """Status that the message must reach before the delivery is sent, so that events arrive out of order."""
    status: Literal["sent", "delivered", "read", "failed"]


class WebhookSlotReceiverInput(TypedDict):
    """Simulated outcome. The receiver is contacted only with `late`."""
    simulate: Literal["refused", "timeout", "late", "reset"] | int
    """`refused`, `timeout`, `reset`, an HTTP status, or `late`: the request is sent, but its response counts as timed out."""


class WebhookSlotInput(TypedDict):
    """Faults of a delivery, as in the `webhook` action of a scenario. Delays are account time."""
    duplicate: NotRequired[int]
    """Number of additional copies with the same id."""
    delay: NotRequired[str]
    """Delay of the first attempt: a duration, or a range such as `2s..8s` (drawn by the seed)."""
    drop: NotRequired[bool]
    """Whether to drop the delivery; its state is then `dropped`."""
    hold_until: NotRequired[WebhookSlotHoldUntilInput]
    """Status that the message must reach before the delivery is sent, so that events arrive out of order."""
    signature: NotRequired[Literal["valid", "wrong_secret", "missing", "malformed"]]
    """Signature of the request."""
    body: NotRequired[Literal["exact", "truncate", "reformatted", "unknown_type", "huge", "forged", "forged_before", "forged_after"]]
    """Fault in the body: truncated, valid JSON with unusual spacing and escapes, an unknown type, very large, or other content under the same id. `forged_before` and `forged_after` send an additional request with the event's id, other content and a wrong signature, one second before or after the delivery. It is never retried."""
    receiver: NotRequired[WebhookSlotReceiverInput]
    """Simulated outcome. The receiver is contacted only with `late`."""


class EmitInput(TypedDict):
    type: EventType
    data: NotRequired[dict[str, Any]]
    """Fields of the payload that matter to you, by the schema of the event's type (`webhooks` of `/_sandbox/openapi/api.json`). Additional fields are allowed, and missing ones are filled in."""
    webhook_id: NotRequired[str]
    """Endpoint that alone gets the event, subscribed or not."""
    webhook: NotRequired[WebhookSlotInput]
    settle: NotRequired[bool]


class EndpointStatusInput(TypedDict):
    status: Literal["active", "paused"]


class InteractiveReplyInput(TypedDict):
    """A quick-reply button."""
    id: str
    title: str


InboundInput = TypedDict("InboundInput", {
    "from": "str",
    "type": "NotRequired[Literal['text', 'image', 'document', 'interactive']]",
    "text": "NotRequired[str]",
    "media_url": "NotRequired[str]",
    "interactive": "NotRequired[InteractiveReplyInput]",
    "profile_name": "NotRequired[str]",
    "settle": "NotRequired[bool]",
})



class ClockInput(TypedDict):
    mode: NotRequired[ClockMode]
    now: NotRequired[datetime | str]
    scale: NotRequired[float]
    """Account time per real time, for `scaled`: with 60, a minute passes per second."""
    quiet_real: NotRequired[timedelta | str]
    """With `auto`: time passes as on the machine, and jumps to the next job of any kind after this duration of quiet, in which the application changed nothing and no response was awaited; 100 ms more for each hour that it skips. An advance ends this: the clock is `frozen` from then on."""


class ScenarioInput(TypedDict):
    """Either `{"name"}` of a known scenario, or a whole scenario (`messaging-sandbox schema` prints its JSON Schema). A body with `name` alone is read as the former."""
    name: NotRequired[str]
    """Name of the scenario."""


class ResetInput(TypedDict):
    keep: NotRequired[list[Literal["templates", "webhooks", "clock", "scenario"]]]
    """What to keep."""
    clock: NotRequired[ClockInput]
    """Clock after the reset, at any instant. It takes precedence over the clock of a scenario. Fields that are left out are as for a new account."""
    scenario: NotRequired[str | ScenarioInput]


class ReviewInput(TypedDict):
    decision: Literal["approved", "rejected"]
    reason: NotRequired[str]
    """The `rejection_reason`, with `rejected`; default: a general one."""
    settle: NotRequired[bool]


RuleConditionsInput = TypedDict("RuleConditionsInput", {
    "min": "NotRequired[int]",
    "max": "NotRequired[int]",
    "not": "NotRequired[Any]",
})



RuleMatchInput = TypedDict("RuleMatchInput", {
    "phone": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "type": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "template": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "language": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "category": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "text": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "name": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "body": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "url": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "events": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "event": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "status": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "alias": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "attempts": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "method": "NotRequired[str | float | bool | list[Any] | RuleConditionsInput]",
    "not": "NotRequired[RuleMatchInput]",
})



class RulePickInput(TypedDict):
    calls: NotRequired[str | float | bool]
    """The call with this number, or those from one number to another: 3, 2..5, 4.."""
    every: NotRequired[int]
    """Every Nth call: with 3, the third, sixth, ninth …"""
    chance: NotRequired[str | float | bool]
    """This percentage of the calls, chosen by seed, rule, recipient and count: the same calls on every machine, in any order."""
    share: NotRequired[str | float | bool]
    """This percentage of the customers, chosen by seed and number. Shares of several rules with one action at one hook add up: 20% and 30% are half of the customers, none twice. Rules with another action or hook begin with the same customers."""


class RuleActiveInput(TypedDict):
    after: NotRequired[timedelta | str]
    """Offset from activation at which the rule starts to apply. Default: +0s."""
    before: NotRequired[timedelta | str]
    """Offset from activation at which the rule stops applying. Default: never."""


class RuleRespondInput(TypedDict):
    status: NotRequired[int]
    """HTTP status of the response."""
    code: NotRequired[str | float | bool]
    """Error code."""
    message: NotRequired[str | float | bool]
    """Error message."""
    body: NotRequired[Any]
    """The complete JSON body, instead of the error object. Without a status, the status is 200. If a Content-Type header is not JSON, a text is sent as written."""
    headers: NotRequired[dict[str, str | float | bool]]
    """Headers to add to the response or to replace in it."""
    retry_after: NotRequired[timedelta | str]
    """Retry-After header, in whole seconds of account time, rounded up. Without a status and a code, the response is 429 `rate_limited`."""
    latency_real: NotRequired[timedelta | str]
    """Real time by which the response is delayed."""
    fault_real: NotRequired[Literal["reset", "empty", "hang", "truncate", "garbage"]]
    """Fault of the connection: reset it, close it without a response (empty), never respond (hang), truncate the body (truncate), or send bytes that are not HTTP (garbage)."""
    accept: NotRequired[bool]
    """Whether the operation still happens. Default: true if only the delay, the headers or the bytes of the response change (latency_real, headers, truncate, garbage, a success status alone), otherwise false."""


class RuleRefusalInput(TypedDict):
    code: NotRequired[str | float | bool]
    """Error code of the rejected entry. A channel failure, by name or number, also sets the number and the message. Default: send_failed."""
    message: NotRequired[str | float | bool]
    """Error message."""


class RuleLifecycleStepInput(TypedDict):
    sent: NotRequired[timedelta | str]
    """The channel reports sent this long after acceptance."""
    delivered: NotRequired[timedelta | str]
    """The channel reports delivered this long after acceptance."""
    read: NotRequired[timedelta | str]
    """The channel reports read this long after acceptance."""
    failed: NotRequired[timedelta | str]
    """The channel reports failed this long after acceptance."""
    error: NotRequired[Literal["undeliverable", "not_delivered_by_channel", "recipient_in_experiment", "recipient_opted_out", "media_upload_failed", "media_download_failed", "window_closed", "spam_rate_limited", "pair_rate_limited", "throughput_limited", "account_locked", "policy_blocked", "country_restricted", "payment_issue", "recipient_is_sender", "unsupported_message_type", "template_paused", "template_disabled", "template_text_too_long", "template_parameter_format", "service_unavailable", "account_in_maintenance", "unknown_error"]]
    """With failed: name or number of the channel failure. Default: unknown_error."""


class RuleReviewInput(TypedDict):
    status: Literal["approved", "rejected", "pending"]
    """approved, rejected, or pending for a template that is never decided."""
    after: NotRequired[timedelta | str]
    """Time from submission to decision. Default: 0s."""
    because: NotRequired[str | float | bool]
    """With rejected: reason of the reviewer."""


class RuleOtpInput(TypedDict):
    code: NotRequired[str | float | bool]
    """Code to send, truncated to the requested length."""
    attempts: NotRequired[int]
    """Number of wrong codes until the code is locked. Default: 5."""
    expires: NotRequired[timedelta | str]
    """Time from send to expiry, instead of the requested one."""


class RuleInboundSlotInput(TypedDict):
    after: NotRequired[timedelta | str]
    """Time from acceptance of the message to the reply. The reply never comes before the delivery. Default: at the delivery."""
    text: NotRequired[str | float | bool]
    """Text of the customer. Without text and button, a text is generated."""
    button: NotRequired[int]
    """Number of the button that the customer taps; 1 is the first."""


class RuleSlotsInput(TypedDict):
    respond: NotRequired[RuleRespondInput]
    """Response to the call."""
    refuse: NotRequired[RuleRefusalInput]
    """message.send: rejects the recipient; in a batch, that entry alone."""
    limit: NotRequired[str | float | bool]
    """Number of calls per account time, and at once. Above it, the response is 429 rate_limited with Retry-After."""
    lifecycle: NotRequired[str | float | bool | list[RuleLifecycleStepInput]]
    """message.send, otp.send: statuses that the channel reports, as offsets from acceptance, a preset, or a channel failure."""
    review: NotRequired[RuleReviewInput]
    """template.review: decision of the platform owner, and its time."""
    otp: NotRequired[RuleOtpInput]
    """otp.send: code to send, its attempts and its expiry."""
    webhook: NotRequired[WebhookSlotInput]
    """webhook.deliver: faults of the delivery."""
    inbound: NotRequired[RuleInboundSlotInput]
    """message.send: the customer replies once the message is delivered. A failed message gets no reply."""
    window: NotRequired[Literal["open", "closed"]]
    """message.send: the 24-hour window counts as open or closed, whether the customer wrote or not."""


class RuleInput(TypedDict):
    id: NotRequired[str | float | bool]
    """Name of the rule in explanations and in X-Sandbox-Rule. Default: rules[N]."""
    when: Literal["api.any", "message.send", "message.get", "otp.send", "otp.verify", "template.create", "template.get", "template.review", "webhook.create", "webhook.deliver"]
    """The hook at which the rule is evaluated."""
    match: NotRequired[RuleMatchInput]
    """Conditions on the call or event. Default: all match."""
    pick: NotRequired[RulePickInput]
    """How often the rule applies, counted among the calls that match. If there are several keys, all must hold."""
    per: NotRequired[Literal["account", "phone", "template", "endpoint"]]
    """What pick and limit count by. Default: account."""
    active: NotRequired[RuleActiveInput]
    """When the rule is active. Default: always."""
    expect: NotRequired[Literal["never"]]
    """never: a good application never makes this rule apply. If it applies, the verdict fails; if it does not, there is no warning."""
    then: RuleSlotsInput
    """What the rule does. Actions that an earlier rule has set are not changed."""


class SinkResponseInput(TypedDict):
    """One response of the sink."""
    status: int
    delay: NotRequired[timedelta | str]
    """Real time to wait before the response, at most 60s."""
    times: NotRequired[int]
    """Number of requests that get this response; default: all further ones."""


class SinkInput(TypedDict):
    respond: list[SinkResponseInput]


class SnapshotNameInput(TypedDict):
    name: str


class TemplateStatusInput(TypedDict):
    status: Literal["paused", "approved", "deleted"]
    settle: NotRequired[bool]


class WindowInput(TypedDict):
    """Exactly one of `open` and `closes_at`."""
    open: NotRequired[bool]
    """true opens the window from now for 24 hours; false closes it now."""
    closes_at: NotRequired[datetime | str]
    """Instant at which the window closes; an instant in the past closes it now."""
    settle: NotRequired[bool]


@dataclass(frozen=True, kw_only=True)
class RuleLastHit:
    """Last decision, or null."""
    at: datetime
    subject: str
    """Id of the affected message, call or delivery."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """An active rule and its number of hits."""
    id: str
    seq: int
    when: str
    match: dict[str, Any] | None = None
    pick: dict[str, Any] | None = None
    per: RulePer | None = None
    active: dict[str, Any] | None = None
    then: dict[str, Any]
    hits: int
    """Number of decisions."""
    last_hit: RuleLastHit | None
    """Last decision, or null."""
    file: str | None = None
    """Scenario file of the rule, if it has one."""
    line: int | None = None


@dataclass(frozen=True, kw_only=True)
class ScenarioProblem:
    """One error in a scenario, with its place."""
    file: str | None = None
    """File, or the name given for it."""
    line: int
    """Line, counted from 1."""
    column: int
    """Counted from 1."""
    path: str
    """Path in the scenario, such as `rules[0].then.respond.status`."""
    code: str
    """Stable name of the kind of error."""
    message: str
    """Description in one sentence."""
    found: str | None = None
    """Value that was found."""
    allowed: str | None = None
    """Values that are allowed."""
    suggestion: str | None = None
    """Nearest known word."""
    fixed: str | None = None
    """The corrected line, if it is known. Two lines if a key is missing."""
    example: str | None = None
    """Example of a valid value, if the intended one is unknown."""


@dataclass(frozen=True, kw_only=True)
class ActiveScenario:
    name: str | None
    """Name of the active scenario, or null."""
    description: str | None
    file: str | None
    """File of the scenario, or null."""
    activated_at: datetime | None
    """Instant from which the offsets count, or null."""
    ends_at: datetime | None
    """Instant at which everything planned has happened: the timeline, the checks and the ends of the rules. Null without a plan."""
    scenario: dict[str, Any] | None
    """The whole scenario, merged with the scenarios that it extends."""
    source: str | None
    """Text of the scenario, as written."""
    rules: list[Rule]
    """Rules in the order of precedence."""
    warnings: list[ScenarioProblem]


@dataclass(frozen=True, kw_only=True)
class AddedRuleLastHit:
    """Last decision, or null."""
    at: datetime
    subject: str
    """Id of the affected message, call or delivery."""


@dataclass(frozen=True, kw_only=True)
class AddedRule:
    """The rule and its warnings."""
    id: str
    seq: int
    when: str
    match: dict[str, Any] | None = None
    pick: dict[str, Any] | None = None
    per: RulePer | None = None
    active: dict[str, Any] | None = None
    then: dict[str, Any]
    hits: int
    """Number of decisions."""
    last_hit: AddedRuleLastHit | None
    """Last decision, or null."""
    file: str | None = None
    """Scenario file of the rule, if it has one."""
    line: int | None = None
    warnings: list[ScenarioProblem]


@dataclass(frozen=True, kw_only=True)
class AdvanceResultRan:
    at: datetime
    job: str
    """Kind of job, such as `message.status`."""
    subject: str
    """Id of the job's subject."""
    about: str | None = None
    """Message, template, endpoint or scenario in a few words, such as `order_shipped`."""
    to: str | None = None
    """Phone number of the customer."""
    status: str | None = None
    """Status that is reported or in the event, or state of a template."""
    event_type: EventType | None = None
    """Type of the event of a delivery attempt."""
    webhook_id: str | None = None
    """Id of the endpoint."""
    url: str | None = None
    """URL of the endpoint."""
    attempt: int | None = None
    """Number of the delivery attempt."""


@dataclass(frozen=True, kw_only=True)
class AdvanceResult:
    now: datetime
    ran: list[AdvanceResultRan]
    """The jobs that ran, in order; at most the first ten thousand."""
    ran_total: int
    """Number of jobs that ran."""
    deliveries: int
    """Number of attempts made and finished on the way."""
    pending: int
    """Number of jobs that are still pending."""
    stopped: bool | None = None
    """true if `DELETE /_sandbox/clock/advance` ended the advance."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    now: datetime
    mode: ClockMode
    scale: float
    """Account time per real time; 1 unless the mode is `scaled`."""
    quiet_real: str | None = None
    """With `auto`, if it was set: duration of quiet after which the clock jumps."""
    quiet: bool | None = None
    """With `quiet_real`: whether the application has been quiet for that long."""
    pending: int
    """Number of pending jobs."""
    next_due: datetime | None
    """Instant at which the next job is due, or null."""


@dataclass(frozen=True, kw_only=True)
class CoverageItem:
    group: str
    name: str
    hits: int
    hint: str
    """Call, magic number or scenario that exercises it."""


@dataclass(frozen=True, kw_only=True)
class Coverage:
    total: int
    covered: int
    """Number of items with hits."""
    items: list[CoverageItem]


@dataclass(frozen=True, kw_only=True)
class CustomerWindow:
    open: bool
    """Whether free-form messages may be sent now."""
    closes_at: datetime | None
    """Instant at which the window closes or closed; null if it was never open."""


@dataclass(frozen=True, kw_only=True)
class MessageGlimpse:
    """A message as a list of conversations shows it."""
    message_id: str
    seq: int
    direction: Literal["inbound", "outbound"]
    type: Literal["text", "image", "document", "interactive", "template"]
    text: str | None
    """First 140 characters of the text as the customer reads it; null without a text."""
    status: Literal["received", "accepted", "sent", "delivered", "read", "failed"]
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Customer:
    seq: int
    phone: str
    profile_name: str | None
    """Name in the channel, if known."""
    window: CustomerWindow
    last_inbound_at: datetime | None
    last_message: MessageGlimpse | None
    """Latest message of the conversation in either direction, or null."""


@dataclass(frozen=True, kw_only=True)
class Explain:
    """What decided the outcome, and why. Precedence is header, rule, magic, default. If a command or the timeline changed the outcome, `text` begins with that and then describes the plan; `by` still names the plan."""
    by: Literal["header", "rule", "magic", "default"]
    """`header`: the caller requested it, by the header `X-Sandbox-Prefer`, in the call itself, or in a step of the scenario's timeline."""
    id: str | None = None
    """Id of the rule, or of the magic number such as `magic-21`; `timeline` for one of its steps."""
    file: str | None = None
    """Scenario file of the rule."""
    line: int | None = None
    """Line of the rule in its file."""
    text: str
    """One sentence."""


@dataclass(frozen=True, kw_only=True)
class AttemptRequest:
    url: str
    headers: dict[str, str | list[str]]
    body: str | None = None
    """Body as sent, as text; absent in a list."""
    truncated: bool | None = None
    """true if the body was longer than what is stored."""


@dataclass(frozen=True, kw_only=True)
class AttemptResponse:
    headers: dict[str, str | list[str]]
    body: str | None = None
    """Body of the response, its first 64 KB; absent in a list."""
    truncated: bool | None = None
    """true if the body was longer."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One HTTP request of a delivery."""
    number: int
    """Counted from 1."""
    at: datetime
    status: int | None
    """HTTP status of the response; null without a response."""
    duration_ms: float
    """Duration in real time, in milliseconds."""
    trigger: Literal["schedule", "redelivery"]
    """Whether the retry schedule or a redelivery caused it."""
    error: str | None = None
    """Stable name of the failure, such as `connection_refused`; absent if the attempt succeeded."""
    reason: str | None = None
    """Description of the failure in one sentence."""
    hint: str | None = None
    """Suggestion to try."""
    explain: Explain | None = None
    """Rule or call that injected a fault; absent if none did."""
    faults: list[WebhookFault] | None = None
    """Faults injected into this attempt; absent if there were none."""
    sent_to: str
    """URL of the request; differs from the registered one if a route, the sink or the tunnel replaced it."""
    plain: bool
    """true if a local receiver was called over plain HTTP."""
    request: AttemptRequest
    response: AttemptResponse | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Delivery of one event to one endpoint."""
    id: str
    seq: int
    event_id: str
    event_type: EventType
    webhook_id: str
    url: str
    """URL as registered."""
    state: DeliveryState
    attempts: list[Attempt]
    next_attempt_at: datetime | None
    created_at: datetime
    payload: str | None
    """The event as sent, or as it would have been sent."""
    truncated: bool | None = None
    """true if the event is longer than `payload`."""
    faults: list[WebhookFault] | None = None
    """Faults injected into the delivery and its attempts; absent if there were none."""
    explain: Explain | None = None


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
class MessageError:
    """Why a message failed."""
    code: str
    """Stable name of the error."""
    message: str
    channel_code: int | None
    """Number of the error in the channel, if it has one."""


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
    """An event as its receivers get it, with its position in the log."""
    id: str
    seq: int
    type: EventType
    created_at: datetime
    data: MessageReceivedData | MessageStatusData | OtpVerifiedData | TemplateStatusData
    """Payload of the event. Its shape by type is in the API plane's document, under `webhooks`."""
    truncated: bool | None = None
    """true for more than 64 KiB of data; long texts in `data` are then cut."""
    explain: Explain | None = None


@dataclass(frozen=True, kw_only=True)
class EmitResult:
    event: Event
    deliveries: list[Delivery]
    """Deliveries that this call created; empty if no endpoint subscribes to the type."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A registered endpoint with its secret."""
    id: str
    seq: int
    url: str
    alias: str | None = None
    """Name of the endpoint in the scenario."""
    events: list[EventType]
    secret: str
    status: Literal["active", "paused"]
    pause_reason: str | None = None
    """Reason for the pause, or null."""
    failing_since: datetime | None
    """When the delivery that has failed longest was first attempted, or null. The endpoint is paused 24 h later. The value stays until the endpoint is active again or a delivery succeeds."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class IdleResult:
    idle: bool
    now: datetime
    pending: int
    """Jobs that lie ahead."""


@dataclass(frozen=True, kw_only=True)
class InteractiveReply:
    """A quick-reply button."""
    id: str
    title: str


@dataclass(frozen=True, kw_only=True)
class InboundMessageHistory:
    status: Literal["received"]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class InboundMessage:
    """A message sent by a customer."""
    id: str
    """Value of `message_id`, under the name that all records have."""
    message_id: str
    seq: int
    wamid: str
    """Id in the channel."""
    direction: Literal["inbound"]
    from_: str
    to: str
    """The account's own number."""
    type: Literal["text", "image", "document", "interactive"]
    status: Literal["received"]
    text: str | None
    """Text, or the title of the tapped button; null for media without a text."""
    media_url: str | None = None
    interactive: InteractiveReply | None = None
    profile_name: str | None
    error: Any
    """Always null, because a customer's message does not fail."""
    created_at: datetime
    history: list[InboundMessageHistory]
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class InboundResult:
    message_id: str
    event_id: str
    window_closes_at: datetime


@dataclass(frozen=True, kw_only=True)
class Job:
    """A pending job."""
    seq: int
    job: str
    """Kind of job, such as `message.status` or `delivery.attempt`."""
    subject: str
    """Id of the message, template, delivery, endpoint or scenario step that the job is about."""
    due: datetime
    about: str | None = None
    """Message, template, endpoint or scenario in a few words, such as `order_shipped`."""
    to: str | None = None
    """Phone number of the customer."""
    status: str | None = None
    """Status that is reported or in the event, or state of a template."""
    event_type: EventType | None = None
    """Type of the event of a delivery attempt."""
    webhook_id: str | None = None
    """Id of the endpoint."""
    url: str | None = None
    """URL of the endpoint."""
    attempt: int | None = None
    """Number of the delivery attempt."""


@dataclass(frozen=True, kw_only=True)
class JournalRequestRequest:
    headers: dict[str, str | list[str]]
    query: str | None = None
    """Query string without the `?`."""
    body: Any = None
    truncated: bool | None = None


@dataclass(frozen=True, kw_only=True)
class JournalRequestResponse:
    """The response; null if a fault suppressed it."""
    headers: dict[str, str | list[str]]
    body: Any = None
    truncated: bool | None = None


@dataclass(frozen=True, kw_only=True)
class JournalRequest:
    """A call to the API plane."""
    id: str
    """The value of `X-Sandbox-Request`."""
    seq: int
    at: datetime
    operation: str | None
    """operationId of the call, or null if the path is unknown."""
    method: str
    path: str
    """Path without the query."""
    status: int | None
    """HTTP status of the response; null if a fault suppressed it."""
    duration_ms: float
    """Duration in real time, in milliseconds."""
    request: JournalRequestRequest
    response: JournalRequestResponse | None
    """The response; null if a fault suppressed it."""
    warnings: list[str]
    """What was accepted but should not be relied on, one sentence each."""
    error: str | None = None
    """Error code of the response."""
    fault: str | None = None
    """Fault injected into the socket, such as `reset`."""
    about: str | None = None
    """The recipient, or the name of what was called, in at most 200 characters."""
    result: str | None = None
    """Why the call was rejected, that a code was wrong, or how much of a batch failed, in at most 200 characters."""
    explain: Explain | None = None


@dataclass(frozen=True, kw_only=True)
class KnownScenario:
    seq: int
    name: str
    description: str | None
    file: str
    writable: bool
    """Whether `PUT /_sandbox/scenarios/{name}` may replace the file."""
    active: bool
    """Whether the scenario is active in this account."""
    valid: bool
    """Whether the scenario can be activated."""
    problems: list[ScenarioProblem] | None = None
    """Errors, if it cannot be activated."""


@dataclass(frozen=True, kw_only=True)
class MessageInteractive:
    """Buttons of an interactive message, as sent."""
    body: str
    buttons: list[InteractiveReply]


@dataclass(frozen=True, kw_only=True)
class MessageTemplate:
    """With a template message, the template at the time of sending."""
    name: str
    language: str
    category: Literal["marketing", "utility", "authentication"]
    body: str
    """Text with its placeholders."""
    buttons: list[dict[str, Any]] | None = None
    variables: list[str]


@dataclass(frozen=True, kw_only=True)
class MessageHistory:
    status: MessageStatus
    at: datetime
    error: MessageError | None = None
    by: Hand | None = None


@dataclass(frozen=True, kw_only=True)
class Message:
    """An outbound message as stored, with the content that the customer sees."""
    id: str
    """Value of `message_id`, under the name that all records have."""
    message_id: str
    seq: int
    wamid: str | None
    """Id in the channel."""
    direction: Literal["outbound"]
    from_: str
    """Phone number of the account."""
    to: str
    type: MessageType
    status: MessageStatus
    text: str | None
    """Text that the customer reads, with variables and code filled in; null without a text."""
    media_url: str | None = None
    """URL of an image or document."""
    interactive: MessageInteractive | None = None
    """Buttons of an interactive message, as sent."""
    template: MessageTemplate | None = None
    """With a template message, the template at the time of sending."""
    batch_id: str | None = None
    """Id of the batch that the message was sent in."""
    otp_id: str | None = None
    """Id of the one-time code in the message."""
    error: MessageError | None
    """Why the message failed, or null."""
    created_at: datetime
    history: list[MessageHistory]
    """All states so far, in order."""
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class Otp:
    """A one-time code in readable form."""
    otp_id: str
    seq: int
    to: str
    code: str
    state: Literal["active", "verified", "locked", "expired"]
    """`active` can be verified; `verified` is already used; `locked` had too many wrong codes; `expired` ended at `expires_at`."""
    attempts_remaining: int
    """Number of wrong codes that are still allowed."""
    template: str
    """Name of the authentication template."""
    message_id: str
    """Id of the message that carried the code."""
    created_at: datetime
    expires_at: datetime
    verified_at: datetime | None
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class SinkRequest:
    """A request that the sink received."""
    seq: int
    at: datetime
    method: str
    path: str
    """Path as in `https://sink.sandbox/NAME…`."""
    headers: dict[str, str | list[str]]
    body: str
    """Exact body, as text; the first 64 KiB of a longer one."""
    truncated: bool | None = None
    """true if the body was longer."""
    json: Any = None
    """The body parsed, if it is JSON and complete."""
    signature_valid: bool | None
    answered: int
    """HTTP status that the sink returned."""


@dataclass(frozen=True, kw_only=True)
class SnapshotInfo:
    seq: int
    name: str
    taken_at: datetime
    size_bytes: int
    """Size of its JSON."""


@dataclass(frozen=True, kw_only=True)
class TemplateEntry:
    """A state of a template and the instant at which it began."""
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
    """Text with its placeholders: the body, or its replacement."""
    buttons: list[dict[str, Any]]
    """Buttons as submitted."""
    status: TemplateStatus
    template_type: Literal["standard"]
    rejection_reason: str | None
    created_at: datetime
    history: list[TemplateEntry]
    """All states so far, in order."""
    planned: list[TemplateEntry]
    """Moves planned by the platform owner, soonest first: the review of a pending template, and later steps of a scenario."""
    explain: Explain


@dataclass(frozen=True, kw_only=True)
class FailedRecord:
    id: str
    url: str
    """Path of the record in the control plane, of its delivery for an attempt."""
    page: str
    """Path and fragment of the record in the web UI."""


@dataclass(frozen=True, kw_only=True)
class VerdictCheck:
    passed: bool
    at: str
    """When it was evaluated: `finish` or an offset."""
    that: str
    """What was evaluated, such as `requests`."""
    because: str | None = None
    """What a failure means, as the scenario says; omitted if it does not."""
    expected: str
    """Expectation of the scenario, in words."""
    found: str
    """Actual result, in words."""
    records: list[FailedRecord] | None = None
    """The records that failed the check, at most 10; omitted if there are none."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    scenario: str
    """Name of the evaluated scenario."""
    passed: bool
    """Whether all checks passed and the application took part."""
    reason: Literal["no_calls"] | None = None
    """Why the verdict is not passed regardless of the checks. `no_calls`: since the activation the application made no call and no delivery was attempted."""
    note: str | None = None
    """Note on the result if the application made no call; absent otherwise."""
    warnings: list[str] | None = None
    """Timeline steps that could not be made and were skipped, one sentence each; absent if there were none."""
    checks: list[VerdictCheck]


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
    """The message that the record is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: str | int
    """`outbound` is what the application sent; `inbound` is what customers wrote; `inbound,outbound` is both. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    type: str | int
    """The type of the message, or several, such as `image,document`."""
    status: str | int
    """The status, or several, such as `accepted,sent,delivered`."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case is ignored, and `_` means `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    otp_id: str | int
    """The one-time code."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


class HandsetWait(TypedDict, total=False):
    id: str | int
    """The id."""
    message_id: str | int
    """The message that the record is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: str | int
    """`outbound` is what the application sent; `inbound` is what customers wrote; `inbound,outbound` is both. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    type: str | int
    """The type of the message, or several, such as `image,document`."""
    status: str | int
    """The status, or several, such as `accepted,sent,delivered`."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case is ignored, and `_` means `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    otp_id: str | int
    """The one-time code."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class MessageFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    message_id: str | int
    """The message that the record is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: str | int
    """`outbound` is what the application sent; `inbound` is what customers wrote; `inbound,outbound` is both. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    type: str | int
    """The type of the message, or several, such as `image,document`."""
    status: str | int
    """The status, or several, such as `accepted,sent,delivered`."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case is ignored, and `_` means `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


class MessageWait(TypedDict, total=False):
    id: str | int
    """The id."""
    message_id: str | int
    """The message that the record is about."""
    wamid: str | int
    """The channel's id of the message."""
    direction: str | int
    """`outbound` is what the application sent; `inbound` is what customers wrote; `inbound,outbound` is both. Default: `outbound`."""
    from_: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    type: str | int
    """The type of the message, or several, such as `image,document`."""
    status: str | int
    """The status, or several, such as `accepted,sent,delivered`."""
    text: str | int
    """The text; `*` stands for any characters."""
    media_url: str | int
    """The address of the media file."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    language: str | int
    """The language of the template; case is ignored, and `_` means `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    batch_id: str | int
    """The batch that the message belongs to."""
    error: str | int
    """The code of the error."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
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
    """The language of the template; case is ignored, and `_` means `-`."""
    status: Literal["pending", "approved", "rejected", "paused", "deleted"]
    """The status."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


class TemplateWait(TypedDict, total=False):
    id: str | int
    """The id."""
    name: str | int
    """The name; `*` stands for any characters."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    language: str | int
    """The language of the template; case is ignored, and `_` means `-`."""
    status: Literal["pending", "approved", "rejected", "paused", "deleted"]
    """The status."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class OtpFilter(TypedDict, total=False):
    otp_id: str | int
    """The one-time code."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    code: str | int
    """The code itself."""
    state: Literal["active", "verified", "locked", "expired"]
    """The state."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    message_id: str | int
    """The message that the record is about."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


class OtpWait(TypedDict, total=False):
    otp_id: str | int
    """The one-time code."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    code: str | int
    """The code itself."""
    state: Literal["active", "verified", "locked", "expired"]
    """The state."""
    template: str | int
    """The name of the template; `*` stands for any characters."""
    message_id: str | int
    """The message that the record is about."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""


class EventFilter(TypedDict, total=False):
    id: str | int
    """The id."""
    type: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """The type of the event."""
    error: str | int
    """The code of the error."""
    data_type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message in the data of the event."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    message_id: str | int
    """The message that the record is about."""
    wamid: str | int
    """The channel's id of the message."""
    from_: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
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
    """The language of the template; case is ignored, and `_` means `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    data_message_id: str | int
    """The message that the record is about."""
    data_wamid: str | int
    """The channel's id of the message."""
    data_from: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    data_to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    data_status: Literal["sent", "delivered", "read", "failed", "approved", "rejected"]
    """The status."""
    data_text: str | int
    """The text; `*` stands for any characters."""
    data_media_url: str | int
    """The address of the media file."""
    data_profile_name: str | int
    """The name of the customer; `*` stands for any characters."""
    data_otp_id: str | int
    """The one-time code."""
    data_template_id: str | int
    """The template that the event is about."""
    data_name: str | int
    """The name; `*` stands for any characters."""
    data_language: str | int
    """The language of the template; case is ignored, and `_` means `-`."""
    data_category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    data_rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


class EventWait(TypedDict, total=False):
    id: str | int
    """The id."""
    type: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """The type of the event."""
    error: str | int
    """The code of the error."""
    data_type: Literal["text", "image", "document", "interactive", "template"]
    """The type of the message in the data of the event."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    message_id: str | int
    """The message that the record is about."""
    wamid: str | int
    """The channel's id of the message."""
    from_: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
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
    """The language of the template; case is ignored, and `_` means `-`."""
    category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
    data_message_id: str | int
    """The message that the record is about."""
    data_wamid: str | int
    """The channel's id of the message."""
    data_from: str | int
    """The sender, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    data_to: str | int
    """The recipient, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
    data_status: Literal["sent", "delivered", "read", "failed", "approved", "rejected"]
    """The status."""
    data_text: str | int
    """The text; `*` stands for any characters."""
    data_media_url: str | int
    """The address of the media file."""
    data_profile_name: str | int
    """The name of the customer; `*` stands for any characters."""
    data_otp_id: str | int
    """The one-time code."""
    data_template_id: str | int
    """The template that the event is about."""
    data_name: str | int
    """The name; `*` stands for any characters."""
    data_language: str | int
    """The language of the template; case is ignored, and `_` means `-`."""
    data_category: Literal["marketing", "utility", "authentication"]
    """The category of the template."""
    data_rejection_reason: str | int
    """Why the template was rejected; `*` stands for any characters."""
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
    """The message that the record is about."""
    to: str | int
    """The recipient in the data of the event, in E.164."""
    from_: str | int
    """The sender in the data of the event, in E.164."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


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
    """The message that the record is about."""
    to: str | int
    """The recipient in the data of the event, in E.164."""
    from_: str | int
    """The sender in the data of the event, in E.164."""
    by: Literal["header", "rule", "magic", "default"]
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
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
    """The name of the endpoint in the scenario."""
    events: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """An event type that the endpoint has subscribed to."""
    status: Literal["active", "paused"]
    """The status."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


class WebhookWait(TypedDict, total=False):
    id: str | int
    """The id."""
    url: str | int
    """The URL; `*` stands for any characters."""
    alias: str | int
    """The name of the endpoint in the scenario."""
    events: Literal["message.received", "message.status", "otp.verified", "template.status"]
    """An event type that the endpoint has subscribed to."""
    status: Literal["active", "paused"]
    """The status."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
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
    """A recipient in the body, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
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
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


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
    """A recipient in the body, in E.164. The `+` may be percent-encoded (`%2B`), literal or omitted."""
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
    """The kind of decision."""
    rule: str | int
    """The rule or magic number that decided it."""
    search: str | int
    """A text that the entry contains, whatever its case: part of a number, an id or a text."""
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
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


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
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


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
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


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
    """The HTTP status that the sink returned, or a class such as `4xx`."""
    signature_valid: bool
    """Whether the signature is valid."""
    after: int
    """Only entries with a `seq` greater than this."""
    before: int
    """Only entries with a `seq` less than this. Use it to page with `order=desc`."""
    limit: int
    """Maximum number of entries, 1 to 1000."""
    order: Literal["asc", "desc"]
    """`asc` is oldest first; `desc` is newest first, and `next` is then passed as `before`."""


class SinkWait(TypedDict, total=False):
    method: str | int
    """The HTTP method."""
    path: str | int
    """The path called, exact or with `*` for any characters, such as `/v1/messages/*`."""
    answered: str | int
    """The HTTP status that the sink returned, or a class such as `4xx`."""
    signature_valid: bool
    """Whether the signature is valid."""
    after: int
    """Only entries with a `seq` greater than this."""
    timeout: timedelta | str
    """How long to wait in real time, at most 60 seconds; default: 5 seconds."""
