import type { Contact } from '../../domain/contacts/contact.ts';
import type { FactsChange } from '../../domain/contacts/identity-facts.ts';
import type { BlockAnswer, KeptResponse } from '../../domain/journeys/answer.ts';
import type { JourneyAction } from '../../domain/journeys/completion.ts';
import type { GivenAnswer } from '../../domain/journeys/given-answer.ts';
import type { Attempts } from '../../domain/journeys/identity-attempts.ts';
import type { Ending, Journey } from '../../domain/journeys/journey.ts';
import { type Link, linksOf } from '../accounts/accounts.ts';
import { storedContact } from '../contacts/contacts.ts';
import {
  all,
  chunksOf,
  type Database,
  type Expectation,
  type Item,
  type Page,
  pages,
  readAll,
  readOne,
  StoreUnavailable,
  type Upsert,
  versioned,
  type Write,
} from '../table/database.ts';
import {
  accountJourneysPrefix,
  contactAggregate,
  contactKey,
  contactPartition,
  dueJourneyKey,
  identityCheckKey,
  isJourneyKey,
  journeyActionKey,
  journeyIdKey,
  journeyListKey,
  judgedKey,
  type Key,
  linkPrefix,
  linksAndContact,
  partsOfJourneyKey,
  responseKey,
  responseListKey,
  responsePrefix,
  slugKey,
} from '../table/keys.ts';
import { together } from '../table/together.ts';
import { dueWrite } from '../waiting-work/due-work.ts';
import { storedAttempts } from './identity-checks.ts';
import {
  actionOf,
  actionStateOf,
  endingIn,
  type GivenAnswers,
  type JourneyKey,
  journeyItemKey,
  journeyKeyOf,
  judgedVersionIn,
  type KeyedJourney,
  keyOfJourney,
  responseOf,
  type StoredJourney,
  storedJourney,
  teamJourneyKeyOf,
} from './journey-items.ts';

/** The journeys with these keys, in the same order; `undefined` if there is none. */
export const loadJourneys = (database: Database, teamId: string, journeys: readonly JourneyKey[]) => {
  const keys = journeys.map((key) => journeyItemKey(teamId, key));
  return readAll(database, keys, storedJourney);
};

/**
 * The journeys of the contact about its accounts, from this template. `version`: how often it was decided which of them the
 * contact gets, read before them.
 */
export async function loadAccountJourneys(
  database: Database,
  teamId: string,
  { contactId, templateId }: Pick<JourneyKey, 'contactId' | 'templateId'>,
): Promise<{ journeys: StoredJourney[]; version: number }> {
  const [judged] = await database.get([judgedKey(teamId, contactId)]);
  const query = { pk: contactPartition(teamId, contactId), prefix: accountJourneysPrefix(templateId) };
  const items = await all(database, query);
  return { journeys: items.filter((item) => !isActionKey(item)).map(storedJourney), version: judgedVersionIn(judged) };
}

/**
 * Of a call and of targeting, which both have read that the contact has no journey, one starts it: the keys of a journey
 * about an account and of one about none differ, so both write this item.
 * @param version as it was read, 0 if there was no item
 */
export const judgedWrite = (
  teamId: string,
  { id, inserted_at }: Pick<Contact, 'id' | 'inserted_at'>,
  version: number,
) => versioned(judgedKey(teamId, id), version, { contact_since: inserted_at });

/** Number of items of a new journey: the journey, and the items for its id and its slug. What is due is one more. */
export const itemsOfJourney = 3;

/**
 * Writes for one transaction that creates the journey. It fails if contact and template already have a journey.
 * @param contactSince `inserted_at` of the contact @param dueAt when its expiry is due to be recorded, if it has one
 */
