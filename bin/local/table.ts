import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { longRequests, shortRequests } from '../../lib/store/connections.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { table } from '../../lib/store/table.ts';
import { StartFailure } from './failure.ts';

/** The table as the stack makes it, in DynamoDB's own terms. */
export function tableDefinition(tableName: string): CreateTableCommandInput {
  const indexes = Object.values(table.indexes);
  const attributes = [table, ...indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...new Set(attributes)].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keySchema(table),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection:
        index.projected.length > 0
          ? { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.projected] }
          : { ProjectionType: 'KEYS_ONLY' },
    })),
  };
}

/** The table, made where it is absent. @throws StartFailure where the endpoint does not answer, or not as DynamoDB. */
export async function openTable(endpoint: string, tableName: string) {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1, requestHandler: shortRequests });
  const maker = new DynamoDBClient({ endpoint, maxAttempts: 1, requestHandler: longRequests });
  await ensureTable(maker, tableName).catch((error: Error & { code?: string }) => {
    throw new StartFailure(`The database at ${endpoint} does not take the table (${error.code ?? error.name}).`);
  });
  return {
    database: new DynamoDatabase({ tableName, client }),
    /** Does its best: at a stop, the engine may be gone already. */
    drop: async () => {
      await maker.send(new DeleteTableCommand({ TableName: tableName })).catch(() => {});
    },
  };
}

/** Makes the table where it is absent, and the indexes that one of an earlier day lacks. */
export async function ensureTable(client: DynamoDBClient, tableName: string): Promise<void> {
  try {
    await client.send(new CreateTableCommand(tableDefinition(tableName)));
  } catch (error) {
    if (error instanceof ResourceInUseException) return addIndexes(client, tableName);
    throw error;
  }
  const expiry = { AttributeName: table.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: expiry }));
}

async function addIndexes(client: DynamoDBClient, tableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  const present = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const { AttributeDefinitions, GlobalSecondaryIndexes = [] } = tableDefinition(tableName);
  // DynamoDB takes one new index at a time.
  for (const index of GlobalSecondaryIndexes.filter(({ IndexName }) => !present.has(IndexName))) {
    const changes = [{ Create: index }];
    await client.send(
      new UpdateTableCommand({ TableName: tableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: changes }),
    );
  }
}

const keySchema = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];
