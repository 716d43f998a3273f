import type { PrivateKey } from '../domain/signing-key.ts';
import { loadPublicKeys } from '../store/signing-keys.ts';
import { type RotateSigningKey, rotateSigningKey } from './rotate-signing-key.ts';

export type EnsureSigningKey = RotateSigningKey & { read(): Promise<readonly PrivateKey[]>; newId(): string };

/** Makes a signing key where there is none yet whose both halves are in place: what a fresh installation lacks. */
export async function ensureSigningKey(dependencies: EnsureSigningKey): Promise<void> {
  const kept = await dependencies.read();
  const published = await loadPublicKeys(dependencies.database);
  const isWhole = kept.some(({ kid }) => published.some((key) => key.kid === kid && key.needed_until === undefined));
  if (!isWhole) await rotateSigningKey(dependencies, dependencies.newId());
}
