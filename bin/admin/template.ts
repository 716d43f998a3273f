import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import type { Template } from '../../lib/domain/content/template.ts';
import { journeyUrl } from '../../lib/domain/journey.ts';
import type { TemplateJourney } from '../../lib/domain/template-list-responses.ts';
import { listTemplateJourneys } from '../../lib/operations/journeys/list-of-template.ts';
import { readResults } from '../../lib/operations/results/read.ts';
import { type ListedResponse, listTemplateResponses } from '../../lib/operations/results/responses.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { ContentCache } from '../../lib/store/content.ts';
import type { Database } from '../../lib/store/database.ts';
import { ProductCache } from '../../lib/store/products.ts';
import { AdminFailure } from './failure.ts';
import type { Installation } from './installation.ts';
import { recountTemplates } from './operations/recount.ts';
import { timeOption } from './options.ts';
import { writeData } from './print-json.ts';
import { requireTeam } from './require-team.ts';
import { journeyLines, type ListedJourney, responseLines, resultLines, stateOf } from './results-csv.ts';
import { resultsPage } from './results-page.ts';
import { recountText, resultsText } from './results-text.ts';
import { tableOf } from './text.ts';
import { noIds, type Outcome, verb } from './verb.ts';

type Options = { team: string; template: string; since?: string; csv?: boolean; json?: boolean };

/** Rows of a table for people; CSV and JSON have all. */
const shownRows = 50;

export function registerTemplate(program: Command): void {
  const template = program.command('template').description('What became of a campaign: results, journeys, responses');

  verb<Options & { html?: string }>(
    withOptions(template.command('results'), 'only the days from this time')
      .description('Show how many journeys of a campaign came how far, and what was answered')
      .option('--csv', 'print all numbers as CSV')
      .option('--html <file>', 'write a page with charts, which needs no network'),
    'reads',
    async ({ database, ...installation }, { team, template: named, since, csv, html }) => {
      const dependencies = await readers({ database, ...installation }, team);
      const chosen = await templateOf(dependencies.content, team, named);
      const all = await readResults(dependencies, team, chosen.id);
      const results = { ...all, by_day: all.by_day.filter(({ date }) => date >= (since ?? '').slice(0, 10)) };
      const page = { name: chosen.name ?? chosen.id, team: chosen.team?.name ?? '' };
      if (html !== undefined) {
        await writeFile(html, resultsPage(results, page));
        return { value: { file: html, template_id: chosen.id }, text: `The page is in ${html}.` };
      }
      if (csv) return printed(resultLines(results));
      return { value: results, text: resultsText(results, page.name) };
    },
  );

  verb<Options>(
    withOptions(template.command('journeys'), 'only journeys that were updated at this time or later')
      .description('List the journeys of a campaign, for a mailing: unique_id, state, URL')
      .option('--csv', 'print all journeys as CSV'),
    auditIds,
    async (installation, { team, template: named, since, csv, json }) => {
      const dependencies = await readers(installation, team);
      const { id } = await templateOf(dependencies.content, team, named);
      const journeys = journeysOf(installation, dependencies, { team, id, since });
      if (csv) return printed(journeyLines(journeys));
      if (json) return { value: journeys, text: '' };
      const headings = ['unique_id', 'state', 'updated_at', 'web_client_url'];
      const row = (each: ListedJourney) => [
        each.contact.unique_id,
        stateOf(each),
        each.updated_at,
        each.web_client_url,
      ];
      return tableText(journeys, headings, row, 'The campaign has no journeys.');
    },
  );

  verb<Options>(
    withOptions(template.command('responses'), 'only responses of this time or later')
      .description('List what people answered in a campaign')
      .option('--csv', 'print all responses as CSV, with a column for each question'),
    auditIds,
    async (installation, { team, template: named, since, csv, json }) => {
      const dependencies = await readers(installation, team);
      const chosen = await templateOf(dependencies.content, team, named);
      const responses = responsesTo(dependencies, { team, id: chosen.id, since });
      if (csv) return printed(responseLines(chosen, responses));
      if (json) return { value: responses, text: '' };
      const said = ({ answer, values }: ListedResponse) => answer ?? values.map(({ value }) => value).join(', ');
      const row = (each: ListedResponse) => [each.at, each.contact.unique_id, each.block_type ?? '', said(each)];
      return tableText(responses, ['at', 'unique_id', 'block', 'answer'], row, 'Nobody has answered yet.');
    },
  );

  verb<{ team: string; template?: string }>(
    template
      .command('recount')
      .description('Compare the results of campaigns with their journeys, and correct them; reads the whole table')
      .requiredOption('--team <team_id>', 'the team')
      .option('--template <id or name>', 'only this campaign'),
    noIds,
    async (installation, { team, template: named }) => {
      const { content, ...dependencies } = await readers(installation, team);
      const all = (await content.current(team)).templates;
      const templates = named === undefined ? all : [await templateOf(content, team, named)];
      const recounts = await recountTemplates({ ...dependencies, scanTeam: installation.scanTeam }, team, templates);
      return { value: recounts, text: recountText(recounts), ids: { template_ids: templates.map(({ id }) => id) } };
    },
  );
}

