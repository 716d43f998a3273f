import * as z from 'zod';
import { decisions, type KeptResponse, keptResponse } from '../../domain/journeys/answer.ts';
import { actionKinds, type JourneyAction } from '../../domain/journeys/completion.ts';
import type { Counts } from '../../domain/journeys/counts.ts';
import { choice, type GivenAnswer } from '../../domain/journeys/given-answer.ts';
import {
  type ActionState,
  type Ending,
  endings,
  type Journey,
  type ResponseState,
} from '../../domain/journeys/journey.ts';
import type { Item } from '../table/database.ts';
import {
  contactIdOfPartition,
  journeyIdOfResponseKey,
  journeyKey,
  type Key,
  partsOfJourneyKey,
  timeOfListKey,
} from '../table/keys.ts';
import { itemReader, jsonText, storedTime, storedVersion } from '../table/stored-item.ts';

/** Reads the items of journeys. */

/**
 * A journey, and its version as the condition of the next write. The answers are stored with it, so that a page reads
 * only the latest of each block. They have a number of their own, because they change without the fields of the journey.
 */
export type StoredJourney = {
  journey: Journey;
  contactSince: string;
  version: number;
  /** When something of it is due, as its entry has it. */
  dueAt: string | undefined;
  /** How often it was decided when something is due: the condition of the next such decision. */
  plans: number | undefined;
  given: GivenAnswers;
  counted: CountedState;
};
/** `number`: how often the answers have changed. It is the condition of the next change. */
export type GivenAnswers = { number: number | undefined; answers: readonly GivenAnswer[] };

/**
 * What the journey has added to the counters of its template, and its state at that time, which the list of the
 * template shows.
 */
export type CountedState = {
  counts: Counts;
  /** As it is stored: the condition of the next change. */
  text: string | undefined;
  /** Groups that could not be counted, for example because their item is full. Only a recount tries them again. */
  setAside: readonly string[];
  /** Time of the latest view. */
  last_viewed: string | null;
  /** The time at which the list of the template has it. */
  listed_at: string;
};

/**
 * Contact and template: each pair has one journey. If the template makes one for each account, the account too: then
 * `accountId` is set.
 */
export type JourneyKey = { contactId: string; templateId: string; accountId?: string | undefined };

/** What makes the key of a journey. */
export type KeyedJourney = Pick<Journey, 'contact_id' | 'template_id'> &
  Partial<Pick<Journey, 'account_id' | 'is_one_for_one'>>;

export function keyOfJourney({
  contact_id,
  template_id,
  account_id,
  is_one_for_one = false,
}: KeyedJourney): JourneyKey {
  const accountId = is_one_for_one ? (account_id ?? undefined) : undefined;
  return { contactId: contact_id, templateId: template_id, accountId };
}

export const journeyItemKey = (teamId: string, { contactId, templateId, accountId }: JourneyKey): Key =>
  journeyKey(teamId, contactId, templateId, accountId);

/** The key of the journey at this key, or of that of the action at it. */
export function journeyKeyAt(key: Key): JourneyKey {
  const { templateId, accountId } = partsOfJourneyKey(key);
  return { contactId: contactIdOfPartition(key.pk), templateId, accountId };
}

/** Identifies the journey in a map. Names of the journeys of one template sort together. */
export const nameOfJourney = ({ contactId, templateId, accountId = '' }: JourneyKey): string =>
  `${templateId} ${contactId} ${accountId}`;

const givenAnswer = z.object({
  page_id: z.string(),
  block_id: z.string(),
  id: z.string(),
  answer: z.enum(decisions).nullable(),
  at: storedTime,
  count: z.int(),
  choices: z.array(choice).optional(),
});

const journeyItem = itemReader(
  'journey',
  z.object({
    pk: z.string(),
    sk: z.string(),
    journey_id: z.string(),
    slug: z.string(),
    name: z.string().nullable(),
    owner_id: z.string().nullable(),
    source: z.string(),
    completion_verified_at: storedTime.nullable(),
    account_id: z.string().nullable().default(null),
    cancelled_at: storedTime.nullable().default(null),
    expired_at: storedTime.nullable().default(null),
    is_undone: z.boolean().default(false),
    reopened_at: storedTime.nullable().default(null),
    due_at: storedTime.optional(),
    plans: z.int().optional(),
    rule_revision: z.string().optional(),
    inserted_at: storedTime,
    updated_at: storedTime,
    /** `inserted_at` of its contact. Another one means that the contact was erased and created again since. */
    contact_since: storedTime,
    version: storedVersion,
    answers: jsonText(z.array(givenAnswer)).default([]),
    answers_number: z.int().optional(),
    counted: z.string().optional(),
    set_aside: jsonText(z.array(z.string())).default([]),
    last_viewed: storedTime.nullable().default(null),
    directory_sk: z.string(),
  }),
);
const countsText = itemReader(
  'count of a journey',
  z.object({ counted: jsonText(z.record(z.string(), z.record(z.string(), z.int()))).default({}) }),
);

