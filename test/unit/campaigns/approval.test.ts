import { beforeEach, describe, expect, test } from 'vitest';
import { approveContent, proposeContent } from '../../../bin/admin/operations/campaigns/approval.ts';
import { restoringDocument } from '../../../bin/admin/operations/campaigns/restore.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { loadRevision, loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import { loadPending, type PublishedRevision, publishedRevisions } from '../../../lib/store/campaigns/revisions.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { loadTargeting } from '../../../lib/store/targeting/rules.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn } from '../../support/operations/operations.ts';

/** What is published is published once, whole, and with its entry in the history, wherever the command is killed. */

let database: ModelDatabase;
let team: string;
beforeEach(async () => {
  database = new ModelDatabase();
  team = (await createTeam(serviceOn(database), { name: 'Bank', features: [] })).team_id;
});

const on = (to: Database) => ({ ...serviceOn(to, { pause: async () => {} }), fits: () => true });
const rule = { targeting_groups: [{ conditions: [{ field: 'contact.email', operator: 'is_set' }] }] };
const template_pages = [{ page: { content_name: 'First' } }];
const document = (name: string) =>
  ({
    templates: [{ id: '00000000-0000-4000-8000-000000000001', name, status: 'live', template_pages, ...rule }],
  }) as JsonValue;

class Killed extends Error {}

/** The command stops before or after this write of it, counted from 0. */
function killedAt(place: number, isAfter: boolean): Database {
  let count = 0;
  const inner: Database = database;
  const counted = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    const isHere = count++ === place;
    if (isHere && !isAfter) throw new Killed();
    const result = await write();
    if (isHere) throw new Killed();
    return result;
  };
  return {
    ...bound(inner),
    write: (...args) => counted(() => inner.write(...args)),
    transact: (...args) => counted(() => inner.transact(...args)),
  };
}

const stored = async () => {
  const entries: PublishedRevision[] = [];
  for await (const each of publishedRevisions(database, team)) entries.push(each);
  const { document, revision } = await loadStoredContent(database, team);
  return {
    name: document.templates[0]?.name,
    isCurrent: entries[0]?.revision === revision,
    entries: entries.map(({ what, changes }) => `${what}: ${changes[0]}`),
    pending: (await loadPending(database, team))?.changes[0],
    rules: (await loadTargeting(database, team)).rules.filter(({ live }) => live).length,
  };
};
const first = 'import: Adds the campaign "First"';
const renamed = 'Changes the campaign "Second": text "First" becomes "Second"';

const acts: Record<string, { run(to: Database): Promise<unknown>; entry: string }> = {
  'an approval': {
    run: async (to) => {
      const pending = await loadPending(database, team);
      // The person sees in the history that nothing waits any more.
      if (pending) await approveContent(on(to), team, { revision: pending.revision, who: 'other' });
    },
    entry: `import: ${renamed}`,
  },
  'a restore': {
    run: async (to) => {
      const second = (await loadPending(database, team))!;
      const { document: current } = await loadStoredContent(database, team);
      const earlier = { ...current, templates: current.templates.map((each) => ({ ...each, name: 'Second' })) };
      const act = { who: 'me', what: 'restore', restores: second.revision } as const;
      await importContent(on(to), team, restoringDocument(earlier, current), { act });
    },
    entry: `restore: ${renamed}`,
  },
};

describe.each(Object.entries(acts))('%s', (what, { run, entry }) => {
  test.each([false, true])(
    'that is killed at any write is done by the next one, once (after the write: %s)',
    async (isAfter) => {
      const waits = what === 'a restore' ? renamed : undefined;
      let place = 0;
      for (let isKilled = true; isKilled; place++) {
        database = new ModelDatabase();
        team = (await createTeam(serviceOn(database), { name: 'Bank', features: [] })).team_id;
        await importContent(on(database), team, document('First'));
        await proposeContent(on(database), team, document('Second'), { act: { who: 'me', what: 'import' } });
        isKilled = await run(killedAt(place, isAfter)).then(
          () => false,
          (error) => {
            expect(error).toBeInstanceOf(Killed);
            return true;
          },
        );
        expect(['First', 'Second']).toContain((await stored()).name);
        await run(database);
        expect(await stored()).toEqual({
          ...{ name: 'Second', isCurrent: true, entries: [entry, first], pending: waits, rules: 1 },
        });
      }
      expect(place).toBeGreaterThan(2);
    },
  );
});

test('a proposal that is killed waits, or does not, and the next one waits once', async () => {
  await importContent(on(database), team, document('First'));
  const propose = (to: Database) =>
    proposeContent(on(to), team, document('Second'), { act: { who: 'me', what: 'import' } });
  await expect(propose(killedAt(1, false))).rejects.toThrow(Killed);
  expect((await stored()).pending).toBeUndefined();
  const { pending } = await propose(database);
  expect(await stored()).toMatchObject({ name: 'First', pending: renamed, entries: [first] });
  await expect(propose(database)).rejects.toMatchObject({ code: 'conflict' });
  await approveContent(on(database), team, { revision: pending!.revision, who: 'other' });
  expect(await loadRevision(database, team, pending!.revision)).toBeUndefined();
});

test('an approval is of the content as it is then', async () => {
  await importContent(on(database), team, document('First'));
  const { pending } = await proposeContent(on(database), team, document('Second'), {
    act: { who: 'me', what: 'import' },
  });
  // Approval was switched off for a moment.
  await importContent(on(database), team, { objectives: [{ key: 'k' }] });
  const changes: unknown[] = [];
  await approveContent(on(database), team, {
    ...{ revision: pending!.revision, who: 'other' },
    onReview: (review) => changes.push(...review.changes),
  });
  expect(changes).toMatchObject([{ kind: 'template', change: 'changed' }]);
  expect((await loadStoredContent(database, team)).document.objectives).toMatchObject([{ key: 'k' }]);
});
