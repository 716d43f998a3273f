import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { lookupUnits } from '../../../bench/cost/units.ts';
import { fillLookups } from '../../../bin/admin/operations/contacts/fill-lookups.ts';
import { defaultScanUnits } from '../../../lib/domain/access/scan-budget.ts';
import { noDetails } from '../../../lib/domain/contacts/contact.ts';
import { type LookupField, lookupField } from '../../../lib/domain/contacts/lookup.ts';
import { channelContent } from '../../../lib/operations/journeys/channel-content.ts';
import { contentCachedFor, loadLookups } from '../../../lib/store/campaigns/content.ts';
import { writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import type { Consumed } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { inRounds } from '../../support/engine/round-trips.ts';
import { putContent } from '../../support/operations/content.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record } from '../../support/samples/contacts.ts';

const consumed: Consumed[] = [];
const { database } = await freshTable({ onConsumed: (each) => consumed.push(each) });

const channel = { id: randomUUID(), name: 'Web', lookup_fields: ['meta_private[core_id]', 'email'] };
/** Hidden once an account is opened, so that the account has to be looked at. */
const page = (order: number, fields: object = {}) => ({
  id: randomUUID(),
  order,
  page: { id: randomUUID(), content_containers: [{ engagement_channel_id: channel.id }], ...fields },
});
const opens = { hide_when_complete: true, completion_condition: 'open', completion_product_type: 'checking' };
const template = {
  id: randomUUID(),
  name: 'Welcome',
  status: 'live',
  is_cce_enabled: true,
  template_pages: [page(1, opens), page(2)],
};

const unhurried = async () => {};
const fillDependencies = serviceOn(database, { wait: unhurried, pause: unhurried });
const coreId = lookupField('meta_private[core_id]') as LookupField;
const nameFirst = lookupField('name_first') as LookupField;

/** A team with that many contacts, one of them with a journey. */
async function institution(contacts: number) {
  const teamId = await newTeam(database);
  await putContent(database, teamId, { engagement_channels: [channel], templates: [template] });
  await fillLookups(fillDependencies, teamId);
  const lookups = await loadLookups(database, teamId);
  const writes = Array.from({ length: contacts - 1 }, (_, n) => {
    const at = `2026-01-01T00:00:00.${String(n).padStart(6, '0')}Z`;
    const person = { ...noDetails, name_first: 'Ann', email: `${n}@example.com`, meta_private: { core_id: `C-${n}` } };
    const id = derivedContactId(teamId, `c${n}`);
    const contact = { ...person, id, unique_id: `c${n}`, inserted_at: at, updated_at: at };
    return writeOfContact(teamId, contact, undefined, lookups, { writer: 'test' });
  });
  await database.write(writes);
  const sought = { unique_id: 'sought', meta_private: { core_id: 'sought' }, journey: { template_id: template.id } };
  await upsertContact(serviceOn(database), teamId, record(sought));
  await holdAccount(teamId, sought.unique_id);
  return teamId;
}

/** An account of the contact, of a product that opens no page. */
async function holdAccount(teamId: string, unique_id: string): Promise<void> {
  const dependencies = serviceOn(database);
  const product = { code: 'SAV', type: 'savings' };
  await postBatch(dependencies, teamId, { records: [{ account_number: '1', contact: { unique_id }, product }] });
  await workAll(dependencies, teamId);
}

/** Instances of the function, with a clock of their own. */
function instance() {
  let time = Date.now();
  const observed = inRounds(database);
  const dependencies = serviceOn(observed.database, {
    now: () => time,
    pause: async () => {},
    scanUnits: defaultScanUnits,
  });
  return {
    /** What one lookup costs, in round trips and read units. */
    costOf: async (teamId: string, field: LookupField, value: string) => {
      consumed.length = 0;
      const before = observed.rounds();
      const { journey_url } = await channelContent(dependencies, { teamId, clientId: 'client' }, channel.id, {
        field,
        value,
      });
      const read = consumed.reduce((sum, each) => sum + each.readUnits, 0);
      return { found: journey_url !== null, trips: observed.rounds() - before, read };
    },
    later: () => {
      time += contentCachedFor;
    },
  };
}

describe('what a lookup by a declared field costs', () => {
  const few = 100;
  const many = 3000;
  let teams: [few: string, many: string];
  beforeAll(async () => {
    teams = [await institution(few), await institution(many)];
  });

  test('is the same for a hundred contacts and for thousands, and at most three round trips', async () => {
    const costs = [];
    for (const teamId of teams) {
      const { costOf, later } = instance();
      const cold = await costOf(teamId, coreId, 'sought');
      const warm = await costOf(teamId, coreId, 'sought');
      const none = await costOf(teamId, coreId, 'nobody');
      later();
      const stale = await costOf(teamId, coreId, 'sought');
      costs.push({ cold, warm, none, stale });
    }
    expect(costs[1]).toEqual(costs[0]);
    const { cold, warm, none, stale } = costs[0]!;
    expect([cold, warm, none, stale].map(({ found }) => found)).toEqual([true, true, false, true]);
    for (const { trips } of [warm, none, stale]) expect(trips).toBeLessThanOrEqual(lookupUnits.trips);
    expect(cold.trips).toBeLessThanOrEqual(lookupUnits.coldTrips);
    expect(warm.read).toBeLessThanOrEqual(lookupUnits.warm);
    expect(stale.read).toBeLessThanOrEqual(lookupUnits.stale);
    expect(cold.read).toBeLessThanOrEqual(lookupUnits.cold);
  });

  test('of a field that is not declared grows with the contacts', async () => {
    const costs = [];
    for (const teamId of teams) costs.push(await instance().costOf(teamId, nameFirst, 'Bob'));
    expect(costs[1]!.read).toBeGreaterThan(5 * costs[0]!.read);
  });
});

test('of two fields that channels declare in different ways, five in all are one too many', async () => {
  const teamId = await newTeam(database);
  const lookup_fields = ['email', 'city', 'state', 'meta_private[a][b]'];
  await putContent(database, teamId, { engagement_channels: [{ ...channel, lookup_fields }] });
  const more = { id: randomUUID(), name: 'App', lookup_fields: ['meta_private[a.b]', 'county'] };
  await expect(putContent(database, teamId, { engagement_channels: [more] })).rejects.toMatchObject({
    details: [{ path: '/engagement_channels/0/lookup_fields' }],
  });
  const wrong = { ...more, lookup_fields: ['email', 'nickname', 'id'] };
  await expect(putContent(database, teamId, { engagement_channels: [wrong] })).rejects.toMatchObject({
    details: [1, 2].map((at) => ({ path: `/engagement_channels/0/lookup_fields/${at}` })),
  });
});
