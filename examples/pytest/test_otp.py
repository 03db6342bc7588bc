"""One-time codes, tested from Python with the client and its pytest plugin:

    pip install ./clients/python    and then    pytest examples/pytest
"""

from datetime import timedelta

import pytest

from messaging_sandbox import Account, SandboxError

TO = "+12025550123"

pytestmark = pytest.mark.sandbox(clock={"mode": "frozen"})


@pytest.fixture
def otp_id(account: Account) -> str:
    """The application has sent a code."""
    account.templates.create(name="login", category="authentication", language="en")
    account.templates.approve("login")
    return account.call("POST", "/v1/otp/send", {"to": TO})["otp_id"]


def test_the_right_code_is_valid_once(account: Account, otp_id: str):
    attempt = {"otp_id": otp_id, "code": account.otp(TO).code}
    assert account.call("POST", "/v1/otp/verify", attempt) == {"valid": True}
    with pytest.raises(SandboxError) as spent:
        account.call("POST", "/v1/otp/verify", attempt)
    assert spent.value.status == 404


def test_five_wrong_codes_lock_it(account: Account, otp_id: str):
    right = account.otp(TO).code
    wrong = {"otp_id": otp_id, "code": "000000" if right != "000000" else "111111"}
    left = [account.call("POST", "/v1/otp/verify", wrong)["attempts_remaining"] for _ in range(5)]
    assert left == [4, 3, 2, 1, 0]
    with pytest.raises(SandboxError, match="otp_max_attempts"):
        account.call("POST", "/v1/otp/verify", {"otp_id": otp_id, "code": right})


def test_a_code_expires_after_five_minutes(account: Account, otp_id: str):
    account.clock.advance(timedelta(minutes=5))
    with pytest.raises(SandboxError) as late:
        account.call("POST", "/v1/otp/verify", {"otp_id": otp_id, "code": account.otp(TO).code})
    assert (late.value.status, late.value.code) == (410, "otp_expired")
