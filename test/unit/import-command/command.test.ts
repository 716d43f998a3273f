import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { silence } from '../../../bin/import/progress.ts';
import { importFile } from '../../../bin/import/run.ts';
import { faultProxy } from '../../support/fault-proxy.ts';
import { importCommand, importJson, importSetting } from '../../support/import-command/support.ts';
import { postBatch } from '../../support/import-operations.ts';
import { serviceOn } from '../../support/operations.ts';

const { api, team, environment, directory } = await importSetting();

/** A new file, so that it does not share the journal or rejected rows of another test. */
function file(content: string | Buffer, name = `${randomUUID()}.csv`): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

const get = async (path: string) => (await api.request('GET', path, { token: team.token })).body;
const contactNamed = async (uniqueId: string) => {
  const { contacts } = await get('/v1/contacts?limit=100');
  return contacts.find((contact: { unique_id: string }) => contact.unique_id === uniqueId);
};

const header = 'account_number,contact.unique_id,contact.role,product.code,product.type,balance';
const accounts = (prefix: string, count: number) =>
  [
    header,
    ...Array.from({ length: count }, (_, n) => `${prefix}${n},${prefix}holder,primary,FREE,checking,1.${n}`),
  ].join('\n');

describe('importing accounts', () => {
  test('applies every row, in one file or compressed', async () => {
    const prefix = `${randomUUID()}-`;
    const content = accounts(prefix, 520);
    const { status, summary } = await importJson(environment, 'accounts', file(content));
    expect(status).toBe(0);
    expect(summary).toMatchObject({
      status: 'completed',
      rows: { read: 520, sent: 520, applied: 520, unchanged: 0, rejected: 0, repeated: 0 },
      rejected_file: null,
    });
    const again = await importJson(environment, 'accounts', file(gzipSync(content), `${randomUUID()}.csv.gz`));
    expect(again.summary.rows).toMatchObject({ sent: 520, applied: 0, unchanged: 520 });
  });

  test('of the same content does nothing twice, unless it is given another name', async () => {
    const path = file(accounts(`${randomUUID()}-`, 3));
    const first = await importJson(environment, 'accounts', path);
    const second = await importJson(environment, 'accounts', path);
    expect(second.summary.batch_id).toBe(first.summary.batch_id);
    expect(second.summary.rows).toMatchObject({ sent: 3, repeated: 3 });
    expect((await importCommand(environment, 'accounts', path)).stdout).toContain('This file was imported before');
    const named = await importJson(environment, 'accounts', path, '--batch-id', randomUUID());
    expect(named.summary.rows).toMatchObject({ sent: 3, repeated: 0, unchanged: 3 });
  });

  test('of an earlier file after another one says that nothing was applied, and what to do', async () => {
    const prefix = `${randomUUID()}-`;
    const [monday, tuesday] = [accounts(prefix, 2), accounts(prefix, 2).replaceAll('primary', 'joint')];
    for (const content of [monday, tuesday, tuesday]) {
      expect(await importJson(environment, 'accounts', file(content))).toMatchObject({
        status: 0,
        summary: { status: 'completed' },
      });
    }
    expect(await importJson(environment, 'accounts', file(monday))).toMatchObject({
      status: 3,
      summary: { status: 'repeated', rows: { sent: 2, applied: 0, unchanged: 0, superseded: 0, repeated: 2 } },
    });
    const { status, stdout } = await importCommand(environment, 'accounts', file(monday));
    expect([status, stdout]).toEqual([
      3,
      expect.stringMatching(/imported before, and other records since.*\n.*--batch-id/),
    ]);
  });

  test('says so too if an administrator has removed links since, although no list of batches names the removal', async () => {
    const path = file(accounts(`${randomUUID()}-`, 501));
    for (const [status, said] of [
      [0, 'completed'],
      [0, 'completed'],
      [3, 'repeated'],
    ] as const) {
      if (status === 3) {
        const removal = { account_number: '1', contact: { unique_id: 'ann' } };
        const sent = { batch_id: `remove-${randomUUID()}`, chunk_index: 0, records: [removal] };
        await postBatch(serviceOn(api.database), team.teamId, sent);
      }
      expect(await importJson(environment, 'accounts', path)).toMatchObject({ status, summary: { status: said } });
    }
    expect(JSON.stringify(await get('/v1/batches'))).not.toContain('remove-');
  });

  test('sends the good rows and keeps the bad ones, to be mended and sent by themselves', async () => {
    const prefix = `${randomUUID()}-`;
    const path = file(`${accounts(prefix, 3)}\n${prefix}9,${prefix}holder,,FREE,odd,1\n`);
    const { status, summary } = await importJson(environment, 'accounts', path);
    expect(status).toBe(1);
    expect(summary.rows).toMatchObject({ read: 4, sent: 3, applied: 3, rejected: 1 });
    expect(summary.rejected_file).toBe(`${path}.rejected.csv`);
    const rejected = readFileSync(summary.rejected_file!, 'utf8');
    expect(rejected).toContain(
      `5,product.type,"must be one of checking, savings, loan, lease, investment",,${prefix}9,`,
    );
    writeFileSync(summary.rejected_file!, rejected.replace(',odd,', ',loan,'));
    const mended = await importJson(environment, 'accounts', summary.rejected_file!);
    expect(mended).toMatchObject({ status: 0, summary: { rows: { read: 1, applied: 1 } } });
  });

  test('keeps the order of rows for one account over many chunks', async () => {
    const holder = randomUUID();
    await importJson(environment, 'contacts', file(`unique_id\n${holder}\n`));
    const rows = Array.from({ length: 1100 }, (_, n) => `${holder}-a,${holder},role ${n},FREE,checking,${n}`);
    const { summary } = await importJson(environment, 'accounts', file([header, ...rows].join('\n')));
    expect(summary.notices).toMatchObject({ count: 1099 });
    const { id } = await contactNamed(holder);
    expect(await get(`/v1/contacts/${id}/accounts`)).toMatchObject([{ role: 'role 1099' }]);
  });

  test('tells the rows that the service accepted and could not store', async () => {
    const prefix = `${randomUUID()}-`;
    const wide = (key: string) => JSON.stringify({ [key]: 'x'.repeat(9000) }).replaceAll('"', '""');
    const of = (key: string, count: number) =>
      [
        'account_number,product.code,product.type,meta_private',
        ...Array.from({ length: count }, (_, n) => `${prefix}${n},FREE,checking,"${wide(key)}"`),
      ].join('\n');
    await importJson(environment, 'accounts', file(of('a', 130)));
    const { status, summary } = await importJson(
      environment,
      'accounts',
      file(`${of('b', 130)}\n${prefix}new,FREE,checking,`),
    );
    expect(status).toBe(1);
    expect(summary.rows).toMatchObject({ read: 131, sent: 131, applied: 1, rejected: 130 });
    const lines = readFileSync(summary.rejected_file!, 'utf8').trimEnd().split('\n').slice(1);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(Array.from({ length: 130 }, (_, n) => n + 2));
    expect(lines[0]).toContain('after merging with the stored values');
  });
});

