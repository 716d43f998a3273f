import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newSecret, newSlug } from '../auth/secrets.ts';
import { shortRequests } from '../store/connections.ts';
import type { Database } from '../store/database.ts';
import { DynamoDatabase } from '../store/dynamodb.ts';
import { environment, newId, now, once, randomPause } from './base.ts';

/** What stands between the functions and the table. */
type Guard = (database: Database) => Database;

let guard: Guard = (database) => database;

/** To be called before anything else: the local service refuses there what IAM would. */
export function guardTable(with_: Guard): void {
  guard = with_;
}

/** What operations are handed: a database, and the clock, the randomness and the waits that are not theirs. */
export const dependenciesOn = (database: Database) => ({ database, now, newId, newSecret, newSlug, pause });

const pause = randomPause(50, 1500);

export const runtime = once(() => {
  // The database retries by itself, item by item; the SDK's own rounds on top would multiply the wait.
  const client = new DynamoDBClient({ maxAttempts: 1, requestHandler: shortRequests });
  return dependenciesOn(guard(new DynamoDatabase({ tableName: environment().TABLE_NAME, client })));
});
