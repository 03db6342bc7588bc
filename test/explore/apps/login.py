"""Signing in as a script: submits its template, sends a code, and verifies what the person typed.

FAULT plants one mistake; without it the application is right.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE, KEY = os.environ["MESSAGING_BASE_URL"], os.environ["MESSAGING_API_KEY"]
FAULT = os.environ.get("FAULT", "")


def call(method, url, body=None):
    """Returns (status, body); status 0 if there was no whole response."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=3) as response:
            return response.status, json.loads(response.read()), {}
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}"), error.headers
    except Exception:
        return 0, None, {}


def service(method, path, body=None):
    """Waits where the service asks for it."""
    for attempt in range(10):
        status, answer, headers = call(method, BASE + path, body)
        if status not in (429, 503) or FAULT == "no-retry":
            return status, answer
        time.sleep(0 if FAULT == "hammer" else float(headers.get("Retry-After") or 0.3))
    return status, answer


def typed(phone, otp_id):
    """The person reads the latest code on the phone."""
    for _ in range(20):
        _, otps, _ = call("GET", os.environ["SANDBOX_URL"] + "/_sandbox/otps?to=" + urllib.parse.quote(phone))
        codes = otps["items"]
        if codes:
            return codes[-1]["code"] if FAULT != "number-code" else str(int(codes[-1]["code"]))
        time.sleep(0.1)
    return ""


def template():
    while True:
        status, answer = service("POST", "/v1/templates", {"name": "sign_in", "category": "authentication", "language": "en"})
        if status and status < 500:
            break
    for _ in range(50):
        status, answer = service("GET", "/v1/templates")
        if status == 200 and answer["templates"] and answer["templates"][0]["status"] != "pending":
            return answer["templates"][0]["status"] == "approved"
        time.sleep(0.1)
    return False


def sign_in(phone):
    first = None
    for _ in range(4):
        status, answer = service("POST", "/v1/otp/send", {"to": phone})
        if status == 0 or status >= 500:
            if FAULT == "no-retry":
                sys.exit("no code")
            continue  # another code is harmless; the latest counts
        if status >= 400:
            return False
        otp_id = answer["otp_id"]
        for _ in range(3):
            status, answer = service("POST", "/v1/otp/verify", {"otp_id": otp_id, "code": typed(phone, otp_id)})
            if status == 200 and answer["valid"]:
                return True
            if status != 200:
                break  # expired, locked, used, or nobody knows: a new code
        if FAULT == "gives-up":
            return False
    return False


ready = template()
print("template", ready)
print(json.dumps({"ready": ready, "signed_in": [p for p in ("+12025550111", "+12025550112") if ready and sign_in(p)]}))
