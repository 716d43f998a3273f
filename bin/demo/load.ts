import { type ContactInput, chunksOf, contactConflicts, inOrder, type OnboardingClient } from '../../client/index.ts';
import type { Progress } from './progress.ts';

export const callsAtOnce = 4;

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