export function insertionsOf(
  teamId: string,
  journey: Journey,
  contactSince: string,
  dueAt: string | undefined,
): Write[] {
  const { id, slug, name, owner_id, source, account_id, rule } = journey;
  const { completion_verified_at, inserted_at, updated_at } = journey;
  const times = { completion_verified_at, inserted_at, updated_at };
  const fields = { journey_id: id, slug, name, owner_id, source, ...times, contact_since: contactSince, version: 1 };
  const key = keyOfJourney(journey);
  const ofTargeting = { due_at: dueAt, account_id: account_id ?? undefined, rule_revision: rule?.revision };
  return [
    {
      kind: 'insert',
      item: {
        ...{ ...journeyItemKey(teamId, key), ...fields, ...ofTargeting },
        ...journeyListKey(teamId, journey, updated_at),
      },
    },
    { kind: 'insert', item: { ...journeyIdKey(teamId, id), ...pointerOf(key) } },
    { kind: 'insert', item: { ...slugKey(slug), team_id: teamId, ...pointerOf(key) } },
    ...dueOf(teamId, journey, dueAt),
  ];
}

const dueOf = (teamId: string, journey: Journey, at: string | undefined): Write[] =>
  at === undefined ? [] : [dueWrite(teamId, { journeyId: journey.id, at, ...keyOfJourney(journey) })];

/**
 * Writes for one transaction that decides when something of the journey is due next. It fails if that was decided again
 * since the journey was read, so what it depends on must be read after the journey.
 * @param options.isWorked true if its former entry is being worked: the mover has deleted it. Otherwise it is deleted here
 */
export function planOf(
  teamId: string,
  { journey, dueAt, plans }: StoredJourney,
  at: string | undefined,
  { isWorked = false } = {},
): Write[] {
  const key = journeyItemKey(teamId, keyOfJourney(journey));
  const set = { due_at: at, plans: (plans ?? 0) + 1 };
  const change: Write = { kind: 'update', key, set, expect: { ...sameJourney(journey), due_at: dueAt, plans } };
  if (at === dueAt) return [change];
  return [change, ...dueOf(teamId, journey, at), ...(isWorked ? [] : dueDeletion(teamId, { journey, dueAt }))];
}

/** Deletes the entry of what is due of the journey, if the mover has not moved it. */
export const dueDeletion = (teamId: string, { journey, dueAt }: Pick<StoredJourney, 'journey' | 'dueAt'>): Write[] =>
  dueAt === undefined ? [] : [{ kind: 'delete', key: dueJourneyKey(teamId, dueAt, journey.id) }];

/** True if the journey exists and has not ended. */
export async function isOpen(database: Database, teamId: string, { id }: Pick<Journey, 'id'>): Promise<boolean> {
  const [pointer] = await database.get([journeyIdKey(teamId, id)]);
  return pointer !== undefined && endingIn(pointer) === undefined;
}

/** For a transaction that is written only if the journey exists and has not been completed or cancelled, or expired. */
export const openCheck = (teamId: string, journeyId: string): Write => ({
  ...{ kind: 'check', key: journeyIdKey(teamId, journeyId) },
  expect: { ended: undefined },
});

/** For a transaction that is written only if the journey has not been erased meanwhile. */
export const existsCheck = (teamId: string, { id, contact_id }: Pick<Journey, 'id' | 'contact_id'>): Write => ({
  ...{ kind: 'check', key: journeyIdKey(teamId, id) },
  expect: { contact_id },
});

const pointerOf = ({ contactId, templateId, accountId }: JourneyKey) => ({
  ...{ contact_id: contactId, template_id: templateId, account_id: accountId },
});

/** Updates the journey, on the condition that it is still as it was read. */
export function updateOf(teamId: string, journey: Journey, { version }: StoredJourney): Upsert {
  const { name, owner_id, source, completion_verified_at, updated_at } = journey;
  const set = { name, owner_id, source, completion_verified_at, updated_at };
  return versioned(journeyItemKey(teamId, keyOfJourney(journey)), version, set, sameJourney(journey));
}

/**
 * Writes for one transaction that ends the journey, on the condition that it is still as it was read, and that nothing
 * else has ended it: of completed, cancelled and expired the first stands.
 * @param plan when something of it is due next, if its entry has been worked: then it fails, too, if that was decided again
 */
export const endingOf = (
  teamId: string,
  journey: Journey,
  stored: StoredJourney,
  ending: 'cancelled' | 'expired',
  plan?: { next: string | undefined },
): Write[] => [
  endChange(teamId, journey, stored, plan),
  endNote(teamId, journey, ending),
  ...dueOf(teamId, journey, plan?.next),
];

