import type { ProductInput } from '../../domain/accounts/account-fields.ts';
import type { AccountRecord } from '../../domain/accounts/account-record.ts';
import {
  accountStep,
  type ImportData,
  isAccount,
  isSameData,
  linkStep,
  removalStep,
} from '../../domain/imports/import-item.ts';
import {
  type MergeContext,
  type MergeStep,
  mergeRecords,
  type RecordOutcome,
  recordOutcome,
} from '../../domain/imports/import-merge.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadStampedItems, type MergedItem, type StoredTarget, saveMerged } from '../../store/accounts/accounts.ts';
import { type Holder, holderInsertions, holdersText, namesHolder } from '../../store/accounts/holders.ts';
import { loadIdentities } from '../../store/contacts/identities.ts';
import type { Database } from '../../store/table/database.ts';
import { derivedContactId } from '../../store/table/ids.ts';
import { accountKey, isLinkKey, type Key, linkKey } from '../../store/table/keys.ts';
import { untilAllWritten } from '../retry.ts';
import type { ImportService } from '../service.ts';

/**
 * An account or link that a chunk writes to, with one step and one index for each record that concerns it, and for an
 * account also one product for each record.
 */
export type Target = {
  name: string;
  key: Key;
  steps: MergeStep<ImportData>[];
  indexes: number[];
  products: ProductInput[];
  /** For a link: its contact and account, and the target of the account, if a record has the account too. */
  link?: Holder & { account: Target | undefined };
  /** For an account: the contacts to which records link it. */
  holders: string[];
};

/** The items that a chunk's records concern, and the stored values of those that were read already. */
export type Targets = { all: Target[]; stored: Map<Target, StoredTarget | undefined> };

type TeamMergeContext = MergeContext & { teamId: string };

export function targetsOf(teamId: string, records: readonly AccountRecord[], contactIdOf: ContactIdOf): Targets {
  const targets = new Map<string, Target>();
  const nameOf = ({ pk, sk }: Key) => `${pk}\u0000${sk}`;
  const add = (key: Key, index: number, step: MergeStep<ImportData>, product?: ProductInput): Target => {
    const name = nameOf(key);
    const target = targets.get(name) ?? { name, key, steps: [], indexes: [], products: [], holders: [] };
    if (target.steps.length === 0) targets.set(name, target);
    target.steps.push(step);
    target.indexes.push(index);
    if (product) target.products.push(product);
    return target;
  };
  for (const [index, { account_number, account, link, removal }] of records.entries()) {
    if (removal === 'account') add(accountKey(teamId, account_number), index, removalStep);
    else if (removal) add(linkKey(teamId, removal.contact_id, account_number), index, removalStep);
    if (account) add(accountKey(teamId, account_number), index, accountStep(account), account.product);
    if (!link) continue;
    const contactId = contactIdOf(link.unique_id);
    const step = linkStep(link.role, account?.product.code);
    const target = add(linkKey(teamId, contactId, account_number), index, step);
    target.link = { contactId, accountNumber: account_number, account: undefined };
  }
  for (const { link } of targets.values()) {
    if (!link) continue;
    link.account = targets.get(nameOf(accountKey(teamId, link.accountNumber)));
    link.account?.holders.push(link.contactId);
  }
  return { all: [...targets.values()], stored: new Map() };
}

/** Reads the stored values of these targets. */
export async function readTargets(database: Database, { stored }: Targets, targets: readonly Target[]): Promise<void> {
  const items = await loadStampedItems(
    database,
    targets.map(({ key }) => key),
  );
  for (const [position, target] of targets.entries()) stored.set(target, items[position]);
}

/**
 * Applies the records to their targets and returns the outcome of each record. The merge of an item depends only on
 * that item's stored value, so that a late attempt merges exactly as the earlier ones did. For this reason, a record's
 * link is written even if its account is rejected.
 */
export async function applyTargets(
  service: ImportService,
  context: TeamMergeContext,
  targets: Targets,
  records: number,
): Promise<RecordOutcome[]> {
  const parts = Array.from({ length: records }, (): RecordOutcome[] => []);
  await untilAllWritten(service, 'too many conflicts on an account or link', targets.all, async (pending) => {
    await readTargets(
      service.database,
      targets,
      pending.filter((target) => !targets.stored.has(target)),
    );
    const lost = await applyOnce(service, context, pending, targets, parts);
    for (const target of lost) {
      targets.stored.delete(target);
      // A move of links can have removed the contact from those that the account names: the account is stale.
      if (target.link?.account) targets.stored.delete(target.link.account);
    }
    return lost;
  });
  return parts.map(recordOutcome);
}

