import { setTimeout as sleep } from 'node:timers/promises';

type Answer = { status: number; headers: Headers | Record<string, unknown> };

/** Sends again after a second, as the documentation says, what the gateway refused because of the rate of a route. */
export async function withinRate<T extends Answer>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await send();
    if (!isRefused(answer)) return answer;
    await sleep(1000);
  }
}

/** Responses of the gateway have its own id, and not that of a function. */
function isRefused({ status, headers }: Answer): boolean {
  const has = (name: string) => (headers instanceof Headers ? headers.has(name) : name in headers);
  return status === 429 && has('apigw-requestid') && !has('x-request-id');
}
