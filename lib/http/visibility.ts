import type { Caller } from './middleware.ts';

/** True if the caller may read `meta_private` (contract, section 2). */
export const readsPrivate = ({ scopes }: Caller): boolean => scopes.has('contacts:private');

/** The contact without `meta_private`, unless the caller has `contacts:private`. */
export function shownTo<Shown extends { meta_private?: unknown }>(caller: Caller, contact: Shown): Shown {
  if (readsPrivate(caller)) return contact;
  const { meta_private: _, ...others } = contact;
  return others as Shown;
}
