import type { Command } from 'commander';
import { Problem } from '../../lib/domain/problem.ts';
import { shownContactOf } from '../../lib/domain/shown-contact.ts';
import { allowAttempts } from '../../lib/operations/journeys/identity.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { loadByUniqueId } from '../../lib/store/contacts.ts';
import { contactIds } from './audit-ids.ts';
import { AdminFailure } from './failure.ts';
import { changeUniqueId } from './operations/change-unique-id.ts';
import { registerPerson } from './person.ts';
import { requireTeam } from './require-team.ts';
import { loadPersonItems, personOf } from './store/person-items.ts';
import { listing, textsOf } from './text.ts';
import { verb } from './verb.ts';

export function registerContact(program: Command): void {
  const contact = program.command('contact').description('Contacts, identified by their unique_id');

  verb<{ team: string; from: string; to: string }>(
    contact
      .command('change-unique-id')
      .description('Change the unique_id of a contact; it keeps its id, accounts and journeys')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--from <unique_id>', 'the present unique_id; afterwards another contact can use it')
      .requiredOption('--to <unique_id>', 'the new unique_id; no other contact may have it'),
    ({ team, from }, _, database) => contactIds(database, team, from),
    async ({ database }, { team, from, to }) => {
      await requireTeam(database, team);
      const { id, unique_id } = await changeUniqueId(dependenciesOn(database), team, { from, to }).catch(asOptions);
      return { value: { id, unique_id }, text: listing({ id, unique_id }) };
    },
  );

  verb<{ team: string; uniqueId: string }>(
    contact
      .command('show')
      .description('Show a contact with every field, as the API returns it')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--unique-id <unique_id>', 'the contact'),
    ({ team, uniqueId }, _, database) => contactIds(database, team, uniqueId),
    async ({ database }, { team, uniqueId }) => {
      await requireTeam(database, team);
      const found = (await loadByUniqueId(database, team, [uniqueId])).get(uniqueId)?.stored;
      if (!found) throw new AdminFailure('not_found', [noContact]);
      const value = shownContactOf(found.contact);
      const { links, journeys } = personOf(await loadPersonItems(database, team, found.contact.id));
      const accounts = links.map(({ account_number, role }) => (role ? `${account_number} (${role})` : account_number));
      const others = { accounts: accounts.join(', '), journeys: journeys.map(({ name }) => name).join(', ') };
      return { value, text: listing({ ...textsOf(value), ...filled(others) }) };
    },
  );

  verb<{ team: string; uniqueId: string }>(
    contact
      .command('allow-attempts')
      .description('Let a contact try again after too many failed identity checks on a journey page')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption(
        '--unique-id <unique_id>',
        'the contact; first make sure that the request comes from this person',
      ),
    ({ team, uniqueId }, _, database) => contactIds(database, team, uniqueId),
    async ({ database }, { team, uniqueId }) => {
      await requireTeam(database, team);
      const { id } = await allowAttempts(dependenciesOn(database), team, uniqueId).catch(asUniqueId);
      return { value: { id, unique_id: uniqueId }, text: listing({ id, unique_id: uniqueId }) };
    },
  );

  registerPerson(contact);
}

const filled = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

function asUniqueId(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
  throw new AdminFailure(error.code, [noContact]);
}

const noContact = { path: '--unique-id', message: 'the team has no contact with this unique_id' };

/** The operation reports the path `/from`; the option is `--from`. */
function asOptions(error: unknown): never {
  if (!(error instanceof Problem) || !error.details?.length) throw error;
  const details = error.details.map(({ path, message }) => ({ path: path.replace('/', '--'), message }));
  throw new AdminFailure(error.code, details);
}
