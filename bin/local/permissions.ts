import { AsyncLocalStorage } from 'node:async_hooks';
import { backgroundFunctions } from '../../lib/background.ts';
import { type GrantCheck, grantCheck, type TableAction } from '../../lib/grants.ts';
import { defaultRoute, docsRoutes, routes } from '../../lib/routes.ts';
import type { Database, Upsert, Write } from '../../lib/store/database.ts';
import type { IndexName } from '../../lib/store/table.ts';

type Running = { id: string; isGranted: GrantCheck };

const running = new AsyncLocalStorage<Running>();
const checks = new Map<string, GrantCheck>(
  [...routes, ...docsRoutes, defaultRoute, ...backgroundFunctions].map(({ id, grants }) => [id, grantCheck(grants)]),
);

/** What is called from `run` touches the table as the function of that id. */
export function asFunction<T>(id: string, run: () => T): T {
  const isGranted = checks.get(id);
  if (!isGranted) throw new Error(`there is no function ${id}`);
  return running.run({ id, isGranted }, run);
}

/** What DynamoDB answers when the policy of a function lacks something. */
class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

/**
 * Refuses a function what its deployed policy would refuse it, so that a missing grant fails here and not after the
 * deployment. Calls from elsewhere in the process pass.
 */
export const guarded = (database: Database): Database => ({
  get: async (keys) => {
    for (const { pk } of keys) demand('BatchGetItem', pk);
    return database.get(keys);
  },
  query: async (input) => {
    demand('Query', input.pk, input.index);
    return database.query(input);
  },
  write: async (writes) => {
    for (const write of writes) demand(write.kind === 'insert' ? 'PartiQLInsert' : 'PartiQLUpdate', partitionOf(write));
    return database.write(writes);
  },
  transact: async (writes) => {
    for (const write of writes) demand(transactionActions[write.kind], partitionOf(write));
    return database.transact(writes);
  },
});

const transactionActions = { insert: 'PutItem', update: 'UpdateItem', delete: 'DeleteItem' } as const;

const partitionOf = (write: Upsert | Write): string => (write.kind === 'insert' ? write.item.pk : write.key.pk);

function demand(action: TableAction, partitionKey: string, index?: IndexName): void {
  const caller = running.getStore();
  if (!caller || caller.isGranted(action, partitionKey, index)) return;
  const message = `the grants of ${caller.id} lack ${action} on ${partitionKey}${index ? ` of the index ${index}` : ''}`;
  // The function's own log names errors but not what they say.
  console.error(message);
  throw new AccessDenied(message);
}
