import { expect, test, vi } from 'vitest';
import { kinds } from '../../../lib/files/kinds.ts';
import { faultsIn, read, recordsIn } from './support.ts';

const contacts = ['a', 'b', 'c'].map((unique_id) => ({ unique_id }));

test.each([
  ['CSV', 'contacts.csv', 'unique_id\na\nb\nc\n', 3],
  ['NDJSON', 'contacts.ndjson', contacts.map((each) => JSON.stringify(each)).join('\n'), 2],
])('a row of %s that the code fails on is rejected with its line', async (_, name, content, line) => {
  const { errors } = kinds.contacts;
  const failure = new TypeError('a bug');
  const failing = vi.spyOn(kinds.contacts, 'errors').mockImplementation((record) => {
    if (record.unique_id === 'b') throw failure;
    return errors(record);
  });
  const failures: unknown[] = [];
  const onRowFailure = (error: unknown) => failures.push(error);
  const rows = await read(content, { kind: 'contacts', name, onRowFailure });
  failing.mockRestore();
  expect(faultsIn(rows)).toEqual([`${line} : cannot be processed because of an internal error`]);
  expect(recordsIn(rows)).toEqual([contacts[0], contacts[2]]);
  expect(failures).toEqual([failure]);
});
