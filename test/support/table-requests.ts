import type { Upsert } from '../../lib/store/database.ts';
import { type Consumed, DynamoDatabase } from '../../lib/store/dynamodb.ts';
import type { TableClient } from '../../lib/store/table-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests read the requests that they expect
export type Sent = { operation: string; input: Record<string, any> };
type Respond = (sent: Sent, call: number) => object;

/** A database whose client is a function, and the requests that it got. */
export function on(respond: Respond, options: { onConsumed?: (consumed: Consumed) => void } = {}) {
  const requests: Sent[] = [];
  const client = {
    send: async (operation: string, input: Sent['input']) => {
      const sent = { operation, input };
      requests.push(sent);
      return respond(sent, requests.length);
    },
  } as unknown as TableClient;
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
