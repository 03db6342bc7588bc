"""The controls of an account: its clock, its customers, and what belongs to it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Literal, Unpack

from . import models as m
from ._connection import Connection, Control, quoted
from ._wire import SandboxError
from .inputs import Duration, Filter, NewTemplate, RuleInput, Wait

Instant = datetime | str
EVENT_TYPES = ("message.received", "message.status", "otp.verified", "template.status")


class ClockControl(Control):
    def get(self) -> m.Clock:
        return self._get(m.Clock, "GET", "/_sandbox/clock")

    def now(self) -> datetime:
        return self.get().now

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
        return self._put(mode=pace) if isinstance(pace, str) else self._put(mode="scaled", scale=pace)

    def set(self, to: Instant) -> m.Clock:
        return self._put(now=to)

    def jobs(self) -> list[m.Job]:
        """Returns what is due later."""
        return self._items(m.Job, "/_sandbox/clock/jobs", {})

    def _put(self, **body: Any) -> m.Clock:
        return self._get(m.Clock, "PUT", "/_sandbox/clock", body)


class WindowControl(Control):
    """The 24-hour window of a customer, opened or closed without a message."""

    def __init__(self, connection: Connection, path: str) -> None:
        super().__init__(connection)
        self._path = f"{path}/window"

    def open(self, length: timedelta | None = None) -> m.Customer:
        """Opens the window for 24 hours, or for a given time."""
        if length is None:
            return self._put(open=True)
        return self.close_at(self._get(m.Clock, "GET", "/_sandbox/clock").now + length)

    def close(self) -> m.Customer:
        return self._put(open=False)

    def close_at(self, at: Instant) -> m.Customer:
        return self._put(closes_at=at)

    def _put(self, **body: Any) -> m.Customer:
        return self._get(m.Customer, "PUT", self._path, body)


class Customer(Control):
    """The person with a phone number."""

    def __init__(self, connection: Connection, phone: str) -> None:
        super().__init__(connection)
        self.phone, self._path = phone, f"/_sandbox/customers/{quoted(phone)}"
        self.window = WindowControl(connection, self._path)

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

    def messages(self, **wanted: Unpack[Filter]) -> list[m.Message]:
        return self._items(m.Message, f"{self._path}/messages", wanted)

    def get(self) -> m.Customer:
        return self._get(m.Customer, "GET", self._path)


class TemplateControl(Control):
    def get(self, name: str) -> m.Template:
        for template in self.list(name=name, order="desc", limit=1):
            return template
        raise SandboxError("not_found", f"This account has no template {name!r}.")

    def create(self, **template: Unpack[NewTemplate]) -> m.Template:
        """Submits a template, as the application would. It is then pending."""
        made = self._call("POST", "/v1/templates", template)
        return self._get(m.Template, "GET", f"/_sandbox/templates/{made['template_id']}")

    def approve(self, name: str) -> m.Template:
        return self._act(name, "review", decision="approved")

    def reject(self, name: str, reason: str | None = None) -> m.Template:
        return self._act(name, "review", decision="rejected", reason=reason)

    def pause(self, name: str) -> m.Template:
        return self._act(name, "status", status="paused")

    def resume(self, name: str) -> m.Template:
        """Resumes a paused template, which is then approved."""
        return self._act(name, "status", status="approved")

    def remove(self, name: str) -> m.Template:
        return self._act(name, "status", status="deleted")

    def _act(self, name: str, call: str, **body: Any) -> m.Template:
        return self._get(m.Template, "POST", f"/_sandbox/templates/{self.get(name).id}/{call}", body)

    def list(self, **wanted: Unpack[Filter]) -> list[m.Template]:
        return self._items(m.Template, "/_sandbox/templates", wanted)


class WebhookControl(Control):
    def register(self, url: str, events: Sequence[str] = EVENT_TYPES) -> m.WebhookRegistration:
        """Registers an endpoint, as the application would; by default for all events."""
        return self._get(m.WebhookRegistration, "POST", "/v1/webhooks", {"url": url, "events": events})

    def pause(self, id: str) -> m.Endpoint:
        return self._set_status(id, "paused")

    def resume(self, id: str) -> m.Endpoint:
        """Activates the endpoint again and resets its failure streak."""
        return self._set_status(id, "active")

    def remove(self, id: str) -> None:
        """Removes an endpoint, as the application would."""
        self._call("DELETE", f"/v1/webhooks/{quoted(id)}")

    def _set_status(self, id: str, status: m.EndpointStatus) -> m.Endpoint:
        return self._get(m.Endpoint, "PUT", f"/_sandbox/webhooks/{quoted(id)}", {"status": status})

    def list(self, **wanted: Unpack[Filter]) -> list[m.Endpoint]:
        return self._items(m.Endpoint, "/_sandbox/webhooks", wanted)


class Sink(Control):
    """The built-in receiver of a name; `url` is what to register."""

    def __init__(self, connection: Connection, name: str) -> None:
        super().__init__(connection)
        self.name, self.url, self._path = name, f"https://sink.sandbox/{name}", f"/_sandbox/sink/{quoted(name)}"

    def received(self, **wanted: Unpack[Filter]) -> list[m.SinkRequest]:
        return self._items(m.SinkRequest, f"{self._path}/received", wanted)

    def respond(self, *responses: int | Mapping[str, Any]) -> None:
        """Sets the next responses, in this order; the last one is repeated."""
        plain: list[Any] = [{"status": each, "times": 1} if isinstance(each, int) else {**each} for each in responses]
        if isinstance(responses[-1], int):
            del plain[-1]["times"]
        self._call("PUT", self._path, {"respond": plain})


def is_name(scenario: Any) -> bool:
    """Returns whether a text is the name of a scenario: a file has line breaks or mappings."""
    return isinstance(scenario, str) and not any(part in scenario for part in ("\n", "{", ": "))


def named(scenario: str | Mapping[str, Any]) -> str | Mapping[str, Any]:
    return {"name": scenario} if is_name(scenario) else scenario


class ScenarioControl(Control):
    def use(self, scenario: str | Mapping[str, Any]) -> m.ActiveScenario:
        """Activates a scenario, given by its name, as a dictionary, or as the text of its file."""
        return self._get(m.ActiveScenario, "PUT", "/_sandbox/scenario", named(scenario))

    def check(self, scenario: str | Mapping[str, Any]) -> m.ScenarioCheck:
        """Validates a scenario without activating it."""
        return self._get(m.ScenarioCheck, "POST", "/_sandbox/scenarios/check", named(scenario))

    def play(
        self, scenario: str | Mapping[str, Any] | None = None, *, application: str | None = None,
        pace: Literal["flow", "frozen"] | None = None, max_real: Duration | None = None,
        quiet_real: Duration | None = None,
    ) -> m.Verdict:  # fmt: skip
        """Plays a scenario to its end, by default the active one, and returns the verdict, passed or not.

        Time jumps whenever the application is idle. `application` is its address, for the steps that call it.
        """
        body = {
            "name" if is_name(scenario) else "scenario": scenario, "application": application, "pace": pace,
            "max_real": max_real, "quiet_real": quiet_real,
        }  # fmt: skip
        played = self._get(m.Played, "POST", "/_sandbox/scenario/play", body)
        return replace(played.verdict, ended=played.ended)

    def verdict(self) -> m.Verdict:
        return self._get(m.Verdict, "GET", "/_sandbox/verdict")

    def get(self) -> m.ActiveScenario:
        return self._get(m.ActiveScenario, "GET", "/_sandbox/scenario")

    def clear(self) -> None:
        self._call("DELETE", "/_sandbox/scenario")

    def list(self, **wanted: Unpack[Filter]) -> list[m.KnownScenario]:
        return self._items(m.KnownScenario, "/_sandbox/scenarios", wanted)


class RuleControl(Control):
    def add(self, **rule: Unpack[RuleInput]) -> m.Rule:
        """Adds a rule that takes precedence over all others."""
        return self._get(m.Rule, "POST", "/_sandbox/rules", rule)

    def remove(self, id: str) -> None:
        self._call("DELETE", f"/_sandbox/rules/{quoted(id)}")

    def list(self, **wanted: Unpack[Filter]) -> list[m.Rule]:
        """Returns the rules added at run time, with their hits."""
        return self._items(m.Rule, "/_sandbox/rules", wanted)


class SnapshotControl(Control):
    def take(self, name: str) -> m.SnapshotInfo:
        return self._get(m.SnapshotInfo, "POST", "/_sandbox/snapshots", {"name": name})

    def restore(self, name: str) -> m.SnapshotInfo:
        return self._get(m.SnapshotInfo, "POST", f"/_sandbox/snapshots/{quoted(name)}/restore")

    def remove(self, name: str) -> None:
        self._call("DELETE", f"/_sandbox/snapshots/{quoted(name)}")

    def download(self, name: str) -> dict[str, Any]:
        """Returns the snapshot as JSON, to store with the tests."""
        return dict(self._call("GET", f"/_sandbox/snapshots/{quoted(name)}"))

    def upload(self, name: str, snapshot: Mapping[str, Any]) -> m.SnapshotInfo:
        """Stores a downloaded snapshot under this name."""
        return self._get(m.SnapshotInfo, "PUT", f"/_sandbox/snapshots/{quoted(name)}", snapshot)

    def list(self, **wanted: Unpack[Filter]) -> list[m.SnapshotInfo]:
        return self._items(m.SnapshotInfo, "/_sandbox/snapshots", wanted)


class WaitControl(Control):
    """Waits in real time. What happened already counts too, from `after` on. The plural waits for `count`."""

    def event(self, **wanted: Unpack[Wait]) -> m.Event:
        return self.events(1, **wanted)[0]

    def events(self, count: int, **wanted: Unpack[Wait]) -> list[m.Event]:
        return self._wait(m.Event, "event", count, wanted)

    def delivery(self, **wanted: Unpack[Wait]) -> m.Delivery:
        return self.deliveries(1, **wanted)[0]

    def deliveries(self, count: int, **wanted: Unpack[Wait]) -> list[m.Delivery]:
        return self._wait(m.Delivery, "delivery", count, wanted)

    def message(self, **wanted: Unpack[Wait]) -> m.Message:
        return self.messages(1, **wanted)[0]

    def messages(self, count: int, **wanted: Unpack[Wait]) -> list[m.Message]:
        return self._wait(m.Message, "message", count, wanted)

    def request(self, **wanted: Unpack[Wait]) -> m.JournalRequest:
        return self.requests(1, **wanted)[0]

    def requests(self, count: int, **wanted: Unpack[Wait]) -> list[m.JournalRequest]:
        return self._wait(m.JournalRequest, "request", count, wanted)

    def otp(self, **wanted: Unpack[Wait]) -> m.Otp:
        return self.otps(1, **wanted)[0]

    def otps(self, count: int, **wanted: Unpack[Wait]) -> list[m.Otp]:
        return self._wait(m.Otp, "otp", count, wanted)


def replies(message: m.Message) -> list[dict[str, str]]:
    """Returns the buttons to tap: quick replies of an interactive message or of a template."""
    if message.direction == "inbound":
        return []
    if message.interactive:
        return list(message.interactive["buttons"])
    buttons = (message.template and message.template.buttons) or []
    return [{"id": each["text"], "title": each["text"]} for each in buttons if each["type"] == "quick_reply"]
