import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, chunksOf, together } from './client.ts';
import type { JsonRecord } from './files.ts';

/** Records to a call: what the interface takes at most in one chunk. */
const recordsPerCall = 500;
const callsAtOnce = 4;
const pollMilliseconds = 200;
/** Several hundred times what the import takes. */
const longestWait = 15 * 60_000;

export type Progress = (done: number, of: number) => void;

export type ContactsLoaded = { calls: number; new: number; changed: number; unchanged: number };

type Upserted = { new_contacts: unknown[]; existing_contacts: { updated_at: string }[] };

/** Upserts the contacts. One that existed and was not written keeps the time of its last change. */
export async function loadContacts(
  client: Client,
  contacts: JsonRecord[],
  progress: Progress,
): Promise<ContactsLoaded> {
  const started = Date.now();
  const calls = chunksOf(contacts, recordsPerCall);
  const loaded = { calls: calls.length, new: 0, changed: 0, unchanged: 0 };
  let done = 0;
  await together(calls, callsAtOnce, async (chunk) => {
    const answer = await client.post<Upserted>('/v1/contacts', { contacts: chunk });
    const unchanged = answer.existing_contacts.filter((contact) => Date.parse(contact.updated_at) < started).length;
    loaded.new += answer.new_contacts.length;
    loaded.unchanged += unchanged;
    loaded.changed += answer.existing_contacts.length - unchanged;
    done += chunk.length;
    progress(done, contacts.length);
  });
  return loaded;
}

export type Posted = { chunks: number; accepted: number };

/** Posts the accounts as chunks of one batch. No record here depends on another's order, so they may overlap. */
export async function postAccounts(
  client: Client,
  batchId: string,
  accounts: JsonRecord[],
  progress: Progress,
): Promise<Posted> {
  const chunks = chunksOf(accounts, recordsPerCall);
  let accepted = 0;
  await together([...chunks.entries()], callsAtOnce, async ([chunk_index, records]) => {
    const body = { type: 'account', batch_id: batchId, chunk_index, records };
    const answer = await client.post<{ records: number }>('/v1/batches', body);
    accepted += answer.records;
    progress(accepted, accounts.length);
  });
  return { chunks: chunks.length, accepted };
}

export type BatchStatus = {
  status: 'processing' | 'completed' | 'failed';
  chunks: { accepted: number; completed: number; failed: number };
  records: { accepted: number; applied: number; unchanged: number; superseded: number; rejected: number };
};

/** The batch as it stands once no chunk of it is open any more. */
export async function batchDone(client: Client, batchId: string, progress: Progress): Promise<BatchStatus> {
  for (const end = Date.now() + longestWait; ; ) {
    const batch = await client.get<BatchStatus>(`/v1/batches/${encodeURIComponent(batchId)}`);
    progress(batch.chunks.completed, batch.chunks.accepted);
    if (batch.status !== 'processing') return batch;
    if (Date.now() > end) throw new Error(`batch ${batchId} is still in work after ${longestWait / 60_000} minutes`);
    await sleep(pollMilliseconds);
  }
}
