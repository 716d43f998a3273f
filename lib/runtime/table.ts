import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { shortRequests } from '../store/connections.ts';
import type { Database } from '../store/database.ts';
import { DynamoDatabase } from '../store/dynamodb.ts';
import { environment, newId, now, once, randomPause } from './base.ts';

export type Runtime = { database: Database; now(): number; newId(): string };

/** What stands between the functions and the table. */
type Guard = (database: Database) => Database;

let guard: Guard = (database) => database;

/** To be called before anything else: the local service refuses there what IAM would. */
export function guardTable(with_: Guard): void {
  guard = with_;
}

export const runtime = once((): Runtime => {
  // The database retries by itself, item by item; the SDK's own rounds on top would multiply the wait.
  const client = new DynamoDBClient({ maxAttempts: 1, requestHandler: shortRequests });
  return { database: guard(new DynamoDatabase({ tableName: environment().TABLE_NAME, client })), now, newId };
});

export const pause = randomPause(50, 1500);
