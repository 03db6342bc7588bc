"""The calls that the client offers as they are."""

# Made from the OpenAPI documents by scripts/generate.ts; edit those.
# ruff: noqa
from datetime import timedelta
from typing import Literal, Unpack

from . import models as m
from ._sync_connection import Control, quoted


class ClockCalls(Control):
    def get(self) -> m.Clock:
        """Get the clock."""
        return self._get(m.Clock, "GET", "/_sandbox/clock")

    def jobs(self) -> list[m.Job]:
        """List pending jobs."""
        return self._items(m.Job, "/_sandbox/clock/jobs", {})


class TemplateCalls(Control):
    def list(self, **wanted: Unpack[m.TemplateFilter]) -> list[m.Template]:
        """List templates."""
        return self._items(m.Template, "/_sandbox/templates", wanted)


class WebhookCalls(Control):
    def set_status(self, id: str, status: Literal["active", "paused"]) -> m.Endpoint:
        """Pause or resume an endpoint."""
        return self._get(m.Endpoint, "PUT", f"/_sandbox/webhooks/{quoted(id)}", {"status": status})

    def remove(self, id: str) -> None:
        """Remove an endpoint."""
        self._call("DELETE", f"/_sandbox/webhooks/{quoted(id)}")

    def list(self, **wanted: Unpack[m.WebhookFilter]) -> list[m.Endpoint]:
        """List endpoints."""
        return self._items(m.Endpoint, "/_sandbox/webhooks", wanted)


class ScenarioCalls(Control):
    def get(self) -> m.ActiveScenario:
        """Get the active scenario."""
        return self._get(m.ActiveScenario, "GET", "/_sandbox/scenario")

    def clear(self) -> None:
        """Deactivate the scenario."""
        self._call("DELETE", "/_sandbox/scenario")

    def list(self, **wanted: Unpack[m.ScenarioFilter]) -> list[m.KnownScenario]:
        """List scenario files."""
        return self._items(m.KnownScenario, "/_sandbox/scenarios", wanted)


class RuleCalls(Control):
    def add(self, **body: Unpack[m.RuleInput]) -> m.AddedRule:
        """Add a rule."""
        return self._get(m.AddedRule, "POST", "/_sandbox/rules", body)

    def remove(self, id: str) -> None:
        """Remove a rule."""
        self._call("DELETE", f"/_sandbox/rules/{quoted(id)}")

    def list(self, **wanted: Unpack[m.RuleFilter]) -> list[m.Rule]:
        """List rules added at run time."""
        return self._items(m.Rule, "/_sandbox/rules", wanted)


class SnapshotCalls(Control):
    def take(self, name: str) -> m.SnapshotInfo:
        """Take a snapshot."""
        return self._get(m.SnapshotInfo, "POST", "/_sandbox/snapshots", {"name": name})

    def restore(self, name: str) -> m.SnapshotInfo:
        """Restore a snapshot."""
        return self._get(m.SnapshotInfo, "POST", f"/_sandbox/snapshots/{quoted(name)}/restore")

    def remove(self, name: str) -> None:
        """Delete a snapshot."""
        self._call("DELETE", f"/_sandbox/snapshots/{quoted(name)}")

    def list(self, **wanted: Unpack[m.SnapshotFilter]) -> list[m.SnapshotInfo]:
        """List snapshots."""
        return self._items(m.SnapshotInfo, "/_sandbox/snapshots", wanted)


class AccountCalls(Control):
    def messages(self, **wanted: Unpack[m.MessageFilter]) -> list[m.Message]:
        """List messages."""
        return self._items(m.Message | m.InboundMessage, "/_sandbox/messages", wanted)

    def events(self, **wanted: Unpack[m.EventFilter]) -> list[m.Event]:
        """List events."""
        return self._items(m.Event, "/_sandbox/events", wanted)

    def deliveries(self, **wanted: Unpack[m.DeliveryFilter]) -> list[m.Delivery]:
        """List deliveries."""
        return self._items(m.Delivery, "/_sandbox/deliveries", wanted)

    def otps(self, **wanted: Unpack[m.OtpFilter]) -> list[m.Otp]:
        """List one-time codes."""
        return self._items(m.Otp, "/_sandbox/otps", wanted)

    def requests(self, **wanted: Unpack[m.RequestFilter]) -> list[m.JournalRequest]:
        """List journal entries."""
        return self._items(m.JournalRequest, "/_sandbox/requests", wanted)

    def idle(self, timeout: timedelta | str | None = None) -> m.IdleResult:
        """Wait until the account is idle."""
        return self._get(m.IdleResult, "POST", "/_sandbox/idle", timeout=timeout)

    def coverage(self) -> m.Coverage:
        """Get the coverage report."""
        return self._get(m.Coverage, "GET", "/_sandbox/coverage")

    def reset(self, **body: Unpack[m.ResetInput]) -> None:
        """Reset the account."""
        self._call("POST", "/_sandbox/reset", body)


class WaitControl(Control):
    """Waits in real time. What happened already counts too, from `after` on. The plural waits for `count`."""

    def event(self, **wanted: Unpack[m.EventWait]) -> m.Event:
        found: list[m.Event] = self._wait(m.Event, "event", 1, wanted)
        return found[0]

    def events(self, count: int, **wanted: Unpack[m.EventWait]) -> list[m.Event]:
        return self._wait(m.Event, "event", count, wanted)

    def delivery(self, **wanted: Unpack[m.DeliveryWait]) -> m.Delivery:
        found: list[m.Delivery] = self._wait(m.Delivery, "delivery", 1, wanted)
        return found[0]

    def deliveries(self, count: int, **wanted: Unpack[m.DeliveryWait]) -> list[m.Delivery]:
        return self._wait(m.Delivery, "delivery", count, wanted)

    def message(self, **wanted: Unpack[m.MessageWait]) -> m.Message:
        found: list[m.Message] = self._wait(m.Message | m.InboundMessage, "message", 1, wanted)
        return found[0]

    def messages(self, count: int, **wanted: Unpack[m.MessageWait]) -> list[m.Message]:
        return self._wait(m.Message | m.InboundMessage, "message", count, wanted)

    def request(self, **wanted: Unpack[m.RequestWait]) -> m.JournalRequest:
        found: list[m.JournalRequest] = self._wait(m.JournalRequest, "request", 1, wanted)
        return found[0]

    def requests(self, count: int, **wanted: Unpack[m.RequestWait]) -> list[m.JournalRequest]:
        return self._wait(m.JournalRequest, "request", count, wanted)

    def otp(self, **wanted: Unpack[m.OtpWait]) -> m.Otp:
        found: list[m.Otp] = self._wait(m.Otp, "otp", 1, wanted)
        return found[0]

    def otps(self, count: int, **wanted: Unpack[m.OtpWait]) -> list[m.Otp]:
        return self._wait(m.Otp, "otp", count, wanted)

