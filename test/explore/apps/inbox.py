"""A clinic as a threaded server: reminds of appointments, books by reply, and keeps its own table in sqlite.

It sends at most once: what had no response is "unknown". FAULT plants one mistake; without it the application is right.
"""

import hashlib
import hmac
import json
import os
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE, KEY = os.environ["MESSAGING_BASE_URL"], os.environ["MESSAGING_API_KEY"]
PORT, FAULT = int(os.environ["PORT"]), os.environ.get("FAULT", "")
db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
db.executescript(
    "create table events (id text primary key);"
    "create table visits (phone text primary key, state text, message text);"
    "create table unsure (phone text, answer text);"
)
lock = threading.Lock()
secret = []


def call(path, body, safe=False):
    """Returns the status and the body; (0, None) if nobody knows what became of it."""
    for attempt in range(8):
        request = urllib.request.Request(BASE + path, json.dumps(body).encode(), method="POST")
        request.add_header("Authorization", "Bearer " + KEY)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=5) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as error:
            if error.code in (429, 503) and FAULT != "no-retry":
                time.sleep(0 if FAULT == "hammer" else float(error.headers.get("Retry-After") or 0.5))
            elif error.code >= 500:
                if not safe:
                    return 0, None
            else:
                return error.code, json.loads(error.read() or b"{}")
        except Exception:
            if not safe and FAULT != "blind-retry":
                return 0, None
            time.sleep(0.1)
    return 0, None


def register():
    events = ["message.received", "message.status"]
    while not secret:
        status, body = call("/v1/webhooks", {"url": f"https://127.0.0.1:{PORT}/in", "events": events}, safe=FAULT != "no-registration-retry")
        if status in (200, 201):
            secret.append(body["secret"])
        elif FAULT == "no-registration-retry":
            return


def on_event(event):
    data = event["data"]
    with lock:
        if FAULT != "no-dedupe":
            try:
                db.execute("insert into events values (?)", [event["id"]])
            except sqlite3.IntegrityError:
                return
        if event["type"] == "message.status":
            state = data["status"]
            if FAULT == "failed-as-sent" and state == "failed":
                state = "delivered"
            better = "and state not in ('read', 'booked')" if FAULT != "backwards" else ""
            if state in ("failed", "delivered", "read"):
                db.execute(f"update visits set state = ? where message = ? {better}", [state, data["message_id"]])
        elif event["type"] == "message.received":
            answer = "Booked." if data["text"].lower() == "yes" else "Please write YES or NO."
            if answer == "Booked.":
                db.execute("update visits set state = 'booked' where phone = ?", [data["from"]])
        else:
            return
    if event["type"] == "message.received":
        status, _ = call("/v1/messages", {"to": data["from"], "type": "text", "text": answer})
        if status == 0 and FAULT != "silent":
            with lock:
                db.execute("insert into unsure values (?, ?)", [data["from"], answer])


def remind(phone):
    db.execute("insert or ignore into visits values (?, 'new', null)", [phone])
    template = {"name": "visit", "language": "en", "variables": ["9:30"]}
    status, body = call("/v1/messages", {"to": phone, "type": "template", "template": template})
    state = {0: "unknown", 200: "sent"}.get(status, "refused")
    with lock:
        db.execute("update visits set state = ?, message = ? where phone = ?", [state, (body or {}).get("message_id"), phone])


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/remind":
            threading.Thread(target=remind, args=[json.loads(raw)["phone"]]).start()
            return self.end(202)
        if not secret and FAULT != "no-signature":
            return self.end(503)
        digest = "" if not secret else hmac.new(secret[0].encode(), raw, hashlib.sha256).hexdigest()
        given = self.headers.get("X-Service-Signature") or ""
        if FAULT != "no-signature" and not hmac.compare_digest("sha256=" + digest, given):
            return self.end(401)
        on_event(json.loads(raw))
        return self.end(204)

    def do_GET(self):
        with lock:
            rows = db.execute("select phone, state from visits").fetchall()
            unsure = db.execute("select phone, answer from unsure").fetchall()
        self.end(200, json.dumps({"visits": dict(rows), "unsure": unsure}).encode())

    def end(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
threading.Thread(target=register, daemon=True).start()
server.serve_forever()
