import { expect, test } from 'vitest';
import type * as z from 'zod';
import { contentReference } from '../../lib/domain/channel-content.ts';
import { contactAccount } from '../../lib/domain/contact-account.ts';
import { type Journey, journeyUrl } from '../../lib/domain/journey.ts';
import { listedJourney, shownJourney, startedJourney } from '../../lib/domain/journey-responses.ts';
import { shownJourneyOf, startedJourneyOf } from '../../lib/domain/shown.ts';

const id = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
const at = '2026-01-01T00:00:00.000000Z';
const url = 'https://api.example.com';
const product = { id, type: 'loan', code: 'P', name: null, description: null, services: [{ id, name: 'S' }] };
const journey = {
  ...{ id, slug: 's', source: 'api', template_id: id, completion_verified_at: null, inserted_at: at, updated_at: at },
  ...{ contact_id: id, version: 1 },
} as unknown as Journey;

test.each<[string, z.ZodType, object]>([
  [
    'an account of a contact',
    contactAccount,
    { role: null, account: { id, nickname: null, meta_public: null, product } },
  ],
  ['a reference to content', contentReference, { _type: 'content_container_reference', journey_url: null, url }],
  ['a journey', shownJourney, shownJourneyOf(journey)],
  ['a started journey', startedJourney, startedJourneyOf(journey, url)],
])('%s has the documented shape', (_, schema, response) => {
  expect(schema.parse(response)).toEqual(response);
});

test('a journey is shown without its contact', () => {
  expect(Object.keys(shownJourneyOf(journey))).toEqual([
    ...['id', 'slug', 'source', 'template_id', 'completion_verified_at', 'inserted_at', 'updated_at'],
  ]);
  expect(startedJourneyOf(journey, url)).toEqual({
    id,
    slug: 's',
    template_id: id,
    web_client_url: journeyUrl(url, 's'),
  });
});

test('a listed journey also has its progress, its contact and its campaign', () => {
  const missing = listedJourney.safeParse({}).error?.issues.map(({ path }) => path.join('.'));
  expect(missing).toEqual([...Object.keys(shownJourneyOf(journey)), 'analytics_cache', 'contact', 'template']);
});
