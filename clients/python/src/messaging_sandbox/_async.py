"""The client: a sandbox, its accounts, and what a test does with one."""

# Written by hand; _sync.py is generated from it.
import asyncio
import os
from collections.abc import Callable, Mapping
from typing import Any, Self, Unpack

import httpx

from . import _async_controls as controls
from . import models as m
from ._async_connection import AsyncConnection, AsyncControl, quoted
from ._launch import launch
from ._wire import SandboxError


class AsyncAccount(AsyncControl):
    """The account of one API key. The application under test uses `url` as its base URL and `key` as its key."""

    def __init__(self, connection: AsyncConnection) -> None:
        super().__init__(connection)
        self.url, self.key, self.call = connection.url, connection.key, connection.call
        self.clock = controls.AsyncClockControl(connection)
        self.templates = controls.AsyncTemplateControl(connection)
        self.webhooks = controls.AsyncWebhookControl(connection)
        self.scenario = controls.AsyncScenarioControl(connection)
        self.rules = controls.AsyncRuleControl(connection)
        self.snapshot = controls.AsyncSnapshotControl(connection)
        self.wait = controls.AsyncWaitControl(connection)

    def customer(self, phone: str) -> controls.AsyncCustomer:
        return controls.AsyncCustomer(self._connection, phone)

    def sink(self, name: str) -> controls.AsyncSink:
        return controls.AsyncSink(self._connection, name)

    async def messages(self, **wanted: Unpack[m.MessageFilter]) -> list[m.Message]:
        return await self._items(m.Message | m.InboundMessage, "/_sandbox/messages", wanted)

    async def events(self, **wanted: Unpack[m.EventFilter]) -> list[m.Event]:
        return await self._items(m.Event, "/_sandbox/events", wanted)

    async def deliveries(self, **wanted: Unpack[m.DeliveryFilter]) -> list[m.Delivery]:
        """Returns the deliveries of events to endpoints, with every attempt."""
        return await self._items(m.Delivery, "/_sandbox/deliveries", wanted)

    async def otps(self, **wanted: Unpack[m.OtpFilter]) -> list[m.Otp]:
        return await self._items(m.Otp, "/_sandbox/otps", wanted)

    async def requests(self, **wanted: Unpack[m.RequestFilter]) -> list[m.JournalRequest]:
        """Returns the calls of the journal. Their list shows no bodies, so each is read on its own."""
        listed = await self._items(m.JournalRequest, "/_sandbox/requests", wanted)
        return [await self._get(m.JournalRequest, "GET", f"/_sandbox/requests/{quoted(each.id)}") for each in listed]

    async def idle(self, timeout: controls.Duration | None = None) -> m.IdleResult:
        """Returns when no delivery is in flight and nothing is due. `timeout` is real time, at most 60s."""
        return await self._get(m.IdleResult, "POST", "/_sandbox/idle", timeout=timeout)

    async def coverage(self) -> m.Coverage:
        return await self._get(m.Coverage, "GET", "/_sandbox/coverage")

    async def reset(self, **how: Unpack[m.ResetInput]) -> None:
        """Empties the account, and says how it starts again."""
        await self._call("POST", "/_sandbox/reset", how)

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
        """Returns the output for a failed test: the end of the journal, and the verdict if a scenario is active."""
        tail = (await self.requests(order="desc", limit=calls))[::-1]
        lines = [f"{each.at:%H:%M:%S} {each.method} {each.path} {each.status} {each.error or ''}" for each in tail]
        lines = lines or ["The journal is empty."]
        try:
            lines.append(await self.call("GET", "/_sandbox/verdict", format="markdown"))
        except SandboxError as error:
            if error.code != "not_found":  # without a scenario there is no verdict
                raise
        return "\n".join(map(str.strip, lines))


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
