import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import { admin, adminJson, atTerminal, fileOf } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

/** What is said before content is published, and how it is taken back. */

const api = await service();
const team = await api.newTeam();
const [templateId, pageId, blockId] = [randomUUID(), randomUUID(), randomUUID()];

const campaign = (heading: string, more: object = {}) => ({
  templates: [
    {
      ...{ id: templateId, name: 'Welcome', status: 'live', ...more },
      template_pages: [
        {
          page: {
            ...{ id: pageId, completion_condition: 'view' },
            content_blocks: [{ id: blockId, type: 'heading', data: { heading } }],
          },
        },
      ],
    },
  ],
});
const run = (verb: string, ...args: string[]) => adminJson('content', verb, ...args, '--team', team.teamId);
const imported = (document: object, ...options: string[]) => run('import', fileOf(document), ...options);
const headingNow = async () => {
  const { body } = await api.request('GET', `/v1/templates/${templateId}/template_pages`, { token: team.token });
  return body[0].page.content_blocks[0].data.heading;
};
const currentRevision = async () => (await loadStoredContent(api.database, team.teamId)).revision;
const asked = 'Nothing was changed. To continue, run the command again with --yes.';

test('content import says what changes and whom it concerns, and at a terminal writes nothing without --yes', async () => {
  await imported(campaign('Three short steps'));
  const { body: contact } = await api.request('POST', '/v1/contacts', { body: { unique_id: 'a' }, token: team.token });
  const body = { contact: { id: contact.id } };
  await api.request('POST', `/v1/templates/${templateId}/journeys`, { body, token: team.token });
  const rule = { targeting_groups: [{ conditions: [{ field: 'contact.unique_id', operator: 'equals', value: 'a' }] }] };
  const file = fileOf(campaign('Five short steps', rule));
  // The results, which count the open journeys, trail by seconds.
  await expect.poll(async () => (await run('check', file)).value.changes[0].open_journeys, { interval: 200 }).toBe(1);
  const { value } = await run('check', file);
  expect(value.changes).toMatchObject([
    {
      ...{ kind: 'template', id: templateId, change: 'changed', open_journeys: 1, fields: ['targeting_groups'] },
      ...{ texts: [{ from: 'Three short steps', to: 'Five short steps' }] },
    },
  ]);
  expect(value.rules).toMatchObject([{ template_id: templateId, change: 'starts', holds: { contacts: 1, of: 1 } }]);
  atTerminal();
  const { status, stderr } = await admin(['content', 'import', file, '--team', team.teamId]);
  expect([status, stderr.split('\n')]).toEqual([
    1,
    [
      'This would be done:',
      'Changes the campaign "Welcome", of which 1 journey is open',
      '  page changed: "Five short steps"',
      '  text "Three short steps" becomes "Five short steps"',
      '  settings targeting_groups',
      expect.stringMatching(/^"Welcome": its rule goes live, .* It holds for 1 of the 1 newest contacts/),
      asked,
      '',
    ],
  ]);
  expect(await headingNow()).toBe('Three short steps');
  expect(await imported(campaign('Five short steps'), '--yes')).toMatchObject({
    status: 0,
    value: { changes: [{ change: 'changed' }] },
  });
  expect(await headingNow()).toBe('Five short steps');
  // What changes nothing needs no confirmation.
  expect((await imported(campaign('Five short steps'))).status).toBe(0);
});

describe('content history', () => {
  test('lists what each revision changed, by whom and when, newest first', async () => {
    const { value, status } = await run('history');
    expect(status).toBe(0);
    expect(value).toMatchObject([
      {
        ...{ state: 'current', revision: await currentRevision(), what: 'import', who: userInfo().username },
        ...{ at: expect.stringMatching(/^\d{4}-.*Z$/), template_ids: [templateId] },
        changes: [expect.stringContaining('text "Three short steps" becomes "Five short steps"')],
      },
      { state: 'earlier', changes: ['Adds the campaign "Welcome"'] },
    ]);
    const { stdout } = await admin(['content', 'history', '--team', team.teamId]);
    expect(stdout).toMatch(/^REVISION +STATE +AT +WHO +WHAT +CHANGES\n/);
    expect(stdout).toContain(value[1].revision);
  });

  test('of one campaign has only what changed it', async () => {
    await imported({ objectives: [{ key: 'later' }] });
    expect((await run('history', '--limit', '1')).value).toMatchObject([{ changes: ['Adds the objective "later"'] }]);
    for (const template of [templateId, 'Welcome']) {
      expect((await run('history', '--template', template)).value).toHaveLength(2);
    }
    expect((await run('history', '--template', 'Nothing')).value).toMatchObject({ error: 'not_found' });
  });
});

