import { expect, test } from 'vitest';
import type { DroppedFile } from '../../../lib/domain/drop-box/drop.ts';
import { ObjectUnreadable } from '../../../lib/store/aws/objects.ts';
import { listDrops } from '../../../lib/store/drop-box/drop-files.ts';
import { listExpectedFiles, saveExpectedFile } from '../../../lib/store/drop-box/expected-files.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { csv, row } from '../../support/samples/account-files.ts';

const path = 'accounts/a.csv';
const content = csv(row(1), 'not,a,row');

async function openWorld(describe?: DropWorld['objects']['description']) {
  const world = await DropWorld.open();
  if (describe) world.objects.description = describe;
  const drop = async (bytes: string, name = path) => {
    const file = world.drop(name, bytes);
    await world.finish(file);
    return world.report(file);
  };
  const states = async () => (await listDrops(world.database, world.teamId, 10)).map(({ outcome }) => outcome?.status);
  return { world, drop, states };
}

const kms = { etags: 0 };
test.each<[string, DropWorld['objects']['description'] | undefined, string]>([
  ['the same ETag', undefined, 'repeated'],
  [
    'another ETag and the same checksum, as KMS and uploads in parts have',
    (bytes) => ({ etag: `${kms.etags++}`, checksums: { CRC64NVME: `${bytes.length}` } }),
    'repeated',
  ],
  ['neither', () => ({ etag: `${kms.etags++}`, checksums: { CRC32: `${kms.etags++}` } }), 'completed'],
  ['checksums of two kinds', () => ({ etag: `${kms.etags++}`, checksums: { [`${kms.etags++}`]: 'a' } }), 'completed'],
])('a version with %s as the one before is judged by it', async (_, describe, status) => {
  const { drop } = await openWorld(describe);
  await drop(content);
  expect(await drop(content)).toMatchObject({ version: '2', status });
});

test('a repeated version changes nothing, and its report names the version whose verdict stands', async () => {
  const { world, drop, states } = await openWorld();
  const { database, teamId: team_id } = world;
  const inserted_at = '2026-03-01T00:00:00.000000Z';
  const expected = { team_id, type: 'accounts' as const, by: '02:00', time_zone: 'UTC', last_arrival_at: null };
  await saveExpectedFile(database, { ...expected, max_rejected: 5, inserted_at });
  await drop(content);
  const before = await listExpectedFiles(database, team_id);
  const rejected = world.objects.text(`${team_id}/${path}.rejected.csv`);
  world.clock += 3_600_000;
  for (const version of ['2', '3']) {
    expect(await drop(content)).toMatchObject({
      ...{ version, status: 'repeated', type: 'accounts', rejected_file: `${team_id}/${path}.rejected.csv` },
      reason: expect.stringMatching(
        /the version 1, .*\(completed, 2 rows read, 1 accepted, 1 rejected\).*another name/,
      ),
      rows: { read: 0, accepted: 0, rejected: 0 },
    });
  }
  expect(await listExpectedFiles(database, team_id)).toEqual(before);
  expect(await states()).toEqual(expect.arrayContaining(['completed', 'repeated', 'repeated']));
  expect(world.objects.text(`${team_id}/${path}.rejected.csv`)).toBe(rejected);
  expect(await drop(content, 'accounts/b.csv')).toMatchObject({ status: 'completed', rows: { read: 2 } });
  expect(await drop(csv(row(1)))).toMatchObject({ status: 'completed', version: '4' });
  expect(await drop(content)).toMatchObject({ status: 'completed', version: '5' });
});

test('a file in a wrong folder is refused once', async () => {
  const { drop } = await openWorld();
  expect(await drop(content, 'products/a.csv')).toMatchObject({ status: 'refused' });
  expect(await drop(content, 'products/a.csv')).toMatchObject({ status: 'repeated', type: null });
});

test('an empty version that is followed within a minute is passed over, and the same bytes behind it are repeated', async () => {
  const { world, drop, states } = await openWorld();
  const gateway = async (): Promise<string> => {
    const empty = { ...world.drop(path, ''), received_at: new Date(world.clock).toISOString() };
    expect(await world.invoke(empty)).toMatchObject({ after: expect.any(Number), isRead: false });
    const { status } = await drop(content);
    expect(await world.invoke(empty)).toBe('done');
    return status;
  };
  expect([await gateway(), await gateway()]).toEqual(['completed', 'repeated']);
  expect((await states()).toSorted()).toEqual(['completed', 'repeated']);
});

test('an empty version that nothing has followed for a minute is refused', async () => {
  const { world, drop } = await openWorld();
  await drop(content);
  const received_at = new Date(world.clock).toISOString();
  const empty: DroppedFile = { ...world.drop(path, ''), received_at, size: 0, etag: 'e' };
  expect(await world.invoke(empty)).toEqual({ after: 60, isRead: false });
  world.clock += 59_000;
  expect(await world.invoke(empty)).toEqual({ after: 1, isRead: false });
  world.clock += 1000;
  await world.finish(empty);
  expect(world.report(empty)).toMatchObject({ status: 'refused', version: '2', reason: 'The file is empty.' });
  expect(await drop(content)).toMatchObject({ status: 'completed' });
});

test('an object that cannot be read is refused at once, and its bytes are imported when they can be read', async () => {
  const { world, drop } = await openWorld();
  const file = world.drop(path, content);
  const objects = world.objects.readBy(() => Promise.reject(new ObjectUnreadable('It is in an archive.')));
  expect(await world.invoke(file, 1000, world.dependencies(world.database, objects))).toBe('done');
  expect(world.report(file)).toMatchObject({ status: 'refused', reason: 'It is in an archive.' });
  expect(await drop(content)).toMatchObject({ status: 'completed', version: '2' });
});

test('a file without rejected rows leaves no rejected file of an earlier version', async () => {
  const { world, drop } = await openWorld();
  const rejected = `${world.teamId}/${path}.rejected.csv`;
  expect(await drop(content)).toMatchObject({ rejected_file: rejected });
  expect(world.objects.text(rejected)).toBeDefined();
  expect(await drop(csv(row(1)))).toMatchObject({ rejected_file: null });
  expect(world.objects.text(rejected)!.split('\n')).toHaveLength(2);
});
