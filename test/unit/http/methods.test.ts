import { expect, test } from 'vitest';
import { methodNotAllowed } from '../../../lib/domain/values/problem.ts';
import { problemReply } from '../../../lib/http/errors.ts';
import { methodsOf } from '../../../lib/http/methods.ts';
import { eventOf } from '../../support/http/event.ts';

const routes = [
  { path: '/things', methods: ['GET'] },
  { path: '/things', methods: ['POST'] },
  { path: '/things/{id}', methods: ['PUT', 'PATCH'] },
  { path: '/things/{id}/parts', methods: ['GET'] },
] as const;

test.each([
  ['/things', ['GET', 'HEAD', 'POST']],
  ['/things/7', ['PUT', 'PATCH']],
  ['/things/a b%2Fc', ['PUT', 'PATCH']],
  ['/things/7/parts', ['GET', 'HEAD']],
  ['/things/', []],
  ['/things//parts', []],
  ['/things/7/parts/8', []],
  ['/thing', []],
  ['/Things', []],
  ['/', []],
  ['', []],
])('the path %j takes %j', (path, methods) => {
  expect(methodsOf(path, routes)).toEqual(methods);
});

test('a method that a path does not support names the others', () => {
  expect(problemReply(methodNotAllowed(['GET', 'HEAD']), eventOf())).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
    body: { error: 'method_not_allowed', message: expect.stringContaining('GET, HEAD'), request_id: 'request-1' },
  });
});
