import type {
  BatchExecuteStatementCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Expectation, QueryInput, Upsert, Write } from './database.ts';
import type { Key } from './keys.ts';
import { table } from './table.ts';

/** Translates calls of the `Database` into DynamoDB requests; `dynamodb.ts` sends them. */

/** The attributes of the key alone: callers may pass a whole item. */
export const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

export function queryOf(tableName: string, input: QueryInput): QueryCommandInput {
  const index = input.index ? table.indexes[input.index] : undefined;
  const names: Record<string, string> = { '#pk': index?.partitionKey ?? table.partitionKey };
  const values: Record<string, string> = { ':pk': input.pk };
  const conditions = ['#pk = :pk'];
  const range = sortCondition(input);
  if (range) {
    names['#sk'] = index?.sortKey ?? table.sortKey;
    conditions.push(range.expression);
    Object.assign(values, range.values);
  }
  if (input.rowContains !== undefined) {
    names['#row'] = 'row';
    values[':row'] = input.rowContains;
  }
  return {
    TableName: tableName,
    KeyConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ...(index ? { IndexName: index.name } : { ConsistentRead: !input.eventually }),
    ...(input.rowContains === undefined ? {} : { FilterExpression: 'contains(#row, :row)' }),
    ...(input.limit === undefined ? {} : { Limit: input.limit }),
    ...(input.descending ? { ScanIndexForward: false } : {}),
  };
}

/** True if a page ended at the upper bound, so nothing is left to read. DynamoDB rejects bounds in the wrong order. */
export const isPastItsEnd = ({ after, to, descending }: QueryInput): boolean =>
  after !== undefined && to !== undefined && !descending && Buffer.compare(Buffer.from(after), Buffer.from(to)) >= 0;

/**
 * DynamoDB allows one condition on the sort key, so `after` is combined with the other bounds here. It rejects an empty
 * string, and no sort key is empty: an empty lower bound is none.
 */
function sortCondition(input: QueryInput): { expression: string; values: Record<string, string> } | undefined {
  const [from, prefix, after] = [input.from, input.prefix, input.after].map((bound) => bound || undefined);
  const { to } = input;
  if (after !== undefined) {
    if (input.descending) return { expression: '#sk < :after', values: { ':after': after } };
    const top = to ?? (prefix === undefined ? undefined : `${prefix}\u{10ffff}`);
    // BETWEEN includes its ends. The smallest string after `after` is `after` followed by NUL.
    if (top !== undefined) {
      return { expression: '#sk BETWEEN :after AND :to', values: { ':after': `${after}\u0000`, ':to': top } };
    }
    return { expression: '#sk > :after', values: { ':after': after } };
  }
  if (prefix !== undefined) return { expression: 'begins_with(#sk, :prefix)', values: { ':prefix': prefix } };
  if (from !== undefined && to !== undefined) {
    return { expression: '#sk BETWEEN :from AND :to', values: { ':from': from, ':to': to } };
  }
  if (from !== undefined) return { expression: '#sk >= :from', values: { ':from': from } };
  if (to !== undefined) return { expression: '#sk <= :to', values: { ':to': to } };
  return undefined;
}

type Statement = NonNullable<BatchExecuteStatementCommandInput['Statements']>[number];
type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Update = Extract<Write, { kind: 'update' }>;
type Conditional = { key: Key; expect: Expectation };
type Add = Extract<Write, { kind: 'add' }>;

/** One write as a PartiQL statement. A batch holds 25 independent conditional writes, at the price of single writes. */
export function statementOf(tableName: string, write: Upsert): Statement {
  if (write.kind === 'insert') {
    const entries = Object.entries(write.item).filter(([, value]) => value !== undefined);
    return {
      Statement: `INSERT INTO "${tableName}" VALUE {${entries.map(([name]) => `'${name}':?`).join(',')}}`,
      Parameters: entries.map(([, value]) => value),
    };
  }
  const { clauses, values } = expectationOf(write.expect);
  const where = [`"pk"=?`, `"sk"=?`, ...clauses].join(' AND ');
  const sets = Object.entries(write.set).filter(([, value]) => value !== undefined);
  const changes = [
    ...(sets.length > 0 ? [`SET ${sets.map(([name]) => `"${name}"=?`).join(', ')}`] : []),
    ...removedBy(write).map((name) => `REMOVE "${name}"`),
  ];
  return {
    Statement: `UPDATE "${tableName}" ${changes.join(' ')} WHERE ${where}`,
    Parameters: [...sets.map(([, value]) => value), write.key.pk, write.key.sk, ...values],
  };
}

