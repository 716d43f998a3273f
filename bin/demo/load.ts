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
/** Several hundred times what the import takes. */
const longestWait = 15 * 60_000;

export type Progress = (done: number, of: number) => void;

export type ContactsLoaded = { calls: number; new: number; changed: number; unchanged: number };

/** Upserts the contacts. One that existed and was not written keeps the time of its last change. */
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
      const answer = await client.contacts.upsertMany(records);
      const unchanged = answer.existing_contacts.filter((contact) => Date.parse(contact.updated_at) < started).length;
      loaded.calls += 1;
      loaded.new += answer.new_contacts.length;
      loaded.unchanged += unchanged;
      loaded.changed += answer.existing_contacts.length - unchanged;
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

/** The batch as it stands once no chunk of it is open any more. */
export const batchDone = (client: OnboardingClient, batchId: string, progress: Progress): Promise<Batch> =>
  client.batches.finished(batchId, {
    signal: AbortSignal.timeout(longestWait),
    onProgress: ({ chunks }) => progress(chunks.completed, chunks.accepted),
  });
