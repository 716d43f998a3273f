import * as z from 'zod';
import type { Account } from '../../domain/accounts/account.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { mostAccounts } from '../../domain/targeting/person.ts';
import { accountOf, type Link, linksOf } from '../accounts/accounts.ts';
import { storedContact } from '../contacts/contacts.ts';
import { judgedVersionIn } from '../journeys/journey-items.ts';
import { type JourneyWithActions, journeysOf } from '../journeys/journeys.ts';
import { all, chunksOf, type Database, type Item, type ReadOptions } from '../table/database.ts';
import {
  accountKey,
  contactAggregate,
  contactPartition,
  isJourneyKey,
  isLinkKey,
  judgedKey,
  linksAndContact,
  targetedNotePrefix,
} from '../table/keys.ts';
import { itemReader, storedTime } from '../table/stored-item.ts';
import { together } from '../table/together.ts';
import { noteOf, type TargetedNote } from './notes.ts';

/** Contacts that are read in parallel. */
const parallel = 10;
/** Accounts that are read at once: their metadata can have 32 KB. */
const accountsAtOnce = 500;

/** What is stored of a contact, as targeting reads it. */
export type StoredPerson = {
  contact: Contact;
  /** Those with which the contact is linked; none if there are too many. */
  links: Link[];
  tooManyAccounts: boolean;
  journeys: JourneyWithActions[];
  noted: TargetedNote[];
  /** How often targeting has decided something for the contact: the condition of the next decision. */
  judged: number;
};

/** An account, and when it was first stored. */
export type StoredAccount = { account: Account; insertedAt: string };

/** A contact in one query up to the responses; `undefined` if there is no such contact. */
async function loadStoredPerson(
  database: Database,
  teamId: string,
  contactId: string,
  options: ReadOptions,
): Promise<StoredPerson | undefined> {
  const query = { pk: contactPartition(teamId, contactId), ...contactAggregate, ...options };
  const { items, next } = await database.query(query);
  if (next === undefined) return personIn(items);
  // The links sort first. Of very many, no more are read.
  const isMany = items.length > mostAccounts && isLinkKey({ pk: query.pk, sk: next });
  const rest = await all(database, { ...query, ...(isMany ? { from: linksAndContact.to } : { after: next }) });
  return personIn([...items, ...rest]);
}

function personIn(items: readonly Item[]): StoredPerson | undefined {
  const self = items.find(({ sk }) => sk === linksAndContact.to);
  const contact = self && storedContact(self)?.contact;
  if (!contact) return undefined;
  const links = items.filter(isLinkKey).flatMap(linksOf);
  const tooManyAccounts = links.length > mostAccounts;
  const judged = items.find(({ sk }) => sk === judgedKey('', '').sk);
  return {
    ...{ contact, links: tooManyAccounts ? [] : links, tooManyAccounts },
    journeys: journeysOf(items.filter(isJourneyKey)),
    noted: items.filter(({ sk }) => sk.startsWith(targetedNotePrefix)).map(noteOf),
    judged: judgedVersionIn(judged),
  };
}

const accountTime = itemReader('account', z.object({ inserted_at: storedTime }));

/** These contacts in their order, and all accounts that they are linked to. */
export async function loadStoredPeople(
  database: Database,
  teamId: string,
  contactIds: readonly string[],
  options: ReadOptions = {},
): Promise<{ people: (StoredPerson | undefined)[]; accounts: Map<string, StoredAccount> }> {
  const people = await together(contactIds, parallel, (id) => loadStoredPerson(database, teamId, id, options));
  const numbers = new Set(people.flatMap((person) => person?.links.map((link) => link.account_number) ?? []));
  const accounts = new Map<string, StoredAccount>();
  for (const group of chunksOf([...numbers], accountsAtOnce)) {
    const items = await database.get(
      group.map((number) => accountKey(teamId, number)),
      options,
    );
    for (const [index, item] of items.entries()) {
      const account = item && accountOf(item);
      if (account) accounts.set(group[index]!, { account, insertedAt: accountTime(item).inserted_at });
    }
  }
  return { people, accounts };
}
