import type { JourneyAction } from '../domain/completion.ts';
import type { Contact } from '../domain/contact.ts';
import type { Attempts } from '../domain/identity-attempts.ts';
import type { Journey } from '../domain/journey.ts';
import type { BlockAnswer, KeptResponse } from '../domain/response.ts';
import { type Link, linkOf } from './accounts.ts';
import { storedContact } from './contacts.ts';
import { all, type Database, type Item, type Upsert, type Write } from './database.ts';
import { storedAttempts } from './identity-checks.ts';
import {
  actionOf,
  answerOf,
  type JourneyKey,
  ownedPlaceOf,
  placeOf,
  responseOf,
  type StoredJourney,
  storedJourney,
} from './journey-items.ts';
import {
  answeredKind,
  contactAggregate,
  contactKey,
  contactPartition,
  identityCheckKey,
  journeyActionKey,
  journeyAnswerKey,
  journeyIdKey,
  journeyKey,
  journeyPrefix,
  linksAndContact,
  partsOfJourneyKey,
  responseKey,
  responsePrefix,
  slugKey,
} from './keys.ts';

/** The journeys at these places, in their order; `undefined` where there is none. */
export async function loadJourneys(
  database: Database,
  teamId: string,
  places: readonly JourneyKey[],
): Promise<(StoredJourney | undefined)[]> {
  const items = await database.get(places.map((place) => journeyKey(teamId, place.contactId, place.templateId)));
  return items.map((item) => item && storedJourney(item));
}

/** Of how many items a new journey consists: itself, and whom its id and its slug name. */
export const itemsOfJourney = 3;

/** To be written in one transaction; only where contact and template have no journey yet. */
export function insertionsOf(teamId: string, journey: Journey): Write[] {
  const { id, slug, contact_id, template_id, name, owner_id, source } = journey;
  const { completion_verified_at, inserted_at, updated_at } = journey;
  const times = { completion_verified_at, inserted_at, updated_at };
  const fields = { journey_id: id, slug, name, owner_id, source, ...times, version: 1 };
  const place = { contact_id, template_id };
  return [
    { kind: 'insert', item: { ...journeyKey(teamId, contact_id, template_id), ...fields } },
    { kind: 'insert', item: { ...journeyIdKey(teamId, id), ...place } },
    { kind: 'insert', item: { ...slugKey(slug), team_id: teamId, ...place } },
  ];
}

/** Writes the journey over what was read; only if it is still that. */
export function updateOf(teamId: string, journey: Journey, { version }: StoredJourney): Upsert {
  const { contact_id, template_id, name, owner_id, source, completion_verified_at, updated_at } = journey;
  return {
    kind: 'update',
    key: journeyKey(teamId, contact_id, template_id),
    set: { name, owner_id, source, completion_verified_at, updated_at, version: version + 1 },
    expect: { version },
  };
}

/** Moves the journey to its new slug, in one transaction; only if it is still as it was read. */
export function reissueOf(teamId: string, journey: Journey, { journey: before, version }: StoredJourney): Write[] {
  const { slug, contact_id, template_id, updated_at } = journey;
  return [
    {
      kind: 'update',
      key: journeyKey(teamId, contact_id, template_id),
      set: { slug, updated_at, version: version + 1 },
      expect: { version },
    },
    { kind: 'delete', key: slugKey(before.slug), expect: {} },
    { kind: 'insert', item: { ...slugKey(slug), team_id: teamId, contact_id, template_id } },
  ];
}

/** Where the journey with this id lies. */
export async function findJourney(
  database: Database,
  teamId: string,
  journeyId: string,
): Promise<JourneyKey | undefined> {
  const [item] = await database.get([journeyIdKey(teamId, journeyId)]);
  return item && placeOf(item);
}

/** Whose journey has this slug. */
export async function findSlug(
  database: Database,
  slug: string,
): Promise<(JourneyKey & { teamId: string }) | undefined> {
  const [item] = await database.get([slugKey(slug)]);
  return item && ownedPlaceOf(item);
}

/** Records an action where it is not recorded yet: the first time counts. */
export function insertionOf(
  teamId: string,
  { contactId, templateId }: JourneyKey,
  { kind, page_id, at }: JourneyAction,
): Upsert {
  const key = journeyActionKey(teamId, contactId, templateId, { kind, page_id });
  return { kind: 'insert', item: { ...key, at } };
}