export function storedJourney(item: Item): StoredJourney {
  const { pk, sk, journey_id: id, contact_since: contactSince, version, answers, ...others } = journeyItem(item);
  const { answers_number: number, due_at: dueAt, plans, ...rest } = others;
  const { counted: text, set_aside: setAside, last_viewed, directory_sk: listed, rule_revision, ...fields } = rest;
  const { templateId: template_id, accountId } = partsOfJourneyKey({ pk, sk });
  const journey = {
    ...{ id, contact_id: contactIdOfPartition(pk), template_id, ...fields },
    ...(accountId === undefined ? { is_one_for_one: false } : { account_id: accountId, is_one_for_one: true }),
    rule: rule_revision === undefined ? null : { revision: rule_revision },
  };
  const listed_at = timeOfListKey(listed);
  const counted = { counts: countsText({ counted: text }).counted, text, setAside, last_viewed, listed_at };
  return { journey, contactSince, version, dueAt, plans, given: { number, answers }, counted };
}

/** `account_id` is set only if it is a part of the key of the journey. */
const keyAttributes = { contact_id: z.string(), template_id: z.string(), account_id: z.string().optional() };
const keyIn = ({
  contact_id,
  template_id,
  account_id,
}: {
  contact_id: string;
  template_id: string;
  account_id?: string | undefined;
}) =>
  keyOfJourney({ contact_id, template_id, account_id: account_id ?? null, is_one_for_one: account_id !== undefined });
const idItem = itemReader('id of a journey', z.object(keyAttributes));
const slugItem = itemReader('slug of a journey', z.object({ ...keyAttributes, team_id: z.string() }));

export const journeyKeyOf = (item: Item): JourneyKey => keyIn(idItem(item));

const judgedItem = itemReader('version of targeting', z.object({ version: storedVersion }));
/** How often it was decided which journeys the contact gets. @param item of this, if there is one */
export const judgedVersionIn = (item: Item | undefined): number => (item ? judgedItem(item).version : 0);

const endedItem = itemReader('id of a journey', z.object({ ended: z.enum(endings).optional() }));
/** How the journey has ended, as the item of its id states it. */
export const endingIn = (item: Item): Ending | undefined => endedItem(item).ended;

export function teamJourneyKeyOf(item: Item): JourneyKey & { teamId: string } {
  const { team_id: teamId, ...key } = slugItem(item);
  return { teamId, ...keyIn(key) };
}

const responseItem = itemReader(
  'response',
  keptResponse.omit({ id: true }).extend({
    response_id: z.string(),
    at: storedTime,
    identity_facts_changed_at: storedTime.nullable(),
  }),
);

export function responseOf(item: Item): KeptResponse {
  const { response_id: id, ...response } = responseItem(item);
  return { id, ...response };
}

const actionItem = itemReader(
  'action in a journey',
  z.object({
    kind: z.enum(actionKinds),
    pageId: z.string(),
    at: storedTime,
    last: storedTime.optional(),
    recorded_at: storedTime.optional(),
  }),
);

export function actionOf(item: Item): JourneyAction {
  const { pageId: page_id, ...action } = actionItem({ ...item, ...partsOfJourneyKey(item) });
  return { ...action, page_id };
}

const actionStateItem = itemReader('action in a journey', z.object({ journey_id: z.string() }));
/** The action, with the id of its journey. */
export const actionStateOf = (item: Item): ActionState & JourneyAction => ({
  ...actionOf(item),
  ...actionStateItem(item),
});

const responseStateItem = itemReader(
  'response',
  z.object({ template_id: z.string(), account_id: z.string().optional() }),
);
export function responseStateOf(item: Item): ResponseState {
  const { id, page_id, block_id, at } = responseOf(item);
  return { id, journey_id: journeyIdOfResponseKey(item), ...responseStateItem(item), page_id, block_id, at };
}
