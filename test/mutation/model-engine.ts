import { ModelTable } from '../support/model-table.ts';

/**
 * Replaces `test/support/engine.ts` for mutants of operations: the table as a map in memory. Each mutant then takes
 * milliseconds instead of seconds.
 */
export async function freshTable(options?: ConstructorParameters<typeof ModelTable>[0]) {
  const database = new ModelTable(options);
  return { database, whole: () => database.whole() };
}

/** Budgets are not tested. */
export const reportsCapacity = async () => false;

export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
export const localRegion = 'us-east-1';
