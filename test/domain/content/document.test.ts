import { describe, expect, test } from 'vitest';
import { applyContent } from '../../../lib/domain/content/apply.ts';
import { noContent } from '../../../lib/domain/content/document.ts';
import { linked } from '../../../lib/domain/content/link.ts';
import { readDocument } from '../../../lib/domain/content/read.ts';
import { hasSurvey, isArchived } from '../../../lib/domain/content/template.ts';
import type { JsonValue } from '../../../lib/domain/json.ts';

const teamId = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const now = '2026-01-02T03:04:05.000000Z';

const faultsOf = (document: object) => readDocument(document as JsonValue).faults.map(({ path }) => path);

function shown(document: object) {
  const { faults, document: given } = readDocument(document as JsonValue);
  expect(faults).toEqual([]);
  const applied = applyContent(noContent, given!, { teamId, features: [], globalObjectives: [], idOf: String, now });
  if ('faults' in applied) throw new Error(JSON.stringify(applied.faults));
  return linked(applied.content, noContent, { teamId, team: null });
}

const templateWith = (page: object, rest: object = {}) => ({
  templates: [{ template_pages: [{ page }], ...rest }],
});
const inPage = '/templates/0/template_pages/0/page';
const inMessage = '/templates/0/template_messages/0/message';

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
  const [template] = shown(document).templates;
  const [templatePage] = template!.template_pages;
  const [templateMessage] = template!.template_messages;
  const filledIn = (value: object) =>
    Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null && typeof inner !== 'object'));

  test('is null in every field of a template', () => {
    expect(Object.keys(template!).sort()).toEqual(
      (
        'id name analytics archived_at audience content_block_status content_blocks css custom_css editor_styles ' +
        'email_sender_address email_sender_name facts footer_content hide_progress_ring inserted_at is_archived ' +
        'is_auth_required is_cce_enabled is_muted is_targeting_priority journey_creation_strategy ' +
        'journey_duration_hours journey_title_options language layout_basis logo_file_id owner_id status styles ' +
        'support_owner_options targeting_account_priority targeting_group_logical_operator targeting_order team ' +
        'theme_base theme_overrides theme type use_case template_pages template_messages'
      )
        .split(' ')
        .sort(),
    );
    expect(filledIn(template!)).toEqual({ id: 'template:0', inserted_at: now });
  });

  test('is null in every field of a page and a container, and empty in the sets', () => {
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
    expect(Object.keys(templateMessage!).sort()).toEqual(
      'content_variables id message message_id order queue scheduled_at template_id template_page_id'.split(' '),
    );
    expect(Object.keys(templateMessage!.message).sort()).toEqual(
      (
        'content_block_status content_blocks content_name css id is_archived is_shared is_transactional layout_basis ' +
        'objective objective_id payload styles type'
      ).split(' '),
    );
    expect(Object.keys(template!.content_blocks[0]!).sort()).toEqual(
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

describe('an enumeration holds only the listed values', () => {
  const audiences = [
    'Net New - Direct',
    'Net New - Indirect',
    'Existing - Direct',
    'Existing - Indirect',
    'Attrited/Dormant',
    'All',
    'Other',
  ];
  const inTemplate = (field: object) => ({ templates: [field] });
  const cases: [path: string, values: string[], documentOf: (value: unknown) => object][] = [
    ['/templates/0/audience', audiences, (audience) => inTemplate({ audience })],
    ['/templates/0/content_block_status', ['draft', 'published'], (v) => inTemplate({ content_block_status: v })],
    [
      '/templates/0/journey_creation_strategy',
      ['ONE_FOR_ONE', 'ONE_FOR_ALL', 'NO_JOURNEY'],
      (v) => inTemplate({ journey_creation_strategy: v }),
    ],
    [
      '/templates/0/journey_title_options/type',
      ['CONTACT_NAME', 'CUSTOM', 'NONE', 'TEAM_NAME', 'TEMPLATE_NAME'],
      (type) => inTemplate({ journey_title_options: { type } }),
    ],
    ['/templates/0/status', ['archived', 'draft', 'live'], (status) => inTemplate({ status })],
    [
      '/templates/0/targeting_group_logical_operator',
      ['AND', 'OR'],
      (v) => inTemplate({ targeting_group_logical_operator: v }),
    ],
    ['/templates/0/type', ['standard', 'tactical'], (type) => inTemplate({ type })],
    [
      '/templates/0/use_case',
      ['Onboarding', 'Digital Engagement', 'Cross-Sell', 'Operational Efficiency', 'Other'],
      (use_case) => inTemplate({ use_case }),
    ],
    [
      `${inPage}/completion_condition`,
      ['action', 'confirm', 'objective', 'open', 'view'],
      (completion_condition) => templateWith({ completion_condition }),
    ],
    [`${inPage}/content_block_status`, ['draft', 'published'], (v) => templateWith({ content_block_status: v })],
    [`${inPage}/layout_basis`, ['grid', 'none'], (layout_basis) => templateWith({ layout_basis })],
    [
      `${inPage}/content_containers/0/layout_basis`,
      ['grid', 'table', 'none'],
      (layout_basis) => templateWith({ content_containers: [{ layout_basis }] }),
    ],
    [
      `${inMessage}/type`,
      ['email', 'sms'],
      (type) => ({ templates: [{ template_messages: [{ message: { type } }] }] }),
    ],
    [
      `${inMessage}/content_block_status`,
      ['draft', 'published'],
      (v) => ({ templates: [{ template_messages: [{ message: { content_block_status: v } }] }] }),
    ],
  ];
  test.each(cases)('%s', (path, values, documentOf) => {
    for (const value of [...values, null]) expect(faultsOf(documentOf(value))).toEqual([]);
    for (const value of ['other', `${values[0]!.toLowerCase()} `, '', 1, {}]) {
      expect(faultsOf(documentOf(value))).toEqual([path]);
    }
  });

  test('a set of standardized types holds only those that products can have', () => {
    expect(faultsOf(templateWith({ completion_standardized_types: ['cd', 'yacht_loan'] }))).toEqual([
      `${inPage}/completion_standardized_types/1`,
    ]);
  });
});

describe('a field of the wrong kind is named by its JSON Pointer', () => {
  test.each<[path: string, document: object]>([
    ['/templates', { templates: {} }],
    ['/templates/0', { templates: ['x'] }],
    ['/templates/0/id', { templates: [{ id: 'x' }] }],
    ['/templates/0/name', { templates: [{ name: 1 }] }],
    ['/templates/0/name', { templates: [{ name: '\ud800' }] }],
    ['/templates/0/is_archived', { templates: [{ is_archived: 'true' }] }],
    ['/templates/0/targeting_order', { templates: [{ targeting_order: '1' }] }],
    ['/templates/0/archived_at', { templates: [{ archived_at: 'yesterday' }] }],
    ['/templates/0/archived_at', { templates: [{ archived_at: '2025-02-30' }] }],
    ['/templates/0/styles/palette', { templates: [{ styles: { palette: [] } }] }],
    ['/templates/0/editor_styles', { templates: [{ editor_styles: 'x' }] }],
    ['/templates/0/content_blocks/0/data/heading', { templates: [{ content_blocks: [{ data: { heading: 1 } }] }] }],
    ['/templates/0/facts/a/0', { templates: [{ facts: { a: ['\udc00'] } }] }],
    ['/templates/0/theme/\ud800', { templates: [{ theme: { '\ud800': 1 } }] }],
    [`${inPage}/objective_id`, templateWith({ objective_id: 'welcome' })],
    [`${inPage}/completion_product_ids`, templateWith({ completion_product_ids: 'x' })],
    [`${inPage}/completion_product_ids/0`, templateWith({ completion_product_ids: ['x'] })],
    [`${inPage}/styles`, templateWith({ styles: 'bold' })],
    ['/objectives/0/key', { objectives: [{}] }],
    ['/objectives/0/key', { objectives: [{ key: '' }] }],
    ['/engagement_channels/0/show_navigation', { engagement_channels: [{ show_navigation: 1 }] }],
    ['/engagement_channels/0/properties', { engagement_channels: [{ properties: [] }] }],
    ['', []],
  ])('%s', (path, document) => {
    expect(faultsOf(document)).toEqual([path]);
  });

  test('what the specification leaves open takes any JSON', () => {
    const open = { analytics: [1], facts: 'x', support_owner_options: { a: null }, theme: false, theme_base: 0 };
    expect(shown({ templates: [open] }).templates[0]).toMatchObject(open);
  });

  test('ids are kept in lower case, timestamps in UTC', () => {
    const [template] = shown({
      templates: [{ id: id(1).replaceAll('0', 'A'), archived_at: '2026-01-01T01:00:00+02:00' }],
    }).templates;
    expect(template).toMatchObject({
      id: id(1).replaceAll('0', 'a'),
      archived_at: '2025-12-31T23:00:00.000000Z',
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
  const [template] = shown(document).templates;
  const { page } = template!.template_pages[0]!;
  const nowhere = { content_container_id: null, message_id: null, page_id: null };

  test.each([
    ['of a template', template!.content_blocks[0], 'template', id(10), { ...nowhere, id: id(11) }],
    ['of a page', page.content_blocks[0], 'page', id(21), { ...nowhere, page_id: id(21) }],
    [
      'of a container',
      page.content_containers[0]!.content_blocks[0],
      'content_container',
      id(23),
      { ...nowhere, page_id: id(21), content_container_id: id(23) },
    ],
    [
      'of a message',
      template!.template_messages[0]!.message.content_blocks[0],
      'message',
      id(31),
      { ...nowhere, message_id: id(31) },
    ],
  ])('a block %s says where it stands', (_where, block, container_type, container_id, rest) => {
    expect(block).toMatchObject({ container_type, container_id, template_id: id(10), ...rest });
  });

  test('pages, messages and containers name what they belong to, and show what they refer to', () => {
    expect(template!.template_pages[0]).toMatchObject({ template_id: id(10), page_id: id(21) });
    expect(template!.template_messages[0]).toMatchObject({ template_id: id(10), message_id: id(31) });
    expect(template!.template_messages[0]!.message.objective).toMatchObject({ id: objective, key: 'k', name: 'K' });
    const [container] = page.content_containers;
    expect(container).toMatchObject({ page_id: id(21), engagement_channel: { id: channel, name: 'Web' } });
    expect(container!.engagement_channel).not.toHaveProperty('lookup_fields');
    expect(container!.engagement_channel).not.toHaveProperty('frame_ancestors');
    expect(container!.engagement_channel).not.toHaveProperty('default_content');
  });

  test('a survey is found wherever it stands', () => {
    expect(hasSurvey(template!)).toBe(true);
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

  test('templates stand in targeting order then by name, pages and messages in their order, unset last', () => {
    const templates = [
      { name: 'c', targeting_order: null },
      { name: 'b', targeting_order: 2 },
      { name: 'a', targeting_order: 2 },
      { name: 'd', targeting_order: 1 },
      { name: 'a2' },
    ];
    expect(shown({ templates }).templates.map(({ name }) => name)).toEqual(['d', 'a', 'b', 'a2', 'c']);
    const template_pages = [
      { page: { slug: 'last' } },
      { order: 2, page: { slug: 'b' } },
      { order: 1, page: { slug: 'a' } },
    ];
    const [ordered] = shown({ templates: [{ template_pages }] }).templates;
    expect(ordered!.template_pages.map((each) => each.page.slug)).toEqual(['a', 'b', 'last']);
  });
});

test('an empty document is one', () => {
  expect(readDocument({})).toEqual({ faults: [], document: noContent });
});
