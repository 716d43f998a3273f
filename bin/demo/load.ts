import {
  type AccountRecord,
  type Batch,
  type ContactInput,
  chunksOf,
  contactConflicts,
  inOrder,
  type OnboardingClient,
} from '../../client/index.ts';

const callsAtOnce = 4;
/** Several hundred times as long as the import takes. */
const longestWait = 15 * 60_000;

export type Progress = (done: number, of: number) => void;

export type ContactsLoaded = { calls: number; new: number; changed: number; unchanged: number };

/** Upserts the contacts. An unchanged contact keeps its `updated_at`, so that it can be counted. */
export async function loadContacts(
  client: OnboardingClient,
  contacts: readonly ContactInput[],
  progress: Progress,
): Promise<ContactsLoaded> {
  const started = Date.now();
  const loaded = { calls: 0, new: 0, changed: 0, unchanged: 0 };
  let done = 0;
  await inOrder(chunksOf(contacts), {
    conflictsOf: ({ records }) => contactConflicts(records),
    atOnce: callsAtOnce,
    send: async ({ records }) => {
      const { new_contacts, existing_contacts } = await client.contacts.upsertMany(records);
      const unchanged = existing_contacts.filter((contact) => Date.parse(contact.updated_at) < started).length;
      loaded.calls += 1;
      loaded.new += new_contacts.length;
      loaded.unchanged += unchanged;
      loaded.changed += existing_contacts.length - unchanged;
      done += records.length;
      progress(done, contacts.length);
    },
  });
  return loaded;
}

export type Posted = { chunks: number; accepted: number };

export async function postAccounts(
  client: OnboardingClient,
  batchId: string,
  accounts: readonly AccountRecord[],
  progress: Progress,
): Promise<Posted> {
  const onProgress = ({ records }: { records: number }) => progress(records, accounts.length);
  const { chunks, records } = await client.batches.upload(accounts, { batchId, atOnce: callsAtOnce, onProgress });
  return { chunks, accepted: records };
}

/** Waits until no chunk of the batch is open. */
export const batchDone = (client: OnboardingClient, batchId: string, progress: Progress): Promise<Batch> =>
  client.batches.finished(batchId, {
    signal: AbortSignal.timeout(longestWait),
    onProgress: ({ chunks }) => progress(chunks.completed, chunks.accepted),
  });
