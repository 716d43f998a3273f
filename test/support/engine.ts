import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { ensureTable } from '../../bin/local/table.ts';
import { DynamoDatabase, type DynamoDatabaseOptions } from '../../lib/store/dynamodb.ts';

export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
export const localRegion = 'us-east-1';

/** A client of the run's engine. One attempt: the database retries by itself. */
export const engineClient = (endpoint: string = inject('dynamodbEndpoint')): DynamoDBClient =>
  new DynamoDBClient({ endpoint, region: localRegion, credentials: localCredentials, maxAttempts: 1 });

/** A new table, all to itself, on the engine that the whole run shares. */
export async function freshTable(options: Omit<DynamoDatabaseOptions, 'tableName' | 'client'> = {}) {
  const client = engineClient();
  const tableName = `test-${randomBytes(8).toString('hex')}`;
  await ensureTable(client, tableName);
  return { client, tableName, database: new DynamoDatabase({ ...options, tableName, client }) };
}
