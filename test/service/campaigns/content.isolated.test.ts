import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

const sample = join(projectRoot, 'examples/campaigns.json');
const unchanged = (count: number) => ({ created: 0, updated: 0, unchanged: count });
const created = (count: number) => ({ created: count, updated: 0, unchanged: 0 });

const api = await service();
const team = await api.newTeam();

/** A team without credentials: filling its new lookup indexes does not have to wait for running writes. */
const unusedTeam = async (): Promise<string> => {
  const dependencies = serviceOn(api.database);
  return (await createTeam(dependencies, { name: 'Unused', features: [] })).team_id;
};

const imported = (document: unknown, teamId = team.teamId) =>
  adminJson('content', 'import', typeof document === 'string' ? document : fileOf(document), '--team', teamId);

describe('content import', () => {
  test('takes the sample over, says what it did, and does nothing the second time', async () => {
    const teamId = await unusedTeam();
    // Without these, the messages of the sample are not sent, which is a warning.
    const settings = ['--sender', '@cedarvalley.example', '--postal-address', '1 Main Street', '--no-earlier-list'];
    await adminJson('team', 'update', '--team', teamId, ...settings);
    const receipt = (counts: (count: number) => object, changes: number) => ({
      ...{ team_id: teamId, objectives: counts(5), engagement_channels: counts(2), templates: counts(4) },
      ...{
        ids: expect.any(Object),
        changes: Array.from({ length: changes }, () => expect.anything()),
        rules: [],
        consequences: [],
      },
      // The welcome campaign asks for no proof of identity, and has an agreement.
      warnings: [
        { path: expect.stringMatching(/content_blocks\/1\/type$/), message: expect.stringContaining('anybody') },
      ],
    });
    expect(await imported(sample, teamId)).toEqual({ status: 0, value: receipt(created, 11) });
    const before = await loadStoredContent(api.database, teamId);
    expect(await imported(sample, teamId)).toEqual({ status: 0, value: receipt(unchanged, 0) });
    expect(await loadStoredContent(api.database, teamId)).toMatchObject({ revision: before.revision });
  });

  test('shows people a table', async () => {
    const { stdout, status } = await admin(['content', 'import', sample, '--team', await unusedTeam()]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /CREATED +UPDATED +UNCHANGED\nobjectives +5 +0 +0\nengagement channels +2 +0 +0\ntemplates +4/,
    );
  });

  test('reads standard input where the file is -', async () => {
    const teamId = await unusedTeam();
    const args = ['bin/admin.ts', 'content', 'import', '-', '--team', teamId, '--json'];
    const env = { ...process.env, DATA_DIR: inject('serviceDirectory') };
    const stdout = await new Promise<string>((resolve) => {
      const command = execFile(process.execPath, args, { cwd: projectRoot, env }, (_error, out) => resolve(out));
      command.stdin?.end(JSON.stringify({ objectives: [{ key: 'piped' }] }));
    });
    expect(JSON.parse(stdout)).toMatchObject({ team_id: teamId, objectives: created(1) });
  });

  test('reports every fault with its JSON Pointer, with exit status 1, and writes nothing', async () => {
    const { teamId } = await api.newTeam();
    const document = {
      objectives: [{ key: 'fine' }, { name: 'no key' }],
      templates: [{ status: 'ongoing', template_pages: [{ page: { objective_id: randomUUID() } }] }],
    };
    const { status, value } = await imported(document, teamId);
    expect(status).toBe(1);
    expect(value.error).toBe('validation_failed');
    expect(value.details.map(({ path }: { path: string }) => path)).toEqual([
      '/objectives/1/key',
      '/templates/0/status',
      '/templates/0/template_pages/0/page/objective_id',
    ]);
    const misread = await imported({ templates: [{ name: 'A', status: 'ongoing' }] }, teamId);
    expect(misread).toMatchObject({ status: 1, value: { details: [{ path: '/templates/0/status' }] } });
    expect((await loadStoredContent(api.database, teamId)).version).toBe(0);
    const { stderr } = await admin(['content', 'import', fileOf(document), '--team', teamId]);
    expect(stderr).toMatch(/^\/objectives\/1\/key: .*\n\/templates\/0\/status: must be one of/);
  });

  test('without a team takes global objectives only', async () => {
    const key = `global_${randomUUID()}`;
    const { status, value } = await adminJson('content', 'import', fileOf({ objectives: [{ key }] }));
    expect({ status, value }).toMatchObject({ status: 0, value: { team_id: null, objectives: created(1) } });
    const { document } = await loadStoredContent(api.database, globalTeam);
    expect(document.objectives.find((each) => each.key === key)).toMatchObject({ team_id: null });
    const refused = await adminJson('content', 'import', fileOf({ templates: [{}] }));
    expect(refused).toMatchObject({ status: 1, value: { details: [{ path: '/templates' }] } });
  });

  test.each<[what: string, document: string, error: string]>([
    ['that is not there', '/nowhere/campaigns.json', 'invalid_arguments'],
    ['that is not JSON', '{"templates":', 'invalid_request'],
    ['that is no object', '[]', 'validation_failed'],
  ])('refuses a file %s', async (_what, text, error) => {
    const path = text.startsWith('/') ? text : fileOf(text);
    expect(await imported(path)).toMatchObject({ status: 1, value: { error, details: [{ path: '' }] } });
  });
});

test.each([['import', sample], ['check', sample], ['preview', sample], ['export']])(
  'content %s refuses a team that is not there',
  async (...args) => {
    const refused = await adminJson('content', ...args, '--team', randomUUID());
    expect(refused).toMatchObject({ status: 1, value: { error: 'not_found', details: [{ path: '--team' }] } });
  },
);
