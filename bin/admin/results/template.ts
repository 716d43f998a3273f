import { isArchived } from '../../../lib/domain/campaigns/shown-template.ts';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import { journeyUrl } from '../../../lib/domain/journeys/journey.ts';
import type { Results } from '../../../lib/domain/results/results.ts';
import type { SuppressionScope } from '../../../lib/domain/suppression/suppression.ts';
import { languageFor } from '../../../lib/domain/teams/team.ts';
import { isBlank } from '../../../lib/domain/values/fields.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { listTemplateJourneys } from '../../../lib/operations/results/list-journeys.ts';
import { type ListedResponse, listTemplateResponses, readResults } from '../../../lib/operations/results/read.ts';
import { hashOf } from '../../../lib/operations/suppression/suppress.ts';
import { loadContacts } from '../../../lib/store/contacts/contacts.ts';
import { loadSuppressions } from '../../../lib/store/suppression/suppression.ts';
import { say, writeCsv } from '../../output.ts';
import { templateIds as ids, withReaders } from '../campaigns/readers.ts';
import { writeTo } from '../document.ts';
import type { Installation } from '../installation.ts';
import { countLanguages } from '../operations/results/languages.ts';
import { oneTemplate, timeOption } from '../options.ts';
import { number, seldom, tableOf } from '../text.ts';
import { flag, noun, type Outcome, optional, required, team, verb } from '../verb.ts';
import {
  journeyLines,
  type ListedJourney,
  type Mailing,
  pageTitle,
  responseLines,
  resultLines,
  stateOf,
} from './results-csv.ts';
import { recountText, resultsText } from './results-text.ts';

/** Rows of a table for people; CSV and JSON have all. */
const shownRows = 50;

const template = required('<id or name>', 'the campaign');
const since = (says: string) => optional('<time>', `${says}: a date (its beginning in UTC) or a time`, timeOption);

