import { AsyncLocalStorage } from 'node:async_hooks';
import { backgroundFunctions, messageFunctions } from '../../../lib/background.ts';
import {
  type FileAction,
  fileCheck,
  type Grants,
  grantCheck,
  readsImages,
  type TableAction,
} from '../../../lib/grants.ts';
import { defaultRoute, docsRoutes, routes } from '../../../lib/routes.ts';
import type { ObjectStore } from '../../../lib/store/aws/objects.ts';
import type { ImageStore } from '../../../lib/store/campaigns/images.ts';
import type { DropBoxFiles } from '../../../lib/store/drop-box/drop-box-files.ts';
import type { ErasureList } from '../../../lib/store/erasure/erasure-list.ts';
import type { SuppressionJournal } from '../../../lib/store/suppression/journal.ts';
import type { Database, Upsert, Write } from '../../../lib/store/table/database.ts';
import { needsUpdateItem } from '../../../lib/store/table/requests.ts';
import type { IndexName } from '../../../lib/store/table/table.ts';

const checksOf = ({ id, grants }: { id: string; grants: Grants }) => ({
  id,
  isGranted: grantCheck(grants),
  isGrantedFile: fileCheck(grants),
  readsImages: readsImages(grants),
  erases: grants.erases === true,
  hashes: grants.hashes === true,
  journals: grants.journals === true,
});
type Running = ReturnType<typeof checksOf>;

const running = new AsyncLocalStorage<Running>();
const checks = new Map<string, Running>(
  [...routes, ...docsRoutes, defaultRoute, ...backgroundFunctions, ...messageFunctions].map((each) => [
    each.id,
    checksOf(each),
  ]),
);

/** Within `run`, access to the table and the bucket is checked against the grants of the function with this id. */
export function asFunction<T>(id: string, run: () => T): T {
  const caller = checks.get(id);
  if (!caller) throw new Error(`there is no function ${id}`);
  return running.run(caller, run);
}

/** The error of DynamoDB if the policy of a function does not allow an action. */
class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

/**
 * Denies a function what its deployed policy would deny, so that a missing grant fails here and not after the
 * deployment. Calls from outside a function are allowed.
 */
export const restricted = (database: Database): Database => ({
  get: async (keys) => {
    for (const { pk } of keys) demandItem('BatchGetItem', pk);
    return database.get(keys);
  },
  query: async (input) => {
    demandItem('Query', input.pk, input.index);
    return database.query(input);
  },
  write: async (writes) => {
    for (const write of writes) demandItem(actionOf(write), partitionOf(write));
    return database.write(writes);
  },
  transact: async (writes, options) => {
    for (const write of writes) demandItem(transactionActions[write.kind], partitionOf(write));
    return database.transact(writes, options);
  },
});

const actionOf = (write: Upsert): TableAction => {
  if (write.kind === 'insert') return 'PartiQLInsert';
  return needsUpdateItem(write) ? 'UpdateItem' : 'PartiQLUpdate';
};
const transactionActions = {
  insert: 'PutItem',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  add: 'UpdateItem',
  check: 'ConditionCheckItem',
  absent: 'ConditionCheckItem',
} as const;

const partitionOf = (write: Upsert | Write): string => (write.kind === 'insert' ? write.item.pk : write.key.pk);

/** Checks access to the objects of the drop box in the same way. */
export const restrictedFiles = (objects: ObjectStore): ObjectStore => ({
  read: async (key, version, offset) => {
    demandFile('read', key);
    return objects.read(key, version, offset);
  },
  write: async (key, text) => {
    demandFile('write', key);
    return objects.write(key, text);
  },
  // S3 refuses this without a cause, and the store then knows nothing.
  describe: async (key, version) => {
    const { isGrantedFile } = running.getStore() ?? {};
    return isGrantedFile?.('read', key) === false ? undefined : objects.describe(key, version);
  },
  join: async (key, head, parts, length) => {
    for (const part of parts) demandFile('read', part);
    demandFile('write', key);
    return objects.join(key, head, parts, length);
  },
});

/** The same for the function that erases. */
export const restrictedDropBox = (files: DropBoxFiles): DropBoxFiles => ({
  async *list(prefix) {
    demand(({ erases }) => erases, 'to list files');
    yield* files.list(prefix);
  },
  read: async (key, version) => {
    demandFile('read', key);
    return files.read(key, version);
  },
  write: async (key, text) => {
    demandFile('write', key);
    return files.write(key, text);
  },
  remove: async (key, version) => {
    demand(({ erases }) => erases, 'to delete files');
    return files.remove(key, version);
  },
});

export const restrictedErasureList = (list: ErasureList): ErasureList => ({
  add: async (entry) => {
    demand(({ erases }) => erases, 'to add to the list of erasures');
    return list.add(entry);
  },
  async *entries() {
    demand(() => false, 'to read the list of erasures');
    yield* list.entries();
  },
});

/** The same for the journal of listed addresses, which no function reads, and for the secret of messages. */
export const restrictedJournal = (journal: SuppressionJournal): SuppressionJournal => ({
  add: async (entry) => {
    demand(({ journals }) => journals, 'to add to the journal of addresses');
    return journal.add(entry);
  },
  async *entries(teamId) {
    demand(() => false, 'to read the journal of addresses');
    yield* journal.entries(teamId);
  },
});
export const restrictedSecret =
  (read: () => Promise<string>): (() => Promise<string>) =>
  async () => {
    demand(({ hashes }) => hashes, 'to read the secret of messages');
    return read();
  };

/** The same for the images of teams, which no function writes or deletes. */
export const restrictedImages = (images: ImageStore): ImageStore => ({
  read: async (fileId) => {
    demand((caller) => caller.readsImages, 'to read images');
    return images.read(fileId);
  },
  write: async (fileId, bytes, type) => {
    demand(() => false, 'to write images');
    return images.write(fileId, bytes, type);
  },
  remove: async (fileId) => {
    demand(() => false, 'to delete images');
    return images.remove(fileId);
  },
});

function demand(isAllowed: (caller: Running) => boolean, what: string): void {
  const caller = running.getStore();
  if (!caller || isAllowed(caller)) return;
  const message = `the grants of ${caller.id} do not allow ${what}`;
  // The log of the function contains the name of an error but not its message.
  console.error(message);
  throw new AccessDenied(message);
}

function demandItem(action: TableAction, partitionKey: string, index?: IndexName): void {
  const place = index ? `${partitionKey} of the index ${index}` : partitionKey;
  demand(({ isGranted }) => isGranted(action, partitionKey, index), `${action} on ${place}`);
}

const demandFile = (action: FileAction, key: string): void =>
  demand(({ isGrantedFile }) => isGrantedFile(action, key), `to ${action} the file ${key}`);
