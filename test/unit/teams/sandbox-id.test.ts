import { expect, test } from 'vitest';
import { isSandbox, sandboxIdOf } from '../../../lib/domain/teams/sandbox.ts';

const team = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
const sandbox = sandboxIdOf(team);

test('the id of a sandbox is a UUID of version 8', () => {
  expect(sandbox).toBe('6f1c4f0e-8f4f-8c42-9b5e-2b4f0c1d7a10');
  expect([isSandbox(sandbox), isSandbox(team)]).toEqual([true, false]);
});
