"""Calls every operation by httpx, with the models that datamodel-code-generator made for what is sent and answered."""

import json
import os
import re
import sys
import uuid
from urllib.parse import quote

import httpx
import models

base_url = os.environ["BASE_URL"]
template = "fb7d45b1-c999-45e2-a591-94482fc67b5f"
page = "b516fdf6-4655-4ae0-bd6a-fc6b10b2c53e"
channel = "43c7bdd3-64e6-46dd-bcdc-72773cd7e705"

with open(os.environ["DOCUMENT"]) as file:
    document = json.load(file)
operations = {
    operation["operationId"]: (method, path)
    for path, methods in document["paths"].items()
    for method, operation in methods.items()
}
called = set()
http = httpx.Client(base_url=base_url)


def call(operation, model, *path, body=None, query=None, expected=200):
    """Sends the body as the document says, and reads the answer as the model."""
    method, address = operations[operation]
    parts = iter(path)
    address = re.sub(r"\{\w+\}", lambda _: quote(str(next(parts)), safe=""), address)
    sent = None if body is None else body.model_dump(mode="json", by_alias=True, exclude_unset=True)
    payload = {"data" if operation == "createToken" else "json": sent}
    response = http.request(method.upper(), address, params=query, **payload)
    called.add(operation)
    print(f"  {operation}: {response.status_code}")
    if response.status_code != expected:
        sys.exit(f"{operation} answered {response.text}")
    return model.model_validate(response.json()) if model else response


def every(model, response):
    return [model.model_validate(each) for each in response.json()]


def deep_object(name, values):
    """A query parameter in the style deepObject."""
    return {f"{name}[{key}]": value for key, value in values.items()}


credentials = models.TokenRequest(
    grant_type="client_credentials", client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"]
)
token = call("createToken", models.Token, body=credentials)
http.headers["authorization"] = f"Bearer {token.access_token}"

core_id = str(uuid.uuid4())
ada = models.ContactInput(unique_id=core_id, name_first="Ada", meta_private={"core_id": core_id})
call("upsertContacts", models.CreatedContact, body=ada, expected=201)
batch = models.ContactBatchInput(contacts=[ada, models.ContactInput(email="ben@example.com")])
contact = call("upsertContacts", models.ContactBatch, body=batch).existing_contacts[0]
call("updateContact", models.Contact, contact.id, body=models.ContactInput(city="Duluth"))
call("updateContactByPatch", models.Contact, contact.id, body=models.ContactInput(timezone=None))
assert call("getContact", models.Contact, contact.id).city == "Duluth"
call("listContacts", models.ContactList, query={"limit": 1, "search": core_id})
every(models.ContactAccount, call("listContactAccounts", None, contact.id))

product = models.ProductInput(code="FREE", type="checking")
account = models.AccountInput(account_number=core_id, product=product, balance="12.50")
chunk = models.BatchInput(type="accounts", batch_id=core_id, chunk_index=0, records=[account])
call("createBatch", models.BatchAcceptance, body=chunk, expected=202)
call("getBatch", models.BatchStatus, core_id)
call("findBatch", None, query={"batch_id": core_id})

body = models.JourneyInput(contact=models.ContactReference(id=contact.id))
journey = call("createJourney", models.StartedJourney, template, body=body, expected=201)
every(models.ListedJourney, call("listJourneys", None, query={"contact_id": str(contact.id)}))
confirmation = models.JourneyConfirmation(is_completion_confirmed=True)
call("confirmJourney", models.Journey, template, journey.id, body=confirmation)
action = models.PageAction(type="page_viewed", page_id=page)
call("recordAction", None, journey.slug, body=action, expected=204)
call("listResponses", models.ResponseList, journey.id)
call("getTemplateResults", models.TemplateResults, template)
call("listTemplateResponses", models.TemplateResponseList, template, query={"limit": 1})
call("listEvents", models.EventList, query={"type": ["journey.*", "contact.created"], "limit": 1})
webhook = call("createWebhook", models.NewWebhook, body=models.WebhookInput(url="https://receiver.invalid/"), expected=201)
call("listWebhooks", models.WebhookList)
call("getWebhook", models.WebhookDetails, webhook.id)
call("rotateWebhook", models.RotatedWebhook, webhook.id)
call("testWebhook", models.WebhookTest, webhook.id)
call("deleteWebhook", None, webhook.id, expected=204)
call("showJourney", None, journey.slug)

call("getTemplate", models.TemplateDetails, template, query={"has_survey_content_blocks": "true"})
call("listTemplateMessages", models.TemplateMessageList, template)
every(models.TemplatePage, call("listTemplatePages", None, template))

call("searchContentContainers", models.ContentContainerReference, channel, query={"unique_id": core_id})
query = deep_object("meta_private", {"core_id": core_id})
found = call("searchContentContainers", models.ContentContainerReference, channel, query=query)
assert str(found.journey_url) == f"{base_url}/j/{journey.slug}", found
call("showChannelContent", None, channel, str(found.url).rsplit("/", 1)[-1])

call("cancelJourney", models.Journey, journey.id)
assert call("eraseContact", models.ContactErasure, contact.id, expected=202).status == "erasing"

# Reads that need no parameters need no line above.
for operation, (method, path) in operations.items():
    if method == "get" and "{" not in path and operation not in called:
        content = document["paths"][path][method]["responses"]["200"]["content"]
        name = content["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
        call(operation, getattr(models, name))

if missing := sorted(set(operations) - called):
    sys.exit(f"operations that this script must call too: {', '.join(missing)}")
numbered = [name for name in vars(models) if re.fullmatch(r"[A-Z]\w*\d", name)]
if numbered:
    sys.exit(f"types without a name of their own: {json.dumps(numbered)}")
print(f"  all {len(called)} operations")
