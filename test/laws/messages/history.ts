import type { OutgoingMail } from '../../../lib/email/sender.ts';
import type { JournalEntry } from '../../../lib/store/suppression/journal.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import {
  contactIdOfPartition,
  contactPartition,
  isJourneyKey,
  type Key,
  suppressedKey,
} from '../../../lib/store/table/keys.ts';
import type { Watch, World } from '../events/world.ts';
import { offsets, persons, templateIds, waveId } from './campaign.ts';
import type { FaultKind } from './settings.ts';

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;
/** Milliseconds: what is decided is handed over within five seconds, and clocks differ by two. */
const tolerance = 9000;

type Sent = { id: string; contactId: string; hash: string; at: number; isMarketing: boolean };

/** What was handed over, and who has left; and the checks that hold at every moment. */
export class History implements Watch {
  readonly sent: Sent[] = [];
  readonly #world: World<FaultKind>;
  readonly #left = new Map<string, number>();
  readonly #leftAddresses = new Map<string, number>();
  readonly #listed = new Map<string, number>();
  readonly #erased = new Map<string, number>();
  readonly #createdAt = new Map<string, number>();
  #pausedAt: number | undefined;
  /** What was sent before is not in the table any more. */
  #restoredAt = 0;

  constructor(world: World<FaultKind>) {
    this.#world = world;
  }

