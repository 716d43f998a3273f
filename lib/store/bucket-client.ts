import type { Readable } from 'node:stream';
import type { HttpResponse } from '@smithy/core/protocols';
import { objectRequests } from './connections.ts';
import { retried } from './retrying.ts';
import {
  type Access,
  AwsError,
  bytesOf,
  domainIn,
  metadataOf,
  type SignedRequest,
  SignedRequests,
} from './signed-requests.ts';

/** Where in which version of an object to begin. Without a version, the current one. */
export type ReadOptions = { version?: string; offset?: number };
/** A stream needs its length, which S3 requires before the body. */
export type WriteOptions = { type?: string | undefined; length?: number | undefined };

type ObjectRequest = Pick<SignedRequest, 'method'> & Partial<Pick<SignedRequest, 'query' | 'headers' | 'body'>>;

/**
 * Reads, writes and deletes single objects of one bucket of S3. A request is retried unless its body is a stream. The
 * bucket's name must not contain a dot, because it becomes a part of the host name.
 */
export class BucketClient {
  readonly #requests: SignedRequests;
  readonly #url: URL;

  constructor(bucket: string, { endpoint, requestHandler = objectRequests, ...access }: Access) {
    this.#requests = new SignedRequests(access, requestHandler, { service: 's3', uriEscapePath: false });
    const host = `https://${bucket}.s3.${access.region}.${domainIn(access.region)}`;
    // Local services and emulators have no host name for each bucket.
    this.#url = new URL(endpoint === undefined ? host : `${endpoint.replace(/\/$/, '')}/${bucket}/`);
  }

  /** The bytes of the object. @throws AwsError with the code of S3 */
  async get(key: string, { version, offset = 0 }: ReadOptions = {}): Promise<Readable> {
    const query = version === undefined ? {} : { versionId: version };
    const headers = offset > 0 ? { range: `bytes=${offset}-` } : {};
    const response = await retried(() => this.#send(key, { method: 'GET', query, headers }));
    return response.body as Readable;
  }

  /** @throws AwsError with the code of S3 */
  async put(key: string, body: string | Uint8Array | Readable, { type, length }: WriteOptions = {}): Promise<void> {
    const isStream = typeof body !== 'string' && !(body instanceof Uint8Array);
    const headers = {
      'content-length': String(isStream ? length : Buffer.byteLength(body)),
      ...(type === undefined ? {} : { 'content-type': type }),
      // S3 can refuse the request before it gets the body. Without this, the refusal would be a broken connection.
      ...(isStream ? { expect: '100-continue' } : {}),
    };
    const send = () => this.#send(key, { method: 'PUT', headers, body });
    await bytesOf(await (isStream ? send() : retried(send)));
  }

  /** Succeeds also if there is no such object. @throws AwsError with the code of S3 */
  async delete(key: string): Promise<void> {
    await bytesOf(await retried(() => this.#send(key, { method: 'DELETE' })));
  }

  destroy(): void {
    this.#requests.destroy();
  }

  async #send(key: string, { headers = {}, body, ...request }: ObjectRequest): Promise<HttpResponse> {
    const path = this.#url.pathname + key.split('/').map(escaped).join('/');
    const response = await this.#requests.send({ ...request, url: this.#url, path, headers, body });
    if (response.statusCode >= 300) throw errorOf(response, (await bytesOf(response)).toString('utf8'));
    return response;
  }
}

/** As the signature of S3 requires: everything but the unreserved characters of RFC 3986. */
const escaped = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

function errorOf(response: HttpResponse, xml: string): AwsError {
  const [name = 'UnknownError', message = name] = ['Code', 'Message'].map(
    (element) => new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1],
  );
  return new AwsError(name, message, metadataOf(response, 'x-amz-request-id'));
}
