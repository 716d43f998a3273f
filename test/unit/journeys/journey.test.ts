import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  applyJourney,
  changedAt,
  confirmed,
  isSlug,
  journeyFields,
  journeyUrl,
  reissued,
} from '../../../lib/domain/journeys/journey.ts';
import { journeyOf } from '../../support/samples/samples.ts';

const [before, now] = ['2026-03-01T09:00:00.000000Z', '2026-03-02T09:00:00.000000Z'];
const context = { id: 'id', slug: 'slug', contactId: 'contact', template: { id: 'template', name: 'Welcome' }, now };
const stored = journeyOf({
  ...{ id: 'first', slug: 'first-slug', name: 'Mine', owner_id: 'owner', source: 'branch' },
  ...{ inserted_at: before, updated_at: before },
});

describe('a journey', () => {
  test('that is new has the name of its template and the source api', () => {
    const { journey, created, changed } = applyJourney(undefined, {}, context);
    expect([created, changed]).toEqual([true, true]);
    expect(journey).toEqual(journeyOf({ name: 'Welcome', inserted_at: now, updated_at: now }));
  });

  test.each([
    ['nothing', {}, {}],
    ['what is there already', { name: 'Mine', owner_id: 'owner', source: 'branch' }, {}],
    ['a name', { name: 'Yours' }, { name: 'Yours' }],
    ['no name', { name: null }, { name: 'Welcome' }],
    ['no owner', { owner_id: null }, { owner_id: null }],
    ['no source', { source: null }, { source: 'api' }],
  ])('that is there and is sent %s', (_, change, expected) => {
    const { journey, created, changed } = applyJourney(stored, change, context);
    expect(created).toBe(false);
    expect(changed).toBe(Object.keys(expected).length > 0);
    expect(journey).toEqual({ ...stored, ...expected, updated_at: changed ? now : before });
  });

  test('is confirmed once', () => {
    const first = confirmed(stored, now);
    expect(first).toEqual({ ...stored, completion_verified_at: now, updated_at: now });
    expect(confirmed(first, 'later')).toBe(first);
  });

  test.each([
    ['AAAAAAAAAAAAAAAAAAAAAA', true],
    ['a-b_c9AAAAAAAAAAAAAAAAAAAAAA', true],
    ['AAAAAAAAAAAAAAAAAAAAA', false],
    ['AAAAAAAAAAAAAAAAAAAAA/', false],
    ['A'.repeat(129), false],
    ['', false],
  ])('%j may be a slug: %s', (value, expected) => {
    expect(isSlug(value)).toBe(expected);
  });

  test.each(['https://example.com', 'https://example.com/'])('has its address below %s', (base) => {
    expect(journeyUrl(base, 'slug')).toBe('https://example.com/j/slug');
  });
});

test('a journey was updated at its latest action', () => {
  const earlier = '2026-02-01T09:00:00.000000Z';
  const later = '2026-03-03T09:00:00.000000Z';
  expect(changedAt(stored, [later, now, earlier])).toEqual({ ...stored, updated_at: later });
  expect(changedAt(stored, [earlier, before])).toBe(stored);
  expect(changedAt(stored, [])).toBe(stored);
});

test('a reissued journey has another slug', () => {
  expect(reissued(stored, 'other', now)).toEqual({ ...stored, slug: 'other', updated_at: now });
});

test('callers set the owner, the name and the source of a journey', () => {
  const sent = { owner_id: 'o', name: 'n', source: null };
  expect(z.object(journeyFields).parse({ ...sent, slug: 'mine' })).toEqual(sent);
});
