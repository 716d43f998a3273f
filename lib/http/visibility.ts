import type { Caller } from './middleware.ts';

/** Whether the caller may read `meta_private` (contract, section 2). */
export const readsPrivate = ({ scopes }: Caller): boolean => scopes.has('contacts:private');

/** The contact as the caller may see it: `meta_private` has no key without `contacts:private`. */
export function shownTo<Shown extends { meta_private?: unknown }>(caller: Caller, contact: Shown): Shown {
  if (readsPrivate(caller)) return contact;
  const { meta_private: _, ...others } = contact;
  return others as Shown;
}
