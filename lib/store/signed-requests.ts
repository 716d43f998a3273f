import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4, type SignatureV4Init } from '@smithy/signature-v4';

/** How to reach a service of AWS. */
export type Access = {
  region: string;
  credentials: SignatureV4Init['credentials'];
  /** Default: the endpoint of the service in the region. */
  endpoint?: string | undefined;
  requestHandler?: Parameters<typeof NodeHttpHandler.create>[0];
};

export type SignedRequest = Pick<HttpRequest, 'method' | 'headers' | 'body'> & {
  url: URL;
  /** Escaped. Default: `/`. */
  path?: string;
  query?: Record<string, string>;
};

export type SendOptions = { abortSignal?: AbortSignal };

type SignerOptions = Pick<SignatureV4Init, 'service' | 'applyChecksum' | 'uriEscapePath'>;

/**
 * Signs requests and sends them, once each, with the SDK's own signer and HTTP handler. The middleware of the SDK's
 * clients takes as much CPU as the rest of a small request, and half of the time in which a function starts.
 */
export class SignedRequests {
  readonly #handler: ReturnType<typeof NodeHttpHandler.create>;
  readonly #signer: SignatureV4;

  constructor(
    { region, credentials }: Pick<Access, 'region' | 'credentials'>,
    requestHandler: Access['requestHandler'],
    signing: SignerOptions,
  ) {
    this.#handler = NodeHttpHandler.create(requestHandler);
    this.#signer = new SignatureV4({ ...signing, region, credentials, sha256: Sha256 });
  }

  /** @throws the error of the connection */
  async send({ url, headers, ...given }: SignedRequest, options?: SendOptions): Promise<HttpResponse> {
    const { protocol, hostname, port, host } = url;
    const request = new HttpRequest({
      ...given,
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      headers: { host, ...headers },
    });
    const { response } = await this.#handler.handle((await this.#signer.sign(request)) as HttpRequest, options);
    return response;
  }

  destroy(): void {
    this.#handler.destroy?.();
  }
}

/** An error response of AWS. `message` can quote values of the request. */
export class AwsError extends Error {
  readonly $metadata: { httpStatusCode: number; requestId: string | undefined };
  /** Of a transaction that was cancelled: what each of its parts failed with. */
  readonly CancellationReasons: { Code?: string }[] | undefined;

  constructor(name: string, message: string, metadata: AwsError['$metadata'], reasons?: { Code?: string }[]) {
    super(message);
    this.name = name;
    this.$metadata = metadata;
    this.CancellationReasons = reasons;
  }
}

/** @param requestId the header with the id of the request */
export const metadataOf = ({ statusCode, headers }: HttpResponse, requestId: string): AwsError['$metadata'] => ({
  httpStatusCode: statusCode,
  requestId: headers[requestId],
});

export async function bytesOf({ body }: Pick<HttpResponse, 'body'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** The suffix of the host names of AWS in a region. */
export const domainIn = (region: string): string => `amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
