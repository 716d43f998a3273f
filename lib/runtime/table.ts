import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newSlug } from '../auth/secrets.ts';
import type { ContactDependencies } from '../operations/contacts/dependencies.ts';
import { shortRequests } from '../store/connections.ts';
import { ContentCatalogue } from '../store/content.ts';
import type { Database } from '../store/database.ts';
import { DynamoDatabase } from '../store/dynamodb.ts';
import { ProductCatalogue } from '../store/products.ts';
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

/** For the functions that write contacts, or start journeys. */
export const contacts = (): ContactDependencies => ({ ...runtime(), pause, newSlug, content: contents() });

export const pause = randomPause(50, 1500);

/** Campaign content; what was read of it is kept with the instance. */
export const contents = once(() => new ContentCatalogue(runtime().database, now));

export const catalogue = once(() => new ProductCatalogue(runtime().database));

/** For the functions that record what was done on pages. */
export const recording = () => ({ ...progress(), pause, baseUrl: environment().ISSUER });

/** For the functions that tell how far journeys have come. */
export const progress = () => ({ ...runtime(), content: contents(), catalogue: catalogue() });
