import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { ensureTable } from '../../bin/local/table.ts';
import { type Consumed, DynamoDatabase, type DynamoDatabaseOptions } from '../../lib/store/dynamodb.ts';
import { TableClient } from '../../lib/store/table-client.ts';
import { statementForms } from '../store/statements/cases.ts';
import { formsOf, textsOf } from './statement-texts.ts';

export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
export const localRegion = 'us-east-1';

/** A client of the run's engine for what only tests read. */
export const plainClient = (endpoint: string = inject('dynamodbEndpoint')): TableClient =>
  new TableClient({ endpoint, region: localRegion, credentials: localCredentials, maxAttempts: 1 });

/**
 * A client of the run's engine for the service. One attempt, because the database retries itself. A request whose form has no case in
 * the table of statements fails the test that sends it.
 */
export function engineClient(endpoint?: string): TableClient {
  const client = plainClient(endpoint);
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        for (const text of textsOf(commandName, args.input)) assertListed(text);
        return next(args);
      },
    { step: 'initialize', priority: 'low', name: 'listedStatements' },
  );
  return client;
}

const listed = new Set<string>();

function assertListed(text: string): void {
  if (listed.has(text)) return;
  const missing = formsOf(text).find((form) => !statementForms.has(form));
  if (missing !== undefined) throw new Error(`test/store/statements has no case of this form: ${missing}`);
  listed.add(text);
}

/**
 * True if the engine reports the consumed capacity of a batch; DynamoDB Local does not. Budgets are tested only if it
 * does. This sends a request to find out, so that no setting is needed.
 */
export async function reportsCapacity(): Promise<boolean> {
  const consumed: Consumed[] = [];
  const { database } = await freshTable({ onConsumed: (each) => consumed.push(each) });
  await database.write([{ kind: 'insert', item: { pk: 'a', sk: 'a' } }]);
  const isReported = consumed.some(({ writeUnits }) => writeUnits > 0);
  if (!isReported)
    console.warn('The engine does not report the capacity that batches consume: budgets are not tested.');
  return isReported;
}

/** A new table on the engine that the whole run shares. */
export async function freshTable(options: Omit<DynamoDatabaseOptions, 'tableName' | 'client'> = {}) {
  const client = engineClient();
  const tableName = `test-${randomBytes(8).toString('hex')}`;
  await ensureTable(client, tableName);
  return { client, tableName, database: new DynamoDatabase({ ...options, tableName, client }) };
}
