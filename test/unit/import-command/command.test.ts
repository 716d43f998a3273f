import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { silence } from '../../../bin/import/progress.ts';
import { importFile } from '../../../bin/import/run.ts';
import { loadAccounts } from '../../../lib/store/accounts/accounts.ts';
import { faultProxy } from '../../support/aws/fault-proxy.ts';
import { importCommand, importJson, importSetting } from '../../support/import-command/support.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { mapText, uglyFiles } from '../../support/samples/ugly-files.ts';

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
    expect(summary.notices).toMatchObject([{ kind: 'repeated_row', count: 1099 }, { kind: 'cut_last_line' }]);
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

describe('files as core systems write them', () => {
  test.each(uglyFiles)('$name, compressed too', async (ugly) => {
    const { name, bytes, kind, ids, rejected = 0, notices } = ugly;
    const map = mapText(ugly);
    const mapped = map ? ['--map', file(map, `${name}.json`)] : [];
    for (const content of [bytes, gzipSync(bytes)]) {
      const { status, summary } = await importJson(environment, kind, file(content, randomUUID()), ...mapped);
      expect([status, summary.status]).toEqual([rejected > 0 ? 1 : 0, 'completed']);
      expect(summary.rows).toMatchObject({ sent: ids.length, rejected });
      expect(Object.fromEntries(summary.notices.map((each) => [each.kind, each.first_rows]))).toEqual(notices);
    }
  });

  test('are read as the options say', async () => {
    const one = randomUUID();
    const content = `account_number;product.code;product.type;opened_date;balance;nickname\n${one};F;loan;27.11.2026;1.204,50;\x8e\xef\n`;
    const options = ['--dates', 'DD.MM.YYYY', '--numbers', '1.234,50', '--encoding', 'windows-1250'];
    const { status } = await importJson(environment, 'accounts', file(Buffer.from(content, 'latin1')), ...options);
    const [stored] = await loadAccounts(api.database, team.teamId, [one]);
    expect(stored!.fields).toMatchObject({ opened_date: '2026-11-27', balance: '1204.50', nickname: 'Žď' });
    const wrong = await importCommand(environment, 'accounts', file(content), '--dates', 'DD.MM.YY');
    expect([status, wrong.status, wrong.stderr]).toEqual([0, 2, expect.stringContaining('_dates must be a format')]);
  });

  const rowsOf = (prefix: string, count: number) =>
    `unique_id,city\n${Array.from({ length: count }, (_, n) => `${prefix}-${n},X\n`).join('')}`;
  test.each<[string, (prefix: string) => string | Buffer, number, string]>([
    ['in the compression', (prefix) => gzipSync(rowsOf(prefix, 600)).subarray(0, -4), 600, 'gzip data is damaged'],
    ['in quotes', (prefix) => `${rowsOf(prefix, 3)}x,"y`, 3, 'ends inside quotes'],
    ['into headers alone', () => 'unique_id\nunique_id\n', 0, 'none of them is a row'],
  ])('cut %s have failed, with what was read applied', async (_, content, sent, reason) => {
    const path = file(content(randomUUID()));
    for (const options of [[], [], ['--dry-run']]) {
      const { status, summary } = await importJson(environment, 'contacts', path, ...options);
      expect([status, summary.status, summary.reason]).toEqual([2, 'failed', expect.stringContaining(reason)]);
      if (options.length === 0) expect(summary.rows.sent).toBe(sent);
    }
    expect((await importCommand(environment, 'contacts', path)).stdout).toContain('Failed. ');
    const strict = await importCommand(environment, 'contacts', path, '--strict');
    expect([strict.status, strict.stderr]).toEqual([2, expect.stringContaining('Nothing was sent.')]);
  });

  test('have a proposed map, with which they are imported', async () => {
    const prefix = randomUUID();
    const rows = ['1^c1^FREE^11/27/2026^1,204.50^x', '2^NULL^SAVE^11/28/2026^(25.00)^y', '3^c3^FREE^^10.00^z'];
    const header = 'ACCT_NO^CUST_NO^PROD_CD^OPEN_DT^CURR_BAL^FILLER';
    const bytes = Buffer.from(`${header}\n${rows.map((row) => prefix + row).join('\n')}\xe9\n`, 'latin1');
    const { status, stdout } = await importCommand({}, 'accounts', '--map-from', file(bytes));
    const map = JSON.parse(stdout);
    expect([status, map]).toEqual([
      0,
      {
        ACCT_NO: { field: 'account_number', examples: [1, 2, 3].map((n) => `${prefix}${n}`) },
        CUST_NO: { field: 'contact.unique_id', values: { NULL: '' }, examples: ['c1', 'c3'] },
        PROD_CD: { field: 'product.code', examples: ['FREE', 'SAVE'] },
        OPEN_DT: { field: 'opened_date', examples: ['11/27/2026', '11/28/2026'] },
        CURR_BAL: { field: 'balance', examples: ['1,204.50', '(25.00)', '10.00'] },
        FILLER: { field: null, examples: ['x', 'y', 'zé'] },
        ...{ _dates: 'MM/DD/YYYY', _numbers: '1,234.50', _delimiter: '^', _encoding: 'windows-1252' },
      },
    ]);
    const edited = { ...map, _constants: { 'product.type': 'checking' } };
    const imported = await importJson(environment, 'accounts', file(bytes), '--map', file(JSON.stringify(edited)));
    expect(imported).toMatchObject({ status: 0, summary: { rows: { sent: 3, applied: 3 } } });
    expect((await importCommand({}, 'accounts')).status).toBe(2);
  });

  test('columns of contacts by other names are mapped', async () => {
    const fields = {
      ...{ CIF: 'unique_id', FirstName: 'name_first', Surname: 'name_last', 'E-Mail': 'email', Cell: 'phone_mobile' },
      ...{ Phone: 'phone_home', DOB: 'birthdate', ZIP: 'post_code', Street: 'address' },
    };
    const cells = ['1', 'Jana', 'Novak', 'j@example.com', '612', '613', '1990-01-02', '55401', 'Main 1'];
    const path = file(`${Object.keys(fields).join()}\n${cells.join()}\n`);
    const { stdout } = await importCommand({}, 'contacts', '--map-from', path);
    const proposed = Object.entries<{ field: string }>(JSON.parse(stdout)).map(([name, { field }]) => [name, field]);
    expect(proposed).toEqual(Object.entries(fields));
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
    const options = { dryRun: false, strict: false };
    await expect(importFile({ ...request, ...options }, screen, stop)).rejects.toThrow(
      'http://127.0.0.1:1 does not respond. Nothing was sent.',
    );
    expect(said).toEqual(['http://127.0.0.1:1 does not respond. Trying again for up to 2 seconds …']);
    vi.unstubAllEnvs();
  });

  test('a file without its columns, as JSON too', async () => {
    const path = file('cust_no,b\n1,2\n');
    const { status, stdout } = await importCommand(environment, 'accounts', path, '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: 'cannot_run',
      message:
        'The file has no column for account_number. None of its 2 columns has the name of a field: cust_no, b. Map its columns to fields with --map; npm run import -- <kind> --map-from <file> proposes a map.',
    });
  });
});

test('standard output has the result and nothing else; notes go to standard error', async () => {
  const path = file('unique_id,branch\n1,x\n');
  const { stdout, stderr } = await importCommand(environment, 'contacts', path);
  expect(stderr).toContain('Note: column branch is not a field of a contact');
  expect(stdout).toMatch(/^.+ into http.+\n\n {2}rows read +1\n/);
});
