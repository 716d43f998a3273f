import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ListedJourney } from '../../../bin/admin/results/results-csv.ts';
import { journeysIn } from '../../../bin/admin/results/template.ts';
import { countersKey } from '../../../lib/store/table/keys.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';
import { resultsCampaign } from './campaign-results.ts';

const api = await service();
const team = await api.newTeam();
const campaign = await resultsCampaign(api, team);
const people: Awaited<ReturnType<typeof campaign.start>>[] = [];
/** The id of the first one begins like a formula, and so does the answer of the second one. */
const uniqueIds = ['+1 555 010 0199', 'c-2', 'c-3'];
beforeAll(async () => {
  for (const id of uniqueIds) people.push(await campaign.start(id));
  const [ann, bob] = people;
  await ann!.view('view');
  await ann!.decide('accepted');
  await ann!.answer({ 'How?': 'Well' });
  await bob!.view('view');
  await bob!.answer({ 'How?': 'Badly', 'Why?': '=HYPERLINK("https://evil.example")' });
  await campaign.settled(
    ({ journeys, questions }) => journeys.created === 3 && journeys.opened === 2 && questions[1].answers[0].count === 1,
  );
});

const options = (...more: string[]) => ['--team', team.teamId, '--template', 'Results', ...more];
const run = (verb: string, ...more: string[]) => admin(['template', verb, ...options(...more)]);
const csvOf = async (verb: string): Promise<Record<string, string>[]> =>
  parse((await run(verb, '--csv')).stdout, { columns: true });

const isSet = (field: string) => ({ field, operator: 'is_set' });
const rule = [
  { conditions: [{ field: 'product.type', operator: 'equals', value: 'checking' }, isSet('contact.city')] },
  { conditions: [isSet('contact.state')] },
];

