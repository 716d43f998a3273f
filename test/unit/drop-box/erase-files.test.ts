import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { listDroppedFiles } from '../../../bin/admin/operations/drop-box/list.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { fixedDays } from '../../../lib/domain/teams/retention.ts';
import { Drop } from '../../../lib/operations/drop-box/state.ts';
import { listDrops, loadDrop, updateDrop } from '../../../lib/store/drop-box/drop-files.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { PersonWorld } from '../../support/operations/person-world.ts';

const day = 24 * 3600_000;

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

describe('files that cannot be read as rows', () => {
  const facts = { name_first: 'Zedka', name_last: 'Zamek', email: 'zed@mail.example', phone_mobile: '+420770000123' };
  const bytesOf: Record<string, string | Buffer> = {
    'contacts/utf16.csv': Buffer.from('unique_id;city\nzed-77;Oslo\n', 'utf16le'),
    'contacts/cut.csv.gz': gzipSync('unique_id,city\nzed-77,Oslo\n').subarray(0, -9),
    'contacts/headerless.csv':
      'cif-1,Mrs,Zedka,Zamek,zed@mail.example,1980-01-02,+420770000123\nbob,Mr,B,C,b@x.org,,\n',
    'contacts/email.json': '[{"email":"zed@mail.example"}]',
    'accounts/phone.csv': 'number;owner\n1;+420 770 000 123\n',
    'products/zed.csv': 'code,owner\n1,zed-77\n',
    'contacts/others.csv': 'x,zed-778,azed-77,zed-77-1,Zedka,Novák\n',
    'contacts/others16.csv': Buffer.from('\ufeffunique_id\nzed-778\n', 'utf16le'),
    'contacts/zed-77.xlsx': Buffer.concat([Buffer.from('PK\x03\x04'), gzipSync('zed-77')]),
    'contacts/good.csv': 'unique_id,city\nzed-77,Oslo\nbob,Rio\n',
  };
  const stay = ['contacts/others.csv', 'contacts/others16.csv', 'contacts/zed-77.xlsx'];
  const go = Object.keys(bytesOf).filter((path) => !stay.includes(path) && path !== 'contacts/good.csv');

  test('go if they name the person, and stay if they do not or nobody can tell', async () => {
    await world.post('zed-77', facts);
    const key = (path: string) => `${world.teamId}/${path}`;
    const deleted = go.map(key).sort();
    for (const [path, bytes] of Object.entries(bytesOf)) {
      await world.put(path, bytes);
      await world.readFile(path);
    }
    expect(
      (await world.export('zed-77')).file_rows
        .filter(({ line }) => line === null)
        .map((each) => each.key)
        .sort(),
    ).toEqual(deleted);
    const { files_deleted, files_unknown, counts } = await world.erase('zed-77');
    expect([[...files_deleted!].sort(), files_unknown]).toEqual([deleted, [key('contacts/zed-77.xlsx')]]);
    expect(counts).toMatchObject({ files: go.length + 1, file_rows: 2, contacts: 1 });
    const left = [...world.texts().keys()].map((path) => path.slice(world.folder.length + 1));
    expect(left.filter((path) => !path.endsWith('.report.json')).sort()).toEqual(
      [...stay, 'contacts/good.csv.remaining'].map(key).sort(),
    );
    const again = await world.erase('zed-77');
    expect(again).toEqual({
      ...{ erased_at: expect.any(String), contact_id: null, counts: {} },
      files_unknown: [key('contacts/zed-77.xlsx')],
    });
  });

  test('are named in the receipt up to 100, those of one person and those of a list', async () => {
    for (const [person, files] of [
      ['ann', 101],
      ['bob', 60],
      ['carl', 60],
    ] as const) {
      for (let file = 0; file < files; file++) await world.put(`products/${person}-${file}.csv`, `code\n${person}\n`);
    }
    const one = await world.erase('ann');
    expect([one.files_deleted?.length, one.counts.files]).toEqual([100, 101]);
    const list = await world.eraseList(['bob', 'carl']);
    expect([list.files_deleted?.length, list.counts.files]).toEqual([100, 120]);
  });

  test('of others stay, however short the unique_id is', async () => {
    for (const [path, bytes] of Object.entries(bytesOf)) await world.put(path, bytes);
    const { counts, files_deleted } = await world.erase('b');
    expect([counts, files_deleted]).toEqual([{}, undefined]);
    expect(world.texts().size).toBe(Object.keys(bytesOf).length);
  });

  test('leave nothing of the person in reports and states, also of an earlier release', async () => {
    await world.post('zed-77', facts);
    await world.put('contacts/headerless.csv', bytesOf['contacts/headerless.csv']!);
    await world.readFile('contacts/headerless.csv');
    const { database, teamId } = world;
    const [state] = await listDrops(database, teamId, 1);
    // As it was before reports quoted only names of fields.
    const reason =
      'The file has no column for unique_id or email. Its header is: cif-1, Mrs, Zedka, Zamek, zed@mail.example.';
    const quoted = { ...state!, failure: reason, warnings: ['column zed-77 is unknown', 'column city is unknown'] };
    quoted.outcome = { ...quoted.outcome!, reason };
    const id = derivedFileId(state!.key, state!.version);
    const { version } = (await loadDrop(database, teamId, id))!;
    expect(await updateDrop(database, teamId, id, { state: quoted, version })).toBe(true);
    const report = join(world.folder, `${state!.key}.report.json`);
    writeFileSync(
      report,
      JSON.stringify({ ...JSON.parse(readFileSync(report, 'utf8')), reason, warnings: quoted.warnings }),
    );
    const { counts } = await world.erase('zed-77');
    expect(counts).toMatchObject({ reports: 1, file_states: 1 });
    expect(await world.traces(['zed-77', 'Zedka', 'Zamek', 'zed@mail.example', '770000123'])).toEqual([]);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      key: state!.key,
      reason: 'Deleted: this text named a person who was erased.',
      warnings: [expect.stringContaining('Deleted'), 'column city is unknown'],
    });
    const listed = await listDroppedFiles({ database, files: world.files, now: Date.now }, teamId, 10);
    expect(listed[0]).toMatchObject({ key: state!.key, reason: 'Deleted: this text named a person who was erased.' });
    expect((await world.erase('zed-77')).counts).toEqual({});
  });
});