describe('importing contacts', () => {
  test('creates, updates and leaves alone', async () => {
    const one = randomUUID();
    const path = file(`unique_id,name_first,email_opted_in\n${one},Jana,yes\n${one}-b,Petr,\n`);
    const first = await importJson(environment, 'contacts', path);
    expect(first).toMatchObject({ status: 0, summary: { rows: { read: 2, sent: 2, applied: 2, unchanged: 0 } } });
    expect(await contactNamed(one)).toMatchObject({ name_first: 'Jana', email_opted_in: true });
  });

  test('maps the columns of another system', async () => {
    const one = randomUUID();
    const map = file(
      JSON.stringify({ KUNDE: 'unique_id', VORNAME: 'name_first', LEER: null, _constants: { country: 'AT' } }),
      `${one}.json`,
    );
    const path = file(`KUNDE;VORNAME;LEER\n${one};Jana;x\n`);
    expect((await importJson(environment, 'contacts', path, '--map', map)).status).toBe(0);
    expect(await contactNamed(one)).toMatchObject({ name_first: 'Jana', country: 'AT' });
  });

  test('names the right row, also if the response to all rows would be too large', async () => {
    let posts = 0;
    const proxy = await faultProxy(api.baseUrl, ({ path }) =>
      path === '/v1/contacts' && ++posts === 1 ? { status: 413 } : undefined,
    );
    onTestFinished(proxy.stop);
    const one = randomUUID();
    const path = file(`unique_id,journey.template_id\n${one},\n${one}-b,\n${one}-c,\n${one}-d,${randomUUID()}\n`);
    const { summary } = await importJson({ ...environment, ONBOARDING_BASE_URL: proxy.endpoint }, 'contacts', path);
    expect(summary.rows).toMatchObject({ read: 4, sent: 3, rejected: 1 });
    expect(readFileSync(`${path}.rejected.csv`, 'utf8')).toMatch(/\n5,journey.template_id,[^\n]+\n$/);
    expect(await contactNamed(`${one}-b`)).toBeDefined();
  });
});

