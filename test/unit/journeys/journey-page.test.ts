import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../../lib/domain/campaigns/block.ts';
import type { Page, TemplatePage } from '../../../lib/domain/campaigns/page.ts';
import { closedReasonOf, pagesFor, publishedPages } from '../../../lib/domain/journeys/journey-page.ts';

const open = {
  is_archived: null,
  status: 'live',
  archived_at: null,
  is_muted: false,
  journey_duration_hours: null,
} as const;
const journey = { inserted_at: '2026-01-01T00:00:00.000000Z' };
const started = Date.parse(journey.inserted_at);
const hour = 3_600_000;

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