/** Merges and writes once. @returns the targets that lost a race and must be read and merged again. */
async function applyOnce(
  { database, products, now }: ImportService,
  context: TeamMergeContext,
  pending: readonly Target[],
  targets: Targets,
  parts: RecordOutcome[][],
): Promise<Target[]> {
  const { stored } = targets;
  // Products are written first, so that every stored account has its product.
  const unknown = unknownProducts(pending, stored, (code) => products.knows(context.teamId, code));
  await products.ensure(context.teamId, unknown, timestamp(now()));
  const merged = pending.map(
    (target): MergedTarget => ({
      target,
      key: target.key,
      stored: stored.get(target),
      decision: mergeRecords(stored.get(target), target.steps, isSameData, context),
    }),
  );
  const lost = await save(database, context.teamId, merged, targets, timestamp(now()));
  for (const { target, decision } of merged) {
    if (lost.has(target)) continue;
    for (const [position, index] of target.indexes.entries()) parts[index]!.push(decision.outcomes[position]!);
  }
  return [...lost];
}

type MergedTarget = MergedItem & { target: Target };

/**
 * Writes what changed. Accounts and holders are first, so that no link is without its holder.
 * @returns the targets that lost a race. A link to a new account loses with the account.
 */
async function save(
  database: Database,
  teamId: string,
  merged: readonly MergedTarget[],
  { stored }: Targets,
  now: string,
): Promise<Set<Target>> {
  const changed = merged.filter(({ decision }) => decision.write);
  const accounts = changed.filter(({ key }) => !isLinkKey(key));
  const links = changed.filter(({ key }) => isLinkKey(key));
  const created = new Set(accounts.filter((each) => !each.stored).map(({ target }) => target));
  const named = accounts.map((each) =>
    created.has(each.target) ? { ...each, holders: holdersText(each.target.holders) } : each,
  );
  const added = links.filter((each) => each.decision.write?.data && !each.stored?.data);
  const holders = added.flatMap(({ target: { link } }) => {
    const { account } = link!;
    const existing = account && stored.get(account);
    const isNamed = account && (created.has(account) || namesHolder(existing?.holders, link!.contactId));
    return isNamed ? [] : [{ ...link!, isKnown: existing !== undefined }];
  });
  const beside = holderInsertions(teamId, holders);
  const lost = lostOf(accounts, await saveMerged(database, named, now, beside));
  for (const { target } of added) if (target.link!.account && lost.has(target.link!.account)) lost.add(target);
  const ready = links.filter(({ target }) => !lost.has(target));
  return lost.union(lostOf(ready, await saveMerged(database, ready, now)));
}

const lostOf = (merged: readonly MergedTarget[], written: readonly boolean[]): Set<Target> =>
  new Set(merged.filter((_, index) => !written[index]).map(({ target }) => target));

/**
 * Products that may not exist yet: neither the registry nor a stored account names them. The first record of each wins.
 */
function unknownProducts(
  targets: readonly Target[],
  stored: ReadonlyMap<Target, StoredTarget | undefined>,
  isKnown: (code: string) => boolean,
): ProductInput[] {
  const needed = new Map<string, { product: ProductInput; index: number }>();
  for (const target of targets) {
    const { products, indexes } = target;
    if (products.every(({ code }) => isKnown(code))) continue;
    const data = stored.get(target)?.data;
    const storedCode = isAccount(data) ? data.product_code : undefined;
    for (const [step, product] of products.entries()) {
      // The targets group records by account, so a later target can have an earlier record.
      const index = indexes[step]!;
      const first = needed.get(product.code)?.index ?? Number.POSITIVE_INFINITY;
      if (product.code !== storedCode && !isKnown(product.code) && index < first)
        needed.set(product.code, { product, index });
    }
  }
  return [...needed.values()].map(({ product }) => product);
}

/** Returns the id of the contact that a `unique_id` of the records names. */
export type ContactIdOf = (uniqueId: string) => string;

/** Identity items are read only if a contact of the team has been renamed: before that, there are none. */
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
