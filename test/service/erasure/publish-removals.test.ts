import { beforeEach, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { clearTeam } from '../../../bin/admin/operations/teams/clear.ts';
import { FolderDropBox } from '../../../bin/admin/store/drop-box/drop-box-files.ts';
import { FolderErasureList } from '../../../bin/admin/store/erasure/erasure-list.ts';
import { erasePerson } from '../../../lib/operations/erasure/erase.ts';
import { loadHolders } from '../../../lib/store/accounts/holders.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { eventPartition } from '../../../lib/store/table/keys.ts';
import { putContent } from '../../support/operations/content.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import {
  act,
  dependencies,
  documentOf,
  idOf,
  ids,
  journeysOf,
  named,
  post,
  team,
} from '../../support/operations/journey-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { eventsOfAll, openStream, stream, typesOf } from '../../support/operations/publishing.ts';
import { temporaryDirectory } from '../../support/service/process.ts';

const savings = { account_number: 'number-7', product: { code: 'SAV', type: 'savings' } };
const link = { account_number: 'number-7', contact: { unique_id: 'cif-7' } };

beforeEach(async () => {
  await openStream();
  await putContent(stream, team, documentOf());
  await post({ unique_id: 'cif-7', name_first: 'Zaphodine', ...named });
  const [journey] = await journeysOf('cif-7');
  await act(journey!.slug, { type: 'page_viewed', page_id: ids.view });
  // One holder beside the account, and one that the account names.
  for (const each of [link, { ...savings, contact: { unique_id: 'other' } }]) {
    await postBatch(serviceOn(stream), team, { records: [each] });
    await workAll(serviceOn(stream), team);
  }
  await eventsOfAll();
});

/** The model has no indexes, and no batches. */
const table = (): Database => ({
  ...bound(stream),
  query: async (input) => (input.index ? { items: [] } : stream.query(input)),
});

const erase = (uniqueId = 'cif-7') =>
  erasePerson(
    {
      ...dependencies(table()),
      wait: async () => {},
      onProgress: () => {},
      files: new FolderDropBox(temporaryDirectory()),
      erasures: new FolderErasureList(temporaryDirectory()),
    } as Parameters<typeof erasePerson>[0],
    team,
    uniqueId,
  );

test('an erasure is one event, after which nothing of the person is told, and no account names them', async () => {
  const before = await eventsOfAll();
  await erase();
  const after = (await eventsOfAll()).slice(before.length);
  expect(after).toMatchObject([{ type: 'contact.erased', contact_id: idOf('cif-7'), team_id: team }]);
  expect(Object.keys(after[0]!).sort()).toEqual(['at', 'contact_id', 'id', 'team_id', 'type']);
  expect(await loadHolders(stream, team, 'number-7')).toEqual([idOf('other')]);
  const log = [...stream.items.values()].filter(({ pk }) => pk === eventPartition(team));
  for (const personal of ['cif-7', 'Zaphodine', 'number-7']) expect(JSON.stringify(log)).not.toContain(personal);
});

test('an erasure that leaves a placeholder is told too, with its own time', async () => {
  await changeUniqueId(dependencies(table()) as Parameters<typeof changeUniqueId>[0], team, {
    from: 'cif-7',
    to: 'cif-8',
  });
  const before = await eventsOfAll();
  stream.now = () => Date.parse('2026-03-01T12:00:07.900Z');
  await erase('cif-8');
  const [erased, ...others] = (await eventsOfAll()).slice(before.length);
  expect(erased).toMatchObject({
    type: 'contact.erased',
    at: '2026-03-01T12:00:07.000000Z',
    contact_id: idOf('cif-7'),
  });
  expect(others).toEqual([]);
  expect(JSON.stringify(stream.records)).toContain('"moved_to":{"S":"erased"}');
});

test('a person who comes back is another contact in the events', async () => {
  await erase();
  await post({ unique_id: 'cif-7', name_first: 'Zaphodine' });
  const own = (await eventsOfAll()).filter(({ contact_id }) => contact_id === idOf('cif-7'));
  const created = own.filter(({ type }) => type === 'contact.created');
  expect(created).toHaveLength(2);
  expect(new Set(created.map(({ id }) => id)).size).toBe(2);
  expect(typesOf(own).at(-1)).toBe('contact.created');
});

test('a reset of the team is no event, and leaves the log where readers have got', async () => {
  const before = await eventsOfAll();
  const deps = {
    ...serviceOn(table()),
    images: { remove: async () => {} },
    files: new FolderDropBox(temporaryDirectory()),
    async *scanTeam() {
      yield [...stream.items.values()].filter(({ pk }) => pk.startsWith(`T#${team}`));
    },
  };
  await clearTeam(deps as unknown as Parameters<typeof clearTeam>[0], team);
  expect(await eventsOfAll()).toEqual(before);
  expect(await loadHolders(stream, team, 'number-7')).toEqual([]);
  await post({ unique_id: 'new' });
  expect(typesOf((await eventsOfAll()).slice(before.length))).toEqual(['contact.created']);
});