export const verbs = noun('What became of a campaign: results, journeys, responses', {
  list: verb({
    does: 'List the campaigns of a team in the order of targeting, also archived ones: whom they target, and the last 7 days',
    parameters: { team },
    reads: true,
    run: async (installation, given) => {
      const readers = withReaders(installation);
      const { templates } = await readers.content.current(given.team);
      const week = lastDays(installation.now(), 7);
      const rows: ListedCampaign[] = [];
      for (const each of templates) rows.push(await listedCampaign(readers, given.team, each, week));
      const columns = {
        NAME: 'name',
        STATUS: ({ status, is_muted }: ListedCampaign) =>
          [status, is_muted ? 'muted' : null].filter(Boolean).join(', '),
        STARTED: ({ last_7_days }: ListedCampaign) => last_7_days.started,
        OPENED: ({ last_7_days }: ListedCampaign) => last_7_days.opened,
        COMPLETED: ({ last_7_days }: ListedCampaign) => last_7_days.completed,
        PAGES: 'pages',
        ID: 'id',
        TARGETED: ({ targeted }: ListedCampaign) => targeted ?? 'nobody by itself',
      } as const;
      const notes = rows.length > 0 ? `STARTED, OPENED and COMPLETED: journeys since ${week} (UTC).` : undefined;
      return { value: rows, text: tableOf(rows, columns, 'The team has no campaigns.'), notes };
    },
  }),

  results: verb({
    does: 'Show how many journeys of a campaign came how far, and what was answered',
    parameters: {
      ...{ team, template, since: since('only the days from this time') },
      csv: flag('print all numbers as CSV'),
      html: optional('<file>', 'write a page with charts, which needs no network'),
    },
    reads: true,
    run: async (installation, given) => {
      const { readers, chosen, owner } = await chosenTemplate(installation, given);
      const all = await readResults(readers, given.team, chosen.id);
      const onProgress = seldom((done: number) => say(`${number(done)} journeys counted by language`));
      const by_language = owner ? await countLanguages({ ...installation, onProgress }, chosen, owner) : [];
      const by_day = all.by_day.filter(({ date }) => date >= (given.since ?? '').slice(0, 10));
      const results = { ...all, by_language, by_day };
      const name = chosen.name ?? chosen.id;
      if (given.html !== undefined) {
        const { resultsPage } = await import('./results-page.ts');
        writeTo(given.html, resultsPage(results, { name, team: chosen.team?.name ?? '' }));
        return { value: { file: given.html, template_id: chosen.id }, text: `The page is in ${given.html}.` };
      }
      return given.csv && !given.json
        ? printed(resultLines(results))
        : { value: results, text: resultsText(results, name) };
    },
  }),

  journeys: verb({
    does: 'List the journeys of a campaign, for a mailing: unique_id, URL, email, name, language, phone, consent, suppression',
    parameters: {
      ...{ team, template, since: since('only journeys that were updated at this time or later') },
      csv: flag('print all journeys as CSV'),
      all: flag('also list people who have opted out of email, or whose address is on the suppression list'),
    },
    ids,
    run: async (installation, given) => {
      const { readers, chosen, owner } = await chosenTemplate(installation, given);
      const language = owner ? languageFor(chosen, owner) : null;
      const pages = pagesOf(async (cursor) => {
        const sent = cursor === undefined ? { template_id: chosen.id, updated_since: given.since } : { cursor };
        const page = await listTemplateJourneys(readers, given.team, sent);
        const ids = page.journeys.map(({ contact }) => contact.id);
        const contacts = await loadContacts(installation.database, given.team, ids);
        const listed = await suppressedAmong(
          installation,
          given.team,
          contacts.map((each) => each?.contact.email ?? null),
        );
        const people = page.journeys.map((journey, at) => {
          const contact = contacts[at]?.contact;
          // Erased since it was listed.
          if (!contact) return undefined;
          const web_client_url = journeyUrl(installation.baseUrl, journey.slug);
          return { ...journey, web_client_url, ...mailingOf(contact, language), suppressed: listed[at] ?? null };
        });
        return { ...page, journeys: people.filter((each) => each !== undefined) };
      });
      const journeys = journeysIn(pages, given.all === true);
      const columns = {
        unique_id: ({ contact }: ListedJourney) => contact.unique_id,
        state: stateOf,
        updated_at: 'updated_at',
        web_client_url: 'web_client_url',
      } as const;
      return listed(journeys, given, journeyLines, columns, 'The campaign has no journeys.');
    },
  }),

  responses: verb({
    does: 'List what people answered in a campaign',
    parameters: {
      ...{ team, template, since: since('only responses of this time or later') },
      csv: flag('print all responses as CSV, with a column for each question'),
    },
    ids,
    run: async (installation, given) => {
      const { readers, chosen } = await chosenTemplate(installation, given);
      const pages = pagesOf((cursor) => {
        const sent = cursor === undefined ? { since: given.since } : { cursor };
        return listTemplateResponses(readers, given.team, chosen.id, sent, () => true);
      });
      const titles = new Map(chosen.template_pages.map(({ page }) => [page.id, pageTitle(page)]));
      const columns = {
        at: 'at',
        unique_id: ({ contact }: ListedResponse) => contact.unique_id,
        page: ({ page_id }: ListedResponse) => titles.get(page_id),
        block: 'block_type',
        answer: ({ answer, values }: ListedResponse) => answer ?? values.map(({ value }) => value).join(', '),
      } as const;
      const lines = (responses: AsyncIterable<ListedResponse>) => responseLines(chosen, responses);
      return listed(responsesIn(pages), given, lines, columns, 'Nobody has answered yet.');
    },
  }),

  recount: verb({
    does: 'Compare the results of campaigns with their journeys, and correct them; reads the whole table',
    parameters: { team, template: optional('<id or name>', 'only this campaign') },
    run: async (installation, given) => {
      const { recountTemplates } = await import('../operations/results/recount.ts');
      const all = (await withReaders(installation).content.current(given.team)).templates;
      const templates = given.template === undefined ? all : [oneTemplate(all, given.template)];
      const recounts = await recountTemplates(installation, given.team, templates);
      return { value: recounts, text: recountText(recounts), ids: { template_ids: templates.map(({ id }) => id) } };
    },
  }),
});

type Given = { team: string; template: string };

type ListedCampaign = Awaited<ReturnType<typeof listedCampaign>>;

/** @param week the first day of the last 7 */
async function listedCampaign(
  readers: ReturnType<typeof withReaders>,
  teamId: string,
  template: Template,
  week: string,
) {
  const { ruleText } = await import('../operations/targeting/preview.ts');
  const { id, name, is_muted, targeting_order, template_pages } = template;
  const status = isArchived(template) ? 'archived' : template.status;
  const { by_day } = await readResults(readers, teamId, id);
  const last_7_days = sumOf(by_day.filter(({ date }) => date >= week));
  const targeted = ruleText(template) ?? null;
  return { id, name, status, is_muted, targeting_order, pages: template_pages.length, targeted, last_7_days };
}

