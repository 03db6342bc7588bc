"""The client: a sandbox, its accounts, and what a test does with one."""

# Made of its asynchronous twin by scripts/generate.ts; edit that.
import os
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, Self, Unpack

import httpx

from . import _sync_calls as calls
from . import models as m
from ._sync_connection import Connection, Control, quoted
from ._launch import launch
from ._wire import SandboxError

Duration = timedelta | str
Instant = datetime | str


class ClockControl(calls.ClockCalls):
    def now(self) -> datetime:
        return (self.get()).now

    def advance(
        self, by: Duration | None = None, *, to: Instant | None = None, until: Literal["next", "idle"] | None = None,
        max: Duration | None = None, settle_real: Duration | None = None,
    ) -> m.AdvanceResult:  # fmt: skip
        """Advances the clock, and returns when everything that was due has finished, including webhook responses."""
        body = {"by": by, "to": to, "until": until, "max": max, "settle_real": settle_real}
        return self._get(m.AdvanceResult, "POST", "/_sandbox/clock/advance", body)

    def freeze(self, at: Instant | None = None) -> m.Clock:
        return self._put(mode="frozen", now=at)

    def run(self, pace: Literal["real", "auto"] | float = "real") -> m.Clock:
        """Lets time pass: in real time, from job to job, or faster by a factor."""
        return (self._put(mode=pace) if isinstance(pace, str) else self._put(mode="scaled", scale=pace))

    def set(self, to: Instant) -> m.Clock:
        return self._put(now=to)

    def _put(self, **body: Any) -> m.Clock:
        return self._get(m.Clock, "PUT", "/_sandbox/clock", body)


class Customer(Control):
    """The person with a phone number."""

    def __init__(self, connection: Connection, phone: str) -> None:
        super().__init__(connection)
        self.phone, self._path = phone, f"/_sandbox/customers/{quoted(phone)}"

    def says(self, text: str | None = None, **more: Any) -> m.InboundResult:
        """Writes to the account, which opens the window. The text is generated if omitted."""
        return self._get(m.InboundResult, "POST", "/_sandbox/inbound", {"from": self.phone, "text": text, **more})

    def taps(self, button: str) -> m.InboundResult:
        """Taps a button of the latest message that has it, by title or id."""
        shown = [reply for message in self.messages(order="desc") for reply in replies(message)]
        for reply in (each for each in shown if button in each.values()):
            return self.says(type="interactive", interactive=reply)
        known = ", ".join(repr(reply["title"]) for reply in shown) or "none"
        raise SandboxError("not_found", f"{self.phone} has no button {button!r} to tap. Buttons: {known}.")

    def open_window(self) -> m.Customer:
        return self._get(m.Customer, "PUT", f"{self._path}/window", {"open": True})

    def close_window(self, at: Instant | None = None) -> m.Customer:
        body = {"open": False} if at is None else {"closes_at": at}
        return self._get(m.Customer, "PUT", f"{self._path}/window", body)

    def messages(self, **wanted: Unpack[m.HandsetFilter]) -> list[m.Message | m.InboundMessage]:
        return self._items(m.Message | m.InboundMessage, f"{self._path}/messages", wanted)

    def get(self) -> m.Customer:
        return self._get(m.Customer, "GET", self._path)


class TemplateControl(calls.TemplateCalls):
    def get(self, name: str) -> m.Template:
        for template in self.list(name=name, order="desc", limit=1):
            return template
        raise SandboxError("not_found", f"This account has no template {name!r}.")

    def create(self, **template: Unpack[m.CreateTemplateRequestInput]) -> m.Template:
        """Submits a template, as the application would. It is then pending."""
        made = self._call("POST", "/v1/templates", template)
        return self._get(m.Template, "GET", f"/_sandbox/templates/{made['template_id']}")

    def approve(self, name: str) -> m.Template:
        return self._act(name, "review", decision="approved")

    def reject(self, name: str, reason: str | None = None) -> m.Template:
        return self._act(name, "review", decision="rejected", reason=reason)

    def set_status(self, name: str, status: Literal["paused", "approved", "deleted"]) -> m.Template:
        return self._act(name, "status", status=status)

    def _act(self, name: str, call: str, **body: Any) -> m.Template:
        return self._get(m.Template, "POST", f"/_sandbox/templates/{(self.get(name)).id}/{call}", body)


class WebhookControl(calls.WebhookCalls):
    def register(self, url: str, events: list[m.EventType] = m.EVENT_TYPES) -> m.WebhookRegistration:
        """Registers an endpoint, as the application would; by default for all events."""
        return self._get(m.WebhookRegistration, "POST", "/v1/webhooks", {"url": url, "events": events})


class Sink(Control):
    """The built-in receiver of a name; `url` is what to register."""

    def __init__(self, connection: Connection, name: str) -> None:
        super().__init__(connection)
        self.name, self.url, self._path = name, f"https://sink.sandbox/{name}", f"/_sandbox/sink/{quoted(name)}"

    def received(self, **wanted: Unpack[m.SinkFilter]) -> list[m.SinkRequest]:
        return self._items(m.SinkRequest, f"{self._path}/received", wanted)

    def respond(self, *responses: int | m.SinkResponseInput) -> None:
        """Sets the next responses, in this order; the last one is repeated."""
        plain: list[Any] = [{"status": each, "times": 1} if isinstance(each, int) else {**each} for each in responses]
        if isinstance(responses[-1], int):
            del plain[-1]["times"]
        self._call("PUT", self._path, {"respond": plain})


