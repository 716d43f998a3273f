import type { Command } from 'commander';
import { Problem } from '../../lib/domain/problem.ts';
import { shownContactOf } from '../../lib/domain/shown.ts';
import { allowAttempts } from '../../lib/operations/journeys/identity.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { type Link, loadAccounts } from '../../lib/store/accounts.ts';
import { loadByUniqueId } from '../../lib/store/contacts.ts';
import type { Database } from '../../lib/store/database.ts';
import { contactIds } from './audit-ids.ts';
import { AdminFailure, asNotFound, failure } from './failure.ts';
import { changeUniqueId } from './operations/change-unique-id.ts';
import { registerPerson } from './person.ts';
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
      const { id, unique_id } = await changeUniqueId(dependenciesOn(database), team, { from, to }).catch(asOptions);
      return { value: { id, unique_id }, text: listing({ id, unique_id }) };
    },
  );

  verb<{ team: string; uniqueId: string }>(
    contact
      .command('show')
      .description('Show a contact with every field, as the API returns it, and its accounts')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .requiredOption('--unique-id <unique_id>', 'the contact'),
    ({ team, uniqueId }, _, database) => contactIds(database, team, uniqueId),
    async ({ database }, { team, uniqueId }) => {
      const found = (await loadByUniqueId(database, team, [uniqueId])).get(uniqueId)?.stored;
      if (!found) throw noContact();
      const contact = shownContactOf(found.contact);
      const { links, journeys } = personOf(await loadPersonItems(database, team, found.contact.id));
      const accounts = await accountsOf(database, team, links);
      const others = {
        accounts: accounts.map(accountText).join(', '),
        journeys: journeys.map(({ name }) => name).join(', '),
      };
      const value = { ...contact, accounts };
      return { value, text: listing({ ...textsOf(contact), ...filled(others) }) };
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
      const { id } = await allowAttempts(dependenciesOn(database), team, uniqueId).catch(asNotFound(noContact));
      return { value: { id, unique_id: uniqueId }, text: listing({ id, unique_id: uniqueId }) };
    },
  );

  registerPerson(contact);
}

/** `product` is `null` for an account that only mappings have named so far. */
type LinkedAccount = { account_number: string; role: string | null; product: string | null };

async function accountsOf(database: Database, team: string, links: readonly Link[]): Promise<LinkedAccount[]> {
  const stored = await loadAccounts(
    database,
    team,
    links.map(({ account_number }) => account_number),
  );
  return links.map(({ account_number, role }, at) => ({
    account_number,
    role,
    product: stored[at]?.product_code ?? null,
  }));
}

function accountText({ account_number, role, product }: LinkedAccount): string {
  const details = [role, product ?? 'not imported yet'].filter((each) => each !== null);
  return `${account_number} (${details.join(', ')})`;
}

const filled = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

const noContact = () => failure('not_found', 'the team has no contact with this unique_id', '--unique-id');

/** The operation reports the path `/from`; the option is `--from`. */
function asOptions(error: unknown): never {
  if (!(error instanceof Problem) || !error.details?.length) throw error;
  const details = error.details.map(({ path, message }) => ({ path: path.replace('/', '--'), message }));
  throw new AdminFailure(error.code, details);
}
