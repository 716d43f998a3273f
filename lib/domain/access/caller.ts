import type { UnusedFields } from '../values/unused-fields.ts';
import type { ConsentSource } from './consent-source.ts';
import type { Scope } from './scope.ts';

/** A call of an operation: for which team, by whom, and how. A file of the drop box and a command are no client. */
export type Call = {
  teamId: string;
  clientId?: string | undefined;
  /** The fields of the request that have no use. Without it, they are ignored. */
  unused?: UnusedFields;
  /** The id of the request. The wake of an import names it, so that the log of the worker does too. */
  requestId?: string;
  /** What changes the consent of contacts, if it is not a request of a client. */
  source?: ConsentSource;
};

/** The call of a client, with the scopes of its access token. */
export type Caller = Call & { clientId: string; scopes: ReadonlySet<Scope> };

/** True if the caller may read `meta_private` (contract, section 2). */
export const readsPrivate = ({ scopes }: Caller): boolean => scopes.has('contacts:private');
