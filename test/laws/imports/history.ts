import type { AccountRecord } from '../../../lib/domain/accounts/account-record.ts';
import type { BatchAcceptance } from '../../../lib/domain/imports/batch.ts';
import type { Chunk, ChunkStatus } from '../../../lib/domain/imports/chunk.ts';
import { maxAttempts } from '../../../lib/domain/imports/chunk.ts';
import type { Attributes, Write } from '../../../lib/store/table/database.ts';
import { checkLists, checkPayload } from './lists.ts';
import type { Post } from './requests.ts';
import type { ImportProcess, World } from './world.ts';

/** One chunk as it was accepted. The table must be consistent with it from then on. */
export type Acceptance = {
  teamId: string;
  order: number;
  batch_id: string;
  claim: string;
  index: number;
  records: AccountRecord[];
  /** For a chunk with a pair. */
  digest: string | undefined;
  payload_id: string;
  parts: number;
  status: ChunkStatus;
  counts: Chunk['counts'];
  rejections: number;
  /** Repeats of the pair with other records, also before it was accepted anew. */
  repeated: number;
  wasFailed: boolean;
  isDamaged: boolean;
  /** Steps: committed, visible to all, and the earliest new acceptance of the pair. */
  committedAt: number;
  visibleAt: number;
  vacatedAt: number;
};

type Team = {
  teamId: string;
  /** By order number, from 1. */
  acceptances: Acceptance[];
  /** By batch and claim; the last one is current. */
  pairs: Map<string, Acceptance[]>;
  counts: Map<string, number>;
  /** The highest order number with a response. */
  answered: number;
  /** The highest order number that was begun. */
  begun: number;
  /** Events that can end an attempt without a trace. Only these attempts count. */
  deaths: number;
};

const follows: Record<ChunkStatus, ChunkStatus[]> = {
  open: ['completed', 'failed', 'cancelled'],
  failed: ['open', 'completed', 'discarded'],
  completed: [],
  cancelled: [],
  discarded: [],
};

const claimPattern = /^T#([^#]+)#B#(.*)$/s;
const statePattern = /^T#([^#]+)#Q$/;

/** Records commits and responses from outside, and checks the guarantees that hold at every moment. */
export class History {
  readonly #world: World;
  readonly #teams = new Map<string, Team>();

  constructor(world: World) {
    this.#world = world;
  }

  team(teamId: string): Team {
    const known = this.#teams.get(teamId);
    if (known) return known;
    const team: Team = {
      teamId,
      acceptances: [],
      pairs: new Map(),
      counts: new Map(),
      answered: 0,
      begun: 0,
      deaths: 0,
    };
    this.#teams.set(teamId, team);
    return team;
  }

  get all(): Acceptance[] {
    return [...this.#teams.values()].flatMap(({ acceptances }) => acceptances);
  }

  /** Completed single writes. */
  wrote(writes: readonly Write[]): void {
    for (const write of writes) this.#noteBegun(write);
  }

  /** A transaction, from the moment it is decided. */
  committed(process: ImportProcess, writes: readonly Write[]): void {
    const acceptedBefore = process.accepted.length;
    for (const write of writes) {
      this.#noteBegun(write);
      const { pk, sk } = write.kind === 'insert' ? write.item : write.key;
      const [, teamId, batchId] = claimPattern.exec(pk) ?? [];
      if (teamId === undefined || batchId === undefined) continue;
      if (write.kind !== 'insert' && write.kind !== 'update') continue;
      const set: Attributes = write.kind === 'insert' ? write.item : write.set;
      if (sk === 'BATCH') this.#noteCount(teamId, batchId, set);
      else if ('order' in set) this.#accept(process, teamId, batchId, sk, set);
      else this.#transition(process, this.#current(teamId, batchId, sk), set);
    }
    const accepted = process.accepted.length - acceptedBefore;
    if (accepted === 0) return;
    if (acceptedBefore > 0) this.#world.violation(`${process.name} was accepted twice`);
    if (accepted !== process.post?.parts.length) this.#world.violation(`${process.name} was accepted in part`);
    const { chunk_count, batch_id } = process.post!;
    const count = this.team(process.post!.teamId).counts.get(batch_id ?? '');
    if (chunk_count !== undefined && count !== chunk_count) {
      this.#world.violation(`${process.name} was accepted with another chunk_count`);
    }
  }

  #noteBegun(write: Write): void {
    const { pk, sk } = write.kind === 'insert' ? write.item : write.key;
    if (sk !== 'IMPORT' || (write.kind !== 'insert' && write.kind !== 'update')) return;
    const [, teamId] = statePattern.exec(pk) ?? [];
    const { begun, attempt } = write.kind === 'insert' ? write.item : write.set;
    if (teamId === undefined) return;
    if (typeof begun === 'number') this.team(teamId).begun = Math.max(this.team(teamId).begun, begun);
    if (attempt !== undefined) this.#world.log(() => `    attempt ${JSON.stringify(attempt)} of ${teamId}`);
  }