const withOptions = (command: Command, since: string): Command =>
  command
    .requiredOption('--team <team_id>', 'the team that it belongs to')
    .requiredOption('--template <id or name>', 'the campaign')
    .option('--since <time>', `${since}: a date (its beginning in UTC) or a time`, timeOption);

async function readers({ database }: Pick<Installation, 'database'>, team: string) {
  await requireTeam(database, team);
  const content = new ContentCache(database, Date.now);
  return { ...dependenciesOn(database), content, productCache: new ProductCache(database) };
}
type Readers = Awaited<ReturnType<typeof readers>>;

/** Also a campaign that is named by its name is in the audit log by its id. */
async function auditIds({ team, template }: Options, _: unknown, database: Database): Promise<AuditIds> {
  const { templates } = await new ContentCache(database, Date.now).current(team);
  return { template_ids: templates.filter(isNamed(template)).map(({ id }) => id) };
}

const isNamed =
  (named: string) =>
  ({ id, name }: Template): boolean =>
    id === named.toLowerCase() || name === named;

/** The template with this id or name. @throws AdminFailure `not_found`, `ambiguous` */
async function templateOf(content: ContentCache, team: string, named: string): Promise<Template> {
  const { templates } = await content.current(team);
  const found = templates.filter(isNamed(named));
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new AdminFailure('ambiguous', [{ path: '--template', message: `several campaigns have this name: ${ids}` }]);
  }
  if (found[0]) return found[0];
  const names = templates.map(({ id, name }) => JSON.stringify(name ?? id)).join(', ') || 'no campaign';
  throw new AdminFailure('not_found', [
    { path: '--template', message: `no campaign has this id or name; the team has ${names}` },
  ]);
}

type List = { team: string; id: string; since?: string | undefined };

/** Every journey once: one that changes meanwhile is listed again. */
async function* journeysOf(
  { baseUrl }: Installation,
  dependencies: Readers,
  { team, id, since }: List,
): AsyncGenerator<ListedJourney> {
  const seen = new Set<string>();
  const withUrl = (journey: TemplateJourney) => ({ ...journey, web_client_url: journeyUrl(baseUrl, journey.slug) });
  for (let cursor: string | undefined; ; ) {
    const sent = cursor === undefined ? { template_id: id, updated_since: since } : { cursor };
    const page = await listTemplateJourneys(dependencies, team, sent);
    yield* page.journeys.filter((each) => !seen.has(each.id)).map(withUrl);
    for (const each of page.journeys) seen.add(each.id);
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}

async function* responsesTo(dependencies: Readers, { team, id, since }: List): AsyncGenerator<ListedResponse> {
  for (let cursor: string | undefined; ; ) {
    const sent = cursor === undefined ? { since } : { cursor };
    const page = await listTemplateResponses(dependencies, team, id, sent, () => true);
    yield* page.responses;
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}

async function printed(lines: AsyncIterable<string> | Iterable<string>): Promise<undefined> {
  for await (const line of lines) await writeData(line);
  return undefined;
}

async function tableText<Row>(
  rows: AsyncIterable<Row>,
  headings: readonly string[],
  cellsOf: (row: Row) => string[],
  none: string,
): Promise<Outcome> {
  const shown: string[][] = [];
  for await (const row of rows) {
    if (shown.length === shownRows) {
      const more = `The first ${shownRows}. With --csv or --json the list has all.`;
      return { value: undefined, text: tableOf(headings, shown, none), notes: more };
    }
    shown.push(cellsOf(row));
  }
  return { value: undefined, text: tableOf(headings, shown, none) };
}