  handedOver({ tags, subject, text: contactId }: OutgoingMail): void {
    const world = this.#world;
    const { message: id, address: hash } = tags;
    const at = world.clock;
    const isMarketing = subject === 'marketing';
    world.log(() => `hands over ${id} (${subject}) to ${contactId} at ${hash.slice(0, 6)}`);
    const wrong = (what: string) => world.violation(`${subject} ${id} to ${contactId} ${what}`);
    if (this.sent.some((each) => each.id === id)) wrong('was handed over twice');
    const since = (time: number | undefined) => time !== undefined && at > time + minute;
    if (since(this.#listed.get(hash))) wrong('goes to an address that bounced or complained');
    if (since(this.#erased.get(contactId))) wrong('goes to somebody who was erased');
    if (this.#pausedAt !== undefined && at > this.#pausedAt + tolerance) wrong('is handed over in a pause');
    if (isMarketing) {
      if (since(this.#left.get(contactId))) wrong('goes to somebody who left');
      if (since(this.#leftAddresses.get(hash))) wrong('goes to an address that left');
      const time = at % (24 * hour);
      if (time > 20 * hour + tolerance || time < 8 * hour - tolerance) wrong('goes out in the quiet hours');
      const isCounted = (each: Sent) => each.isMarketing && each.at > Math.max(at - week + tolerance, this.#restoredAt);
      const before = this.sent.filter(isCounted);
      const createdAt = this.#createdAt.get(contactId) ?? 0;
      const isOwn = (each: Sent) => each.contactId === contactId && each.at >= createdAt;
      if (before.filter(isOwn).length >= 2) wrong('is above the cap of the contact');
      if (before.filter((each) => each.hash === hash).length >= 2) wrong('is above the cap of the address');
    }
    this.sent.push({ id, contactId, hash, at, isMarketing });
  }

  left(contactId: string, entries: readonly JournalEntry[]): void {
    this.#left.set(contactId, this.#world.clock);
    const { table, team } = this.#world;
    for (const { hash, change } of entries) {
      // Another one, if its address has changed meanwhile.
      const isListed = hash !== undefined && table.model.read(suppressedKey(team, hash)) !== undefined;
      if (change === 'added' && isListed) this.#leftAddresses.set(hash, this.#world.clock);
    }
  }

  /** From now on, it may come back. */
  comesBack(contactId: string | undefined, hash: string | undefined): void {
    if (contactId !== undefined) this.#left.delete(contactId);
    if (hash !== undefined) this.#leftAddresses.delete(hash);
  }

  listed(hash: string): void {
    this.#listed.set(hash, this.#listed.get(hash) ?? this.#world.clock);
  }

  erased(contactId: string): void {
    const { table, team } = this.#world;
    // Another one may have been created with the same id since.
    if (table.model.page({ pk: contactPartition(team, contactId), limit: 1 }).items.length === 0) {
      this.#erased.set(contactId, this.#world.clock);
    }
  }

  paused(): void {
    this.#pausedAt = this.#world.clock;
  }

  resumes(): void {
    this.#pausedAt = undefined;
  }

  restored(): void {
    this.#restoredAt = this.#world.clock;
    this.#erased.clear();
    this.#pausedAt = undefined;
  }

  journeysOf(contactId: string): Item[] {
    const { table, team } = this.#world;
    const { items } = table.model.page({ pk: contactPartition(team, contactId) });
    return items.filter((item) => isJourneyKey(item) && item.journey_id !== undefined && item.slug !== undefined);
  }

  shown({ pk, sk }: Key, before: Item | undefined, after: Item | undefined): void {
    if (sk === 'CONTACT' && after && after.moved_to === undefined && before?.inserted_at !== after.inserted_at) {
      // Another one, who was created with the same id.
      this.#erased.delete(contactIdOfPartition(pk));
      this.#left.delete(contactIdOfPartition(pk));
      this.#createdAt.set(contactIdOfPartition(pk), this.#world.clock);
    }
    if (!sk.startsWith('SEND#') || !before || !after) return;
    const [from, to] = [rank(before.state), rank(after.state)];
    const isGivenBack = before.state === 'claimed' && after.state === 'scheduled';
    if (to < from && !isGivenBack) this.#world.violation(`${sk} goes from ${before.state} to ${after.state}`);
  }

  committed(): void {}

  /** Four days later, everything that was due has been sent, or is not sent for a reason. */
  examine(): void {
    const { table, team, clock } = this.#world;
    for (const contactId of persons.map((uniqueId) => derivedContactId(team, uniqueId))) {
      const { items } = table.model.page({ pk: contactPartition(team, contactId) });
      const records = items.filter(({ sk }) => sk.startsWith('SEND#'));
      const journeys = this.journeysOf(contactId);
      for (const journey of journeys) {
        const isWave = journey.template_id === templateIds[1] || journey.sk === `JOURNEY#${templateIds[1]}`;
        const expected = isWave ? [waveId] : [...offsets.keys()];
        for (const message of expected) {
          const record = records.find(({ sk }) => sk === `SEND#${journey.journey_id}#${message}`);
          this.#examineOne(journey, message, record, clock);
        }
      }
      const known = new Set(journeys.map(({ journey_id }) => journey_id));
      for (const record of records) {
        if (!known.has(record.journey_id)) this.#world.violation(`${record.sk} is left of a journey that was erased`);
      }
    }
  }

  #examineOne(journey: Item, message: string, record: Item | undefined, clock: number): void {
    const world = this.#world;
    const begun = Date.parse(String(journey.inserted_at));
    const offset = offsets.get(message);
    const name = `${message} of ${journey.journey_id}`;
    const times = this.sent.filter(({ id }) => id === record?.id).map(({ at }) => at);
    const wasSent = times.some((at) => at > this.#restoredAt);
    // The time of the wave is that of the first journey that may get it.
    const isDue = offset !== undefined && begun + offset * hour < clock - 80 * hour;
    if (isDue && !record) world.violation(`${name} was due, and is forgotten`);
    if (!record) return;
    if (record.state === 'scheduled') world.violation(`${name} still waits (${record.reason})`);
    // The backup can have been made after it was sent.
    if (record.state === 'sent' && times.length === 0) world.violation(`${name} is sent, but was not handed over`);
    if (record.state === 'not_sent' && wasSent) world.violation(`${name} was handed over, and is noted as not sent`);
  }
}

const ranks = ['scheduled', 'claimed', 'not_sent', 'failed', 'sent', 'delivered', 'bounced', 'complained'];
const rank = (state: unknown): number => ranks.indexOf(String(state));
