import * as z from 'zod';
import { text } from '../values/fields.ts';
import { urlAt } from '../values/url.ts';
import type { ActionKind, JourneyAction } from './completion.ts';
import type { ShownJourney } from './journey-responses.ts';

/** One contact's instance of a campaign (specification, "Journey"; contract, section 6). */
export type Journey = {
  readonly id: string;
  /** Unguessable. The last part of the URL of the journey. */
  readonly slug: string;
  readonly contact_id: string;
  readonly template_id: string;
  /** The account that it is about; `null` if there is none. */
  readonly account_id: string | null;
  /** True if the template makes one for each account of the contact, so that the account is a part of its key. */
  readonly is_one_for_one: boolean;
  readonly name: string | null;
  readonly owner_id: string | null;
  readonly source: string;
  /** Time at which the completion was confirmed manually. */
  readonly completion_verified_at: string | null;
  /** At most one of these two is set, and only while no completion is recorded. */
  readonly cancelled_at: string | null;
  readonly expired_at: string | null;
  /** Cancelled by `targeting undo`: a later form of the rule can reopen it. */
  readonly is_undone: boolean;
  /** The time from which the duration of a reopened journey counts. */
  readonly reopened_at: string | null;
  /** The form of the rule that started it; `null` if targeting did not. */
  readonly rule: { readonly revision: string } | null;
  readonly inserted_at: string;
  readonly updated_at: string;
};

/** The fields that callers set. A field that is left out keeps its value, `null` resets it to its default. */
export const journeyFields = {
  owner_id: text().nullish().describe('Id of the user who owns the journey'),
  name: text().nullish().describe('Name of the journey. The default is the name of the template'),
  source: text()
    .nullish()
    .describe(
      'Origin of the journey. The default is `api`. The service itself sets `api`, `admin-console`, `automatic-targeting`, `direct`',
    ),
};
const journeyChange = z.object(journeyFields);
export type JourneyChange = z.output<typeof journeyChange>;

export type JourneyContext = {
  /** Id and slug for a new journey. */
  id: string;
  slug: string;
  contactId: string;
  template: { id: string; name: string | null };
  now: string;
};

export type Applied = { journey: Journey; created: boolean; changed: boolean };

/** Each contact has one journey per template, or one per account from it. A request without changes does not change `updated_at`. */
export function applyJourney(stored: Journey | undefined, change: JourneyChange, context: JourneyContext): Applied {
  const { template, now } = context;
  const set = {
    name: valueAfter(change.name, template.name, stored?.name),
    owner_id: valueAfter(change.owner_id, null, stored?.owner_id),
    source: valueAfter(change.source, 'api', stored?.source),
  };
  if (stored) {
    const changed = set.name !== stored.name || set.owner_id !== stored.owner_id || set.source !== stored.source;
    return { journey: changed ? { ...stored, ...set, updated_at: now } : stored, created: false, changed };
  }
  return { journey: { ...newJourney(context), ...set }, created: true, changed: true };
}

/** A journey that nobody has set anything of. */
function newJourney({ id, slug, contactId: contact_id, template, now }: JourneyContext): Journey {
  return {
    ...{ id, slug, contact_id, template_id: template.id, account_id: null, is_one_for_one: false },
    ...{ name: template.name, owner_id: null, source: 'api', completion_verified_at: null },
    ...{ cancelled_at: null, expired_at: null, is_undone: false, reopened_at: null, rule: null },
    ...{ inserted_at: now, updated_at: now },
  };
}

/**
 * A journey that targeting starts (contract, section 14).
 * @param isOneForOne whether the template makes a journey for each account
 */
export const targetedJourney = (
  context: JourneyContext,
  about: { account_id: string | null; isOneForOne: boolean; revision: string },
): Journey => ({
  ...newJourney(context),
  ...{ account_id: about.account_id, is_one_for_one: about.isOneForOne, source: 'automatic-targeting' },
  rule: { revision: about.revision },
});

function valueAfter<T>(sent: string | null | undefined, byDefault: T, stored: T | undefined): string | T {
  if (sent === undefined) return stored === undefined ? byDefault : stored;
  return sent === null ? byDefault : sent;
}

/** A repeated confirmation keeps the time of the first. */
export const confirmed = (journey: Journey, now: string): Journey =>
  journey.completion_verified_at === null ? { ...journey, completion_verified_at: now, updated_at: now } : journey;

