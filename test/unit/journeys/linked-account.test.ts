import { describe, expect, test } from 'vitest';
import { accountFor, type LinkedAccount } from '../../../lib/domain/journeys/linked-account.ts';
import { page } from './completion.ts';

const now = '2026-03-01T09:00:00.000000Z';
const account = (
  account_number: string,
  type: string,
  opened_date: string | null,
  closed_date: string | null = null,
): LinkedAccount => ({
  account_number,
  role: null,
  closed_date,
  since: '2020-01-01T00:00:00.000000Z',
  product: { id: type, type, standardized_type: 'unknown', code: type, name: null, description: null },
  account: { fields: { opened_date, closed_date }, product_code: type, meta_public: null, meta_private: null },
});

describe('the account that a page speaks of', () => {
  const older = account('1', 'savings', '2020-01-01');
  const newer = account('2', 'savings', '2021-01-01T00:00:00+01:00');
  const loan = account('3', 'loan', '2025-01-01');
  const closed = account('4', 'savings', '2025-06-01', '2026-02-01');
  const undated = account('5', 'savings', null);
  const closing = account('6', 'savings', '2020-01-01', '2027-01-01');
  const another = account('7', 'loan', '2025-01-01');
  test.each<[string, string | null, LinkedAccount[], LinkedAccount | undefined]>([
    ['is the one of the product that completes the page', 'savings', [loan, older], older],
    ['is of several such the one that was opened last', 'savings', [newer, older, loan], newer],
    ['is the one opened last where there is none of that product', 'lease', [older, loan, newer], loan],
    ['is the one opened last where the page names no product', null, [older, loan, newer], loan],
    ['is of two that were opened at once the one with the last number', null, [another, loan], another],
    ['is none that is closed', 'savings', [closed, loan], loan],
    ['is one that is yet to be closed', 'savings', [closing], closing],
    ['is one without a date only where there is no other', null, [undated, older], older],
    ['is the only one, whatever its date', null, [undated], undated],
    ['is none where all are closed', null, [closed], undefined],
    ['is none where there is none', 'savings', [], undefined],
  ])('%s', (_, completion_product_type, held, expected) => {
    const rule = page({ completion_condition: 'open', completion_product_type });
    expect(accountFor(rule, held, [], now)).toEqual(expected);
    expect(accountFor(rule, held.toReversed(), [], now)).toEqual(expected);
  });
});
