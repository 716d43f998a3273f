import { beforeEach, expect, test } from 'vitest';
import { adminJson } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';

let team: TestTeam;
beforeEach(async () => {
  team = await (await service()).newTeam();
});

const drill = (verb: string, ...args: string[]) => adminJson('drill', verb, '--team', team.teamId, ...args);
const stateOf = async (batch: string) => (await adminJson('batch', 'show', batch)).value.chunks[0];

test('a poisoned chunk fails after five attempts, and a redrive completes it after the cure', async () => {
  const { status, value } = await drill('poison-chunk');
  expect(status).toBe(0);
  const givenUp = {
    state: 'failed',
    attempts: 5,
    failure: 'given up after 5 attempts: a stored link is invalid: order, outcomes',
  };
  await expect.poll(() => stateOf(value.batch_id), { interval: 500 }).toMatchObject(givenUp);
  expect((await adminJson('failed', 'list', '--team', team.teamId)).value).toMatchObject([
    { batch_id: value.batch_id, chunk: 0, failure: givenUp.failure },
  ]);
  expect(await drill('cure')).toEqual({ status: 0, value: { team_id: team.teamId } });
  await adminJson('failed', 'redrive', '--team', team.teamId, '--all');
  const applied = { state: 'completed', counts: { applied: 1 } };
  await expect.poll(() => stateOf(value.batch_id), { interval: 500 }).toMatchObject(applied);
  // The drill has ended: there is nothing to cure, and another one can begin.
  expect((await drill('cure')).value.error).toBe('not_found');
  expect((await drill('poison-chunk')).status).toBe(0);
});

test('a drill that is ended before its chunk is failed has ended, and the chunk is applied', async () => {
  const { value } = await drill('poison-chunk');
  expect((await drill('cure')).status).toBe(0);
  await expect.poll(() => stateOf(value.batch_id), { interval: 500 }).toMatchObject({ state: 'completed' });
  expect((await drill('cure')).value.error).toBe('not_found');
  expect((await drill('poison-chunk')).status).toBe(0);
  expect((await drill('cure')).status).toBe(0);
});
