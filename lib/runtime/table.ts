import { newSecret, newSlug } from '../auth/secrets.ts';
import type { Service, Settings } from '../operations/service.ts';
import { ProductCache } from '../store/accounts/products.ts';
import { tableClient } from '../store/aws/table-client.ts';
import type { Database } from '../store/table/database.ts';
import { DynamoDatabase } from '../store/table/dynamodb.ts';
import { credentials } from './aws.ts';
import { environment, guarded, newId, now, once, randomPause, wait } from './base.ts';

/** What operations get, with this table. */
export const serviceOn = (database: Database): Service => ({ database, now, newId, newSecret, newSlug, pause, wait });

const pause = randomPause(50, 1500);

const table = guarded<Database>(
  () => new DynamoDatabase({ tableName: environment().TABLE_NAME, client: tableClient({ credentials }) }),
);
export const guardTable = table.guard;

/** What operations get in a function, and the settings that some of them need. */
export const service = once((): Service & Settings => {
  const settings = environment();
  return {
    ...serviceOn(table.get()),
    baseUrl: settings.ISSUER,
    scanUnits: settings.SCAN_UNITS_PER_MINUTE,
    retentionDays: settings.AUDIT_RETENTION_DAYS,
    payloadDays: settings.PAYLOAD_RETENTION_DAYS,
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    eventEpoch: settings.EVENT_EPOCH,
  };
});

/** The products of accounts, cached in the function instance. */
export const productCache = /* @__PURE__ */ once(() => new ProductCache(service().database));
