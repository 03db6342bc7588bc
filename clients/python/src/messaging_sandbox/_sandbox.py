"""The client: a sandbox, its accounts, and what a test does with one."""

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, Literal, Self, Unpack

import httpx

from . import _controls as controls
from . import models as m
from ._connection import Connection, Control, quoted
from ._launch import launch
from ._wire import SandboxError
from .inputs import Duration, Filter, Reset, WebhookSlot


class Account(Control):
    """The account of one API key. The application under test uses `url` as its base URL and `key` as its key."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.url, self.key, self.call = connection.url, connection.key, connection.call
        self.clock = controls.ClockControl(connection)
        self.templates = controls.TemplateControl(connection)
        self.webhooks = controls.WebhookControl(connection)
        self.scenario = controls.ScenarioControl(connection)
        self.rules = controls.RuleControl(connection)
        self.snapshot = controls.SnapshotControl(connection)
        self.wait = controls.WaitControl(connection)

    def customer(self, phone: str) -> controls.Customer:
        return controls.Customer(self._connection, phone)

    def sink(self, name: str) -> controls.Sink:
        return controls.Sink(self._connection, name)

    def messages(self, **wanted: Unpack[Filter]) -> list[m.Message]:
        return self._items(m.Message, "/_sandbox/messages", wanted)

    def events(self, **wanted: Unpack[Filter]) -> list[m.Event]:
        return self._items(m.Event, "/_sandbox/events", wanted)

    def deliveries(self, **wanted: Unpack[Filter]) -> list[m.Delivery]:
        """Returns the deliveries of events to endpoints, with every attempt."""
        return self._items(m.Delivery, "/_sandbox/deliveries", wanted)

    def customers(self, **wanted: Unpack[Filter]) -> list[m.Customer]:
        """Returns all customers who sent or received a message."""
        return self._items(m.Customer, "/_sandbox/customers", wanted)

    def otps(self, **wanted: Unpack[Filter]) -> list[m.Otp]:
        return self._items(m.Otp, "/_sandbox/otps", wanted)

    def requests(self, **wanted: Unpack[Filter]) -> list[m.JournalRequest]:
        """Returns the calls of the journal. Their list shows no bodies, so each is read on its own."""
        listed = self._items(m.JournalRequest, "/_sandbox/requests", wanted)
        return [self._get(m.JournalRequest, "GET", f"/_sandbox/requests/{quoted(each.id)}") for each in listed]

    def idle(self, timeout: Duration | None = None) -> m.IdleResult:
        """Returns when no delivery is in flight and nothing is due. `timeout` is real time, at most 60s."""
        return self._get(m.IdleResult, "POST", "/_sandbox/idle", timeout=timeout)

    def coverage(self) -> m.Coverage:
        return self._get(m.Coverage, "GET", "/_sandbox/coverage")

    def info(self) -> m.Info:
        """Returns what the sandbox says of itself, such as when it was started."""
        return self._get(m.Info, "GET", "/_sandbox/info")

    def record(self, format: Literal["scenario", "har"] = "scenario", *, from_: int | None = None, to: int | None = None) -> str:
        """Returns the history as the text of a scenario that reproduces it, or as an HTTP Archive without credentials."""
        recorded = self._call("GET", "/_sandbox/record", format=format, from_=from_, to=to)
        return recorded if isinstance(recorded, str) else json.dumps(recorded, indent=2)

    def remove(self) -> None:
        """Deletes the account with all its data; the next call with its key starts a new one."""
        try:
            self._call("DELETE", f"/_sandbox/accounts/{quoted(self.key)}")
        except SandboxError as error:
            if error.code != "not_found":
                raise

    def reset(self, **how: Unpack[Reset]) -> None:
        """Empties the account, and says how it starts again."""
        self._call("POST", "/_sandbox/reset", how)

    def emit(
        self, type: str, data: Mapping[str, Any] | None = None, *,
        webhook_id: str | None = None, webhook: WebhookSlot | None = None,
    ) -> m.EmitResult:  # fmt: skip
        """Sends a signed event now; missing fields of its data are generated."""
        body = {"type": type, "data": data, "webhook_id": webhook_id, "webhook": webhook}
        return self._get(m.EmitResult, "POST", "/_sandbox/events", body)

    def redeliver(
        self, event_id: str, *, webhook_id: str | None = None, webhook: WebhookSlot | None = None,
    ) -> m.EmitResult:  # fmt: skip
        """Delivers an event again with the same bytes, to every subscribed endpoint or to one."""
        body = {"webhook_id": webhook_id, "webhook": webhook}
        return self._get(m.EmitResult, "POST", f"/_sandbox/events/{quoted(event_id)}/redeliver", body)

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
        """Returns the output for a failed test: the end of the journal, and the verdict if a scenario is active."""
        tail = self.requests(order="desc", limit=calls)[::-1]
        lines = [f"{each.at:%H:%M:%S} {each.method} {each.path} {each.status} {each.error or ''}" for each in tail]
        lines = lines or ["The journal is empty."]
        try:
            lines.append(self.call("GET", "/_sandbox/verdict", format="markdown"))
        except SandboxError as error:
            if error.code != "not_found":  # without a scenario there is no verdict
                raise
        return "\n".join(map(str.strip, lines))


def base_url(given: str) -> str:
    url = given.strip().rstrip("/")
    if url.endswith("/v1"):
        raise SandboxError("invalid_option", f"Invalid URL {given!r} of a sandbox. Leave out the /v1: {url.removesuffix('/v1')}.")
    return url


class Sandbox:
    """A sandbox started by this program, or one that runs elsewhere."""

    def __init__(self, url: str, stop: Callable[[], object], token: str | None) -> None:
        self.url, self.control_token, self._stop = base_url(url), token, stop
        # Each call has its own connection, whichever thread makes it. Two local programs need no proxy.
        limits, timeout = httpx.Limits(max_keepalive_connections=0), httpx.Timeout(10, read=None)
        headers = {"X-Sandbox-Token": token} if token else {}
        self._http = httpx.Client(headers=headers, trust_env=False, timeout=timeout, limits=limits)

    @classmethod
    def start(cls, command: list[str] | None = None, image: str | None = None, **flags: Any) -> Self:
        """Starts the installed command, or an image. It takes the flags of the command line: `clock="frozen"`."""
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
        self.account(key).remove()

    def close(self) -> None:
        self._http.close()
        self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
