import { describe, expect, test } from 'vitest';
import { StepFailure } from '../../bin/smoke/failure.ts';
import { isRight, reportOf, textOf } from '../../bin/smoke/report.ts';
import type { Step } from '../../bin/smoke/step.ts';
import { walk } from '../../bin/smoke/walk.ts';
import type { World } from '../../bin/smoke/world.ts';

const world = {} as World;
const passes = async () => {};

const reads: Step = { name: 'read', function: 'confirm-journey', uses: { Query: ['T#*'] }, run: passes };
const writes: Step = {
  name: 'write',
  function: 'confirm-journey',
  uses: { Query: ['T#*'], Write: ['PartiQLUpdate'] },
  run: async () => {
    throw new StepFailure('PUT responded 500 internal_error', { functionId: 'confirm-journey', requestId: 'r-1' });
  },
};
const waits: Step = { name: 'wait', function: 'import-sweeper', skip: () => 'it takes long', run: passes };

describe('a walk', () => {
  test('goes on after a step that failed, and names the permissions that no step that passed has used', async () => {
    const results = await walk(world, [reads, writes, waits]);
    expect(results).toMatchObject([
      { name: 'read', result: 'passed' },
      {
        name: 'write',
        result: 'failed',
        reason: 'PUT responded 500 internal_error',
        failed_function: 'confirm-journey',
        likely_grants: ['Write PartiQLUpdate', 'Write T#*#C#*'],
        request_id: 'r-1',
      },
      { name: 'wait', result: 'skipped', reason: 'it takes long', milliseconds: 0 },
    ]);
  });

  test('names the function of the request that failed, if it is not that of the step', async () => {
    const run = async () => {
      throw new StepFailure('POST responded 500', { functionId: 'get-jwks' });
    };
    const [result] = await walk(world, [{ ...reads, run }]);
    expect(result).toMatchObject({ failed_function: 'get-jwks', likely_grants: ['Query Query', 'Query KEYS'] });
  });

  test('names only the permissions for the action that the log says was refused', async () => {
    const log = { text: 'request failed: AccessDeniedException (dynamodb:PartiQLUpdate)', denied: 'PartiQLUpdate' };
    const reach = { patience: 1, skipsSchedules: true, readLog: async () => log };
    const [result] = await walk({ reach } as unknown as World, [writes]);
    expect(result).toMatchObject({ likely_grants: ['Write PartiQLUpdate', 'Write T#*#C#*'], log: log.text });
  });

  test('reports an unexpected error by its message', async () => {
    const run = async () => {
      throw new TypeError('x is not a function');
    };
    const [result] = await walk(world, [{ ...reads, run }]);
    expect(result).toMatchObject({ result: 'failed', reason: 'x is not a function' });
  });
});

describe('the report', () => {
  const of = async (...steps: Step[]) =>
    reportOf({ baseUrl: 'http://127.0.0.1:3000', teamId: 't' }, await walk(world, steps), null, 1.5);

  test('has a line for each step, what failed with its likely permissions, and a summary', async () => {
    const text = textOf(await of(reads, writes, waits));
    expect(text).toMatch(/^STEP {3}FUNCTION {9}RESULT {3}MS\nread {3}confirm-journey {2}passed {3}\d/);
    expect(text).toContain('Failed: write\n  PUT responded 500 internal_error\n  function: confirm-journey\n');
    expect(text).toContain('if a permission is missing, it is one of: Write PartiQLUpdate, Write T#*#C#*');
    expect(text).toContain('Skipped: wait: it takes long.');
    expect(text).toContain('1 steps passed, 1 failed, 1 skipped in 1.5 seconds at http://127.0.0.1:3000.');
  });

  test('is right if no step failed and everything was cleaned up', async () => {
    const report = await of(reads, waits);
    const cleaned = { contacts_erased: 1, clients_revoked: 1, images_removed: 1, files_removed: 0, remains: [] };
    expect(isRight(report)).toBe(true);
    expect(isRight({ ...report, clean_up: { ...cleaned, failures: ['the image: it is gone'] } })).toBe(false);
    expect(isRight(await of(reads, writes))).toBe(false);
  });
});
