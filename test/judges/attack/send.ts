import { request } from 'node:http';
import { withinRate } from '../../support/http/within-rate.ts';

export const form: [string, string] = ['content-type', 'application/x-www-form-urlencoded'];
export const json: [string, string] = ['content-type', 'application/json'];

export type Sent = {
  method?: string;
  /** Sent unchanged: nothing is encoded or resolved. */
  target: string;
  headers?: readonly (readonly [string, string])[];
  body?: string | Uint8Array;
};

export type Received = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** `undefined` if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: attacks read responses of any shape
  json: any;
  milliseconds: number;
};

/** Sends exactly what the attacker writes, within the rates of the gateway. */
export const sendTo = (baseUrl: string, sent: Sent): Promise<Received> => withinRate(() => sendOnce(baseUrl, sent));

/** One request, on its own connection. */
function sendOnce(baseUrl: string, { method = 'GET', target, headers = [], body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(baseUrl);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const own = headers.flat();
    const names = headers.map(([name]) => name.toLowerCase());
    const host = names.includes('host') ? [] : ['host', `${hostname}:${port}`];
    const length = body === undefined || names.includes('content-length') ? [] : lengthOf(body);
    const outgoing = request(
      { hostname, port, method, path: target, headers: [...host, ...own, ...length], agent: false, timeout: 20_000 },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const milliseconds = performance.now() - began;
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, headers, text, json: jsonOf(text), milliseconds });
        });
        incoming.on('error', reject);
      },
    );
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`no answer within 20 s: ${method} ${target.slice(0, 80)}`)),
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const lengthOf = (body: string | Uint8Array) => ['content-length', String(Buffer.byteLength(body))];

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
