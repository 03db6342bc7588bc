"""Converts values and errors between Python and the control plane."""

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import httpx


class SandboxError(Exception):
    """A failed call. `status` is the HTTP status, or None without a response from a sandbox."""

    def __init__(self, code: str, message: str, status: int | None = None, details: list[dict[str, Any]] | None = None):
        super().__init__(f"{code}{'' if status is None else f' ({status})'}: {message}")
        self.code, self.message, self.status, self.details = code, message, status, details or []


def encode(value: Any) -> Any:
    """Converts instants and durations to the form of the sandbox, at any depth, and omits None."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise SandboxError("invalid_option", f"{value} has no time zone. Write datetime(…, tzinfo=UTC).")
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, timedelta):
        return f"{round(value / timedelta(milliseconds=1))}ms"
    if isinstance(value, Mapping):
        return {name: encode(each) for name, each in value.items() if each is not None}
    return [encode(each) for each in value] if isinstance(value, list | tuple) else value


def wire_name(name: str) -> str:
    """Returns the name that Python does not take: `from` of `from_`, `data.status` of `data_status`."""
    return re.sub("^data_", "data.", name.removesuffix("_"))


@cache
def decoder(hint: Any) -> Callable[[Any], Any]:
    """Returns a function that turns JSON into a value of a type. It ignores fields of a newer sandbox."""
    if hint is datetime:
        return datetime.fromisoformat
    if is_dataclass(hint):
        build: Any = hint
        members = [(name, wire_name(name), decoder(each)) for name, each in get_type_hints(hint).items()]
        return lambda data: build(**{name: read(data[wire]) for name, wire, read in members if wire in data})
    if get_origin(hint) is list:
        each = decoder(get_args(hint)[0])
        return lambda data: [each(item) for item in data]
    if isinstance(hint, types.UnionType) and types.NoneType in get_args(hint):
        inner = decoder(get_args(hint)[0])
        return lambda data: None if data is None else inner(data)
    return lambda data: data


def json_of(call: str, response: httpx.Response) -> Any:
    """Returns the JSON or the text of a response. Raises SandboxError unless it is a 2xx."""
    is_json = response.content and "json" in response.headers.get("content-type", "")
    body = response.json() if is_json else response.text
    if response.is_success:
        return body
    error = body.get("error", body) if isinstance(body, dict) else None
    if not isinstance(error, dict) or "code" not in error:
        message = f"{call}: the response {response.status_code} does not come from a sandbox. Is the URL right?"
        raise SandboxError("not_a_sandbox", message, response.status_code)
    details = error.get("details") or error.get("near_misses") or []
    lines = [line for line in map(reason, details) if line not in error["message"]]
    raise SandboxError(error["code"], "\n  ".join([error["message"], *lines]), response.status_code, details)


def reason(detail: dict[str, Any]) -> str:
    """Returns the errors with their lines, or the closest records of a wait."""
    if "differs" not in detail:
        return f"line {detail['line']}: {detail['message']}" if "line" in detail else str(detail["message"])
    parts = (f"{each['field']} is {each['found']!r}, not {each['expected']!r}" for each in detail["differs"])
    return f"{detail['id']} (seq {detail['seq']}): {'; '.join(parts)}"
