import { tableClient } from '../../../lib/store/aws/table-client.ts';
import type { Upsert } from '../../../lib/store/table/database.ts';
import { type Consumed, DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { answering } from '../../support/aws/connection.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests read the requests that they expect
export type Sent = { operation: string; input: Record<string, any> };
type Respond = (sent: Sent, call: number) => object;

/** A database whose connection is a function, and the requests that it got, as DynamoDB gets them. */
export function on(respond: Respond, options: { onConsumed?: (consumed: Consumed) => void } = {}) {
  const requests: Sent[] = [];
  const requestHandler = answering(async ({ headers, body }) => {
    const sent = { operation: headers['x-amz-target']!.split('.')[1]!, input: JSON.parse(body) };
    return { body: JSON.stringify(await respond(sent, requests.push(sent))) };
  });
  const client = tableClient({ region: localRegion, credentials: localCredentials, requestHandler });
  return { requests, database: new DynamoDatabase({ tableName: 'table', client, backoff: () => 0, ...options }) };
}

export const key = (sk: string) => ({ pk: 'p', sk });
export const sent = (sk: string, more = {}) => ({ pk: { S: 'p' }, sk: { S: sk }, ...more });
export const insert = (sk: string): Upsert => ({ kind: 'insert', item: key(sk) });
export const removal = (sk: string): Upsert => ({
  kind: 'update',
  key: key(sk),
  set: { a: undefined, b: undefined },
  expect: {},
});
export const named = (name: string) => Object.assign(new Error(name), { name });
export const throws = (error: Error): never => {
  throw error;
};
