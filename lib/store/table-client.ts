import type {
  BatchExecuteStatementInput,
  BatchExecuteStatementOutput,
  BatchGetItemInput,
  BatchGetItemOutput,
  QueryInput,
  QueryOutput,
  ScanInput,
  ScanOutput,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
  UpdateItemInput,
  UpdateItemOutput,
} from '@aws-sdk/client-dynamodb';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4, type SignatureV4Init } from '@smithy/signature-v4';
import { shortRequests } from './connections.ts';

/** The operations of DynamoDB that the service uses, with item values as in `attribute-values.ts`. */
export type Operations = {
  BatchExecuteStatement: [BatchExecuteStatementInput, BatchExecuteStatementOutput];
  BatchGetItem: [BatchGetItemInput, BatchGetItemOutput];
  Query: [QueryInput, QueryOutput];
  Scan: [ScanInput, ScanOutput];
  TransactWriteItems: [TransactWriteItemsInput, TransactWriteItemsOutput];
  UpdateItem: [UpdateItemInput, UpdateItemOutput];
};
export type Operation = keyof Operations;
export type InputOf<K extends Operation> = Operations[K][0];
export type OutputOf<K extends Operation> = Operations[K][1];

export type TableClientOptions = {
  region: string;
  credentials: SignatureV4Init['credentials'];
  /** Default: the endpoint of DynamoDB in the region. */
  endpoint?: string | undefined;
  requestHandler?: Parameters<typeof NodeHttpHandler.create>[0];
};

/**
 * Sends requests to DynamoDB, once each. It consists of the SDK's own signer and HTTP handler. The middleware of the
 * SDK's client takes as much CPU as the rest of a small request, and half of the time in which a function starts.
 */
export class TableClient {
  readonly #handler: ReturnType<typeof NodeHttpHandler.create>;
  readonly #signer: SignatureV4;
  readonly #url: URL;

  constructor({ region, credentials, endpoint, requestHandler = shortRequests }: TableClientOptions) {
    this.#handler = NodeHttpHandler.create(requestHandler);
    this.#signer = new SignatureV4({ service: 'dynamodb', region, credentials, sha256: Sha256, applyChecksum: false });
    this.#url = new URL(endpoint ?? endpointIn(region));
  }

  /**
   * @throws TableError with the name that DynamoDB gave it; the error of the connection; SyntaxError if the response was
   * truncated
   */
  async send<K extends Operation>(operation: K, input: InputOf<K>): Promise<OutputOf<K>> {
    const signed = await this.#signer.sign(this.#requestOf(operation, JSON.stringify(input)));
    const { response } = await this.#handler.handle(signed as HttpRequest);
    const text = await textOf(response);
    if (response.statusCode !== 200) throw errorOf(response, text);
    return JSON.parse(text) as OutputOf<K>;
  }

  destroy(): void {
    this.#handler.destroy?.();
  }

  #requestOf(operation: Operation, body: string): HttpRequest {
    const { protocol, hostname, port, host } = this.#url;
    return new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      path: '/',
      headers: {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${operation}`,
      },
      body,
    });
  }
}

/** An error response of DynamoDB. `message` can quote values of the request. */
export class TableError extends Error {
  readonly $metadata: { httpStatusCode: number; requestId?: string };
  /** Of a transaction that was cancelled: what each of its parts failed with. */
  readonly CancellationReasons?: { Code?: string }[];

  constructor(name: string, message: string, metadata: TableError['$metadata'], reasons?: { Code?: string }[]) {
    super(message);
    this.name = name;
    this.$metadata = metadata;
    if (reasons) this.CancellationReasons = reasons;
  }
}

function errorOf({ statusCode, headers }: HttpResponse, text: string): TableError {
  const requestId = headers['x-amzn-requestid'];
  const metadata = { httpStatusCode: statusCode, ...(requestId === undefined ? {} : { requestId }) };
  const body = errorBody(text);
  const name = body.__type?.split('#').at(-1) ?? 'UnknownError';
  return new TableError(name, body.message ?? body.Message ?? name, metadata, body.CancellationReasons);
}

type ErrorBody = { __type?: string; message?: string; Message?: string; CancellationReasons?: { Code?: string }[] };

/** Empty if the response is not from DynamoDB, but from something in between. */
function errorBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}

async function textOf({ body }: HttpResponse): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const endpointIn = (region: string): string =>
  `https://dynamodb.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
