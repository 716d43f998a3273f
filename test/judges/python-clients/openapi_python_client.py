"""Calls every operation with the client that openapi-python-client generated, and says what each answered."""

import importlib
import json
import os
import pkgutil
import re
import sys
import uuid

from generated import AuthenticatedClient, Client, api
from generated.models import (
    AccountInput,
    BatchInput,
    BatchInputType,
    ContactBatchInput,
    ContactInput,
    ContactReference,
    FreeFormObject,
    JourneyConfirmation,
    JourneyInput,
    PageAction,
    PageActionType,
    ProductInput,
    ProductInputType,
    SearchContentContainersMetaPrivate,
    TokenRequest,
    WebhookInput,
)

base_url = os.environ["BASE_URL"]
template = uuid.UUID("fb7d45b1-c999-45e2-a591-94482fc67b5f")
page = "b516fdf6-4655-4ae0-bd6a-fc6b10b2c53e"
channel = uuid.UUID("43c7bdd3-64e6-46dd-bcdc-72773cd7e705")

operations = {
    name.rsplit(".", 1)[-1]: importlib.import_module(name)
    for _, name, is_package in pkgutil.walk_packages(api.__path__, "generated.api.")
    if not is_package
}
called = set()


def call(operation, expected, *args, **kwargs):
    response = operations[operation].sync_detailed(*args, **kwargs)
    called.add(operation)
    print(f"  {operation}: {response.status_code.value}")
    if response.status_code.value != expected:
        sys.exit(f"{operation} answered {response.content!r}")
    return response.parsed


def free_form(values):
    made = FreeFormObject()
    made.additional_properties = values
    return made


public = Client(base_url=base_url)
credentials = TokenRequest(
    grant_type="client_credentials",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
)
token = call("create_token", 200, client=public, body=credentials)
client = AuthenticatedClient(base_url=base_url, token=token.access_token)

core_id = str(uuid.uuid4())
ada = ContactInput(unique_id=core_id, name_first="Ada", meta_private=free_form({"core_id": core_id}))
call("upsert_contacts", 201, client=client, body=ada)
batch = ContactBatchInput(contacts=[ada, ContactInput(email="ben@example.com")])
contact = call("upsert_contacts", 200, client=client, body=batch).existing_contacts[0]
call("update_contact", 200, contact.id, client=client, body=ContactInput(city="Duluth"))
call("update_contact_by_patch", 200, contact.id, client=client, body=ContactInput(timezone=None))
assert call("get_contact", 200, contact.id, client=client).city == "Duluth"
assert call("list_contacts", 200, client=client, limit=1, search=core_id).contacts[0].id == contact.id
call("list_contact_accounts", 200, contact.id, client=client)

account = AccountInput(
    account_number=core_id, product=ProductInput(code="FREE", type_=ProductInputType.CHECKING), balance="12.50"
)
chunk = BatchInput(type_=BatchInputType.ACCOUNTS, batch_id=core_id, chunk_index=0, records=[account])
call("create_batch", 202, client=client, body=chunk)
call("get_batch", 200, core_id, client=client)
call("find_batch", 200, client=client, batch_id=core_id)

body = JourneyInput(contact=ContactReference(id=contact.id))
journey = call("create_journey", 201, template, client=client, body=body)
call("list_journeys", 200, client=client, contact_id=contact.id)
call("list_responses", 200, journey.id, client=client)
call("get_template_results", 200, template, client=client)
call("list_template_responses", 200, template, client=client, limit=1)
call("list_events", 200, client=client, limit=1)
webhook = call("create_webhook", 201, client=client, body=WebhookInput(url="https://receiver.invalid/"))
call("list_webhooks", 200, client=client)
call("get_webhook", 200, webhook.id, client=client)
call("rotate_webhook", 200, webhook.id, client=client)
assert call("test_webhook", 200, webhook.id, client=client).received is False
call("delete_webhook", 204, webhook.id, client=client)
confirmation = JourneyConfirmation(is_completion_confirmed=True)
call("confirm_journey", 200, template, journey.id, client=client, body=confirmation)
action = PageAction(type_=PageActionType.PAGE_VIEWED, page_id=page)
call("record_action", 204, journey.slug, client=public, body=action)
call("show_journey", 200, journey.slug, client=public)

call("get_template", 200, template, client=client, has_survey_content_blocks=True)
call("list_template_messages", 200, template, client=client)
call("list_template_pages", 200, template, client=client)

call("search_content_containers", 200, channel, client=client, unique_id=core_id)
# This generator leaves the parameter's name out, so the key carries it.
key = SearchContentContainersMetaPrivate()
key.additional_properties = {"meta_private[core_id]": core_id}
found = call("search_content_containers", 200, channel, client=client, meta_private=key)
assert found.journey_url == f"{base_url}/j/{journey.slug}", found
call("show_channel_content", 200, channel, found.url.rsplit("/", 1)[-1], client=public)

call("cancel_journey", 200, journey.id, client=client)
assert call("erase_contact", 202, contact.id, client=client).status == "erasing"

for name in ("get_openapi", "get_oauth_metadata", "get_jwks"):
    call(name, 200, client=public)

# Reads that need no parameters need no line above.
with open(os.environ["DOCUMENT"]) as file:
    paths = json.load(file)["paths"]
for path, methods in paths.items():
    if "get" in methods and "{" not in path:
        operation = re.sub(r"(?=[A-Z])", "_", methods["get"]["operationId"]).lower()
        if operation not in called:
            call(operation, 200, client=client)

if missing := sorted(set(operations) - called):
    sys.exit(f"operations that this script must call too: {', '.join(missing)}")
names = [name for name in os.listdir(os.path.join(os.path.dirname(api.__file__), "..", "models")) if "type_0" in name]
if names:
    sys.exit(f"nested parts without a name: {json.dumps(names)}")
print(f"  all {len(called)} operations")
