import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '../../infra/bundle.ts';

/** The client of each service, with the commands that this service uses. */
const clients = {
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

/** The services of AWS that functions call while they handle a request or a message. */
export type AwsService = keyof typeof clients;
export const awsServices = Object.keys(clients) as AwsService[];

/** A handler that loads the clients of the services and does nothing, bundled as our functions are. */
export async function bundleBaseline(file: string, services: readonly AwsService[]): Promise<void> {
  const contents = services.map((service) => clients[service]).join('\n');
  await build({
    ...bundleOptions,
    stdin: {
      contents: `const used = []; export const handler = async () => used.length;${contents}`,
      resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
      loader: 'ts',
    },
    outfile: file,
  });
}
