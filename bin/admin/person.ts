import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Database } from '../../lib/store/database.ts';
import { inLine, say } from '../output.ts';
import { contactIds, erasureIds } from './audit-ids.ts';
import { requireConsent } from './consent.ts';
import { textIn } from './document.ts';
import { failure } from './failure.ts';
import type { Installation } from './installation.ts';
import { erasePerson, type Receipt } from './operations/person/erase.ts';
import { erasePersons, type ListReceipt } from './operations/person/erase-list.ts';
import { exportPerson } from './operations/person/export.ts';
import { findPerson } from './operations/person/names.ts';
import { loadErasure } from './store/erasures.ts';
import { loadPersonItems } from './store/person-items.ts';
import { listing, quantity } from './text.ts';
import { type Outcome, verb } from './verb.ts';

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
      const value = await exportPerson(dependenciesOf(installation), team, uniqueId);
      return { value, text: JSON.stringify(value, undefined, 2) };
    },
  );

  verb<EraseOptions>(
    contact
      .command('erase')
      .description(
        'Delete all stored data of a person; accounts are kept. It waits two minutes at the end. If it was interrupted, run it again',
      )
      .requiredOption('--team <team_id>', 'the team that the contact belongs to')
      .option('--unique-id <unique_id>', 'the contact')
      .option('--file <file>', 'erase many contacts with one wait: a file with one unique_id a line')
      .option('--yes', 'required at a terminal'),
    erasedIds,
    async (installation, { team, uniqueId, file, yes }) => {
      const { database } = installation;
      const named = namedBy(uniqueId, file);
      const [only] = named;
      const what = file === undefined ? await consequence(database, team, only!) : listConsequence(named.length);
      requireConsent(what, { yes });
      const dependencies = { ...dependenciesOf(installation), wait: sleep };
      if (file === undefined) return erased(await erasePerson(dependencies, team, only!));
      const receipt = await erasePersons(dependencies, team, named);
      return { ...erased(receipt), ids: { contact_ids: [...receipt.contact_ids] } };
    },
  );
}

type EraseOptions = { team: string; uniqueId?: string; file?: string; yes?: boolean };

const erasedIds = ({ team, uniqueId }: EraseOptions, _: readonly [], database: Database) =>
  uniqueId === undefined ? {} : erasureIds(database, team, uniqueId);

/** @throws AdminFailure unless exactly one of the options is given */
function namedBy(uniqueId: string | undefined, file: string | undefined): string[] {
  if ((uniqueId === undefined) === (file === undefined))
    throw failure('invalid_arguments', 'give either --unique-id or --file', '--unique-id');
  return uniqueId === undefined ? listIn(file!) : [uniqueId];
}

/** The lines of the file that are not blank. */
function listIn(file: string): string[] {
  const lines = textIn(file).split(/\r?\n/);
  const named = [...new Set(lines.filter((line) => line.trim() !== ''))];
  if (named.length > 0) return named;
  throw failure('invalid_arguments', `${file} has no unique_id. Write one unique_id a line.`);
}

const listConsequence = (persons: number): string =>
  `What is stored of ${quantity(persons, 'person')} is deleted permanently: contacts with all their items, records in stored chunks and rows in dropped files. Accounts are kept.`;

function erased(receipt: Receipt | ListReceipt): Outcome {
  const { erased_at, counts, files_deleted = [], files_unknown = [] } = receipt;
  const who =
    'persons' in receipt
      ? { persons: `${receipt.persons}, something was found of ${receipt.contact_ids.length}` }
      : { contact: receipt.contact_id ?? 'nothing was found' };
  const shown = Object.entries(counts).map(([kind, count]) => [kind.replaceAll('_', ' '), String(count)]);
  const lines = [
    listing({ erased: erased_at, ...who, ...Object.fromEntries(shown) }),
    ...filesText('Files that were deleted as a whole:', files_deleted),
    ...filesText(
      'Files that are not text. Nobody can tell if they name the person, and they were kept:',
      files_unknown,
    ),
  ];
  return { value: receipt, text: lines.join('\n') };
}

const filesText = (heading: string, keys: readonly string[]): string[] =>
  keys.length === 0 ? [] : ['', heading, ...keys.map((key) => `  ${inLine(key)}`)];

export const dependenciesOf = (installation: Installation) => ({
  ...dependenciesOn(installation.database),
  files: installation.dropBox(),
  erasures: installation.erasures(),
  onProgress: say,
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