  #noteCount(teamId: string, batchId: string, { chunk_count }: Attributes): void {
    if (chunk_count === undefined) return;
    const { counts } = this.team(teamId);
    if (counts.has(batchId)) this.#world.violation(`the chunk_count of ${batchId} was changed`);
    counts.set(batchId, chunk_count as number);
  }

  #accept(process: ImportProcess, teamId: string, batch_id: string, claim: string, item: Attributes) {
    const team = this.team(teamId);
    const order = item.order as number;
    const name = `${batch_id}/${claim}`;
    const former = team.pairs.get(name) ?? [];
    const { post } = process;
    if (!post) return this.#world.violation(`${process.name} accepted a chunk`);
    const standing = former.at(-1);
    if (standing && standing.status !== 'cancelled' && standing.status !== 'discarded') {
      this.#world.violation(`${name} was accepted twice`);
    }
    if (order !== team.acceptances.length + 1) this.#world.violation(`${name} got ${order}, not the next number`);
    if (order <= process.answeredBefore) this.#world.violation(`${name} got ${order}, behind what was answered before`);
    const index = item.index as number;
    const acceptance: Acceptance = {
      teamId,
      order,
      batch_id,
      claim,
      index,
      records: post.parts[post.chunk_index === undefined ? index : 0]!,
      digest: post.chunk_index === undefined ? undefined : post.digest,
      payload_id: item.payload_id as string,
      parts: item.parts as number,
      status: 'open',
      counts: undefined,
      rejections: 0,
      repeated: standing?.repeated ?? 0,
      wasFailed: false,
      isDamaged: false,
      committedAt: this.#world.steps,
      visibleAt: Number.POSITIVE_INFINITY,
      vacatedAt: Number.POSITIVE_INFINITY,
    };
    if (process.accepted.some((other) => other.index > index)) this.#world.violation(`${name}: parts out of order`);
    this.#world.log(() => `    accepted ${name} of ${teamId} as ${order}`);
    team.acceptances[order - 1] = acceptance;
    team.pairs.set(name, [...former, acceptance]);
    process.accepted.push(acceptance);
  }

  #current(teamId: string, batchId: string, claim: string): Acceptance | undefined {
    return this.team(teamId).pairs.get(`${batchId}/${claim}`)?.at(-1);
  }

  #transition(process: ImportProcess, acceptance: Acceptance | undefined, set: Attributes) {
    const status = set.status as ChunkStatus | undefined;
    if (acceptance && Object.keys(set).join() === 'repeated') {
      acceptance.repeated += 1;
      if (set.repeated === acceptance.repeated) return;
    }
    if (!acceptance || !status) return this.#world.violation(`${process.name} wrote ${JSON.stringify(set)} to a claim`);
    const { order, status: before, teamId } = acceptance;
    const team = this.team(teamId);
    const what = `chunk ${order} of ${teamId}`;
    this.#world.log(() => `    ${what}: ${before} -> ${status} ${JSON.stringify(set.counts ?? set.failure ?? '')}`);
    if (!follows[before].includes(status)) this.#world.violation(`${what} went from ${before} to ${status}`);
    acceptance.status = status;
    if (status === 'failed') {
      acceptance.wasFailed = true;
      if (!acceptance.isDamaged && team.deaths < maxAttempts) {
        this.#world.violation(`${what} failed (${set.failure}) after ${team.deaths} deaths, its records being there`);
      }
    }
    if (before === 'failed' && status === 'open') process.redriven.add(acceptance);
    if (status === 'cancelled' && order <= team.begun) this.#world.violation(`${what} was begun, and cancelled`);
    if (status === 'completed') this.#noteCounts(acceptance, what, set);
  }

  #noteCounts(acceptance: Acceptance, what: string, { counts, rejections }: Attributes): void {
    acceptance.counts = counts as Chunk['counts'];
    acceptance.rejections = (rejections as unknown[] | undefined)?.length ?? 0;
    const { applied, unchanged, superseded, rejected } = acceptance.counts!;
    if (applied + unchanged + superseded + rejected !== acceptance.records.length) {
      this.#world.violation(`${what} counts ${JSON.stringify(counts)} of ${acceptance.records.length} records`);
    }
    if (rejected !== acceptance.rejections) this.#world.violation(`${what} does not name what was rejected`);
    if (superseded > 0 && !acceptance.wasFailed) this.#world.violation(`${what} was superseded and never failed`);
  }

  /** A transaction that is completely visible. */
  visible(writes: readonly Write[]): void {
    let teamId: string | undefined;
    for (const write of writes) {
      const { pk, sk } = write.kind === 'insert' ? write.item : write.key;
      teamId ??= statePattern.exec(pk)?.[1];
      const [, team, batchId] = claimPattern.exec(pk) ?? [];
      const acceptance = team && batchId !== undefined && this.#current(team, batchId, sk);
      if (!acceptance) continue;
      acceptance.visibleAt = Math.min(acceptance.visibleAt, this.#world.steps);
      if (acceptance.status === 'cancelled' || acceptance.status === 'discarded') {
        acceptance.vacatedAt = Math.min(acceptance.vacatedAt, this.#world.steps);
      }
      checkPayload(this.#world, acceptance);
    }
    if (teamId !== undefined) checkLists(this.#world, teamId, this.team(teamId).acceptances);
  }

  /** A request got the response 202. */
  responded({ name, accepted, redriven, began }: ImportProcess, post: Post, response: BatchAcceptance) {
    const team = this.team(post.teamId);
    this.#world.log(() => `    ${name} is answered ${JSON.stringify(response)}`);
    if (!response.duplicate) {
      if (accepted.length === 0) return this.#world.violation(`${name} was answered and nothing accepted`);
      if (accepted.some(({ batch_id }) => batch_id !== response.batch_id)) this.#world.violation(`${name}: batch_id`);
      team.answered = Math.max(team.answered, accepted.at(-1)!.order);
      return;
    }
    const fitting = this.#standingSince(post, began).filter(
      (each) =>
        (each.digest === post.digest) === response.same_records &&
        (response.same_records || each.repeated > 0) &&
        each.records.length === response.records &&
        redriven.has(each) === (response.redriven ?? false),
    );
    const [first] = fitting;
    if (!first)
      return this.#world.violation(`${name} was answered ${JSON.stringify(response)}, which no chunk explains`);
    team.answered = Math.max(team.answered, first.order);
  }

  /** Acceptances of the pair that were valid at some time since this step. */
  #standingSince({ teamId, batch_id, chunk_index }: Post, step: number): Acceptance[] {
    return this.team(teamId).acceptances.filter(
      (each) =>
        each.batch_id === batch_id &&
        each.index === chunk_index &&
        each.claim.startsWith('CHUNK#') &&
        each.vacatedAt >= step,
    );
  }

  /** A request got 409 or 422, which is allowed only if the pair was not accepted during the whole request. */
  refused({ name, began }: ImportProcess, post: Post, code: string): void {
    this.#world.log(() => `    ${name} is refused: ${code}`);
    const stood = this.#standingSince(post, began).some(
      ({ visibleAt, status }) => visibleAt < began && status !== 'cancelled' && status !== 'discarded',
    );
    if (stood) this.#world.violation(`${name} was refused (${code}), although its pair stood accepted`);
    if (code === 'validation_failed' && !post.isInvalid) this.#world.violation(`${name} was refused, and is valid`);
    const count = this.team(post.teamId).counts.get(post.batch_id ?? '');
    if (code === 'conflict' && (count === undefined || count === post.chunk_count)) {
      this.#world.violation(`${name} was refused, and its chunk_count agrees`);
    }
  }
}
