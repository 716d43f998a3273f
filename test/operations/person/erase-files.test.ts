import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newSecret } from '../../../lib/auth/secrets.ts';
import { fixedDays } from '../../../lib/domain/retention.ts';
import { createTeam } from '../../../lib/operations/create-team.ts';
import { derivedFileId } from '../../../lib/store/ids.ts';
import { PersonWorld } from '../../support/person-world.ts';

const day = 24 * 3600_000;

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

describe('a dropped file', () => {
  const key = (path: string) => `${world.teamId}/${path}`;
  const texts = () => new Map([...world.texts()].map(([path, text]) => [path.slice(world.folder.length + 1), text]));
  /** Sets the time at which the file was dropped. */
  const dropAt = (path: string, at: number) => utimesSync(join(world.folder, key(path)), at / 1000, at / 1000);

  test('is waited for, for 15 minutes, with one line of progress', async () => {
    await world.put('contacts/late.csv', ['unique_id', 'late']);
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
    await world.put('contacts/first.csv', ['unique_id', 'ann', 'other']);
    dropAt('contacts/first.csv', time - 1);
    const wait = () => Promise.reject(new Error('interrupted'));
    await expect(world.erase('ann', { now: () => time, wait })).rejects.toThrow('interrupted');
    await world.readFile('contacts/first.csv');
    await world.drop('contacts/second.csv', ['unique_id', 'ann', 'other']);
    time = Date.now() + 1000;
    expect((await world.erase('ann', { now: () => time })).counts).toMatchObject({
      files: 2,
      file_rows: 2,
      contacts: 1,
    });
    expect([...texts().values()].filter((text) => text.includes('ann'))).toEqual([]);
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
    const dependencies = { database: world.database, now: Date.now, newId: () => crypto.randomUUID(), newSecret };
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
