import { setTimeout as sleep } from 'node:timers/promises';
import type { OnboardingClient } from '../client/index.ts';
import type { EventType } from '../client/types.ts';
import { chunksOf } from '../lib/store/database.ts';
import { together } from '../lib/store/together.ts';
import { importAll } from './import.ts';
import { rounded, secondsOf } from './measure.ts';
import { benchRecord } from './records.ts';

/** "New member welcome" of the sample campaigns. An account of the type `checking` completes one of its pages. */
const templateId = 'fb7d45b1-c999-45e2-a591-94482fc67b5f';
const contactsPerRequest = 100;
const callsAtOnce = 4;
const pollMilliseconds = 500;

export type EventsResult = {
  accounts: number;
  /** Seconds from the first request of the import until all accounts are applied, and until all completions are told. */
  import_seconds: number;
  told_seconds: number;
  /** Completions that were told, and those whose time is not in the import. */
  completions: number;
  wrong_times: number;
  /** Events of the whole feed, and how many a second a reader gets that begins with the oldest. */
  events: number;
  read_per_second: number;
};

/** Imports new accounts for contacts that have a journey. Each completes a page, and nobody looks. Then reads the whole feed. */
export async function benchEvents(
  client: OnboardingClient,
  accounts: number,
  say: (text: string) => void,
): Promise<EventsResult> {
  const records = Array.from({ length: accounts }, (_, n) => benchRecord(`bench-events-${n}`));
  const contacts = records.map(({ contact }) => ({
    unique_id: contact.unique_id,
    journey: { template_id: templateId },
  }));
  await together(chunksOf(contacts, contactsPerRequest), callsAtOnce, async (group) => {
    await client.contacts.upsertMany(group);
  });
  await toldOf(client, 'journey.created', accounts);
  say(`${accounts} journeys created and told`);
  const from = new Date(Date.now() - 1000).toISOString();
  const began = performance.now();
  const seconds = await secondsOf(() => importAll(client, 'bench-events', records, 'applied', 600_000));
  say(`${accounts} accounts applied`);
  const completed = await toldOf(client, 'journey.page_completed', accounts);
  const told = (performance.now() - began) / 1000;
  const to = new Date().toISOString();
  let events = 0;
  const reading = await secondsOf(async () => {
    for await (const _ of client.events.feed()) events += 1;
  });
  return {
    accounts,
    import_seconds: rounded(seconds),
    told_seconds: rounded(told),
    completions: completed.size,
    wrong_times: [...completed.values()].filter((at) => at < from || at > to).length,
    events,
    read_per_second: rounded(events / reading),
  };
}

/** Waits until so many events of this type are told, and returns the times of the events by contact. */
async function toldOf(client: OnboardingClient, type: EventType, count: number): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  const feed = client.events.feed({ types: [type] });
  for (;;) {
    for await (const { contact_id = '', at } of feed) told.set(contact_id, at);
    if (told.size >= count) return told;
    await sleep(pollMilliseconds);
  }
}

export const eventsText = (result: EventsResult): string =>
  [
    `${result.accounts.toLocaleString('en')} accounts that each complete a page by their product`,
    `  seconds until all are applied             ${result.import_seconds}`,
    `  seconds until all completions are told    ${result.told_seconds}`,
    `  completions told, with a wrong time       ${result.completions.toLocaleString('en')}, ${result.wrong_times}`,
    `  events read from the start, a second      ${result.read_per_second.toLocaleString('en')} (${result.events.toLocaleString('en')} events)`,
  ].join('\n');