/**
 * Writes for one transaction that reopens a cancelled journey, on the condition that it is still as it was read.
 * @param dueAt when its expiry is due to be recorded, if it has one
 */
export const reopeningOf = (
  teamId: string,
  journey: Journey,
  stored: StoredJourney,
  dueAt: string | undefined,
): Write[] => [
  endChange(teamId, journey, stored, { next: dueAt }),
  ...dueOf(teamId, journey, dueAt),
  { kind: 'update', key: journeyIdKey(teamId, journey.id), set: { ended: undefined }, expect: { ended: 'cancelled' } },
];

function endChange(
  teamId: string,
  journey: Journey,
  { version, plans }: StoredJourney,
  plan: { next: string | undefined } | undefined,
): Upsert {
  const { cancelled_at, expired_at, reopened_at, is_undone, updated_at } = journey;
  const times = { cancelled_at, expired_at, reopened_at };
  const planned = plan && { due_at: plan.next, plans: (plans ?? 0) + 1 };
  const set = { ...times, is_undone: is_undone || undefined, updated_at, ...planned };
  const expect = { ...sameJourney(journey), ...(plan && { plans }) };
  return versioned(journeyItemKey(teamId, keyOfJourney(journey)), version, set, expect);
}

/**
 * States how the journey has ended, on the condition that it exists and has not ended. One that is undone must be
 * untouched, too.
 */
const endNote = (teamId: string, { id, is_undone }: Pick<Journey, 'id'> & Partial<Journey>, ended: Ending) =>
  ({
    ...{ kind: 'update', key: journeyIdKey(teamId, id), set: { ended } },
    expect: { ended: undefined, ...(is_undone ? { touched: undefined } : {}) },
  }) satisfies Write;

/** A journey that was created after the erasure of this one can have the same key. */
const sameJourney = ({ id }: Pick<Journey, 'id'>): Expectation => ({ journey_id: id });

/** Writes for one transaction that changes the journey's slug, on the condition that it is still as it was read. */
export function reissueOf(teamId: string, journey: Journey, { journey: before, version }: StoredJourney): Write[] {
  const { slug, updated_at } = journey;
  const key = keyOfJourney(journey);
  return [
    versioned(journeyItemKey(teamId, key), version, { slug, updated_at }, sameJourney(journey)),
    { kind: 'delete', key: slugKey(before.slug), expect: {} },
    { kind: 'insert', item: { ...slugKey(slug), team_id: teamId, ...pointerOf(key) } },
  ];
}

/** The key of the journey with this id; `undefined` if there is none. */
export const findJourney = (database: Database, teamId: string, journeyId: string) =>
  readOne(database, journeyIdKey(teamId, journeyId), journeyKeyOf);

/** The keys of the journeys with these ids, in the same order; `undefined` if there is none. */
export const findJourneys = (database: Database, teamId: string, journeyIds: readonly string[]) => {
  const keys = journeyIds.map((id) => journeyIdKey(teamId, id));
  return readAll(database, keys, journeyKeyOf);
};

/** The team and key of the journey with this slug; `undefined` if there is none. */
export const findSlug = (database: Database, slug: string) => readOne(database, slugKey(slug), teamJourneyKeyOf);

/** Actions of one transaction, with the check of their journey. */
const actionsAtOnce = 99;
/** Another request that records one of the actions wins a round. */
const mostRounds = 20;

/** What became of actions: those that other requests have recorded, and how the journey had ended before. */
export type RecordedActions = { others: JourneyAction[]; ending: Ending | undefined };

/**
 * Records those of the actions that are not recorded yet, if the journey was not erased. The first time counts. The
 * completion of the journey is recorded only if it has not ended.
 * @returns `undefined` if the journey was erased
 */
