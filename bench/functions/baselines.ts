import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '../../infra/bundle.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The services of AWS that functions call while they handle a request or a message. */
export type Service = 'dynamodb' | 's3' | 'sqs' | 'secrets-manager';

/** The usual client of each service, with the commands that this service uses. */
const clients: Record<Service, string> = {
  dynamodb: `
    import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
    import { BatchExecuteStatementCommand, BatchGetCommand, DynamoDBDocumentClient, QueryCommand, ScanCommand,
      TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
    used.push(BatchExecuteStatementCommand, BatchGetCommand, QueryCommand, ScanCommand, TransactWriteCommand,
      UpdateCommand, () => DynamoDBDocumentClient.from(new DynamoDBClient({})));`,
  s3: `
    import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
    used.push(GetObjectCommand, PutObjectCommand, () => new S3Client({}));`,
  sqs: `
    import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
    used.push(SendMessageBatchCommand, SendMessageCommand, () => new SQSClient({}));`,
  'secrets-manager': `
    import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
    used.push(GetSecretValueCommand, () => new SecretsManagerClient({}));`,
};

/** The parts of the SDK that a function loads for requests that do not go through a client. */
const parts = `
  import { Sha256 } from '@smithy/core/checksum';
  import { HttpRequest } from '@smithy/core/protocols';
  import { NodeHttpHandler } from '@smithy/node-http-handler';
  import { SignatureV4 } from '@smithy/signature-v4';
  used.push(Sha256, HttpRequest, NodeHttpHandler, SignatureV4);`;

/**
 * A handler that loads the SDK's clients of the services, or only its signer and HTTP handler, and does nothing. It has the
 * options of our bundles without our plugins.
 */
export async function bundleBaseline(file: string, services: readonly Service[], withParts: boolean): Promise<void> {
  const contents = [...services.map((service) => clients[service]), ...(withParts ? [parts] : [])].join('\n');
  await build({
    ...bundleOptions,
    // A function would configure its clients like this. All other modules belong to them.
    alias: { '@aws-sdk/credential-provider-node': join(root, 'bench/functions/credentials.ts') },
    external: [],
    plugins: [],
    // Without our plugin, CommonJS packages call `require` for Node's modules, and ES modules have no `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    stdin: {
      contents: `const used = []; export const handler = async () => used.length;${contents}`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: file,
  });
}
