"""Starts the emulator with what it lacks of AWS, so that the stack and its roles are tried as they are.

- IAM authorizes each statement of BatchExecuteStatement as PartiQLInsert, PartiQLUpdate, PartiQLDelete or PartiQLSelect.
- It authorizes each item of a transaction with its own key.
- dynamodb:LeadingKeys holds the partition keys of a request.
- The emulator is used on the loopback interface only, so its plain HTTP counts as TLS.
- A change of a function's configuration restarts all of its versions, so that the rehearsal can begin without caches.
- A query consumes read units by the size of what it reads. The emulator reports the same for every query.
- API Gateway leaves `pathParameters` out of an event if the route has none. The emulator sends null.
- API Gateway lists the cookies of a request in `cookies`. The emulator leaves them in the header.
- Writes by PartiQL are in the stream of the table. The emulator leaves them out.
- Lambda sends records of the stream again that a function reports as failed. The emulator drops them.
- A stream is kept while nobody reads it. A restarted emulator knows how far it was read, but has lost its records.

It writes to the file GRANTS which parts of the policies of roles no request needed, except of what it does itself: it
writes logs, and receives messages and records of the stream. While there is a file REMOVE_GRANTS, it refuses the first
request that needs a part, as if the policy did not have it. The invocation should fail, and is repeated.
"""

import contextvars
import copy
import json
import os
import re
import threading

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import dynamodb, lambda_svc

BODY = "rehearsal:body"
# The action that a message of the emulator names instead of that of the request.
denied_action = contextvars.ContextVar("denied_action", default=None)
own_context = iam_actions.dynamodb_service_context
own_enforce = iam_evaluator.enforce
own_denial = iam_actions.access_denied_response
own_evaluate = iam_evaluator.evaluate
own_origin = app.pin_request_origin
own_invalidate = lambda_svc.invalidate_worker
own_consumed = dynamodb._add_consumed_capacity
own_execute = lambda_svc._execute_function_with_config_scope
own_invocation = lambda_svc._execute_function
own_state = dynamodb.get_state
own_load = dynamodb.load_persisted_state

TRANSACTION_ACTIONS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
STATEMENT = re.compile(r'^\s*(INSERT)\s+INTO\s+"([^"]+)"|^\s*(UPDATE|DELETE\s+FROM)\s+"([^"]+)"|^\s*(SELECT)\b.*?\bFROM\s+"([^"]+)"', re.I | re.S)


def key_of(item):
    return item.get("pk", {}).get("S", "")


def statement_part(statement):
    """The action, table and partition key of a PartiQL statement."""
    text = statement.get("Statement", "")
    groups = [each for each in STATEMENT.match(text).groups() if each]
    verb, table = groups[0].split()[0].capitalize(), groups[1]
    marker = re.search(r"'pk'\s*:\s*\?" if verb == "Insert" else r'"pk"\s*=\s*\?', text)
    parameter = statement.get("Parameters", [])[text[: marker.end() - 1].count("?")]
    return f"PartiQL{verb}", table, [parameter.get("S", "")]


def parts(action, body):
    """The authorizations that IAM asks for: action, table or index, and partition keys."""
    if action == "BatchExecuteStatement":
        return [statement_part(each) for each in body.get("Statements", [])]
    if action == "BatchGetItem":
        return [(action, table, [key_of(key) for key in each["Keys"]]) for table, each in body["RequestItems"].items()]
    if action == "TransactWriteItems":
        found = [(TRANSACTION_ACTIONS[kind], part) for each in body["TransactItems"] for kind, part in each.items()]
        return [(name, part["TableName"], [key_of(part.get("Item") or part.get("Key"))]) for name, part in found]
    if action == "Query":
        marker = re.search(r"=\s*(:\w+)", body["KeyConditionExpression"]).group(1)
        index = f"/index/{body['IndexName']}" if "IndexName" in body else ""
        return [(action, body["TableName"] + index, [body["ExpressionAttributeValues"][marker].get("S", "")])]
    if "Item" in body or "Key" in body:
        return [(action, body["TableName"], [key_of(body.get("Item") or body["Key"])])]
    return None


def context_with_body(body):
    return {**own_context(body), BODY: body}


def enforce(access_key, iam_action, service, region, resource_arn="*", service_context=None):
    context = dict(service_context or {})
    body = context.pop(BODY, None)
    asked = parts(iam_action.split(":", 1)[1], json.loads(body or b"{}")) if service == "dynamodb" and body else None
    if asked is None:
        return own_enforce(access_key, iam_action, service, region, resource_arn=resource_arn, service_context=context)
    from ministack.core.responses import get_account_id

    for action, table, keys in asked:
        arn = table if table.startswith("arn:") else f"arn:aws:dynamodb:{region}:{get_account_id()}:table/{table}"
        own = {**context, "dynamodb:LeadingKeys": keys}
        denied = own_enforce(access_key, f"dynamodb:{action}", service, region, resource_arn=arn, service_context=own)
        if denied:
            denied_action.set(f"dynamodb:{action}")
            return denied
    return None


OF_EMULATOR = {"Log", "Consume", "ReadStream", "SendFailures"}
unused, removed, unnoticed = {}, {}, {}
# By role, the parts that the invocation under way lacks. One request of an invocation is refused at most.
lacking = {}
locks = {}


def parts_of(statement):
    keys = [each for tests in statement.conditions.values() for each in tests.get("dynamodb:LeadingKeys", [])]
    return statement.actions, statement.resources, keys


