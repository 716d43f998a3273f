import { newSecret, newSlug } from '../auth/secrets.ts';
import { ProductCache } from '../store/accounts/products.ts';
import { tableClient } from '../store/aws/table-client.ts';
import type { Database } from '../store/table/database.ts';
import { DynamoDatabase } from '../store/table/dynamodb.ts';
import { credentials } from './aws.ts';
import { environment, guarded, newId, now, once, randomPause } from './base.ts';

/** The dependencies of operations: a database, the clock, random values and waits. */
export const dependenciesOn = (database: Database) => ({ database, now, newId, newSecret, newSlug, pause });

const pause = randomPause(50, 1500);

const table = guarded<Database>(
  () => new DynamoDatabase({ tableName: environment().TABLE_NAME, client: tableClient({ credentials }) }),
);
export const guardTable = table.guard;

export const runtime = once(() => dependenciesOn(table.get()));

/** The products of accounts, cached in the function instance. */
export const productCache = /* @__PURE__ */ once(() => new ProductCache(runtime().database));
