import { type AccountRecord, mergeAccount, type ProductInput, serializeAccount } from '../../domain/account.ts';
import { combine, judge, type Outcome, type Stamped, type Step } from '../../domain/judgement.ts';
import { type Judged, loadStamped, parseAccount, roleOf, saveJudged, serializeLink } from '../../store/accounts.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { loadIdentities } from '../../store/identities.ts';
import { accountKey, derivedContactId, type Key, linkKey } from '../../store/keys.ts';
import { type ImportDependencies, maxRounds, timestamp } from './dependencies.ts';

/** A chunk's records and how they are to be judged. */
export type Work = { teamId: string; order: number; guarded: boolean; records: readonly AccountRecord[] };

/**
 * An item that the chunk touches: an account or a link, with one step and one index for each record that touches it; of
 * an account, with one product each too.
 */
type Target = { key: Key; steps: Step[]; indexes: number[]; products: ProductInput[] };

/**
 * Applies the records, and says what came of each. Every item is judged by itself, from nothing but what is stored of
 * it: only so does an attempt that comes late judge as the others did. A record's link therefore stands even where
 * its account is rejected.
 */
export async function applyRecords(
  dependencies: ImportDependencies,
  work: Work,
  contactIdOf: ContactIdOf,
): Promise<Outcome[]> {
  const parts = work.records.map((): Outcome[] => []);
  let pending = targetsOf(work, contactIdOf);
  for (let round = 0; pending.length > 0; round++) {
    if (round === maxRounds) throw new StoreUnavailable('an account or link is contended');
    pending = await applyOnce(dependencies, work, pending, parts);
  }
  return parts.map(combine);
}

/** Reads, judges and writes. @returns what lost a race and is to be read and judged again. */
async function applyOnce(
  { database, products, now }: ImportDependencies,
  { teamId, order, guarded }: Work,
  targets: readonly Target[],
  parts: Outcome[][],
): Promise<Target[]> {
  const stored = await loadStamped(
    database,
    targets.map(({ key }) => key),
  );
  // Products come first: an account that stands has its product.
  const unproven = productsToProve(targets, stored, (code) => products.knows(teamId, code));
  await products.ensure(teamId, unproven, timestamp(now()));
  const judged = targets.map((target, position): Judged & { target: Target } => ({
    target,
    key: target.key,
    stored: stored[position],
    judgement: judge(stored[position], target.steps, order, guarded),
  }));
  const writing = judged.filter(({ judgement }) => judgement.write);
  const written = await saveJudged(database, writing, timestamp(now()));
  const lost = new Set(writing.filter((_, position) => !written[position]).map(({ target }) => target));
  for (const { target, judgement } of judged) {
    if (lost.has(target)) continue;
    for (const [position, index] of target.indexes.entries()) parts[index]!.push(judgement.outcomes[position]!);
  }
  return [...lost];
}

function targetsOf({ teamId, records }: Work, contactIdOf: ContactIdOf): Target[] {
  const targets = new Map<string, Target>();
  const add = (key: Key, index: number, step: Step, product?: ProductInput) => {
    const name = `${key.pk}\u0000${key.sk}`;
    const target = targets.get(name) ?? { key, steps: [], indexes: [], products: [] };
    target.steps.push(step);
    target.indexes.push(index);
    if (product) target.products.push(product);
    targets.set(name, target);
  };
  for (const [index, { account_number, account, link }] of records.entries()) {
    if (account) add(accountKey(teamId, account_number), index, accountStep(account), account.product);
    if (link) add(linkKey(teamId, contactIdOf(link.unique_id), account_number), index, linkStep(link.role));
  }
  return [...targets.values()];
}

const accountStep =
  (account: NonNullable<AccountRecord['account']>): Step =>
  (data) => {
    const merged = mergeAccount(data === undefined ? undefined : parseAccount(data), account);
    return 'rejected' in merged ? { rejected: true } : { data: serializeAccount(merged) };
  };

const linkStep =
  (role: string | null | undefined): Step =>
  (data) => ({ data: serializeLink(role === undefined ? (data === undefined ? null : roleOf(data)) : role) });

/** The products of which neither this worker nor a stored account knows that they exist; of each, the first named. */
function productsToProve(
  targets: readonly Target[],
  stored: readonly (Stamped | undefined)[],
  isKnown: (code: string) => boolean,
): ProductInput[] {
  const needed = new Map<string, { product: ProductInput; index: number }>();
  for (const [position, { products, indexes }] of targets.entries()) {
    if (products.every(({ code }) => isKnown(code))) continue;
    const data = stored[position]?.data;
    const held = data === undefined ? undefined : parseAccount(data).product_code;
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

export const derivedIds =
  (teamId: string): ContactIdOf =>
  (uniqueId) =>
    derivedContactId(teamId, uniqueId);

/** Identity items exist only once a contact of the team has been renamed; until then nobody reads them. */
export async function storedIds({ database }: ImportDependencies, { teamId, records }: Work): Promise<ContactIdOf> {
  const uniqueIds = records.flatMap(({ link }) => (link ? [link.unique_id] : []));
  const identities = await loadIdentities(database, teamId, uniqueIds);
  return (uniqueId) => identities.get(uniqueId)!;
}
