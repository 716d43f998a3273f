import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../lib/content/read.ts';
import type { ContentBlock } from '../../../lib/domain/campaigns/block.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { hasSurvey, isArchived } from '../../../lib/domain/campaigns/shown-template.ts';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { id, shown } from '../../support/samples/content-documents.ts';

describe('what is unset', () => {
  test('is null within objects of known form, and a null list is empty', () => {
    const [given] = shown({
      templates: [{ editor_styles: {}, journey_title_options: { type: 'NONE' }, styles: {}, content_blocks: null }],
      engagement_channels: null,
    }).templates;
    expect(given).toMatchObject({
      editor_styles: { branding_styles: null, template_styles: null },
      journey_title_options: { type: 'NONE', custom: null },
      styles: { custom: null, overrides: null, palette: null, typography: null },
      content_blocks: [],
    });
    const [block] = shown({
      templates: [{ content_blocks: [{ data: { heading: 'Hi', body: { kept: 1 } }, grid: { xs: 6 } }] }],
    }).templates[0]!.content_blocks;
    expect(block).toMatchObject({
      data: { heading: 'Hi', name: null, documentLinkUrl: null, body: { kept: 1 } },
      grid: { xs: 6, xl: null },
    });
  });
});

describe('what is filled in', () => {
  const [objective, channel] = [id(1), id(2)];
  const document = {
    objectives: [{ id: objective, key: 'k', name: 'K' }],
    engagement_channels: [{ id: channel, name: 'Web', lookup_fields: ['email'] }],
    templates: [
      {
        id: id(10),
        content_blocks: [
          { id: id(12), order: 2 },
          { id: id(11), order: 1 },
        ],
        template_pages: [
          {
            id: id(20),
            page: {
              id: id(21),
              content_blocks: [{ id: id(22) }],
              content_containers: [
                { id: id(23), engagement_channel_id: channel, content_blocks: [{ id: id(24), type: 'survey' }] },
              ],
            },
          },
        ],
        template_messages: [
          { id: id(30), message: { id: id(31), objective_id: objective, content_blocks: [{ id: id(32) }] } },
        ],
      },
    ],
  };
  const first = () => shown(document).templates[0]!;
  const firstPage = (template: Template) => template.template_pages[0]!.page;
  const nowhere = { content_container_id: null, message_id: null, page_id: null };

  test.each<[where: string, of: (template: Template) => ContentBlock[], type: string, id: string, rest: object]>([
    ['of a template', (template) => template.content_blocks, 'template', id(10), { ...nowhere, id: id(11) }],
    ['of a page', (template) => firstPage(template).content_blocks, 'page', id(21), { ...nowhere, page_id: id(21) }],
    [
      'of a container',
      (template) => firstPage(template).content_containers[0]!.content_blocks,
      'content_container',
      id(23),
      { ...nowhere, page_id: id(21), content_container_id: id(23) },
    ],
    [
      'of a message',
      (template) => template.template_messages[0]!.message.content_blocks,
      'message',
      id(31),
      { ...nowhere, message_id: id(31) },
    ],
  ])('a block %s has the ids of what contains it', (_where, of, container_type, container_id, rest) => {
    const [block] = of(first());
    expect(block).toMatchObject({ container_type, container_id, template_id: id(10), ...rest });
  });

  test('pages, messages and containers name what they belong to, and show what they refer to', () => {
    const template = first();
    expect(template.template_pages[0]).toMatchObject({ template_id: id(10), page_id: id(21) });
    expect(template.template_messages[0]).toMatchObject({ template_id: id(10), message_id: id(31) });
    expect(template.template_messages[0]!.message.objective).toMatchObject({ id: objective, key: 'k', name: 'K' });
    const [container] = firstPage(template).content_containers;
    expect(container).toMatchObject({ page_id: id(21), engagement_channel: { id: channel, name: 'Web' } });
    expect(container!.engagement_channel).not.toHaveProperty('lookup_fields');
    expect(container!.engagement_channel).not.toHaveProperty('frame_ancestors');
    expect(container!.engagement_channel).not.toHaveProperty('default_content');
  });

  test('a survey is found in any case of its type', () => {
    for (const type of ['survey', 'Survey', 'SURVEY']) {
      const page = { content_blocks: [{ type }] };
      expect(hasSurvey(shown({ templates: [{ template_pages: [{ page }] }] }).templates[0]!)).toBe(true);
    }
  });

  test('a survey is found wherever it stands', () => {
    expect(hasSurvey(first())).toBe(true);
    const without = structuredClone(document);
    without.templates[0]!.template_pages[0]!.page.content_containers = [];
    expect(hasSurvey(shown(without).templates[0]!)).toBe(false);
    for (const place of ['content_blocks', 'template_messages', 'template_pages'] as const) {
      const blocks = [{ type: 'survey' }];
      const one = {
        content_blocks: { content_blocks: blocks },
        template_messages: { template_messages: [{ message: { content_blocks: blocks } }] },
        template_pages: { template_pages: [{ page: { content_blocks: blocks } }] },
      }[place];
      expect(hasSurvey(shown({ templates: [one] }).templates[0]!)).toBe(true);
    }
  });

  test.each<[fields: object, archived: boolean]>([
    [{}, false],
    [{ status: 'live' }, false],
    [{ is_archived: true, status: 'live' }, true],
    [{ status: 'archived' }, true],
    [{ archived_at: '2026-01-01' }, true],
    [{ archived_at: '2026-01-01', is_archived: false }, false],
  ])('a template with %j is archived: %s', (fields, archived) => {
    expect(isArchived(shown({ templates: [fields] }).templates[0]!)).toBe(archived);
  });
});

test('an empty document is one', () => {
  expect(readDocument({})).toEqual({ errors: [], document: noContent });
});
