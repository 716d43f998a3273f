import { describe, expect, test } from 'vitest';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { contentPath, offersOf } from '../../../lib/domain/journeys/channel-content.ts';
import type { Journey } from '../../../lib/domain/journeys/journey.ts';

const noon = Date.parse('2026-01-01T12:00:00.000Z');
const container = (id: string, engagement_channel_id = 'web') => ({ id, engagement_channel_id });
const page = (id: string, fields: object = {}) => ({
  page: {
    id,
    is_archived: null,
    is_live: null,
    content_block_status: null,
    content_containers: [container(id)],
    ...fields,
  },
});
const template = (id: string, fields: object = {}) =>
  ({
    id,
    is_archived: null,
    archived_at: null,
    status: 'live',
    is_muted: false,
    is_cce_enabled: true,
    journey_duration_hours: null,
    template_pages: [page(`${id}1`)],
    ...fields,
  }) as unknown as Template;
const journeyIn = (each: Template, inserted_at = '2026-01-01T00:00:00.000000Z') => ({
  journey: { inserted_at } as Journey,
  template: each,
});
const offered = (journeys: ReturnType<typeof journeyIn>[], templates: Template[]) =>
  offersOf(journeys, templates, 'web', noon).map(({ container }) => container.id);

describe('the content for a channel', () => {
  test('is in the order of the templates, and of the pages of each', () => {
    const [a, b] = [template('a', { template_pages: [page('a1'), page('a2')] }), template('b')];
    expect(offered([journeyIn(b), journeyIn(a)], [a, b])).toEqual(['a1', 'a2', 'b1']);
    expect(offersOf([journeyIn(b)], [a, b], 'web', noon)).toEqual([
      { journey: journeyIn(b), page: b.template_pages[0]!.page, container: container('b1') },
    ]);
  });

  const withContainers = (...containers: object[]) => ({
    template_pages: [page('a1', { content_containers: containers })],
  });
  test.each<[string, object, string[]]>([
    ['a live campaign', {}, ['a1']],
    ['a campaign of no status', { status: null }, []],
    ['a muted campaign', { is_muted: true }, []],
    ['a campaign that is not for channels', { is_cce_enabled: false }, []],
    ['a campaign that does not say whether it is for channels', { is_cce_enabled: null }, []],
    ['an archived campaign', { is_archived: true }, []],
    ['a campaign within its time', { journey_duration_hours: 13 }, ['a1']],
    ['a campaign after its time', { journey_duration_hours: 12 }, []],
    ['a page that is not published', { template_pages: [page('a1', { content_block_status: 'draft' })] }, []],
    ['a page that is excluded', { template_pages: [page('a1', { exclude_from_cce: true })] }, []],
    ['a page for another channel', withContainers(container('x', 'tv')), []],
    ['two containers', withContainers(container('x'), container('y')), ['x']],
  ])('of %s', (_, fields, expected) => {
    const each = template('a', fields);
    expect(offered([journeyIn(each)], [each])).toEqual(expected);
  });
});

test('the path of the content escapes its reference', () => {
  expect(contentPath('web', 'a/b?c')).toBe('/c/web/a%2Fb%3Fc');
});
