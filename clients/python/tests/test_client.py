"""The client with a sandbox: its methods, their results and their exceptions."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from messaging_sandbox import Account, AsyncAccount, Sandbox, SandboxError, inputs

PHONE = "+12025550123"
NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)

pytestmark = pytest.mark.sandbox(clock={"mode": "frozen", "now": NINE})


def test_a_window_is_open_for_a_day(account: Account):
    inbound = account.customer(PHONE).says("Where is my order?")
    assert inbound.window_closes_at - NINE == timedelta(days=1)
    account.clock.advance(timedelta(hours=24))
    assert account.clock.now() == NINE + timedelta(days=1)
    assert not account.customer(PHONE).get().window.open
    window = account.customer(PHONE).window
    assert window.open().window.open
    assert not window.close().window.open
    assert window.open(timedelta(hours=1)).window.closes_at == NINE + timedelta(hours=25)
    assert window.close_at(NINE + timedelta(days=2)).window.closes_at == NINE + timedelta(days=2)
    (message,) = account.messages(direction="inbound", from_=PHONE)
    assert (message.direction, message.text, message.from_) == ("inbound", "Where is my order?", PHONE)


def test_a_code_expires(account: Account):
    assert account.templates.create(name="login", category="authentication", language="en").status == "pending"
    assert account.templates.approve("login").status == "approved"
    with pytest.raises(SandboxError, match="No one-time code"):
        account.otp(PHONE)
    sent = account.call("POST", "/v1/otp/send", {"to": PHONE})
    code = account.otp(PHONE)
    assert (code.otp_id, code.expires_at - code.created_at, code.verified_at) == (sent["otp_id"], timedelta(minutes=5), None)
    account.clock.advance(to=NINE + timedelta(minutes=5))
    with pytest.raises(SandboxError) as late:
        account.call("POST", "/v1/otp/verify", {"otp_id": code.otp_id, "code": code.code})
    assert (late.value.status, late.value.code) == (410, "otp_expired")
    assert "otp_expired (410): " in str(late.value)


def test_a_customer_taps_what_was_shown(account: Account):
    customer = account.customer(PHONE)
    customer.says("Hi")
    content = {"body": "Leave it?", "buttons": [{"id": "y", "title": "Yes"}]}
    account.call("POST", "/v1/messages", {"to": PHONE, "type": "interactive", "interactive": content})
    account.clock.advance("1m")
    customer.taps("Yes")
    with pytest.raises(SandboxError, match="no button 'No' to tap. Buttons: 'Yes'"):
        customer.taps("No")
    event = account.wait.event(type="message.received", data_type="interactive")
    assert event.data.interactive == {"id": "y", "title": "Yes"}
    shown = customer.messages()
    assert [each.direction for each in shown] == ["inbound", "outbound", "inbound"]


def test_a_sink_that_is_down_once(account: Account):
    sink = account.sink("audit")
    account.webhooks.register(sink.url, ["message.received"])
    sink.respond(503, {"status": 200, "delay": timedelta(seconds=1)})
    account.customer(PHONE).says("Hi")
    account.clock.advance(timedelta(hours=1))
    delivery = account.wait.delivery(state="delivered")
    assert [attempt.status for attempt in delivery.attempts] == [503, 200]
    assert all(request.signature_valid for request in sink.received())
    (endpoint,) = account.webhooks.list()
    assert account.webhooks.pause(endpoint.id).status == "paused"
    assert account.webhooks.resume(endpoint.id).status == "active"
    account.webhooks.remove(endpoint.id)
    assert account.webhooks.list() == []


def test_a_template_that_is_paused_and_removed(account: Account):
    account.templates.create(name="news", category="marketing", language="en", body="Hi")
    account.templates.approve("news")
    assert account.templates.pause("news").status == "paused"
    assert account.templates.resume("news").status == "approved"
    assert account.templates.remove("news").status == "deleted"
    with pytest.raises(SandboxError, match="nam is unknown, did you mean name"):
        account.templates.create(nam="login", category="utility", language="en", body="Hi")  # type: ignore[call-arg]


def test_rules_and_scenarios(account: Account):
    match: inputs.RuleMatch = {"not": {"name": ["b", "*c*"]}}
    rule = account.rules.add(when="template.create", match=match, pick={"calls": 1}, then={"respond": {"status": 503}})
    with pytest.raises(SandboxError) as refused:
        account.templates.create(name="a", category="utility", language="en", body="Hi")
    assert refused.value.status == 503
    (listed,) = account.rules.list(id=rule.id)
    assert (listed.hits, listed.last_hit and listed.last_hit.at) == (1, NINE)
    account.rules.remove(rule.id)
    assert account.rules.list() == []

    with pytest.raises(SandboxError, match="line 2: ") as invalid:
        account.scenario.use("version: 1\nrulez: []\nrule: []\n")
    assert (invalid.value.code, len(invalid.value.details)) == ("scenario_invalid", 2)
    account.scenario.use("version: 1\nexpect:\n  - { at: finish, that: requests, where: { operation: message.send }, min: 1 }\n")
    verdict = account.scenario.verdict()
    assert not verdict.passed
    played = account.scenario.play()
    assert not played.passed
    assert played.ended is not None and played.ended.because == "nothing was due"
    assert account.scenario.use("flaky-api").name == "flaky-api"
    account.scenario.clear()
    assert account.scenario.check("flaky-api").name == "flaky-api"
    assert account.scenario.get().name is None


def test_waiting_says_what_came_closest(account: Account):
    account.customer(PHONE).says("Hi")
    account.templates.create(name="later", category="utility", language="en", body="Hi")
    with pytest.raises(SandboxError) as vain:
        account.wait.event(type="message.received", text="Bye", timeout=timedelta(0))
    assert vain.value.code == "wait_timeout"
    assert "text is 'Hi', not 'Bye'" in str(vain.value)
    assert "The clock is frozen at 2026-03-01 09:00:00+00:00" in str(vain.value)


def test_a_list_is_the_whole_list(account: Account):
    account.templates.create(name="news", category="marketing", language="en", body="Hi")
    account.templates.approve("news")
    for batch in range(11):
        to = [f"+4915{batch:02}0000{number:02}" for number in range(100)]
        account.call("POST", "/v1/messages", {"to": to, "type": "template", "template": {"name": "news", "language": "en"}})
    messages = account.messages()
    assert len({message.to for message in messages}) == len(messages) == 1100
    assert messages == sorted(messages, key=lambda message: message.seq)
    assert account.messages(order="desc", limit=2) == [messages[1099], messages[1098]]
    assert account.messages(order="desc") == messages[::-1]


def test_an_event_with_data_of_its_own(account: Account):
    emitted = account.emit("message.status", {"status": "failed"}, webhook={"duplicate": 1})
    assert emitted.event.data.status == "failed"


def test_what_happened_comes_again(account: Account):
    account.customer(PHONE).says("Hi")
    (event,) = account.events()
    sink = account.sink("audit")
    account.webhooks.register(sink.url, ["message.status"])
    (endpoint,) = account.webhooks.list()
    assert len(account.redeliver(event.id, webhook_id=endpoint.id).deliveries) == 1
    assert [customer.phone for customer in account.customers()] == [PHONE]
    assert "timeline" in account.record()
    assert account.record("har").startswith("{")
    sent = account.messages(direction=["inbound", "outbound"], status=["received", "read"])
    assert [message.status for message in sent] == ["received"]
    account.remove()
    assert account.events() == []


def test_a_sandbox_says_when_it_was_started(account: Account):
    assert datetime.now(UTC) - account.info().started_at < timedelta(days=1)


@pytest.mark.parametrize("end", ["/v1", "/v1/"])
def test_a_url_that_ends_in_v1(sandbox: Sandbox, end: str):
    with pytest.raises(SandboxError, match=f"Leave out the /v1: {sandbox.url}"):
        Sandbox.connect(sandbox.url + end)


def test_a_snapshot_brings_back(account: Account):
    account.snapshot.take("empty")
    account.snapshot.upload("copy", account.snapshot.download("empty"))
    account.customer(PHONE).says("Hi")
    assert [each.text for each in account.fork(f"{account.key}-fork").messages(direction="inbound")] == ["Hi"]
    account.snapshot.restore("empty")
    assert account.messages(direction="inbound") == []
    account.reset(scenario="otp-trouble", keep=["clock"])
    assert account.scenario.get().name == "otp-trouble"
    assert account.clock.get().mode == "frozen"


def test_what_is_wrong_is_said_before_or_by_the_sandbox(account: Account):
    with pytest.raises(SandboxError, match="has no time zone"):
        account.clock.set(datetime(2026, 3, 1))
    with pytest.raises(SandboxError, match="validation_error"):
        account.messages(colour="red")  # type: ignore[call-arg]
    assert account.clock.run(60).scale == 60
    assert account.clock.run("real").mode == "real"


async def test_the_same_with_await(async_account: AsyncAccount, account: Account):
    inbound = await async_account.customer(PHONE).says("Hi")
    assert inbound.window_closes_at == NINE + timedelta(days=1)
    await async_account.clock.advance("1h")
    assert await async_account.clock.now() == account.clock.now() == NINE + timedelta(hours=1)
    event = await async_account.wait.event(type="message.received")
    assert event.data.text == "Hi"
    assert [each.id for each in await async_account.messages(direction="inbound")] == [inbound.message_id]


def test_whole_documents_are_read(account: Account, sandbox: Sandbox):
    """Every class of the models that a request returns is built from what the sandbox sends."""
    assert account.coverage().total > 0
    account.call("GET", "/v1/templates")
    (request,) = account.requests()
    assert (request.at, request.operation) == (NINE, "listTemplates")
    assert request.response and request.response.body == {"templates": []}
    info = sandbox.account().call("GET", "/_sandbox/info")
    assert json.loads(json.dumps(info))["name"] == "messaging-sandbox"
