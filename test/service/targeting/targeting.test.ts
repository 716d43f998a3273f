import { expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { template, welcomeId, whoseProductIs } from '../../support/operations/targeting-world.ts';
import { adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

/** Contract, section 14, "When": within 30 seconds of the write. */
const soon = { timeout: 30_000, interval: 250 };

const checking = (account_number: string, unique_id: string, fields: object = {}) => ({
  ...{ account_number, contact: { unique_id }, product: { code: 'CHK', type: 'checking' } },
  ...fields,
});
const welcome = (changes: object = {}) => template({ targeting_groups: whoseProductIs('checking'), ...changes });

test('an account that a batch opens starts the welcome journey by itself, and a repeat starts none', async () => {
  const api = await service();
  const bank = await Bank.open(api);
  await putContent(api.database, bank.team.teamId, { templates: [welcome()] });
  const id = await bank.contact('ann');
  await bank.apply(checking('1', 'ann'));
  const journeys = async () => (await bank.get(`/v1/journeys?contact_id=${id}`)).body;
  const started = { source: 'automatic-targeting', template: { id: welcomeId }, account_id: expect.any(String) };
  await expect.poll(journeys, soon).toMatchObject([started]);
  const [{ slug }] = await journeys();
  expect((await api.request('GET', `/j/${slug}`)).status).toBe(200);
  await bank.apply(checking('1', 'ann', { balance: 5 }), checking('2', 'ann'));
  await putContent(api.database, bank.team.teamId, { templates: [welcome({ is_muted: true })] });
  const other = await bank.contact('bob');
  await bank.apply(checking('3', 'bob'));
  const events = async () => (await bank.get('/v1/events?type=account.opened')).body.events;
  await expect.poll(events, soon).toHaveLength(3);
  expect([(await journeys()).length, (await bank.get(`/v1/journeys?contact_id=${other}`)).body]).toEqual([1, []]);
});

test('the brake stops a wrong rule, and the administrator goes on, reaches back and takes back', async () => {
  const api = await service();
  const bank = await Bank.open(api);
  const { teamId, token } = bank.team;
  const run = async (verb: string, ...args: string[]) => adminJson('targeting', verb, '--team', teamId, ...args);
  const ofWelcome = ['--template', 'Welcome'];
  const started = async () => {
    const { body } = await api.request('GET', `/v1/journeys?template_id=${welcomeId}`, { token });
    return body.journeys.filter(({ cancelled_at }: { cancelled_at: string | null }) => cancelled_at === null).length;
  };
  const since = new Date().toISOString();
  const before = await bank.contact('before');
  await bank.apply(checking('0', 'before'));
  await adminJson('team', 'update', '--team', teamId, '--max-starts-a-day', '1');
  const file = fileOf({ templates: [welcome()] });
  expect((await adminJson('content', 'import', file, '--team', teamId)).status).toBe(0);
  for (const each of ['ann', 'bob', 'cid']) await bank.contact(each);
  await bank.apply(checking('1', 'ann'), checking('2', 'bob'), checking('3', 'cid'));
  const status = async () => (await run('status')).value.templates[0];
  const stopped = { name: 'Welcome', live: true, started_today: 1, left_today: 0, held_back: 2 };
  await expect.poll(status, soon).toMatchObject({ ...stopped, stopped_at: expect.any(String) });

  expect((await run('resume', ...ofWelcome, '--up-to', '5')).status).toBe(0);
  await expect.poll(started, soon).toBe(3);
  expect(await status()).toMatchObject({ stopped_at: null, held_back: 0 });
  expect((await run('resume', ...ofWelcome, '--up-to', '5')).value).toMatchObject({ error: 'conflict' });

  const reach = ['include-existing', ...ofWelcome, '--from', 'beginning', '--up-to'] as const;
  expect((await run(...reach, '1')).value).toMatchObject({ journeys: 1, up_to: 1 });
  await expect.poll(started, soon).toBe(4);
  expect((await bank.get(`/v1/journeys?contact_id=${before}`)).body).toHaveLength(1);
  expect((await run('judge')).status).toBe(0);

  const back = ['undo', ...ofWelcome, '--since', since] as const;
  expect((await run(...back)).value).toMatchObject({ error: 'conflict' });
  await putContent(api.database, teamId, { templates: [welcome({ is_muted: true })] });
  expect((await run(...back)).value).toMatchObject({ journeys: 4, cancelled: 4 });
  await expect.poll(started, soon).toBe(0);
  const { value } = await adminJson('audit', 'list', '--team', teamId);
  const acts = value.filter(({ what }: { what: string }) => what.startsWith('targeting'));
  const named = acts.map(({ what, ids }: { what: string; ids: object }) => [
    what,
    JSON.stringify(ids).includes(welcomeId),
  ]);
  expect(named).toEqual(
    expect.arrayContaining([
      ['targeting undo', true],
      ['targeting resume', true],
      ['targeting include-existing', true],
      ['targeting judge', false],
    ]),
  );
}, 120_000);
