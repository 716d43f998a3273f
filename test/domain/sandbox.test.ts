import { expect, test } from 'vitest';
import { alwaysFails, isSandbox, magicIdentity, magicProblem, sandboxIdOf } from '../../lib/domain/sandbox.ts';

const team = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
const sandbox = sandboxIdOf(team);

test('the id of a sandbox is a UUID of version 8', () => {
  expect(sandbox).toBe('6f1c4f0e-8f4f-8c42-9b5e-2b4f0c1d7a10');
  expect([isSandbox(sandbox), isSandbox(team)]).toEqual([true, false]);
});

test.each([
  ['identity-fails@sandbox.example', 'fails'],
  ['Identity-Locked@Sandbox.Example', 'locked'],
  ['ann@example.com', undefined],
  ['constructor', undefined],
  [null, undefined],
])('the magic of the email %s in a sandbox is %s', (email, expected) => {
  expect(magicIdentity(sandbox, { email })).toBe(expected);
  expect(magicIdentity(team, { email })).toBeUndefined();
});

test.each([
  [['c1', 'sandbox-throttled', 'sandbox-unavailable'], 'too_many_requests'],
  [['sandbox-unavailable'], 'unavailable'],
  [['sandbox-internal-error'], 'internal_error'],
  [['c1'], undefined],
  [[], undefined],
])('the magic of the contacts %j in a sandbox is %s', (uniqueIds, expected) => {
  expect(magicProblem(sandbox, uniqueIds)).toBe(expected);
  expect(magicProblem(team, uniqueIds)).toBeUndefined();
});

test.each([
  [sandbox, 'sandbox-fails', true],
  [sandbox, 'sandbox-fails-2', true],
  [sandbox, 'my-sandbox-fails', false],
  [team, 'sandbox-fails', false],
])('a chunk of team %s in batch %s always fails: %s', (team_id, batch_id, expected) => {
  expect(alwaysFails({ team_id, batch_id })).toBe(expected);
});
