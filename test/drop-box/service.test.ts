import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { versionOf } from '../../bin/local/bucket.ts';
import type { DropReport } from '../../lib/domain/drop-report.ts';
import { loadContact } from '../../lib/store/contacts.ts';
import { derivedFileId } from '../../lib/store/ids.ts';
import { localCredentials, localRegion } from '../support/engine.ts';
import { Bank } from '../support/imports.ts';
import { temporaryDirectory } from '../support/process.ts';
import { service, startService, type TestService } from '../support/service.ts';

/** The drop box as a partner uses it: files in, reports out. */
class DropBox {
  readonly #api: TestService;
  readonly #teamId: string;

  constructor(api: TestService, teamId: string) {
    this.#api = api;
    this.#teamId = teamId;
  }

  path(name: string): string {
    return join(this.#api.local.drop_box_folder, this.#teamId, name);
  }

  copy(name: string, content: string | Buffer): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  async put(name: string, content: string): Promise<void> {
    const { drop_box_endpoint: endpoint, drop_box_bucket: Bucket } = this.#api.local;
    const client = new S3Client({ endpoint, region: localRegion, credentials: localCredentials });
    await client.send(new PutObjectCommand({ Bucket, Key: `${this.#teamId}/${name}`, Body: content }));
    client.destroy();
  }

  batchId(name: string): string {
    const version = versionOf(statSync(this.path(name), { bigint: true }));
    return `drop-${derivedFileId(`${this.#teamId}/${name}`, version)}`;
  }

  async report(name: string): Promise<DropReport> {
    const path = this.path(`${name}.report.json`);
    for (let round = 0; round < 600 && !existsSync(path); round++) await sleep(50);
    return JSON.parse(readFileSync(path, 'utf8'));
  }
}

const header = 'account_number,contact.unique_id,product.code,product.type,balance';
const row = (number: number, balance: number) => `${number},owner,CHK,checking,${balance}.50`;
const file = (count: number, balance: number) =>
  `${[header, ...Array.from({ length: count }, (_, index) => row(index + 1, balance))].join('\n')}\n`;

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
    await expect.poll(isBegun, { timeout: 15_000 }).toBe(200);
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
    const isBegun = async () => (await bank.status(box.batchId('accounts/long.csv'))).status;
    await expect.poll(isBegun, { timeout: 15_000 }).toBe(200);
    box.copy('accounts/short.csv', `${header}\n${row(9000, 1)}\n`);
    box.copy('contacts/short.csv', 'unique_id\nshort\n');
    const [short, contacts] = [await box.report('accounts/short.csv'), await box.report('contacts/short.csv')];
    expect([short.rows.applied, contacts.rows.created]).toEqual([1, 1]);
    const whole = await box.report('accounts/long.csv');
    expect(whole).toMatchObject({ status: 'completed', rows: { applied: 5000 } });
    for (const { finished_at } of [short, contacts]) expect(finished_at < whole.finished_at).toBe(true);
  }, 60_000);

  test('of nobody gets a report', async () => {
    const api = await service();
    const nobody = new DropBox(api, crypto.randomUUID());
    nobody.copy('accounts/a.csv', file(1, 1));
    expect(await nobody.report('accounts/a.csv')).toMatchObject({ status: 'refused', batch_id: null });
  });

  test('is not taken for one when the service wrote it', async () => {
    expect(existsSync(box.path('accounts/2.csv.report.json.report.json'))).toBe(false);
    expect(existsSync(box.path('contacts/people.ndjson.gz.rejected.csv.report.json'))).toBe(false);
  });
});

describe('a service that is killed while it reads', () => {
  const directory = temporaryDirectory();
  let api: Awaited<ReturnType<typeof startService>>;
  afterAll(() => api.process.stop());

  test('goes on after its next start, and loses nothing', async () => {
    api = await startService({ directory, persistent: true });
    const bank = await Bank.open(api);
    const box = new DropBox(api, bank.team.teamId);
    box.copy('accounts/a.csv', file(700, 1));
    const accepted = async () => (await bank.status(box.batchId('accounts/a.csv'))).body.chunks?.accepted;
    await expect.poll(accepted, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0);
    api.process.kill('SIGKILL');
    await api.process.exited;
    expect(existsSync(box.path('accounts/a.csv.report.json'))).toBe(false);

    api = await startService({ directory, persistent: true });
    const { rows, status } = await new DropBox(api, bank.team.teamId).report('accounts/a.csv');
    expect([status, rows.read, rows.accepted, rows.rejected]).toEqual(['completed', 700, 700, 0]);
    expect(rows.applied! + rows.unchanged!).toBe(700);
  }, 90_000);
});
