import type { Command } from 'commander';
import type { GivenDocument } from '../../lib/domain/content/document.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { fits } from '../../lib/http/reply.ts';
import type { Database } from '../../lib/store/database.ts';
import { listProducts } from '../../lib/store/products.ts';
import type { Counts } from '../content/apply.ts';
import { readDocument } from '../content/read.ts';
import { say } from '../output.ts';
import { contentWarnings } from '../warnings/document.ts';
import { filesShownBy, fileWarnings } from '../warnings/files.ts';
import { AdminFailure } from './failure.ts';
import type { Installation } from './installation.ts';
import type { Consequence } from './operations/consequence.ts';
import { type CheckedContent, checkContent } from './operations/content.ts';
import type { Accepted } from './operations/import-consequences.ts';
import { productsNamedIn, productWarnings } from './product-warnings.ts';
import { listTeamFiles } from './store/team-files.ts';
import { tableOf } from './text.ts';
import type { Outcome } from './verb.ts';

export type ContentOptions = Accepted & { team?: string; strict?: boolean };

/** The options of `content import` and `content check`. */
export const withContentOptions = (command: Command): Command =>
  command
    .option('--strict', 'fail if there is a warning')
    .option('--accept-moves', 'let pages without an id get the progress of other pages')
    .option('--new', 'make new templates of those that are stored under another name');

/**
 * What an import would do, and what it would warn of.
 * @throws Problem `validation_failed` naming every error; with `strict`, AdminFailure `validation_failed` naming the
 * warnings
 */
export async function checkedContent(
  { database }: Installation,
  document: JsonValue,
  { team, strict }: ContentOptions,
): Promise<{ checked: CheckedContent; warnings: ErrorDetail[] }> {
  const checked = await checkContent({ database, now: Date.now, fits }, team ?? null, document);
  const { document: read } = readDocument(document);
  const warnings = read
    ? [
        ...contentWarnings(document, read),
        ...(await missingFiles(database, team, read)),
        ...(await missingProducts(database, team, read)),
      ]
    : [];
  if (strict && warnings.length > 0) throw new AdminFailure('validation_failed', warnings);
  return { checked, warnings };
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
  { counts, given }: CheckedContent,
  { warnings, consequences }: { warnings: readonly ErrorDetail[]; consequences: readonly Consequence[] },
): Outcome => ({
  value: { team_id: team ?? null, ...counts, ids: idsIn(given as unknown as JsonValue), consequences, warnings },
  text: countsText(counts),
  notes: warningLines(warnings),
});

/** Says what an import does to the people who have a journey. */
export function sayConsequences(consequences: readonly Consequence[]): void {
  for (const { message } of consequences) say(message);
}

const naming = ['id', 'key', 'name', 'order', 'type', 'content_name', 'page_id', 'message_id', 'engagement_channel_id'];
const lists = ['objectives', 'engagement_channels', 'templates', 'template_pages', 'template_messages'];
const parts = ['default_content', 'page', 'message', 'content_containers', 'content_blocks'];
const kept = new Set([...naming, ...lists, ...parts]);

/** The document with its ids and names alone. */
function idsIn(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(idsIn);
  if (!isJsonObject(value)) return value;
  const isUnset = (inner: JsonValue) => inner === null || (Array.isArray(inner) && inner.length === 0);
  const entries = Object.entries(value).filter(([name, inner]) => kept.has(name) && !isUnset(inner));
  return Object.fromEntries(entries.map(([name, inner]) => [name, idsIn(inner)]));
}

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
