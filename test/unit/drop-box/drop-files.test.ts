import { describe, expect, test } from 'vitest';
import { fixedDays } from '../../../lib/domain/teams/retention.ts';
import {
  type DropState,
  insertDrop,
  listDrops,
  loadDrop,
  loadDrops,
  updateDrop,
} from '../../../lib/store/drop-box/drop-files.ts';
import { dropKey } from '../../../lib/store/table/keys.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { atHour, dropState } from '../../support/samples/dropped-files.ts';

const team = 'team';
const now = Date.parse('2026-03-01T00:00:00.999Z');
const layout = { format: 'ndjson' as const, gzip: true, newline: 13 as const, delimiter: ';', header: ['a', 'b'] };
const whole: DropState = dropState('team/accounts/a.csv', {
  place: { layout, offset: 7, line: 3, chunk: 1, rows: 2 },
  layout,
  warnings: ['w'],
  notices: [{ kind: 'n', count: 2, first_rows: [2, 3], message: 'm' }],
  rows: { read: 3, accepted: 1, rejected: 2, created: 3, existing: 4 },
  failedChunks: [{ chunk_index: 1, first_line: 2, last_line: 3, reason: 'r' }],
  failure: 'f',
  hasUnsentChunk: true,
  turns: 8,
  stalls: 9,
  givenUp: true,
  read_at: atHour(3),
  outcome: {
    status: 'failed',
    reason: 'r',
    rows: { read: 1, accepted: 2, rejected: 3, applied: 4, unchanged: 5, superseded: 6, created: 7, existing: 8 },
    finished_at: atHour(4),
  },
});

describe('the state of a dropped file', () => {
  test('is read as it was written, and changed only as it was read', async () => {
    const database = new ModelDatabase();
    const load = () => loadDrop(database, team, 'f');
    expect(await load()).toBeUndefined();
    const first = dropState('team/accounts/a.csv');
    expect(await insertDrop(database, team, 'f', first, now)).toBe(true);
    expect(await insertDrop(database, team, 'f', whole, now)).toBe(false);
    expect(await load()).toEqual({ state: first, version: 1 });
    expect(await updateDrop(database, team, 'f', { state: whole, version: 1 })).toBe(true);
    expect(await updateDrop(database, team, 'f', { state: first, version: 1 })).toBe(false);
    expect(await load()).toEqual({ state: whole, version: 2 });
    expect(await loadDrops(database, team, ['g', 'f'])).toEqual([undefined, { state: whole, version: 2 }]);
  });

  test('expires after the days that it is kept', async () => {
    const database = new ModelDatabase();
    await insertDrop(database, team, 'f', whole, now);
    const days = (Number(database.read(dropKey(team, 'f'))!.expires_at) - Math.floor(now / 1000)) / (24 * 3600);
    expect(days).toBe(fixedDays.dropStates);
  });

  test('has the files that arrived last, newest first, without those that are gone', async () => {
    const { database } = await freshTable();
    const arrived = [3, 1, 4, 2].map((hour) => dropState(`${hour}`, { received_at: atHour(hour) }));
    for (const state of arrived) await insertDrop(database, team, `f#${state.key}`, state, now);
    const list = async (limit: number) => (await listDrops(database, team, limit)).map(({ key }) => key);
    expect(await list(4)).toEqual(['4', '3', '2', '1']);
    expect(await list(9)).toEqual(['4', '3', '2', '1']);
    expect(await list(2)).toEqual(['4', '3']);
    expect(await listDrops(database, 'other', 2)).toEqual([]);
    const get = async (keys: readonly { pk: string; sk: string }[]) =>
      (await database.get(keys)).map((item, at) => (at === 1 ? undefined : item));
    const query = database.query.bind(database);
    const gone = await listDrops({ ...database, get, query } as never, team, 3);
    expect(gone.map(({ key }) => key)).toEqual(['4', '2', '1']);
  });

  test('is read page by page until it has enough', async () => {
    const positions: unknown[] = [];
    const database = new ModelDatabase();
    const entries = [3, 2, 1].map((hour) => ({ pk: '', sk: '', directory_sk: `${atHour(hour)}#${hour}` }));
    for (const hour of [1, 2, 3]) await insertDrop(database, team, `${hour}`, dropState(`${hour}`), now);
    database.query = async ({ after, limit, descending }) => {
      positions.push([after, limit, descending]);
      const items = positions.length === 1 ? entries.slice(0, 1) : entries.slice(1);
      return { items, next: items.at(-1)!.directory_sk };
    };
    expect((await listDrops(database, team, 2)).map(({ key }) => key)).toEqual(['3', '2']);
    expect(positions).toEqual([
      [undefined, 2, true],
      [`${atHour(3)}#3`, 2, true],
    ]);
    positions.length = 0;
    await listDrops(database, team, 1);
    expect(positions).toHaveLength(1);
  });
});
