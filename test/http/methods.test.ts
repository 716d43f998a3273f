import { expect, test } from 'vitest';
import { methodsOf } from '../../lib/http/methods.ts';

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
