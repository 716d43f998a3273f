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
import { longRequests } from '../../../lib/store/aws/connections.ts';
import { tableClient } from '../../../lib/store/aws/table-client.ts';
import { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { table } from '../../../lib/store/table/table.ts';
import { localAccess } from '../functions/environment.ts';
import { StartFailure } from '../ports.ts';

/** The table of the stack, as input for DynamoDB. */
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

/** Opens the table and creates it if it is missing. @throws StartFailure if the endpoint does not work as DynamoDB */
export async function openTable(endpoint: string, tableName: string) {
  const client = tableClient({ ...localAccess, endpoint });
  const creator = new DynamoDBClient({ endpoint, maxAttempts: 1, requestHandler: longRequests });
  await ensureTable(creator, tableName).catch((error: Error & { code?: string }) => {
    throw new StartFailure(`The table cannot be created in the database at ${endpoint} (${error.code ?? error.name}).`);
  });
  const streamArn = await openStream(creator, tableName).catch((error: Error) => {
    throw new StartFailure(`The database at ${endpoint} has no stream for the table (${error.name}).`);
  });
  return {
    database: new DynamoDatabase({ tableName, client }),
    streamArn,
    /** Errors are ignored: the engine may have stopped already. */
    drop: async () => {
      await creator.send(new DeleteTableCommand({ TableName: tableName })).catch(() => {});
    },
  };
}

/** Creates the table if it is missing. */
export async function ensureTable(client: DynamoDBClient, tableName: string): Promise<void> {
  try {
    await client.send(new CreateTableCommand(tableDefinition(tableName)));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  const expiry = { AttributeName: table.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: expiry }));
}

/** Switches the stream on, unless it is on. @returns its ARN */
async function openStream(client: DynamoDBClient, tableName: string): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (Table?.StreamSpecification?.StreamEnabled) return Table.LatestStreamArn ?? '';
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  const { TableDescription } = await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }));
  return TableDescription?.LatestStreamArn ?? '';
}

const keySchema = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];
