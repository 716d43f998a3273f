import type { Account } from '../accounts/account.ts';
import type { Contact } from '../contacts/contact.ts';
import type { StateOfJourney } from '../journeys/journey.ts';

/** Most accounts of a contact that is targeted (contract, section 14, "Accounts"). */
export const mostAccounts = 500;

/** A contact with everything that decides about its journeys. */
export type Person = {
  contact: Contact;
  /** Accounts that are stored. A link to an account that is not stored yet is left out. None if there are too many. */
  accounts: readonly PersonAccount[];
  /** True if the contact has more links than {@link mostAccounts}. */
  tooManyAccounts: boolean;
  journeys: readonly PersonJourney[];
  /** Templates without journeys whose rules held. */
  noted: readonly Subject[];
};

export type PersonAccount = {
  account: Account;
  id: string;
  link: { account_number: string; role: string | null };
  /** `undefined` if the product is not stored. */
  product: PersonProduct | undefined;
  /** The later of the times at which account and link were first stored, ISO 8601 in UTC. */
  storedAt: string;
};
export type PersonProduct = { code: string; type: string; standardized_type: string; name: string | null };

export type PersonJourney = Subject & {
  id: string;
  /** As of now. Of completed, cancelled and expired, the first that was recorded. */
  state: StateOfJourney;
  /** True if `targeting undo` cancelled it: a later form of the rule opens it again. */
  undone: boolean;
  /** The revision of the rule that started it; `null` if targeting did not. */
  revision: string | null;
  source: string;
  inserted_at: string;
};

/** What a journey or a note is about. `account_id` is `null` if it is about the contact as a whole. */
export type Subject = { template_id: string; account_id: string | null };
