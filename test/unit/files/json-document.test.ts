import { describe, expect, test } from 'vitest';
import { faultsIn, read, recordsIn } from './support.ts';

describe('a file that is one JSON document is refused', () => {
  test.each([
    ['over lines', '{\n  "account_number": "1",\n  "balance": 2\n}\n'],
    ['over lines, with a line for each record', '{"records": [\n{"account_number": "1"},\n{"account_number": "2"}\n]}'],
    ['on one line', '{"accounts": [{"account_number": "1"}]}\n'],
  ])('%s', async (_, content) => {
    const message = 'The file is one JSON document. Write one JSON object per line instead (NDJSON).';
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content, { name: 'a.ndjson' })).rejects.toThrow(message);
  });
});

describe('a file of NDJSON is no document', () => {
  const good = '{"account_number":"2","product":{"code":"P","type":"checking"}}';
  test.each([
    ['whose first line is cut off', `{"account_number":"1","product":{"co\n${good}\n`, 1],
    ['whose first line is not closed', `{"account_number":"1"\n${good}\n`, 1],
    ['of one line', good, 0],
    ['of one line with an unknown field that is an array', good.replace(/}$/, ',"owners":[{"a":1}]}'), 0],
  ])('%s', async (_, content, invalid) => {
    const file = await read(content, { name: 'a.ndjson' });
    expect(recordsIn(file)).toHaveLength(1);
    expect(faultsIn(file)).toHaveLength(invalid);
  });
});