test.each([
  ['{"unique_id":"zed-77"', ['Deleted: this text named a person who was erased.']],
  ['{"unique_id":"zed-77"}', ['Deleted: this text named a person who was erased.']],
  ['unique_id\nzed-778\n', undefined],
])('a file of a client with the name of a report, %j, is searched as text', async (text, left) => {
  await world.post('zed-77', {});
  await world.put('contacts/own.report.json', text);
  expect((await world.erase('zed-77')).counts.reports).toBe(left && 1);
  const path = join(world.folder, world.teamId, 'contacts/own.report.json');
  expect(readFileSync(path, 'utf8').trim()).toBe(left ? JSON.stringify(left, undefined, 2) : text.trim());
});

describe('a dropped file', () => {
  const key = (path: string) => `${world.teamId}/${path}`;
  const texts = () => new Map([...world.texts()].map(([path, text]) => [path.slice(world.folder.length + 1), text]));
  /** Sets the time at which the file was dropped. */
  const dropAt = (path: string, at: number) => utimesSync(join(world.folder, key(path)), at / 1000, at / 1000);

  test.each(['waits', 'is read'])('that %s is waited for, for 15 minutes, with one line of progress', async (state) => {
    await world.put('contacts/late.csv', ['unique_id', 'late']);
    const owner = { teamId: world.teamId, kind: 'contacts' } as const;
    for await (const file of world.files.list(key('contacts/late.csv')))
      if (state === 'is read') await Drop.open(world.database, owner, file, Date.now());
    const waits: number[] = [];
    const lines: string[] = [];
    const erasing = world.erase('late', {
      wait: async (milliseconds) => void waits.push(milliseconds),
      onProgress: (text) => void lines.push(text),
    });
    await expect(erasing).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: '', message: expect.stringContaining(`${key('contacts/late.csv')} names the contact`) }],
    });
    expect([waits.length, new Set(waits)]).toEqual([900, new Set([1000])]);
    expect(lines).toEqual([
      `reading ${key('contacts/late.csv')}`,
      `waiting until ${key('contacts/late.csv')} has been imported`,
    ]);
  });

  test.each([
    ['is not waited for when its state has expired', 1, 'removed'],
    ['is waited for until its state expires', 0, 'conflict'],
  ])('%s', async (_, later, outcome) => {
    const at = Date.parse('2026-03-01T12:00:00Z');
    await world.put('contacts/old.csv', ['unique_id', 'old', 'other']);
    dropAt('contacts/old.csv', at);
    const now = () => at + fixedDays.dropStates * day + later;
    const erasing = world.erase('old', { now }).then(({ counts }) => (counts.files === 1 ? 'removed' : 'kept'));
    expect(await erasing.catch(({ code }) => code)).toBe(outcome);
  });

  test.each([
    ['at the time of the erasure is searched', 0, 1],
    ['after it is not', 1000, undefined],
  ])('that arrives %s', async (_, later, files) => {
    await world.drop('contacts/new.csv', ['unique_id', 'new']);
    const at = Date.parse('2026-03-01T12:00:00Z');
    dropAt('contacts/new.csv', at + later);
    // A changed time is another version.
    await world.readFile('contacts/new.csv');
    expect((await world.erase('new', { now: () => at })).counts.files).toBe(files);
  });

  test('that arrives after an interruption is searched by the next run', async () => {
    let time = Date.now() - 60_000;
    await world.put('contacts/first.csv', ['unique_id', 'anneliese', 'other']);
    dropAt('contacts/first.csv', time - 1);
    const wait = () => Promise.reject(new Error('interrupted'));
    await expect(world.erase('anneliese', { now: () => time, wait })).rejects.toThrow('interrupted');
    await world.readFile('contacts/first.csv');
    await world.drop('contacts/second.csv', ['unique_id', 'anneliese', 'other']);
    time = Date.now() + 1000;
    expect((await world.erase('anneliese', { now: () => time })).counts).toMatchObject({
      files: 2,
      file_rows: 2,
      contacts: 1,
    });
    expect([...texts().values()].filter((text) => text.includes('anneliese'))).toEqual([]);
  });

  test('leaves no part with rejected rows that name the person, once it is imported', async () => {
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(world.folder, name)), { recursive: true });
      writeFileSync(join(world.folder, name), text);
    };
    const fileIdOf = async (team: string, path: string) => {
      for await (const { key, version } of world.files.list(`${team}/${path}`)) return derivedFileId(key, version);
      throw new Error(`no ${path}`);
    };
    const dependencies = serviceOn(world.database);
    const { team_id: other } = await createTeam(dependencies, { name: 'Other', features: [] });
    await world.drop('contacts/done.csv', ['unique_id', 'bob']);
    const done = await fileIdOf(world.teamId, 'contacts/done.csv');
    write(`${other}/contacts/foreign.csv`, 'unique_id\nbob\n');
    const foreign = await fileIdOf(other, 'contacts/foreign.csv');
    const part = (id: string, n: number) => `work/${id}/rejected/00000${n}.csv`;
    write(part(done, 0), 'unique_id\nann\n');
    write(part(done, 1), 'unique_id\ncarl\n');
    write(part(foreign, 0), 'unique_id\nann\n');
    write('work/ann.csv', 'unique_id\nann\n');
    expect((await world.erase('ann')).counts).toEqual({ files: 1 });
    expect([...texts().keys()].filter((name) => name.startsWith('work/')).sort()).toEqual(
      [part(done, 1), part(foreign, 0), 'work/ann.csv'].sort(),
    );
  });
});
