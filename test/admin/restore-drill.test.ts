import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { drill } from '../../bin/restore-drill/drill.ts';

type StoredItem = Record<string, AttributeValue>;
const item = (sk: string, data: string): StoredItem => ({ pk: { S: 'p' }, sk: { S: sk }, data: { S: data } });
const indexes = (...names: string[]) => names.map((IndexName) => ({ IndexName }));
const described = (IndexNames: string[], TableStatus = 'ACTIVE') => ({
  Table: {
    TableStatus,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: indexes(...IndexNames),
  },
});

/** DynamoDB with a table and what a restore of it would contain. The local engine cannot restore. */
function account({ items, restored, lacks = [] }: { items: StoredItem[]; restored: StoredItem[]; lacks?: string[] }) {
  const sent: string[] = [];
  let looks = 0;
  const responses: Record<string, (input: Record<string, unknown>) => unknown> = {
    DescribeTableCommand: ({ TableName }) => {
      if (TableName === 'source') return described(['a', 'b']);
      looks += 1;
      return described(
        ['a', 'b'].filter((name) => !lacks.includes(name)),
        looks < 3 ? 'CREATING' : 'ACTIVE',
      );
    },
    RestoreTableToPointInTimeCommand: () => ({}),
    ScanCommand: ({ ExclusiveStartKey, Limit }) => {
      const from = ExclusiveStartKey ? Number((ExclusiveStartKey as StoredItem).at!.N) : 0;
      const to = from + Math.min(Number(Limit), 2);
      const next = to < restored.length ? { LastEvaluatedKey: { at: { N: String(to) } } } : {};
      return { Items: restored.slice(from, to), ...next };
    },
    BatchGetItemCommand: ({ RequestItems }) => {
      const { source } = RequestItems as { source: { Keys: StoredItem[] } };
      const wanted = new Set(source.Keys.map(({ sk }) => sk!.S));
      return { Responses: { source: items.filter(({ sk }) => wanted.has(sk!.S)) } };
    },
    DeleteTableCommand: () => ({}),
  };
  const client = {
    send: async (command: { constructor: { name: string }; input: Record<string, unknown> }) => {
      const { name } = command.constructor;
      sent.push(`${name} ${command.input.TableName ?? command.input.TargetTableName ?? ''}`.trim());
      return responses[name]!(command.input);
    },
  } as unknown as DynamoDBClient;
  return { client, sent };
}

const run = (client: DynamoDBClient, sample = 100) =>
  drill(client, { table: 'source', restoredTable: 'source-drill', sample, poll: 1 });

test('a drill compares the restored items with those of the service, and deletes the restored table', async () => {
  const items = [item('1', 'x'), item('2', 'new'), item('4', 'x')];
  const { client, sent } = account({ items, restored: [item('1', 'x'), item('2', 'old'), item('3', 'x')] });
  expect(await run(client)).toMatchObject({ sampled: 3, same: 1, changed: 2, problems: [] });
  expect(sent).toContain('RestoreTableToPointInTimeCommand source-drill');
  expect(sent.at(-1)).toBe('DeleteTableCommand source-drill');
  expect(sent.filter((each) => /^(Delete|Put|Update)/.test(each))).toEqual(['DeleteTableCommand source-drill']);
});

test('a drill compares no more items than the sample', async () => {
  const items = ['1', '2', '3', '4', '5'].map((sk) => item(sk, 'x'));
  const { client } = account({ items, restored: items });
  expect(await run(client, 3)).toMatchObject({ sampled: 3, same: 3, changed: 0 });
});

test('a drill reports a missing index and an empty table', async () => {
  const { client } = account({ items: [], restored: [], lacks: ['b'] });
  expect((await run(client)).problems).toEqual(['the index b is missing', 'it has no items']);
});

test('the restored table is deleted also if the comparison fails', async () => {
  const { client, sent } = account({ items: [], restored: [item('1', 'x')] });
  const failing = {
    send: (command: { constructor: { name: string } }) => {
      if (command.constructor.name === 'ScanCommand') return Promise.reject(new Error('throttled'));
      return client.send(command as never);
    },
  } as unknown as DynamoDBClient;
  await expect(run(failing)).rejects.toThrow('throttled');
  expect(sent.at(-1)).toBe('DeleteTableCommand source-drill');
});
