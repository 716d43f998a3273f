import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { type PrivateKey, privateKeySchema } from '../../domain/access/signing-key.ts';
import { failureOf, failWith } from '../table/errors.ts';

/** Storage of the private signing keys. Only the token function reads them; the rotation only writes. */
export interface PrivateKeys {
  /** The current key and the previous one, if they exist. @throws StoreUnavailable */
  read(): Promise<PrivateKey[]>;
  /** Stores a key that is not current yet. False if this rotation has already stored one. */
  keep(key: PrivateKey, rotationId: string): Promise<boolean>;
  /** Makes the rotation's key the current one, and the current key the previous one. */
  promote(rotationId: string): Promise<void>;
}

/** @param location ARN of a secret, or a `file:` URL for the local service. */
export const privateKeysAt = (location: string, secrets: () => SecretsManagerClient): PrivateKeys =>
  location.startsWith('file:') ? new KeyFile(location) : new KeySecret(location, secrets());

/** One secret of AWS Secrets Manager; each version holds one key. */
class KeySecret implements PrivateKeys {
  readonly #client: SecretsManagerClient;
  readonly #arn: string;

  constructor(arn: string, client: SecretsManagerClient) {
    this.#arn = arn;
    this.#client = client;
  }

  async read(): Promise<PrivateKey[]> {
    const versions = await Promise.all([this.#version('AWSCURRENT'), this.#version('AWSPREVIOUS')]);
    return versions.filter((key) => key !== undefined);
  }

  async keep(key: PrivateKey, rotationId: string): Promise<boolean> {
    try {
      const version = { ClientRequestToken: rotationId, SecretString: JSON.stringify(key) };
      const input = { SecretId: this.#arn, ...version, VersionStages: ['AWSPENDING'] };
      await this.#client.send(new PutSecretValueCommand(input));
      return true;
    } catch (error) {
      if (isNamed(error, 'ResourceExistsException')) return false;
      throw failureOf(error, 'the signing key could not be stored');
    }
  }

  async promote(rotationId: string): Promise<void> {
    await this.#promote(rotationId).catch(failWith('the new signing key could not be made current'));
  }

  async #promote(rotationId: string): Promise<void> {
    const SecretId = this.#arn;
    const { VersionIdsToStages: versions = {} } = await this.#client.send(new DescribeSecretCommand({ SecretId }));
    const current = Object.keys(versions).find((id) => versions[id]?.includes('AWSCURRENT'));
    if (current === rotationId) return;
    const move = { MoveToVersionId: rotationId, RemoveFromVersionId: current };
    await this.#client.send(new UpdateSecretVersionStageCommand({ SecretId, VersionStage: 'AWSCURRENT', ...move }));
  }

  /** `undefined` if there is no such version, or if it still has the initial text of the secret, which is not a key. */
  async #version(stage: string): Promise<PrivateKey | undefined> {
    try {
      const input = { SecretId: this.#arn, VersionStage: stage };
      const response = await this.#client.send(new GetSecretValueCommand(input));
      return keyIn(response.SecretString ?? '');
    } catch (error) {
      if (isNamed(error, 'ResourceNotFoundException') && !isSecretMissing(error)) return undefined;
      throw failureOf(error, 'the signing keys could not be read');
    }
  }
}

const fileSchema = z.array(z.object({ rotation_id: z.string(), key: privateKeySchema }));
type FileEntry = z.output<typeof fileSchema>[number];

/** A JSON file that only its owner can read. It holds the two newest keys, newest first. */
export class KeyFile implements PrivateKeys {
  readonly #path: string;

  /** @param url a `file:` URL */
  constructor(url: string) {
    this.#path = fileURLToPath(url);
  }

  async read(): Promise<PrivateKey[]> {
    return (await this.#entries()).map((entry) => entry.key);
  }

  async keep(key: PrivateKey, rotationId: string): Promise<boolean> {
    const entries = await this.#entries();
    if (entries.some((entry) => entry.rotation_id === rotationId)) return false;
    const text = JSON.stringify([{ rotation_id: rotationId, key }, ...entries].slice(0, 2));
    // Written to a temporary file that is then renamed, so that a reader sees the complete old file or the new one.
    const temporary = `${this.#path}.${randomUUID()}`;
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    await rename(temporary, this.#path);
    return true;
  }

  /** Nothing to do: the file holds both keys, each with the time from which it may be used. */
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

/** Only the error message distinguishes a secret that does not exist from a version that does not exist yet. */
const isSecretMissing = (error: Error): boolean => /can't find the specified secret\.?$/.test(error.message);

const isNamed = (error: unknown, name: string): error is Error => error instanceof Error && error.name === name;