test('template list names every campaign in the order of the API, with whom it targets and the last 7 days', async () => {
  const empty = await api.newTeam();
  const list = ['template', 'list', '--team'];
  expect((await adminJson(...list, empty.teamId)).value).toEqual([]);
  await campaign.put({ targeting_groups: rule, targeting_group_logical_operator: 'OR' });
  const { value } = await adminJson(...list, team.teamId);
  const { templates } = (await campaign.get('/v1/templates')).body;
  const named = templates.map(({ id, name, status }: Record<string, unknown>) => ({ id, name, status }));
  expect(value).toMatchObject(named);
  expect((await admin([...list, team.teamId])).stdout).toMatch(
    /^NAME +STATUS +STARTED +OPENED +COMPLETED +PAGES +ID +TARGETED\nResults +(?:\w+ +)?3 +2 +1 +3 +[\da-f-]{36} +\(/,
  );
  expect(value[0]).toMatchObject({
    last_7_days: { started: 3, opened: 2, completed: 1 },
    targeted: '(product.type equals "checking" and contact.city is_set) or contact.state is_set',
  });
  await campaign.put();
  expect((await admin([...list, team.teamId])).stdout).toMatch(/ nobody by itself\n$/);
});

test('template list says that a campaign is archived, whatever its status is', async () => {
  await campaign.put({ status: 'live', is_archived: true });
  const list = ['template', 'list', '--team', team.teamId];
  expect((await adminJson(...list)).value[0]).toMatchObject({ status: 'archived' });
  expect((await admin(list)).stdout).toMatch(/^Results +archived /m);
  await campaign.put();
});

describe('template results', () => {
  test('shows tables with bars', async () => {
    const { status, stdout } = await run('results');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Results, \d{4}-/);
    expect(stdout).toMatch(/^created +3 +100% {2}█{30}$/m);
    expect(stdout).toMatch(/^opened +2 +67% {2}█{20}$/m);
    expect(stdout).toMatch(/^ {2}Welcome +2 +67%/m);
    expect(stdout).toMatch(/^How\?\n {2}Well +1 +50% {2}█{15}\n {2}Badly +1 +50%/m);
    expect(stdout).toMatch(/typed texts +1 +100%/);
    expect(stdout).toMatch(/^ {2}\d{4}-\d\d-\d\d +3 +2 +1$/m);
  });

  test('with --json is the response of the API', async () => {
    const { value } = await adminJson('template', 'results', ...options());
    const { as_of, ...same } = await campaign.results();
    expect(value).toMatchObject(same);
  });

  test('shows only the days since a time', async () => {
    const of = async (since: string) =>
      (await adminJson('template', 'results', ...options('--since', since))).value as {
        by_day: { date: string }[];
        journeys: { created: number };
      };
    const { by_day, journeys } = await of('2099-01-01');
    expect([by_day, journeys.created]).toEqual([[], 3]);
    const [{ date: last }] = (await of('2000-01-01')).by_day.slice(-1) as [{ date: string }];
    for (const since of [last, `${last}T23:59:59Z`]) expect((await of(since)).by_day).toMatchObject([{ date: last }]);
  });

  test('with --csv has a line for each number', async () => {
    const lines = await csvOf('results');
    const of = (wanted: object) =>
      lines.filter((line) => Object.entries(wanted).every(([name, value]) => line[name] === value));
    expect(of({ of: 'journeys', measure: 'completed' })[0]!.count).toBe('1');
    expect(of({ of: 'page', name: 'Consent', measure: 'completed' })[0]!.count).toBe('1');
    expect(
      of({ of: 'question', question_key: 'how' }).map(({ answer_key, answer, count }) => [answer_key, answer, count]),
    ).toEqual([
      ['option_1', 'Well', '1'],
      ['bad', 'Badly', '1'],
    ]);
    expect(of({ of: 'day', measure: 'opened' })[0]!.count).toBe('2');
  });

  test('with --html writes one page that needs no network', async () => {
    const file = join(temporaryDirectory(), 'results.html');
    const { stdout } = await run('results', '--html', file);
    expect(stdout).toContain(file);
    const page = readFileSync(file, 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page.match(/<ul class="bars">/g)!.length).toBe(4);
    for (const shown of ['Results', 'Welcome', 'How?', 'Badly', 'Invited', 'viewed at least one step', 'Week of'])
      expect(page).toContain(shown);
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|@import|https?:/);
  });

  test('counts by the language of each person, and apart who has none that the campaign has', async () => {
    const other = await api.newTeam();
    const own = await resultsCampaign(api, other);
    await own.put({ translations: { es: { Well: 'Bien' }, 'pt-BR': { Well: 'Bem' } } });
    const languages = { one: 'es-MX', two: 'es', three: 'pt-PT', four: 'en', five: 'ja' };
    for (const [unique_id, language] of Object.entries(languages)) {
      const body = { unique_id, meta_public: { language } };
      await api.request('POST', '/v1/contacts', { token: other.token, body });
      const journey = await own.start(unique_id);
      if (unique_id === 'one') await journey.view('view');
    }
    await own.start('six');
    await own.settled(({ journeys }) => journeys.created === 6 && journeys.opened === 1);
    const results = ['template', 'results', '--team', other.teamId, '--template', 'Results'];
    const none = { opened: 0, completed: 0 };
    expect((await adminJson(...results)).value.by_language).toEqual([
      { ...none, language: 'en', created: 1 },
      { ...none, language: 'es', created: 2, opened: 1 },
      { ...none, language: 'pt-BR', created: 1 },
      { ...none, language: null, created: 2 },
    ]);
    expect((await own.results()).by_language).toBeUndefined();
    const { stdout } = await admin(results);
    expect(stdout).toMatch(/^By language: created, opened, completed\n {2}English \(en\) +1 +0 +0$/m);
    expect(stdout).toMatch(/^ {2}None of these +2 +0 +0$/m);
    const lines: Record<string, string>[] = parse((await admin([...results, '--csv'])).stdout, { columns: true });
    const spanish = lines.filter(({ of, name }) => of === 'language' && name === 'es');
    expect(spanish.map(({ measure, count }) => [measure, count])).toContainEqual(['opened', '1']);
    const file = join(temporaryDirectory(), 'languages.html');
    await admin([...results, '--html', file]);
    expect(readFileSync(file, 'utf8')).toContain('<th scope="row">Brazilian Portuguese (pt-BR)</th><td>1</td>');
    await own.put({ translations: {} });
    expect((await adminJson(...results)).value.by_language).toEqual([]);
  });

  test('names the campaign by its id too, and says if there is none or several', async () => {
    const { value } = await adminJson(
      'template',
      'results',
      '--team',
      team.teamId,
      '--template',
      campaign.templateId.toUpperCase(),
    );
    expect(value.template_id).toBe(campaign.templateId);
    const none = await adminJson('template', 'results', '--team', team.teamId, '--template', 'Nothing');
    expect([none.status, none.value.error]).toEqual([1, 'not_found']);
    expect(none.value.details[0].message).toContain('the team has "Results"');
    const other = await api.newTeam();
    const twice = [await resultsCampaign(api, other), await resultsCampaign(api, other)];
    const several = await adminJson('template', 'results', '--team', other.teamId, '--template', 'Results');
    expect([several.status, several.value.error]).toEqual([1, 'ambiguous']);
    for (const { templateId } of twice) expect(several.value.details[0].message).toContain(templateId);
  });
});

