import { describe, expect, test } from 'vitest';
import { withDecimalPoint } from '../../../lib/files/columns.ts';
import { mappingOf } from '../../../lib/files/mapping.ts';
import { faultsIn, read, recordsIn } from '../../support/files/support.ts';

test.each([
  ['1234,50', '1234.50'],
  ['-0,5', '-0.5'],
  ['1.234,50', '1234.50'],
  ['1 234 567,5', '1234567.5'],
  ['1\u00a0234,5', '1234.5'],
  ['1.234', '1234'],
  ['12.50', '12.50'],
  ['12', '12'],
  ['1,2,3', '1,2,3'],
  ['12.34,5', '12.34,5'],
  ['x', 'x'],
])('%s is read as %s', (word, expected) => {
  expect(withDecimalPoint(word)).toBe(expected);
});

describe('a file with decimal commas', () => {
  const content = 'account_number;product.code;product.type;product.name;balance\nA;P;checking;1,5 %;1 234,50\n';

  test('is read with the option, decimals only', async () => {
    const [record] = recordsIn(await read(content, { mapping: mappingOf('accounts', undefined, true) }));
    expect(record).toMatchObject({ balance: '1234.50', product: { name: '1,5 %' } });
  });

  test('is rejected without it', async () => {
    expect(faultsIn(await read(content))).toEqual([expect.stringMatching(/^2 balance: must be a decimal/)]);
  });
});
