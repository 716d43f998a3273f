import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { type PrivateKey, privateKeySchema } from '../domain/signing-key.ts';
import { shortRequests } from './connections.ts';
import { failureOf } from './errors.ts';

/** Where the private signing keys lie. Only the token function reads it; the rotation only writes. */
export interface PrivateKeys {
  /** The current key and the one before it, so far as there are any. @throws StoreUnavailable */
  read(): Promise<PrivateKey[]>;
  /** Puts a key there, not yet in force. False if this rotation has put one there before. */
  keep(key: PrivateKey, rotationId: string): Promise<boolean>;
  /** Makes the rotation's key the current one, and the current one the one before it. */
  promote(rotationId: string): Promise<void>;
}

/** @param location ARN of a secret, or a `file:` URL on a laptop. */
export const privateKeysAt = (location: string): PrivateKeys =>
  location.startsWith('file:') ? new KeyFile(fileURLToPath(location)) : new KeySecret(location);

/** One secret of AWS Secrets Manager; each version holds one key. */
class KeySecret implements PrivateKeys {
  readonly #client = new SecretsManagerClient({ requestHandler: shortRequests });
  readonly #arn: string;

  constructor(arn: string) {
    this.#arn = arn;
  }

  async read(): Promise<PrivateKey[]> {
    const versions = await Promise.all([this.#version('AWSCURRENT'), this.#version('AWSPREVIOUS')]);
    return versions.filter((key) => key !== undefined);
  }

  async keep(key: PrivateKey, rotationId: string): Promise<boolean> {
    try {
      await this.#client.send(
        new PutSecretValueCommand({
          SecretId: this.#arn,
          ClientRequestToken: rotationId,
          SecretString: JSON.stringify(key),
          VersionStages: ['AWSPENDING'],
        }),
      );
      return true;
    } catch (error) {
      if (isNamed(error, 'ResourceExistsException')) return false;
      throw failureOf(error, 'the signing key could not be stored');
    }
  }

  async promote(rotationId: string): Promise<void> {
    try {
      await this.#promote(rotationId);
    } catch (error) {
      throw failureOf(error, 'the signing key could not be made the current one');
    }
  }

  async #promote(rotationId: string): Promise<void> {
    const { VersionIdsToStages: versions = {} } = await this.#client.send(
      new DescribeSecretCommand({ SecretId: this.#arn }),
    );
    const current = Object.keys(versions).find((id) => versions[id]?.includes('AWSCURRENT'));
    if (current === rotationId) return;
    await this.#client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: this.#arn,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: rotationId,
        ...(current === undefined ? {} : { RemoveFromVersionId: current }),
      }),
    );
  }

  /** A version that holds no key is the text that the secret was made with. */
  async #version(stage: string): Promise<PrivateKey | undefined> {
    try {
      const answer = await this.#client.send(new GetSecretValueCommand({ SecretId: this.#arn, VersionStage: stage }));
      return keyIn(answer.SecretString ?? '');
    } catch (error) {
      if (isNamed(error, 'ResourceNotFoundException') && !isSecretMissing(error)) return undefined;
      throw failureOf(error, 'the signing keys could not be read');
    }
  }
}

const fileSchema = z.array(z.object({ rotation_id: z.string(), key: privateKeySchema }));
type FileEntry = z.output<typeof fileSchema>[number];

/** A JSON file that only its owner may read: the two newest keys, newest first. */
class KeyFile implements PrivateKeys {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<PrivateKey[]> {
    return (await this.#entries()).map((entry) => entry.key);
  }

  async keep(key: PrivateKey, rotationId: string): Promise<boolean> {
    const entries = await this.#entries();
    if (entries.some((entry) => entry.rotation_id === rotationId)) return false;
    const text = JSON.stringify([{ rotation_id: rotationId, key }, ...entries].slice(0, 2));
    // Written beside it and renamed, so that a reader finds the old file or the new one, whole.
    const temporary = `${this.#path}.${randomUUID()}`;
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    await rename(temporary, this.#path);
    return true;
  }

  /** Both keys lie in the file, and the time from which one may be used stands in it. */
  async promote(): Promise<void> {}

  async #entries(): Promise<FileEntry[]> {
    try {
      return fileSchema.parse(JSON.parse(await readFile(this.#path, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

function keyIn(text: string): PrivateKey | undefined {
  try {
    return privateKeySchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Only the message tells a secret that does not exist from a version that it does not have yet. */
const isSecretMissing = (error: Error): boolean => /can't find the specified secret\.?$/.test(error.message);

const isNamed = (error: unknown, name: string): error is Error => error instanceof Error && error.name === name;
