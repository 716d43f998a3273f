import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { ensureTable } from '../../bin/local/table.ts';
import { type Consumed, DynamoDatabase, type DynamoDatabaseOptions } from '../../lib/store/dynamodb.ts';
import { type Operation, TableClient } from '../../lib/store/table-client.ts';
import { statementForms } from '../store/statements/cases.ts';
import { formsOf, textsOf } from './statement-texts.ts';
import { WholeTable } from './whole-table.ts';

export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
export const localRegion = 'us-east-1';

/** A client of the run's engine for what only tests read. */
export const plainClient = (endpoint: string = inject('dynamodbEndpoint')): TableClient =>
  new TableClient({ endpoint, region: localRegion, credentials: localCredentials });

/** The SDK's client of the run's engine, to create tables and to read whole ones. */
export const engineAdministrator = (endpoint: string = inject('dynamodbEndpoint')): DynamoDBClient =>
  new DynamoDBClient({ endpoint, region: localRegion, credentials: localCredentials });

/**
 * Puts a function between a client and the engine.
 * @returns a function that removes it
 */
export function intercept(client: TableClient, around: Interceptor): () => void {
  const send = client.send;
  const next = send.bind(client) as Send;
  client.send = ((operation: Operation, input: object) =>
    around(operation, input, (changed = input) => next(operation, changed))) as TableClient['send'];
  return () => {
    client.send = send;
  };
}

type Send = (operation: Operation, input: object) => Promise<object>;
export type Interceptor = (
  operation: Operation,
  input: object,
  send: (changed?: object) => Promise<object>,
) => Promise<object>;

/** A client of the run's engine for the service. A request whose form is not in the table of statements fails the test. */
export function engineClient(endpoint?: string): TableClient {
  const client = plainClient(endpoint);
  intercept(client, async (operation, input, send) => {
    for (const text of textsOf(operation, input)) assertListed(text);
    return send();
  });
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

/** A new table on the engine that the whole run shares. `whole` reads and replaces all of it. */
export async function freshTable(options: Omit<DynamoDatabaseOptions, 'tableName' | 'client'> = {}) {
  const client = engineClient();
  const tableName = `test-${randomBytes(8).toString('hex')}`;
  await ensureTable(engineAdministrator(), tableName);
  const whole = () => new WholeTable(engineAdministrator(), tableName);
  return { client, tableName, database: new DynamoDatabase({ ...options, tableName, client }), whole };
}
