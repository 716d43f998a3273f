import type { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { FileRefused } from '../../lib/files/bytes.ts';
import { openFile } from '../../lib/files/file.ts';
import type { Database } from '../../lib/store/database.ts';
import { mappingFor } from '../import/mapping.ts';
import { openSource } from '../import/source.ts';
import { CannotRun } from '../import/target.ts';
import { printJson, say, write } from '../output.ts';
import { requireConsent, yesOption } from './consent.ts';
import { failure } from './failure.ts';
import { Comparison, type Missing, type Totals } from './operations/compare-accounts.ts';
import { type Removal, removeInOrder } from './operations/imports/remove.ts';
import { lastOrder } from './operations/person/names.ts';
import { percentOption } from './options.ts';
import { chunksAtWork, newRemovalId, removalText, removeDependencies } from './removals.ts';
import { quantity } from './text.ts';
import { verb } from './verb.ts';

type Options = {
  team: string;
  map?: string;
  decimalComma: boolean;
  removeMissing?: number;
  yes?: boolean;
  json?: boolean;
};

export function registerCompare(account: Command): void {
  const batchId = newRemovalId();
  verb<Options, [string]>(
    account
      .command('compare')
      .description('List as CSV the accounts and links of a team that a full file does not name; reads the whole table')
      .argument('<file>', 'the file of accounts, or - for standard input')
      .requiredOption('--team <team_id>', 'the team')
      .option('--map <file>', 'a JSON file that maps columns to fields, as for an import')
      .option('--decimal-comma', 'decimals in cells have a comma: 1234,50', false)
      .option(
        '--remove-missing <percent>',
        'remove the links that the file does not name, unless they are more than this share of all links',
        percentOption,
      )
      .option(...yesOption),
    ({ removeMissing }) => (removeMissing === undefined ? {} : { batch_id: batchId }),
    async (installation, options, file) => {
      const { database, scanTeam } = installation;
      const { team, removeMissing, json = false } = options;
      const comparison = new Comparison(database, team);
      try {
        const order = await lastOrder(database, team);
        const invalid = await addNamed(comparison, file, options);
        await comparison.addStored(scanTeam(team));
        const totals = comparison.totals();
        if (removeMissing === undefined) {
          await printMissing(comparison.missing(), json);
          say(totalsText(totals));
          if (invalid > 0) say(`${invalidRows(invalid)} What only they name is listed as missing.`);
          return undefined;
        }
        if (invalid > 0) throw failure('conflict', `${invalidRows(invalid)} Nothing was removed.`);
        requireShare(totals, removeMissing);
        await requireRest(database, team, order);
        requireConsent(consequenceOf(totals), options);
        if (totals.missing_links > 0) {
          const status = await removeInOrder(
            removeDependencies(installation),
            team,
            batchId,
            removalsOf(comparison.missingLinks()),
          );
          const { applied } = status.records;
          say(removalText(status, team, `Removed: ${quantity(applied, 'link')}. The batch is ${batchId}.`));
        }
        await printMissing(comparison.missingLinks(), json);
        return undefined;
      } finally {
        comparison.close();
      }
    },
  );
}

/** @returns the number of invalid rows */
async function addNamed(comparison: Comparison, file: string, { map, decimalComma }: Options): Promise<number> {
  try {
    const { mapping } = await mappingFor({ kind: 'accounts', map, decimalComma });
    const source = await openSource(file);
    try {
      const { warnings, chunks } = await openFile(source.bytes(), { kind: 'accounts', name: source.name, mapping });
      for (const warning of warnings) say(`Note: ${warning}.`);
      return await comparison.addNamed(chunks);
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
  await write(stringify([columns]));
  for await (const each of missing)
    await write(stringify([[each.missing, each.account_number, each.unique_id, each.role, each.contact_id]]));
}

const totalsText = ({ accounts, links, missing_accounts, missing_links }: Totals): string =>
  `The file does not name ${missing_accounts} of ${quantity(accounts, 'account')} and ${missing_links} of ${quantity(links, 'link')}${shareText({ links, missing_links })}.`;

const shareOf = ({ links, missing_links }: Pick<Totals, 'links' | 'missing_links'>): number =>
  links === 0 ? 0 : (missing_links / links) * 100;
const shareText = (totals: Pick<Totals, 'links' | 'missing_links'>): string => ` (${shareOf(totals).toFixed(1)}%)`;

function requireShare(totals: Totals, percent: number): void {
  if (shareOf(totals) <= percent) return;
  throw failure('conflict', `${totalsText(totals)} That is more than ${percent}%. Nothing was removed.`);
}

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