describe('content restore', () => {
  test('brings an earlier revision back as a new one, says so first, and can be undone in the same way', async () => {
    const before = (await run('history')).value;
    const [{ revision: five }] = before;
    const { revision: three } = before.at(-1);
    atTerminal();
    const asking = await admin(['content', 'restore', three, '--team', team.teamId]);
    expect([asking.status, asking.stderr]).toEqual([
      1,
      expect.stringContaining('text "Five short steps" becomes "Three short steps"'),
    ]);
    expect(asking.stderr).toContain(asked);
    expect(await headingNow()).toBe('Five short steps');
    expect(await run('restore', three, '--yes')).toMatchObject({ status: 0, value: { templates: { updated: 1 } } });
    expect(await headingNow()).toBe('Three short steps');
    const [latest, ...others] = (await run('history')).value;
    expect(latest).toMatchObject({ state: 'current', what: 'restore', restores: three });
    expect(others.map(({ revision }: { revision: string }) => revision)).toEqual(
      before.map(({ revision }: { revision: string }) => revision),
    );
    const { stdout } = await admin(['content', 'history', '--team', team.teamId]);
    expect(stdout).toMatch(new RegExp(`^${latest.revision} +current .* restore of ${three} `, 'm'));
    await run('restore', five, '--yes');
    expect(await headingNow()).toBe('Five short steps');
  });

  test('archives a campaign that came later, keeps its id, and shows it again when it is restored', async () => {
    const earlier = await currentRevision();
    const { value } = await imported({ templates: [{ name: 'Later', status: 'live' }] });
    const later = await currentRevision();
    const archived = async () => {
      const { body } = await api.request('GET', '/v1/templates', { token: team.token });
      const found = body.templates.find(({ name }: { name: string }) => name === 'Later');
      return [found.id, found.is_archived];
    };
    const [{ id }] = value.ids.templates;
    await run('restore', earlier!);
    expect(await archived()).toEqual([id, true]);
    await run('restore', later!);
    expect(await archived()).toEqual([id, null]);
  });

  test.each(['nothing', randomUUID()])('of %s is refused', async (revision) => {
    expect(await run('restore', revision)).toMatchObject({ status: 1, value: { error: 'not_found' } });
  });
});

describe('a team with content approval', () => {
  afterEach(() => vi.unstubAllEnvs());
  const becomeAnn = () => vi.stubEnv('ADMIN_USER', 'ann');
  const pending = async () =>
    (await run('history')).value.filter(({ state }: { state: string }) => state === 'pending');

  test('publishes what one person imports when another one approves it', async () => {
    const set = ['team', 'update', '--team', team.teamId, '--content-approval'];
    expect((await adminJson(...set, 'on')).value.content_approval).toBe(true);
    const before = await currentRevision();
    const seven = campaign('Seven short steps', { theme: { typography: { heading_file_id: randomUUID() } } });
    const { value } = await imported(seven);
    const { pending_revision: revision } = value;
    expect([await headingNow(), await currentRevision()]).toEqual(['Five short steps', before]);
    expect(await pending()).toMatchObject([
      { revision, who: userInfo().username, changes: [expect.stringContaining('"Seven short steps"')] },
    ]);
    // The document as it was given, to look at.
    expect((await run('export', '--revision', revision)).value).toEqual(seven);
    const own = await run('approve', revision);
    expect(own).toMatchObject({ status: 1, value: { error: 'forbidden', details: [{ path: '<revision>' }] } });
    expect(own.value.details[0].message).toContain(userInfo().username);
    const refused = { status: 1, value: { error: 'conflict' } };
    expect(await imported(campaign('Nine short steps'))).toMatchObject(refused);
    expect(await run('restore', before!)).toMatchObject(refused);
    becomeAnn();
    atTerminal();
    const asking = await admin(['content', 'approve', revision, '--team', team.teamId]);
    expect(asking.stderr).toContain('text "Five short steps" becomes "Seven short steps"');
    // What the first person was warned of.
    expect(value.warnings).toHaveLength(1);
    expect(asking.stderr).toContain(`Warning: ${value.warnings[0].path}: ${value.warnings[0].message}`);
    expect(await headingNow()).toBe('Five short steps');
    expect((await run('approve', revision, '--yes')).status).toBe(0);
    expect([await headingNow(), await pending()]).toEqual(['Seven short steps', []]);
    expect((await run('history')).value[0]).toMatchObject({
      ...{ state: 'current', what: 'import', who: userInfo().username, approved_by: 'ann' },
    });
    expect((await run('approve', revision, '--yes')).value).toMatchObject({ error: 'not_found' });
    const { value: acts } = await adminJson('audit', 'list', '--team', team.teamId, '--what', 'content approve');
    expect(acts.map(({ who, outcome }: Record<string, string>) => [who, outcome])).toEqual(
      expect.arrayContaining([
        [userInfo().username, 'forbidden'],
        ['ann', 'done'],
      ]),
    );
  });

  test('publishes nothing of what is withdrawn, and lets a restore wait, too', async () => {
    const { value } = await imported(campaign('Nine short steps'));
    expect((await run('withdraw', randomUUID())).value).toMatchObject({ error: 'not_found' });
    expect((await run('withdraw', value.pending_revision)).value).toMatchObject({ withdrawn: true });
    expect((await run('export', '--revision', value.pending_revision)).value).toMatchObject({ error: 'not_found' });
    expect([await headingNow(), await pending()]).toEqual(['Seven short steps', []]);
    const earlier = (await run('history', '--template', templateId)).value.at(-1).revision;
    const { value: restoring } = await run('restore', earlier);
    expect(await pending()).toMatchObject([{ what: 'restore', restores: earlier }]);
    becomeAnn();
    await run('approve', restoring.pending_revision);
    vi.unstubAllEnvs();
    expect(await headingNow()).toBe('Three short steps');
    // What changes nothing waits for nobody.
    expect((await imported(campaign('Three short steps'))).value.pending_revision).toBeUndefined();
  });
});
