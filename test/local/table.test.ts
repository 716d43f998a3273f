import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { ensureTable, tableDefinition } from '../../bin/local/table.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { contactKey, lookupPartition } from '../../lib/store/keys.ts';
import { engineAdministrator, engineClient } from '../support/engine.ts';

test('a table of an earlier day gets the indexes that it lacks, with what is in it', async () => {
  const administrator = engineAdministrator();
  const tableName = `old-${randomUUID()}`;
  const { AttributeDefinitions, GlobalSecondaryIndexes, ...definition } = tableDefinition(tableName);
  const old = {
    ...definition,
    AttributeDefinitions: AttributeDefinitions!.filter(({ AttributeName }) => !AttributeName!.startsWith('lookup')),
    GlobalSecondaryIndexes: GlobalSecondaryIndexes!.slice(0, 1),
  };
  await administrator.send(new CreateTableCommand(old));
  const database = new DynamoDatabase({ tableName, client: engineClient() });
  const key = contactKey('team', 'contact');
  const pk = lookupPartition(randomUUID(), 'email', 'a@example.com');
  await database.write([{ kind: 'insert', item: { ...key, lookup_3: pk } }]);

  for (let start = 0; start < 2; start++) await ensureTable(administrator, tableName);
  expect((await database.query({ pk, index: 'lookup_3' })).items).toEqual([{ ...key, lookup_3: pk }]);
});
