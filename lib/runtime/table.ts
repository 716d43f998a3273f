import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newSecret, newSlug } from '../auth/secrets.ts';
import type { ContactDependencies } from '../operations/contacts/dependencies.ts';
import { shortRequests } from '../store/connections.ts';
import { ContentCatalogue } from '../store/content.ts';
import type { Database } from '../store/database.ts';
import { DynamoDatabase } from '../store/dynamodb.ts';
import { ProductCatalogue } from '../store/products.ts';
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

/** For the functions that write contacts, or start journeys. */
export const contactDependencies = (): ContactDependencies => ({ ...runtime(), content: contents() });

/** Campaign content; what was read of it is kept with the instance. */
export const contents = once(() => new ContentCatalogue(runtime().database, now));

export const catalogue = once(() => new ProductCatalogue(runtime().database));

/** For the functions that show journeys and content, and record what was done there. */
export const journeyDependencies = () => ({
  ...runtime(),
  content: contents(),
  catalogue: catalogue(),
  baseUrl: environment().ISSUER,
});
