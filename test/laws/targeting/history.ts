import { gunzipSync } from 'node:zlib';
import { accountOf, linksOf } from '../../../lib/store/accounts/accounts.ts';
import { storedContact } from '../../../lib/store/contacts/contacts.ts';
import type { JourneyWithActions } from '../../../lib/store/journeys/journeys.ts';
import { journeysOf } from '../../../lib/store/journeys/journeys.ts';
import type { Item, Write } from '../../../lib/store/table/database.ts';
import { derivedAccountId } from '../../../lib/store/table/ids.ts';
import {
  accountKey,
  contactKey,
  contactPartition,
  contentKey,
  contentPartition,
  isJourneyKey,
  isLinkKey,
  type Key,
  partsOfJourneyKey,
  targetingRuleKey,
} from '../../../lib/store/table/keys.ts';
import type { EventProcess, World } from '../events/world.ts';
import {
  type CampaignName,
  campaignNames,
  campaignOf,
  campaigns,
  type Decision,
  decisionOf,
  holding,
  type NaivePerson,
  productTypes,
} from './campaigns.ts';
import type { FaultKind } from './settings.ts';

/** A rule as the law knows it, from the campaigns that were committed. */
export type LiveRule = Decision & { isTargeting: boolean; since: string; changedAt: number };

/** A person as it is stored, read without the code that judges. */
export type StoredNow = NaivePerson & {
  contactId: string;
  insertedAt: string;
  journeys: JourneyWithActions[];
  notes: { template_id: string; account_id: string | null }[];
};

/** A fact that is told as one event. */
export type Told = { type: string; contactId: string; subject: string };

const partition = /^T#[^#]+#C#([^#]+)$/;
const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Watches what is committed, and compares each start with the law at this moment. */
export class History {
  readonly rules = Object.fromEntries(
    campaignNames.map((name) => [
      name,
      { isLive: false, isMuted: false, form: 0, isTargeting: false, since: '', changedAt: 0 },
    ]),
  ) as Record<CampaignName, LiveRule>;
  readonly told: Told[] = [];
  /** By campaign and day: journeys that the brake has counted. By campaign: what was permitted beside it. */
  readonly started = new Map<string, number>();
  readonly permitted = new Map<CampaignName, number>();
  readonly reaching = new Map<CampaignName, number>();
  readonly reached = new Map<CampaignName, number>();
  starts = 0;
  readonly #world: World<FaultKind>;
  readonly #contactIds: readonly string[];
  readonly #startsADay: number;
  readonly #began = new Map<EventProcess, { step: number; clock: number }>();
  /** By person, campaign, form and account: since when a rule holds, and until when it did. */
  readonly #holds = new Map<string, { from: number; until: number }>();
  readonly #openedAt = new Map<string, number>();
  /** As they are stored now, those who were looked at. */
  readonly #people = new Map<string, StoredNow | undefined>();

  constructor(world: World<FaultKind>, contactIds: readonly string[], startsADay: number) {
    this.#world = world;
    this.#contactIds = contactIds;
    this.#startsADay = startsADay;
  }

  began(process: EventProcess): void {
    const { steps, clock } = this.#world;
    this.#began.set(process, { step: steps, clock });
  }

  person(contactId: string): StoredNow | undefined {
    if (!this.#people.has(contactId)) this.#people.set(contactId, this.#read(contactId));
    return this.#people.get(contactId);
  }

  #read(contactId: string): StoredNow | undefined {
    const { team, table } = this.#world;
    const contact = storedContactOf(table.model.read(contactKey(team, contactId)));
    if (!contact) return undefined;
    const { items } = table.model.page({ pk: contactPartition(team, contactId) });
    const accounts = items
      .filter(isLinkKey)
      .flatMap(linksOf)
      .flatMap((link) => {
        const item = table.model.read(accountKey(team, link.account_number));
        const account = item && accountOf(item);
        if (!account) return [];
        const storedAt = [link.inserted_at, String(item.inserted_at)].sort().at(-1)!;
        const type = productTypes[String(account.product_code)] ?? '';
        const isClosed = account.fields.closed_date !== undefined && account.fields.closed_date !== null;
        return [{ id: derivedAccountId(team, link.account_number), type, isClosed, storedAt }];
      });
    const notes = items.flatMap((item) => {
      const [kind, template_id, account_id = null] = item.sk.split('#');
      return kind === 'NOTED' && template_id !== undefined ? [{ template_id, account_id }] : [];
    });
    return {
      ...{ contactId, name: contact.name_first, insertedAt: contact.inserted_at, accounts, notes },
      journeys: journeysOf(items.filter(isJourneyKey)),
    };
  }

