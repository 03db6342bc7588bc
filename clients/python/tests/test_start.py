"""Starting, connecting and ending."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from messaging_sandbox import AsyncSandbox, Sandbox, SandboxError


def test_it_starts_and_ends():
    with Sandbox.start(clock="frozen:2026-03-01T09:00:00Z", webhook_timeout=timedelta(seconds=2)) as sandbox:
        assert sandbox.account("one").clock.now() == datetime(2026, 3, 1, 9, tzinfo=UTC)
        sandbox.delete_account("one")
    with pytest.raises(SandboxError, match="cannot be reached"):
        Sandbox.connect(sandbox.url)


async def test_it_starts_and_ends_with_await():
    async with await AsyncSandbox.start(control_token="secret", scenario=["flaky-api", "otp-trouble"]) as sandbox:
        async with await AsyncSandbox.connect(sandbox.url, "secret") as other:
            assert (await other.account().scenario.get()).name == "flaky-api"
        with pytest.raises(SandboxError) as refused:
            await AsyncSandbox.connect(sandbox.url)
        assert refused.value.status == 401


def test_a_wrong_flag_is_reported():
    with pytest.raises(SandboxError, match='start_failed: .*"froze"'):
        Sandbox.start(clock="froze")


def test_a_missing_command_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path):
    with pytest.raises(SandboxError, match="no-such-command cannot be run"):
        Sandbox.start(command=["no-such-command"])
    monkeypatch.delenv("MESSAGING_SANDBOX_COMMAND", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SandboxError, match="Sandbox.connect"):
        Sandbox.start()


def test_no_sandbox_outlives_a_program_that_was_killed():
    program = "from messaging_sandbox import Sandbox; print(Sandbox.start().url, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        url = killed.stdout.readline().strip()
        assert httpx.get(f"{url}/readyz", trust_env=False).status_code == 200
        # This response only arrives if the sandbox stops, which interrupts waiting calls.
        os.kill(killed.pid, signal.SIGKILL)
        try:
            response = httpx.get(f"{url}/_sandbox/wait?for=otp&timeout=20s", trust_env=False, timeout=30)
            assert response.json()["error"]["code"] == "wait_interrupted"
        except httpx.TransportError:
            pass


@pytest.mark.skipif(not os.environ.get("SANDBOX_IMAGE"), reason="SANDBOX_IMAGE names no image to start")
def test_it_starts_in_a_container():
    with Sandbox.start(image=os.environ["SANDBOX_IMAGE"], clock="frozen") as sandbox:
        assert sandbox.account().clock.get().mode == "frozen"
