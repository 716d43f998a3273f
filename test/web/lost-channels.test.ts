import { describe, expect, test } from 'vitest';
import { id } from '../support/content-documents.ts';
import { inChannels, warningsOf } from '../support/content-warnings.ts';

const content_blocks = [{ type: 'text', data: { body: 'A' } }];
const page = (title: string, channel: number, fields: object = {}, order: number | null = null) => ({
  order,
  page: {
    ...{ navigation_title: title, completion_condition: 'view', content_blocks },
    content_containers: [{ engagement_channel_id: id(channel), content_blocks }],
    ...fields,
  },
});
const hiding = { hide_when_complete: true };
const at = (index: number) => `/templates/0/template_pages/${index}/page/content_containers/0 is never shown`;

describe('content of a page that a channel never shows, because an earlier page always has some:', () => {
  test.each<[what: string, pages: object[], found: string[]]>([
    [
      'a page that does not hide',
      [page('A', 1), page('B', 1)],
      [
        `${at(1)}, because page 1 always shows its own content for this channel: write \`"hide_when_complete": true\` into it, or delete one of the two`,
      ],
    ],
    [
      'a page that is never completed',
      [page('A', 1, { completion_condition: null }), page('B', 1)],
      [
        `${at(1)}, because page 1 always shows its own content for this channel: give it a \`completion_condition\` and \`"hide_when_complete": true\`, or delete one of the two`,
      ],
    ],
    [
      'the second of three',
      [page('A', 1, hiding), page('B', 1), page('C', 1)],
      [expect.stringContaining(`${at(2)}, because page 2`)],
    ],
    [
      'a page that is earlier by its order',
      [page('A', 1, {}, 2), page('B', 1, {}, 1)],
      [expect.stringContaining(`${at(0)}, because page 2`)],
    ],
    [
      'a later page that hides',
      [page('A', 1), page('B', 1, hiding)],
      [expect.stringContaining(`${at(1)}, because page 1`)],
    ],
    ['pages that hide', [page('A', 1, hiding), page('B', 1, hiding), page('C', 1)], []],
    ['another channel', [page('A', 1), page('B', 2)], []],
    ['a draft', [page('A', 1, { content_block_status: 'draft' }), page('B', 1)], []],
  ])('%s', (_what, template_pages, found) => {
    expect(warningsOf({ templates: [{ ...inChannels, template_pages }] })).toEqual(found);
  });

  test('a page that is excluded has no content for a channel', () => {
    const template_pages = [page('A', 1, { exclude_from_cce: true }), page('B', 1)];
    expect(warningsOf({ templates: [{ ...inChannels, template_pages }] }).join()).not.toContain('is never shown');
  });
});
