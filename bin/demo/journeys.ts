import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContactInput, Journey, OnboardingClient, TemplatePage } from '../../client/index.ts';
import type { JsonObject } from '../../lib/domain/values/json.ts';
import { together } from '../../lib/store/table/together.ts';
import type { Progress } from './progress.ts';

/** People who get a journey: the maximum of one request. The brake of the campaign stops at 1,000. */
const people = 500;
const callsAtOnce = 16;
/** Milliseconds until all journeys must have started. */
const longestWait = 5 * 60_000;
/** Milliseconds without a sent message until the wait for messages ends: each goes out within 60 seconds of its turn. */
const longestPause = 90_000;
/** One person in this many opens the journey's pages. */
const visitors = 20;

type Page = TemplatePage['page'];
type Campaign = { id: string; name: string; pages: Page[]; objectives: string[] };

export type PageProgress = { page: string; condition: string | null; viewed: number; completed: number };
export type JourneysReport = {
  campaign: string;
  new: number;
  existing: number;
  /** How many of them targeting started. */
  by_rule: number;
  completely_viewed: number;
  completed: number;
  pages: PageProgress[];
};

type Sample = {
  templates: { id: string; template_messages: { id: string }[] }[];
  objectives: { id: string; key: string }[];
};
export const sample = (): Sample & JsonObject =>
  JSON.parse(readFileSync(new URL('../../examples/campaigns.json', import.meta.url), 'utf8'));

/** The first campaign of `examples/campaigns.json`, or `undefined` if the team does not have it. */
export async function findCampaign(client: OnboardingClient): Promise<Campaign | undefined> {
  const { templates, objectives } = sample();
  const template = (await client.templates.list()).find(({ id }) => id === templates[0]?.id);
  if (!template) return undefined;
  const pages = (await client.templates.pages(template.id)).map(({ page }) => page);
  const asked = pages.flatMap(({ completion_condition: condition, objective_id }) =>
    condition === 'objective' ? objectives.filter(({ id }) => id === objective_id) : [],
  );
  return { id: template.id, name: template.name ?? template.id, pages, objectives: asked.map(({ key }) => key) };
}

/**
 * Gives the first people of the bank an email address, in one request, so that the rule of the campaign holds for them
 * as soon as they have a checking account. Fields of the contacts say that every third person has met the first
 * objective and every sixth also the second.
 */
export async function addAddresses(
  client: OnboardingClient,
  campaign: Campaign,
  contacts: readonly ContactInput[],
): Promise<void> {
  const records = contacts.slice(0, people).map(({ unique_id }, place): ContactInput => {
    const met = campaign.objectives.filter((_, nth) => place % (3 * (nth + 1)) === 0);
    const done = met.map((key) => [key, '1998-06-01']);
    return { unique_id, email: `customer-${unique_id}@bank.example`, ...Object.fromEntries(done) };
  });
  await client.contacts.upsertMany(records);
}

/** Waits until targeting has started the journeys, soon after the import. */
export async function startedJourneys(
  client: OnboardingClient,
  campaign: Campaign,
  contactIds: readonly string[],
  progress: Progress,
): Promise<Journey[]> {
  const travellers = contactIds.slice(0, people);
  const end = Date.now() + longestWait;
  let done = 0;
  return together(travellers, callsAtOnce, async (contactId) => {
    for (; ; await sleep(250)) {
      const journey = await journeyOf(client, campaign, contactId);
      if (journey) {
        progress(++done, travellers.length);
        return journey;
      }
      if (Date.now() > end) throw new Error(notStarted(campaign, contactId));
    }
  });
}

const notStarted = ({ name }: Campaign, contactId: string) =>
  `contact ${contactId} has no journey of ${name} after ${longestWait / 60_000} minutes: see \`targeting status\``;

export type Invitations = { name: string | null; due: number; sent: number };

/**
 * Waits until the first message of the campaign, which is due when a journey starts, has been sent for this many
 * journeys, or until no more are sent. @returns `null` if the campaign has no such message any more
 */
export async function sentInvitations(
  client: OnboardingClient,
  { id }: Campaign,
  journeys: number,
  progress: Progress,
): Promise<Invitations | null> {
  const message = sample().templates[0]?.template_messages[0]?.id;
  let last = { sent: -1, at: 0 };
  for (; ; await sleep(500)) {
    const { messages } = await client.templates.results(id);
    const counts = messages.find(({ template_message_id }) => template_message_id === message);
    if (!counts) return null;
    const { name, due, sent } = counts;
    progress(sent, journeys);
    if (sent !== last.sent) last = { sent, at: Date.now() };
    if (sent >= journeys || Date.now() > last.at + longestPause) return { name, due, sent };
  }
}

type Travel = { client: OnboardingClient; baseUrl: string; campaign: Campaign };

/** Some people open all pages and complete them. Returns the progress of all journeys. */
export async function travel(
  { client, baseUrl, campaign }: Travel,
  { started, startedAt }: { started: readonly Journey[]; startedAt: number },
  progress: Progress,
): Promise<JourneysReport> {
  let done = 0;
  const journeys = await together([...started.entries()], callsAtOnce, async ([place, journey]) => {
    progress(++done, started.length);
    if (place % visitors !== 0 || journey.analytics_cache.is_completely_viewed) return journey;
    await visit(baseUrl, campaign, journey.slug);
    return (await journeyOf(client, campaign, journey.contact.id)) ?? journey;
  });
  return reportOf(campaign, journeys, startedAt);
}

function reportOf(campaign: Campaign, journeys: readonly Journey[], startedAt: number): JourneysReport {
  const fresh = journeys.filter(({ inserted_at }) => Date.parse(inserted_at) >= startedAt).length;
  const count = (is: (journey: Journey['analytics_cache']) => boolean) =>
    journeys.filter(({ analytics_cache }) => is(analytics_cache)).length;
  return {
    campaign: campaign.name,
    new: fresh,
    existing: journeys.length - fresh,
    by_rule: journeys.filter(({ source }) => source === 'automatic-targeting').length,
    completely_viewed: count(({ is_completely_viewed }) => is_completely_viewed),
    completed: count(({ is_completed }) => is_completed),
    pages: campaign.pages.map(({ id, navigation_title, content_name, completion_condition: condition }) => ({
      page: navigation_title ?? content_name ?? id,
      condition,
      viewed: count(({ pages_viewed }) => pages_viewed.includes(id)),
      completed: count(({ pages_completed }) => pages_completed.includes(id)),
    })),
  };
}

async function journeyOf(client: OnboardingClient, campaign: Campaign, contactId: string) {
  const journeys = await client.journeys.list(contactId);
  return journeys.find(({ template_id }) => template_id === campaign.id);
}

/** Opens every page, and completes those that a person completes on the page itself. */
async function visit(baseUrl: string, { pages }: Campaign, slug: string): Promise<void> {
  for (const { id, completion_condition } of pages) {
    await act(`${baseUrl}/j/${slug}/actions`, 'page_viewed', id);
    if (completion_condition !== 'confirm' && completion_condition !== 'action') continue;
    await act(`${baseUrl}/j/${slug}/actions`, 'page_completed', id);
  }
}

/** As the journey page does it in a browser: without a token, because the slug authorizes. */
async function act(url: string, type: 'page_viewed' | 'page_completed', page_id: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ type, page_id }) });
  if (!response.ok) throw new Error(`a request of a journey page failed with status ${response.status}`);
}
