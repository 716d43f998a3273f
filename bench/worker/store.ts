import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A model of DynamoDB that responds after a fixed time, for measuring the worker. It supports only the requests that the
 * import sends, with their conditions. It runs in its own process, so that its CPU time is not counted for the worker.
 */
type Value = Record<string, unknown>;
type Item = Record<string, Value>;

const milliseconds = Number(process.env.CALL_MILLISECONDS ?? 5);
const transactionMilliseconds = Number(process.env.TRANSACTION_MILLISECONDS ?? 10);

const partitions = new Map<string, Map<string, Item>>();
const text = (value: Value | undefined): string => String(value?.S);
const find = (key: Item): Item | undefined => partitions.get(text(key.pk))?.get(text(key.sk));
const same = (a: Value | undefined, b: Value | undefined) => JSON.stringify(a) === JSON.stringify(b);

function put(item: Item): void {
  const partition = partitions.get(text(item.pk)) ?? new Map<string, Item>();
  partitions.set(text(item.pk), partition.set(text(item.sk), item));
}

function remove(key: Item): void {
  partitions.get(text(key.pk))?.delete(text(key.sk));
}

type Statement = { Statement: string; Parameters: Value[] };

function execute({ Statement: statement, Parameters: parameters }: Statement) {
  const names = [...statement.matchAll(/'([^']+)':\?/g)].map(([, name]) => name!);
  if (statement.startsWith('INSERT')) {
    const item = Object.fromEntries(names.map((name, position) => [name, parameters[position]!]));
    if (find(item)) return { Error: { Code: 'DuplicateItem' } };
    put(item);
    return {};
  }
  const [changes = '', where = ''] = statement.split(' WHERE ');
  const [sets = '', removes = ''] = (changes.split(' SET ')[1] ?? '').split(' REMOVE ');
  const setNames = [...sets.matchAll(/"([^"]+)"=\?/g)].map(([, name]) => name!);
  const rest = parameters.slice(setNames.length);
  const item = find({ pk: rest[0]!, sk: rest[1]! });
  const conditions = where.split(' AND ').slice(2);
  let used = 2;
  const holds = conditions.every((condition) => {
    const name = /"([^"]+)"/.exec(condition)?.[1] ?? '';
    return condition.endsWith('IS MISSING') ? item?.[name] === undefined : same(item?.[name], rest[used++]);
  });
  if (!item || !holds) return { Error: { Code: 'ConditionalCheckFailed' } };
  const changed = { ...item };
  for (const [position, name] of setNames.entries()) changed[name] = parameters[position]!;
  for (const [, name] of removes.matchAll(/"([^"]+)"/g)) delete changed[name!];
  put(changed);
  return {};
}

type Part = {
  Item?: Item;
  Key?: Item;
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, Value>;
};

function holds(part: Part): boolean {
  const item = find(part.Item ?? part.Key ?? {});
  return (part.ConditionExpression ?? '').split(' AND ').every((condition) => {
    if (condition === 'attribute_not_exists(pk)') return item === undefined;
    if (condition === 'attribute_exists(pk)') return item !== undefined;
    const [, missing, name, value] = /^(?:attribute_not_exists\((#\w+)\)|(#\w+) = (:\w+))$/.exec(condition) ?? [];
    if (missing) return item?.[part.ExpressionAttributeNames![missing]!] === undefined;
    if (!name || !value) throw new Error(`unknown condition ${condition}`);
    return same(item?.[part.ExpressionAttributeNames![name]!], part.ExpressionAttributeValues![value]);
  });
}

function apply(kind: string, part: Part): void {
  if (kind === 'Delete') remove(part.Key!);
  else put(kind === 'Put' ? part.Item! : updated(part));
}

function updated(part: Part): Item {
  const item = { ...find(part.Key!)! };
  const [sets = '', removes = ''] = part.UpdateExpression!.split(/ ?REMOVE /);
  for (const [, name, value] of sets.matchAll(/(#\w+) = (:\w+)/g)) {
    item[part.ExpressionAttributeNames![name!]!] = part.ExpressionAttributeValues![value!]!;
  }
  for (const [name] of removes.matchAll(/#\w+/g)) delete item[part.ExpressionAttributeNames![name]!];
  return item;
}

type Query = { ExpressionAttributeValues: Record<string, Value>; KeyConditionExpression: string; Limit?: number };

function query({ ExpressionAttributeValues: values, KeyConditionExpression: condition, Limit = 1000 }: Query) {
  const from = text(values[':from'] ?? values[':after'] ?? values[':prefix'] ?? { S: '' });
  const to = values[':to'] ? text(values[':to']) : '\uffff';
  const prefix = condition.includes('begins_with') ? from : '';
  const items = [...(partitions.get(text(values[':pk']))?.entries() ?? [])]
    .filter(([sk]) => sk >= from && sk <= to && sk.startsWith(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);
  const page = items.slice(0, Limit);
  const last = page.at(-1);
  return { Items: page, ...(last && page.length < items.length ? { LastEvaluatedKey: last } : {}) };
}

type StoreResponse = [status: number, body: unknown];
type BatchGet = { RequestItems: Record<string, { Keys: Item[] }> };
type Transaction = { TransactItems: Record<string, Part>[] };

function batchGet({ RequestItems }: BatchGet): StoreResponse {
  const found = Object.entries(RequestItems).map(([table, { Keys }]) => [
    table,
    Keys.flatMap((key) => find(key) ?? []),
  ]);
  return [200, { Responses: Object.fromEntries(found), UnprocessedKeys: {} }];
}

function transact({ TransactItems }: Transaction): StoreResponse {
  const parts = TransactItems.map((each) => Object.entries(each)[0]!);
  const verdicts = parts.map(([, part]) => holds(part));
  if (!verdicts.every(Boolean)) {
    const CancellationReasons = verdicts.map((each) => ({ Code: each ? 'None' : 'ConditionalCheckFailed' }));
    return [400, { __type: 'TransactionCanceledException', CancellationReasons }];
  }
  for (const [kind, part] of parts) apply(kind, part);
  return [200, {}];
}

/** The operations, called with the JSON of the request. */
const operations: Record<string, (body: string) => StoreResponse> = {
  BatchGetItem: (body) => batchGet(JSON.parse(body) as BatchGet),
  BatchExecuteStatement: (body) => {
    const { Statements } = JSON.parse(body) as { Statements: Statement[] };
    return [200, { Responses: Statements.map(execute) }];
  },
  Query: (body) => [200, query(JSON.parse(body) as Query)],
  TransactWriteItems: (body) => transact(JSON.parse(body) as Transaction),
};

async function respond(operation: string, body: string): Promise<StoreResponse> {
  await sleep(operation === 'TransactWriteItems' ? transactionMilliseconds : milliseconds);
  return operations[operation]?.(body) ?? [400, { __type: 'UnknownOperationException' }];
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const [status, body] = await respond(operation, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit());
