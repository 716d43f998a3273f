import type { Command } from 'commander';
import { Problem } from '../../lib/domain/problem.ts';
import { shownContactOf } from '../../lib/domain/shown-contact.ts';
import { changeUniqueId } from '../../lib/operations/contacts/change-unique-id.ts';
import { allowAttempts } from '../../lib/operations/journeys/identity.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { loadByUniqueId } from '../../lib/store/contacts.ts';
import { AdminFailure } from './failure.ts';
import { registerPerson } from './person.ts';
import { requireTeam } from './require-team.ts';
import { listing, textsOf } from './text.ts';
import { verb } from './verb.ts';

export function registerContact(program: Command): void {
  const contact = program.command('contact').description('End consumers, each known by a unique_id');

  verb<{ team: string; from: string; to: string }>(
    contact
      .command('change-unique-id')
      .description('Give a contact another unique_id; it keeps its id, accounts and journeys')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--from <unique_id>', 'what it is called; free for somebody else afterwards')
      .requiredOption('--to <unique_id>', 'what it is to be called; no other contact may have it'),
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
    async ({ database }, { team, uniqueId }) => {
      await requireTeam(database, team);
      const found = (await loadByUniqueId(database, team, [uniqueId])).get(uniqueId)?.stored;
      if (!found) throw new AdminFailure('not_found', [noContact]);
      const value = shownContactOf(found.contact);
      return { value, text: listing(textsOf(value)) };
    },
  );

  verb<{ team: string; uniqueId: string }>(
    contact
      .command('allow-attempts')
      .description('Let a contact who failed to prove their identity on a journey page too often try again')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--unique-id <unique_id>', 'the contact; make sure first that it is they who ask'),
    async ({ database }, { team, uniqueId }) => {
      await requireTeam(database, team);
      const { id } = await allowAttempts(dependenciesOn(database), team, uniqueId).catch(asUniqueId);
      return { value: { id, unique_id: uniqueId }, text: listing({ id, unique_id: uniqueId }) };
    },
  );

  registerPerson(contact);
}

function asUniqueId(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
  throw new AdminFailure(error.code, [noContact]);
}

const noContact = { path: '--unique-id', message: 'names no contact of the team' };

/** What the operation calls `/from` came as `--from`. */
function asOptions(error: unknown): never {
  if (!(error instanceof Problem) || !error.details?.length) throw error;
  const details = error.details.map(({ path, message }) => ({ path: path.replace('/', '--'), message }));
  throw new AdminFailure(error.code, details);
}
