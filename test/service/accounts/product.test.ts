import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const bank = await Bank.open(api);
const contactId = await bank.contact('c');
await bank.apply({
  account_number: '1',
  contact: { unique_id: 'c' },
  product: { code: 'FREE', type: 'checking', name: 'Free Checking' },
});

const setOf = (team: string, code: string, ...args: string[]) =>
  adminJson('product', 'set', '--team', team, '--code', code, ...args);
const set = (...args: string[]) => setOf(bank.team.teamId, 'FREE', ...args);
const uuid = expect.stringMatching(/^[\da-f]{8}-/);

test('product list names every product of the team, by code', async () => {
  await bank.apply({ account_number: '2', product: { code: 'CARD', type: 'loan', name: 'Card' } });
  await set('--service', 'Bill pay');
  const list = ['product', 'list', '--team', bank.team.teamId];
  const { status, value } = await adminJson(...list);
  expect([status, value]).toMatchObject([
    0,
    [
      { id: uuid, code: 'CARD', type: 'loan', services: [] },
      { id: uuid, code: 'FREE', type: 'checking', services: [{ name: 'Bill pay' }] },
    ],
  ]);
  const { stdout } = await admin(list);
  expect(stdout).toMatch(/^CODE +NAME +TYPE +STANDARDIZED TYPE +SERVICES +ID\nCARD +Card +loan /);
  const none = await api.newTeam();
  expect((await adminJson('product', 'list', '--team', none.teamId)).value).toEqual([]);
});

describe('product set', () => {
  test('sets the standardized type and the services, and prints the product', async () => {
    const answer = await set('--standardized-type', 'student_checking', '--service', 'Bill pay', '--service', 'Zelle');
    expect(answer).toEqual({
      status: 0,
      value: {
        id: uuid,
        code: 'FREE',
        type: 'checking',
        standardized_type: 'student_checking',
        name: 'Free Checking',
        description: null,
        services: [
          { id: uuid, name: 'Bill pay' },
          { id: uuid, name: 'Zelle' },
        ],
      },
    });
  });

  test('replaces the services that are given, keeping the id of a name, and nothing that is not given', async () => {
    const first = await set('--standardized-type', 'checking', '--service', 'Bill pay', 'Alerts', 'Alerts');
    expect(first.value.services.map(({ name }: { name: string }) => name)).toEqual(['Bill pay', 'Alerts']);
    const second = await set('--service', 'Alerts');
    expect(second.value).toMatchObject({ standardized_type: 'checking', services: [first.value.services[1]] });
    const third = await set('--standardized-type', 'unknown');
    expect(third.value).toMatchObject({ standardized_type: 'unknown', services: second.value.services });
  });

  test('shows in the accounts of contacts at once, and imports do not undo it', async () => {
    await set('--service', 'Alerts');
    expect((await bank.accounts(contactId))[0].account.product.services).toMatchObject([{ name: 'Alerts' }]);
    const { value } = await set('--service', 'Bill pay', '--standardized-type', 'cd');
    const { id, code, type, name, description, services } = value;
    const shown = { id, code, type, name, description, services };
    expect((await bank.accounts(contactId))[0].account.product).toEqual(shown);
    const product = { code: 'FREE', type: 'savings', name: 'Other', standardized_type: 'loc' };
    await bank.apply({ account_number: '1', product });
    expect((await bank.accounts(contactId))[0].account.product).toEqual(shown);
    expect((await set('--service', 'Bill pay')).value.standardized_type).toBe('cd');
  });

  test.each([
    ['nothing to set', [], 'invalid_arguments', '--standardized-type'],
    ['a standardized type that is not listed', ['--standardized-type', 'chequing'], 'invalid_arguments', ''],
    ['a blank service', ['--service', ' '], 'invalid_arguments', ''],
  ])('refuses %s', async (_, args, error, path) => {
    expect(await set(...args)).toMatchObject({ status: 1, value: { error, details: [{ path }] } });
  });

  test('refuses an unknown team and an unknown product', async () => {
    const refused = (path: string) => ({ status: 1, value: { error: 'not_found', details: [{ path }] } });
    expect(await setOf(bank.team.teamId, 'NONE', '--service', 'x')).toMatchObject(refused('--code'));
    expect(await setOf(randomUUID(), 'FREE', '--service', 'x')).toMatchObject(refused('--team'));
  });
});

test('content check warns of a product that the team does not have', async () => {
  const { id } = (await set('--standardized-type', 'checking')).value;
  const checked = async (completion_product_id: string) => {
    const page = { completion_condition: 'open', completion_product_id, content: 'A' };
    const path = fileOf({ templates: [{ name: 'A', template_pages: [{ page }] }] });
    return (await adminJson('content', 'check', path, '--team', bank.team.teamId)).value.warnings;
  };
  expect(await checked(id)).toEqual([]);
  expect(await checked(randomUUID())).toEqual([
    {
      path: '/templates/0/template_pages/0/page/completion_product_id',
      message:
        'is not the id of a product of the team, so no account completes the page by it: write the `id` that the `product` of an account has in the API',
    },
  ]);
});
