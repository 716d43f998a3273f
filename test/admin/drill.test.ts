import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { admin, adminJson } from '../support/admin.ts';
import { service, type TestTeam } from '../support/service.ts';

let team: TestTeam;
beforeEach(async () => {
  team = await (await service()).newTeam();
});

const drill = (verb: string, ...args: string[]) => adminJson('drill', verb, '--team', team.teamId, ...args);
const stateOf = async (batch: string) => (await adminJson('batch', 'show', batch)).value.chunks[0];

async function until(state: string, batch: string) {
  for (let round = 0; round < 120; round++) {
    const chunk = await stateOf(batch);
    if (chunk.state === state) return chunk;
    await sleep(500);
  }
  throw new Error(`the chunk is never ${state}`);
}

describe('drill poison-chunk', () => {
  test('makes a chunk fail, which a redrive completes after the cure', async () => {
    const { status, value } = await drill('poison-chunk');
    expect(status).toBe(0);
    expect(await until('failed', value.batch_id)).toMatchObject({ attempts: 5, failure: 'given up after 5 attempts' });
    expect((await adminJson('failed', 'list', '--team', team.teamId)).value).toMatchObject([
      { batch_id: value.batch_id, chunk: 0 },
    ]);
    expect(await drill('cure')).toEqual({ status: 0, value: { team_id: team.teamId } });
    await adminJson('failed', 'redrive', '--team', team.teamId, '--all');
    expect(await until('completed', value.batch_id)).toMatchObject({ counts: { applied: 1 } });
  }, 60_000);

  test('says how to go on, and does not begin twice', async () => {
    const { stdout } = await admin(['drill', 'poison-chunk', '--team', team.teamId]);
    expect(stdout).toMatch(/npm run admin -- batch show drill-[0-9a-f-]+ --team [0-9a-f-]+ --watch\n.*#chunks_failed/);
    expect(await drill('poison-chunk')).toMatchObject({ status: 1, value: { error: 'conflict' } });
    expect((await drill('cure')).status).toBe(0);
    expect(await drill('cure')).toMatchObject({ status: 1, value: { error: 'not_found' } });
  });

  test.each(['poison-chunk', 'cure'])('%s refuses a deployed stack', async (verb) => {
    const { status, value } = await drill(verb, '--stack', 'Onboarding');
    expect([status, value.error]).toEqual([1, 'local_only']);
  });
});