/** The first of so many days, of which today is the last. */
const lastDays = (now: number, days: number): string => timestamp(now - (days - 1) * 86_400_000).slice(0, 10);

const sumOf = (days: Results['by_day']) =>
  days.reduce(
    (sum, { created, opened, completed }) => ({
      started: sum.started + created,
      opened: sum.opened + opened,
      completed: sum.completed + completed,
    }),
    { started: 0, opened: 0, completed: 0 },
  );

/** What each of these addresses is listed for. */
async function suppressedAmong(
  installation: Installation,
  teamId: string,
  emails: readonly (string | null)[],
): Promise<(SuppressionScope | undefined)[]> {
  const suppression = await installation.suppression();
  if (!suppression) return [];
  const hashes = await Promise.all(emails.map((email) => hashOf(suppression, teamId, email)));
  const known = [...new Set(hashes.filter((hash) => hash !== undefined))];
  const entries = await loadSuppressions(installation.database, teamId, known);
  return hashes.map((hash) => {
    const entry = hash === undefined ? undefined : entries[known.indexOf(hash)];
    return entry && (entry.all ? 'all' : 'marketing');
  });
}

/** What a mailing needs of a contact. @param language of the campaign */
function mailingOf(contact: Contact, language: string | null): Omit<Mailing, 'suppressed'> {
  const { email, name_first, name_last, meta_public, phone_mobile, phone_home, phone_work } = contact;
  const { email_opted_in, email_verified, sms_opted_in, sms_verified } = contact;
  const own = meta_public?.language;
  return {
    email,
    name: [name_first, name_last].filter((part) => !isBlank(part)).join(' '),
    language: typeof own === 'string' ? own : language,
    phone: phone_mobile ?? phone_home ?? phone_work,
    ...{ email_opted_in, email_verified, sms_opted_in, sms_verified },
  };
}

async function chosenTemplate(installation: Installation, given: Given) {
  const readers = withReaders(installation);
  const { team: owner, templates } = await readers.content.current(given.team);
  const chosen = oneTemplate(templates, given.template);
  return { readers, chosen, owner };
}

async function* pagesOf<Page extends { next_cursor?: string | undefined }>(
  load: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let cursor: string | undefined; ; ) {
    const page = await load(cursor);
    yield page;
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}

/**
 * Every journey once: one that changes meanwhile is listed again.
 * @param all also those of people who have opted out
 */
export async function* journeysIn(
  pages: AsyncIterable<{ journeys: readonly ListedJourney[] }>,
  all: boolean,
): AsyncGenerator<ListedJourney> {
  const seen = new Set<string>();
  const optedOut = new Set<string>();
  for await (const { journeys } of pages) {
    for (const journey of journeys.filter(({ id }) => !seen.has(id))) {
      if (all || (journey.email_opted_in !== false && !journey.suppressed)) yield journey;
      else optedOut.add(journey.id);
    }
    for (const { id } of journeys) seen.add(id);
  }
  if (optedOut.size > 0) say(`Without ${optedOut.size} who opted out of email. With --all the list has them too.`);
}

async function* responsesIn(
  pages: AsyncIterable<{ responses: readonly ListedResponse[] }>,
): AsyncGenerator<ListedResponse> {
  for await (const { responses } of pages) yield* responses;
}

async function printed(lines: AsyncIterable<string> | Iterable<string>): Promise<undefined> {
  await writeCsv(lines);
  return undefined;
}

/** A list as CSV, as JSON, or its first rows for people. */
async function listed<Row>(
  rows: AsyncIterable<Row>,
  { csv, json }: { csv: boolean | undefined; json: boolean | undefined },
  lines: (rows: AsyncIterable<Row>) => AsyncIterable<string>,
  columns: Parameters<typeof tableOf<Row>>[1],
  none: string,
): Promise<Outcome> {
  if (json) return { value: rows };
  if (csv) return printed(lines(rows));
  const shown: Row[] = [];
  for await (const row of rows) if (shown.push(row) > shownRows) break;
  const more = `The first ${shownRows}. With --csv or --json the list has all.`;
  const text = tableOf(shown.slice(0, shownRows), columns, none);
  return { value: undefined, text, notes: shown.length > shownRows ? more : undefined };
}
