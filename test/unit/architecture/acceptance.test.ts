import { expect, test } from 'vitest';
import type { Route } from '../../../lib/route.ts';
import { routes } from '../../../lib/routes.ts';
import { needed } from '../../judges/acceptance/scopes.ts';

/** Not in the suite itself, which imports nothing of the product. */
test('the acceptance suite checks the scopes of every endpoint behind a token, and of no other', () => {
  const tried = needed.map(([, request]) => request.replace(/\?.*/, ''));
  const behindToken = (routes as readonly Route[])
    .filter(({ access }) => access === 'bearer')
    .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}`))
    .map((operation) => new RegExp(`^${operation}$`));
  const missing = behindToken.filter((operation) => !tried.some((request) => operation.test(request)));
  expect(missing, 'add them to the list in test/judges/acceptance/scopes.ts').toEqual([]);
  expect(tried.filter((request) => !behindToken.some((operation) => operation.test(request)))).toEqual([]);
});
