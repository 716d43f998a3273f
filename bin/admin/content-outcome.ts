import type { GivenDocument } from '../../lib/domain/content/document.ts';
import type { JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { fits } from '../../lib/http/reply.ts';
import type { Database } from '../../lib/store/database.ts';
import { listProducts } from '../../lib/store/products.ts';
import type { Counts, ImportCounts } from '../content/apply.ts';
import { readDocument } from '../content/read.ts';
import { contentWarnings } from '../warnings/document.ts';
import { filesShownBy, fileWarnings } from '../warnings/files.ts';
import { productsNamedIn, productWarnings } from '../warnings/products.ts';
import { AdminFailure } from './failure.ts';
import type { Installation } from './installation.ts';
import { checkContent } from './operations/import-content.ts';
import { requireTeam } from './require-team.ts';
import { listTeamFiles } from './store/team-files.ts';
import { tableOf } from './text.ts';
import type { Outcome } from './verb.ts';

export type ContentOptions = { team?: string; strict?: boolean };

/**
 * What an import would do, and what it would warn of.
 * @throws Problem `validation_failed` naming every error; with `strict`, AdminFailure `validation_failed` naming the
 * warnings
 */
export async function checkedContent(
  { database }: Installation,
  document: JsonValue,
  { team, strict }: ContentOptions,
): Promise<{ counts: ImportCounts; warnings: ErrorDetail[] }> {
  if (team !== undefined) await requireTeam(database, team);
  const { counts } = await checkContent({ database, now: Date.now, fits }, team ?? null, document);
  const { document: read } = readDocument(document);
  const warnings = read
    ? [
        ...contentWarnings(document, read),
        ...(await missingFiles(database, team, read)),
        ...(await missingProducts(database, team, read)),
      ]
    : [];
  if (strict && warnings.length > 0) throw new AdminFailure('validation_failed', warnings);
  return { counts, warnings };
}

async function missingFiles(database: Database, team: string | undefined, document: GivenDocument) {
  const shown = filesShownBy(document);
  if (team === undefined || shown.length === 0) return [];
  return fileWarnings(shown, await listTeamFiles(database, team));
}

async function missingProducts(database: Database, team: string | undefined, document: GivenDocument) {
  const named = productsNamedIn(document);
  if (team === undefined || named.length === 0) return [];
  const products = await listProducts(database, team);
  return productWarnings(
    named,
    products.map(({ id }) => id),
  );
}

export const contentOutcome = (
  team: string | undefined,
  counts: ImportCounts,
  warnings: readonly ErrorDetail[],
): Outcome => ({
  value: { team_id: team ?? null, ...counts, warnings },
  text: countsText(counts),
  notes: warningLines(warnings),
});

/** The warnings for people. */
export const warningLines = (warnings: readonly ErrorDetail[]): string =>
  warnings.map(({ path, message }) => `Warning: ${path}: ${message}`).join('\n');

const countsText = (counts: Record<string, Counts>): string =>
  tableOf(
    ['', 'CREATED', 'UPDATED', 'UNCHANGED'],
    Object.entries(counts).map(([kind, { created, updated, unchanged }]) => [
      kind.replaceAll('_', ' '),
      String(created),
      String(updated),
      String(unchanged),
    ]),
    '',
  );
