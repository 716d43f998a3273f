import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { admin } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

/** The results of questions with several options, a number and a date: as a table, as CSV and as a page. */

const api = await service();
const team = await api.newTeam();
const [templateId, pageId, blockId] = Array.from({ length: 3 }, () => crypto.randomUUID());
const questions = [
  { key: 'colors', text: 'Colors?', multiple: true, options: ['Red', 'Green', 'Blue'] },
  { key: 'age', text: 'Age?', type: 'number' },
  { key: 'day', text: 'Day?', type: 'date' },
];

beforeAll(async () => {
  const content_blocks = [{ id: blockId, type: 'survey', data: { questions } }];
  const page = { id: pageId, completion_condition: 'confirm', content_blocks };
  const template = { id: templateId, name: 'Kinds', template_pages: [{ order: 1, page }] };
  await putContent(api.database, team.teamId, { templates: [template] });
  for (const colors of [['Red', 'Green'], ['Red'], ['Blue', 'Red'], []]) {
    const body = { contact: { unique_id: crypto.randomUUID() } };
    const path = `/v1/templates/${templateId}/journeys`;
    const { body: journey } = await api.request('POST', path, { token: team.token, body });
    const values = [
      ...colors.map((value) => ({ key: 'colors', value })),
      ...[{ key: 'age', value: '41' }, ...(colors.length > 0 ? [{ key: 'day', value: '2026-02-28' }] : [])],
    ];
    const action = { type: 'page_completed', page_id: pageId, answers: [{ block_id: blockId, values }] };
    await api.request('POST', `/j/${journey.slug}/actions`, { body: action });
  }
  const results = async () =>
    (await api.request('GET', `/v1/templates/${templateId}/results`, { token: team.token })).body;
  await until('the results have settled', results, (found) => found.questions[1]?.answers[0]?.count === 4);
});

const run = async (...more: string[]) => {
  const { status, stdout } = await admin([
    ...['template', 'results', '--team', team.teamId, '--template', 'Kinds', ...more],
  ]);
  expect(status).toBe(0);
  return stdout;
};

test('the table has shares of the people who answered, and says so, and names what was typed', async () => {
  const table = await run();
  expect(table).toContain('Colors? (shares of the 3 people who answered, each with one option or several)\n');
  expect(table).toMatch(/^ {2}Red +3 +100% .*\n {2}Green +1 +33% .*\n {2}Blue +1 +33%/m);
  expect(table).toMatch(/^Age\?\n {2}numbers +4 +100%/m);
  expect(table).toMatch(/^Day\?\n {2}dates +3 +100%/m);
});

test('CSV has the number of people beside the answers', async () => {
  const lines: Record<string, string>[] = parse(await run('--csv'), { columns: true });
  const asked = lines.filter((line) => line.of === 'question');
  expect(asked.map(({ question_key, answer, measure, count }) => [question_key, answer, measure, count])).toEqual([
    ['colors', '', 'people', '3'],
    ['colors', 'Red', 'answered', '3'],
    ['colors', 'Green', 'answered', '1'],
    ['colors', 'Blue', 'answered', '1'],
    ['age', 'numbers', 'answered', '4'],
    ['day', 'dates', 'answered', '3'],
  ]);
});

test('the page has the same shares and labels', async () => {
  const file = join(temporaryDirectory(), 'results.html');
  await run('--html', file);
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('shares of the 3 people who answered, each with one option or several');
  expect(page).toMatch(/<b>1<\/b> 33%/);
  for (const label of ['numbers', 'dates']) expect(page).toContain(`<span class="label">${label}</span>`);
});
