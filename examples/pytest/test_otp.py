"""One-time codes, tested from Python. Needs pytest, requests and a running sandbox:

    npx messaging-sandbox start    and then    pytest examples/pytest
"""

import os
import uuid

import pytest
import requests

BASE = os.environ.get("MESSAGING_BASE_URL", "http://127.0.0.1:4242")
TO = "+12025550123"


class Account:
    """One API key, and so one world: its calls see nothing of other tests."""

    def __init__(self, key):
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"

    def call(self, method, path, body=None):
        return self.session.request(method, BASE + path, json=body, timeout=10)

    def must(self, method, path, body=None):
        answer = self.call(method, path, body)
        assert answer.ok, f"{method} {path} answered {answer.status_code}: {answer.text}"
        return answer.json() if answer.content else None

    def code(self):
        items = self.must("GET", f"/_sandbox/otps?to={TO[1:]}&order=desc&limit=1")["items"]
        return items[0]["code"]


@pytest.fixture
def account(request):
    # The name is for the reader. The UUID keeps files, workers and runs apart, whatever their tests are called.
    account = Account(f"pytest-{request.node.originalname}-{uuid.uuid4().hex}")
    account.must("PUT", "/_sandbox/clock", {"mode": "frozen"})
    template = {"name": "login", "category": "authentication", "language": "en"}
    template_id = account.must("POST", "/v1/templates", template)["template_id"]
    account.must("POST", f"/_sandbox/templates/{template_id}/review", {"decision": "approved"})
    yield account
    account.session.close()


def test_the_right_code_is_valid_once(account):
    otp_id = account.must("POST", "/v1/otp/send", {"to": TO})["otp_id"]
    attempt = {"otp_id": otp_id, "code": account.code()}
    assert account.must("POST", "/v1/otp/verify", attempt) == {"valid": True}
    assert account.call("POST", "/v1/otp/verify", attempt).status_code == 404


def test_five_wrong_codes_lock_it(account):
    otp_id = account.must("POST", "/v1/otp/send", {"to": TO})["otp_id"]
    right = account.code()
    wrong = {"otp_id": otp_id, "code": "000000" if right != "000000" else "111111"}
    left = [account.must("POST", "/v1/otp/verify", wrong)["attempts_remaining"] for _ in range(5)]
    assert left == [4, 3, 2, 1, 0]
    locked = account.call("POST", "/v1/otp/verify", {"otp_id": otp_id, "code": right})
    assert locked.json()["error"]["code"] == "otp_max_attempts"


def test_a_code_expires_after_five_minutes(account):
    otp_id = account.must("POST", "/v1/otp/send", {"to": TO})["otp_id"]
    code = account.code()
    account.must("POST", "/_sandbox/clock/advance", {"by": "5m"})
    late = account.call("POST", "/v1/otp/verify", {"otp_id": otp_id, "code": code})
    assert (late.status_code, late.json()["error"]["code"]) == (410, "otp_expired")
