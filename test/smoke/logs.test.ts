import { expect, test } from 'vitest';
import { reasonIn } from '../../bin/smoke/logs.ts';

const line = (fields: object) => JSON.stringify({ level: 'ERROR', message: 'request failed', ...fields });

test('the reason of a failure is its first cause, with the action that IAM refused', () => {
  const cause = { error: 'AccessDeniedException', denied: 'dynamodb:Query' };
  expect(reasonIn(line({ error: 'Problem', cause }))).toEqual({
    text: 'request failed: AccessDeniedException (dynamodb:Query), then Problem',
    denied: 'Query',
  });
  expect(reasonIn(line({ error: 'TypeError' }))).toEqual({ text: 'request failed: TypeError' });
});

test('lines without an error, and lines that are not JSON, give no reason', () => {
  expect(reasonIn(line({}))).toBeUndefined();
  expect(reasonIn(JSON.stringify({ level: 'INFO', message: 'request', error: 'x' }))).toBeUndefined();
  expect(reasonIn('START RequestId: 1')).toBeUndefined();
});
