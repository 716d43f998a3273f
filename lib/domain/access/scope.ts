import * as z from 'zod';
import { insufficientScope } from '../values/problem.ts';

/** All scopes of the API (contract, section 2), and what they allow. */
export const scopeDescriptions = {
  'contacts:read': 'List, search and read contacts.',
  'contacts:write': 'Create and update contacts, including `meta_private`.',
  'contacts:private': 'Read, search and look up `meta_private`.',
  'contacts:erase': 'Erase contacts.',
  'accounts:read': "Read a contact's accounts.",
  'imports:read': 'Read the status of batches.',
  'imports:write': 'Send batches of accounts.',
  'campaigns:read': 'Read templates, objectives and engagement channels.',
  'journeys:read': 'Read journeys and the answers of people.',
  'journeys:write': 'Start, confirm and cancel journeys.',
  'channels:read': 'Find the content of a channel for a contact.',
  'events:read': 'Read the events of the team.',
  'webhooks:write': 'Manage the webhooks of the team.',
} as const;

export type Scope = keyof typeof scopeDescriptions;
export const allScopes = Object.keys(scopeDescriptions) as readonly Scope[];
export const scopeSchema = z.enum(allScopes as [Scope, ...Scope[]]);

/** The scopes as a `scope` value (RFC 6749, section 3.3): in a fixed order, each once, separated by spaces. */
export const scopeText = (scopes: Iterable<Scope>): string => {
  const held = new Set(scopes);
  return allScopes.filter((scope) => held.has(scope)).join(' ');
};

/** The known scopes in the text. Unknown ones are ignored. */
export const scopesIn = (text: string): Scope[] => {
  const named = new Set(text.split(' '));
  return allScopes.filter((scope) => named.has(scope));
};

/**
 * The scopes of a new token: those in `requested`, or all granted scopes without it.
 * @returns `undefined` if `requested` names a scope that is unknown or not granted
 */
export function grantedScopes(granted: readonly Scope[], requested: string | undefined): readonly Scope[] | undefined {
  if (requested === undefined) return granted;
  const held: ReadonlySet<string> = new Set(granted);
  return requested.split(' ').every((scope) => held.has(scope)) ? scopesIn(requested) : undefined;
}

/** @throws Problem `insufficient_scope` with all needed scopes, if one of them is missing */
export function requireScopes(held: ReadonlySet<Scope>, needed: readonly Scope[]): void {
  if (needed.some((scope) => !held.has(scope))) throw insufficientScope(scopeText(needed));
}
