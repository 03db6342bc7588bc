"""A notifier with webhooks, as a story in one process: it registers, sends, answers a customer, and says how it ended.

FAULT in the environment plants one mistake; without it the application is right.
"""

import hashlib
import hmac
import http.server
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request

BASE = os.environ["MESSAGING_BASE_URL"]
KEY = os.environ["MESSAGING_API_KEY"]
FAULT = os.environ.get("FAULT", "")
ORDER = ["accepted", "sent", "delivered", "read"]

lock = threading.Condition()
seen_events = set()
statuses = {}  # message id -> status
owner = {}  # message id -> customer
approved = set()
replies = []
secret = None


class Uncertain(Exception):
    pass


class Refused(Exception):
    pass


def call(method, path, body=None):
    request = urllib.request.Request(
        BASE + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + KEY, "Content-Type": "application/json"},
    )
    for attempt in range(6):
        try:
            with urllib.request.urlopen(request, timeout=4) as response:
                text = response.read()
                return json.loads(text) if text else {}
        except urllib.error.HTTPError as error:
            if error.code in (429, 503) and FAULT != "no-retry":
                time.sleep(float(error.headers.get("Retry-After", 0.3)) if FAULT != "hammer" else 0)
                continue
            if error.code >= 500 and FAULT != "no-retry":
                if FAULT == "blind-retry":
                    continue
                raise Uncertain(str(error.code)) from error
            raise Refused(error.read().decode()) from error
        except (OSError, ValueError, __import__("http.client").client.HTTPException) as error:
            if FAULT == "blind-retry":
                continue
            raise Uncertain(repr(error)) from error
    raise Refused("gave up")


def safely(method, path, body=None):
    """For what changes nothing the second time."""
    for _ in range(5):
        try:
            return call(method, path, body)
        except Uncertain:
            time.sleep(0.2)
    raise Refused("gave up")


def send(body):
    """Sends once: after a lost answer, the event of the message is the sign that it was taken."""
    for _ in range(4):
        try:
            identifier = call("POST", "/v1/messages", body)["message_id"]
            with lock:
                owner[identifier] = body["to"]
            return identifier
        except Uncertain:
            deadline = time.monotonic() + 2
            with lock:
                while time.monotonic() < deadline:
                    for identifier, to in list(unclaimed()):
                        if to == body["to"]:
                            owner[identifier] = to
                            return identifier
                    lock.wait(0.1)
    raise Refused("no sign")


heard = {}


def unclaimed():
    return [(i, to) for i, to in heard.items() if i not in owner]


class Hook(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        given = self.headers.get("X-Service-Signature", "")
        right = "sha256=" + hmac.new((secret or "").encode(), raw, hashlib.sha256).hexdigest()
        if FAULT != "no-signature" and not hmac.compare_digest(given, right):
            return self.answer(401)
        event = json.loads(raw)
        with lock:
            fresh = event["id"] not in seen_events or FAULT == "no-dedupe"
            seen_events.add(event["id"])
        if fresh:
            work(event)
        return self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def work(event):
    data = event["data"]
    with lock:
        if event["type"] == "message.status":
            before = statuses.get(data["message_id"], "accepted")
            rank = lambda s: ORDER.index(s) if s in ORDER else 9
            if FAULT == "backwards" or rank(data["status"]) > rank(before):
                statuses[data["message_id"]] = data["status"]
            heard[data["message_id"]] = data["to"]
        elif event["type"] == "template.status" and data["status"] == "approved":
            approved.add(data["name"])
        lock.notify_all()
    if event["type"] == "message.received":
        threading.Thread(target=reply, args=(data["from"],), daemon=True).start()


def reply(to):
    identifier = send({"to": to, "type": "text", "text": "Thank you, we will be in touch."})
    with lock:
        replies.append(identifier)
        lock.notify_all()


def until(what, seconds=20):
    deadline = time.monotonic() + seconds
    with lock:
        while not what():
            if time.monotonic() > deadline:
                return False
            lock.wait(0.1)
    return True


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"https://127.0.0.1:{server.server_port}/hooks"
events = ["message.received", "message.status", "template.status"]
secret = safely("POST", "/v1/webhooks", {"url": url, "events": events})["secret"]
try:
    safely("POST", "/v1/templates", {"name": "order_update", "category": "utility", "language": "en", "body": "Order {{1}}."})
except Refused as error:
    if "template_exists" not in str(error):
        raise
# The review may have ended before anybody listened, so the list is looked at as well.
if not until(lambda: "order_update" in approved, 1):
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline and "order_update" not in approved:
        for template in safely("GET", "/v1/templates")["templates"]:
            if template["status"] == "approved":
                approved.add(template["name"])
        time.sleep(0.2)
orders = {}
for number, phone in (("1", "+12025550110"), ("2", "+12025550111")):
    template = {"name": "order_update", "language": "en", "variables": [number]}
    orders[number] = send({"to": phone, "type": "template", "template": template})
inbound = urllib.request.Request(
    os.environ["SANDBOX_URL"] + "/_sandbox/inbound",
    method="POST",
    data=json.dumps({"from": "+12025550112", "text": "Hello?", "profile_name": "Ada"}).encode(),
    headers={"Authorization": "Bearer " + KEY, "Content-Type": "application/json"},
)
urllib.request.urlopen(inbound).read()
until(lambda: len(replies) >= 1, 10)
wanted = list(orders.values()) + replies
until(lambda: all(statuses.get(i) == "read" for i in wanted), 10)
# A message that fails for good is no failure of ours, and neither is a reply that had to be given up.
time.sleep(0.3)
print(json.dumps({"orders": {n: statuses.get(i) for n, i in orders.items()}, "replies": [statuses.get(i) for i in replies]}))
sys.stdout.flush()
os._exit(0)
