import { describe, expect, test } from 'vitest';
import { unknownFieldWarnings } from '../../../bin/content/unknown-fields.ts';
import { listed } from '../../../lib/content/similar.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { similarTo } from '../../../lib/domain/values/similar.ts';
import { inPage, templateWith } from '../../support/samples/content-documents.ts';

const warningsOf = (document: unknown) =>
  unknownFieldWarnings(document as JsonValue).map(({ path, message }) => `${path} ${message}`);

const inBlock = `${inPage}/content_blocks/0`;
const withBlock = (block: object) => templateWith({ content_blocks: [block] });

describe('an unknown field', () => {
  const containers = [{ engagement_channel: 'web' }];
  test.each<[document: unknown, path: string, meant?: string]>([
    [{ people: [] }, '/people'],
    [{ template: [] }, '/template', 'templates'],
    [{ engagement_channel: 'web' }, '/engagement_channel', 'engagement_channels'],
    [{ team_id: 'a' }, '/team_id'],
    [{ templates: [{}, { stauts: 'live' }] }, '/templates/1/stauts', 'status'],
    [{ templates: [{ 'a/b': 1 }] }, '/templates/0/a~1b'],
    [{ templates: [{ '!': 'A' }] }, '/templates/0/!'],
    [templateWith({ subheading: 'A' }), `${inPage}/subheading`],
    [templateWith({ constructor: 1 }), `${inPage}/constructor`],
    [{ engagement_channels: [{ default_content: { order: 1 } }] }, '/engagement_channels/0/default_content/order'],
    [withBlock({ grid: { xxl: 6 } }), `${inBlock}/grid/xxl`, 'xl'],
    [{ templates: [{ styles: { palete: {} } }] }, '/templates/0/styles/palete', 'palette'],
    [
      templateWith({ content_containers: containers }),
      `${inPage}/content_containers/0/engagement_channel`,
      'engagement_channel_id',
    ],
  ])('in %j is at %s', (document, path, meant) => {
    const hint = meant === undefined ? '' : `: did you mean \`${meant}\`?`;
    expect(warningsOf(document)).toEqual([`${path} is not a known field and is ignored${hint}`]);
  });

  test.each([
    [withBlock({ agreementText: 'A' }), `${inBlock}/agreementText`, 'data'],
    [
      { templates: [{ template_pages: [{ content_name: 'A' }] }] },
      '/templates/0/template_pages/0/content_name',
      'page',
    ],
  ])('in %j belongs into another object: %s', (document, path, object) => {
    const warning = `is not a known field here and is ignored: write it into \`${object}\``;
    expect(warningsOf(document)).toEqual([`${path} ${warning}`]);
  });

  test('is found beside others, and within them', () => {
    const warnings = warningsOf({ templates: [{ one: 1, css: '', two: 2, template_pages: [{ three: 3 }] }] });
    expect(warnings.map((each) => each.split(' ')[0])).toEqual([
      '/templates/0/one',
      '/templates/0/two',
      '/templates/0/template_pages/0/three',
    ]);
  });
});

test.each<[what: string, document: unknown]>([
  ['known fields', templateWith({ content_blocks: [{ data: { heading: 'A' }, grid: { xs: 1 } }] })],
  ['data of a block', withBlock({ data: { anything: { at: 'all' } } })],
  ['any JSON', { templates: [{ facts: { a: 1 }, theme: { a: [{ b: 1 }] }, styles: { custom: { a: {} } } }] }],
  ['translations', { templates: [{ translations: { es: { A: 'B' } } }] }],
  ['a list of texts', templateWith({ completion_standardized_types: ['cd'] })],
  [
    'fields that responses have',
    templateWith(
      {
        team: null,
        team_id: 'a',
        content_blocks: [
          {
            ...{ container_id: 'a', container_type: 'page', content_container_id: null },
            ...{ message_id: null, page_id: 'a', template_id: 'a' },
          },
        ],
        content_containers: [{ engagement_channel: { id: 'a' } }, { engagement_channel: null }],
      },
      { has_survey_content_blocks: true, template_messages: [{ message: { objective: null } }] },
    ),
  ],
  ['values of another kind', { templates: { a: 1 }, objectives: [1, null, 'a', [{ a: 1 }]] }],
  ['no object', 'text'],
  ['null', null],
])('no field is unknown in %s', (_what, document) => {
  expect(warningsOf(document)).toEqual([]);
});

const names = ['heading', 'customClass', 'text', 'documentLinkUrl', 'key', 'url2', 'documentLinkText'];

test.each([
  ['heading', 'heading'],
  ['HEADING', 'heading'],
  ['custom_class', 'customClass'],
  ['classCustom', 'customClass'],
  ['headnig', 'heading'],
  ['heding', 'heading'],
  ['headding', 'heading'],
  ['heasing', 'heading'],
  ['adinghe', 'heading'],
  ['headings2', 'heading'],
  ['hea', undefined],
  ['headiXYZ', undefined],
  ['documentLinkU', 'documentLinkUrl'],
  ['documentLink', undefined],
  ['documentLinkTxte', 'documentLinkText'],
  ['texxt', 'text'],
  ['txt', 'text'],
  ['tt', undefined],
  ['kez', 'key'],
  ['ke', undefined],
  ['2-url', 'url2'],
  ['something', undefined],
  ['', undefined],
  ['--', undefined],
])('%j was probably meant as %j', (given, meant) => {
  expect(similarTo(given, names)).toBe(meant);
});

test('the nearest name is chosen, and the first of two that are equally near', () => {
  expect(similarTo('bodies', ['bodiesss', 'bodie', 'bodis'])).toBe('bodie');
  expect(similarTo('bodies', ['bodie', 'bodiesss'])).toBe('bodie');
});

test('nothing is similar to a name if there are no names', () => {
  expect(similarTo('heading', [])).toBeUndefined();
});

test.each([
  [[], ''],
  [['a'], '`a`'],
  [['a', 'b'], '`a` and `b`'],
  [['a', 'b', 'c'], '`a`, `b` and `c`'],
])('the names %j in a sentence', (given, sentence) => {
  expect(listed(given)).toBe(sentence);
  expect(listed(given, 'or')).toBe(sentence.replace(' and ', ' or '));
});
