import { expect, test } from 'vitest';
import { errorFields, Problem } from '../../../lib/domain/values/problem.ts';

const named = (name: string, fields: object = {}) => Object.assign(new Error('a stored value'), { name, ...fields });

test.each<[what: string, error: unknown, fields: object]>([
  ['an error', named('AccessDenied'), { error: 'AccessDenied' }],
  ['an error with a code', named('Error', { code: 'ECONNRESET' }), { error: 'Error', code: 'ECONNRESET' }],
  ['a code that is no text', named('Error', { code: { a: 1 } }), { error: 'Error' }],
  [
    'a problem',
    new Problem('unavailable', undefined, { reason: 'the queue is away', cause: named('TimeoutError') }),
    { error: 'Problem', code: 'unavailable', reason: 'the queue is away', cause: { error: 'TimeoutError' } },
  ],
  ['a problem without a reason', new Problem('gone'), { error: 'Problem', code: 'gone', reason: 'gone' }],
  ['what is no error', 'a stored value', { error: 'string' }],
])('of %s is logged what it is', (_, error, fields) => {
  expect(errorFields(error)).toMatchObject(fields);
  expect(JSON.stringify(errorFields(error))).not.toContain('stored value');
});

test('the frames say where an error is from, and a message that looks like one stays out', () => {
  const { frames } = errorFields(new TypeError('no such\n    at secret-value\n    at another')) as { frames: string[] };
  expect(frames[0]).toContain('error-fields.test.ts');
  expect(frames.join()).not.toMatch(/secret-value|another/);
});

test('the details of a problem, which name what was sent, stay out', () => {
  const problem = new Problem('validation_failed', [{ path: '/meta_public/secret-value', message: 'too long' }]);
  expect(JSON.stringify(errorFields(problem))).not.toContain('secret-value');
});

test('names the action that IAM refused, and nothing else of the message', () => {
  const error = new Error(
    'User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: dynamodb:PartiQLInsert on resource: arn:aws:dynamodb:x',
  );
  error.name = 'AccessDeniedException';
  expect(errorFields(error)).toMatchObject({ error: 'AccessDeniedException', denied: 'dynamodb:PartiQLInsert' });
  expect(JSON.stringify(errorFields(error))).not.toContain('assumed-role');
  error.message = 'not authorized to perform: kms:Decrypt';
  expect(errorFields(error)).toMatchObject({ denied: 'kms:Decrypt' });
  error.name = 'ValidationException';
  expect(errorFields(error)).not.toHaveProperty('denied');
});

test('fields that an error does not have are absent', () => {
  const error = new Error('x');
  delete (error as { stack?: string }).stack;
  expect(errorFields(error)).toStrictEqual({ error: 'Error', frames: [] });
  expect(errorFields(named('Error', { code: 7 }))).not.toHaveProperty('code');
  const quoted = Object.assign(new Error('$& message'), { stack: 'Error: $& message\n    at place' });
  expect(errorFields(quoted)).toMatchObject({ frames: ['    at place'] });
});
