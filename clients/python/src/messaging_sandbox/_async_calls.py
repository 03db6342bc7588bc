"""The calls that the client offers as they are."""

# Made from the OpenAPI documents by scripts/generate.ts; edit those.
# ruff: noqa
from datetime import timedelta
from typing import Literal, Unpack

from . import models as m
from ._async_connection import AsyncControl, quoted


class AsyncClockCalls(AsyncControl):
    async def get(self) -> m.Clock:
        """Get the clock."""
        return await self._get(m.Clock, "GET", "/_sandbox/clock")

    async def jobs(self) -> list[m.Job]:
        """List pending jobs."""
        return await self._items(m.Job, "/_sandbox/clock/jobs", {})


class AsyncTemplateCalls(AsyncControl):
    async def list(self, **wanted: Unpack[m.TemplateFilter]) -> list[m.Template]:
        """List templates."""
        return await self._items(m.Template, "/_sandbox/templates", wanted)


class AsyncWebhookCalls(AsyncControl):
    async def set_status(self, id: str, status: Literal["active", "paused"]) -> m.Endpoint:
        """Pause or resume an endpoint."""
        return await self._get(m.Endpoint, "PUT", f"/_sandbox/webhooks/{quoted(id)}", {"status": status})

    async def remove(self, id: str) -> None:
        """Remove an endpoint."""
        await self._call("DELETE", f"/_sandbox/webhooks/{quoted(id)}")

    async def list(self, **wanted: Unpack[m.WebhookFilter]) -> list[m.Endpoint]:
        """List endpoints."""
        return await self._items(m.Endpoint, "/_sandbox/webhooks", wanted)


class AsyncScenarioCalls(AsyncControl):
    async def get(self) -> m.ActiveScenario:
        """Get the active scenario."""
        return await self._get(m.ActiveScenario, "GET", "/_sandbox/scenario")

    async def clear(self) -> None:
        """Deactivate the scenario."""
        await self._call("DELETE", "/_sandbox/scenario")

    async def list(self, **wanted: Unpack[m.ScenarioFilter]) -> list[m.KnownScenario]:
        """List scenario files."""
        return await self._items(m.KnownScenario, "/_sandbox/scenarios", wanted)


class AsyncRuleCalls(AsyncControl):
    async def add(self, **body: Unpack[m.RuleInput]) -> m.AddedRule:
        """Add a rule."""
        return await self._get(m.AddedRule, "POST", "/_sandbox/rules", body)

    async def remove(self, id: str) -> None:
        """Remove a rule."""
        await self._call("DELETE", f"/_sandbox/rules/{quoted(id)}")

    async def list(self, **wanted: Unpack[m.RuleFilter]) -> list[m.Rule]:
        """List rules added at run time."""
        return await self._items(m.Rule, "/_sandbox/rules", wanted)


class AsyncSnapshotCalls(AsyncControl):
    async def take(self, name: str) -> m.SnapshotInfo:
        """Take a snapshot."""
        return await self._get(m.SnapshotInfo, "POST", "/_sandbox/snapshots", {"name": name})

    async def restore(self, name: str) -> m.SnapshotInfo:
        """Restore a snapshot."""
        return await self._get(m.SnapshotInfo, "POST", f"/_sandbox/snapshots/{quoted(name)}/restore")

    async def remove(self, name: str) -> None:
        """Delete a snapshot."""
        await self._call("DELETE", f"/_sandbox/snapshots/{quoted(name)}")

    async def list(self, **wanted: Unpack[m.SnapshotFilter]) -> list[m.SnapshotInfo]:
        """List snapshots."""
        return await self._items(m.SnapshotInfo, "/_sandbox/snapshots", wanted)


class AsyncAccountCalls(AsyncControl):
    async def messages(self, **wanted: Unpack[m.MessageFilter]) -> list[m.Message]:
        """List messages."""
        return await self._items(m.Message | m.InboundMessage, "/_sandbox/messages", wanted)

    async def events(self, **wanted: Unpack[m.EventFilter]) -> list[m.Event]:
        """List events."""
        return await self._items(m.Event, "/_sandbox/events", wanted)

    async def deliveries(self, **wanted: Unpack[m.DeliveryFilter]) -> list[m.Delivery]:
        """List deliveries."""
        return await self._items(m.Delivery, "/_sandbox/deliveries", wanted)

    async def otps(self, **wanted: Unpack[m.OtpFilter]) -> list[m.Otp]:
        """List one-time codes."""
        return await self._items(m.Otp, "/_sandbox/otps", wanted)

    async def requests(self, **wanted: Unpack[m.RequestFilter]) -> list[m.JournalRequest]:
        """List journal entries."""
        return await self._items(m.JournalRequest, "/_sandbox/requests", wanted)

    async def idle(self, timeout: timedelta | str | None = None) -> m.IdleResult:
        """Wait until the account is idle."""
        return await self._get(m.IdleResult, "POST", "/_sandbox/idle", timeout=timeout)

    async def coverage(self) -> m.Coverage:
        """Get the coverage report."""
        return await self._get(m.Coverage, "GET", "/_sandbox/coverage")

    async def reset(self, **body: Unpack[m.ResetInput]) -> None:
        """Reset the account."""
        await self._call("POST", "/_sandbox/reset", body)


class AsyncWaitControl(AsyncControl):
    """Waits in real time. What happened already counts too, from `after` on. The plural waits for `count`."""

    async def event(self, **wanted: Unpack[m.EventWait]) -> m.Event:
        found: list[m.Event] = await self._wait(m.Event, "event", 1, wanted)
        return found[0]

    async def events(self, count: int, **wanted: Unpack[m.EventWait]) -> list[m.Event]:
        return await self._wait(m.Event, "event", count, wanted)

    async def delivery(self, **wanted: Unpack[m.DeliveryWait]) -> m.Delivery:
        found: list[m.Delivery] = await self._wait(m.Delivery, "delivery", 1, wanted)
        return found[0]

    async def deliveries(self, count: int, **wanted: Unpack[m.DeliveryWait]) -> list[m.Delivery]:
        return await self._wait(m.Delivery, "delivery", count, wanted)

    async def message(self, **wanted: Unpack[m.MessageWait]) -> m.Message:
        found: list[m.Message] = await self._wait(m.Message | m.InboundMessage, "message", 1, wanted)
        return found[0]

    async def messages(self, count: int, **wanted: Unpack[m.MessageWait]) -> list[m.Message]:
        return await self._wait(m.Message | m.InboundMessage, "message", count, wanted)

    async def request(self, **wanted: Unpack[m.RequestWait]) -> m.JournalRequest:
        found: list[m.JournalRequest] = await self._wait(m.JournalRequest, "request", 1, wanted)
        return found[0]

    async def requests(self, count: int, **wanted: Unpack[m.RequestWait]) -> list[m.JournalRequest]:
        return await self._wait(m.JournalRequest, "request", count, wanted)

    async def otp(self, **wanted: Unpack[m.OtpWait]) -> m.Otp:
        found: list[m.Otp] = await self._wait(m.Otp, "otp", 1, wanted)
        return found[0]

    async def otps(self, count: int, **wanted: Unpack[m.OtpWait]) -> list[m.Otp]:
        return await self._wait(m.Otp, "otp", count, wanted)

