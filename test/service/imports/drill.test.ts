import { beforeEach, describe, expect, test } from 'vitest';
import { admin, adminJson } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';

let team: TestTeam;
beforeEach(async () => {
  team = await (await service()).newTeam();
});

const drill = (verb: string, ...args: string[]) => adminJson('drill', verb, '--team', team.teamId, ...args);
describe('drill poison-chunk', () => {
  test('says how to go on, and does not begin twice', async () => {
    const { stdout } = await admin(['drill', 'poison-chunk', '--team', team.teamId]);
    expect(stdout).toMatch(/npm run admin -- batch show drill-[0-9a-f-]+ --team [0-9a-f-]+ --watch\n.*#chunks_failed/);
    expect(await drill('poison-chunk')).toMatchObject({ status: 1, value: { error: 'conflict' } });
    expect((await drill('cure')).status).toBe(0);
  });

  test('delays no events', async () => {
    await drill('poison-chunk');
    const api = await service();
    const { token } = team;
    await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'a' } });
    const events = async () => (await api.request('GET', '/v1/events', { token })).body.events;
    await expect.poll(events, { timeout: 20_000 }).toMatchObject([{ type: 'contact.created' }]);
  });

  test('is what a cure needs', async () => {
    expect(await drill('cure')).toMatchObject({ status: 1, value: { error: 'not_found' } });
  });

  test.each(['poison-chunk', 'cure'])('%s refuses a deployed stack', async (verb) => {
    const { status, value } = await drill(verb, '--stack', 'Onboarding');
    expect([status, value.error]).toEqual([1, 'local_only']);
  });
});
