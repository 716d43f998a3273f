import { expect, test } from 'vitest';
import { once } from '../../../bin/admin/access/audit.ts';
import type { AuditEntry } from '../../../lib/domain/access/audit.ts';

const entry = (act_id: string | undefined, outcome: string): AuditEntry => {
  const ids = act_id === undefined ? {} : { act_id };
  return { at: '2026-01-01T00:00:00.000000Z', who: 'w', what: 'contact show', team_id: null, ids, outcome };
};
type Given = [string | undefined, string][];
async function* from(entries: readonly AuditEntry[]) {
  yield* entries;
}

test.each<[string, Given, Given]>([
  [
    'an act that is done',
    [
      ['a', 'done'],
      ['a', 'begun'],
    ],
    [['a', 'done']],
  ],
  [
    'one that failed',
    [
      ['a', 'not_found'],
      ['a', 'begun'],
    ],
    [['a', 'not_found']],
  ],
  ['one that has not ended', [['a', 'begun']], [['a', 'begun']]],
  [
    'acts within one another, and what is no act',
    [
      ['a', 'done'],
      ['b', 'begun'],
      [undefined, 'done'],
      ['a', 'begun'],
    ],
    [
      ['a', 'done'],
      ['b', 'begun'],
      [undefined, 'done'],
    ],
  ],
])('%s is listed once', async (_, given, expected) => {
  const listed: unknown[] = [];
  for await (const { ids, outcome } of once(from(given.map((each) => entry(...each)))))
    listed.push([ids.act_id, outcome]);
  expect(listed).toEqual(expected);
});
