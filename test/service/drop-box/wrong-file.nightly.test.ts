import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { deviatingFiles } from '../../../lib/operations/drop-box/expected.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

const header = 'account_number,contact.unique_id,product.code,product.type,balance';
const file = (...rows: string[]): string => [header, ...rows, ''].join('\n');
const row = (number: string, contact: string, balance = '10.00') => `${number},${contact},CHK,checking,${balance}`;

/** The way of docs/runbook.md, "Take a wrong file back". */
test('a wrong file is noticed, and what it brought is taken back', async () => {
  const api = await service();
  const bank = await Bank.open(api);
  const { teamId } = bank.team;
  const team = ['--team', teamId];
  const drop = async (name: string, content: string) => {
    const path = join(api.local.drop_box_folder, teamId, 'accounts', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    await admin(['drop', 'show', `${teamId}/accounts/${name}`, '--watch']);
  };
  const state = async () => (await adminJson('drop', 'expected', ...team)).value[0].state;
  /** What the sweeper counts as `files_unexpected`, on which the alarm goes off. */
  const alarm = async () => (await deviatingFiles(serviceOn(api.database))).filter(({ team_id }) => team_id === teamId);
  const numbers = async (contactId: string) => (await bank.accounts(contactId)).length;

  const [ann, bob] = [await bank.contact('ann'), await bank.contact('bob')];
  await adminJson('drop', 'expect', ...team, '--type', 'accounts', '--by', '05:00', '--max-rejected', '5%');
  await drop('monday.csv', file(row('1', 'ann'), row('2', 'bob')));
  expect([await state(), await alarm()]).toEqual(['ok', []]);

  // The columns are shifted: ann gets the account of bob, and most rows are nonsense.
  await drop('tuesday.csv', file(row('2', 'ann', '99.00'), row('77', 'bob'), '3,carl,CHK,31.12.2024,x'));
  expect(await state()).toBe('unexpected');
  expect(await alarm()).toMatchObject([{ state: 'unexpected' }]);
  expect([await numbers(ann), await numbers(bob)]).toEqual([2, 2]);

  const right = file(row('1', 'ann'), row('2', 'bob', '20.00'));
  await drop('tuesday-again.csv', right);
  expect([await state(), await alarm()]).toEqual(['ok', []]);
  const path = fileOf(right, 'csv');
  const { stdout } = await admin(['account', 'compare', path, ...team]);
  expect(
    stdout
      .replaceAll(/[0-9a-f-]{36}/g, '<id>')
      .split('\n')
      .slice(1),
  ).toEqual(['link,2,ann,,<id>', 'account,77,,,', 'link,77,bob,,<id>', '']);
  expect((await admin(['account', 'compare', path, ...team, '--remove-missing', '50%', '--yes'])).status).toBe(0);
  expect((await admin(['account', 'remove', ...team, '--account-number', '77', '--yes'])).status).toBe(0);
  expect((await admin(['account', 'compare', path, ...team])).stdout.split('\n').slice(1)).toEqual(['']);
  expect([await numbers(ann), await numbers(bob)]).toEqual([1, 1]);
  expect((await adminJson('account', 'show', ...team, '--account-number', '2')).value.balance).toBe('20.00');
});
