import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { describe, expect, inject, test } from 'vitest';
import { approved } from '../../../bin/admin/campaigns/content-history.ts';
import { localInstallation } from '../../../bin/admin/installation.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { completionLane } from '../../../lib/store/events/completion-work.ts';
import { admin, adminJson, atTerminal, fileOf } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

/** `content import --at` and `content restore --at`: the service publishes at the time. */

const api = await service();
const installation = localInstallation(inject('serviceDirectory'));
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

const page = (content_name: string) => ({
  page: {
    content_name,
    completion_condition: 'view',
    content_blocks: [{ type: 'text', data: { body: content_name } }],
  },
});
const campaign = (...pages: string[]) => ({ templates: [{ name: 'Welcome', template_pages: pages.map(page) }] });

const run = (team: TestTeam, verb: string, ...args: string[]) =>
  adminJson('content', verb, ...args, '--team', team.teamId);
const imported = (team: TestTeam, document: object, ...options: string[]) =>
  run(team, 'import', fileOf(document), ...options);
const history = async (team: TestTeam) => (await run(team, 'history')).value;
const templateOf = async ({ token }: TestTeam) =>
  (await api.request('GET', '/v1/templates', { token })).body.templates[0].id;
const pagesNow = async (team: TestTeam) => {
  const path = `/v1/templates/${await templateOf(team)}/template_pages`;
  const { body } = await api.request('GET', path, { token: team.token });
  return body.map(({ page: { content_name } }: { page: { content_name: string } }) => content_name);
};

/** What is due within so many hours is due now, as the sweeper finds it then, and its worker is woken. */
async function hoursLater({ teamId }: TestTeam, hours: number): Promise<void> {
  await moveDue({ database: api.database, now: () => Date.now() + hours * hour }, teamId);
  await (await installation.imports()).queue.wake(completionLane(teamId));
}
const afterState = (team: TestTeam, isReached: (newest: Record<string, unknown>) => boolean) =>
  until('the worker has looked at the revision', async () => (await history(team))[0], isReached);

test('an import waits for its time, and the service publishes it in the name of the person', async () => {
  const team = await api.newTeam();
  await imported(team, campaign('Hello'));
  const at = inHours(24);
  const publish_at = timestamp(Date.parse(at));
  atTerminal();
  const file = fileOf(campaign('Hello', 'Next'));
  const given = ['content', 'import', file, '--team', team.teamId, '--at', at];
  expect(await admin(given)).toMatchObject({ status: 1, stderr: expect.stringContaining('run the command again') });
  const { status, stderr } = await admin([...given, '--yes']);
  expect([status, stderr]).toEqual([0, expect.stringContaining(`It is published at ${publish_at}`)]);
  const [waiting] = await history(team);
  expect(waiting).toMatchObject({ state: 'pending', publish_at, who: userInfo().username, what: 'import' });
  const { stdout } = await admin(['content', 'history', '--team', team.teamId]);
  expect(stdout).toContain(`To be published at ${publish_at}`);
  expect(await imported(team, campaign('Other'), '--yes')).toMatchObject({
    ...{ status: 1, value: { error: 'conflict' } },
    value: { details: [{ message: expect.stringContaining(`waits until ${publish_at}`) }] },
  });
  expect((await run(team, 'export', '--revision', waiting.revision)).value).toEqual(campaign('Hello', 'Next'));
  // It is not its time yet.
  await hoursLater(team, 23);
  expect(await pagesNow(team)).toEqual(['Hello']);
  await hoursLater(team, 25);
  expect(await afterState(team, ({ state }) => state === 'current')).toMatchObject({
    ...{ publish_at, who: userInfo().username, what: 'import', changes: [expect.stringContaining('"Next"')] },
  });
  await until(
    'the page is shown',
    () => pagesNow(team),
    (pages) => pages.length === 2,
  );
  const acts = (await adminJson('audit', 'list', '--team', team.teamId, '--what', 'content publish')).value;
  expect(acts).toMatchObject([
    { who: userInfo().username, outcome: 'done', ids: { content_revision: waiting.revision } },
    { outcome: 'begun' },
  ]);
  // It has no person any more who could withdraw it.
  expect((await run(team, 'withdraw', waiting.revision, '--yes')).value).toMatchObject({ error: 'not_found' });
});

test('the service looks by itself for what is due', async () => {
  const team = await api.newTeam();
  await imported(team, campaign('Hello'), '--at', new Date(Date.now() + 2000).toISOString());
  expect(await afterState(team, ({ state }) => state === 'current')).toMatchObject({ what: 'import' });
});

