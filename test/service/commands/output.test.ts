import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runImportCommand } from '../../../bin/import/command.ts';
import { shellWord } from '../../../bin/output.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { captured } from '../../support/captured.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

let bank: Bank;
let team: string[];
beforeAll(async () => {
  bank = await Bank.open(await service());
  team = ['--team', bank.team.teamId];
});

/** A title, a bell, a cleared screen by C1, a reversed line, an isolate, and a second line. */
const hostile = 'x\u001b]0;t\u0007\u009b2J\u202eabc\u2066\u200f\u007f\r\nFAKE LINE';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('what others wrote', () => {
  test('is printed with escapes, and is the same in JSON', async () => {
    await bank.contact('hostile', { name_first: hostile, meta_public: { [`k${hostile}`]: hostile } });
    const show = ['contact', 'show', ...team, '--unique-id', 'hostile'];
    const { stdout } = await admin(show);
    expect(stdout).toContain('\\u001b]0;t\\u0007\\u009b2J\\u202e');
    expect(stdout).not.toMatch(obeyed);
    expect(stdout).not.toMatch(/^FAKE/m);
    const json = await admin([...show, '--json']);
    expect(json.stdout).not.toMatch(obeyed);
    expect(JSON.parse(json.stdout).name_first).toBe(hostile);
    const batch = 'b\u001b2J\u202e';
    await bank.post({ batch_id: batch, records: [{ account_number: '1', product: { code: 'C', type: 'checking' } }] });
    await bank.settled(batch);
    for (const more of [[], ['--json']]) {
      const listed = await admin(['batch', 'list', ...team, ...more]);
      expect(listed.stdout).toContain('b\\u001b2J\\u202e');
      expect(listed.stdout).not.toMatch(obeyed);
    }
  });

  test.each(['plain-1', '$(touch x)', '`id`', "it's", "'; id; '", 'a b', '*', '\\', '', '!x', '"', 'Ž'])(
    'is one word of a shell: %s',
    (value) => {
      expect(execFileSync('sh', ['-c', `printf %s ${shellWord(value)}`]).toString()).toBe(value);
    },
  );
});

describe('an option that is given twice', () => {
  test.each([
    ['contact', 'erase', '--unique-id', 'a', '--unique-id', 'b', '--yes'],
    ['drop', 'list', '--limit', '1', '--limit', '1'],
    ['client', 'list', '--json', '--json'],
  ])('is refused: %s %s', async (...args) => {
    const { status, value } = await adminJson(...args, ...(args.includes('--json') ? [] : team));
    expect(status).toBe(1);
    expect(value).toMatchObject({ error: 'invalid_arguments', details: [{ message: expect.stringMatching(/twice/) }] });
  });

  test('is refused by the importer too', async () => {
    const twice = ['--batch-id', 'a', '--batch-id', 'b'];
    const { status, stderr } = await captured(() => runImportCommand(['accounts', 'none.csv', ...twice]));
    expect([status, stderr]).toEqual([2, expect.stringContaining("'--batch-id <id>' is given twice")]);
  });

  test('is taken if it is repeatable', async () => {
    const scopes = ['--scope', 'contacts:read', '--scope', 'journeys:read'];
    const { value } = await adminJson('client', 'create', ...team, ...scopes);
    const { value: all } = await adminJson('client', 'list', ...team);
    const made = all.find(({ client_id }: { client_id: string }) => client_id === value.client_id);
    expect(made.scopes).toEqual(['contacts:read', 'journeys:read']);
  });
});

test.each([
  [
    'a list of texts',
    () => ['content', 'texts', fileOf({ templates: [{ name: 'Žluť' }] }), '--csv', '--language', 'es'],
  ],
  ['missing links', () => ['account', 'compare', fileOf('account_number,contact.unique_id\n1,a\n', 'csv'), ...team]],
])(
  'CSV in a file has a byte order mark, without which Excel shows other letters; in a pipe it has none: %s',
  (_, args) => {
    const path = fileOf('', 'csv');
    const command = [join(projectRoot, 'bin/admin.ts'), ...args()];
    const env = { ...process.env, DATA_DIR: inject('serviceDirectory') };
    expect(spawnSync(process.execPath, command, { env, stdio: ['ignore', openSync(path, 'w'), 'ignore'] }).status).toBe(
      0,
    );
    const piped = execFileSync(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
    expect(piped).toMatch(/^(?:text,es|missing,account_number)/);
    expect(readFileSync(path, 'utf8')).toBe(`\ufeff${piped}`);
  },
);

test.each([
  ['bin/admin.ts', 'team', 'list'],
  ['bin/import.ts', '--help'],
])('%s %s ends quietly when nobody reads its output', async (...args) => {
  const [script = '', ...rest] = args;
  const environment = { ...process.env, DATA_DIR: inject('serviceDirectory') };
  const child = spawn(process.execPath, [join(projectRoot, script), ...rest], { env: environment, stdio: 'pipe' });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  const [status] = await once(child, 'close');
  expect([status, stderr]).toEqual([0, '']);
});