export async function recordActions(
  database: Database,
  teamId: string,
  journey: ActionJourney,
  actions: readonly JourneyAction[],
): Promise<RecordedActions | undefined> {
  const others: JourneyAction[] = [];
  let ending: Ending | undefined;
  for (const group of chunksOf(actions, actionsAtOnce)) {
    let pending = group;
    const writes = () => actionWrites(teamId, journey, pending);
    for (let round = 0; pending.length > 0 && !(await database.transact(writes())); round++) {
      if (round === mostRounds) throw new StoreUnavailable('too many conflicts on the actions of a journey');
      const keys = pending.map((action) => actionKey(teamId, journey, action));
      const [pointer, ...stored] = await database.get([journeyIdKey(teamId, journey.id), ...keys]);
      if (!pointer) return undefined;
      ending = endingIn(pointer);
      const own = stored.map((item) => (item?.journey_id === journey.id ? actionOf(item) : undefined));
      for (const action of own) if (action) others.push(action);
      pending = pending.filter(({ kind }, index) => !own[index] && !(kind === 'finished' && ending !== undefined));
    }
  }
  return { others, ending };
}

/**
 * The same for many journeys, as many in one transaction as it takes. Actions of an erased journey are left out.
 * @returns the ids of those whose completion is not recorded, because they had been cancelled or had expired
 */
export async function recordAllActions(
  database: Database,
  teamId: string,
  journeys: readonly { journey: ActionJourney; actions: readonly JourneyAction[] }[],
): Promise<string[]> {
  const ended: string[] = [];
  const groups: (typeof journeys)[number][][] = [];
  let size = 0;
  for (const each of journeys.filter(({ actions }) => actions.length > 0)) {
    const own = each.actions.length + 1;
    if (groups.length === 0 || size + own > actionsAtOnce + 1) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(each);
    size += own;
  }
  await together(groups, transactionsAtOnce, async (group) => {
    const writes = group.flatMap(({ journey, actions }) => actionWrites(teamId, journey, actions));
    if (group.length > 1 && (await database.transact(writes))) return;
    for (const { journey, actions } of group) {
      const recorded = await recordActions(database, teamId, journey, actions);
      if (recorded?.ending !== undefined && recorded.ending !== 'completed') ended.push(journey.id);
    }
  });
  return ended;
}

/** Transactions that are written in parallel. */
const transactionsAtOnce = 8;

/**
 * The actions, on the condition that the journey was not erased: its item of a constant, small size. That it was touched,
 * or a completion of the journey, is noted there, which costs the same.
 */
function actionWrites(teamId: string, journey: ActionJourney, actions: readonly JourneyAction[]): Write[] {
  const isCompletion = actions.some(({ kind }) => kind === 'finished');
  const touch: Write = { kind: 'update', key: journeyIdKey(teamId, journey.id), set: { touched: true }, expect: {} };
  return [
    isCompletion ? endNote(teamId, journey, 'completed') : touch,
    ...actions.map((action) => insertionOf(teamId, journey, action)),
  ];
}

type ActionJourney = Pick<Journey, 'id'> & KeyedJourney;

/** Inserts an action. */
export function insertionOf(
  teamId: string,
  journey: ActionJourney,
  { kind, page_id, ...times }: JourneyAction,
): Extract<Upsert, { kind: 'insert' }> {
  const key = actionKey(teamId, journey, { kind, page_id });
  return { kind: 'insert', item: { ...key, journey_id: journey.id, ...times } };
}

function actionKey(teamId: string, journey: KeyedJourney, action: Pick<JourneyAction, 'kind' | 'page_id'>): Key {
  const { contactId, templateId, accountId } = keyOfJourney(journey);
  return journeyActionKey(teamId, contactId, templateId, action, accountId);
}

/** Sets the latest time of a recorded action, on the condition that it has not changed since it was read. */
export function repetitionOf(
  teamId: string,
  journey: ActionJourney,
  { kind, page_id, last }: JourneyAction,
  at: string,
): Upsert {
  const key = actionKey(teamId, journey, { kind, page_id });
  return { kind: 'update', key, set: { last: at }, expect: { ...sameJourney(journey), last } };
}

/**
 * Writes for one transaction that stores responses, and the answers of the journey with them, on the condition that no
 * other request has stored any since they were read.
 */