/** How a journey can end: of these, the first that is recorded stands (contract, section 14). */
export const endings = ['completed', 'cancelled', 'expired'] as const;
export type Ending = (typeof endings)[number];

/** The journey as it ends without a completion. @param isUndone by `targeting undo` */
export const ended = (
  journey: Journey,
  ending: Exclude<Ending, 'completed'>,
  at: string,
  isUndone = false,
): Journey => ({
  ...journey,
  ...(ending === 'cancelled' ? { cancelled_at: at, is_undone: isUndone } : { expired_at: at }),
  updated_at: at,
});

/** When the journey ended without a completion; `null` if it did not. */
export const endedAt = ({ cancelled_at, expired_at }: Pick<Journey, 'cancelled_at' | 'expired_at'>): string | null =>
  cancelled_at ?? expired_at;

/** How the journey has ended, as it is recorded; `undefined` if it has not. */
export function recordedEnding(
  { cancelled_at, expired_at }: Pick<Journey, 'cancelled_at' | 'expired_at'>,
  actions: readonly Pick<JourneyAction, 'kind'>[],
): Ending | undefined {
  if (actions.some(({ kind }) => kind === 'finished')) return 'completed';
  if (cancelled_at !== null) return 'cancelled';
  return expired_at === null ? undefined : 'expired';
}

export type StateOfJourney = Ending | 'open';
/** The state of the journey, as it is recorded. */
export const stateOf = (...of: Parameters<typeof recordedEnding>): StateOfJourney => recordedEnding(...of) ?? 'open';

/** The cancelled journey is open again, with its id and slug. Its duration counts from now on. */
export const reopened = (journey: Journey, now: string): Journey => ({
  ...journey,
  ...{ cancelled_at: null, is_undone: false, reopened_at: now, updated_at: now },
});

/** Moves `updated_at` to the latest recorded action (contract, section 6). @param times of the actions, ISO 8601 */
export function changedAt(journey: Journey, times: readonly string[]): Journey {
  const updated_at = times.reduce((last, time) => (time > last ? time : last), journey.updated_at);
  return updated_at === journey.updated_at ? journey : { ...journey, updated_at };
}

/** The journey with a new slug. */
export const reissued = (journey: Journey, slug: string, now: string): Journey => ({
  ...journey,
  slug,
  updated_at: now,
});

/** True for base64url text of 128 bits or more. No other text can be a slug. */
export const isSlug = (value: string): boolean => /^[\w-]{22,128}$/.test(value);

/** The slug that was meant, if a mail program appended punctuation. A slug ends in a letter or digit. */
export const slugWithin = (given: string): string => given.slice(0, 200).match(/^[\w-]*[a-z\d]/i)?.[0] ?? '';

/** Path of the journey in the web client (contract, sections 6 and 10). The paths of its actions begin with it. */
export const journeyPath = (slug: string): string => `/j/${slug}`;
export const journeyUrl = (baseUrl: string, slug: string): string => urlAt(baseUrl, journeyPath(slug));

/** What decides whether a change of a journey, an action or a response is an event. */
export type JourneyState = {
  id: string;
  inserted_at: string;
  updated_at: string;
  completion_verified_at: string | null;
  account_id?: string | null;
  cancelled_at?: string | null;
  expired_at?: string | null;
  reopened_at?: string | null;
};
export type ActionState = { kind: ActionKind; page_id: string; journey_id: string; at: string };
export type ResponseState = {
  id: string;
  journey_id: string;
  template_id: string;
  /** Of a journey that is one of several of its template. */
  account_id?: string | undefined;
  page_id: string;
  block_id: string;
  at: string;
};

export function shownJourneyOf(journey: Journey): ShownJourney & { slug: string } {
  const { id, slug, source, template_id, account_id, completion_verified_at, cancelled_at } = journey;
  const { inserted_at, updated_at } = journey;
  return { id, slug, source, template_id, account_id, completion_verified_at, cancelled_at, inserted_at, updated_at };
}

export const startedJourneyOf = ({ id, slug, template_id, account_id, cancelled_at }: Journey, baseUrl: string) => ({
  ...{ id, slug, template_id, account_id, cancelled_at },
  web_client_url: journeyUrl(baseUrl, slug),
});
