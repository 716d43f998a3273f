import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { loadHolders } from '../../../lib/store/accounts/holders.ts';
import { loadChunk } from '../../../lib/store/imports/claims.ts';
import { loadFailed, loadImportState, loadWork } from '../../../lib/store/imports/import-work.ts';
import {
  accountNumberOfLink,
  contactIdOfPartition,
  contactKey,
  contactPartition,
  isLinkKey,
  orderCounterKey,
  payloadKey,
  productKey,
} from '../../../lib/store/table/keys.ts';
import { undeclaredKeys } from '../../support/engine/stored-keys.ts';
import type { Acceptance } from './history.ts';
import { expectedOf } from './oracle.ts';
import type { Renames } from './renames.ts';
import type { World } from './world.ts';

/** Checks the guarantees at the end. Those that hold at every moment are checked during the run. */
export async function examine(world: World, renames: ReadonlyMap<string, Renames>): Promise<void> {
  for (const key of undeclaredKeys(world.store.model?.items.values() ?? [])) world.violation(`${key} is not declared`);
  for (const teamId of world.teamIds) {
    const { acceptances } = world.history.team(teamId);
    await examineClaims(world, acceptances);
    await examineState(world, teamId, acceptances);
    await examineItems(world, acceptances, renames.has(teamId));
    await examineHolders(world, teamId);
    for (const problem of (await renames.get(teamId)?.examine(acceptances)) ?? []) world.violation(problem);
  }
}

/**
 * Every stored link of a contact, or of an id that can become one, has it among the holders of the account, so that a
 * change of the account finds it. An id that is only reserved, because its links were moved to another contact, is none.
 */
async function examineHolders(world: World, teamId: string): Promise<void> {
  const items = [...(world.store.model?.items.values() ?? [])];
  for (const { pk, sk, data } of items) {
    const contactId = pk.startsWith(contactPartition(teamId, '')) ? contactIdOfPartition(pk) : undefined;
    if (contactId === undefined || data === undefined || !isLinkKey({ pk, sk })) continue;
    if (world.store.model?.read(contactKey(teamId, contactId))?.moved_to !== undefined) continue;
    const holders = await loadHolders(world.store.database, teamId, accountNumberOfLink({ pk, sk }));
    if (!holders.includes(contactId)) world.violation(`the link ${sk} of ${contactId} has no holder`);
  }
}

/** Each accepted chunk has a claim with its order number and a visible status. */
async function examineClaims(world: World, acceptances: readonly Acceptance[]): Promise<void> {
  const { database } = world.store;
  for (const accepted of acceptances) {
    const what = `chunk ${accepted.order} of ${accepted.teamId}`;
    if (accepted.status === 'open') world.violation(`${what} is open in the end`);
    const isAcceptedAnew = acceptances.some((later) => later.order > accepted.order && isSamePair(later, accepted));
    if (isAcceptedAnew) continue;
    const claim = await loadChunk(database, accepted.teamId, accepted);
    const differing = claim ? differences(claim, accepted) : ['everything'];
    if (differing.length > 0) world.violation(`${what}: its claim has another ${differing.join()}`);
    const parts = Array.from({ length: accepted.parts }, (_, n) => payloadKey(accepted.teamId, accepted.payload_id, n));
    for (const item of await database.get(parts)) {
      if (item && (item.expires_at === undefined) !== (accepted.status === 'failed')) {
        world.violation(`${what} is ${accepted.status}, its records expire at ${item.expires_at}`);
      }
    }
  }
}

const isSamePair = (a: Acceptance, b: Acceptance) => a.batch_id === b.batch_id && a.claim === b.claim;

function differences(claim: Chunk, accepted: Acceptance): string[] {
  const names = ['order', 'status', 'digest', 'payload_id', 'index'] as const;
  const differing: string[] = names.filter((name) => claim[name] !== accepted[name]);
  if (claim.records !== accepted.records.length) differing.push('records');
  if ((claim.repeated ?? 0) !== accepted.repeated) differing.push('repeated');
  const isCounted = JSON.stringify(claim.counts) === JSON.stringify(accepted.counts);
  return isCounted ? differing : [...differing, 'counts'];
}

async function examineState(world: World, teamId: string, acceptances: readonly Acceptance[]): Promise<void> {
  const { database } = world.store;
  const state = await loadImportState(database, teamId);
  const { open } = await loadWork(database, teamId, 100);
  const failed = acceptances.filter(({ status }) => status === 'failed').map(({ order }) => order);
  const listed = (await loadFailed(database, teamId)).map(({ order }) => order);
  if (listed.join() !== failed.join()) world.violation(`the list of failed chunks holds ${listed}, not ${failed}`);
  if (open.length > 0) world.violation(`${open.length} chunks of ${teamId} are listed as open in the end`);
  if (state.failed !== failed.length) world.violation(`${state.failed} chunks of ${teamId} are counted as failed`);
  if (state.left !== acceptances.length - open.length) world.violation(`${state.left} chunks of ${teamId} have left`);
  const [counter] = await database.get([orderCounterKey(teamId)]);
  if ((counter?.last_order ?? 0) !== acceptances.length) world.violation(`the counter is at ${counter?.last_order}`);
}

async function examineItems(world: World, acceptances: readonly Acceptance[], isRenamed: boolean): Promise<void> {
  const { database } = world.store;
  const { items, counts } = expectedOf(acceptances);
  for (const { key, name, values } of items) {
    const isAccount = key.sk === 'ACCOUNT';
    // With renames, links are checked separately.
    if (isRenamed && !isAccount) continue;
    const [item] = await database.get([key]);
    const stored = item?.data as string | undefined;
    const { product_code, ...rest } = stored === undefined ? {} : JSON.parse(stored);
    // The product of a link is a hint, which any accepted record of the account can have written.
    const data = stored === undefined || isAccount ? stored : JSON.stringify(rest);
    if (!values.has(data)) {
      const possible = [...values].map((value) => short(value)).join(' or ');
      world.violation(`${name} is ${short(data)}, and by the order of its chunks ${possible}`);
    }
    if (product_code === undefined) continue;
    const [product] = await database.get([productKey(acceptances[0]!.teamId, product_code)]);
    if (!product) world.violation(`${name} is of product ${product_code}, which is not there`);
  }
  if (isRenamed) return;
  for (const [chunk, expected] of counts) {
    if (JSON.stringify(chunk.counts) === JSON.stringify(expected)) continue;
    world.violation(
      `chunk ${chunk.order} of ${chunk.teamId} counts ${JSON.stringify(chunk.counts)}, not ${JSON.stringify(expected)}`,
    );
  }
}

const short = (text: string | undefined): string => String(text).replaceAll(/z{20,}/g, 'z…');
