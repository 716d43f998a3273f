import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { erasePerson } from '../../lib/operations/person/erase.ts';
import { exportPerson } from '../../lib/operations/person/export.ts';
import { findPerson } from '../../lib/operations/person/names.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Database } from '../../lib/store/database.ts';
import { loadErasure } from '../../lib/store/erasures.ts';
import { loadPersonItems } from '../../lib/store/person-items.ts';
import { contactIds, erasureIds } from './audit-ids.ts';
import { requireConsent } from './consent.ts';
import type { Installation } from './installation.ts';
import { requireTeam } from './require-team.ts';
import { listing } from './text.ts';
import { verb } from './verb.ts';

type Options = { team: string; uniqueId: string };

/** Verbs of `contact` that export and erase the data of a person. */
export function registerPerson(contact: Command): void {
  verb<Options>(
    contact
      .command('export')
      .description('Print all stored data of a person as one JSON document')
      .requiredOption('--team <team_id>', 'the team that the contact belongs to')
      .requiredOption('--unique-id <unique_id>', 'the contact'),
    ({ team, uniqueId }, _, database) => contactIds(database, team, uniqueId),
    async (installation, { team, uniqueId }) => {
      await requireTeam(installation.database, team);
      const value = await exportPerson(dependenciesOf(installation), team, uniqueId);
      return { value, text: JSON.stringify(value, undefined, 2) };
    },
  );

  verb<Options & { yes?: boolean }>(
    contact
      .command('erase')
      .description('Delete all stored data of a person; accounts are kept. If it was interrupted, run it again')
      .requiredOption('--team <team_id>', 'the team that the contact belongs to')
      .requiredOption('--unique-id <unique_id>', 'the contact')
      .option('--yes', 'required at a terminal'),
    ({ team, uniqueId }, _, database) => erasureIds(database, team, uniqueId),
    async (installation, { team, uniqueId, yes }) => {
      await requireTeam(installation.database, team);
      requireConsent(await consequence(installation.database, team, uniqueId), { yes });
      const receipt = await erasePerson({ ...dependenciesOf(installation), wait: sleep }, team, uniqueId);
      const { erased_at, contact_id, counts } = receipt;
      const shown = Object.entries(counts).map(([kind, count]) => [kind.replaceAll('_', ' '), String(count)]);
      const text = listing({
        erased: erased_at,
        contact: contact_id ?? 'nothing was found',
        ...Object.fromEntries(shown),
      });
      return { value: receipt, text };
    },
  );
}

export const dependenciesOf = (installation: Installation) => ({
  ...dependenciesOn(installation.database),
  files: installation.dropBox(),
  erasures: installation.erasures(),
  onProgress: (text: string) => console.error(text),
});

/** What the erasure will do, as far as it is known before the search. */
async function consequence(database: Database, team: string, uniqueId: string): Promise<string> {
  const names = JSON.stringify(uniqueId);
  if (await loadErasure(database, team, uniqueId)) return `The erasure of ${names} was interrupted and is resumed.`;
  const { id, stored } = await findPerson(dependenciesOn(database), team, uniqueId);
  const items = await loadPersonItems(database, team, id);
  const found = stored ? `The contact ${names} and its ${items.length - 1} items are` : `There is no contact ${names}.`;
  const rest = 'its records in stored chunks and its rows in dropped files';
  return stored
    ? `${found} deleted permanently, with ${rest}. Accounts are kept.`
    : `${found} Remaining data is deleted permanently: ${rest}.`;
}
