import { type AccountRecord, mergeAccount, serializeAccount } from '../../domain/account.ts';
import { judge, type Outcome, type Stamped, type Step } from '../../domain/judgement.ts';
import { type Judged, loadStamped, parseAccount, roleOf, saveJudged, serializeLink } from '../../store/accounts.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { loadIdentities } from '../../store/identities.ts';
import { accountKey, derivedContactId, type Key, linkKey } from '../../store/keys.ts';
import { type ImportDependencies, maxRounds, timestamp } from './dependencies.ts';

/** A chunk's records and how they are to be judged. */
export type Work = { teamId: string; order: number; guarded: boolean; records: readonly AccountRecord[] };

/** What came of the parts of each record, by its index. */
export type Parts = Map<number, Outcome[]>;

/** An item that the chunk touches, with the steps of its records in their order. */
type Target = { key: Key; steps: Step[]; indexes: number[] };

/** Writes products first, then the accounts that the records change: an account that stands has its product. */
export async function applyAccounts(dependencies: ImportDependencies, work: Work): Promise<Parts> {
  const targets = new Map<string, Target>();
  for (const [index, { account_number, account }] of work.records.entries()) {
    if (!account) continue;
    const step: Step = (data) => {
      const merged = mergeAccount(data === undefined ? undefined : parseAccount(data), account);
      return 'rejected' in merged ? { rejected: true } : { data: serializeAccount(merged) };
    };
    addStep(targets, accountKey(work.teamId, account_number), step, index);
  }
  return applyAll(dependencies, work, [...targets.values()], (stored, pending) =>
    registerProducts(dependencies, work, stored, pending),
  );
}

/** A product is created from the first record that names its code; an account that has the code proves that it exists. */
async function registerProducts(
  { products, now }: ImportDependencies,
  { teamId, records }: Work,
  stored: readonly (Stamped | undefined)[],
  targets: readonly Target[],
): Promise<void> {
  const needed = new Map<string, NonNullable<AccountRecord['account']>['product']>();
  for (const [position, { indexes }] of targets.entries()) {
    const data = stored[position]?.data;
    const held = data === undefined ? undefined : parseAccount(data).product_code;
    for (const index of indexes) {
      const product = records[index]!.account!.product;
      if (product.code !== held && !needed.has(product.code)) needed.set(product.code, product);
    }
  }
  await products.ensure(teamId, needed, timestamp(now()));
}

/** Links accounts to contacts, whether or not either exists yet. A record whose account was rejected links nothing. */
export async function applyLinks(
  dependencies: ImportDependencies,
  work: Work,
  accounts: Parts,
  renamed: boolean,
): Promise<Parts> {
  const contactIds = await resolve(dependencies, work, renamed);
  const targets = new Map<string, Target>();
  for (const [index, { account_number, link }] of work.records.entries()) {
    if (!link) continue;
    const rejected = accounts.get(index)?.includes('rejected') ?? false;
    const step: Step = (data) => {
      if (rejected) return { rejected: true };
      const role = link.role === undefined ? (data === undefined ? null : roleOf(data)) : link.role;
      return { data: serializeLink(role) };
    };
    addStep(targets, linkKey(work.teamId, contactIds(link.unique_id), account_number), step, index);
  }
  return applyAll(dependencies, work, [...targets.values()]);
}

/** Identity items exist only once a contact of the team has been renamed; until then nobody reads them. */
async function resolve({ database }: ImportDependencies, { teamId, records }: Work, renamed: boolean) {
  if (!renamed) return (uniqueId: string) => derivedContactId(teamId, uniqueId);
  const uniqueIds = records.flatMap(({ link }) => (link ? [link.unique_id] : []));
  const identities = await loadIdentities(database, teamId, uniqueIds);
  return (uniqueId: string) => identities.get(uniqueId)!;
}

function addStep(targets: Map<string, Target>, key: Key, step: Step, index: number): void {
  const name = `${key.pk}\u0000${key.sk}`;
  const target = targets.get(name) ?? { key, steps: [], indexes: [] };
  target.steps.push(step);
  target.indexes.push(index);
  targets.set(name, target);
}

/** Reads, judges and writes; what lost a race is read and judged again. */
async function applyAll(
  { database, now }: ImportDependencies,
  { order, guarded }: Work,
  targets: Target[],
  beforeWriting?: (stored: readonly (Stamped | undefined)[], targets: readonly Target[]) => Promise<void>,
): Promise<Parts> {
  const parts: Parts = new Map();
  let pending = targets;
  for (let round = 0; pending.length > 0; round++) {
    if (round === maxRounds) throw new StoreUnavailable('an account or link is contended');
    const stored = await loadStamped(
      database,
      pending.map(({ key }) => key),
    );
    await beforeWriting?.(stored, pending);
    const judged = pending.map((target, position): Judged & { target: Target } => ({
      target,
      key: target.key,
      stored: stored[position],
      judgement: judge(stored[position], target.steps, order, guarded),
    }));
    const writing = judged.filter(({ judgement }) => judgement.write);
    const written = await saveJudged(database, writing, timestamp(now()));
    const lost = new Set(writing.filter((_, position) => !written[position]).map(({ target }) => target));
    for (const { target, judgement } of judged) if (!lost.has(target)) note(parts, target, judgement.outcomes);
    pending = [...lost];
  }
  return parts;
}

function note(parts: Parts, { indexes }: Target, outcomes: readonly Outcome[]): void {
  for (const [position, index] of indexes.entries()) {
    parts.set(index, [...(parts.get(index) ?? []), outcomes[position]!]);
  }
}
