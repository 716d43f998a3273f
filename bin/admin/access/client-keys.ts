import { createPublicKey, type KeyObject } from 'node:crypto';
import { type ClientKey, clientJwks } from '../../../lib/domain/access/client-key.ts';
import { type ErrorDetail, pointer, validationFailed } from '../../../lib/domain/values/problem.ts';

const minModulusBits = 2048;

/**
 * Returns the keys of a JSON Web Key Set that an administrator registers for a client.
 * @throws Problem `validation_failed` with the errors of all keys
 */
export function clientKeysOf(document: unknown): ClientKey[] {
  const { data, error } = clientJwks.safeParse(document);
  if (error) throw validationFailed(error.issues.map(({ path, message }) => ({ path: pointer(path), message })));
  const errors = data.keys.flatMap((key, index): ErrorDetail[] => {
    const message = errorOf(key);
    return message === undefined ? [] : [{ path: `/keys/${index}`, message }];
  });
  if (errors.length > 0) throw validationFailed(errors);
  return data.keys;
}

/** Errors that the schema cannot find: only an import of the key shows if its parameters match. */
function errorOf(jwk: ClientKey): string | undefined {
  const key = importedKey(jwk);
  if (!key) return 'is not a valid key: its parameters do not match';
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (jwk.kty === 'EC') return undefined;
  if (modulusLength < minModulusBits) return `must have at least ${minModulusBits.toLocaleString('en')} bits`;
  const isValid = publicExponent > 1n && publicExponent % 2n === 1n;
  return isValid ? undefined : 'must have an odd exponent of 3 or more';
}

function importedKey(jwk: ClientKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
