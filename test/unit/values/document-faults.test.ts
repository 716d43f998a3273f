import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../lib/content/read.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { errorDetailsOf, id, inMessage, inPage, shown } from '../../support/samples/content-documents.ts';

/** A document that has this value at the place of the JSON Pointer. */
const documentWith = (pointer: string, value: unknown): object =>
  pointer
    .split('/')
    .slice(1)
    .reduceRight((inner: unknown, name) => (/^\d+$/.test(name) ? [inner] : { [name]: inner }), value) as object;

describe('an enumeration holds only the listed values', () => {
  const audiences = ['Net New - Direct', 'Net New - Indirect', 'Existing - Direct', 'Existing - Indirect'];
  const useCases = ['Onboarding', 'Digital Engagement', 'Cross-Sell', 'Operational Efficiency', 'Other'];
  const titles = ['CONTACT_NAME', 'CUSTOM', 'NONE', 'TEAM_NAME', 'TEMPLATE_NAME'];
  test.each<[path: string, values: string[]]>([
    ['/templates/0/audience', [...audiences, 'Attrited/Dormant', 'All', 'Other']],
    ['/templates/0/content_block_status', ['draft', 'published']],
    ['/templates/0/journey_creation_strategy', ['ONE_FOR_ONE', 'ONE_FOR_ALL', 'NO_JOURNEY']],
    ['/templates/0/journey_title_options/type', titles],
    ['/templates/0/status', ['archived', 'draft', 'live']],
    ['/templates/0/targeting_group_logical_operator', ['AND', 'OR']],
    ['/templates/0/type', ['standard', 'tactical']],
    ['/templates/0/use_case', useCases],
    [`${inPage}/completion_condition`, ['action', 'confirm', 'objective', 'open', 'view']],
    [`${inPage}/content_block_status`, ['draft', 'published']],
    [`${inPage}/layout_basis`, ['grid', 'none']],
    [`${inPage}/content_containers/0/layout_basis`, ['grid', 'table', 'none']],
    [`${inMessage}/type`, ['email', 'sms']],
    [`${inMessage}/content_block_status`, ['draft', 'published']],
  ])('%s', (path, values) => {
    for (const value of [...values, null]) expect(errorDetailsOf(documentWith(path, value))).toEqual([]);
    for (const value of ['other', `${values[0]!.toLowerCase()} `, '', 1, {}]) {
      expect(errorDetailsOf(documentWith(path, value))).toEqual([path]);
    }
  });

  test('a set of standardized types holds only those that products can have', () => {
    const path = `${inPage}/completion_standardized_types`;
    expect(errorDetailsOf(documentWith(path, ['cd', 'yacht_loan']))).toEqual([`${path}/1`]);
  });
});

describe('a field of the wrong kind is named by its JSON Pointer', () => {
  const notUnicode = 'must be well-formed Unicode, without lone surrogates';
  const notLanguage = 'must be a BCP 47 language tag, such as es or de-AT';
  const notOrigin = 'must be an origin such as https://bank.example or https://*.bank.example, in lower case';
  const notDate = 'must be an ISO 8601 date or date-time';
  test.each<[path: string, value: unknown, message: string]>([
    ['', [], 'must be an object'],
    ['/templates', {}, 'must be an array'],
    ['/templates/0', 'x', 'must be an object'],
    ['/templates/0/id', 'x', 'must be a UUID'],
    ['/templates/0/name', 1, 'must be a string'],
    ['/templates/0/name', '\ud800', notUnicode],
    ['/templates/0/is_archived', 'true', 'must be true or false'],
    ['/templates/0/targeting_order', '1', 'must be a number'],
    ['/templates/0/archived_at', 1, 'must be a string'],
    ['/templates/0/archived_at', 'yesterday', notDate],
    ['/templates/0/archived_at', '2025-02-30', notDate],
    ['/templates/0/styles', 'x', 'must be an object'],
    ['/templates/0/styles/palette', [], 'must be an object'],
    ['/templates/0/editor_styles', 'x', 'must be an object'],
    ['/templates/0/content_blocks/0/data/heading', 1, 'must be a string'],
    ['/templates/0/facts/a/0', '\udc00', notUnicode],
    ['/templates/0/theme/\ud800', 1, notUnicode],
    ['/templates/0/language', 'e_s', notLanguage],
    ['/templates/0/language', 1, 'must be a string'],
    ['/templates/0/translations/e_s', {}, notLanguage],
    ['/templates/0/translations/de/A', 1, 'must be a string'],
    ['/templates/0/type', 1, 'must be one of standard, tactical'],
    ['/templates/0/template_pages', 1, 'must be an array'],
    [`${inPage}/objective_id`, 'welcome', 'must be a UUID'],
    [`${inPage}/completion_product_ids`, 'x', 'must be an array'],
    [`${inPage}/completion_product_ids/0`, 'x', 'must be a UUID'],
    [`${inPage}/styles`, 'bold', 'must be an object'],
    ['/objectives/0/key', undefined, 'is required'],
    ['/objectives/0/key', '', 'must not be empty'],
    ['/engagement_channels/0/show_navigation', 1, 'must be true or false'],
    ['/engagement_channels/0/properties', [], 'must be an object'],
    ['/engagement_channels/0/frame_ancestors/0', 1, 'must be a string'],
    ['/engagement_channels/0/frame_ancestors/0', 'bank.example', notOrigin],
    ['/engagement_channels/0/frame_ancestors', Array(21).fill('https://a.example'), 'must be at most 20 origins'],
  ])('%s of %j %s', (path, value, message) => {
    expect(readDocument(documentWith(path, value) as JsonValue).errors).toEqual([{ path, message }]);
  });

  test('what the specification leaves open takes any JSON', () => {
    const open = { analytics: [1], facts: 'x', support_owner_options: { a: null }, theme: false, theme_base: 0 };
    expect(shown({ templates: [open] }).templates[0]).toMatchObject(open);
  });

  test('ids are kept in lower case, timestamps in UTC, languages in their canonical form', () => {
    const given = { id: id(1).replaceAll('0', 'A'), archived_at: '2026-01-01T01:00:00+02:00', language: 'ES-mx' };
    const kept = { id: id(1).replaceAll('0', 'a'), archived_at: '2025-12-31T23:00:00.000000Z', language: 'es-MX' };
    expect(shown({ templates: [given] }).templates[0]).toMatchObject(kept);
  });
});