test('a restore waits in the same way, and can be withdrawn', async () => {
  const team = await api.newTeam();
  await imported(team, campaign('Hello'));
  await imported(team, campaign('Hello', 'Next'));
  const earlier = (await history(team)).at(-1).revision;
  const restore = () => run(team, 'restore', earlier, '--at', inHours(24));
  const { value } = await restore();
  expect((await run(team, 'withdraw', value.pending_revision)).value).toMatchObject({ withdrawn: true });
  await hoursLater(team, 25);
  await restore();
  expect(await pagesNow(team)).toEqual(['Hello', 'Next']);
  await hoursLater(team, 26);
  expect(await afterState(team, ({ state }) => state === 'current')).toMatchObject({
    ...{ what: 'restore', restores: earlier },
  });
});

test('what is refused at its time still waits, with the reason, of which morning speaks', async () => {
  const team = await api.newTeam();
  await imported(team, campaign('Hello'));
  const { value } = await imported(team, campaign('Quite another page'), '--at', inHours(0.001));
  const revision = value.pending_revision;
  // Somebody begins, so that another page would get the progress.
  const templateId = await templateOf(team);
  const { token } = team;
  const body = { contact: { unique_id: randomUUID() } };
  const { body: journey } = await api.request('POST', `/v1/templates/${templateId}/journeys`, { body, token });
  expect((await api.request('GET', `/j/${journey.slug}`)).status).toBe(200);
  const { body: pages } = await api.request('GET', `/v1/templates/${templateId}/template_pages`, { token });
  const viewed = { type: 'page_viewed', page_id: pages[0].page_id };
  await api.request('POST', `/j/${journey.slug}/actions`, { body: viewed });
  await hoursLater(team, 1);
  const refused = await afterState(team, (newest) => newest.refused !== undefined);
  expect(refused).toMatchObject({ state: 'pending', revision, refused: { error: 'conflict' } });
  expect(await pagesNow(team)).toEqual(['Hello']);
  const { stdout } = await admin(['content', 'history', '--team', team.teamId]);
  expect(stdout).toMatch(/Not published at .*: conflict/);
  expect(stdout).toContain('Quite another page');
  const { value: mornings } = await adminJson('morning', '--team', team.teamId);
  expect(mornings[0].findings).toMatchObject([
    {
      ...{ about: 'content', next: expect.stringContaining(`content history --team ${team.teamId}`) },
      message: expect.stringContaining(`the revision ${revision} was not published at `),
    },
  ]);
  expect((await run(team, 'withdraw', revision)).value).toMatchObject({ withdrawn: true });
});

test('with content approval it waits for the approval and for its time', async () => {
  const team = await api.newTeam();
  await imported(team, campaign('Hello'));
  await adminJson('team', 'update', '--team', team.teamId, '--content-approval', 'on');
  const file = fileOf(campaign('Hello', 'Next'));
  const { stderr } = await admin(['content', 'import', file, '--team', team.teamId, '--at', inHours(24)]);
  expect(stderr).toContain('It is published after that, not before ');
  const [{ revision }] = await history(team);
  const waiting = await admin(['content', 'history', '--team', team.teamId]);
  expect(waiting.stderr).toContain(`content approve ${revision} --team ${team.teamId}`);
  await run(team, 'withdraw', revision);
  const { value } = await imported(team, campaign('Hello', 'Next'), '--at', inHours(24));
  const named = { team: team.teamId, revision: value.pending_revision, yes: undefined };
  const other = { ...installation, who: async () => 'somebody else' };
  expect(await approved(other, named)).toMatchObject({ value: { approved: true, publish_at: value.publish_at } });
  expect((await history(team))[0]).toMatchObject({ state: 'pending', approved_by: 'somebody else' });
  expect((await admin(['content', 'history', '--team', team.teamId])).stderr).toBe('');
  await hoursLater(team, 25);
  expect(await afterState(team, ({ state }) => state === 'current')).toMatchObject({ approved_by: 'somebody else' });
});

describe('a time', () => {
  test.each([
    ['in the past', '2026-01-31T12:00:00Z', 'It must be in the future.'],
    ['more than a year ahead', inHours(24 * 368), 'It must be at most a year ahead.'],
    ['that is none', 'tomorrow', 'It must be a date'],
  ])('%s is refused', async (_, at, says) => {
    const { status, stderr } = await admin(['content', 'import', fileOf({}), '--team', randomUUID(), '--at', at]);
    expect([status === 0, stderr]).toEqual([false, expect.stringContaining(says)]);
  });

  test('is only for the content of a team', async () => {
    expect(await adminJson('content', 'import', fileOf({}), '--at', inHours(1))).toMatchObject({
      ...{ status: 1, value: { error: 'invalid_arguments', details: [{ path: '--at' }] } },
    });
  });

  test('is refused for a document that declares a new lookup field', async () => {
    const team = await api.newTeam();
    const channels = { engagement_channels: [{ name: 'Home', lookup_fields: ['meta_private[core_id]'] }] };
    expect(await imported(team, channels, '--at', inHours(1))).toMatchObject({
      ...{ status: 1, value: { error: 'validation_failed', details: [{ path: '/engagement_channels' }] } },
    });
  });
});
