import { setTimeout as sleep } from 'node:timers/promises';

export type Service = { base_url: string; client_id: string; client_secret: string };
export type Client = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
};

/** Requests that are sent again when the service throttles or is briefly away: everything here may be repeated. */
const attempts = 5;

export async function accessToken({ base_url, client_id, client_secret }: Service): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const url = `${base_url}/oauth2/token`;
  return (await answerOf<{ access_token: string }>(() => fetch(url, { method: 'POST', body }))).access_token;
}

/** The service's interface with a token of its own. A refusal is thrown with what the service said. */
export async function connect(service: Service): Promise<Client> {
  const { base_url } = service;
  const authorization = `Bearer ${await accessToken(service)}`;
  return {
    get: (path) => answerOf(() => fetch(base_url + path, { headers: { authorization } })),
    post: (path, body) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const text = JSON.stringify(body);
      return answerOf(() => fetch(base_url + path, { method: 'POST', headers, body: text }));
    },
  };
}

async function answerOf<T>(send: () => Promise<Response>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const response = await send();
    const text = await response.text();
    if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
    const again = (response.status === 429 || response.status === 503) && attempt < attempts;
    if (!again) throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 500)}`);
    await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

/** Works on all values, so many at once, and answers in their order. */
export async function together<T, R>(
  values: readonly T[],
  atOnce: number,
  work: (value: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(values.length);
  const queue = values.entries();
  const lane = async () => {
    for (const [at, value] of queue) results[at] = await work(value);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, lane));
  return results;
}

export const chunksOf = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, n) => values.slice(n * size, (n + 1) * size));
