import { beforeEach, expect, test } from 'vitest';
import { exportedObjects } from '../../../bin/admin/operations/teams/export-team.ts';
import { loadPersonItems } from '../../../lib/store/erasure/person-items.ts';
import { insertionOf, insertionsOf } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Item, type QueryInput } from '../../../lib/store/table/database.ts';
import { itemKinds, kindOf } from '../../../lib/store/table/item-kinds.ts';
import { account, mapping, marks, PersonWorld } from '../../support/operations/person-world.ts';
import { journeyOf } from '../../support/samples/samples.ts';

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

test('the export of a person without anything is empty', async () => {
  expect(await world.export('nobody')).toEqual({
    unique_id: 'nobody',
    contact_id: expect.any(String),
    exported_at: expect.any(String),
    contact: null,
    objective_completions: {},
    former_unique_ids: [],
    consent: [],
    left_at: null,
    identity_facts_changed: null,
    lookup_entries: [],
    links: [],
    accounts: [],
    journeys: [],
    responses: [],
    identity_attempts: null,
    targeting: { targeted: [] },
    messages: [],
    verifications: [],
    message_times: {},
    chunk_records: [],
    file_rows: [],
  });
});

test('each kind of item of a person says something in the export of the person and of the team', async () => {
  await world.fill(0);
  const { database, teamId } = world;
  const items = await loadPersonItems(database, teamId, world.contactId);
  const inContact = Object.values(itemKinds).filter(({ pk }) => pk === itemKinds.contact.pk);
  expect(new Set(items.map(({ item }) => kindOf(item)!.kind))).toEqual(new Set(inContact));
  const now = () => 0;
  const whole = await world.export(marks.present, { now });
  for (const { pk, sk } of inContact) {
    const own = items.flatMap(({ item }) => (kindOf(item)!.kind.sk === sk ? [item] : []));
    const kind = `${pk} ${sk}`;
    const isOther = ({ pk, sk }: Item) => !own.some((item) => item.pk === pk && item.sk === sk);
    const query = async (input: QueryInput) => {
      const page = await database.query(input);
      return { ...page, items: page.items.filter(isOther) };
    };
    const without = await world.export(marks.present, { now, database: { ...bound(database), query } });
    expect.soft(without, `${kind} in the export of the person`).not.toEqual(whole);
    expect.soft(await exportedObjects(database, teamId, own), `${kind} in the export of the team`).not.toEqual([]);
  }
});

test('each journey has its own actions and answers', async () => {
  await world.fill(0);
  const template_id = 'bbbbbbbb-0000-4000-8000-000000000001';
  const at = '2026-03-01T12:00:00.000000Z';
  const times = { completion_verified_at: null, inserted_at: at, updated_at: at };
  const ids = { id: crypto.randomUUID(), slug: 'another-slug', contact_id: world.contactId, template_id };
  const names = { name: 'Second', owner_id: null, source: 'api' };
  const second = journeyOf({ ...ids, ...names, ...times });
  const about = { account_id: crypto.randomUUID(), is_one_for_one: true };
  const third = { ...second, ...about, name: 'Third', id: crypto.randomUUID(), slug: 'a-third-slug' };
  for (const [journey, kind] of [[second, 'completed'] as const, [third, 'viewed'] as const]) {
    await world.database.transact(insertionsOf(world.teamId, journey, at, undefined));
    await world.database.write([insertionOf(world.teamId, journey, { kind, page_id: template_id, at })]);
  }
  const { journeys } = await world.export();
  const shown = journeys.map(({ name, actions, answers }) => [name, actions.map(({ kind }) => kind), answers.length]);
  expect(shown.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ['Second', ['completed'], 0],
    ['Third', ['viewed'], 0],
    ['Welcome', ['viewed'], 1],
    // About an account, from another template.
    ['Welcome', ['viewed'], 0],
  ]);
});

test('a link whose account no record has created is exported without an account', async () => {
  await world.post('ann');
  await world.accept('one', 0, [mapping('1', 'ann'), account('2', 'ann')]);
  await world.work();
  const { links, accounts } = await world.export('ann');
  expect(links.map(({ account_number }) => account_number)).toEqual(['1', '2']);
  expect(accounts.map(({ account_number }) => account_number)).toEqual(['2']);
});

test('a file that names the person and cannot be read is exported without a line', async () => {
  await world.drop('contacts/array.json', [`[{"unique_id":"${marks.present}"}]`]);
  await world.drop('contacts/other.csv', ['unique_id', 'other']);
  const lines: string[] = [];
  const { file_rows } = await world.export(marks.present, { onProgress: (text) => void lines.push(text) });
  expect(file_rows).toEqual([{ key: `${world.teamId}/contacts/array.json`, version: expect.any(String), line: null }]);
  expect(lines).toContain(`reading ${world.teamId}/contacts/other.csv`);
});

test('a person whom a file names in more rows than a call has arguments is exported', async () => {
  await world.put('contacts/many.csv', ['unique_id', ...Array(130_000).fill('ann')]);
  const { file_rows } = await world.export('ann');
  expect([file_rows.length, file_rows.at(-1)?.line]).toEqual([130_000, 130_001]);
});
