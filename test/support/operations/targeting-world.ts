import type { Journey } from '../../../lib/domain/journeys/journey.ts';
import type { Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { groupOf } from '../../../lib/domain/waiting-work/lane.ts';
import { type PublishService, publish } from '../../../lib/operations/events/publish.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import type { TargetingService } from '../../../lib/operations/targeting/judge-contacts.ts';
import { targetingThatWaits } from '../../../lib/operations/targeting/targeting-that-waits.ts';
import { workMarks } from '../../../lib/operations/targeting/work-marks.ts';
import { workWalks } from '../../../lib/operations/targeting/work-walks.ts';
import { loadContactAggregate, recordActions } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Database, type Item } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { StreamDatabase } from '../models/stream-database.ts';
import { record } from '../samples/contacts.ts';
import { publisher, readAll } from '../samples/events.ts';
import { postBatch, workAll } from './import-operations.ts';
import { serviceOn, type TestedService, upsertContact } from './operations.ts';
import { newTeam } from './teams.ts';

export const welcomeId = 'aaaaaaaa-0000-4000-8000-00000000000a';
export const otherId = 'aaaaaaaa-0000-4000-8000-00000000000b';

/** A live template with one page. */
export const template = (changes: object = {}) => ({
  ...{ id: welcomeId, name: 'Welcome', status: 'live' },
  template_pages: [{ page: { name: 'Hello', completion_condition: 'view', content_blocks: [] } }],
  ...changes,
});

export const whoseProductIs = (...types: string[]) => [
  { conditions: [{ field: 'product.type', operator: 'one_of', value: types }] },
];

/** A team with rules, its table in memory, and everything that makes journeys of changes. */
export class TargetingWorld {
  readonly database = new StreamDatabase();
  teamId = '';
  clock = Date.parse('2026-03-02T12:00:00Z');
  /** Rules and contacts on which the code failed. */
  readonly failures: unknown[] = [];
  readonly woken = new Set<string>();

  static async open(): Promise<TargetingWorld> {
    const world = new TargetingWorld();
    world.database.now = () => world.clock;
    world.teamId = await newTeam(world.database);
    return world;
  }

  service(database: Database = this.database): TestedService & TargetingService {
    return {
      ...serviceOn(database, { now: () => this.clock, pause: async () => {} }),
      onRuleFailure: (error, templateId) => this.failures.push({ templateId, error }),
      onPassedOver: (error, contactId) => this.failures.push({ contactId, error }),
    };
  }

  import(...templates: object[]) {
    this.clock += 1000;
    return importContent({ ...this.service(), fits: () => true }, this.teamId, { templates } as never);
  }

  contact(unique_id: string, fields: object = {}) {
    this.clock += 1000;
    return upsertContact(this.service(), this.teamId, record({ unique_id, ...fields }));
  }

  async accounts(...records: object[]): Promise<void> {
    this.clock += 1000;
    await postBatch(this.service(), this.teamId, { records });
    await workAll(this.service(), this.teamId);
  }

  async publish(changes: Partial<PublishService> = {}): Promise<void> {
    for (let records = this.database.take(); records.length > 0; records = this.database.take()) {
      const wakeTargeting = async (lane: Lane) => void this.woken.add(groupOf(lane));
      const onFailure = (error: unknown) => {
        throw error;
      };
      await publish(
        { ...this.service(), ...publisher(this.database, () => this.clock), onFailure, wakeTargeting, ...changes },
        records,
      );
    }
  }

  /** Publishes, and works all lanes, until nothing is left. */
  async settle(database: Database = this.database): Promise<void> {
    for (let round = 0; round < 20; round++) {
      await this.publish();
      for (let lane = 0; lane < 8; lane++) await workMarks(this.service(database), this.teamId, lane, () => true);
      await workWalks(this.service(database), this.teamId, () => true);
      if (this.database.records.length === this.#seen) return;
      this.#seen = this.database.records.length;
    }
    throw new Error('targeting does not come to rest');
  }
  #seen = 0;

  sweep() {
    return targetingThatWaits(this.service(), this.teamId);
  }

  async journeys(unique_id: string) {
    const found = await loadContactAggregate(this.database, this.teamId, derivedContactId(this.teamId, unique_id));
    return (found?.journeys ?? []).map(({ journey }) => journey);
  }

  /** Somebody looks at the page of the journey. */
  async open(journey: Journey): Promise<void> {
    const at = new Date(this.clock).toISOString();
    await recordActions(this.database, this.teamId, journey, [{ kind: 'viewed', page_id: otherId, at }]);
  }

  /** The events since the beginning, of these types. */
  async events(...types: string[]) {
    const { events } = await readAll(this.database, undefined, 1000, this.teamId);
    return events.filter(({ type }) => types.includes(type));
  }

  items(match: (item: Item) => boolean): Item[] {
    return [...this.database.items.values()].filter(match);
  }

  marks(): Item[] {
    return this.items(({ pk }) => pk.includes('#Q#TARGETING#'));
  }

  /** The table of a worker that is killed after so many writes or transactions. */
  dyingAfter(writes: number, error: Error): Database {
    let left = writes;
    const counted = <T>(write: () => Promise<T>) => {
      if (left-- <= 0) throw error;
      return write();
    };
    return {
      ...bound(this.database),
      write: async (writes) => counted(() => this.database.write(writes)),
      transact: async (writes) => counted(() => this.database.transact(writes)),
    };
  }
}