describe('without sending', () => {
  test('--dry-run checks every row', async () => {
    const prefix = `${randomUUID()}-`;
    const path = file(`${accounts(prefix, 2)}\n${prefix},x\n`);
    const { status, summary } = await importJson({}, 'accounts', path, '--dry-run');
    expect(status).toBe(1);
    expect(summary).toMatchObject({ status: 'checked', batch_id: null, rows: { read: 3, sent: 0, rejected: 1 } });
    expect(existsSync(`${path}.rejected.csv`)).toBe(true);
    expect((await importJson({}, 'accounts', file(accounts(prefix, 2)), '--dry-run')).status).toBe(0);
  });

  test('--strict refuses a file with a faulty row', async () => {
    const prefix = `${randomUUID()}-`;
    const path = file(`${accounts(prefix, 2)}\n${prefix},x\n`);
    const batch = ['--batch-id', randomUUID()];
    const { status, stderr } = await importCommand(environment, 'accounts', path, '--strict', ...batch);
    expect(status).toBe(2);
    expect(stderr).toContain('1 of 3 rows are invalid. Nothing was sent.');
    expect((await api.request('GET', `/v1/batches/${batch[1]}`, { token: team.token })).status).toBe(404);
    expect((await importJson(environment, 'accounts', file(accounts(prefix, 2)), '--strict')).status).toBe(0);
  });
});

describe('what cannot run says why, with exit status 2', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ['no such file', ['accounts', 'nowhere.csv'], {}, 'nowhere.csv cannot be read'],
    ['no such kind', ['journeys', 'a.csv'], {}, 'Allowed choices are accounts, contacts'],
    [
      'half of the credentials',
      ['accounts', 'a.csv'],
      { ONBOARDING_BASE_URL: 'http://127.0.0.1:1' },
      'Set ONBOARDING_CLIENT_ID and ONBOARDING_CLIENT_SECRET as well.',
    ],
    ['no service', ['accounts', 'a.csv'], { DATA_DIR: '/nonexistent' }, 'No local service is running here.'],
  ])('%s', async (_, args, given, message) => {
    const base = given.ONBOARDING_BASE_URL || given.DATA_DIR ? {} : environment;
    const { status, stderr, stdout } = await importCommand({ ...base, ...given }, ...args);
    expect(status).toBe(2);
    expect(stderr + stdout).toContain(message);
  });

  test('a service that was killed', async () => {
    const DATA_DIR = dirname(file(JSON.stringify({ ...api.local, pid: 2 ** 30 }), 'local.json'));
    const { status, stderr } = await importCommand({ DATA_DIR }, 'accounts', file(accounts('x', 1)));
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^No local service is running here\./)]);
  });

  test('credentials that are not accepted', async () => {
    const wrong = { ...environment, ONBOARDING_CLIENT_SECRET: 'wrong' };
    const { status, stderr } = await importCommand(wrong, 'accounts', file(accounts('x', 1)));
    expect([status, stderr]).toEqual([2, 'The service does not accept these credentials.\n']);
  });

  test('a service that does not respond, after a bound', async () => {
    const nobody = { ...environment, ONBOARDING_BASE_URL: 'http://127.0.0.1:1' };
    for (const [name, value] of Object.entries(nobody)) vi.stubEnv(name, value);
    const said: string[] = [];
    const screen = { ...silence, say: (text: string) => said.push(text) };
    const signal = new AbortController().signal;
    const stop = { asked: signal, now: signal };
    const request = { kind: 'accounts' as const, file: file(accounts('x', 1)), patience: 2000 };
    const options = { dryRun: false, strict: false, decimalComma: false };
    await expect(importFile({ ...request, ...options }, screen, stop)).rejects.toThrow(
      'http://127.0.0.1:1 does not respond. Nothing was sent.',
    );
    expect(said).toEqual(['http://127.0.0.1:1 does not respond. Trying again for up to 2 seconds …']);
    vi.unstubAllEnvs();
  });

  test('a file without its columns, as JSON too', async () => {
    const path = file('a,b\n1,2\n');
    const { status, stdout } = await importCommand(environment, 'accounts', path, '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: 'cannot_run',
      message:
        'The file has no column for account_number. None of its 2 columns has the name of a field: is the header line missing?',
    });
  });
});

test('standard output has the result and nothing else; notes go to standard error', async () => {
  const path = file('unique_id,branch\n1,x\n');
  const { stdout, stderr } = await importCommand(environment, 'contacts', path);
  expect(stderr).toContain('Note: column branch is not a field of a contact');
  expect(stdout).toMatch(/^.+ into http.+\n\n {2}rows read +1\n/);
});
