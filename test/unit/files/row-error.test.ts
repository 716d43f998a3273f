import { expect, test } from 'vitest';
import { recordErrorOf } from '../../../lib/files/rows.ts';

test.each([
  ['/records/3/contact/unique_id', { at: 3, error: { column: 'contact.unique_id', reason: 'no' } }],
  ['/contacts/0', { at: 0, error: { column: '', reason: 'no' } }],
  ['/contacts/12/a~1b~0c', { at: 12, error: { column: 'a/b~c', reason: 'no' } }],
  ['/contacts/1/two\nlines', { at: 1, error: { column: 'two\nlines', reason: 'no' } }],
  ['/contacts', undefined],
  ['/batch_id', undefined],
  ['/records/3x', undefined],
])('%j names a record and its field', (path, expected) => {
  expect(recordErrorOf({ path, message: 'no' })).toEqual(expected);
});
