import { expect, test } from 'vitest';
import { failureOf } from '../../../bin/admin/failure.ts';
import { notFound } from '../../../lib/domain/values/problem.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';

const timeout = Object.assign(new Error('no response'), { name: 'TimeoutError' });

test.each([
  [notFound(), 'not_found', 'There is no such object.'],
  [
    new StoreUnavailable('the query on the table failed after all retries', { cause: timeout }),
    'unavailable',
    'The table or the queue cannot be reached (the query on the table failed after all retries: TimeoutError). It is ' +
      'safe to try again.',
  ],
  [
    new StoreUnavailable('the queue is away'),
    'unavailable',
    'The table or the queue cannot be reached (the queue is away). It is safe to try again.',
  ],
  [new TypeError('no id'), 'internal_error', 'TypeError: no id'],
])('a command that fails says why: %s', (error, code, message) => {
  expect(failureOf(error)).toMatchObject({ code, details: [{ path: '', message }] });
});