def needed_parts(ctx, statements):
    """The parts without any of which the request would be denied."""
    allowing = [each for each in statements if iam_evaluator._first_match(ctx, [each], "Allow")]
    if len(allowing) != 1:
        return
    values = [ctx.action], [ctx.resource_arn], ctx.service_context.get("dynamodb:leadingkeys", [])
    for parts, asked in zip(parts_of(allowing[0]), values):
        for value in asked:
            matching = [each for each in parts if iam_evaluator.fnmatch_iam_cs(value, each)]
            if len(matching) == 1:
                yield f"{allowing[0].sid} {matching[0]}"


def evaluate(ctx, policies, *limits):
    result = own_evaluate(ctx, policies, *limits)
    if result.decision != "Allow" or ":assumed-role/" not in ctx.principal_arn:
        return result
    statements = [each for layer in policies for each in layer if each.effect == "Allow" and each.sid not in OF_EMULATOR]
    role = ctx.principal_arn.split("/")[1]
    every = [f"{each.sid} {part}" for each in statements for parts in parts_of(each) for part in parts]
    left = unused.setdefault(role, every)
    needed = set(needed_parts(ctx, statements)).intersection(left)
    removes = os.path.exists(os.environ["REMOVE_GRANTS"])
    if not needed or removes and lacking.get(role) != []:
        return result
    unused[role] = [each for each in left if each not in needed]
    if removes:
        lacking[role] = sorted(needed)
    write_grants()
    return iam_evaluator.EvalResult("ImplicitDeny", ctx.principal_arn) if removes else result


def write_grants():
    with open(os.environ["GRANTS"], "w") as file:
        json.dump({"unused": unused, "removed": removed, "unnoticed": unnoticed}, file)


def failed(result):
    body = result.get("body")
    answer = body if isinstance(body, dict) else {}
    return result.get("error") or answer.get("batchItemFailures") or answer.get("statusCode", 0) >= 500


def without_grants(func, event):
    if not os.path.exists(os.environ["REMOVE_GRANTS"]):
        return of_stream(func, event)
    role = func.get("config", func)["Role"].rsplit("/", 1)[-1]
    with locks.setdefault(role, threading.RLock()):
        while True:
            lacking[role] = []
            result = of_stream(func, event)
            parts = lacking.pop(role, [])
            if not parts:
                return result
            (removed if failed(result) else unnoticed).setdefault(role, []).extend(parts)
            write_grants()
            if not failed(result):
                return result
            # The next instance has nothing in memory.
            own_invalidate(func.get("config", func)["FunctionName"])


def denial(service, iam_action, *args, **kwargs):
    return own_denial(service, denied_action.get() or iam_action, *args, **kwargs)


def execute(record, event, *args, **kwargs):
    if isinstance(event, dict) and "routeKey" in event:
        event = {key: value for key, value in event.items() if key != "pathParameters" or value is not None}
        cookie = next((value for name, value in event.get("headers", {}).items() if name.lower() == "cookie"), None)
        if cookie is not None:
            event["cookies"] = cookie.split("; ")
    return own_execute(record, event, *args, **kwargs)


def consumed(result, data, *args, **kwargs):
    own_consumed(result, data, *args, **kwargs)
    if "ConsumedCapacity" in result and "Items" in result:
        blocks = -(-sum(map(dynamodb._item_size_bytes, result["Items"])) // 4096) or 1
        result["ConsumedCapacity"]["CapacityUnits"] = blocks if data.get("ConsistentRead") else blocks / 2


def of_stream(func, event):
    result = own_invocation(func, event)
    records = event.get("Records") if isinstance(event, dict) else None
    body = result.get("body")
    if records and records[0].get("eventSource") == "aws:dynamodb" and isinstance(body, dict):
        if body.get("batchItemFailures"):
            return {**result, "error": True}
    return result


def in_stream(write):
    def run(table, parsed, *args):
        if "item" in parsed:
            item = parsed["item"].get("M", parsed["item"])
            pk, sk = (dynamodb._extract_key_val(item.get(table[name])) for name in ("pk_name", "sk_name"))
        else:
            pk, sk, *_ = dynamodb._partiql_key_target(table, parsed)
        before = table["items"].get(pk, {}).get(sk)
        response = write(table, parsed, *args)
        after = table["items"].get(pk, {}).get(sk)
        if response[0] == 200 and after is not before:
            event = "INSERT" if before is None else "REMOVE" if after is None else "MODIFY"
            dynamodb._emit_stream_event(table["TableName"], event, before, after)
        return response

    return run


def state():
    stream = {"records": copy.deepcopy(dynamodb._stream_records), "sequence": dynamodb._stream_seq_counter}
    return {**own_state(), "stream": stream}


def load(data):
    own_load(data)
    dynamodb._stream_records.update(data["stream"]["records"])
    dynamodb._stream_seq_counter = data["stream"]["sequence"]


for name in ("_partiql_insert", "_partiql_update", "_partiql_delete"):
    setattr(dynamodb, name, in_stream(getattr(dynamodb, name)))
iam_actions.dynamodb_service_context = context_with_body
iam_actions.dynamodb_transaction_checks = lambda *_: []
iam_actions.access_denied_response = denial
iam_evaluator.enforce = enforce
iam_evaluator.evaluate = evaluate
dynamodb._add_consumed_capacity = consumed
dynamodb.get_state = state
dynamodb.load_persisted_state = load
app.pin_request_origin = lambda address, _: own_origin(address, True)
lambda_svc._execute_function_with_config_scope = execute
lambda_svc._execute_function = without_grants
lambda_svc.invalidate_worker = lambda name, qualifier=None, **scope: own_invalidate(name, **scope)

app.main()
