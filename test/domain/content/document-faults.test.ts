import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../bin/content/read.ts';
import type { JsonValue } from '../../../lib/domain/json.ts';
import { errorDetailsOf, id, inMessage, inPage, shown, templateWith } from '../../support/content-documents.ts';

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
    for (const value of [...values, null]) expect(errorDetailsOf(documentOf(value))).toEqual([]);
    for (const value of ['other', `${values[0]!.toLowerCase()} `, '', 1, {}]) {
      expect(errorDetailsOf(documentOf(value))).toEqual([path]);
    }
  });

  test('a set of standardized types holds only those that products can have', () => {
    expect(errorDetailsOf(templateWith({ completion_standardized_types: ['cd', 'yacht_loan'] }))).toEqual([
      `${inPage}/completion_standardized_types/1`,
    ]);
  });
});

const embeddedIn = (...frame_ancestors: unknown[]) => ({ engagement_channels: [{ frame_ancestors }] });
const notLanguage = 'must be a BCP 47 language tag, such as es or de-AT';

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
    expect(errorDetailsOf(document)).toEqual([path]);
  });

  test.each<[path: string, document: object, message: string]>([
    ['/templates/0/name', { templates: [{ name: '\ud800' }] }, 'must be well-formed Unicode, without lone surrogates'],
    [
      '/templates/0/facts/a/1',
      { templates: [{ facts: { a: [1, '\udc00'] } }] },
      'must be well-formed Unicode, without lone surrogates',
    ],
    ['/templates/0/styles/custom', { templates: [{ styles: { custom: [] } }] }, 'must be an object'],
    ['/templates/0/styles', { templates: [{ styles: 'x' }] }, 'must be an object'],
    ['/templates/0/language', { templates: [{ language: 'e_s' }] }, notLanguage],
    ['/templates/0/language', { templates: [{ language: 1 }] }, 'must be a string'],
    ['/templates/0/translations/e_s', { templates: [{ translations: { de: {}, e_s: {} } }] }, notLanguage],
    ['/templates/0/translations/de/A', { templates: [{ translations: { de: { A: 1 } } }] }, 'must be a string'],
    ['/templates/0/archived_at', { templates: [{ archived_at: 1 }] }, 'must be a string'],
    ['/templates/0/archived_at', { templates: [{ archived_at: 'x' }] }, 'must be an ISO 8601 date or date-time'],
    ['/templates/0/name', { templates: [{ name: 1 }] }, 'must be a string'],
    ['/templates/0/targeting_order', { templates: [{ targeting_order: '1' }] }, 'must be a number'],
    ['/templates/0/type', { templates: [{ type: 1 }] }, 'must be one of standard, tactical'],
    ['/templates/0/template_pages', { templates: [{ template_pages: 1 }] }, 'must be an array'],
    ['/objectives/0/key', { objectives: [{ key: '' }] }, 'must not be empty'],
    ['/engagement_channels/0/frame_ancestors/0', embeddedIn(1), 'must be a string'],
    [
      '/engagement_channels/0/frame_ancestors/1',
      embeddedIn('https://a.example', 'bank.example'),
      'must be an origin such as https://bank.example or https://*.bank.example, in lower case',
    ],
    [
      '/engagement_channels/0/frame_ancestors',
      embeddedIn(...Array.from({ length: 21 }, () => 'https://a.example')),
      'must be at most 20 origins',
    ],
  ])('%s of %j %s', (path, document, message) => {
    expect(readDocument(document as JsonValue).errors).toEqual([{ path, message }]);
  });

  test('what the specification leaves open takes any JSON', () => {
    const open = { analytics: [1], facts: 'x', support_owner_options: { a: null }, theme: false, theme_base: 0 };
    expect(shown({ templates: [open] }).templates[0]).toMatchObject(open);
  });

  test('ids are kept in lower case, timestamps in UTC, languages in their canonical form', () => {
    const archived_at = '2026-01-01T01:00:00+02:00';
    const [template] = shown({
      templates: [{ id: id(1).replaceAll('0', 'A'), archived_at, language: 'ES-mx' }],
    }).templates;
    expect(template).toMatchObject({
      language: 'es-MX',
      id: id(1).replaceAll('0', 'a'),
      archived_at: '2025-12-31T23:00:00.000000Z',
    });
  });
});
