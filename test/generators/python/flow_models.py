"""Plays the flow of test/generators/support.ts with the models that datamodel-code-generator makes, and urllib."""

import json
import os
import urllib.error
import urllib.request

import messaging


def call(method, path, body=None):
    request = urllib.request.Request(
        os.environ["MESSAGING_BASE_URL"] + path,
        method=method,
        data=None if body is None else body.model_dump_json(exclude_none=True).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["MESSAGING_API_KEY"],
            "Content-Type": "application/json",
        },
    )
    try:
        return urllib.request.urlopen(request).read()
    except urllib.error.HTTPError as error:
        return error.read()


def message(to):
    template = {"name": "order_shipped", "language": "en", "variables": ["42"]}
    return messaging.SendMessageRequest.model_validate({"to": to, "type": "template", "template": template})


def value(field):
    return getattr(field, "value", field)


submitted = messaging.TemplateSubmission.model_validate_json(
    call(
        "POST",
        "/v1/templates",
        messaging.CreateTemplateRequest.model_validate(
            {"name": "made_by_models", "category": "utility", "language": "en", "body": "Hello {{1}}"}
        ),
    )
)
template = messaging.Template.model_validate_json(call("GET", f"/v1/templates/{submitted.template_id.root}"))
single = messaging.SendResult.model_validate_json(call("POST", "/v1/messages", message("+12025550101"))).root
messaging.Message.model_validate_json(call("GET", f"/v1/messages/{single.message_id.root}"))
batch = messaging.SendResult.model_validate_json(call("POST", "/v1/messages", message(["+12025550102", "555"]))).root
text = {"to": "+12025550199", "type": "text", "text": "Hello"}
rejected = messaging.ErrorResponse.model_validate_json(
    call("POST", "/v1/messages", messaging.SendMessageRequest.model_validate(text))
)
event = messaging.WebhookEvent.model_validate_json(os.environ["EVENT"]).root
assert isinstance(event, messaging.MessageStatusEvent)

print(
    json.dumps(
        {
            "submitted": value(submitted.status),
            "template": value(template.status),
            "accepted": value(single.status),
            "batch": value(batch.status),
            "failed": batch.results[1].error.code,
            "rejected": rejected.error.code,
            "event": value(event.type),
            "status": value(event.data.status),
        }
    )
)
