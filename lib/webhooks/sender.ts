import { type LookupAllOptions, lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Attempt, AttemptFailure } from '../domain/events/webhook.ts';
import { isLoopback, isPublicAddress } from './addresses.ts';
import { isLocalUrl, type UrlPolicy, urlRefusal } from './url.ts';

export type SenderOptions = UrlPolicy & {
  /** Milliseconds for the connection and the response together. */
  timeout?: number;
  /** All addresses of a name. */
  resolve?: Resolve;
};

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };

/** Sends webhooks. `close` ends all connections, which are kept between the requests. */
export type WebhookSender = { send(request: WebhookRequest): Promise<Attempt>; close(): void };

/** A response may have so many bytes, and so many milliseconds after its header. Then its connection is closed. */
const bodyLimit = { bytes: 65_536, milliseconds: 1000 };

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * A name is resolved once for each connection. If one of its addresses is not public, nothing is sent; otherwise the
 * connection is made to one of these addresses. So a name cannot change between the check and the connection. Redirects
 * are not followed. Only the status of a response is used, and the `Retry-After` of a 429 or 503.
 */
export function webhookSender({ timeout = 10_000, resolve = lookup, ...policy }: SenderOptions): WebhookSender {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  const attempt = (url: URL, { headers, body }: WebhookRequest, signal: AbortSignal): Promise<Attempt | 'stale'> => {
    const isLocal = isLocalUrl(url, policy);
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: checkedLookup(resolve, isLocal ? isLoopback : (policy.isAllowed ?? isPublicAddress)),
      signal,
    };
    const request =
      url.protocol === 'http:'
        ? httpRequest(url, { ...options, agent: agents.http })
        : httpsRequest(url, { ...options, agent: agents.https });
    return new Promise((done) => {
      let result: Attempt | 'stale' = 'connection_failed';
      request.on('response', (response) => {
        result = attemptOf(response);
        discard(response);
      });
      request.on('error', (error) => {
        if (typeof result !== 'string') return;
        result = request.reusedSocket && !signal.aborted ? 'stale' : failureOf(error);
      });
      request.on('close', () => done(result));
      request.end(body);
    });
  };
  return {
    send: async (request) => {
      if (urlRefusal(request.url, policy) !== undefined) return 'address_refused';
      const signal = AbortSignal.timeout(timeout);
      const url = new URL(request.url);
      for (;;) {
        const result = await attempt(url, request, signal);
        // The receiver had closed a connection that was kept. At the latest, a new connection gives another result.
        if (result !== 'stale') return result;
      }
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { family, hints }, callback) => {
    resolve(hostname, { family, hints, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const isRefused = addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address));
      return isRefused ? callback(new AddressRefused(), []) : callback(null, addresses);
    });
  };
}

const attemptOf = ({ statusCode, headers }: IncomingMessage): Attempt => {
  const retry_after = headers['retry-after'];
  const isPause = (statusCode === 429 || statusCode === 503) && retry_after !== undefined;
  return isPause ? { status: statusCode, retry_after } : (statusCode ?? 'invalid_response');
};

/** Reads the response to its end, so that the connection can be used again, unless it is long or slow. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), bodyLimit.milliseconds);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bodyLimit.bytes) response.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
}

/** OpenSSL's reasons why a certificate is not accepted, and Node's. */
const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

export function failureOf({ name, code = '' }: NodeJS.ErrnoException): AttemptFailure {
  if (code === 'ADDRESS_REFUSED') return 'address_refused';
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_found';
  if (code.startsWith('HPE_')) return 'invalid_response';
  return tlsCode.test(code) ? 'tls_failed' : 'connection_failed';
}
