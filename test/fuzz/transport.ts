import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { withinRate } from '../support/within-rate.ts';

export type Sent = {
  method: string;
  /** Path and query as they are sent. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: string;
};

export type Received = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

export type Transport = { send(sent: Sent): Promise<Received>; close(): void };

/** Sends requests unchanged: nothing is normalised or added, and redirects are not followed. */
export function connectTo(baseUrl: string): Transport {
  const { hostname, port, host } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  const sendOnce = ({ method, target, headers, body }: Sent) =>
    new Promise<Received>((resolve, reject) => {
      const length = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]];
      const raw = [['host', host], ...length, ...headers].flat();
      const call = request({ hostname, port, method, path: target, headers: raw, agent }, async (response) => {
        try {
          const chunks = await response.toArray();
          const bytes = Buffer.concat(chunks);
          const isCompressed = response.headers['content-encoding'] === 'gzip';
          const text = (isCompressed ? gunzipSync(bytes) : bytes).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        } catch (error) {
          reject(error);
        }
      });
      call.once('error', reject).end(body);
    });
  return { send: (sent) => withinRate(() => sendOnce(sent)), close: () => agent.destroy() };
}

const shown = 2000;

/** The request as a shell command, with secrets as shell variables. */
export function curlOf(
  baseUrl: string,
  { method, target, headers, body }: Sent,
  secrets: Record<string, string>,
): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const sent =
    body !== undefined && body.length > shown ? `${body.slice(0, shown)} … (${body.length} characters)` : body;
  const command = [
    `curl -i --path-as-is -X ${method} ${quoted(baseUrl + target)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(sent === undefined ? [] : [`--data-binary ${quoted(sent)}`]),
  ].join(' ');
  return Object.entries(secrets).reduce((text, [name, secret]) => text.replaceAll(secret, `'"$${name}"'`), command);
}
