import { Problem } from '../../../lib/domain/values/problem.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { contactIds } from '../auditing.ts';
import { AdminFailure, asNotFound, failure } from '../failure.ts';
import { limitOption } from '../options.ts';
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
Names are compared without case and accents, phone numbers by their digits, account numbers also without the spaces and
hyphens of the text. Every word of the text matches the same person. Unless the text is an account number, unique_id or
id with seven digits or with letters and digits, or a declared email, it reads the directory of the team. The exit
status is 1 if nobody is found.`,
    parameters: {
      text: argument('for example "novak ana", ana@example.com, 555-0100 or an account number'),
      team,
      limit: limitOption('the maximum number of contacts'),
    },
    run: async (installation, given) => (await import('./find.ts')).found(installation, given),
  }),

  show: verb({
    does: 'Show a contact: its fields, accounts, progress in campaigns, answers and messages, and why it is in a campaign or not',
    parameters: { team, uniqueId },
    ids,
    run: async (installation, given) => {
      const { personNamed } = await import('./shown-person.ts');
      const { personText } = await import('./person-text.ts');
      const person = await personNamed(installation, given.team, given.uniqueId).catch(asNotFound(noContact));
      return { value: person, text: personText(person, given.team) };
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

const noContact = () => failure('not_found', 'the team has no contact with this unique_id', '--unique-id');

/** The operation reports the path `/from`; the option is `--from`. */
function asOptions(error: unknown): never {
  if (!(error instanceof Problem) || !error.details?.length) throw error;
  const details = error.details.map(({ path, message }) => ({ path: path.replace('/', '--'), message }));
  throw new AdminFailure(error.code, details);
}
