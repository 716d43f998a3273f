import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentToExport } from '../../../bin/admin/operations/campaigns/content.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { loadStoredContent, saveContent } from '../../../lib/store/campaigns/content.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const [team, first, second, global] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const objective = (key: string) => ({ id: randomUUID(), team_id: null, key, name: null, driver_id: null });

async function stored(): Promise<ModelDatabase> {
  const database = new ModelDatabase();
  for (const [owner, revision, key] of [
    [team, first, 'first'],
    [team, second, 'second'],
    [globalTeam, global, 'global'],
  ] as const) {
    const before = await loadStoredContent(database, owner);
    await saveContent(database, owner, { ...noContent, objectives: [objective(key)] }, { before, revision, now: 0 });
  }
  return database;
}

test.each([
  ['the current', team, second, 'second'],
  ['an earlier', team, first, 'first'],
  ['the global', null, global, 'global'],
])('the export of a revision can be that of %s content', async (_, owner, revision, key) => {
  expect(await contentToExport(await stored(), owner, revision)).toMatchObject({ objectives: [{ key }] });
});

test.each([
  ['another team', randomUUID(), first],
  ['no team', null, first],
  ['a team that has not had it', team, global],
])('a revision of %s is not exported', async (_, owner, revision) => {
  expect(await contentToExport(await stored(), owner, revision)).toBeUndefined();
});

test.each(['', 'x'.repeat(3000), first.toUpperCase()])('%j is no revision, and is not read', async (revision) => {
  const database = await stored();
  database.query = () => Promise.reject(new Error('a read'));
  expect(await contentToExport(database, team, revision)).toBeUndefined();
});
