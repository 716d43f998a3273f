import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { ContentBlock } from '../../../lib/domain/campaigns/block.ts';
import type { Page, TemplatePage } from '../../../lib/domain/campaigns/page.ts';
import {
  applyJourney,
  changedAt,
  confirmed,
  isSlug,
  journeyFields,
  journeyUrl,
  reissued,
} from '../../../lib/domain/journeys/journey.ts';
import { closedReasonOf, pagesFor, publishedPages } from '../../../lib/domain/journeys/journey-page.ts';
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

const open = {
  is_archived: null,
  status: 'live',
  archived_at: null,
  is_muted: false,
  journey_duration_hours: null,
} as const;
const journey = journeyOf();
const started = Date.parse(journey.inserted_at);
const hour = 3_600_000;
const at = (hours: number) => `2026-01-01T0${hours}:00:00.000000Z`;

describe('a journey', () => {
  test.each([
    ['live', {}, undefined],
    ['of no status', { status: null }, undefined],
    ['archived', { is_archived: true }, 'archived'],
    ['archived by status, and expired', { status: 'archived', journey_duration_hours: 1 }, 'archived'],
    ['muted', { is_muted: true }, 'unavailable'],
    ['a draft', { status: 'draft' }, 'unavailable'],
    ['muted and expired', { is_muted: true, journey_duration_hours: 1 }, 'expired'],
    ['within its time', { journey_duration_hours: 2.5 }, undefined],
    ['at the end of its time', { journey_duration_hours: 2 }, 'expired'],
    ['without time', { journey_duration_hours: 0 }, 'expired'],
  ] as const)('whose campaign is %s is closed by that', (_, template, expected) => {
    expect(closedReasonOf({ ...open, ...template }, journey, started + 2 * hour)).toBe(expected);
  });

  test.each([
    ['that was cancelled', { cancelled_at: at(0) }, 48, 'expired'],
    ['whose expiry is recorded, although it has more time now', { expired_at: at(0) }, 48, 'expired'],
    ['that was reopened, for its duration from then on', { reopened_at: at(1) }, 1.5, undefined],
    ['whose time has passed since it was reopened', { reopened_at: at(1) }, 1, 'expired'],
  ] as const)('%s', (_, fields, journey_duration_hours, expected) => {
    expect(closedReasonOf({ ...open, journey_duration_hours }, journeyOf(fields), started + 2 * hour)).toBe(expected);
  });
});

const page = (id: string, fields: Partial<Page> = {}): TemplatePage =>
  ({
    page: {
      ...{ id, is_archived: null, is_live: null, content_block_status: null, hide_when_complete: null },
      ...{ content_blocks: [], ...fields },
    },
  }) as TemplatePage;
const ids = (pages: readonly TemplatePage[]) => pages.map((each) => each.page.id);

describe('pages', () => {
  test('are there for people where they are published, live and not archived', () => {
    const pages = [
      page('a'),
      page('b', { content_block_status: 'published', is_live: true, is_archived: false }),
      page('c', { content_block_status: 'draft' }),
      page('d', { is_live: false }),
      page('e', { is_archived: true }),
    ];
    expect(ids(publishedPages({ template_pages: pages }))).toEqual(['a', 'b']);
  });

  const all = [page('a'), page('b', { hide_when_complete: true }), page('c')];
  test.each([
    ['the first', [], undefined, 'a', ['a', 'b', 'c']],
    ['the first that is not completed', ['a'], undefined, 'b', ['a', 'b', 'c']],
    ['the first of all once all are', ['a', 'b', 'c'], undefined, 'a', ['a', 'c']],
    ['the one that is asked for', ['a'], 'c', 'c', ['a', 'b', 'c']],
    ['not the one that hides once it is completed', ['a', 'b'], undefined, 'c', ['a', 'c']],
    ['that one too where it is asked for', ['b'], 'b', 'b', ['a', 'b', 'c']],
    ['none that is not there', [], 'x', undefined, ['a', 'b', 'c']],
  ] as const)('show %s', (_, completed, asked, shown, listed) => {
    const result = pagesFor(all, { pages_completed: [...completed], pages_viewed: [] }, { page: asked });
    expect([result.shown?.page.id, ids(result.pages)]).toEqual([shown, listed]);
  });

  test('begin after a page without a condition that was viewed', () => {
    const pages = [page('a', { completion_condition: null }), page('b', { completion_condition: 'confirm' })];
    const begun = { pages_completed: [], pages_viewed: ['a'] };
    expect(pagesFor(pages, begun).shown?.page.id).toBe('b');
    expect(pagesFor(pages, { ...begun, pages_completed: ['b'] }).shown?.page.id).toBe('a');
  });

  test('begin at a page with a condition that was viewed', () => {
    const pages = [page('a', { completion_condition: 'confirm' }), page('b', { completion_condition: 'confirm' })];
    expect(pagesFor(pages, { pages_completed: [], pages_viewed: ['a'] }).shown?.page.id).toBe('a');
  });

  test('begin at the first that is not completed where all were viewed', () => {
    const pages = [page('a', { completion_condition: 'view' }), page('b', { completion_condition: null })];
    const begun = { pages_completed: ['a'], pages_viewed: ['a', 'b'] };
    expect(pagesFor(pages, begun).shown?.page.id).toBe('b');
  });

  test('show the first where every one hides', () => {
    const hiding = [page('a', { hide_when_complete: true }), page('b', { hide_when_complete: true })];
    expect(ids(pagesFor(hiding, { pages_completed: ['a', 'b'], pages_viewed: [] }).pages)).toEqual(['a']);
  });

  test.each([
    ['the next one that is not completed', ['a', 'b'], 'a', 'c'],
    ['the first one that is open, if none is open behind it', ['b', 'c'], 'c', 'a'],
    ['the same, if it is not completed', ['b'], 'a', 'a'],
    ['the first, if there is no such page', [], 'x', 'a'],
  ] as const)('show after an answer %s', (_, completed, after, shown) => {
    const result = pagesFor(
      [...'abc'].map((id) => page(id, { completion_condition: 'confirm' })),
      { pages_completed: [...completed], pages_viewed: [] },
      { after },
    );
    expect([result.shown?.page.id, result.answered?.page.id]).toEqual([
      shown,
      shown === after || after === 'x' ? undefined : after,
    ]);
  });

  test('show the same page after an answer, as long as another block on it asks', () => {
    const blocks = ['b1', 'b2'].map((id) => ({ id, type: 'agreement' }) as ContentBlock);
    const pages = [page('a', { completion_condition: 'confirm', content_blocks: blocks }), page('b')];
    const shownAfter = (...answered: string[]) =>
      pagesFor(
        pages,
        { pages_completed: ['a'], pages_viewed: [] },
        { after: 'a' },
        answered.map((block_id) => ({ page_id: 'a', block_id })),
      ).shown?.page.id;
    expect([shownAfter('b1'), shownAfter('b1', 'b2')]).toEqual(['a', 'b']);
  });
});
