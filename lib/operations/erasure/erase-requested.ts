import { actDone } from '../../domain/access/audit.ts';
import { Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { noteLinks } from '../../store/accounts/accounts.ts';
import { loadContact } from '../../store/contacts/contacts.ts';
import {
  erasureRequestEnd,
  listErasureRequests,
  reloadErasureRequest,
  type StoredErasureRequest,
  saveErasureRequest,
} from '../../store/erasure/erasure-requests.ts';
import { loadErasures } from '../../store/erasure/erasures.ts';
import { linkKey, uniqueIdDigest } from '../../store/table/keys.ts';
import type { EraseService, Service, Settings } from '../service.ts';
import { eraseItems, eraseUntilRest, finish, untilClosed } from './erase.ts';
import { Erasure } from './erasure.ts';
import { recordErasure } from './request-erasure.ts';

export type RequestedErasureService = Omit<EraseService, 'onProgress'> &
  Pick<Settings, 'retentionDays'> & {
    /** False if too little time is left for another file or another page of batches. */
    hasTime(): boolean;
    /** Called if an attempt failed. The next run tries again. */
    onFailure(error: unknown, ids: { team_id: string; contact_id: string }): void;
  };

/** Numbers of requests. `late`: those that have waited for a day, finished ones too. */
export type RequestedErasures = { erased: number; postponed: number; failed: number; late: number };

/** Milliseconds that a claim of a request lasts: slightly more than the timeout of the function. */
const lease = 960_000;
/** Milliseconds that an erasure waits for a chunk or a file that is being imported, before the next run resumes it. */
const longestWait = 10_000;
const day = 24 * 3600 * 1000;

/** An erasure has to wait, or its time is over. The next run resumes it. */
class Postponed extends Error {
  override readonly name = 'Postponed';
}

/** Works the requests to erase a contact, the oldest first. What a run that died has begun, a later run completes. */
export async function eraseRequested(service: RequestedErasureService): Promise<RequestedErasures> {
  const { database, now, hasTime, onFailure } = service;
  const report = { erased: 0, postponed: 0, failed: 0, late: 0 };
  for (const request of await listErasureRequests(database)) {
    if (Date.parse(request.requested_at) < now() - day) report.late += 1;
    const claimed = hasTime() ? await claim(service, request) : undefined;
    if (!claimed) continue;
    try {
      await work(service, claimed);
      report.erased += 1;
    } catch (error) {
      // A conflict: the command is erasing the same contact, or its `unique_id` was changed.
      const waits = error instanceof Postponed || (error instanceof Problem && error.code === 'conflict');
      report[waits ? 'postponed' : 'failed'] += 1;
      const { team_id, contact_id } = claimed.request;
      if (!waits) onFailure(error, { team_id, contact_id });
      // If this fails, the claim ends by itself.
      await release(database, claimed.request).catch(() => {});
    }
  }
  return report;
}

/** Also if the contact was created and requested again in between, which keeps the claim. */
async function release(database: EraseService['database'], request: StoredErasureRequest): Promise<void> {
  const stored = await reloadErasureRequest(database, request);
  if (!stored || stored.leased_until !== request.leased_until) return;
  await saveErasureRequest(database, { ...stored, leased_until: undefined }, stored.version);
}

/** `uniqueId`: of the contact; `undefined` if nothing is left to erase. */
type Claimed = { request: StoredErasureRequest; uniqueId: string | undefined };

/** @returns `undefined` if another run works the request, or has completed it */
async function claim(
  { database, now }: RequestedErasureService,
  request: StoredErasureRequest,
): Promise<Claimed | undefined> {
  const { team_id, leased_until, version } = request;
  if (leased_until !== undefined && leased_until > timestamp(now())) return undefined;
  const uniqueId = await uniqueIdOf(database, request);
  // The `unique_id` may have changed. An interrupted erasure is found by the one with which it has begun.
  const digest = uniqueId === undefined ? request.digest : uniqueIdDigest(team_id, uniqueId);
  const next = { ...request, digest, leased_until: timestamp(now() + lease) };
  const claimed = await saveErasureRequest(database, next, version);
  return claimed && { request: claimed, uniqueId };
}

async function uniqueIdOf(
  database: Service['database'],
  { team_id, contact_id, inserted_at, digest }: StoredErasureRequest,
): Promise<string | undefined> {
  const interrupted = await loadErasures(database, team_id, [digest]);
  const own = interrupted.find(({ state }) => state.contact_id === contact_id);
  if (own) return own.state.names[0]?.unique_id;
  const contact = (await loadContact(database, team_id, contact_id))?.contact;
  return contact?.inserted_at === inserted_at ? contact.unique_id : undefined;
}

async function work(service: RequestedErasureService, { request, uniqueId }: Claimed): Promise<void> {
  const { database, hasTime } = service;
  const postpone = () => {
    throw new Postponed();
  };
  let waited = 0;
  const wait = async (milliseconds: number) => {
    waited += milliseconds;
    if (waited > longestWait || !hasTime()) postpone();
    await service.wait(milliseconds);
  };
  const erasing = { ...service, wait, onProgress: () => hasTime() || postpone() };
  if (uniqueId !== undefined) {
    const erasure = await Erasure.open(erasing, request.team_id, uniqueId, { contact_id: request.contact_id });
    await eraseUntilRest(erasing, erasure);
    await untilClosed(erasing, [erasure]);
    await finish(erasing, erasure);
  }
  const { team_id, contact_id, late } = request;
  if (late) {
    const keys = late.account_numbers.map((number) => linkKey(team_id, contact_id, number));
    await noteLinks(database, keys, late.order, timestamp(service.now()));
    await eraseItems(service, team_id, { contact_id, order: late.order });
  }
  // The contact was created and requested again: the next run erases that one.
  if ((await uniqueIdOf(database, request)) !== undefined) throw new Postponed();
  if (!late) await recordErasure(service, request, actDone);
  // If not, the contact was created and requested again since.
  if (!(await database.transact([erasureRequestEnd(request)]))) await release(database, request);
}
