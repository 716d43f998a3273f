import { newSecret, newSlug } from '../auth/secrets.ts';
import type { Database } from '../store/database.ts';
import { DynamoDatabase } from '../store/dynamodb.ts';
import { ProductCache } from '../store/products.ts';
import { tableClient } from '../store/table-client.ts';
import { credentials } from './aws.ts';
import { environment, newId, now, once, randomPause } from './base.ts';

/** Wraps the database that the functions use. */
type Guard = (database: Database) => Database;

let guard: Guard = (database) => database;

/** Call it before anything else. The local service uses it to reject the accesses that IAM would deny. */
export function guardTable(newGuard: Guard): void {
  guard = newGuard;
}

/** The dependencies of operations: a database, the clock, random values and waits. */
export const dependenciesOn = (database: Database) => ({ database, now, newId, newSecret, newSlug, pause });

const pause = randomPause(50, 1500);

export const runtime = once(() => {
  const { TABLE_NAME: tableName } = environment();
  return dependenciesOn(guard(new DynamoDatabase({ tableName, client: tableClient({ credentials }) })));
});

/** The products of accounts, cached in the function instance. */
export const productCache = /* @__PURE__ */ once(() => new ProductCache(runtime().database));