const removedBy = ({ set }: Update): string[] => Object.keys(set).filter((name) => set[name] === undefined);

/**
 * True for an update that removes two or more attributes. DynamoDB wants a REMOVE clause for each attribute, the
 * embedded engine one clause with a list, and neither accepts the other form. Such writes are rare, so each is sent as
 * UpdateItem.
 */
export const needsUpdateItem = (write: Upsert): write is Update =>
  write.kind === 'update' && removedBy(write).length > 1;

function expectationOf(expect: Expectation) {
  const entries = Object.entries(expect);
  return {
    clauses: entries.map(([name, value]) => (value === undefined ? `"${name}" IS MISSING` : `"${name}"=?`)),
    values: entries.filter(([, value]) => value !== undefined).map(([, value]) => value),
  };
}

export function transactionItemOf(tableName: string, write: Write): TransactionItem {
  if (write.kind === 'insert') {
    return {
      Put: { TableName: tableName, Item: write.item, ConditionExpression: 'attribute_not_exists(pk)' },
    };
  }
  if (write.kind === 'put') return { Put: { TableName: tableName, Item: { ...write.set, ...write.key } } };
  if (write.kind === 'add') return { Update: additionOf(tableName, write) };
  if (write.kind === 'update') return { Update: updateOf(tableName, write) };
  if (write.kind === 'absent') {
    const absent = { TableName: tableName, Key: keyOf(write.key), ConditionExpression: 'attribute_not_exists(pk)' };
    return { ConditionCheck: absent };
  }
  if (write.kind === 'check') return { ConditionCheck: conditionalOf(tableName, write) };
  const { key, expect } = write;
  return { Delete: expect ? conditionalOf(tableName, { key, expect }) : { TableName: tableName, Key: keyOf(key) } };
}

function additionOf(tableName: string, { key, add, only }: Add) {
  const entries = Object.entries(add);
  const { condition, names, values } = only ? conditionOf(only.expect, only.atMost) : none;
  return {
    TableName: tableName,
    Key: keyOf(key),
    UpdateExpression: `ADD ${entries.map((_, position) => `#a${position} :a${position}`).join(', ')}`,
    ...(condition === undefined ? {} : { ConditionExpression: condition }),
    ExpressionAttributeNames: {
      ...names,
      ...Object.fromEntries(entries.map(([name], position) => [`#a${position}`, name])),
    },
    ExpressionAttributeValues: {
      ...values,
      ...Object.fromEntries(entries.map(([, value], position) => [`:a${position}`, value])),
    },
  };
}

const none = { condition: undefined, names: {}, values: {} };

function conditionalOf(tableName: string, { key, expect }: Conditional) {
  const { condition, names, values } = conditionOf(expect);
  return { TableName: tableName, Key: keyOf(key), ConditionExpression: condition, ...nonEmpty(names, values) };
}

/** An update with DynamoDB's expressions, alone or as a part of a transaction. */
export function updateOf(
  tableName: string,
  { key, set, expect }: Update,
): UpdateCommandInput & { UpdateExpression: string } {
  const { condition, names, values } = conditionOf(expect);
  const sets: string[] = [];
  const removes: string[] = [];
  for (const [position, [name, value]] of Object.entries(set).entries()) {
    names[`#s${position}`] = name;
    if (value === undefined) removes.push(`#s${position}`);
    else {
      values[`:s${position}`] = value;
      sets.push(`#s${position} = :s${position}`);
    }
  }
  const expression = [
    ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
  ].join(' ');
  return {
    TableName: tableName,
    Key: keyOf(key),
    UpdateExpression: expression,
    ConditionExpression: condition,
    ...nonEmpty(names, values),
  };
}

/** The condition that the item exists and meets the expectation, and that these numbers are at most so. */
function conditionOf(expect: Expectation, atMost: Readonly<Record<string, number>> = {}) {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const conditions = ['attribute_exists(pk)'];
  for (const [position, [name, value]] of Object.entries(expect).entries()) {
    names[`#e${position}`] = name;
    if (value === undefined) conditions.push(`attribute_not_exists(#e${position})`);
    else {
      values[`:e${position}`] = value;
      conditions.push(`#e${position} = :e${position}`);
    }
  }
  for (const [position, [name, most]] of Object.entries(atMost).entries()) {
    names[`#m${position}`] = name;
    values[`:m${position}`] = most;
    conditions.push(`#m${position} <= :m${position}`);
  }
  return { condition: conditions.join(' AND '), names, values };
}

const nonEmpty = (names: Record<string, string>, values: Record<string, unknown>) => ({
  ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
  ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
});
