import { setTimeout as sleep } from 'node:timers/promises';
import { localTable } from '../../support/engine/local-table.ts';
import { send, tokenOf } from '../../support/http/send.ts';
import { KillableService } from './killable-service.ts';

/** A local service that can be killed, with a token of its demo team. */
export async function prepareService() {
  const killable = await KillableService.prepare();
  const start = async () => {
    if (!(await killable.start())) throw new Error('the local service did not start');
  };
  await start();
  const { local } = killable;
  const counted = { requests: 0, repeats: 0 };
  const token = await tokenOf(local.base_url, { clientId: local.client_id, clientSecret: local.client_secret });

  /** Sends a request until it is done: what was lost is sent again. */
  // biome-ignore lint/suspicious/noExplicitAny: a response of any endpoint
  async function call(method: string, path: string, body?: object): Promise<any> {
    for (;;) {
      counted.requests += 1;
      const request = { body, ...(path.startsWith('/v1') && { token }) };
      const answer = await send(local.base_url, method, path, request).catch(() => undefined);
      const status = answer?.status ?? 503;
      if (status < 300) return answer!.body;
      if (status < 500 && status !== 429) {
        throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer!.body)}`);
      }
      // The gateway refuses what is above the rate of a route.
      if (status !== 429) counted.repeats += 1;
      await sleep(status === 429 ? 1000 : 200);
    }
  }

  return {
    ...{ teamId: local.team_id, call, counted },
    admin: (...args: string[]) => killable.admin(...args),
    database: localTable(local),
    killAndStart: async () => {
      await killable.kill();
      await start();
    },
    [Symbol.asyncDispose]: () => killable[Symbol.asyncDispose](),
  };
}