class ScenarioControl(calls.ScenarioCalls):
    def use(self, scenario: str | Mapping[str, Any]) -> m.ActiveScenario:
        """Activates a scenario, given by its name, as a dictionary, or as the text of its file."""
        if isinstance(scenario, str) and not any(part in scenario for part in ("\n", "{", ": ")):
            scenario = {"name": scenario}
        return self._get(m.ActiveScenario, "PUT", "/_sandbox/scenario", scenario)

    def verdict(self) -> m.Verdict:
        return self._get(m.Verdict, "GET", "/_sandbox/verdict")


class Account(calls.AccountCalls):
    """The account of one API key. The application under test uses `url` as its base URL and `key` as its key."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.url, self.key, self.call = connection.url, connection.key, connection.call
        self.clock, self.templates = ClockControl(connection), TemplateControl(connection)
        self.webhooks, self.scenario = WebhookControl(connection), ScenarioControl(connection)
        self.rules, self.snapshot = calls.RuleCalls(connection), calls.SnapshotCalls(connection)
        self.wait = calls.WaitControl(connection)

    def customer(self, phone: str) -> Customer:
        return Customer(self._connection, phone)

    def sink(self, name: str) -> Sink:
        return Sink(self._connection, name)

    def emit(
        self, type: m.EventType, data: Mapping[str, Any] | None = None, *,
        webhook_id: str | None = None, webhook: m.WebhookSlotInput | None = None,
    ) -> m.EmitResult:  # fmt: skip
        """Sends a signed event now; missing fields of its data are generated."""
        body = {"type": type, "data": data, "webhook_id": webhook_id, "webhook": webhook}
        return self._get(m.EmitResult, "POST", "/_sandbox/events", body)

    def fork(self, to: str) -> "Account":
        """Copies the current state of the account to a new key, with a frozen clock."""
        self._call("POST", f"/_sandbox/accounts/{quoted(self.key)}/fork", {"to": to})
        return Account(Connection(self._connection.http, self.url, to))

    def otp(self, to: str) -> m.Otp:
        """Returns the latest one-time code sent to a number."""
        for code in self.otps(to=to, order="desc", limit=1):
            return code
        raise SandboxError("not_found", f"No one-time code was sent to {to}. Send one, or call wait.otp(to=…).")

    def report(self, calls: int = 10) -> str:
        """Returns the output for a failed test: the end of the journal, and the verdict of the active scenario."""
        tail = (self.requests(order="desc", limit=calls))[::-1]
        lines = [f"{each.at:%H:%M:%S} {each.method} {each.path} {each.status} {each.error or ''}" for each in tail]
        try:
            verdict = self.call("GET", "/_sandbox/verdict", format="markdown")
        except SandboxError as error:
            verdict = error.message
        return "\n".join(map(str.strip, [*(lines or ["The journal is empty."]), str(verdict)]))


class Sandbox:
    """A sandbox started by this program, or one that runs elsewhere."""

    def __init__(self, url: str, stop: Callable[[], object], token: str | None) -> None:
        # Each call has its own connection, which belongs to no event loop. Two local programs need no proxy.
        limits, timeout = httpx.Limits(max_keepalive_connections=0), httpx.Timeout(10, read=None)
        headers = {"X-Sandbox-Token": token} if token else {}
        self._http = httpx.Client(headers=headers, trust_env=False, timeout=timeout, limits=limits)
        self.url, self.control_token, self._stop = url.rstrip("/"), token, stop

    @classmethod
    def start(cls, command: list[str] | None = None, image: str | None = None, **flags: Any) -> Self:
        """Starts the installed command, or an image. Flags are those of the command line: `clock="frozen"`."""
        url, stop = launch(command, image, flags)
        return cls(url, stop, flags.get("control_token"))

    @classmethod
    def connect(cls, url: str | None = None, control_token: str | None = None) -> Self:
        """Connects to a running sandbox: MESSAGING_BASE_URL and MESSAGING_CONTROL_TOKEN name it by default."""
        url = url or os.environ.get("MESSAGING_BASE_URL") or "http://127.0.0.1:4242"
        sandbox = cls(url, lambda: None, control_token or os.environ.get("MESSAGING_CONTROL_TOKEN"))
        sandbox.account().call("GET", "/_sandbox/info")
        return sandbox

    def account(self, key: str | None = None) -> Account:
        """Returns the account of a key; by default, of MESSAGING_API_KEY, or of `test_default`."""
        key = key or os.environ.get("MESSAGING_API_KEY") or "test_default"
        return Account(Connection(self._http, self.url, key))

    def delete_account(self, key: str) -> None:
        """Deletes an account with all its data; nothing happens if there is none."""
        try:
            self.account().call("DELETE", f"/_sandbox/accounts/{quoted(key)}")
        except SandboxError as error:
            if error.code != "not_found":
                raise

    def close(self) -> None:
        self._http.close()
        self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def replies(message: m.Message | m.InboundMessage) -> list[m.InteractiveReplyInput]:
    """Returns the buttons to tap: quick replies of an interactive message or of a template."""
    if isinstance(message, m.InboundMessage):
        return []
    if message.interactive:
        return [{"id": each.id, "title": each.title} for each in message.interactive.buttons]
    buttons = (message.template and message.template.buttons) or []
    return [{"id": each["text"], "title": each["text"]} for each in buttons if each["type"] == "quick_reply"]
