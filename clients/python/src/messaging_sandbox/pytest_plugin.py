"""pytest fixtures: `sandbox` for the session of a worker, `account` for each test, `async_account` with `await`."""

import os
import re
import uuid
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from . import Account, AsyncAccount, Sandbox

ACCOUNT = pytest.StashKey[Account]()
USED = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "URL of a running sandbox (default: MESSAGING_BASE_URL; without it, each worker starts one)"
    parser.getgroup("messaging-sandbox").addoption("--sandbox-url", metavar="URL", help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sandbox(clock, scenario): how the account starts, as in account.reset()")


@pytest.fixture(scope="session")
def sandbox_options() -> dict[str, Any]:
    """Override this to set the arguments of Sandbox.start()."""
    return {}


@pytest.fixture(scope="session")
def sandbox(request: pytest.FixtureRequest, sandbox_options: dict[str, Any]) -> Iterator[Sandbox]:
    """The sandbox of the session: a running one if there is a URL, otherwise a new one."""
    url = request.config.getoption("--sandbox-url") or os.environ.get("MESSAGING_BASE_URL")
    with Sandbox.connect(url) if url else Sandbox.start(**sandbox_options) as running:
        yield running


@pytest.fixture
def account(request: pytest.FixtureRequest, sandbox: Sandbox) -> Iterator[Account]:
    """An isolated account for the test, under a key that no other test, worker or run has."""
    name = re.sub(r"[^A-Za-z0-9.]+", "-", request.node.nodeid)[-80:].strip("-")
    explored = os.environ.get("SANDBOX_TRY")
    account = sandbox.account(_explored_key(request, explored, name) if explored else f"{name}-{uuid.uuid4().hex}")
    request.node.stash[ACCOUNT] = account
    marks = list(request.node.iter_markers("sandbox"))[::-1]  # the closest one last, so that it takes precedence
    if how := {name: value for mark in marks for name, value in mark.kwargs.items()}:
        account.reset(**how)
    yield account
    has_passed = ACCOUNT in request.node.stash
    if explored:  # the exploration judges each test by itself, and deletes the account
        with open(os.path.join(os.environ["SANDBOX_TMP"], ".tests"), "a") as tests:
            tests.write(f"{account.key} {'passed' if has_passed else 'failed'}\n")
    elif has_passed:  # the account of a failed test is kept for the web UI
        sandbox.delete_account(account.key)


def _explored_key(request: pytest.FixtureRequest, explored: str, name: str) -> str:
    """An exploration finds accounts by their keys, which are the same in each run; alike names of tests get a number."""
    used = request.config.stash.setdefault(USED, Counter())
    used[name] += 1
    return f"{explored}.{name}" if used[name] == 1 else f"{explored}.{name}.{used[name]}"


@pytest.fixture
def async_account(account: Account) -> AsyncAccount:
    """The account of the test, for calls with await."""
    return AsyncAccount(account)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    account = item.stash.get(ACCOUNT, None)
    if report.when != "teardown" and report.failed and account:
        del item.stash[ACCOUNT]
        report.sections.append((f"sandbox account {account.key}", account.report()))
    return report
