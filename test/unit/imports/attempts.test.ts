import { describe, expect, test, vi } from 'vitest';
import { dropBatchId } from '../../../lib/domain/imports/own-batch.ts';
import { maxTurns } from '../../../lib/operations/drop-box/work.ts';
import { ObjectDenied } from '../../../lib/store/aws/objects.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { batchPartition, orderCounterKey } from '../../../lib/store/table/keys.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { csv, row } from '../../support/samples/account-files.ts';
import { record } from '../../support/samples/contacts.ts';
import { away, failed, givenDrop as given } from './given-drop.ts';

describe('the report of a file', () => {
  test.each(['other/a.csv', 'accounts'])('in the wrong place (%s) is passed on', async (path) => {
    const { world, work, reports } = await given({ path });
    expect(await work()).toBe('done');
    expect(reports).toMatchObject([{ status: 'refused', reason: expect.stringMatching(/wrong place/) }]);
    expect(world.report({ key: `${world.teamId}/${path}`, version: '1' })).toEqual(reports[0]);
  });

  test('of a name that leaves no room for it is only kept in the state, which is the end of the file', async () => {
    const { world, work, stored, reports } = await given({ path: `accounts/${'a'.repeat(1024 - 45)}` });
    expect(await work()).toBe('done');
    expect(reports).toMatchObject([{ status: 'refused', reason: expect.stringMatching(/too long/) }]);
    const { status, reason, rows } = reports[0]!;
    expect(await stored()).toMatchObject({ phase: 'done', outcome: { status, reason, rows } });
    expect(world.objects.count(`${reports[0]!.key}.report.json`)).toBe(0);
  });

  test('of a team that does not exist is passed on', async () => {
    const { world, work, reports } = await given();
    const file = world.objects.put(`${crypto.randomUUID()}/accounts/a.csv`, '');
    expect(await work({}, undefined, file)).toBe('done');
    expect(reports).toMatchObject([{ status: 'refused', reason: expect.stringMatching(/belongs to no team/) }]);
  });

  test('is passed on and kept in its state, once', async () => {
    const { world, work, stored, reports } = await given({ content: csv() });
    expect(await work()).toBe('done');
    expect(await work()).toBe('done');
    expect(reports).toHaveLength(1);
    const { status, reason, rows, finished_at } = reports[0]!;
    expect((await stored()).outcome).toEqual({ status, reason, rows, finished_at });
    expect(world.objects.count(`${reports[0]!.key}.report.json`)).toBe(1);
  });
});

describe('an attempt is counted', () => {
  test.each([
    ['reading', { turns: 8, stalls: 4 }],
    ['naming', { turns: 8, stalls: 4 }],
    ['applying', { turns: 7, stalls: 3 }],
  ] as const)('before it begins, in the phase %s', async (phase, expected) => {
    const { work, stored, unreadable } = await given({ state: { phase, turns: 7, stalls: 3 }, chunks: [{}] });
    await work({ objects: unreadable(away) }).catch((error: unknown) => expect(error).toBe(away));
    expect(await stored()).toMatchObject(expected);
  });

  test('as progress once a phase is over', async () => {
    const { work, stored } = await given({ state: { stalls: 3 } });
    expect(await work()).toMatchObject({ isRead: true });
    expect(await stored()).toMatchObject({ phase: 'applying', stalls: 0, turns: 2 });
  });
});

