import { describe, expect, test } from 'vitest';
import {
  insufficientScope,
  invalidRequest,
  maxErrorDetails,
  namesInPointer,
  notFound,
  Problem,
  pointer,
  validationFailed,
} from '../../../lib/domain/values/problem.ts';

const detail = { path: '/a', message: 'is required' };

test.each([
  [() => notFound(), { code: 'not_found', message: 'not_found', details: undefined }],
  [() => invalidRequest(detail), { code: 'invalid_request', details: [detail] }],
  [() => validationFailed([detail]), { code: 'validation_failed', details: [detail] }],
  [
    () => insufficientScope('contacts:read'),
    { code: 'insufficient_scope', scope: 'contacts:read', details: undefined },
  ],
  [
    () => new Problem('unavailable', undefined, { reason: 'the queue is away', retryAfter: 2 }),
    { code: 'unavailable', message: 'the queue is away', retryAfter: 2 },
  ],
])('%# has its code and texts', (problem, fields) => {
  expect(problem()).toMatchObject({ name: 'Problem', ...fields });
});

test('a problem has at most a hundred errors', () => {
  expect(maxErrorDetails).toBe(100);
  const details = Array.from({ length: 101 }, (_, at) => ({ path: `/${at}`, message: 'x' }));
  expect(validationFailed(details).details).toEqual(details.slice(0, 100));
});

describe('a JSON Pointer', () => {
  test.each<[names: string[], path: string]>([
    [[], ''],
    [['a'], '/a'],
    [['a', 'b c', '0'], '/a/b c/0'],
    [[''], '/'],
    [['a/b', 'm~n'], '/a~1b/m~0n'],
    [['~1', '~0', '//~~'], '/~01/~00/~1~1~0~0'],
  ])('of the names %j is %s, and back', (names, path) => {
    expect(pointer(names)).toBe(path);
    expect(namesInPointer(path)).toEqual(names);
  });
});
