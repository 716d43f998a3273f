import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { DropBox, file, header, row } from '../../support/drop-box/box.ts';
import { adminJson } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

type Linked = { account: { id: string; nickname: string | null } };

describe('a file in the drop box of the running service', () => {
  let bank: Bank;
  let box: DropBox;
  beforeAll(async () => {
    const api = await service();
    bank = await Bank.open(api);
    box = new DropBox(api, bank.team.teamId);
  });

  test('is imported, with what may be read back through the API', async () => {
    const owner = '{"unique_id":"owner","name_first":"Ann","post_code":"94110"}';
    box.copy('contacts/people.ndjson.gz', gzipSync(`${owner}\n{"unique_id":7}\n`));
    await box.put(
      'accounts/nightly/a b+c.csv',
      `${header},nickname\n${row(1, 10)},Mine\n${row(2, 20)},\n${row(3, 30)}\n`,
    );
    const people = await box.report('contacts/people.ndjson.gz');
    expect(people).toMatchObject({ status: 'completed', rows: { read: 2, accepted: 1, rejected: 1, created: 1 } });
    expect(readFileSync(box.path('contacts/people.ndjson.gz.rejected.csv'), 'utf8')).toMatch(
      /_json\n2,unique_id,must be a string,"\{""unique_id"":7\}"\n$/,
    );
    const accounts = await box.report('accounts/nightly/a b+c.csv');
    expect(accounts).toMatchObject({ status: 'completed', rows: { read: 3, accepted: 2, rejected: 1, applied: 2 } });
    const ownerId = await bank.contact('owner');
    const owned = (await bank.accounts(ownerId)) as Linked[];
    expect(owned.map(({ account }) => account.nickname)).toEqual(['Mine', null]);
    const { status, body } = await bank.status(accounts.batch_id!);
    expect([status, body.status, body.records.applied]).toEqual([200, 'completed', 2]);
    const stored = await loadContact((await service()).database, bank.team.teamId, ownerId);
    expect(stored?.factsChange).toMatchObject({ by: 'import' });
  });

  test('waits for those of its lane before it: the later file wins', async () => {
    const first = Array.from({ length: 700 }, (_, index) => `${row(index + 1, 1)},first`);
    box.copy('accounts/1.csv', [`${header},nickname`, ...first].join('\n'));
    const isBegun = async () => (await bank.status(box.batchId('accounts/1.csv'))).status;
    await expect.poll(isBegun).toBe(200);
    box.copy('accounts/2.csv', `${header},nickname\n${row(1, 1)},second\n`);
    box.copy('accounts/broken.csv', 'no such column\n1\n');
    const second = await box.report('accounts/2.csv');
    expect(second).toMatchObject({ status: 'completed', rows: { applied: 1 } });
    expect(second.began_at >= (await box.report('accounts/1.csv')).finished_at).toBe(true);
    const [{ account }] = (await bank.accounts(await bank.contact('owner'))) as [Linked];
    expect(account.nickname).toBe('second');
    expect(await box.report('accounts/broken.csv')).toMatchObject({ status: 'refused' });
  });

  test('waits for no file of the other type, and a short one for no long one', async () => {
    const long = Array.from({ length: 5000 }, (_, index) => row(10_000 + index, 1));
    box.copy('accounts/long.csv', [header, ...long].join('\n'));
    box.copy('accounts/short.csv', `${header}\n${row(9000, 1)}\n`);
    box.copy('contacts/short.csv', 'unique_id\nshort\n');
    const [short, contacts] = [await box.report('accounts/short.csv'), await box.report('contacts/short.csv')];
    expect([short.rows.applied, contacts.rows.created]).toEqual([1, 1]);
    const whole = await box.report('accounts/long.csv');
    expect(whole).toMatchObject({ status: 'completed', rows: { applied: 5000 } });
    for (const { finished_at } of [short, contacts]) expect(finished_at < whole.finished_at).toBe(true);
  });

  test('of nobody gets a report', async () => {
    const api = await service();
    const nobody = new DropBox(api, crypto.randomUUID());
    nobody.copy('accounts/a.csv', file(1, 1));
    expect(await nobody.report('accounts/a.csv')).toMatchObject({ status: 'refused', batch_id: null });
  });

  test('in a wrong folder of a team is an event too, and in the list of files', async () => {
    const names = ['account/a.csv', 'a.csv'];
    for (const name of names) box.copy(name, file(1, 1));
    for (const name of names) expect(await box.report(name)).toMatchObject({ status: 'refused', type: null });
    const failed = async () => {
      const { events } = (await bank.get('/v1/events?type=file.failed&limit=1000')).body;
      return events.filter(
        ({ rows }: { rows: object }) => JSON.stringify(rows) === '{"read":0,"accepted":0,"rejected":0}',
      );
    };
    await expect.poll(failed, { timeout: 20_000 }).toHaveLength(2);
    const { value } = await adminJson('drop', 'list', '--team', bank.team.teamId);
    const refused = value.filter(({ type }: { type: string | null }) => type === null);
    expect(refused).toMatchObject(
      names.map(() => ({ state: 'refused', reason: expect.stringMatching(/wrong place/) })),
    );
  });

  test('is not taken for one when the service wrote it', async () => {
    expect(existsSync(box.path('accounts/2.csv.report.json.report.json'))).toBe(false);
    expect(existsSync(box.path('contacts/people.ndjson.gz.rejected.csv.report.json'))).toBe(false);
  });
});
