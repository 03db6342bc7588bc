"""The same client for `await`: each call runs in a thread, so that the event loop goes on."""

import asyncio
from typing import Any, Self

from ._connection import Control
from ._sandbox import Account, Sandbox


class Awaited:
    """An object of the client, whose calls are awaited."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._of, name)
        if not callable(value):
            return Awaited(value) if isinstance(value, Control) else value
        if name in ("account", "customer", "sink"):  # they make no call
            return lambda *given: Awaited(value(*given))

        async def call(*given: Any, **named: Any) -> Any:
            result = await asyncio.to_thread(value, *given, **named)
            return AsyncAccount(result) if isinstance(result, Account) else result

        return call


AsyncAccount = Awaited


class AsyncSandbox(Awaited):
    """A sandbox for `await`, with the methods of Sandbox."""

    @classmethod
    async def start(cls, *given: Any, **flags: Any) -> Self:
        return cls(await asyncio.to_thread(Sandbox.start, *given, **flags))

    @classmethod
    async def connect(cls, *given: Any) -> Self:
        return cls(await asyncio.to_thread(Sandbox.connect, *given))

    async def aclose(self) -> None:
        await self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()
