import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

/** Sends requests to DynamoDB with item values as in `attribute-values.ts`. */
export class TableClient extends DynamoDBClient {
  constructor(config: DynamoDBClientConfig) {
    super({ ...config, protocol: PlainJsonProtocol });
    // The SDK copies every request and response for its log, which is not used.
    this.middlewareStack.remove('loggerMiddleware');
  }
}

/**
 * The JSON of DynamoDB without a translation. The codec of the SDK looks up the schema of every value, which takes more
 * CPU than the rest of a large read.
 */
class PlainJsonCodec {
  #text = '';

  createSerializer() {
    return this;
  }

  createDeserializer() {
    return this;
  }

  setSerdeContext(): void {}

  write(_schema: unknown, input: unknown): void {
    this.#text = JSON.stringify(input);
  }

  flush(): string {
    return this.#text;
  }

  /** @throws SyntaxError if the response was truncated */
  read(_schema: unknown, { buffer, byteOffset, byteLength }: Uint8Array): unknown {
    return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
  }

  readObject(_schema: unknown, value: unknown): unknown {
    return value;
  }
}

type Settings = ConstructorParameters<typeof AwsJson1_0Protocol>[0];

class PlainJsonProtocol extends AwsJson1_0Protocol {
  constructor(settings: Settings) {
    super({ ...settings, jsonCodec: new PlainJsonCodec() as unknown as NonNullable<Settings['jsonCodec']> });
  }
}
