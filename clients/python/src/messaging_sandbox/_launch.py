"""Starts a sandbox: the installed command, or the image in a container."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._wire import SandboxError, encode

# Prints where the sandbox is, and ends with the pipe to it: at close(), or when this process is gone, however it ended.
WATCH = "import os, sys; print(os.environ['MESSAGING_BASE_URL'], flush=True); sys.stdin.read()"

Launched = tuple[str, Callable[[], object]]  # its address, and what stops it


def launch(command: Sequence[str] | None, image: str | None, options: Mapping[str, Any]) -> Launched:
    arguments = [part for name, value in options.items() for part in flag(f"--{name.replace('_', '-')}", value)]
    return in_container(image, arguments) if image else as_process(command or find_command(), arguments)


def flag(name: str, value: Any) -> list[str]:
    """A list repeats the flag; True stands alone."""
    if isinstance(value, list | tuple):
        return [part for each in value for part in flag(name, each)]
    return [name] if value is True else [] if value in (None, False) else [name, str(encode(value))]


def find_command() -> list[str]:
    """Finds what `npx` would run here, or the command on the PATH."""
    if given := os.environ.get("MESSAGING_SANDBOX_COMMAND"):
        return shlex.split(given)
    folders = [str(folder / "node_modules" / ".bin") for folder in (Path.cwd(), *Path.cwd().parents)]
    if found := shutil.which("messaging-sandbox", path=os.pathsep.join([*folders, os.environ.get("PATH", os.defpath)])):
        return [found]
    ways = 'MESSAGING_SANDBOX_COMMAND, Sandbox.start(image="…") or Sandbox.connect(url)'
    message = f"messaging-sandbox is neither in node_modules nor on the PATH. Install the npm package, or use {ways}."
    raise SandboxError("start_failed", message)


def as_process(command: Sequence[str], arguments: list[str]) -> Launched:
    whole = [*command, "exec", "--port", "0", "--log-level", "warn", *arguments, "--", sys.executable, "-c", WATCH]
    # What a test sees does not depend on the settings of the shell, and Ctrl-C is for the tests alone.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SANDBOX_")}
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "start_new_session": True}
    with tempfile.TemporaryFile("w+") as log:
        try:
            process = subprocess.Popen(whole, stderr=log, env=environment, **pipes)
        except OSError as error:
            raise SandboxError("start_failed", f"{command[0]} cannot be run: {error}") from error
        if process.stdout and (url := process.stdout.readline().strip()):
            return url, process.communicate
        process.communicate()
        log.seek(0)
        raise SandboxError("start_failed", log.read().strip() or f"{whole} ended with {process.returncode}.")


def in_container(image: str, arguments: list[str]) -> Launched:
    try:
        from testcontainers.core.container import DockerContainer
        from testcontainers.core.wait_strategies import HttpWaitStrategy
    except ImportError as error:
        raise SandboxError("start_failed", "An image needs Testcontainers: pip install testcontainers.") from error
    container = DockerContainer(image, extra_hosts={"host.docker.internal": "host-gateway"}).with_exposed_ports(4242)
    container.with_command(["start", *arguments]).waiting_for(HttpWaitStrategy(4242, "/readyz")).start()
    return f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4242)}", container.stop
