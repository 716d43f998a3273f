import * as z from 'zod';
import { actionKinds, type JourneyAction } from '../domain/completion.ts';
import type { Journey } from '../domain/journey.ts';
import { type BlockAnswer, decisions, type KeptResponse, keptResponse } from '../domain/response.ts';
import type { Item } from './database.ts';
import { contactIdOfPartition, partsOfJourneyKey } from './keys.ts';
import { itemReader, storedTime, storedVersion } from './stored-item.ts';

/** Reads the items of journeys. */

/** A journey, and its version as the condition of the next write. */
export type StoredJourney = { journey: Journey; version: number };

/** Contact and template: each pair has one journey. */
export type JourneyKey = { contactId: string; templateId: string };

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
    inserted_at: storedTime,
    updated_at: storedTime,
    version: storedVersion,
  }),
);

export function storedJourney(item: Item): StoredJourney {
  const { pk, sk, journey_id: id, version, ...fields } = journeyItem(item);
  const { templateId: template_id } = partsOfJourneyKey({ pk, sk });
  return { journey: { id, contact_id: contactIdOfPartition(pk), template_id, ...fields }, version };
}

const keyAttributes = { contact_id: z.string(), template_id: z.string() };
const idItem = itemReader('id of a journey', z.object(keyAttributes));
const slugItem = itemReader('slug of a journey', z.object({ ...keyAttributes, team_id: z.string() }));

export function journeyKeyOf(item: Item): JourneyKey {
  const { contact_id: contactId, template_id: templateId } = idItem(item);
  return { contactId, templateId };
}

export function teamJourneyKeyOf(item: Item): JourneyKey & { teamId: string } {
  const { contact_id: contactId, template_id: templateId, team_id: teamId } = slugItem(item);
  return { teamId, contactId, templateId };
}

const responseItem = itemReader(
  'response',
  keptResponse.omit({ id: true }).extend({ response_id: z.string(), at: storedTime }),
);

export function responseOf(item: Item): KeptResponse {
  const { response_id: id, ...response } = responseItem(item);
  return { id, ...response };
}

const answerItem = itemReader(
  'answer in a journey',
  z.object({
    id: z.string(),
    pageId: z.string(),
    block_id: z.string(),
    answer: z.enum(decisions).nullable(),
    at: storedTime,
  }),
);

export function answerOf(item: Item): BlockAnswer {
  const { pageId: page_id, ...answer } = answerItem({ ...item, ...partsOfJourneyKey(item) });
  return { ...answer, page_id };
}

const actionItem = itemReader(
  'action in a journey',
  z.object({
    kind: z.enum(actionKinds),
    pageId: z.string(),
    at: storedTime,
    last: storedTime.optional(),
  }),
);

export function actionOf(item: Item): JourneyAction {
  const { at, last } = item;
  const { pageId: page_id, ...action } = actionItem({ ...partsOfJourneyKey(item), at, last });
  return { ...action, page_id };
}
