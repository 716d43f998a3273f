import type { HttpResponse } from '@smithy/core/protocols';
import { shortRequests } from './connections.ts';
import {
  type Access,
  AwsError,
  bytesOf,
  domainIn,
  metadataOf,
  type SendOptions,
  SignedRequests,
} from './signed-requests.ts';

/** The input and the output of each operation of a service. */
type Operations = Record<string, [input: object, output: object]>;

export type JsonService = {
  name: string;
  /** The name of its API in the header of each request. */
  target: string;
  /** The version of the JSON protocol. */
  version: '1.0' | '1.1';
  /** The operations that have no result. Their responses have no body. */
  withoutResult?: readonly string[];
};

/** Sends requests to a service that speaks the JSON protocol of AWS, once each. */
export class JsonClient<Of extends Operations> {
  readonly #requests: SignedRequests;
  readonly #url: URL;
  readonly #service: JsonService;

  constructor(service: JsonService, { endpoint, requestHandler = shortRequests, ...access }: Access) {
    this.#requests = new SignedRequests(access, requestHandler, { service: service.name, applyChecksum: false });
    this.#url = new URL(endpoint ?? `https://${service.name}.${access.region}.${domainIn(access.region)}`);
    this.#service = service;
  }

  /**
   * @throws AwsError with the name that AWS gave it; the error of the connection; SyntaxError if the response was
   * truncated
   */
  async send<K extends keyof Of & string>(operation: K, input: Of[K][0], options?: SendOptions): Promise<Of[K][1]> {
    const body = JSON.stringify(input);
    const { target, version, withoutResult } = this.#service;
    const headers = {
      'content-type': `application/x-amz-json-${version}`,
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-target': `${target}.${operation}`,
    };
    const response = await this.#requests.send({ method: 'POST', url: this.#url, headers, body }, options);
    const text = (await bytesOf(response)).toString('utf8');
    if (response.statusCode !== 200) throw errorOf(response, text);
    return JSON.parse(text === '' && withoutResult?.includes(operation) ? '{}' : text) as Of[K][1];
  }

  destroy(): void {
    this.#requests.destroy();
  }
}

function errorOf(response: HttpResponse, text: string): AwsError {
  const body = errorBody(text);
  const name = body.__type?.split('#').at(-1) ?? 'UnknownError';
  const metadata = metadataOf(response, 'x-amzn-requestid');
  return new AwsError(name, body.message ?? body.Message ?? name, metadata, body.CancellationReasons);
}

type ErrorBody = { __type?: string; message?: string; Message?: string; CancellationReasons?: { Code?: string }[] };

/** Empty if the response is not from AWS, but from something in between. */
function errorBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}
