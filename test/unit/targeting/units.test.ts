import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { targetingUnits } from '../../../bench/cost/units.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { askForWalk, overEverybody } from '../../../lib/operations/targeting/ask-for-walk.ts';
import { workMarks } from '../../../lib/operations/targeting/work-marks.ts';
import { workWalks } from '../../../lib/operations/targeting/work-walks.ts';
import type { Consumed } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { lanesOf, writeMarks } from '../../../lib/store/targeting/marks.ts';
import { freshTable, reportsCapacity } from '../../support/engine/engine.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertBatch } from '../../support/operations/operations.ts';
import { account } from '../../support/operations/person-world.ts';
import { template, whoseProductIs } from '../../support/operations/targeting-world.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record } from '../../support/samples/contacts.ts';

test('a changed contact costs one read of its partition and its accounts, and a journey its items', async () => {
  if (!(await reportsCapacity())) return;
  const consumed: Consumed[] = [];
  const { database } = await freshTable({ onConsumed: (each) => consumed.push(each) });
  const teamId = await newTeam(database);
  const fail = (error: unknown) => {
    throw error;
  };
  const service = { ...serviceOn(database), onRuleFailure: fail, onPassedOver: fail };
  const people = Array.from({ length: 400 }, (_, n) => `p${n}`);
  const contactIds = people.map((each) => derivedContactId(teamId, each));
  const units = async (work: () => Promise<unknown>) => {
    consumed.length = 0;
    await work();
    const sum = (name: 'readUnits' | 'writeUnits') => consumed.reduce((total, each) => total + each[name], 0);
    return { read: sum('readUnits') / people.length, write: sum('writeUnits') / people.length };
  };
  const judged = (markTogether?: number) =>
    units(async () => {
      const subjects = contactIds.map((contactId) => ({ contactId }));
      await writeMarks(database, teamId, subjects, {
        at: new Date().toISOString(),
        newToken: randomUUID,
        markTogether,
      });
      for (const [lane] of lanesOf(teamId).entries()) await workMarks(service, teamId, lane, () => true);
    });
  const welcome = template({ targeting_groups: whoseProductIs('checking') });
  await importContent({ ...service, fits: () => true }, teamId, { templates: [welcome] } as never);
  await upsertBatch(
    service,
    teamId,
    people.map((unique_id) => record({ unique_id })),
    { fits: () => true },
  );
  const of = (each: string) => [account(`${each}-1`, each), account(`${each}-2`, each), account(`${each}-3`, each)];
  for (const half of [people.slice(0, 200), people.slice(200)]) {
    await postBatch(service, teamId, { records: half.flatMap(of) });
    await workAll(service, teamId);
  }
  const alone = Number.POSITIVE_INFINITY;
  const started = await judged(alone);
  const unchanged = await judged(alone);
  const imported = await judged();
  await askForWalk(service, teamId, overEverybody);
  const walked = await units(() => workWalks(service, teamId, () => true));
  const { judgedContact, walkedContact, startedJourney } = targetingUnits;
  expect(walked.read).toBeCloseTo(walkedContact.read, 0);
  expect(walked.write).toBeCloseTo(walkedContact.write, 0);
  expect(unchanged.read).toBeCloseTo(judgedContact.read, 0);
  expect(unchanged.write).toBeCloseTo(judgedContact.write, 0);
  // Many contacts at once are marked together.
  expect(imported.read).toBeLessThanOrEqual(unchanged.read);
  expect(imported.write).toBeLessThan(unchanged.write / 10);
  expect(started.write - unchanged.write).toBeCloseTo(startedJourney.write, 0);
  expect(started.read - unchanged.read).toBeCloseTo(startedJourney.read, 0);
});
