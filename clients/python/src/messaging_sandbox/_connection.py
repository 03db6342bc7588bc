"""Makes calls to a sandbox with one key."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast
from urllib.parse import quote

import httpx

from . import models as m
from ._wire import SandboxError, decoder, encode, json_of, wire_name

T = TypeVar("T")


class Connection:
    """Makes calls with one key."""

    def __init__(self, http: httpx.Client, url: str, key: str) -> None:
        self.http, self.url, self.key = http, url, key

    def call(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Makes a call to either plane, and returns its JSON or text. A text body is YAML."""
        kind = "application/yaml" if isinstance(body, str) else "application/json"
        headers = {"Authorization": f"Bearer {self.key}"} | ({} if body is None else {"Content-Type": kind})
        content: Any = {"content": body} if isinstance(body, str) else {"json": encode(body)} if body is not None else {}
        query = {wire_name(name): listed(value) for name, value in encode(query).items()}
        try:
            response = self.http.request(method, self.url + path, headers=headers, params=query, **content)
        except httpx.TransportError as error:
            message = f"{self.url} cannot be reached ({error}). Check the URL, and that the sandbox is running."
            raise SandboxError("unreachable", message) from error
        return json_of(f"{method} {self.url}{path}", response)

    def get(self, model: type[T], method: str, path: str, body: Any = None, **query: Any) -> T:
        read: Any = decoder(cast(Any, model))
        return cast(T, read(self.call(method, path, body, **query)))

    def items(self, model: Any, path: str, wanted: Mapping[str, Any]) -> list[Any]:
        """Reads a list to its end, or to its `limit`."""
        found: list[Any] = []
        query = {"limit": 1000, **wanted}
        while True:
            page = self.call("GET", path, **query)
            found += map(decoder(model), page["items"])
            if page["next"] is None or "limit" in wanted:
                return found
            query["before" if wanted.get("order") == "desc" else "after"] = page["next"]

    def wait(self, model: Any, subject: str, count: int, wanted: Mapping[str, Any]) -> list[Any]:
        try:
            answer = self.call("GET", "/_sandbox/wait", **{"for": subject, "count": count, **wanted})
            return list(map(decoder(model), answer["items"]))
        except SandboxError as error:
            clock = self.get(m.Clock, "GET", "/_sandbox/clock")
            if error.code != "wait_timeout" or clock.mode != "frozen" or clock.next_due is None:
                raise
            hint = f"\nThe clock is frozen at {clock.now}; a job is due at {clock.next_due}: call clock.advance(…)."
            raise SandboxError(error.code, error.message + hint, error.status, error.details) from None


class Control:
    def __init__(self, connection: Connection) -> None:
        self._connection, self._call, self._get = connection, connection.call, connection.get
        self._items, self._wait = connection.items, connection.wait


def listed(value: Any) -> Any:
    """Writes several values of a filter as the sandbox reads them."""
    return ",".join(map(str, value)) if isinstance(value, list) else value


def quoted(name: str) -> str:
    return quote(name, safe="")
