import { randomUUID } from 'node:crypto';
import type {
  BatchExecuteStatementCommandInput,
  BatchGetItemCommandInput,
  DynamoDBClient,
  QueryCommandInput,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { all } from '../../lib/store/database.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { engineClient, freshTable } from '../support/engine.ts';
import { statementCases } from './statements.ts';

const { client, database, tableName } = await freshTable();

let sent: string[] = [];
record(client);

/** Notes the text of each request before it is sent. */
function record({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        sent.push(...textsOf(commandName ?? '', args.input));
        return next(args);
      },
    { step: 'initialize', priority: 'low', name: 'record' },
  );
}

type Expressions = { ExpressionAttributeNames?: Record<string, string> | undefined };
type Conditional = Expressions & { UpdateExpression?: string | undefined; ConditionExpression?: string | undefined };

/** The expression with the names that its placeholders stand for, and `?` for each value. */
const readable = (expression = '', { ExpressionAttributeNames = {} }: Expressions) =>
  expression.replace(/#\w+/g, (name) => ExpressionAttributeNames[name] ?? name).replace(/:\w+/g, '?');

const written = (each: Conditional) =>
  [
    ...(each.UpdateExpression === undefined ? [] : [readable(each.UpdateExpression, each)]),
    `if ${readable(each.ConditionExpression, each)}`,
  ].join(' ');

function queryText(input: QueryCommandInput): string {
  const source = input.IndexName === undefined ? '' : ` on ${input.IndexName}`;
  return [
    `Query ${readable(input.KeyConditionExpression, input)}${source}`,
    ...(input.ConsistentRead ? ['strongly'] : []),
    ...(input.FilterExpression === undefined ? [] : [`where ${readable(input.FilterExpression, input)}`]),
    ...(input.ScanIndexForward === false ? ['descending'] : []),
    ...(input.Limit === undefined ? [] : [`limit ${input.Limit}`]),
  ].join(', ');
}

function textsOf(commandName: string, input: unknown): string[] {
  switch (commandName) {
    case 'BatchGetItemCommand': {
      const { RequestItems = {} } = input as BatchGetItemCommandInput;
      const { Keys = [], ConsistentRead } = RequestItems[tableName] ?? {};
      return [`BatchGetItem, ${Keys.length} keys${ConsistentRead ? ', strongly' : ''}`];
    }
    case 'QueryCommand':
      return [queryText(input as QueryCommandInput)];
    case 'BatchExecuteStatementCommand': {
      const { Statements = [] } = input as BatchExecuteStatementCommandInput;
      return Statements.map(({ Statement = '' }) => Statement.replace(tableName, 'table'));
    }
    case 'UpdateItemCommand':
      return [`UpdateItem ${written(input as UpdateItemCommandInput)}`];
    case 'TransactWriteItemsCommand': {
      const { TransactItems = [] } = input as TransactWriteItemsCommandInput;
      const parts = TransactItems.flatMap((item) => Object.entries(item) as [string, Conditional][]);
      return [parts.map(([kind, part]) => `${kind} ${written(part)}`).join('; ')];
    }
    default:
      return [`${commandName}, which has no row in the table`];
  }
}

test.each(statementCases)('$what', async ({ given, call, sent: expected, result, after }) => {
  const pk = `statements#${randomUUID()}`;
  await database.write(given.map((item) => ({ kind: 'insert', item: { pk, ...item } })));
  sent = [];
  expect(await call(database, pk)).toEqual(result);
  expect(sent.toSorted()).toEqual(expected.toSorted());
  if (!after) return;
  expect(await all(database, { pk })).toEqual(after.map((item) => ({ pk, ...item })));
});

test('what is read and written reaches no log of the SDK', async () => {
  const logged: unknown[] = [];
  const log = (...message: unknown[]) => void logged.push(message);
  const logging = engineClient();
  logging.config.logger = { debug: log, info: log, warn: log, error: log };
  const quiet = new DynamoDatabase({ tableName, client: logging });
  const item = { pk: `statements#${randomUUID()}`, sk: 'a' };
  expect(await quiet.write([{ kind: 'insert', item }])).toEqual([true]);
  expect(await quiet.get([item])).toEqual([item]);
  expect(logged).toEqual([]);
});
