"""The client: a sandbox, its accounts, and what a test does with one."""

# Written by hand; _sync.py is generated from it.
import asyncio
import os
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, Self, Unpack

import httpx

from . import _async_calls as calls
from . import models as m
from ._async_connection import AsyncConnection, AsyncControl, quoted
from ._launch import launch
from ._wire import SandboxError

Duration = timedelta | str
Instant = datetime | str


class AsyncClockControl(calls.AsyncClockCalls):
    async def now(self) -> datetime:
        return (await self.get()).now

    async def advance(
        self, by: Duration | None = None, *, to: Instant | None = None, until: Literal["next", "idle"] | None = None,
        max: Duration | None = None, settle_real: Duration | None = None,
    ) -> m.AdvanceResult:  # fmt: skip
        """Advances the clock, and returns when everything that was due has finished, including webhook responses."""
        body = {"by": by, "to": to, "until": until, "max": max, "settle_real": settle_real}
        return await self._get(m.AdvanceResult, "POST", "/_sandbox/clock/advance", body)

    async def freeze(self, at: Instant | None = None) -> m.Clock:
        return await self._put(mode="frozen", now=at)

    async def run(self, pace: Literal["real", "auto"] | float = "real") -> m.Clock:
        """Lets time pass: in real time, from job to job, or faster by a factor."""
        return await (self._put(mode=pace) if isinstance(pace, str) else self._put(mode="scaled", scale=pace))

    async def set(self, to: Instant) -> m.Clock:
        return await self._put(now=to)

    async def _put(self, **body: Any) -> m.Clock:
        return await self._get(m.Clock, "PUT", "/_sandbox/clock", body)


class AsyncCustomer(AsyncControl):
    """The person with a phone number."""

    def __init__(self, connection: AsyncConnection, phone: str) -> None:
        super().__init__(connection)
        self.phone, self._path = phone, f"/_sandbox/customers/{quoted(phone)}"

    async def says(self, text: str | None = None, **more: Any) -> m.InboundResult:
        """Writes to the account, which opens the window. The text is generated if omitted."""
        return await self._get(m.InboundResult, "POST", "/_sandbox/inbound", {"from": self.phone, "text": text, **more})

    async def taps(self, button: str) -> m.InboundResult:
        """Taps a button of the latest message that has it, by title or id."""
        shown = [reply for message in await self.messages(order="desc") for reply in replies(message)]
        for reply in (each for each in shown if button in each.values()):
            return await self.says(type="interactive", interactive=reply)
        known = ", ".join(repr(reply["title"]) for reply in shown) or "none"
        raise SandboxError("not_found", f"{self.phone} has no button {button!r} to tap. Buttons: {known}.")

    async def open_window(self) -> m.Customer:
        return await self._get(m.Customer, "PUT", f"{self._path}/window", {"open": True})

    async def close_window(self, at: Instant | None = None) -> m.Customer:
        body = {"open": False} if at is None else {"closes_at": at}
        return await self._get(m.Customer, "PUT", f"{self._path}/window", body)

    async def messages(self, **wanted: Unpack[m.HandsetFilter]) -> list[m.Message | m.InboundMessage]:
        return await self._items(m.Message | m.InboundMessage, f"{self._path}/messages", wanted)

    async def get(self) -> m.Customer:
        return await self._get(m.Customer, "GET", self._path)


class AsyncTemplateControl(calls.AsyncTemplateCalls):
    async def get(self, name: str) -> m.Template:
        for template in await self.list(name=name, order="desc", limit=1):
            return template
        raise SandboxError("not_found", f"This account has no template {name!r}.")

    async def create(self, **template: Unpack[m.CreateTemplateRequestInput]) -> m.Template:
        """Submits a template, as the application would. It is then pending."""
        made = await self._call("POST", "/v1/templates", template)
        return await self._get(m.Template, "GET", f"/_sandbox/templates/{made['template_id']}")

    async def approve(self, name: str) -> m.Template:
        return await self._act(name, "review", decision="approved")

    async def reject(self, name: str, reason: str | None = None) -> m.Template:
        return await self._act(name, "review", decision="rejected", reason=reason)

    async def set_status(self, name: str, status: Literal["paused", "approved", "deleted"]) -> m.Template:
        return await self._act(name, "status", status=status)

    async def _act(self, name: str, call: str, **body: Any) -> m.Template:
        return await self._get(m.Template, "POST", f"/_sandbox/templates/{(await self.get(name)).id}/{call}", body)


class AsyncWebhookControl(calls.AsyncWebhookCalls):
    async def register(self, url: str, events: list[m.EventType] = m.EVENT_TYPES) -> m.WebhookRegistration:
        """Registers an endpoint, as the application would; by default for all events."""
        return await self._get(m.WebhookRegistration, "POST", "/v1/webhooks", {"url": url, "events": events})


class AsyncSink(AsyncControl):
    """The built-in receiver of a name; `url` is what to register."""

    def __init__(self, connection: AsyncConnection, name: str) -> None:
        super().__init__(connection)
        self.name, self.url, self._path = name, f"https://sink.sandbox/{name}", f"/_sandbox/sink/{quoted(name)}"

    async def received(self, **wanted: Unpack[m.SinkFilter]) -> list[m.SinkRequest]:
        return await self._items(m.SinkRequest, f"{self._path}/received", wanted)

    async def respond(self, *responses: int | m.SinkResponseInput) -> None:
        """Sets the next responses, in this order; the last one is repeated."""
        plain: list[Any] = [{"status": each, "times": 1} if isinstance(each, int) else {**each} for each in responses]
        if isinstance(responses[-1], int):
            del plain[-1]["times"]
        await self._call("PUT", self._path, {"respond": plain})


