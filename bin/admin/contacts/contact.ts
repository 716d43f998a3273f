import { shownContactOf } from '../../../lib/domain/contacts/shown-contact.ts';
import { stateOf } from '../../../lib/domain/journeys/journey.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { type Link, loadAccounts } from '../../../lib/store/accounts/accounts.ts';
import { loadByUniqueId } from '../../../lib/store/contacts/contacts.ts';
import { type JourneyWithActions, journeysOf } from '../../../lib/store/journeys/journeys.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { derivedAccountId } from '../../../lib/store/table/ids.ts';
import { isJourneyKey, targetedNotePrefix } from '../../../lib/store/table/keys.ts';
import { noteOf } from '../../../lib/store/targeting/notes.ts';
import { contactIds } from '../auditing.ts';
import { withReaders } from '../campaigns/readers.ts';
import { AdminFailure, asNotFound, failure } from '../failure.ts';
import { limitOption } from '../options.ts';
import { listing, textsOf } from '../text.ts';
import { argument, flag, noun, optional, required, team, verb } from '../verb.ts';

const uniqueId = required('<unique_id>', 'the contact');
const ids = (given: { team: string; uniqueId: string }, database: Database) =>
  contactIds(database, given.team, given.uniqueId);

export const verbs = noun('Contacts, identified by their unique_id', {
  'change-unique-id': verb({
    does: 'Change the unique_id of a contact; it keeps its id, accounts and journeys',
    parameters: {
      team,
      from: required('<unique_id>', 'the present unique_id; afterwards another contact can use it'),
      to: required('<unique_id>', 'the new unique_id; no other contact may have it'),
    },
    ids: (given, database) => contactIds(database, given.team, given.from),
    run: async (installation, { team: teamId, from, to }) => {
      const { changeUniqueId } = await import('../operations/contacts/change-unique-id.ts');
      const { id, unique_id } = await changeUniqueId(installation, teamId, { from, to }).catch(asOptions);
      return { value: { id, unique_id } };
    },
  }),

  find: verb({
    does: 'Find people by a part of their name, email or phone number, or by an account number or unique_id',
    help: `
Names are compared without case and accents, phone numbers by their digits. Unless the text is an account number or a
unique_id, it reads the directory of the team. The exit status is 1 if nobody is found.`,
    parameters: {
      text: argument('for example "novak ana", ana@example.com, 555-0100 or an account number'),
      team,
      limit: limitOption('the maximum number of contacts'),
    },
    run: async (installation, given) => (await import('./find.ts')).found(installation, given),
  }),

  show: verb({
    does: 'Show a contact with every field, as the API returns it, its accounts and journeys, and which campaigns have noted it',
    parameters: { team, uniqueId },
    ids,
    run: async (installation, given) => {
      const { database } = installation;
      const { loadPersonItems, personOf } = await import('../../../lib/store/erasure/person-items.ts');
      const found = (await loadByUniqueId(database, given.team, [given.uniqueId])).get(given.uniqueId)?.stored;
      if (!found) throw noContact();
      const contact = shownContactOf(found.contact);
      const { leavingOf, leavingTexts } = await import('./leaving.ts');
      const items = await loadPersonItems(database, given.team, found.contact.id);
      const person = personOf(items);
      const accounts = await accountsOf(database, given.team, person.links);
      const leaving = await leavingOf(installation, given.team, found, person.earlierConsent);
      const journeys = journeysOf(items.map(({ item }) => item).filter(isJourneyKey)).map(shownOf);
      const notes = items.flatMap(({ item }) => (item.sk.startsWith(targetedNotePrefix) ? [noteOf(item)] : []));
      const { templates } = await withReaders(installation).content.current(given.team);
      const targeted = notes.map((note) => {
        return { ...note, name: templates.find(({ id }) => id === note.template_id)?.name ?? note.template_id };
      });
      const aboutOf = aboutIn(given.team, accounts);
      const others = {
        accounts: accounts.map(accountText).join(', ') || null,
        journeys: journeys.map((each) => journeyText(each, aboutOf(each))).join(', ') || null,
        targeted: targeted.map((each) => `${each.name} (${[...aboutOf(each), each.at].join(', ')})`).join(', ') || null,
      };
      return {
        value: { ...contact, accounts, journeys, targeted, ...leaving },
        text: listing(textsOf({ ...contact, ...others, ...leavingTexts(leaving) })),
      };
    },
  }),

  'allow-attempts': verb({
    does: 'Let a contact try again after too many failed identity checks on a journey page',
    parameters: {
      team,
      uniqueId: required('<unique_id>', 'the contact; first make sure that the request comes from this person'),
    },
    ids,
    run: async (installation, { team: teamId, uniqueId: unique_id }) => {
      const { allowAttempts } = await import('../../../lib/operations/journeys/identity.ts');
      const { id } = await allowAttempts(installation, teamId, unique_id).catch(asNotFound(noContact));
      return { value: { id, unique_id } };
    },
  }),

  export: verb({
    does: 'Print all stored data of a person as one JSON document',
    parameters: { team, uniqueId },
    ids,
    run: async (installation, given) => (await import('../erasure/person.ts')).exported(installation, given),
  }),

  erase: verb({
    does: 'Delete all stored data of a person; accounts are kept. It waits for chunks that are being imported. If it was interrupted, run it again',
    parameters: {
      team,
      uniqueId: optional('<unique_id>', 'the contact'),
      file: optional('<file>', 'erase many contacts: a file with one unique_id a line'),
      yes: flag('required at a terminal'),
    },
    ids: async (given, database) =>
      given.uniqueId === undefined
        ? {}
        : (await import('../erasure/person.ts')).erasureIds(database, given.team, given.uniqueId),
    run: async (installation, given) => (await import('../erasure/person.ts')).erased(installation, given),
  }),
});

