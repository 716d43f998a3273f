import { describe, expect, test } from 'vitest';
import { faultsIn, read, recordsIn } from './support.ts';

describe('a file of NDJSON is no document', () => {
  test.each([
    [
      'whose first line is cut off',
      '{"account_number":"1","product":{"co\n{"account_number":"2","product":{"code":"P","type":"checking"}}\n',
      1,
    ],
    [
      'whose first line is not closed',
      '{"account_number":"1"\n{"account_number":"2","product":{"code":"P","type":"checking"}}\n',
      1,
    ],
    ['of one line', '{"account_number":"2","product":{"code":"P","type":"checking"}}', 0],
    [
      'of one line with an unknown field that is an array',
      '{"account_number":"2","product":{"code":"P","type":"checking"},"owners":[{"a":1}]}',
      0,
    ],
  ])('%s', async (_, content, faults) => {
    const file = await read(content, { name: 'a.ndjson' });
    expect([recordsIn(file).length, faultsIn(file).length > 0 ? 1 : 0]).toEqual([1, faults]);
  });
});
