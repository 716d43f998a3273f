import { OnboardingClient } from '../../client/index.ts';
import { differences, readAccounts, readContacts, totalsOfFiles, totalsOfService } from './compare.ts';
import type { Bank } from './files.ts';
import { findCampaign, startJourneys, travel } from './journeys.ts';
import { batchDone, loadContacts, postAccounts } from './load.ts';
import { timed } from './progress.ts';
import type { Report } from './report.ts';

export type Service = { base_url: string; client_id: string; client_secret: string };

/** Loads the bank, waits until everything is applied, reads it back and compares. */
export async function runDemo(service: Service, bank: Bank): Promise<Report> {
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = service;
  const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
  // The batch id contains the time, because a pair that was accepted before would be treated as a retry.
  const batchId = `bank-${bank.fingerprint}-${new Date().toISOString()}`;
  const startedAt = Date.now();
  const contacts = await timed('contacts', (progress) => loadContacts(client, bank.contacts, progress));
  // Journeys start before the accounts are imported; accounts complete pages also later.
  const campaign = await findCampaign(client);
  if (campaign) await startJourneys(client, campaign, bank.contacts);
  const posted = await timed('accounts', (progress) => postAccounts(client, batchId, bank.accounts, progress));
  const batch = await timed('import', (progress) => batchDone(client, batchId, progress));
  const all = await timed('reading contacts', (progress) => readContacts(client, progress));
  const ours = new Set(bank.contacts.map((contact) => contact.unique_id));
  const found = all.result.filter((contact) => ours.has(contact.unique_id));
  const accounts = await timed('reading accounts', (progress) => readAccounts(client, found, progress));
  const idOf = new Map(found.map((contact) => [contact.unique_id, contact.id]));
  const contactIds = bank.contacts.flatMap((contact) => idOf.get(contact.unique_id as string) ?? []);
  const journeys = await timed('journeys', async (progress) =>
    campaign ? travel({ client, baseUrl, campaign }, { contactIds, startedAt }, progress) : null,
  );
  return {
    base_url: baseUrl,
    batch_id: batchId,
    contacts: contacts.result,
    posted: posted.result,
    batch: batch.result,
    files: totalsOfFiles(bank),
    service: totalsOfService(found, accounts.result),
    journeys: journeys.result,
    other_contacts: all.result.length - found.length,
    differences: differences(bank, found, accounts.result),
    seconds: {
      contacts: contacts.seconds,
      accounts: posted.seconds,
      import: batch.seconds,
      read_contacts: all.seconds,
      read_accounts: accounts.seconds,
      journeys: journeys.seconds,
    },
  };
}
