import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { secretsClient } from '../../../lib/store/aws/aws-clients.ts';
import { localCredentials, localRegion } from '../engine/engine.ts';
import { listen } from '../http/loopback.ts';

type Version = { value: string | undefined; stages: Set<string> };
type Input = {
  SecretId: string;
  ClientRequestToken: string;
  SecretString: string;
  VersionStages: string[];
  VersionStage: string;
  MoveToVersionId: string;
  RemoveFromVersionId?: string;
};

class Refusal extends Error {
  readonly type: string;
  constructor(type: string, message = type) {
    super(message);
    this.type = type;
  }
}

const notFound = "Secrets Manager can't find the specified secret";

/** A model of AWS Secrets Manager with one secret, on loopback. It supports what a rotation and the key reader need. */
export class FakeSecret {
  readonly versions = new Map<string, Version>();
  /** The operations that were called, in order. */
  readonly calls: string[] = [];
  /** The secrets that were named, in order. */
  readonly named: string[] = [];
  /** While set, every request fails as if the service were unavailable. */
  away = false;
  /** While set, every request fails with this error. */
  refusal: string | undefined;
  isDeleted = false;

  /** As it was made: without versions, calls and faults. */
  clear(): void {
    this.versions.clear();
    this.calls.length = 0;
    this.named.length = 0;
    this.away = false;
    this.refusal = undefined;
    this.isDeleted = false;
  }

  /** Prepares a rotation as Secrets Manager does before the first step. */
  begin(rotationId: string): void {
    for (const { stages } of this.versions.values()) stages.delete('AWSPENDING');
    this.versions.set(rotationId, { value: undefined, stages: new Set(['AWSPENDING']) });
  }

  answer(operation: string, input: Input): unknown {
    this.calls.push(operation);
    this.named.push(input.SecretId);
    if (this.away) throw new Refusal('InternalServiceError');
    if (this.refusal !== undefined) throw new Refusal(this.refusal);
    if (this.isDeleted) throw new Refusal('ResourceNotFoundException', `${notFound}.`);
    switch (operation) {
      case 'GetSecretValue': {
        const found = [...this.versions.values()].find(({ stages }) => stages.has(input.VersionStage));
        if (found?.value === undefined) {
          const message = `${notFound} value for staging label: ${input.VersionStage}`;
          throw new Refusal('ResourceNotFoundException', message);
        }
        return { SecretString: found.value };
      }
      case 'PutSecretValue': {
        const version = this.versions.get(input.ClientRequestToken);
        if (version?.value !== undefined && version.value !== input.SecretString) {
          throw new Refusal('ResourceExistsException');
        }
        this.versions.set(input.ClientRequestToken, {
          value: input.SecretString,
          stages: new Set(input.VersionStages),
        });
        return {};
      }
      case 'DescribeSecret': {
        const stages = [...this.versions].map(([id, version]) => [id, [...version.stages]]);
        return { VersionIdsToStages: Object.fromEntries(stages) };
      }
      case 'UpdateSecretVersionStage': {
        this.#move(input);
        return {};
      }
      default:
        throw new Refusal('InvalidRequestException');
    }
  }

  #move({ VersionStage, MoveToVersionId, RemoveFromVersionId }: Input): void {
    const holder = [...this.versions].find(([, { stages }]) => stages.has(VersionStage));
    if (holder && holder[0] !== RemoveFromVersionId) throw new Refusal('InvalidParameterException');
    if (holder && VersionStage === 'AWSCURRENT') {
      for (const { stages } of this.versions.values()) stages.delete('AWSPREVIOUS');
      holder[1].stages.add('AWSPREVIOUS');
    }
    holder?.[1].stages.delete(VersionStage);
    this.versions.get(MoveToVersionId)!.stages.add(VersionStage);
  }
}

/** A secret that is served during the tests of a file, and is empty at the start of each. */
export function servedSecret(): { secret: FakeSecret; client: () => SecretsManagerClient } {
  const secret = new FakeSecret();
  let server: Awaited<ReturnType<typeof serveSecret>>;
  beforeAll(async () => {
    server = await serveSecret(secret);
  });
  afterAll(() => server.stop());
  beforeEach(() => secret.clear());
  return { secret, client: () => server.client() };
}

/** Serves the secret, and sets the environment variables by which the functions find it. */
export async function serveSecret(
  secret: FakeSecret,
): Promise<{ client: () => SecretsManagerClient; stop: () => void }> {
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const type = { 'content-type': 'application/x-amz-json-1.1' };
    try {
      const answer = secret.answer(operation, JSON.parse(await text(request)));
      response.writeHead(200, type).end(JSON.stringify(answer));
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal('InternalServiceError');
      const body = { __type: refusal.type, message: refusal.message };
      response.writeHead(secret.away ? 500 : 400, type).end(JSON.stringify(body));
    }
  });
  const { endpoint, stop } = await listen(server);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
  const client = secretsClient({ endpoint, region: localRegion, credentials: localCredentials });
  return { client: () => client, stop };
}