/** `product` is `null` for an account that only mappings have named so far. */
type LinkedAccount = { account_number: string; role: string | null; product: string | null };

async function accountsOf(database: Database, teamId: string, links: readonly Link[]): Promise<LinkedAccount[]> {
  const numbers = links.map(({ account_number }) => account_number);
  const stored = await loadAccounts(database, teamId, numbers);
  return links.map(({ account_number, role }, at) => {
    return { account_number, role, product: stored[at]?.product_code ?? null };
  });
}

function accountText({ account_number, role, product }: LinkedAccount): string {
  const details = [role, product ?? 'not imported yet'].filter((each) => each !== null);
  return `${account_number} (${details.join(', ')})`;
}

/** A journey with the account that it is about, what started it, and its recorded state. */
const shownOf = ({ journey, actions }: JourneyWithActions) => {
  const { id, template_id, name, source, account_id, rule, inserted_at } = journey;
  return { id, template_id, name, source, account_id, rule, state: stateOf(journey, actions), inserted_at };
};

/** Says the account that a journey or a note is about, if there is one. */
function aboutIn(teamId: string, accounts: readonly LinkedAccount[]) {
  const numbers = new Map(accounts.map(({ account_number: number }) => [derivedAccountId(teamId, number), number]));
  return ({ account_id: id }: { account_id: string | null }): string[] =>
    id === null ? [] : [`account ${numbers.get(id) ?? id}`];
}

function journeyText({ name, state, source, rule }: ReturnType<typeof shownOf>, about: readonly string[]): string {
  // A later call can change the source.
  const startedBy = rule === null ? `source ${source}` : 'by the rule of the campaign';
  return `${name} (${[state, ...about, startedBy].join(', ')})`;
}

const noContact = () => failure('not_found', 'the team has no contact with this unique_id', '--unique-id');

/** The operation reports the path `/from`; the option is `--from`. */
function asOptions(error: unknown): never {
  if (!(error instanceof Problem) || !error.details?.length) throw error;
  const details = error.details.map(({ path, message }) => ({ path: path.replace('/', '--'), message }));
  throw new AdminFailure(error.code, details);
}
