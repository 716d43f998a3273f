import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../bin/content/read.ts';
import type { ContentBlock } from '../../../lib/domain/content/block.ts';
import { noContent } from '../../../lib/domain/content/link.ts';
import { hasSurvey, isArchived } from '../../../lib/domain/content/shown-template.ts';
import type { Template } from '../../../lib/domain/content/template.ts';
import { shownPagesOf } from '../../../lib/domain/journey-page.ts';
import { id, now, shown, teamId } from '../../support/content-documents.ts';

describe('what is unset', () => {
  const document = {
    objectives: [{ key: 'k' }],
    templates: [
      {
        content_blocks: [{}],
        template_pages: [{ page: { content_containers: [{ content_blocks: [{}] }] } }],
        template_messages: [{ message: {} }],
      },
    ],
  };
  const first = () => shown(document).templates[0]!;
  const filledIn = (value: object) =>
    Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null && typeof inner !== 'object'));

  test('is null in every field of a template', () => {
    const template = first();
    expect(Object.keys(template).sort()).toEqual(
      (
        'id name analytics archived_at audience content_block_status content_blocks css custom_css editor_styles ' +
        'email_sender_address email_sender_name facts footer_content hide_progress_ring inserted_at is_archived ' +
        'is_auth_required is_cce_enabled is_muted is_targeting_priority journey_creation_strategy ' +
        'ending translations journey_duration_hours journey_title_options language layout_basis logo_file_id owner_id status styles ' +
        'support_owner_options targeting_account_priority targeting_group_logical_operator targeting_order team ' +
        'theme_base theme_overrides theme type use_case words template_pages template_messages'
      )
        .split(' ')
        .sort(),
    );
    expect(filledIn(template)).toEqual({ id: 'template:0', inserted_at: now });
  });

  test('is null in every field of a page and a container, and empty in the sets', () => {
    const [templatePage] = shownPagesOf(first().template_pages);
    const { page } = templatePage!;
    expect(Object.keys(templatePage!).sort()).toEqual([
      'content_variables',
      'id',
      'is_shared',
      'order',
      'page',
      'page_id',
      'template_id',
    ]);
    expect(Object.keys(page).sort()).toEqual(
      (
        'id benchmark completion_condition completion_message completion_product_id completion_product_ids ' +
        'completion_product_type completion_standardized_types content content_block_status content_blocks ' +
        'content_containers content_name css cta exclude_from_cce hide_when_complete is_archived is_live is_shared ' +
        'layout_basis navigation_title new_slug old_slug slug objective_id styles team team_id updated_at'
      )
        .split(' ')
        .sort(),
    );
    expect(filledIn(page)).toEqual({ id: page.id, team_id: teamId, updated_at: now });
    expect([page.completion_product_ids, page.completion_standardized_types, page.content_blocks]).toEqual([
      [],
      [],
      [],
    ]);
    expect(Object.keys(page.content_containers[0]!).sort()).toEqual(
      'content_blocks css engagement_channel engagement_channel_id id layout_basis page_id styles'.split(' '),
    );
  });

  test('is null in every field of a message, a block and an objective', () => {
    const template = first();
    const [templateMessage] = template.template_messages;
    expect(Object.keys(templateMessage!).sort()).toEqual(
      'content_variables id message message_id order queue scheduled_at template_id template_page_id'.split(' '),
    );
    expect(Object.keys(templateMessage!.message).sort()).toEqual(
      (
        'content_block_status content_blocks content_name css id is_archived is_shared is_transactional layout_basis ' +
        'objective objective_id payload styles type'
      ).split(' '),
    );
    expect(Object.keys(template.content_blocks[0]!).sort()).toEqual(
      (
        'container_id container_type content_container_id css data grid id message_id order page_id slug styles ' +
        'template_id type'
      ).split(' '),
    );
    const [objective] = shown(document).objectives;
    expect(objective).toEqual({ id: 'objective:k', key: 'k', name: null, driver_id: null, team_id: teamId });
  });

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
