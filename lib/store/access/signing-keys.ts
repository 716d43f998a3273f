import { type PublicKey, publicKeySchema } from '../../domain/access/signing-key.ts';
import { all, type Database, writeOne } from '../table/database.ts';
import { signingKeyKey, signingKeysPartition } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

const publicKeyOf: (item: unknown) => PublicKey = itemReader('signing key', publicKeySchema);

/** Every key that was ever published, also those that are no longer needed: a few a year. */
export async function loadPublicKeys(database: Database): Promise<PublicKey[]> {
  const items = await all(database, { pk: signingKeysPartition });
  return items.map(publicKeyOf);
}

export async function publishKey(database: Database, key: PublicKey): Promise<boolean> {
  return writeOne(database, { kind: 'insert', item: { ...signingKeyKey(key.kid), ...key } });
}

/** Sets the time until which the key is needed. False if it is already set, or the key does not exist. */
export async function retireKey(database: Database, kid: string, neededUntil: number): Promise<boolean> {
  return writeOne(database, {
    kind: 'update',
    key: signingKeyKey(kid),
    set: { needed_until: neededUntil },
    expect: { needed_until: undefined },
  });
}
