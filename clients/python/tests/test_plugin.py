"""The pytest plugin, by tests that run in a separate pytest."""

import pytest

from messaging_sandbox import Sandbox

pytest_plugins = ["pytester"]


@pytest.fixture
def inner(pytester: pytest.Pytester, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("MESSAGING_BASE_URL", sandbox.url)
    return pytester


def test_a_failed_test_shows_its_journal_and_the_verdict(inner: pytest.Pytester, sandbox: Sandbox):
    inner.makepyfile("""
        import pytest

        @pytest.mark.sandbox(scenario="otp-trouble")
        def test_it(account):
            with pytest.raises(Exception):
                account.call("GET", "/v1/messages/none")
            assert False, "on purpose"
    """)
    result = inner.runpytest_inprocess("-p", "no:xdist", "-p", "no:asyncio")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*sandbox account *test-it-*", "*GET /v1/messages/none 404 not_found", "*otp-trouble*"])
    kept = [each["key"] for each in sandbox.account().call("GET", "/_sandbox/accounts", limit=1000)["items"]]
    assert any("test-a-failed-test-shows-its-journal-and-the-verdict.py-test-it" in key for key in kept)


def test_workers_share_a_sandbox_and_no_account(inner: pytest.Pytester):
    inner.makepyfile("""
        import pytest

        @pytest.mark.parametrize("number", range(8))
        def test_it(account, number):
            assert account.messages(direction="inbound") == []
            account.customer("+12025550123").says("Hi")
            assert len(account.messages(direction="inbound")) == 1
    """)
    inner.runpytest_subprocess("-n", "2", "-p", "no:asyncio").assert_outcomes(passed=8)


def test_what_the_documentation_shows_first_passes(inner: pytest.Pytester, request: pytest.FixtureRequest):
    text = (request.config.rootpath / "README.md").read_text(encoding="utf-8")
    inner.makepyfile(text.split("```python\n", 1)[1].split("```", 1)[0])
    inner.runpytest_inprocess("-p", "no:xdist", "-p", "no:asyncio").assert_outcomes(passed=1)


def test_an_exploration_gets_the_end_of_each_test(
    inner: pytest.Pytester, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SANDBOX_TRY", "explore-x-1")
    monkeypatch.setenv("SANDBOX_TMP", str(inner.path))
    inner.makepyfile("""
        import pytest

        @pytest.mark.parametrize("by", ["+1", "-1"])
        def test_it(account, by):
            assert account.messages(direction="inbound") == []
            assert by == "+1"
    """)
    inner.runpytest_inprocess("-p", "no:xdist", "-p", "no:asyncio").assert_outcomes(passed=1, failed=1)
    lines = (inner.path / ".tests").read_text().splitlines()
    (first, passed), (second, failed) = (line.split() for line in lines)
    assert (first.startswith("explore-x-1."), second, passed, failed) == (True, f"{first}.2", "passed", "failed")
    # The exploration still reads the accounts.
    kept = [each["key"] for each in sandbox.account().call("GET", "/_sandbox/accounts", limit=1000)["items"]]
    assert first in kept
