import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { adminJson } from '../support/admin.ts';
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

test('a poisoned chunk fails after five attempts, and a redrive completes it after the cure', async () => {
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