export function responseInsertions(
  teamId: string,
  journeyOf: JourneyKey,
  { journey, given: { number } }: { journey: Pick<Journey, 'id'>; given: Pick<GivenAnswers, 'number'> },
  { responses, given }: { responses: readonly KeptResponse[]; given: readonly GivenAnswer[] },
): Write[] {
  const { contactId, templateId, accountId } = journeyOf;
  const set = { answers: JSON.stringify(given), answers_number: (number ?? 0) + 1 };
  return [
    ...responses.map(({ id, ...response }): Write => {
      const key = responseKey(teamId, contactId, journey.id, { at: response.at, id });
      const listed = responseListKey(teamId, journeyOf, { at: response.at, id });
      const ofJourney = { template_id: templateId, account_id: accountId };
      return { kind: 'insert', item: { ...key, response_id: id, ...ofJourney, ...response, ...listed } };
    }),
    {
      ...{ kind: 'update', key: journeyItemKey(teamId, journeyOf), set },
      expect: { ...sameJourney(journey), answers_number: number },
    },
  ];
}

/** A page of the responses of the journey, oldest first. `next` is the `after` of the next page, if there is one. */
export async function loadResponses(
  database: Database,
  teamId: string,
  { contactId }: Pick<JourneyKey, 'contactId'>,
  journeyId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ responses: KeptResponse[]; next: string | undefined }> {
  const query = { pk: contactPartition(teamId, contactId), prefix: responsePrefix(journeyId), limit: limit + 1 };
  const { items, next }: Page = await database.query(after === undefined ? query : { ...query, after });
  const page = items.slice(0, limit);
  // A page can also end before its limit, because the table returns at most 1 MB.
  return { responses: page.map(responseOf), next: items.length > limit ? page.at(-1)!.sk : next };
}

/** The responses to which these answers belong. */
export async function loadResponsesTo(
  database: Database,
  teamId: string,
  { id, contact_id }: Pick<Journey, 'id' | 'contact_id'>,
  answers: readonly Pick<BlockAnswer, 'id' | 'at'>[],
): Promise<KeptResponse[]> {
  const stored = await loadResponsesAt(
    database,
    answers.map((answer) => responseKey(teamId, contact_id, id, answer)),
  );
  return stored.filter((response) => response !== undefined);
}

/** The responses with these keys, in the same order; `undefined` if there is none. */
export const loadResponsesAt = (database: Database, keys: readonly Key[]) => readAll(database, keys, responseOf);

/** The actions of this kind as they are recorded now, for those of the pages that have one. */
export async function loadActions(
  database: Database,
  teamId: string,
  journey: ActionJourney,
  kind: JourneyAction['kind'],
  pageIds: readonly string[],
): Promise<JourneyAction[]> {
  const keys = pageIds.map((page_id) => actionKey(teamId, journey, { kind, page_id }));
  const stored = await readAll(database, keys, actionStateOf);
  return stored.flatMap((each) => (each?.journey_id === journey.id ? [each] : []));
}

export type JourneyWithActions = StoredJourney & {
  actions: JourneyAction[];
  /** The latest answer to each block, without the texts. */
  answers: readonly GivenAnswer[];
};

/** A contact with everything that is stored in its partition, except the responses. Journeys are oldest first. */
export type ContactAggregate = {
  contact: Contact;
  /** The last change of what proves the identity. */
  factsChange: FactsChange | undefined;
  links: Link[];
  journeys: JourneyWithActions[];
  /** The attempts to prove to be the contact. */
  attempts: Attempts;
};

/** A contact with its links and journeys, in one query; `undefined` if there is no such contact. */
export async function loadContactAggregate(
  database: Database,
  teamId: string,
  contactId: string,
): Promise<ContactAggregate | undefined> {
  const items = await all(database, { pk: contactPartition(teamId, contactId), ...contactAggregate });
  return aggregateOf(items, teamId, contactId);
}

/** The same, or `large` if the contact has more items than so many, of which no more are read. */
export async function loadSmallAggregate(
  database: Database,
  teamId: string,
  contactId: string,
  most: number,
): Promise<ContactAggregate | 'large' | undefined> {
  const query = { pk: contactPartition(teamId, contactId), ...contactAggregate, limit: most };
  const { items, next } = await database.query(query);
  return next === undefined ? aggregateOf(items, teamId, contactId) : 'large';
}

