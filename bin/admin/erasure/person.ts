import type { AuditIds } from '../../../lib/domain/access/audit.ts';
import { isUuid } from '../../../lib/domain/values/uuid.ts';
import { erasePerson, erasePersons, type ListReceipt, type Receipt } from '../../../lib/operations/erasure/erase.ts';
import { findPerson } from '../../../lib/operations/erasure/names.ts';
import { loadErasure } from '../../../lib/store/erasure/erasures.ts';
import { loadPersonItems } from '../../../lib/store/erasure/person-items.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { inLine, say } from '../../output.ts';
import { contactIds } from '../auditing.ts';
import { textIn } from '../document.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { exportPerson } from '../operations/erasure/export.ts';
import { listing, number, quantity } from '../text.ts';
import { type Outcome, requireConsent } from '../verb.ts';

export async function exported(
  installation: Installation,
  { team, uniqueId }: { team: string; uniqueId: string },
): Promise<Outcome> {
  const value = await exportPerson(await personService(installation), team, uniqueId);
  return { value, text: JSON.stringify(value, undefined, 2) };
}

type Erased = { team: string; uniqueId: string | undefined; file: string | undefined; yes: boolean | undefined };

export async function erased(installation: Installation, given: Erased): Promise<Outcome> {
  const { team, uniqueId, file } = given;
  const named = namedBy(uniqueId, file);
  const [only] = named;
  const what = file === undefined ? await consequence(installation, team, only!) : listConsequence(named.length);
  requireConsent(what, given);
  const service = await personService(installation);
  if (file === undefined) return receiptOutcome(await erasePerson(service, team, only!));
  const receipt = await erasePersons(service, team, named);
  return { ...receiptOutcome(receipt), ids: { contact_ids: [...receipt.contact_ids] } };
}

export const personService = async (installation: Installation) => ({
  ...installation,
  files: await installation.dropBox(),
  erasures: await installation.erasures(),
  suppression: await installation.suppression(),
  onProgress: say,
});

/** An interrupted erasure has the id of its contact: the `unique_id` may already name another id. */
export async function erasureIds(database: Database, team: string, uniqueId: string): Promise<AuditIds> {
  const erasure = isUuid(team) ? await loadErasure(database, team, uniqueId) : undefined;
  return erasure ? { contact_id: erasure.state.contact_id } : contactIds(database, team, uniqueId);
}

/** @throws AdminFailure unless exactly one of the options is given */
function namedBy(uniqueId: string | undefined, file: string | undefined): string[] {
  if ((uniqueId === undefined) === (file === undefined))
    throw failure('invalid_arguments', 'give either --unique-id or --file', '--unique-id');
  return uniqueId === undefined ? listIn(file!) : [uniqueId];
}

/** The lines of the file that are not blank. @throws AdminFailure if one is a row or a quoted cell of a CSV */
function listIn(file: string): string[] {
  const lines = textIn(file).split(/\r\n|\n|\r/);
  const cell = lines.findIndex((line) => /^".*"[;,\t]*$|[;,\t]$/.test(line));
  if (cell !== -1) {
    const text = `${file}: line ${cell + 1} is a cell of a CSV. Write one unique_id a line, without quotes and separators.`;
    throw failure('invalid_arguments', text);
  }
  const named = [...new Set(lines.filter((line) => line.trim() !== ''))];
  if (named.length > 0) return named;
  throw failure('invalid_arguments', `${file} has no unique_id. Write one unique_id a line.`);
}

const listConsequence = (persons: number): string =>
  `What is stored of ${quantity(persons, 'person')} is deleted permanently: contacts with all their items, records in stored chunks and rows in dropped files. Accounts are kept.`;

function receiptOutcome(receipt: Receipt | ListReceipt) {
  const { erased_at, counts, files_deleted = [], files_unknown = [] } = receipt;
  const who =
    'persons' in receipt
      ? { persons: `${receipt.persons}, something was found of ${receipt.contact_ids.length}` }
      : { contact: receipt.contact_id ?? 'nothing was found' };
  const shown = Object.entries(counts).map(([kind, count]) => [kind.replaceAll('_', ' '), number(count)]);
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

/** What the erasure will do, as far as it is known before the search. */
async function consequence(installation: Installation, team: string, uniqueId: string): Promise<string> {
  const { database } = installation;
  const names = JSON.stringify(uniqueId);
  if (await loadErasure(database, team, uniqueId)) return `The erasure of ${names} was interrupted and is resumed.`;
  const { id, stored } = await findPerson(installation, team, uniqueId);
  const items = await loadPersonItems(database, team, id);
  const found = stored ? `The contact ${names} and its ${items.length - 1} items are` : `There is no contact ${names}.`;
  const rest = 'its records in stored chunks and its rows in dropped files';
  return stored
    ? `${found} deleted permanently, with ${rest}. Accounts are kept.`
    : `${found} Remaining data is deleted permanently: ${rest}.`;
}
