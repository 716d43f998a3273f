import { Readable } from 'node:stream';
import { createTeam } from '../../bin/admin/operations/teams/teams.ts';
import type { DropKind, DroppedFile } from '../../lib/domain/drop-box/drop.ts';
import type { DropReport } from '../../lib/domain/drop-box/drop-report.ts';
import type { Chunk } from '../../lib/domain/imports/chunk.ts';
import { Drop } from '../../lib/operations/drop-box/state.ts';
import { type FileOutcome, workFile } from '../../lib/operations/drop-box/work.ts';
import type { DropService } from '../../lib/operations/service.ts';
import type { ObjectStore } from '../../lib/store/aws/objects.ts';
import { loadBatch } from '../../lib/store/imports/claims.ts';
import type { Database } from '../../lib/store/table/database.ts';
import { digestOf } from '../../lib/store/table/digest.ts';
import { derivedFileId } from '../../lib/store/table/ids.ts';
import { ModelDatabase } from './models/model-database.ts';
import { ModelQueue } from './models/model-queue.ts';
import { workAll } from './operations/import-operations.ts';
import { serviceOn, upsertBatch } from './operations/operations.ts';

/** A versioned bucket as a map. Objects are read in small parts, as a network may deliver them. */
export class ModelObjects implements ObjectStore {
  /** Bodies that are neither read to their end nor cancelled. */
  open = 0;
  /** What S3 makes of the bytes. */
  description = (content: Buffer): { etag: string; checksums: Record<string, string> } => ({
    etag: digestOf(content.toString('base64')),
    checksums: {},
  });
  readonly #versions = new Map<string, Buffer[]>();

  put(key: string, content: string | Buffer): DroppedFile {
    const versions = [...(this.#versions.get(key) ?? []), Buffer.from(content)];
    this.#versions.set(key, versions);
    return { key, version: String(versions.length) };
  }

  remove(key: string): void {
    this.#versions.delete(key);
  }

  text(key: string): string | undefined {
    return this.#versions.get(key)?.at(-1)?.toString();
  }

  /** How often the object was written. */
  count(key: string): number {
    return this.#versions.get(key)?.length ?? 0;
  }

  async read(key: string, version: string, offset: number) {
    const content = this.#versions.get(key)?.[Number(version) - 1];
    if (!content) return undefined;
    const parts = (function* () {
      for (let at = offset; at < content.length; at += 10_000) yield content.subarray(at, at + 10_000);
    })();
    this.open += 1;
    return Readable.from(parts, { objectMode: false }).once('close', () => {
      this.open -= 1;
    });
  }

  async describe(key: string, version = String(this.count(key))) {
    const content = this.#versions.get(key)?.[Number(version) - 1];
    return content && { version, size: content.length, ...this.description(content) };
  }

  async write(key: string, text: string): Promise<void> {
    this.put(key, text);
  }

  async join(key: string, head: string, parts: readonly string[], length: number): Promise<void> {
    const content = Buffer.from(head + parts.map((part) => this.text(part) ?? '').join(''));
    if (content.length !== length) throw new Error(`${content.length} bytes where ${length} were announced`);
    this.put(key, content);
  }

  /** The same bucket with another way to read. */
  readBy(read: ObjectStore['read']): ObjectStore {
    const [write, join, describe] = [this.write.bind(this), this.join.bind(this), this.describe.bind(this)];
    return { read, write, join, describe };
  }
}

/** Ends the invocation at this point. */
export class Killed extends Error {}

/** A team, its files and the import worker, all in memory. */
export class DropWorld {
  readonly database = new ModelDatabase();
  readonly objects = new ModelObjects();
  readonly queue: ModelQueue;
  readonly teamId: string;
  clock = Date.parse('2026-03-01T02:00:00Z');

  private constructor(queue: ModelQueue, teamId: string) {
    this.queue = queue;
    this.teamId = teamId;
  }

  static async open(): Promise<DropWorld> {
    const world = new DropWorld(new ModelQueue(), crypto.randomUUID());
    const newId = () => world.teamId;
    const dependencies = serviceOn(world.database, { now: () => world.clock, newId });
    await createTeam(dependencies, { name: 'T', features: [] });
    return world;
  }

  drop(path: string, content: string | Buffer): DroppedFile {
    return this.objects.put(`${this.teamId}/${path}`, content);
  }

  /** A new file of the team with its initial state. */
  opened(path: string, content: string | Buffer): Promise<Drop> {
    const kind = path.split('/')[0] as DropKind;
    return Drop.open(this.database, { teamId: this.teamId, kind }, this.drop(path, content), this.clock);
  }

  dependencies(database: Database = this.database, objects: ObjectStore = this.objects): DropService {
    const now = () => this.clock++;
    return {
      ...serviceOn(database, { queue: this.queue, now, wait: () => this.workImports() }),
      objects,
      upsertContacts: (teamId, records) => upsertBatch(serviceOn(database), teamId, records),
    };
  }

  /** One invocation that has time for a number of chunks. */
  invoke(file: DroppedFile, chunks = 1000, dependencies = this.dependencies()): Promise<FileOutcome> {
    let left = chunks;
    return workFile(dependencies, file, () => --left > 0);
  }

  /** Processes the messages of the import queue. */
  async workImports(): Promise<void> {
    for (let message = this.queue.receive(); message; message = this.queue.receive()) {
      await workAll(this.dependencies(), message.lane.team_id);
      this.queue.delete(message.receipt);
    }
  }

  /** Runs invocations, and the import worker in between, until the file is done. @returns the number of invocations */
  async finish(file: DroppedFile, chunks?: number): Promise<number> {
    for (let count = 1; count < 200; count++) {
      if ((await this.invoke(file, chunks)) === 'done') return count;
      await this.workImports();
    }
    throw new Error('the file is never done');
  }

  /** The accepted records of a file of accounts. */
  async chunksOf({ key, version }: DroppedFile): Promise<Chunk[]> {
    return (await loadBatch(this.database, this.teamId, `drop-${derivedFileId(key, version)}`)).chunks;
  }

  report(file: DroppedFile): DropReport {
    return JSON.parse(this.objects.text(`${file.key}.report.json`) ?? 'null');
  }

  /** The lines of the file of rejected rows, without the header. */
  rejected(file: DroppedFile): string[] {
    return (this.objects.text(`${file.key}.rejected.csv`) ?? '').split('\n').slice(1, -1);
  }
}

/** Stops before call number `at` of the store or the bucket. */
export function mortal(world: DropWorld, at: number) {
  let calls = 0;
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          if (++calls === at) throw new Killed();
          return value.apply(target, args);
        };
      },
    });
  const dependencies = world.dependencies(guard<Database>(world.database), guard<ObjectStore>(world.objects));
  return { dependencies, hasDied: () => calls >= at };
}
