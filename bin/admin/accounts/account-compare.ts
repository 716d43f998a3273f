import { type FileNotice, joinedNotices, noticeText } from '../../../lib/domain/drop-box/file-notice.ts';
import { FileRefused } from '../../../lib/files/bytes.ts';
import { dataLine } from '../../../lib/files/csv.ts';
import { openFile } from '../../../lib/files/file.ts';
import { type FormatOptions, mappingOf, mapWith } from '../../../lib/files/mapping.ts';
import { lastOrder } from '../../../lib/operations/erasure/names.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { CannotRun, mapText, openSource } from '../../import/source.ts';
import { printJson, say, writeCsv } from '../../output.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { Comparison, type Missing, type Totals } from '../operations/accounts/compare-accounts.ts';
import { chunksAtWork, type Removal, removalText, removeInOrder } from '../operations/imports/remove.ts';
import { quantity } from '../text.ts';
import { requireConsent } from '../verb.ts';

type Given = {
  file: string;
  team: string;
  removeMissing: number | undefined;
  yes: boolean | undefined;
  json: boolean | undefined;
  map: string | undefined;
} & FormatOptions;

/** Prints what the file does not name, and with `removeMissing` removes the links among it as the batch with this id. */
export async function compare(installation: Installation, batchId: string, given: Given): Promise<void> {
  const { database, scanTeam } = installation;
  const { team, removeMissing, json = false } = given;
  const comparison = new Comparison(database, team);
  try {
    const order = await lastOrder(database, team);
    const { invalid, doubt } = await addNamed(comparison, given);
    await comparison.addStored(scanTeam(team));
    const totals = comparison.totals();
    if (removeMissing === undefined) {
      await printMissing(comparison.missing(), json);
      say(totalsText(totals));
      if (invalid > 0) say(`${invalidRows(invalid)} What only they name is listed as missing.`);
      return;
    }
    if (invalid > 0) throw failure('conflict', `${invalidRows(invalid)} Nothing was removed.`);
    if (doubt) throw failure('conflict', `In this file, ${doubt}. Nothing was removed.`);
    if (shareOf(totals) > removeMissing) {
      const share = `That is more than ${removeMissing}%. Nothing was removed.`;
      throw failure('conflict', `${totalsText(totals)} ${share}`);
    }
    await requireRest(database, team, order);
    requireConsent(consequenceOf(totals), given);
    if (totals.missing_links > 0) {
      const removals = removalsOf(comparison.missingLinks());
      const status = await removeInOrder(await installation.imports(), team, batchId, removals);
      const { applied } = status.records;
      say(removalText(status, team, `Removed: ${quantity(applied, 'link')}. The batch is ${batchId}.`));
    }
    await printMissing(comparison.missingLinks(), json);
  } finally {
    comparison.close();
  }
}

/** A file with one of these is no basis of a removal. */
const doubtful: ReadonlySet<string> = new Set(['cut_last_line', 'no_rows']);

/** @returns the number of invalid rows, and why the file may not be whole */
async function addNamed(comparison: Comparison, { file, map, ...formats }: Given) {
  try {
    const mapping = mappingOf('accounts', mapWith(map === undefined ? undefined : await mapText(map), formats));
    const source = await openSource(file);
    try {
      const { warnings, chunks } = await openFile(source.bytes(), { kind: 'accounts', name: source.name, mapping });
      for (const warning of warnings) say(`Note: ${warning}.`);
      let notices: readonly FileNotice[] = [];
      const invalid = await comparison.addNamed(chunks, (found) => {
        notices = joinedNotices(notices, found);
      });
      for (const notice of notices) say(`Note: ${noticeText(notice)}.`);
      return { invalid, doubt: notices.find(({ kind }) => doubtful.has(kind))?.message };
    } finally {
      await source.release();
    }
  } catch (error) {
    if (error instanceof CannotRun || error instanceof FileRefused) throw failure('invalid_arguments', error.message);
    throw error;
  }
}

const invalidRows = (count: number): string =>
  `${quantity(count, 'row')} of the file ${count === 1 ? 'is' : 'are'} invalid: npm run import -- accounts FILE --dry-run shows why.`;

const columns = ['missing', 'account_number', 'contact.unique_id', 'contact.role', 'contact_id'];

/** The columns are fields of an import, so that links that were removed by mistake can be imported again. */
async function printMissing(missing: AsyncIterable<Missing>, json: boolean): Promise<void> {
  if (json) return printJson(missing);
  await writeCsv(missingLines(missing));
}

async function* missingLines(missing: AsyncIterable<Missing>): AsyncGenerator<string> {
  yield dataLine(columns);
  for await (const each of missing)
    yield dataLine([each.missing, each.account_number, each.unique_id, each.role, each.contact_id]);
}

const totalsText = (totals: Totals): string => {
  const { accounts, links, missing_accounts, missing_links } = totals;
  return `The file does not name ${missing_accounts} of ${quantity(accounts, 'account')} and ${missing_links} of ${quantity(links, 'link')} (${shareOf(totals).toFixed(1)}%).`;
};

const shareOf = ({ links, missing_links }: Totals): number => (links === 0 ? 0 : (missing_links / links) * 100);

/** What was accepted since the comparison began may have named these links again. */
async function requireRest(database: Database, team: string, order: number): Promise<void> {
  const { open } = await chunksAtWork(database, team);
  if (open === 0 && (await lastOrder(database, team)) === order) return;
  throw failure(
    'conflict',
    'Records of the team are being imported. Nothing was removed. Try again when they are applied.',
  );
}

const consequenceOf = (totals: Totals): string =>
  `${totalsText(totals)} These ${quantity(totals.missing_links, 'link')} are removed: the contacts no longer see these accounts. ` +
  'The accounts stay. A file that is accepted later and names a link brings it back.';

async function* removalsOf(missing: AsyncIterable<Missing>): AsyncGenerator<Removal> {
  for await (const { account_number, contact_id } of missing)
    if (contact_id !== null) yield { account_number, removal: { contact_id } };
}
