import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import { journeyUrl } from '../../lib/domain/journey.ts';
import type { TemplateJourney } from '../../lib/domain/template-list-responses.ts';
import { listTemplateJourneys } from '../../lib/operations/journeys/list-of-template.ts';
import { type ListedResponse, listTemplateResponses, readResults } from '../../lib/operations/results/read.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { ContentCache } from '../../lib/store/content.ts';
import type { Database } from '../../lib/store/database.ts';
import { ProductCache } from '../../lib/store/products.ts';
import { writeData } from '../output.ts';
import type { Installation } from './installation.ts';
import { recountTemplates } from './operations/recount.ts';
import { oneTemplate, templatesNamed, timeOption } from './options.ts';
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
    async (installation, { team, template: named, since, csv, html, json }) => {
      const dependencies = readersOf(installation);
      const chosen = oneTemplate((await dependencies.content.current(team)).templates, named);
      const all = await readResults(dependencies, team, chosen.id);
      const results = { ...all, by_day: all.by_day.filter(({ date }) => date >= (since ?? '').slice(0, 10)) };
      const page = { name: chosen.name ?? chosen.id, team: chosen.team?.name ?? '' };
      if (html !== undefined) {
        await writeFile(html, resultsPage(results, page));
        return { value: { file: html, template_id: chosen.id }, text: `The page is in ${html}.` };
      }
      if (csv && !json) return printed(resultLines(results));
      return { value: results, text: resultsText(results, page.name) };
    },
  );

  verb<Options>(
    withOptions(template.command('journeys'), 'only journeys that were updated at this time or later')
      .description('List the journeys of a campaign, for a mailing: unique_id, state, URL')
      .option('--csv', 'print all journeys as CSV'),
    auditIds,
    async (installation, { team, template: named, since, ...options }) => {
      const dependencies = readersOf(installation);
      const { id } = oneTemplate((await dependencies.content.current(team)).templates, named);
      const journeys = journeysOf(installation, dependencies, { team, id, since });
      const headings = ['unique_id', 'state', 'updated_at', 'web_client_url'];
      const row = (each: ListedJourney) => [
        each.contact.unique_id,
        stateOf(each),
        each.updated_at,
        each.web_client_url,
      ];
      return listed(journeys, options, journeyLines(journeys), {
        headings,
        row,
        none: 'The campaign has no journeys.',
      });
    },
  );

  verb<Options>(
    withOptions(template.command('responses'), 'only responses of this time or later')
      .description('List what people answered in a campaign')
      .option('--csv', 'print all responses as CSV, with a column for each question'),
    auditIds,
    async (installation, { team, template: named, since, ...options }) => {
      const dependencies = readersOf(installation);
      const chosen = oneTemplate((await dependencies.content.current(team)).templates, named);
      const responses = responsesTo(dependencies, { team, id: chosen.id, since });
      const said = ({ answer, values }: ListedResponse) => answer ?? values.map(({ value }) => value).join(', ');
      const row = (each: ListedResponse) => [each.at, each.contact.unique_id, each.block_type ?? '', said(each)];
      const table = { headings: ['at', 'unique_id', 'block', 'answer'], row, none: 'Nobody has answered yet.' };
      return listed(responses, options, responseLines(chosen, responses), table);
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
      const { content, ...dependencies } = readersOf(installation);
      const all = (await content.current(team)).templates;
      const templates = named === undefined ? all : [oneTemplate(all, named)];
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

function readersOf({ database }: Pick<Installation, 'database'>) {
  const content = new ContentCache(database, Date.now);
  return { ...dependenciesOn(database), content, productCache: new ProductCache(database) };
}
type Readers = ReturnType<typeof readersOf>;

/** Also a campaign that is named by its name is in the audit log by its id. */
async function auditIds({ team, template }: Options, _: unknown, database: Database): Promise<AuditIds> {
  const { templates } = await new ContentCache(database, Date.now).current(team);
  return { template_ids: templatesNamed(templates, template).map(({ id }) => id) };
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

type Table<Row> = { headings: readonly string[]; row(each: Row): string[]; none: string };

/** A list as CSV, as JSON, or its first rows for people. */
async function listed<Row>(
  rows: AsyncIterable<Row>,
  { csv, json }: { csv?: boolean; json?: boolean },
  lines: AsyncIterable<string>,
  { headings, row, none }: Table<Row>,
): Promise<Outcome | undefined> {
  if (json) return { value: rows, text: '' };
  if (csv) return printed(lines);
  const shown: string[][] = [];
  for await (const each of rows) {
    if (shown.length === shownRows) {
      const more = `The first ${shownRows}. With --csv or --json the list has all.`;
      return { value: undefined, text: tableOf(headings, shown, none), notes: more };
    }
    shown.push(row(each));
  }
  return { value: undefined, text: tableOf(headings, shown, none) };
}
