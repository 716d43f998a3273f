import type { ProductInput } from '../../domain/account-fields.ts';
import type { AccountRecord } from '../../domain/account-record.ts';
import { accountStep, type ImportData, isAccount, isSameData, linkStep } from '../../domain/import-item.ts';
import {
  type MergeContext,
  type MergeStep,
  mergeRecords,
  type RecordOutcome,
  recordOutcome,
  type StampedItem,
} from '../../domain/import-merge.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { loadStampedItems, type MergedItem, saveMerged } from '../../store/accounts.ts';
import type { Database } from '../../store/database.ts';
import { loadIdentities } from '../../store/identities.ts';
import { accountKey, derivedContactId, type Key, linkKey } from '../../store/keys.ts';
import { untilAllWritten } from '../retry.ts';
import type { ImportDependencies } from './dependencies.ts';

/**
 * An item that a chunk touches: an account or a link, with one step and one index for each record that touches it; of
 * an account, with one product each too.
 */
export type Target = {
  name: string;
  key: Key;
  steps: MergeStep<ImportData>[];
  indexes: number[];
  products: ProductInput[];
};

/** The items that a chunk's records touch, and what is stored of those that were read already. */
export type Targets = { all: Target[]; stored: Map<Target, StampedItem<ImportData> | undefined> };

type TeamMergeContext = MergeContext & { teamId: string };

export function targetsOf(teamId: string, records: readonly AccountRecord[], contactIdOf: ContactIdOf): Targets {
  const targets = new Map<string, Target>();
  const add = (key: Key, index: number, step: MergeStep<ImportData>, product?: ProductInput) => {
    const name = `${key.pk}\u0000${key.sk}`;
    const target = targets.get(name) ?? { name, key, steps: [], indexes: [], products: [] };
    if (target.steps.length === 0) targets.set(name, target);
    target.steps.push(step);
    target.indexes.push(index);
    if (product) target.products.push(product);
  };
  for (const [index, { account_number, account, link }] of records.entries()) {
    if (account) add(accountKey(teamId, account_number), index, accountStep(account), account.product);
    if (link) add(linkKey(teamId, contactIdOf(link.unique_id), account_number), index, linkStep(link.role));
  }
  return { all: [...targets.values()], stored: new Map() };
}

/** Reads what is stored of these targets. */
export async function readTargets(database: Database, { stored }: Targets, targets: readonly Target[]): Promise<void> {
  const items = await loadStampedItems(
    database,
    targets.map(({ key }) => key),
  );
  for (const [position, target] of targets.entries()) stored.set(target, items[position]);
}

/**
 * Applies the records to their targets, and tells what became of each record. Every item is judged by itself, from
 * nothing but what is stored of it: only so does an attempt that comes late mergeRecords as the others did. A record's link
 * therefore stands even where its account is rejected.
 */
export async function applyTargets(
  dependencies: ImportDependencies,
  judging: TeamMergeContext,
  targets: Targets,
  records: number,
): Promise<RecordOutcome[]> {
  const parts = Array.from({ length: records }, (): RecordOutcome[] => []);
  await untilAllWritten(dependencies, 'an account or link is contended', targets.all, async (pending) => {
    await readTargets(
      dependencies.database,
      targets,
      pending.filter((target) => !targets.stored.has(target)),
    );
    const lost = await applyOnce(dependencies, judging, pending, targets, parts);
    for (const target of lost) targets.stored.delete(target);
    return lost;
  });
  return parts.map(recordOutcome);
}

/** Judges and writes. @returns what lost a race and is to be read and judged again. */
async function applyOnce(
  { database, products, now }: ImportDependencies,
  judging: TeamMergeContext,
  pending: readonly Target[],
  { stored }: Targets,
  parts: RecordOutcome[][],
): Promise<Target[]> {
  // Products come first: an account that stands has its product.
  const unproven = productsToProve(pending, stored, (code) => products.knows(judging.teamId, code));
  await products.ensure(judging.teamId, unproven, timestamp(now()));
  const judged = pending.map((target): MergedItem & { target: Target } => ({
    target,
    key: target.key,
    stored: stored.get(target),
    decision: mergeRecords(stored.get(target), target.steps, isSameData, judging),
  }));
  const writing = judged.filter(({ decision }) => decision.write);
  const written = await saveMerged(database, writing, timestamp(now()));
  const lost = new Set(writing.filter((_, position) => !written[position]).map(({ target }) => target));
  for (const { target, decision } of judged) {
    if (lost.has(target)) continue;
    for (const [position, index] of target.indexes.entries()) parts[index]!.push(decision.outcomes[position]!);
  }
  return [...lost];
}

/** The products of which neither this worker nor a stored account knows that they exist; of each, the first named. */
function productsToProve(
  targets: readonly Target[],
  stored: ReadonlyMap<Target, StampedItem<ImportData> | undefined>,
  isKnown: (code: string) => boolean,
): ProductInput[] {
  const needed = new Map<string, { product: ProductInput; index: number }>();
  for (const target of targets) {
    const { products, indexes } = target;
    if (products.every(({ code }) => isKnown(code))) continue;
    const data = stored.get(target)?.data;
    const held = isAccount(data) ? data.product_code : undefined;
    for (const [step, product] of products.entries()) {
      // The records of one account stand together here, so what comes later may have been sent earlier.
      const index = indexes[step]!;
      const first = needed.get(product.code)?.index ?? Number.POSITIVE_INFINITY;
      if (product.code !== held && !isKnown(product.code) && index < first)
        needed.set(product.code, { product, index });
    }
  }
  return [...needed.values()].map(({ product }) => product);
}

/** Whom the records' `unique_id`s name, as the records are applied. */
export type ContactIdOf = (uniqueId: string) => string;

/** Identity items exist only once a contact of the team has been renamed; until then nobody reads them. */
export async function contactIds(
  database: Database,
  teamId: string,
  records: readonly AccountRecord[],
  renames: number,
): Promise<ContactIdOf> {
  if (renames === 0) return (uniqueId) => derivedContactId(teamId, uniqueId);
  const uniqueIds = records.flatMap(({ link }) => (link ? [link.unique_id] : []));
  const identities = await loadIdentities(database, teamId, uniqueIds);
  return (uniqueId) => identities.get(uniqueId)!;
}
