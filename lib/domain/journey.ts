import * as z from 'zod';
import { text } from './fields.ts';
import { urlAt } from './url.ts';

/** One contact's instance of a campaign (specification, "Journey"; contract, section 6). */
export type Journey = {
  readonly id: string;
  /** Names the journey to whoever knows it: unguessable, and the last part of its address. */
  readonly slug: string;
  readonly contact_id: string;
  readonly template_id: string;
  readonly name: string | null;
  readonly owner_id: string | null;
  readonly source: string;
  /** When somebody confirmed the completion by hand. */
  readonly completion_verified_at: string | null;
  readonly inserted_at: string;
  readonly updated_at: string;
};

/** What callers set. A field left out keeps its value; `null` gives it back its default. */
export const journeyFields = {
  owner_id: text().nullish().meta({ description: 'Id of the user who owns the journey' }),
  name: text().nullish().meta({ description: "The template's name unless given" }),
  source: text().nullish().meta({
    description: '`api` unless given. The service itself sets `api`, `admin-console`, `automatic-targeting`, `direct`',
  }),
};
const journeyChange = z.object(journeyFields);
export type JourneyChange = z.output<typeof journeyChange>;

export type JourneyContext = {
  /** Id and slug of a journey that is new. */
  id: string;
  slug: string;
  contactId: string;
  template: { id: string; name: string | null };
  now: string;
};

export type Applied = { journey: Journey; created: boolean; changed: boolean };

/** There is one journey for each contact and template. What changes nothing leaves `updated_at` as it is. */
export function applyJourney(stored: Journey | undefined, change: JourneyChange, context: JourneyContext): Applied {
  const { template, now } = context;
  const set = {
    name: settled(change.name, template.name, stored?.name),
    owner_id: settled(change.owner_id, null, stored?.owner_id),
    source: settled(change.source, 'api', stored?.source),
  };
  if (stored) {
    const changed = set.name !== stored.name || set.owner_id !== stored.owner_id || set.source !== stored.source;
    return { journey: changed ? { ...stored, ...set, updated_at: now } : stored, created: false, changed };
  }
  const { id, slug, contactId: contact_id } = context;
  const times = { completion_verified_at: null, inserted_at: now, updated_at: now };
  return {
    journey: { id, slug, contact_id, template_id: template.id, ...set, ...times },
    created: true,
    changed: true,
  };
}

function settled<T>(sent: string | null | undefined, byDefault: T, stored: T | undefined): string | T {
  if (sent === undefined) return stored === undefined ? byDefault : stored;
  return sent === null ? byDefault : sent;
}

/** The first confirmation stands. */
export const confirmed = (journey: Journey, now: string): Journey =>
  journey.completion_verified_at === null ? { ...journey, completion_verified_at: now, updated_at: now } : journey;

/** The journey as it is shown: what was recorded in it is a change of it (contract, section 6). @param times ISO 8601 */
export function changedAt(journey: Journey, times: readonly string[]): Journey {
  const updated_at = times.reduce((last, time) => (time > last ? time : last), journey.updated_at);
  return updated_at === journey.updated_at ? journey : { ...journey, updated_at };
}

/** The journey under a new slug. */
export const reissued = (journey: Journey, slug: string, now: string): Journey => ({
  ...journey,
  slug,
  updated_at: now,
});

/** Base64url of 128 bits or more. Anything else names no journey. */
export const isSlug = (value: string): boolean => /^[\w-]{22,128}$/.test(value);

/** Where the web client shows the journey (contract, sections 6 and 10); what belongs to it lies below. */
export const journeyPath = (slug: string): string => `/j/${slug}`;
export const journeyUrl = (baseUrl: string, slug: string): string => urlAt(baseUrl, journeyPath(slug));