class AsyncScenarioControl(calls.AsyncScenarioCalls):
    async def use(self, scenario: str | Mapping[str, Any]) -> m.ActiveScenario:
        """Activates a scenario, given by its name, as a dictionary, or as the text of its file."""
        if isinstance(scenario, str) and not any(part in scenario for part in ("\n", "{", ": ")):
            scenario = {"name": scenario}
        return await self._get(m.ActiveScenario, "PUT", "/_sandbox/scenario", scenario)

    async def verdict(self) -> m.Verdict:
        return await self._get(m.Verdict, "GET", "/_sandbox/verdict")


class AsyncAccount(calls.AsyncAccountCalls):
    """The account of one API key. The application under test uses `url` as its base URL and `key` as its key."""

    def __init__(self, connection: AsyncConnection) -> None:
        super().__init__(connection)
        self.url, self.key, self.call = connection.url, connection.key, connection.call
        self.clock, self.templates = AsyncClockControl(connection), AsyncTemplateControl(connection)
        self.webhooks, self.scenario = AsyncWebhookControl(connection), AsyncScenarioControl(connection)
        self.rules, self.snapshot = calls.AsyncRuleCalls(connection), calls.AsyncSnapshotCalls(connection)
        self.wait = calls.AsyncWaitControl(connection)

    def customer(self, phone: str) -> AsyncCustomer:
        return AsyncCustomer(self._connection, phone)

    def sink(self, name: str) -> AsyncSink:
        return AsyncSink(self._connection, name)

    async def emit(
        self, type: m.EventType, data: Mapping[str, Any] | None = None, *,
        webhook_id: str | None = None, webhook: m.WebhookSlotInput | None = None,
    ) -> m.EmitResult:  # fmt: skip
        """Sends a signed event now; missing fields of its data are generated."""
        body = {"type": type, "data": data, "webhook_id": webhook_id, "webhook": webhook}
        return await self._get(m.EmitResult, "POST", "/_sandbox/events", body)

    async def fork(self, to: str) -> "AsyncAccount":
        """Copies the current state of the account to a new key, with a frozen clock."""
        await self._call("POST", f"/_sandbox/accounts/{quoted(self.key)}/fork", {"to": to})
        return AsyncAccount(AsyncConnection(self._connection.http, self.url, to))

    async def otp(self, to: str) -> m.Otp:
        """Returns the latest one-time code sent to a number."""
        for code in await self.otps(to=to, order="desc", limit=1):
            return code
        raise SandboxError("not_found", f"No one-time code was sent to {to}. Send one, or call wait.otp(to=…).")

    async def report(self, calls: int = 10) -> str:
        """Returns the output for a failed test: the end of the journal, and the verdict of the active scenario."""
        tail = (await self.requests(order="desc", limit=calls))[::-1]
        lines = [f"{each.at:%H:%M:%S} {each.method} {each.path} {each.status} {each.error or ''}" for each in tail]
        try:
            verdict = await self.call("GET", "/_sandbox/verdict", format="markdown")
        except SandboxError as error:
            verdict = error.message
        return "\n".join(map(str.strip, [*(lines or ["The journal is empty."]), str(verdict)]))


class AsyncSandbox:
    """A sandbox started by this program, or one that runs elsewhere."""

    def __init__(self, url: str, stop: Callable[[], object], token: str | None) -> None:
        # Each call has its own connection, which belongs to no event loop. Two local programs need no proxy.
        limits, timeout = httpx.Limits(max_keepalive_connections=0), httpx.Timeout(10, read=None)
        headers = {"X-Sandbox-Token": token} if token else {}
        self._http = httpx.AsyncClient(headers=headers, trust_env=False, timeout=timeout, limits=limits)
        self.url, self.control_token, self._stop = url.rstrip("/"), token, stop

    @classmethod
    async def start(cls, command: list[str] | None = None, image: str | None = None, **flags: Any) -> Self:
        """Starts the installed command, or an image. Flags are those of the command line: `clock="frozen"`."""
        url, stop = await asyncio.to_thread(launch, command, image, flags)
        return cls(url, stop, flags.get("control_token"))

    @classmethod
    async def connect(cls, url: str | None = None, control_token: str | None = None) -> Self:
        """Connects to a running sandbox: MESSAGING_BASE_URL and MESSAGING_CONTROL_TOKEN name it by default."""
        url = url or os.environ.get("MESSAGING_BASE_URL") or "http://127.0.0.1:4242"
        sandbox = cls(url, lambda: None, control_token or os.environ.get("MESSAGING_CONTROL_TOKEN"))
        await sandbox.account().call("GET", "/_sandbox/info")
        return sandbox

    def account(self, key: str | None = None) -> AsyncAccount:
        """Returns the account of a key; by default, of MESSAGING_API_KEY, or of `test_default`."""
        key = key or os.environ.get("MESSAGING_API_KEY") or "test_default"
        return AsyncAccount(AsyncConnection(self._http, self.url, key))

    async def delete_account(self, key: str) -> None:
        """Deletes an account with all its data; nothing happens if there is none."""
        try:
            await self.account().call("DELETE", f"/_sandbox/accounts/{quoted(key)}")
        except SandboxError as error:
            if error.code != "not_found":
                raise

    async def aclose(self) -> None:
        await self._http.aclose()
        self._stop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()


def replies(message: m.Message | m.InboundMessage) -> list[m.InteractiveReplyInput]:
    """Returns the buttons to tap: quick replies of an interactive message or of a template."""
    if isinstance(message, m.InboundMessage):
        return []
    if message.interactive:
        return [{"id": each.id, "title": each.title} for each in message.interactive.buttons]
    buttons = (message.template and message.template.buttons) or []
    return [{"id": each["text"], "title": each["text"]} for each in buttons if each["type"] == "quick_reply"]
