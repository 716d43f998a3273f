import { setTimeout as sleep } from 'node:timers/promises';
import { eraseAgain } from '../../../bin/admin/operations/erasure/erase-again.ts';
import { FolderDropBox } from '../../../bin/admin/store/drop-box/drop-box-files.ts';
import { FolderErasureList } from '../../../bin/admin/store/erasure/erasure-list.ts';
import type { LocalDescription } from '../../../bin/local/description.ts';
import { localAccess } from '../../../bin/local/functions/environment.ts';
import {
  asFunction,
  restricted,
  restrictedDropBox,
  restrictedErasureList,
} from '../../../bin/local/functions/permissions.ts';
import { erasePerson, type Receipt } from '../../../lib/operations/erasure/erase.ts';
import { eraseRequested } from '../../../lib/operations/erasure/erase-requested.ts';
import type { Counts } from '../../../lib/operations/erasure/erasure.ts';
import { redriveChunk } from '../../../lib/operations/imports/redrive.ts';
import type { EraseService } from '../../../lib/operations/service.ts';
import { bucketClient } from '../../../lib/store/aws/aws-clients.ts';
import { deployedDropBox } from '../../../lib/store/drop-box/drop-box-files.ts';
import type { ErasureEntry } from '../../../lib/store/erasure/erasure-list.ts';
import { S3ErasureList } from '../../../lib/store/erasure/erasure-list.ts';
import { listErasureRequests } from '../../../lib/store/erasure/erasure-requests.ts';
import { loadFailed } from '../../../lib/store/imports/import-work.ts';
import { undeclaredKeys } from '../../support/engine/stored-keys.ts';
import { workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { uniqueIdOf } from './people.ts';
import { lostBetween, type Scan, scan } from './scan.ts';
import { ProofWorld } from './world.ts';

export type ProofOptions = {
  contacts: number;
  /** The persons who are erased. */
  erased: readonly number[];
  /** The whole output of the service so far. */
  log(): string;
  onProgress(text: string): void;
};

type Stage = {
  name: string;
  items: number;
  texts: number;
  /** Values of the erased persons, by place. */
  values: Record<string, number>;
  ids: Record<string, number>;
  /** Keys of items that `items.ts` does not declare, or that expire although it says that they do not. */
  undeclared: string[];
  /** Values of others that were there at the beginning and are gone. */
  lost: string[];
};

export type Proof = {
  contacts: number;
  erased: number;
  counts: Counts;
  seconds: Record<string, number>;
  stages: Stage[];
  /** Answers of the API that contradict the erasure. */
  contradictions: string[];
};

/** Loads everything, erases some persons, and shows by full scans what is left of them and of all others. */
export async function prove(local: LocalDescription, options: ProofOptions): Promise<Proof> {
  const { contacts, erased, onProgress } = options;
  const run = new ProofRun(local, options);
  const { world } = run;
  await run.timed('load', () => world.load(erased, onProgress));
  const { items: backup } = await run.look('before');
  onProgress(`erasing ${erased.length} persons`);
  const receipts = await run.timed('erase', () => run.erase());
  await run.look('after the erasure');
  const contradictions = await run.timed('read', () => contradictionsOf(world, erased));
  await applyTheRest(world);
  await run.look('after the open and failed chunks were applied');
  onProgress('restoring the table');
  await run.timed('restore', () => world.restore(backup));
  await run.look('after a restore of the table');
  await run.timed('erase again', () => run.eraseAgain());
  await run.look('after the list of erasures was applied');
  const counts: Counts = {};
  for (const receipt of receipts) {
    for (const [kind, count] of Object.entries(receipt.counts)) counts[kind] = (counts[kind] ?? 0) + count;
  }
  return { contacts, erased: erased.length, counts, seconds: run.seconds, stages: run.stages, contradictions };
}

class ProofRun {
  readonly world: ProofWorld;
  readonly seconds: Record<string, number> = {};
  readonly stages: Stage[] = [];
  readonly #options: ProofOptions;
  readonly #list: FolderErasureList;
  readonly #dependencies: EraseService;
  #first: Scan | undefined;

  constructor(local: LocalDescription, options: ProofOptions) {
    this.world = new ProofWorld(local, options.contacts);
    this.#options = options;
    this.#list = new FolderErasureList(local.erasures_folder);
    this.#dependencies = {
      ...serviceOn(this.world.database),
      files: new FolderDropBox(local.drop_box_folder),
      erasures: this.#list,
      onProgress: () => {},
      wait: (milliseconds) => sleep(milliseconds),
    };
  }

  async timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const began = Date.now();
    const result = await work();
    this.seconds[name] = Math.round((Date.now() - began) / 100) / 10;
    return result;
  }

  /** Every third one through the API. */
  async erase(): Promise<Receipt[]> {
    const isByApi = (_: number, at: number) => at % 3 === 2;
    await this.#eraseByApi(this.#options.erased.filter(isByApi));
    return this.#eraseByCommand(this.#options.erased.filter((person, at) => !isByApi(person, at)));
  }

  /** Runs the function with its grants. */
  async #eraseByApi(persons: readonly number[]): Promise<void> {
    const { world } = this;
    for (const person of persons) {
      const { status } = await world.request('DELETE', `/v1/contacts/${world.contactIds[person]}`);
      if (status !== 202) throw new Error(`the erasure of ${person} was not accepted: ${status}`);
    }
    const database = restricted(world.database);
    const access = { endpoint: world.local.drop_box_endpoint, ...localAccess };
    const dependencies = {
      ...serviceOn(database),
      files: restrictedDropBox(deployedDropBox(world.local.drop_box_bucket, access)),
      erasures: restrictedErasureList(new S3ErasureList(world.local.image_bucket, bucketClient(access))),
      retentionDays: 400,
      wait: (milliseconds: number) => sleep(milliseconds),
      hasTime: () => true,
      onFailure: (error: unknown) => {
        throw error;
      },
    };
    while ((await listErasureRequests(world.database)).length > 0) {
      await asFunction('erasure-worker', () => eraseRequested(dependencies));
    }
  }

  async #eraseByCommand(persons: readonly number[]): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const person of persons)
      receipts.push(await erasePerson(this.#dependencies, this.world.teamId, uniqueIdOf(person)));
    return receipts;
  }

  async eraseAgain(): Promise<void> {
    await eraseAgain({ ...this.#dependencies, database: this.world.database }, await this.#entries());
  }

  async #entries(): Promise<ErasureEntry[]> {
    const entries: ErasureEntry[] = [];
    for await (const entry of this.#list.entries()) entries.push(entry);
    return entries;
  }

  async look(name: string): Promise<Scan> {
    const list = (await this.#entries()).map((entry) => JSON.stringify(entry));
    const found = await scan(this.world, { log: this.#options.log(), list, erased: new Set(this.#options.erased) });
    this.#first ??= found;
    this.stages.push({
      name,
      items: found.items.length,
      texts: found.texts,
      values: Object.fromEntries(found.erased),
      ids: Object.fromEntries(found.ids),
      undeclared: undeclaredKeys(found.items),
      lost: lostBetween(this.#first.others, found.others),
    });
    return found;
  }
}

/** The worker applies what was open and what had failed. */
async function applyTheRest({ database, teamId }: ProofWorld): Promise<void> {
  const imports = serviceOn(database);
  for (const chunk of await loadFailed(database, teamId)) await redriveChunk(imports, chunk);
  await workAll(imports, teamId);
}

async function contradictionsOf(world: ProofWorld, erased: readonly number[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const person of erased) {
    const { status } = await world.request('GET', `/v1/contacts/${world.contactIds[person]}`);
    if (status !== 404) wrong.push(`the contact of ${person}: ${status}`);
    const page = await world.request('GET', `/j/${world.journeys[person]!.slug}`);
    if (page.status !== 404) wrong.push(`the page of ${person}: ${page.status}`);
  }
  const listed = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await world.request(
      'GET',
      `/v1/contacts?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { unique_id } of body.contacts) listed.add(unique_id);
    cursor = body.next_cursor ?? null;
  }
  const expected = new Set(world.everybody((person) => !erased.includes(person)).map(uniqueIdOf));
  if (listed.size !== expected.size || !listed.isSubsetOf(expected)) wrong.push(`the list has ${listed.size} contacts`);
  return wrong;
}
