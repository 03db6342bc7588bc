"""A client of messaging-sandbox: start one or connect to one, and play the other side of your application."""

from . import inputs, models
from ._awaited import AsyncAccount, AsyncSandbox
from ._sandbox import Account, Sandbox
from ._wire import SandboxError

__all__ = ["Account", "AsyncAccount", "AsyncSandbox", "Sandbox", "SandboxError", "inputs", "models"]
