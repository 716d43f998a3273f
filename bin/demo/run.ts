import { type ContactInput, chunksOf, contactConflicts, inOrder, OnboardingClient } from '../../client/index.ts';
import { together } from '../../lib/store/together.ts';
import { differences, type HeldAccount, type StoredContact, totalsOfFiles, totalsOfService } from './compare.ts';
import type { Bank } from './files.ts';
import type { ContactsLoaded, Report, StepName } from './report.ts';

/** Several hundred times as long as the import takes. */
const longestWait = 15 * 60_000;
const writesAtOnce = 4;
const readsAtOnce = 16;

export type Service = { base_url: string; client_id: string; client_secret: string };
type Progress = (done: number, of: number) => void;

/** Loads the bank, waits until everything is applied, reads it back and compares. */
export async function runDemo(service: Service, bank: Bank): Promise<Report> {
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = service;
  const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
  // The batch id contains the time, because a pair that was accepted before would be treated as a retry.
  const batchId = `bank-${bank.fingerprint}-${new Date().toISOString()}`;
  const seconds = {} as Report['seconds'];
  const step = async <T>(name: StepName, work: (progress: Progress) => Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work(progressLine(name.replace('_', ' ')));
    } finally {
      seconds[name] = (performance.now() - started) / 1000;
      if (stderr.isTTY) stderr.write(clearLine);
    }
  };
  const contacts = await step('contacts', (progress) => loadContacts(client, bank.contacts, progress));
  const posted = await step('accounts', (progress) => {
    const onProgress = ({ records }: { records: number }) => progress(records, bank.accounts.length);
    return client.batches.upload(bank.accounts, { batchId, atOnce: writesAtOnce, onProgress });
  });
  const batch = await step('import', (progress) =>
    client.batches.finished(batchId, {
      signal: AbortSignal.timeout(longestWait),
      onProgress: ({ chunks }) => progress(chunks.completed, chunks.accepted),
    }),
  );
  const all = await step('read_contacts', (progress) => readContacts(client, progress));
  const ours = new Set(bank.contacts.map((contact) => contact.unique_id));
  const found = all.filter((contact) => ours.has(contact.unique_id));
  const accounts = await step('read_accounts', (progress) => readAccounts(client, found, progress));
  return {
    ...{ base_url: baseUrl, batch_id: batchId, contacts, batch, seconds },
    posted: { chunks: posted.chunks, accepted: posted.records },
    files: totalsOfFiles(bank),
    service: totalsOfService(found, accounts),
    other_contacts: all.length - found.length,
    differences: differences(bank, found, accounts),
  };
}

/** Upserts the contacts. An unchanged contact keeps its `updated_at`, so that it can be counted. */
async function loadContacts(
  client: OnboardingClient,
  contacts: readonly ContactInput[],
  progress: Progress,
): Promise<ContactsLoaded> {
  const started = Date.now();
  const loaded = { calls: 0, new: 0, changed: 0, unchanged: 0 };
  let done = 0;
  await inOrder(chunksOf(contacts), {
    conflictsOf: ({ records }) => contactConflicts(records),
    atOnce: writesAtOnce,
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

const noProgress: Progress = () => {};

/** All contacts of the team, page by page. */
export async function readContacts(client: OnboardingClient, progress = noProgress): Promise<StoredContact[]> {
  const contacts: StoredContact[] = [];
  for await (const contact of client.contacts.list()) {
    contacts.push(contact);
    progress(contacts.length, contacts.length);
  }
  return contacts;
}

/** The accounts of each contact, in the order of `contacts`. */
export async function readAccounts(
  client: OnboardingClient,
  contacts: readonly StoredContact[],
  progress = noProgress,
): Promise<HeldAccount[][]> {
  let done = 0;
  return together(contacts, readsAtOnce, async ({ id }) => {
    const accounts = await client.contacts.accounts(id);
    progress(++done, contacts.length);
    return accounts;
  });
}

const { stderr } = process;
const clearLine = '\r\u001b[K';

/** One line on standard error that is overwritten as work continues; nothing if standard error is no terminal. */
function progressLine(label: string): Progress {
  if (!stderr.isTTY) return noProgress;
  let shown = 0;
  return (done, of) => {
    if (Date.now() - shown < 100) return;
    shown = Date.now();
    stderr.write(`${clearLine}  ${label} ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`);
  };
}