  /** True if the rule held for the subject at a time since the process began. */
  #heldSince(step: number, name: string): boolean {
    const held = this.#holds.get(name);
    return held !== undefined && held.until >= step;
  }

  /** Since when the rule holds for the subject; `undefined` if it does not. */
  holdsFrom(contactId: string, name: CampaignName, form: number, accountId: string | null): number | undefined {
    const held = this.#holds.get(`${contactId} ${name} ${form} ${accountId}`);
    return held?.until === Number.POSITIVE_INFINITY ? held.from : undefined;
  }

  shown({ pk, sk }: Key, before: Item | undefined, after: Item | undefined): void {
    const [, contactId] = partition.exec(pk) ?? [];
    if (contactId !== undefined) this.#people.delete(contactId);
    else if (sk === 'ACCOUNT') this.#people.clear();
    const isInput = sk === 'CONTACT' || isLinkKey({ pk, sk });
    if (contactId !== undefined && isInput) this.#judgeAll(contactId);
    if (sk === 'ACCOUNT') for (const id of this.#contactIds) this.#judgeAll(id);
    if (contactId === undefined || !after) return;
    const add = (type: string, subject = '') => this.told.push({ type, contactId, subject });
    if (sk.startsWith('NOTED#') && !before) add('contact.targeted', sk.slice('NOTED#'.length));
    if (!isJourneyKey({ pk, sk })) return;
    const { kind } = partsOfJourneyKey({ pk, sk });
    const id = String(after.journey_id);
    if (kind === 'finished' && !before) add('journey.completed', id);
    if (kind !== undefined) return;
    if (!before) add('journey.created', id);
    if (before && !before.cancelled_at && after.cancelled_at) add('journey.cancelled', id);
    if (before && !before.expired_at && after.expired_at) add('journey.expired', id);
    if (before && after.reopened_at && before.reopened_at !== after.reopened_at) add('journey.reopened', id);
  }

  #judgeAll(contactId: string): void {
    const person = this.person(contactId);
    const step = this.#world.steps;
    const now = new Set<string>();
    for (const name of person ? campaignNames : []) {
      for (const form of campaigns[name].forms.keys()) {
        for (const account of holding(name, form, person!))
          now.add(`${contactId} ${name} ${form} ${account?.id ?? null}`);
      }
    }
    for (const [name, held] of this.#holds) {
      const isEnded = name.startsWith(contactId) && !now.has(name) && held.until === Number.POSITIVE_INFINITY;
      if (isEnded) held.until = step;
    }
    for (const name of now) {
      if (this.#holds.get(name)?.until !== Number.POSITIVE_INFINITY) {
        this.#holds.set(name, { from: step, until: Number.POSITIVE_INFINITY });
      }
    }
  }

  committed(writes: readonly Write[], process: EventProcess): void {
    const { team } = this.#world;
    const keyOf = (write: Write): Key => (write.kind === 'insert' ? write.item : write.key);
    const content = contentKey(team);
    const pointer = writes.find((write) => keyOf(write).pk === content.pk && keyOf(write).sk === content.sk);
    if (pointer && (pointer.kind === 'insert' || pointer.kind === 'update')) this.#imported(pointer, writes, process);
    const isReaching = writes.some((write) => keyOf(write).sk.startsWith('WALK#EXISTING#'));
    for (const write of writes) {
      const { pk, sk } = keyOf(write);
      const [, contactId] = partition.exec(pk) ?? [];
      if (contactId === undefined) continue;
      const set = write.kind === 'insert' ? write.item : write.kind === 'update' ? write.set : {};
      if (write.kind === 'insert' && sk.startsWith('NOTED#')) {
        const [, templateId = '', accountId = null] = sk.split('#');
        this.#starts(process, { contactId, templateId, accountId, isReaching, isReopened: false }, writes);
      }
      if (!isJourneyKey({ pk, sk }) || partsOfJourneyKey({ pk, sk }).kind !== undefined) continue;
      const { templateId, accountId: keyed } = partsOfJourneyKey({ pk, sk });
      const stored = write.kind === 'insert' ? write.item : this.#world.table.model.read({ pk, sk });
      const accountId = keyed ?? (stored?.account_id as string | undefined) ?? null;
      const isReopened = write.kind === 'update' && set.reopened_at != null && set.reopened_at !== stored?.reopened_at;
      if (write.kind === 'insert' || isReopened) this.#openedAt.set(String(stored?.journey_id), this.#world.steps);
      if (isReopened || (write.kind === 'insert' && set.source === 'automatic-targeting')) {
        this.#starts(process, { contactId, templateId, accountId, isReaching, isReopened }, writes);
      }
      if (write.kind === 'update' && set.is_undone === true) this.#undone(contactId, { pk, sk }, templateId);
    }
  }

  #imported(pointer: Write, writes: readonly Write[], process: EventProcess): void {
    const { team, table, clock, steps } = this.#world;
    const set = pointer.kind === 'insert' ? pointer.item : (pointer as Extract<Write, { kind: 'update' }>).set;
    const parts = table.model.page({ pk: contentPartition(team, String(set.revision)) }).items;
    const text = gunzipSync(Buffer.concat(parts.map(({ data }) => data as Uint8Array))).toString();
    const { templates } = JSON.parse(text) as { templates: Record<string, unknown>[] };
    for (const name of campaignNames) {
      const stored = templates.find(({ id }) => id === campaigns[name].id);
      if (!stored) continue;
      const [before, decision] = [this.rules[name], decisionOf(name, stored)];
      const isTargeting = decision.isLive && !decision.isMuted;
      const isFresh = isTargeting && (!before.isTargeting || before.form !== decision.form);
      if (!isFresh && isTargeting === before.isTargeting) continue;
      this.#world.log(() => `${name} is ${isTargeting ? `live in form ${decision.form}` : 'not live'}`);
      const after = { ...before, ...decision, isTargeting, changedAt: steps };
      if (isFresh) {
        const key = targetingRuleKey(team, campaigns[name].id);
        const written = writes.find((write) => (write.kind === 'insert' ? write.item : write.key).sk === key.sk);
        const form = written?.kind === 'insert' ? written.item : written?.kind === 'update' ? written.set : {};
        after.since = String(form.since);
        const began = this.#began.get(process)!.clock + process.skew;
        if (form.live !== true || after.since < time(began) || after.since > time(clock + process.skew + 1)) {
          this.#world.violation(`${name} went live, and its rule has ${JSON.stringify(form)}`);
        }
      }
      this.rules[name] = after;
    }
  }

  #starts(process: EventProcess, started: Started, writes: readonly Write[]): void {
    const { contactId, templateId, accountId, isReaching, isReopened } = started;
    const world = this.#world;
    this.starts += 1;
    const name = campaignOf(templateId)!;
    const rule = this.rules[name];
    const what = `${process.name} started ${name} for ${contactId} about ${accountId}`;
    world.log(() => `${what}${isReopened ? ' again' : ''}`);
    if (!rule.isTargeting) {
      world.violation(`${what}, which is not live`);
      return;
    }
    const began = this.#began.get(process)!.step;
    const { strategy, forms } = campaigns[name];
    const person = this.person(contactId);
    if (!person) {
      world.violation(`${what}, who does not exist`);
      return;
    }
    const asked = isReopened && !forms[rule.form]!.isOfAccounts ? null : accountId;
    const subjects = asked === null && forms[rule.form]!.isOfAccounts ? person.accounts.map(({ id }) => id) : [asked];
    if (!subjects.some((id) => this.#heldSince(began, `${contactId} ${name} ${rule.form} ${id}`))) {
      world.violation(`${what}, for whom the rule does not hold`);
    }
    const account = person.accounts.find(({ id }) => id === accountId);
    const storedAt = account?.storedAt ?? person.insertedAt;
    if (!isReaching && !isReopened && storedAt < rule.since) {
      world.violation(`${what}, stored at ${storedAt}, before ${rule.since}`);
    }
    this.#examinePriority(what, name, person, began);
    if (strategy === 'ONE_FOR_ONE' && !isReopened) {
      const plain = person.journeys.find(
        ({ journey }) => journey.template_id === templateId && journey.account_id === null,
      );
      if (plain && (this.#openedAt.get(plain.journey.id) ?? 0) < began) world.violation(`${what}, who has a journey`);
    }
    const own = person.journeys.filter(({ journey }) => journey.template_id === templateId);
    if (strategy === 'ONE_FOR_ALL' && !isReopened && own.length > 0) world.violation(`${what}, who has a journey`);
    if (name !== 'first' && writes.some((write) => isFirstOf(write, contactId))) {
      world.violation(`${what} beside one with priority`);
    }
    this.#count(what, name, isReaching, process);
  }

  #examinePriority(what: string, name: CampaignName, { journeys }: StoredNow, began: number): void {
    const { first } = this.rules;
    if (name === 'first' || !first.isTargeting || first.changedAt >= began) return;
    const open = journeys.find((each) => isOpenFirst(each, this.#world.clock + 10_000));
    if (open && (this.#openedAt.get(open.journey.id) ?? 0) < began) {
      this.#world.violation(`${what}, who has an open journey with priority`);
    }
  }

  #count(what: string, name: CampaignName, isReaching: boolean, { skew }: EventProcess): void {
    if (isReaching) {
      const reached = (this.reached.get(name) ?? 0) + 1;
      this.reached.set(name, reached);
      if (reached > (this.reaching.get(name) ?? 0)) this.#world.violation(`${what}, beyond --up-to`);
      return;
    }
    const day = `${name} ${time(this.#world.clock + skew).slice(0, 10)}`;
    const started = (this.started.get(day) ?? 0) + 1;
    this.started.set(day, started);
    const most = this.#startsADay + (this.permitted.get(name) ?? 0);
    if (started > most) this.#world.violation(`${what}, and the brake permits ${most}`);
  }

  #undone(contactId: string, key: Key, templateId: string): void {
    const { table, violation } = this.#world;
    const name = campaignOf(templateId)!;
    const what = `the journey of ${name} of ${contactId} was undone`;
    const { items } = table.model.page({ pk: key.pk, prefix: `${key.sk}#` });
    if (items.some(({ sk }) => partsOfJourneyKey({ pk: key.pk, sk }).kind !== undefined)) {
      violation.call(this.#world, `${what}, which somebody has opened`);
    }
  }
}

type Started = {
  contactId: string;
  templateId: string;
  accountId: string | null;
  /** By `include-existing`. */
  isReaching: boolean;
  isReopened: boolean;
};

const storedContactOf = (item: Item | undefined) => item && storedContact(item)?.contact;

const isFirstOf = (write: Write, contactId: string): boolean =>
  write.kind === 'insert' &&
  write.item.pk.endsWith(`#C#${contactId}`) &&
  isJourneyKey(write.item) &&
  partsOfJourneyKey(write.item).templateId === campaigns.first.id;

/** True for a journey with priority that is open until then, as far as its duration goes. */
export function isOpenFirst({ journey, actions, dueAt }: JourneyWithActions, until: number): boolean {
  const isEnded = journey.cancelled_at !== null || journey.expired_at !== null;
  const isFinished = actions.some(({ kind }) => kind === 'finished');
  const isDue = dueAt !== undefined && Date.parse(dueAt) <= until;
  return journey.template_id === campaigns.first.id && !isEnded && !isFinished && !isDue;
}
