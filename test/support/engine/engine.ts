import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { ensureTable } from '../../../bin/local/storage/table.ts';
import { longRequests } from '../../../lib/store/aws/connections.ts';
import { tableClient } from '../../../lib/store/aws/table-client.ts';
import { type Consumed, DynamoDatabase, type DynamoDatabaseOptions } from '../../../lib/store/table/dynamodb.ts';
import { statementForms } from '../statements/cases.ts';
import { formsOf, textsOf } from '../statements/statement-texts.ts';
import { administratorOf, localAccess } from './local-table.ts';
import { WholeTable } from './whole-table.ts';

export const { credentials: localCredentials, region: localRegion } = localAccess;

/** A machine that stalls delays requests and connections longer than functions wait. */
export const patientRequests = { ...longRequests, connectionTimeout: longRequests.requestTimeout };

/** A client of the run's engine for what only tests read. */
export const plainClient = (endpoint: string = inject('dynamodbEndpoint')): DynamoDBDocumentClient =>
  tableClient({ ...localAccess, endpoint, requestHandler: patientRequests });

/** The SDK's client of the run's engine, to create tables and to read whole ones. */
export const engineAdministrator = (endpoint: string = inject('dynamodbEndpoint')): DynamoDBClient =>
  administratorOf(endpoint);

/**
 * Puts a function between a client and the engine.
 * @returns a function that removes it
 */
export function intercept(client: DynamoDBDocumentClient, around: Interceptor): () => void {
  const name = `intercept-${interceptors++}`;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        let response: unknown;
        const send = async (input: object = args.input) => {
          const result = await next({ ...args, input });
          response = result.response;
          return result.output;
        };
        const output = await around(commandName.replace(/Command$/, '') as Operation, args.input, send);
        return { response, output: output as never };
      },
    { step: 'initialize', name },
  );
  return () => {
    client.middlewareStack.remove(name);
  };
}

let interceptors = 0;
/** The operations that the service uses. */
export type Operation =
  | 'BatchExecuteStatement'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | 'TransactWriteItems'
  | 'UpdateItem';
export type Interceptor = (
  operation: Operation,
  input: object,
  send: (changed?: object) => Promise<object>,
) => Promise<object>;

/** A client of the run's engine for the service. A request whose form is not in the table of statements fails the test. */
export function engineClient(endpoint?: string): DynamoDBDocumentClient {
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
  if (missing !== undefined) throw new Error(`test/support/statements has no case of this form: ${missing}`);
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
