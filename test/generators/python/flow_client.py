"""Plays the flow of test/generators/support.ts with the client that openapi-python-client makes."""

import json
import os

from messaging import AuthenticatedClient
from messaging.api.messages import get_message, send_message
from messaging.api.templates import create_template, get_template
from messaging.models import (
    BatchResult,
    CreateTemplateRequest,
    ErrorResponse,
    MessageAccepted,
    MessageStatusEvent,
    TemplateCategory,
    TemplateMessage,
    TemplateMessageType,
    TemplateReference,
    TextMessage,
    TextMessageType,
)

client = AuthenticatedClient(base_url=os.environ["MESSAGING_BASE_URL"], token=os.environ["MESSAGING_API_KEY"])


def send(to):
    template = TemplateReference(name="order_shipped", language="en", variables=["42"])
    message = TemplateMessage(to=to, type_=TemplateMessageType.TEMPLATE, template=template)
    return send_message.sync(client=client, body=message)


submitted = create_template.sync(
    client=client,
    body=CreateTemplateRequest(
        name="made_by_python", category=TemplateCategory.UTILITY, language="en", body="Hello {{1}}"
    ),
)
template = get_template.sync(submitted.template_id, client=client)

single = send("+12025550101")
assert isinstance(single, MessageAccepted)
assert get_message.sync(single.message_id, client=client).message_id == single.message_id

batch = send(["+12025550102", "555"])
assert isinstance(batch, BatchResult)

text = TextMessage(to="+12025550199", type_=TextMessageType.TEXT, text="Hello")
rejected = send_message.sync(client=client, body=text)
assert isinstance(rejected, ErrorResponse)

event = MessageStatusEvent.from_dict(json.loads(os.environ["EVENT"]))

print(
    json.dumps(
        {
            "submitted": submitted.status.value,
            "template": template.status.value,
            "accepted": single.status.value,
            "batch": batch.status.value,
            "failed": batch.results[1].error.code,
            "rejected": rejected.error.code,
            "event": event.type_.value,
            "status": event.data.status.value,
        }
    )
)