describe('template journeys', () => {
  test('with --csv has what a mailing needs', async () => {
    const lines = await csvOf('journeys');
    const byId = new Map(lines.map((line) => [line.unique_id, line]));
    expect([...byId.keys()].sort()).toEqual(uniqueIds);
    expect(uniqueIds.map((id) => byId.get(id)!.state)).toEqual(['completed', 'opened', 'created']);
    for (const { unique_id, slug, id } of people) {
      const url = `${api.baseUrl}/j/${slug}`;
      expect(byId.get(unique_id)).toMatchObject({ web_client_url: url, journey_id: id });
    }
    expect(byId.get('c-2')).toMatchObject({ pages_viewed: '1', pages_completed: '2', source: 'api' });
  });

  test('has the address, name, language, phone and consent of each, and who has opted out only with --all', async () => {
    const save = (body: object) => api.request('POST', '/v1/contacts', { token: team.token, body });
    const bob = { name_first: 'Bob', name_last: 'Lee', phone_home: '15550100199', meta_public: { language: 'es' } };
    await save({ unique_id: 'c-2', email: 'bob@bank.example', email_opted_in: true, email_verified: true, ...bob });
    await save({ unique_id: 'c-3', email: 'cy@bank.example', email_opted_in: false });
    const lines = await csvOf('journeys');
    expect(lines.map(({ unique_id }) => unique_id).sort()).toEqual(uniqueIds.slice(0, 2));
    const row = (id: string) => lines.find(({ unique_id }) => unique_id === id);
    expect(row('c-2')).toMatchObject({
      ...{ email: 'bob@bank.example', name: 'Bob Lee', language: 'es', phone: '15550100199' },
      ...{ email_opted_in: 'true', email_verified: 'true', sms_opted_in: '', sms_verified: '' },
    });
    expect(row(uniqueIds[0]!)).toMatchObject({ email: '', name: '', language: 'en', phone: '', email_opted_in: '' });
    const { stdout, stderr } = await run('journeys', '--csv', '--all');
    const all: Record<string, string>[] = parse(stdout, { columns: true });
    expect(all.find(({ unique_id }) => unique_id === 'c-3')).toMatchObject({ email_opted_in: 'false' });
    expect([all.length, stderr]).toEqual([3, '']);
    expect((await run('journeys', '--csv')).stderr).toContain('Without 1 who opted out of email.');
    await save({ unique_id: 'c-3', email_opted_in: null });
  });

  test('has what the address is listed for, and who is listed only with --all', async () => {
    const address = ['--team', team.teamId, '--address', 'cy@bank.example'];
    await adminJson('suppression', 'add', ...address, '--for', 'all');
    const listed = async (...more: string[]) => {
      const all: Record<string, string>[] = parse((await run('journeys', '--csv', ...more)).stdout, { columns: true });
      return Object.fromEntries(all.map(({ unique_id, suppressed }) => [unique_id, suppressed]));
    };
    expect(await listed()).toEqual({ [uniqueIds[0]!]: '', 'c-2': '' });
    expect(await listed('--all')).toMatchObject({ 'c-3': 'all' });
    await adminJson('suppression', 'remove', ...address, '--reason', 'asked for it');
  });

  test('has nobody twice whose journey changes while the pages are read', async () => {
    const journey = (id: string, email_opted_in: boolean | null = null) => ({ id, email_opted_in }) as ListedJourney;
    async function* pages() {
      yield { journeys: [journey('a'), journey('b', false)] };
      yield { journeys: [journey('a'), journey('b', false), journey('c')] };
    }
    const listed = async (all: boolean) => {
      const ids: string[] = [];
      for await (const { id } of journeysIn(pages(), all)) ids.push(id);
      return ids;
    };
    expect([await listed(false), await listed(true)]).toEqual([
      ['a', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  test('is a table for people, and an array with --json', async () => {
    expect((await run('journeys')).stdout).toMatch(/^unique_id +state +updated_at +web_client_url\n/);
    const { value } = await adminJson('template', 'journeys', ...options());
    expect(value.map(({ contact }: { contact: { unique_id: string } }) => contact.unique_id).sort()).toEqual(uniqueIds);
    const { value: later } = await adminJson('template', 'journeys', ...options('--since', '2099-01-01'));
    expect(later).toEqual([]);
  });

  test('is an act in the audit log, by ids', async () => {
    await run('journeys', '--csv');
    const { value } = await adminJson('audit', 'list', '--team', team.teamId, '--what', 'template journeys');
    expect(value[0]).toMatchObject({ outcome: 'done', ids: { template_ids: [campaign.templateId] } });
  });
});

describe('template responses', () => {
  test('with --csv has a column for each question, named by its page', async () => {
    const lines = await csvOf('responses');
    const surveys = lines.filter(({ block_type }) => block_type === 'survey');
    const cells = surveys.map((line) => [line.unique_id, line.page, line['Survey: How?'], line['Survey: Why?']]);
    expect(cells).toEqual([
      [uniqueIds[0], 'Survey', 'Well', ''],
      // A spreadsheet program shows it as a text.
      ['c-2', 'Survey', 'Badly', '\'=HYPERLINK("https://evil.example")'],
    ]);
    expect(lines.find(({ answer }) => answer === 'accepted')).toMatchObject({
      unique_id: uniqueIds[0],
      block_type: 'agreement',
    });
  });

  test('with --csv tells questions with equal texts and without keys apart', async () => {
    const surveys = [0, 1, 2].map(() => ({ id: randomUUID(), type: 'survey', data: { questions: ['Why?', 'How?'] } }));
    const page = (content_name: string, ...content_blocks: object[]) => ({
      page: { id: randomUUID(), content_name, completion_condition: 'confirm', content_blocks },
    });
    const template_pages = [page('One', surveys[0]!, surveys[1]!), page('Two', surveys[2]!)];
    await campaign.put({ template_pages: [...campaign.template.template_pages, ...template_pages] });
    const answers = surveys.slice(0, 2).map(({ id }, at) => ({
      ...{ block_id: id, values: [{ key: 'question_1', value: `Answer ${at}` }] },
    }));
    const page_id = template_pages[0]!.page.id;
    const body = { type: 'page_completed', page_id, answers };
    expect((await api.request('POST', `/j/${people[2]!.slug}/actions`, { body })).status).toBe(204);
    const lines = await until(
      'the answers are listed',
      () => csvOf('responses'),
      ({ length }) => length === 5,
    );
    const names = ['One: Why?', 'One: How?', 'One: Why? (2)', 'One: How? (2)', 'Two: Why?', 'Two: How?'];
    const own = lines.filter(({ unique_id }) => unique_id === 'c-3');
    expect(own.map((line) => [line.page, ...names.map((name) => line[name])])).toEqual([
      ['One', 'Answer 0', '', '', '', '', ''],
      ['One', '', '', 'Answer 1', '', '', ''],
    ]);
    expect(own.map((line) => line['other answers'])).toEqual(['', '']);
    await campaign.put();
    const removed = (await csvOf('responses')).filter(({ unique_id }) => unique_id === 'c-3');
    expect(removed.map((line) => line['other answers'])).toEqual(['Why? Answer 0', 'Why? Answer 1']);
  });

  test('is a table for people, and an array with --json', async () => {
    expect((await run('responses')).stdout).toMatch(/c-2 +Survey +survey +Badly, =HYPERLINK/);
    const { value } = await adminJson('template', 'responses', ...options());
    expect(value).toHaveLength(5);
  });
});

describe('template recount', () => {
  const recount = async () => (await adminJson('template', 'recount', ...options())).value[0];

  test('corrects counters that are wrong, and then finds no difference', async () => {
    const group = `page/${campaign.pages.view}`;
    const key = countersKey(team.teamId, campaign.templateId, 0, group);
    await api.database.transact([{ kind: 'add', key, add: { viewed: 5, completed: -1, moves: 1 } }]);
    expect((await campaign.results()).pages[0]).toMatchObject({ viewed: 7, completed: 1 });
    const { differences } = await recount();
    expect(differences.toSorted((a: { by: number }, b: { by: number }) => a.by - b.by)).toEqual([
      { group, counter: 'viewed', by: -5 },
      { group, counter: 'completed', by: 1 },
    ]);
    expect((await campaign.results()).pages[0]).toMatchObject({ viewed: 2, completed: 2 });
    expect(await recount()).toEqual({
      ...{ template_id: campaign.templateId, name: 'Results', journeys: 3, missed: 0 },
      ...{ not_counted: 0, differences: [], unsettled: 0 },
    });
    expect((await run('recount')).stdout).toContain('Results: 3 journeys, no difference');
  });
});