describe('a file is given up', () => {
  const reasonOf = (attempts: string) => `Given up: ${attempts}`;
  test.each([
    [{ turns: maxTurns }, reasonOf(`${maxTurns} attempts did not read the file to its end.`)],
    [{ stalls: 20 }, reasonOf('20 attempts in a row made no progress.')],
    [{ phase: 'naming', stalls: 20 }, reasonOf('20 attempts in a row made no progress.')],
    [{ phase: 'closing', stalls: 20 }, reasonOf('20 attempts in a row made no progress.')],
    [{ stalls: 20, failure: 'It is damaged.' }, 'It is damaged.'],
  ] as const)('after too many attempts %#', async (state, reason) => {
    const chunks = 'phase' in state ? { chunks: [failed] } : {};
    const { work, stored, reports, unreadable } = await given({ state, ...chunks });
    expect(await work({ objects: unreadable(away) })).toBe('given up');
    expect(reports).toMatchObject([{ status: 'refused', reason }]);
    expect(await stored()).toMatchObject({ phase: 'done', givenUp: true, stalls: 0 });
    expect(await work()).toBe('done');
  });

  test.each([{ turns: maxTurns - 1 }, { stalls: 19 }, { phase: 'naming', turns: maxTurns }] as const)(
    'not earlier %#',
    async (state) => {
      const { work, stored, unreadable } = await given({ state });
      await expect(work({ objects: unreadable(away) })).rejects.toBe(away);
      expect((await stored()).givenUp).toBe(false);
    },
  );

  test.each([
    ['naming', expect.any(String)],
    ['closing', null],
  ] as const)('with its rejected rows, unless these may be the cause (%s)', async (phase, rejected) => {
    const { world, work, reports } = await given({ state: { phase, stalls: 20, parts: 2, partBytes: 4 } });
    const fileId = derivedFileId(`${world.teamId}/accounts/a.csv`, '1');
    for (const part of [0, 1]) world.objects.put(`work/${fileId}/rejected/00000${part}.csv`, 'x\n');
    expect(await work()).toBe('given up');
    expect(reports[0]!.rejected_file).toEqual(rejected);
  });

  test('while it is read, but waits until its chunks are applied', async () => {
    const { world, work, stored } = await given({ state: { stalls: 20 }, chunks: [{}] });
    expect(await work()).toMatchObject({ isRead: true });
    expect(await stored()).toMatchObject({ phase: 'applying', givenUp: true });
    expect(world.report({ key: `${world.teamId}/accounts/a.csv`, version: '1' })).toBeNull();
  });

  test('after five attempts to which access was denied', async () => {
    const { work, stored, reports, unreadable } = await given();
    const objects = unreadable(new ObjectDenied());
    for (let attempt = 1; attempt < 5; attempt++) {
      await expect(work({ objects })).rejects.toBeInstanceOf(ObjectDenied);
      expect((await stored()).stalls).toBe(attempt);
    }
    expect(await work({ objects })).toBe('given up');
    const reason =
      'The file cannot be read: this version no longer exists, or the service has no permission to read it. S3 does not say which.';
    expect(reports).toMatchObject([{ status: 'refused', reason }]);
  });

  test('for its first reason, if access is denied later', async () => {
    const state = { phase: 'naming', stalls: 9, failure: 'It is damaged.' } as const;
    const { work, reports, unreadable } = await given({ state, chunks: [failed] });
    expect(await work({ objects: unreadable(new ObjectDenied()) })).toBe('given up');
    expect(reports).toMatchObject([{ reason: 'It is damaged.' }]);
  });
});

describe('reading', () => {
  test('of contacts needs no read of a batch', async () => {
    const content = `unique_id,birthdate\n${'a,never\n'.repeat(1000)}b,\n`;
    const { world, file, work } = await given({ path: 'contacts/c.csv', content });
    const [get, query] = [vi.spyOn(world.database, 'get'), vi.spyOn(world.database, 'query')];
    expect(await work()).toBe('done');
    const pk = batchPartition(world.teamId, dropBatchId(derivedFileId(file.key, '1')));
    const read = [...get.mock.calls.flatMap(([keys]) => keys), ...query.mock.calls.map(([input]) => input)];
    expect(read.filter((each) => each.pk === pk)).toEqual([]);
  });

  test('counts what each chunk adds, and remembers a chunk that has nothing to send', async () => {
    const content = `unique_id,birthdate\n${'a,never\n'.repeat(500)}b,\nb,never\nc,\n`;
    const rows = { read: 30, accepted: 10, rejected: 20, created: 30, existing: 40 };
    const { world, work, stored } = await given({ path: 'contacts/c.csv', content, state: { rows } });
    await upsertContact(serviceOn(world.database), world.teamId, record({ unique_id: 'c' }));
    expect(await work()).toBe('done');
    expect(await stored()).toMatchObject({
      rows: { accepted: 12, rejected: 521, created: 31, existing: 41 },
      hasUnsentChunk: true,
    });
    const sent = await given({ path: 'contacts/c.csv', content: 'unique_id\nb\n' });
    await sent.work();
    expect((await sent.stored()).hasUnsentChunk).toBe(false);
  });

  test('ends at a time that is kept, and continues at once only if there is time', async () => {
    const { work, stored } = await given({ state: {} });
    let looks = 0;
    expect(await work({}, () => ++looks === 1)).toEqual({ after: 0, isRead: true });
    expect((await stored()).read_at).toMatch(/^2026-03-01T12:00:00/);
  });

  test('continues later if the time is over before the end of the file', async () => {
    const { work, stored } = await given({ content: csv(row(1), ...Array(500).fill('junk')) });
    expect(await work({}, () => false)).toEqual({ after: 0, isRead: false });
    expect((await stored()).read_at).toBeUndefined();
  });

  test('waits a minute if the team has too many open chunks', async () => {
    const { world, work } = await given();
    const item = { ...orderCounterKey(world.teamId), last_order: 10_000, left_seen: 0 };
    await world.database.write([{ kind: 'insert', item }]);
    expect(await work()).toEqual({ after: 60, isRead: false });
  });

  test('keeps its first failure', async () => {
    const { world, file, work, reports } = await given({ state: { failure: 'It is damaged.' } });
    world.objects.remove(file.key);
    expect(await work()).toBe('done');
    expect(reports).toMatchObject([{ status: 'refused', reason: 'It is damaged.' }]);
  });

  test('is over with the file, even if the time is over', async () => {
    const { work } = await given({ state: { phase: 'closing' } });
    expect(await work({}, () => false)).toBe('done');
  });
});
