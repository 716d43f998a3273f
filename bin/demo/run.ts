import { OnboardingClient } from '../../client/index.ts';
import { count, type Screen, silence } from '../import/progress.ts';
import { differences, readAccounts, readContacts, totalsOfFiles, totalsOfService } from './compare.ts';
import type { Bank } from './files.ts';
import { addAddresses, findCampaign, sentInvitations, startedJourneys, travel } from './journeys.ts';
import { callsAtOnce, loadContacts } from './load.ts';
import { Steps } from './progress.ts';
import type { Report, StepName } from './report.ts';

/** Several hundred times as long as the import takes. */
const longestWait = 15 * 60_000;

export type Service = {
  base_url: string;
  client_id: string;
  client_secret: string;
  /** Where messages go. Without it, the run does not wait for them. */
  message_sender?: string;
};

/** Loads the bank, waits until everything is applied, reads it back and compares. */
export async function runDemo(service: Service, bank: Bank, screen: Screen = silence): Promise<Report> {
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = service;
  const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
  // The batch id contains the time, because a pair that was accepted before would be treated as a retry.
  const batchId = `bank-${bank.fingerprint}-${new Date().toISOString()}`;
  const startedAt = Date.now();
  const steps = new Steps<StepName>(screen);
  const contacts = await steps.run('contacts', `Send ${count(bank.contacts.length)} contacts`, (progress) =>
    loadContacts(client, bank.contacts, progress),
  );
  const campaign = await findCampaign(client);
  if (campaign) await addAddresses(client, campaign, bank.contacts);
  const posted = await steps.run('accounts', `Send ${count(bank.accounts.length)} account records`, (progress) => {
    const onProgress = ({ records }: { records: number }) => progress(records, bank.accounts.length);
    return client.batches.upload(bank.accounts, { batchId, atOnce: callsAtOnce, onProgress });
  });
  const batch = await steps.run('import', 'Wait until the account records are imported', (progress) =>
    client.batches.finished(batchId, {
      signal: AbortSignal.timeout(longestWait),
      onProgress: ({ chunks }) => progress(chunks.completed, chunks.accepted),
    }),
  );
  const all = await steps.run('read_contacts', 'Read all contacts', (progress) => readContacts(client, progress));
  const ours = new Set(bank.contacts.map((contact) => contact.unique_id));
  const found = all.filter((contact) => ours.has(contact.unique_id));
  const accounts = await steps.run('read_accounts', 'Read the accounts of each contact', (progress) =>
    readAccounts(client, found, progress),
  );
  const idOf = new Map(found.map((contact) => [contact.unique_id, contact.id]));
  const contactIds = bank.contacts.flatMap((contact) => idOf.get(contact.unique_id as string) ?? []);
  const started = await steps.run('journeys', 'Wait until the rule has started the journeys', async (progress) =>
    campaign ? startedJourneys(client, campaign, contactIds, progress) : [],
  );
  // Before the visits, because the invitation is not sent to those who have seen the first page.
  const invitations = await steps.run('invitations', 'Wait until the invitations are sent', async (progress) =>
    campaign && service.message_sender ? sentInvitations(client, campaign, started.length, progress) : null,
  );
  const journeys = await steps.run('visits', 'Open the pages of some journeys', async (progress) =>
    campaign ? travel({ client, baseUrl, campaign }, { started, startedAt }, progress) : null,
  );
  return {
    ...{ base_url: baseUrl, batch_id: batchId, contacts, batch, journeys, invitations, seconds: steps.seconds },
    posted: { chunks: posted.chunks, accepted: posted.records },
    files: totalsOfFiles(bank),
    service: totalsOfService(found, accounts),
    other_contacts: all.length - found.length,
    differences: differences(bank, found, accounts),
  };
}
