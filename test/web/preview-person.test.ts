import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { personOf } from '../../bin/preview/person.ts';
import { channelView, viewOf } from '../../bin/preview/views.ts';
import { read } from '../architecture/sources.ts';
import { id, shown } from '../support/content-documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'person-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** The person of a file with this value. A text is written as it is. */
function personIn(value: unknown, objectives: Parameters<typeof personOf>[1] = []) {
  const file = join(folder, `${++count}.json`);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return personOf(file, objectives);
}

const checking = {
  ...{
    account_number: '1',
    contact: { role: 'primary' },
    product: { code: 'CHK', type: 'checking', name: 'Everyday' },
  },
  ...{ nickname: 'Household', balance: 12.5, opened_date: '2026-01-05', meta_public: { card: { color: 'blue' } } },
};
const savings = { account_number: '2', 'product.code': 'SAV', 'product.type': 'savings', opened_date: '2020-01-01' };
const closed = { ...savings, account_number: '3', opened_date: '2026-01-06', closed_date: '2020-02-01' };

describe('the person of a file', () => {
  test('has the fields of the API over those of a sample, and its accounts', () => {
    const phone = '+1 (555) 010-0199';
    const given = { name_first: 'Amina', phone_mobile: phone, meta_public: { car: { make: 'Tatra' } } };
    const person = personIn({ ...given, direct_deposit: true, accounts: [checking, savings] }, [
      { id: 'o', key: 'direct_deposit' },
    ]);
    expect([person.errors, person.warnings]).toEqual([[], []]);
    expect(person.contact).toMatchObject({ name_first: 'Amina', name_last: 'Sample', phone_mobile: '15550100199' });
    expect(person.contact.meta_public).toEqual({ 'car.make': 'Tatra' });
    expect(Object.keys(person.contact.completions)).toEqual(['o']);
    expect(person.accounts.map(({ role, product }) => [role, product.type])).toEqual([
      ['primary', 'checking'],
      [null, 'savings'],
    ]);
  });

  test.each<[what: string, given: unknown, errors: [place: string, message: RegExp][]]>([
    ['no JSON', '{"name_first": }', [['', /not a JSON document: see line 1, column 16/]]],
    ['no object', [], [['', /must contain an object/]]],
    ['a wrong value', { birthdate: '17.5.1984' }, [[': /birthdate', /calendar date/]]],
    ['accounts that are no list', { accounts: {} }, [[': /accounts', /must be a list/]]],
    ['an account that is no object', { accounts: [1] }, [[': /accounts/0', /must be an object/]]],
    [
      'an account with wrong values',
      { accounts: [{ ...checking, balance: 'much', product: { code: 'C', type: 'gold' } }] },
      [
        [': /accounts/0/product/type', /must be one of/],
        [': /accounts/0/balance', /must be a decimal/],
      ],
    ],
    [
      'an account as the API returns it',
      { accounts: [{ role: 'primary', account: { id: 'a', nickname: 'A' } }] },
      [[': /accounts/0/account', /as a batch takes them/]],
    ],
    [
      'an account without a product',
      { accounts: [{ account_number: '1', contact: { unique_id: 'u' } }] },
      [[': /accounts/0/product', /is required/]],
    ],
  ])('names %s', (_, given, errors) => {
    const person = personIn(given);
    expect(person.errors.map(({ path }) => path)).toEqual(
      errors.map(([place]) => expect.stringMatching(new RegExp(`^\\d+\\.json${place}$`))),
    );
    for (const [index, [, message]] of errors.entries()) expect(person.errors[index]!.message).toMatch(message);
    expect(person.contact.name_first).toBe('Alex');
  });

  test.each([
    [{ firstname: 'A' }, '/firstname', 'is not a field of a contact, nor the key of an objective, and is ignored'],
    [{ name_frist: 'A' }, '/name_frist', 'did you mean `name_first`?'],
    [{ accounts: [{ ...checking, balanc: 1 }] }, '/accounts/0/balanc', 'did you mean `balance`?'],
    [{ accounts: [{ ...checking, contact: { rol: 'x' } }] }, '/accounts/0/contact/rol', 'did you mean `role`?'],
  ])('names the field of %j that nothing reads', (given, place, message) => {
    const { errors, warnings } = personIn(given);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      { path: expect.stringContaining(`.json: ${place}`), message: expect.stringContaining(message) },
    ]);
  });
});

test('the example of the guide is read without errors and warnings', () => {
  const [, example = ''] = /`--contact FILE` .*?`(\{.+?\})`\./.exec(read('docs/campaigns.md')) ?? [];
  const { errors, warnings, accounts } = personIn(example);
  expect([errors, warnings, accounts.length]).toEqual([[], [], 1]);
});

describe('the preview with accounts', () => {
  const text = { type: 'text', data: { body: '{{account.nickname}} {{account.balance}} {{account.opened_date}}' } };
  const page = (order: number, fields: object) => ({ order, page: { content_blocks: [text], ...fields } });
  const content = shown({
    engagement_channels: [{ id: id(1), name: 'App' }],
    templates: [
      {
        template_pages: [
          page(1, { completion_condition: 'view' }),
          page(2, { completion_condition: 'open', completion_product_type: 'savings' }),
          page(3, { completion_condition: 'open', completion_product_id: id(7) }),
          page(4, { content_containers: [{ engagement_channel_id: id(1), content_blocks: [text] }] }),
        ],
      },
    ],
  });
  const pages = content.templates[0]!.template_pages.map((each) => each.page.id);
  const mine = [checking, { ...savings, nickname: 'Nest egg', balance: '90.00' }, closed];
  const htmlOf = (accounts: object[], page: number, state: 'new' | 'before the proof' = 'new') =>
    viewOf(content, personIn({ accounts }), { template: 0, state, language: undefined, page: pages[page] })!.html;

  test('shows the open account that the page names, or else the one opened last', () => {
    expect(htmlOf(mine, 0)).toContain('Household 12.5 2026-01-05');
    expect(htmlOf(mine, 1)).toContain('Nest egg 90.00 2020-01-01');
    expect(htmlOf([{ ...checking, product: { ...checking.product, id: id(7) } }, ...mine], 2)).toContain('Household');
    expect(htmlOf([], 0)).not.toContain('Household');
  });

  test('shows private values of the account only after the proof of identity', () => {
    expect(htmlOf(mine, 0, 'before the proof')).toContain('Household ••• •••');
  });

  test('completes the pages whose product is open', () => {
    const completed = (accounts: object[]) => htmlOf(accounts, 0).match(/class="done"/g)?.length ?? 0;
    expect(completed(mine)).toBe(completed([checking]) + 1);
    expect(completed([closed])).toBe(completed([]));
  });

  test('shows the account in a channel', () => {
    const view = { channel: 0, template: 0, page: pages[3]!, language: undefined };
    expect(channelView(content, personIn({ accounts: mine }), view)!.html).toContain('Household ••• •••');
  });
});
