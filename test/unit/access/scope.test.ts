import { describe, expect, test } from 'vitest';
import {
  allScopes,
  grantedScopes,
  requireScopes,
  type Scope,
  scopeSchema,
  scopesIn,
  scopeText,
} from '../../../lib/domain/access/scope.ts';

test('the scopes are those of the contract', () => {
  expect(allScopes).toEqual([
    ...['contacts:read', 'contacts:write', 'contacts:private', 'contacts:erase'],
    ...['accounts:read', 'imports:read', 'imports:write'],
    ...['campaigns:read', 'journeys:read', 'journeys:write', 'channels:read', 'events:read'],
    'webhooks:write',
  ]);
  expect(scopeSchema.options).toEqual(allScopes);
});

test.each<[Scope[], string]>([
  [[], ''],
  [['imports:read'], 'imports:read'],
  [['imports:read', 'contacts:read', 'imports:read'], 'contacts:read imports:read'],
])('%j are written as %j', (scopes, text) => {
  expect(scopeText(scopes)).toBe(text);
});

test.each([
  ['', []],
  ['imports:read', ['imports:read']],
  ['imports:read unknown contacts:read imports:read', ['contacts:read', 'imports:read']],
  ['contacts:readimports:read', []],
])('%j names %j', (text, scopes) => {
  expect(scopesIn(text)).toEqual(scopes);
});

describe('a new token', () => {
  const granted: Scope[] = ['journeys:read', 'contacts:read', 'imports:read'];

  test('has all granted scopes if it requests none', () => {
    expect(grantedScopes(granted, undefined)).toBe(granted);
  });

  test.each([
    ['contacts:read', ['contacts:read']],
    ['journeys:read contacts:read', ['contacts:read', 'journeys:read']],
    ['contacts:read contacts:write', undefined],
    ['unknown', undefined],
    ['contacts:read ', undefined],
    ['', undefined],
  ])('that requests %j gets %j', (requested, scopes) => {
    expect(grantedScopes(granted, requested)).toEqual(scopes);
  });
});

describe('a request', () => {
  const held = new Set<Scope>(['contacts:read', 'journeys:read']);

  test.each<[Scope[]]>([[[]], [['contacts:read']], [['journeys:read', 'contacts:read']]])(
    'that needs %j is allowed',
    (needed) => {
      expect(() => requireScopes(held, needed)).not.toThrow();
    },
  );

  test('that needs another scope is refused with all that it needs', () => {
    expect(() => requireScopes(held, ['journeys:write', 'contacts:read'])).toThrow(
      expect.objectContaining({ code: 'insufficient_scope', scope: 'contacts:read journeys:write' }),
    );
  });
});