/** The same with at most so many links, those with the lowest account numbers. */
export async function loadLargeAggregate(
  database: Database,
  teamId: string,
  contactId: string,
  mostLinks: number,
): Promise<ContactAggregate | undefined> {
  const pk = contactPartition(teamId, contactId);
  const items = await all(database, { pk, ...contactAggregate, from: linksAndContact.to });
  let links: Item[] = [];
  for await (const page of pages(database, { pk, prefix: linkPrefix })) {
    links = links.concat(page);
    if (links.length >= mostLinks) break;
  }
  return aggregateOf([...links.slice(0, mostLinks), ...items], teamId, contactId);
}

/** About 1 MB of items, which is one page of a query. */
const itemsOnPage = 3000;

/**
 * The same for a public route, whose cost must not depend on what a contact has: one page of a query, and two items
 * more. It begins with the journeys, so of very many items the links with the lowest account numbers are left out.
 */
export async function loadShownAggregate(
  database: Database,
  teamId: string,
  contactId: string,
  shown?: JourneyKey,
): Promise<ContactAggregate | undefined> {
  const pk = contactPartition(teamId, contactId);
  const page = await database.query({ pk, ...contactAggregate, descending: true, limit: itemsOnPage });
  let items = page.items.reverse();
  const self = contactKey(teamId, contactId);
  if (page.next !== undefined && !items.some(({ sk }) => sk === self.sk)) {
    // So many journeys that the page ends before the contact.
    const keys = [self, ...(shown === undefined ? [] : [journeyItemKey(teamId, shown)])];
    const present = new Set(items.map(({ sk }) => sk));
    const missing = await database.get(keys.filter(({ sk }) => !present.has(sk)));
    items = [...missing.filter((item) => item !== undefined), ...items];
  }
  return aggregateOf(items, teamId, contactId);
}

function aggregateOf(items: readonly Item[], teamId: string, contactId: string): ContactAggregate | undefined {
  const self = items.find(({ sk }) => sk === contactKey(teamId, contactId).sk);
  const stored = self && storedContact(self);
  if (!stored) return undefined;
  const attempts = items.find(({ sk }) => sk === identityCheckKey(teamId, contactId).sk);
  return {
    contact: stored.contact,
    factsChange: stored.factsChange,
    links: items.filter(({ sk }) => sk.startsWith(linksAndContact.from)).flatMap(linksOf),
    journeys: journeysOf(items.filter(isJourneyKey)),
    attempts: storedAttempts(attempts).attempts,
  };
}

/** One journey with its actions and answers, in one query. */
export async function loadJourneyWithActions(
  database: Database,
  teamId: string,
  key: JourneyKey,
): Promise<JourneyWithActions | undefined> {
  const { pk, sk: prefix } = journeyItemKey(teamId, key);
  const [found] = journeysOf(await all(database, { pk, prefix }));
  return found;
}

/** The journeys in these items with their actions, oldest first. */
export function journeysOf(items: readonly Item[]): JourneyWithActions[] {
  const nameOf = ({ templateId, accountId }: { templateId: string; accountId?: string | undefined }) =>
    `${templateId} ${accountId}`;
  const recorded = Map.groupBy(items.filter(isActionKey), (item) => nameOf(partsOfJourneyKey(item)));
  return items
    .filter((item) => !isActionKey(item))
    .map(storedJourney)
    .map((stored) => {
      const actions = (recorded.get(nameOf(keyOfJourney(stored.journey))) ?? []).map(actionOf);
      return { ...stored, actions, answers: stored.given.answers };
    })
    .sort((a, b) => byAge(a.journey, b.journey));
}

const isActionKey = (key: Key): boolean => partsOfJourneyKey(key).kind !== undefined;

/** The latest times of everything that is recorded in the journey. */
export const timesOf = ({ actions, answers }: Pick<JourneyWithActions, 'actions' | 'answers'>): string[] => [
  ...actions.map(({ at, last, recorded_at }) => recorded_at ?? last ?? at),
  ...answers.map(({ at }) => at),
];

export const byAge = (a: Journey, b: Journey): number => {
  const [left, right] = [`${a.inserted_at}${a.id}`, `${b.inserted_at}${b.id}`];
  return left < right ? -1 : 1;
};