/** Moves the latest time of a recorded action; only if nobody else has moved it since it was read. */
export function repetitionOf(
  teamId: string,
  { contactId, templateId }: JourneyKey,
  { kind, page_id, last }: JourneyAction,
  at: string,
): Upsert {
  const key = journeyActionKey(teamId, contactId, templateId, { kind, page_id });
  return { kind: 'update', key, set: { last: at }, expect: { last } };
}

/** A response and the note of it in the journey, to be written in one transaction. */
export function responseInsertions(
  teamId: string,
  { contactId, templateId }: JourneyKey,
  journeyId: string,
  { id, ...response }: KeptResponse,
): Write[] {
  const { page_id, block_id, answer, at } = response;
  const note = journeyAnswerKey(teamId, contactId, templateId, { page_id, id });
  const key = responseKey(teamId, contactId, journeyId, { at, id });
  return [
    { kind: 'insert', item: { ...key, response_id: id, ...response } },
    { kind: 'insert', item: { ...note, block_id, answer, at } },
  ];
}

/** What was answered in the journey, oldest first. */
export async function loadResponses(
  database: Database,
  teamId: string,
  { contactId }: Pick<JourneyKey, 'contactId'>,
  journeyId: string,
): Promise<KeptResponse[]> {
  const items = await all(database, { pk: contactPartition(teamId, contactId), prefix: responsePrefix(journeyId) });
  return items.map(responseOf);
}

/** An action as it is recorded now. */
export async function loadAction(
  database: Database,
  teamId: string,
  { contactId, templateId }: JourneyKey,
  { kind, page_id }: Pick<JourneyAction, 'kind' | 'page_id'>,
): Promise<JourneyAction | undefined> {
  const [item] = await database.get([journeyActionKey(teamId, contactId, templateId, { kind, page_id })]);
  return item && actionOf(item);
}

export type JourneyWithActions = StoredJourney & {
  actions: JourneyAction[];
  /** What was answered, without what it said. */
  answers: BlockAnswer[];
};

/** All that lies with a contact. Journeys are oldest first. */
export type ContactAggregate = {
  contact: Contact;
  links: Link[];
  journeys: JourneyWithActions[];
  /** To prove to be the contact. */
  attempts: Attempts;
};

/** A contact with its links and its journeys, in one query; `undefined` when there is no such contact. */
export async function loadContactAggregate(
  database: Database,
  teamId: string,
  contactId: string,
): Promise<ContactAggregate | undefined> {
  const items = await all(database, { pk: contactPartition(teamId, contactId), ...contactAggregate });
  const self = items.find(({ sk }) => sk === contactKey(teamId, contactId).sk);
  const stored = self && storedContact(self);
  if (!stored) return undefined;
  const attempts = items.find(({ sk }) => sk === identityCheckKey(teamId, contactId).sk);
  return {
    contact: stored.contact,
    links: items.filter(({ sk }) => sk.startsWith(linksAndContact.from)).map(linkOf),
    journeys: journeysOf(items.filter(({ sk }) => sk.startsWith(journeyPrefix))),
    attempts: storedAttempts(attempts).attempts,
  };
}

/** One journey with what was done in it, in one query. */
export async function loadJourneyWithActions(
  database: Database,
  teamId: string,
  { contactId, templateId }: JourneyKey,
): Promise<JourneyWithActions | undefined> {
  const { pk, sk: prefix } = journeyKey(teamId, contactId, templateId);
  const [found] = journeysOf(await all(database, { pk, prefix }));
  return found;
}

function journeysOf(items: readonly Item[]): JourneyWithActions[] {
  const isJourney = (item: Item) => partsOfJourneyKey(item).kind === undefined;
  const isAnswer = (item: Item) => partsOfJourneyKey(item).kind === answeredKind;
  const recorded = Map.groupBy(
    items.filter((item) => !isJourney(item)),
    (item) => partsOfJourneyKey(item).templateId,
  );
  return items
    .filter(isJourney)
    .map(storedJourney)
    .map((stored) => {
      const own = recorded.get(stored.journey.template_id) ?? [];
      const actions = own.filter((item) => !isAnswer(item)).map(actionOf);
      return { ...stored, actions, answers: own.filter(isAnswer).map(answerOf) };
    })
    .sort((a, b) => byAge(a.journey, b.journey));
}

/** When something was recorded in the journey. */
export const timesOf = ({ actions, answers }: Pick<JourneyWithActions, 'actions' | 'answers'>): string[] => [
  ...actions.map(({ at, last }) => last ?? at),
  ...answers.map(({ at }) => at),
];

const byAge = (a: Journey, b: Journey): number => {
  const [left, right] = [`${a.inserted_at}${a.id}`, `${b.inserted_at}${b.id}`];
  return left < right ? -1 : 1;
};
